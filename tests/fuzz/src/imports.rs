//! Text that a person types, pastes or opens.

use customers::Wants;
use operations::{Gb, GbFactor};
use wire::{Amount, Day};

/// Parses an input: the first byte chooses the parser and the kind of values, the rest is the text, the file, or the
/// recipe for a workbook.
pub fn run(data: &[u8]) {
    let Some((choice, bytes)) = data.split_first() else { return };
    let wants = [Wants::Names, Wants::Amounts, Wants::Passwords][usize::from(choice >> 2) % 3];
    let text = String::from_utf8_lossy(bytes);
    match choice % 4 {
        0 if choice & 0x80 != 0 => drop(customers::file::entries(&crate::sheets::workbook(bytes), wants)),
        0 => drop(customers::file::entries(bytes, wants)),
        1 => entries(&text, wants),
        2 => text.lines().for_each(amounts),
        _ => text.lines().for_each(places),
    }
}

/// Checks that every entry names an existing line, and that entries are in the order of their lines.
fn entries(text: &str, wants: Wants) {
    let all = customers::lines::entries(text, wants);
    let lines = text.lines().count();
    assert!(all.iter().all(|entry| (1..=lines).contains(&entry.line)), "a line that is none: {text:?}");
    assert!(all.is_sorted_by_key(|entry| entry.line), "{text:?}");
}

/// Checks that an accepted amount is the one that was typed, and is sent as it was read.
fn amounts(line: &str) {
    if let Ok(amount) = line.parse::<Amount>() {
        assert_eq!(amount.to_string().parse(), Ok(amount), "{line:?}");
    }
    for factor in GbFactor::ALL {
        let typed = customers::lines::typed(line, factor);
        let Ok(gb) = Gb::parse(line, factor) else { continue };
        assert_eq!(typed.map(|(_, gb)| gb), Ok(gb), "{line:?}");
        assert_eq!(gb.amount().to_string().parse::<Amount>(), line.trim().parse(), "{line:?}");
        assert!(gb.mb(factor) > Amount::ZERO, "{line:?}");
        let _ = gb.tells_factor();
    }
}

fn places(line: &str) {
    if let Ok(day) = line.parse::<Day>() {
        assert_eq!(day.to_string().parse(), Ok(day), "{line:?}");
        let _ = (day.month_start(), day.weekday(), day.plus(1));
    }
    let _ = wire::time::WrittenTime(line.to_owned()).millis(480);
    let _ = client::Address::parse(line, line, line);
}
