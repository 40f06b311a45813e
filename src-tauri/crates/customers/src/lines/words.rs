//! The words of a line: names, amounts, and what separates the two.

use super::numbers::{Amount, amount, number_end, unit_of};

/// What may stand between a name and its amount.
const SEPARATORS: [char; 5] = [':', '=', '-', '–', '—'];

/// The word that stands for any separator among the words of a line.
pub(super) const SEPARATOR: &str = "-";

/// What people add to be polite.
const COURTESIES: [&str; 22] = [
    "pls",
    "plz",
    "please",
    "kindly",
    "thank",
    "thanks",
    "thankyou",
    "thx",
    "tks",
    "请",
    "请您",
    "麻烦",
    "麻烦您",
    "麻烦了",
    "劳驾",
    "拜托",
    "谢谢",
    "谢谢您",
    "多谢",
    "感谢",
    "谢了",
    "辛苦了",
];

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
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words = Words::default();
    for chunk in line.split([' ', ';', '|']).filter(|chunk| !chunk.is_empty()) {
        words.take(chunk);
    }
    words.all
}

#[derive(Default)]
struct Words {
    all: Vec<String>,
    /// Whether the last word is a name, so that an amount may follow.
    behind_name: bool,
}

impl Words {
    /// Takes a part of the line that has no blanks.
    fn take(&mut self, chunk: &str) {
        // A separator begins nothing: a list's dash is dropped, and "=" stays a formula.
        let is_formula = self.all.is_empty() && chunk.starts_with('=');
        if chunk.chars().all(|c| SEPARATORS.contains(&c)) && !is_formula {
            if !self.all.is_empty() {
                self.all.push(SEPARATOR.to_owned());
            }
            return;
        }
        let chunk = chunk.trim_end_matches('!');
        let chunk = chunk.strip_suffix('.').unwrap_or(chunk);
        let mut rest = if is_formula { chunk } else { chunk.trim_end_matches([':', '=']) };
        while !rest.is_empty() {
            rest = self.next(rest).trim_start_matches(',');
        }
    }

    /// Takes the first word of a text, and returns the rest.
    fn next<'a>(&mut self, text: &'a str) -> &'a str {
        if let Some((name, behind)) = self.split(text) {
            if !name.is_empty() {
                self.all.push(name.to_owned());
            }
            self.behind_name = true;
            return behind;
        }
        let is_amount = self.behind_name && text.starts_with(|c: char| c.is_ascii_digit());
        let end = if is_amount { number_end(text) } else { text.find(',').unwrap_or(text.len()) };
        let (word, rest) = text.split_at(end);
        if !word.is_empty() {
            self.behind_name = !is_amount && (amount(word).is_none() || !self.behind_name) && unit_of(word).is_none();
            self.all.push(word.to_owned());
        }
        rest
    }

    /// Splits "ali:5g" into the name and the rest. After a name, "=5" is an amount.
    fn split<'a>(&self, text: &'a str) -> Option<(&'a str, &'a str)> {
        let word = &text[..text.find(',').unwrap_or(text.len())];
        let (name, _) = word.split_once([':', '='])?;
        let behind = text[name.len()..].trim_start_matches([':', '=']);
        let is_number = behind.starts_with(|c: char| c.is_ascii_digit());
        let end = if is_number { number_end(behind) } else { behind.find(',').unwrap_or(behind.len()) };
        let first = &behind[..end];
        let splits = if name.is_empty() {
            self.behind_name && matches!(amount(first), Some(Amount::Clear(_)))
        } else {
            name.contains('@') || amount(first).is_some() && !is_time(name, first)
        };
        splits.then_some((name, behind))
    }
}

/// Whether two numbers around a colon are the time of a message: "12:30".
fn is_time(hour: &str, rest: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let minute = rest.get(..2).filter(|minute| is_number(minute));
    hour.len() <= 2 && is_number(hour) && minute.is_some() && (rest.len() == 2 || rest[2..].starts_with(':'))
}

/// Takes a courtesy that an amount follows for a name where there are more amounts than names: in "thanks 5g, bob 3g",
/// "thanks" may be a customer, and without that name its 5 GB would go to bob.
fn keep_names(words: &[String], polite: &mut [bool], is_name: impl Fn(&str) -> bool) {
    let is_amount = |word: &String| amount(word).is_some();
    let names = words.iter().zip(polite.iter()).filter(|(word, polite)| !**polite && is_name(word)).count();
    if names == 0 || words.iter().filter(|word| is_amount(word)).count() <= names {
        return;
    }
    for at in 0..words.len() {
        let next = words[at + 1..].iter().find(|word| *word != SEPARATOR);
        polite[at] = polite[at] && !next.is_some_and(is_amount);
    }
}

/// Drops what is only polite, where the rest names somebody. `is_name`: whether a word alone may be a name.
pub(super) fn without_courtesies(mut words: Vec<String>, is_name: impl Fn(&str) -> bool) -> Vec<String> {
    let mut thanked = false;
    let mut is_courtesy = |word: &String| {
        let plain = word.trim_end_matches(|c: char| c.is_ascii_punctuation()).to_lowercase();
        let is_one = COURTESIES.contains(&plain.as_str()) || thanked && plain == "you";
        thanked = plain == "thank";
        is_one
    };
    let mut polite: Vec<bool> = words.iter().map(&mut is_courtesy).collect();
    keep_names(&words, &mut polite, &is_name);
    let said = || words.iter().zip(&polite).filter(|(_, polite)| !**polite).map(|(word, _)| word.as_str());
    // "100001 5 thanks" names the customer by id.
    if said().any(is_name) || said().filter(|word| amount(word).is_some()).nth(1).is_some() {
        let mut polite = polite.into_iter();
        words.retain(|_| polite.next() != Some(true));
    }
    words
}
