//! Lines as people write them: "ali@x.com 5g, bob 20". Nothing is guessed: an ambiguous line becomes a question.

mod numbers;
mod words;

use std::iter::Peekable;

pub(crate) use numbers::{Amount, amount, carried};
pub use numbers::{BadAmount, Comma, Number, Unit, Written, typed};
pub use words::folded;

use numbers::unit_of;
use words::SEPARATOR;

/// The values that a line contains besides the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// None: only names.
    Names,
    /// An amount of traffic.
    Amounts,
    /// A password, which may be missing.
    Passwords,
}

/// A problem that an entry has before customers are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// A spreadsheet's formula.
    Formula,
    /// An ambiguous number: "1.2.3", "5 - 10".
    Number,
    /// The cell of the amount holds none.
    NotANumber,
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

    /// Whether it is a name and nothing else.
    pub(crate) fn is_bare(&self) -> bool {
        self.amount.is_none() && self.unclear.is_none() && self.text == self.name
    }

    fn says(&mut self, more: &str) {
        self.text = format!("{} {more}", self.text);
    }
}

/// Reads a text line by line.
pub fn entries(text: &str, wants: Wants) -> Vec<Entry> {
    let mut all = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        all.extend(entries_of(line, number, wants));
    }
    all
}

/// Reads one line.
pub(crate) fn entries_of(line: &str, number: usize, wants: Wants) -> Vec<Entry> {
    if wants == Wants::Passwords {
        return with_password(line, number).into_iter().collect();
    }
    let is_name =
        |word: &str| word != SEPARATOR && (wants == Wants::Names || amount(word).is_none() && unit_of(word).is_none());
    let words = words::without_courtesies(words::words(&folded(line)), is_name);
    Reading { line: number, wants, all: Vec::new(), before: None }.read(&words)
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

/// A line that is being read.
struct Reading {
    line: usize,
    wants: Wants,
    all: Vec<Entry>,
    /// An amount written before its name, and its words: "5g ali@x.com".
    before: Option<(Written, String)>,
}

impl Reading {
    fn read(mut self, words: &[String]) -> Vec<Entry> {
        let mut words = words.iter().map(String::as_str).peekable();
        let mut separated = false;
        while let Some(word) = words.next() {
            if word == SEPARATOR {
                separated = true;
                continue;
            }
            if word.starts_with('=') {
                self.all.push(Entry::unclear(self.line, word, Unclear::Formula));
            } else if !self.is_unit(word) {
                self.take(word, separated, &mut words);
            }
            separated = false;
        }
        self.all
    }

    /// Takes the unit of the last number: "5 GB". Returns whether the word is one.
    fn is_unit(&mut self, word: &str) -> bool {
        let (Some(Some(unit)), Some(entry)) = (unit_of(word), self.all.last_mut()) else { return false };
        match entry.amount.as_mut() {
            Some(written) if written.unit.is_none() => written.unit = Some(unit),
            _ if entry.unclear == Some(Unclear::Number) => {}
            _ => return false,
        }
        entry.says(word);
        true
    }

    /// Takes a word that is no unit. `separated`: a dash stands before it. `next`: the words after it.
    fn take<'a>(&mut self, word: &str, separated: bool, next: &mut Peekable<impl Iterator<Item = &'a str> + Clone>) {
        let found = if self.wants == Wants::Amounts { amount(word) } else { None };
        match (found, self.all.last_mut()) {
            (Some(found), Some(entry)) if entry.unclear.is_none() && entry.amount.is_none() => {
                entry.says(word);
                match found {
                    Amount::Clear(written) => entry.amount = Some(written),
                    Amount::Unclear(why) => entry.unclear = Some(why),
                }
            }
            // "ali 5 - 10g" may be from 5 to 10, or 5 less 10.
            (Some(_), Some(entry)) if separated && entry.amount.is_some() => {
                entry.says(&format!("- {word}"));
                (entry.amount, entry.unclear) = (None, Some(Unclear::Number));
            }
            (Some(Amount::Clear(written)), _) => self.unnamed(word, written, next),
            (_, _) => self.name(word),
        }
    }

    /// Takes an amount that follows no name.
    fn unnamed<'a>(
        &mut self,
        word: &str,
        written: Written,
        next: &mut Peekable<impl Iterator<Item = &'a str> + Clone>,
    ) {
        let mut text = word.to_owned();
        let mut unit = written.unit;
        if let (None, Some(Some(behind))) = (unit, next.peek().and_then(|next| unit_of(next))) {
            unit = Some(behind);
            text = format!("{text} {}", next.next().unwrap_or_default());
        }
        // A number in place of a name is a customer's id.
        if unit.is_none() {
            return self.name(word);
        }
        let name = next.clone().find(|next| *next != SEPARATOR);
        if self.before.is_none() && name.is_some_and(|name| amount(name).is_none()) {
            self.before = Some((Written { unit, ..written }, text));
            return;
        }
        match self.all.last_mut() {
            // "ali 2,048 MB 5g": either may be meant.
            Some(entry) if entry.amount.is_some() => {
                entry.says(&text);
                (entry.amount, entry.unclear) = (None, Some(Unclear::Number));
            }
            _ => self.all.push(Entry::unclear(self.line, &text, Unclear::NoName)),
        }
    }

    fn name(&mut self, word: &str) {
        let entry = Entry::named(self.line, word);
        self.all.push(match self.before.take() {
            Some((amount, text)) => Entry { amount: Some(amount), text: format!("{text} {word}"), ..entry },
            None => entry,
        });
    }
}

#[cfg(test)]
mod tests;
