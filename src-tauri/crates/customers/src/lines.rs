//! Lines as people write them: "ali@x.com 5g, bob 20". Nothing is guessed: an ambiguous line becomes a question.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The values that a line contains after the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// None: only names.
    Names,
    /// An amount of traffic.
    Amounts,
    /// A password, which may be missing.
    Passwords,
}

/// A unit of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "TrafficUnit")]
pub enum Unit {
    /// Gigabytes.
    Gb,
    /// Megabytes.
    Mb,
}

/// An amount as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number.
    pub number: Decimal,
    /// The unit; `None` when none was written.
    pub unit: Option<Unit>,
}

/// A problem that an entry has before customers are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// A spreadsheet's formula.
    Formula,
    /// An ambiguous number: "1,5" may be one and a half, or two numbers.
    Number,
    /// A unit other than GB and MB.
    Unit,
    /// An amount without a name.
    NoName,
    /// Several cells could be the amount.
    Columns,
}

/// One customer in a text, with the value for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line's number, from 1.
    pub line: usize,
    /// The entry as written.
    pub text: String,
    /// The name used for the customer.
    pub name: String,
    /// The amount, if there is one.
    pub amount: Option<Written>,
    /// The password, if there is one.
    pub password: Option<String>,
    /// The part that cannot be read.
    pub unclear: Option<Unclear>,
}

impl Entry {
    pub(crate) fn named(line: usize, name: &str) -> Self {
        Self { line, text: name.to_owned(), name: name.to_owned(), amount: None, password: None, unclear: None }
    }

    pub(crate) fn unclear(line: usize, text: &str, why: Unclear) -> Self {
        Self { unclear: Some(why), ..Self::named(line, text) }
    }
}

/// Reads a text line by line.
pub fn entries(text: &str, wants: Wants) -> Vec<Entry> {
    let mut all = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if wants == Wants::Passwords {
            all.extend(with_password(line, number));
        } else {
            all.extend(read(&tokens(&folded(line)), number, wants));
        }
    }
    all
}

/// Takes the first word as the name and the rest of the line as the password, exactly as typed: it may contain
/// anything.
fn with_password(line: &str, number: usize) -> Option<Entry> {
    let line = line.trim();
    let end = line.find(|c: char| c.is_whitespace() || ",;，；".contains(c)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let password = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;，；".contains(c)).trim_end();
    let entry = Entry::named(number, &folded(name));
    let entry = Entry { password: Some(password.to_owned()).filter(|password| !password.is_empty()), ..entry };
    (!name.is_empty()).then_some(entry)
}

/// Turns full-width digits, letters and punctuation into plain ones and blanks of every kind into blanks, and drops
/// invisible characters. Not Unicode's own folding (NFKC): that reads 10² as 102, and `user²` as another customer.
pub fn folded(text: &str) -> String {
    let fold = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{3000}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\t' => Some(' '),
        '、' => Some(','),
        '。' => Some('.'),
        '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}' | '\u{ad}' => None,
        _ => Some(c),
    };
    text.chars().filter_map(fold).collect()
}

/// Splits a line into words. A comma separates, except in thousands: "1,000". An ambiguous number after a name stays
/// whole, so that it can be asked about.
fn tokens(line: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut behind_name = false;
    for chunk in line.split([' ', ';', '|']).filter(|chunk| !chunk.is_empty()) {
        // Handles "ali@x.com:5g", and a full stop at the end of a sentence.
        let (name, behind) = chunk.split_once([':', '=']).filter(|(name, _)| name.contains('@')).unwrap_or((chunk, ""));
        for part in [name, behind] {
            let mut rest = part.strip_suffix('.').unwrap_or(part);
            while !rest.is_empty() {
                let is_amount = behind_name && rest.starts_with(|c: char| c.is_ascii_digit());
                let end = if is_amount { number_end(rest) } else { rest.find(',').unwrap_or(rest.len()) };
                let (token, more) = rest.split_at(end);
                if !token.is_empty() {
                    behind_name = !is_amount && (amount(token).is_none() || !behind_name) && unit_of(token).is_none();
                    all.push(token.to_owned());
                }
                rest = more.trim_start_matches(',');
            }
        }
    }
    all
}

/// Finds the end of a number after a name, including thousands, decimals after a comma, and unit.
fn number_end(text: &str) -> usize {
    if let Some(end) = thousands(text) {
        return end;
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let decimals = text[whole..].strip_prefix(',').map_or(0, digits);
    let after = &text[whole + usize::from(decimals > 0) + decimals..];
    // "1,5" and "1,2345" may be one number or two; "5,100001,6" and "5,bob" are not.
    let is_one = decimals > 0 && !after.starts_with([',', '.', '@']);
    let begins = if is_one { whole + 1 + decimals } else { whole };
    begins + text[begins..].find(',').unwrap_or(text.len() - begins)
}

/// Finds the end of a number with thousands at the start of a text, including its unit.
fn thousands(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    // "0,500" is not five hundred.
    if !(1..=3).contains(&end) || text.starts_with('0') {
        return None;
    }
    let first = end;
    while text[end..].starts_with(',') && digits(&text[end + 1..]) == 3 {
        end += 4;
    }
    if end == first {
        return None;
    }
    Some(end + text[end..].find(',').unwrap_or(text.len() - end))
}

pub(crate) enum Amount {
    Clear(Written),
    Unclear(Unclear),
}

/// Reads a token as an amount: a number, perhaps with a unit. `None` when it is not one.
pub(crate) fn amount(token: &str) -> Option<Amount> {
    let token = token.strip_prefix('+').unwrap_or(token);
    let end = token.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-')).unwrap_or(token.len());
    let (number, unit) = token.split_at(end);
    if number.is_empty() || !number.contains(|c: char| c.is_ascii_digit()) || token.contains('@') {
        return None;
    }
    let unit = match unit_of(unit) {
        Some(unit) => unit,
        // "5t", "20k": an amount, but its unit is unknown.
        None if unit.chars().count() <= 3 && number.parse::<Decimal>().is_ok() => {
            return Some(Amount::Unclear(Unclear::Unit));
        }
        None => return None,
    };
    let plain = if thousands(number) == Some(number.len()) { number.replace(',', "") } else { number.to_owned() };
    Some(match plain.parse() {
        Ok(number) => Amount::Clear(Written { number, unit }),
        Err(_) => Amount::Unclear(Unclear::Number),
    })
}

/// Reads a unit. `None`: an unknown one; `Some(None)`: no unit at all.
fn unit_of(text: &str) -> Option<Option<Unit>> {
    match text.to_lowercase().as_str() {
        "" => Some(None),
        "g" | "gb" | "gib" | "吉" | "吉字节" => Some(Some(Unit::Gb)),
        "m" | "mb" | "mib" | "兆" | "兆字节" => Some(Some(Unit::Mb)),
        _ => None,
    }
}

fn read(tokens: &[String], line: usize, wants: Wants) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    // An amount written before its name: "5g ali@x.com".
    let mut before: Option<Written> = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.starts_with('=') {
            all.push(Entry::unclear(line, token, Unclear::Formula));
            continue;
        }
        let found = if wants == Wants::Amounts { amount(token) } else { None };
        // "5 GB"
        if let (Some(Some(unit)), Some(entry)) = (unit_of(token), all.last_mut())
            && let Some(written) = entry.amount.as_mut().filter(|written| written.unit.is_none())
        {
            written.unit = Some(unit);
            entry.text = format!("{} {token}", entry.text);
            continue;
        }
        let last = all.last_mut().filter(|entry| entry.unclear == Some(Unclear::Number));
        if let (Some(Some(_)), Some(entry)) = (unit_of(token), last) {
            entry.text = format!("{} {token}", entry.text);
            continue;
        }
        let waiting = all.last_mut().filter(|entry| entry.unclear.is_none() && entry.amount.is_none());
        match (found, waiting) {
            (Some(found), Some(entry)) => {
                entry.text = format!("{} {token}", entry.text);
                match found {
                    Amount::Clear(written) => entry.amount = Some(written),
                    Amount::Unclear(why) => entry.unclear = Some(why),
                }
            }
            (Some(Amount::Clear(written)), None)
                if written.unit.is_some()
                    && before.is_none()
                    && tokens.get(at + 1).is_some_and(|next| amount(next).is_none()) =>
            {
                before = Some(written);
            }
            (Some(Amount::Clear(Written { unit: Some(_), .. })), None) => {
                all.push(Entry::unclear(line, token, Unclear::NoName));
            }
            // A number in place of a name is a customer's id.
            (_, _) => {
                let amount = before.take();
                all.push(Entry { amount, ..Entry::named(line, token) });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, wants: Wants) -> Vec<String> {
        let one = |entry: &Entry| {
            let amount = entry.amount.map(|written| {
                format!(
                    " {}{}",
                    written.number,
                    match written.unit {
                        Some(Unit::Gb) => "G",
                        Some(Unit::Mb) => "M",
                        None => "?",
                    }
                )
            });
            let unclear = entry.unclear.map(|why| format!(" !{why:?}"));
            let password = entry.password.as_ref().map(|password| format!(" *{password}"));
            format!(
                "{}{}{}{}",
                entry.name,
                amount.unwrap_or_default(),
                password.unwrap_or_default(),
                unclear.unwrap_or_default()
            )
        };
        entries(text, wants).iter().map(one).collect()
    }

    #[test]
    fn lines_are_read_as_people_write_them() {
        let cases: [(&str, &[&str]); 30] = [
            ("ali@x.com 5g, bob 20", &["ali@x.com 5G", "bob 20?"]),
            ("ali@x.com,5", &["ali@x.com 5?"]),
            ("ali@x.com\t5 GB\nbob@x.com 512mb", &["ali@x.com 5G", "bob@x.com 512M"]),
            ("ali@x.com 1,000 gb", &["ali@x.com 1000G"]),
            ("ali@x.com,1,000", &["ali@x.com 1000?"]),
            ("ali@x.com 12,345,678m", &["ali@x.com 12345678M"]),
            ("ali@x.com,5,bob@x.com,6", &["ali@x.com 5?", "bob@x.com 6?"]),
            ("ali@x.com 1,5", &["ali@x.com !Number"]),
            ("ali@x.com 1,5g, bob 2g", &["ali@x.com !Number", "bob 2G"]),
            ("ali@x.com 1.5", &["ali@x.com 1.5?"]),
            ("ａｌｉ＠ｘ．ｃｏｍ　５Ｇ，bob、２０", &["ali@x.com 5G", "bob 20?"]),
            ("5g ali@x.com", &["ali@x.com 5G"]),
            ("100001 5", &["100001 5?"]),
            ("100001 100002", &["100001 100002?"]),
            ("ali@x.com", &["ali@x.com"]),
            ("ali@x.com -5", &["ali@x.com -5?"]),
            ("ali@x.com +5", &["ali@x.com 5?"]),
            ("ali@x.com 5t", &["ali@x.com !Unit"]),
            ("=1+1 ali@x.com 5", &["=1+1 !Formula", "ali@x.com 5?"]),
            ("ali@x.com 5; bob@x.com 6\r\n\r\n  \r\nchen 7g", &["ali@x.com 5?", "bob@x.com 6?", "chen 7G"]),
            ("ali@x.com 1.2.3", &["ali@x.com !Number"]),
            ("5g", &["5g !NoName"]),
            ("ali@x.com 0,500 gb", &["ali@x.com !Number"]),
            ("ali@x.com 1,2345", &["ali@x.com !Number"]),
            ("100001,5", &["100001 5?"]),
            ("100001,5,100002,6", &["100001 5?", "100002 6?"]),
            ("ali@x.com：5g。", &["ali@x.com 5G"]),
            ("ali@x.com=5g", &["ali@x.com 5G"]),
            ("ali@x.com 10²gb", &["ali@x.com !Unit"]),
            ("ali²@x.com 5g", &["ali²@x.com 5G"]),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text, Wants::Amounts), expected, "{text}");
        }
    }

    #[test]
    fn names_alone_and_names_with_passwords_are_lists_too() {
        assert_eq!(shown("ali@x.com, bob@x.com chen", Wants::Names), ["ali@x.com", "bob@x.com", "chen"]);
        assert_eq!(
            shown("ali@x.com Abc-123\nbob@x.com\nchen p@ss,w=1", Wants::Passwords),
            ["ali@x.com *Abc-123", "bob@x.com", "chen *p@ss,w=1"]
        );
    }

    #[test]
    fn every_entry_knows_its_line() {
        let lines: Vec<usize> =
            entries("\nali 1\n\nbob 2, chen 3", Wants::Amounts).iter().map(|entry| entry.line).collect();
        assert_eq!(lines, [2, 4, 4]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_stumble_and_no_name_is_made_up(text in ".{0,200}") {
            for wants in [Wants::Names, Wants::Amounts, Wants::Passwords] {
                let plain = folded(&text);
                for entry in entries(&text, wants) {
                    prop_assert!(plain.contains(&entry.name), "{:?} of {plain:?}", entry.name);
                }
            }
        }

        #[test]
        fn what_is_written_plainly_is_read_exactly(whole in 0u32..1_000_000, part in 0u32..10_000, mb in any::<bool>()) {
            let number = format!("{whole}.{part:04}");
            let text = format!("ali@x.com {number}{}", if mb { "mb" } else { "gb" });
            let read = entries(&text, Wants::Amounts);
            let expected = Written { number: number.parse().unwrap(), unit: Some(if mb { Unit::Mb } else { Unit::Gb }) };
            prop_assert_eq!(read[0].amount, Some(expected));
        }
    }
}
