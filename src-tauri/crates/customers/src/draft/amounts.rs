//! What a person answers about the amounts of a draft, each time for all of its rows.

use std::collections::HashSet;

use operations::LeftOut;
use rust_decimal::Decimal;
use wire::Amount;

use super::{Item, meant};
use crate::facts::Facts;
use crate::lines::{Comma, Entry, Number, Unit, Written};
use crate::naming::Meant;
use crate::preview::CommaQuestion;

#[derive(Default)]
pub(super) struct Amounts {
    /// The unit of numbers written without one.
    pub(super) unit: Option<Unit>,
    /// What a comma in a number is.
    pub(super) comma: Option<Comma>,
    /// The amount for names that stand alone.
    pub(super) each: Option<Written>,
    /// Whether any comma has to be asked about. Then the others are uncertain too.
    doubtful: bool,
    /// Lines with anything but names of customers: "ali tomorrow", "5g for ali".
    wordy: HashSet<usize>,
    /// Lines that were wordy before a row of theirs was removed: the names that are left still do not stand alone.
    trimmed: HashSet<usize>,
}

impl Amounts {
    /// Examines all rows before any of them is judged.
    pub(super) fn survey(&mut self, items: &[Item], facts: &Facts<'_>) {
        self.doubtful = numbers(items).any(|(_, number)| number.is_doubtful());
        let is_name = |item: &&Item| item.entry.is_bare() && matches!(meant(item, facts), Meant::One(_));
        self.wordy = items.iter().filter(|item| !is_name(item)).map(|item| item.entry.line).collect();
    }

    /// Notes that a row of a line was rewritten, or removed. `is_last`: no other row is left of the line.
    pub(super) fn rewritten(&mut self, line: usize, is_removed: bool, is_last: bool) {
        if !is_removed && is_last {
            self.trimmed.remove(&line);
        } else if is_removed && self.wordy.contains(&line) {
            self.trimmed.insert(line);
        }
    }

    /// The number and the unit of an entry.
    pub(super) fn of(&self, entry: &Entry) -> Result<(Decimal, Unit), LeftOut> {
        let default = || self.each.filter(|_| self.takes_default(entry));
        let written = entry.amount.or_else(default).ok_or(LeftOut::NoAmount)?;
        let is_asked = entry.amount.is_some() && self.asks(written.number);
        let number = written.number.read(self.comma).filter(|_| !is_asked).ok_or(LeftOut::AmbiguousNumber)?;
        Ok((number, written.unit.or(self.unit).ok_or(LeftOut::NoUnit)?))
    }

    /// Whether an entry without an amount is given the one for all.
    pub(super) fn takes_default(&self, entry: &Entry) -> bool {
        let is_alone = !self.wordy.contains(&entry.line) && !self.trimmed.contains(&entry.line);
        entry.line > 0 && entry.is_bare() && is_alone
    }

    /// The question what a comma is, with a number of the draft as the example; `None` when nothing is to be asked.
    pub(super) fn comma_question(&self, items: &[Item]) -> Option<CommaQuestion> {
        let asked = || numbers(items).filter(|(_, number)| self.asks(*number));
        let readings = |number: Number| [Comma::Decimal, Comma::Thousands].map(|comma| number.read(Some(comma)));
        let doubtful = || asked().filter(|(_, number)| number.is_doubtful());
        let both = doubtful().find(|(_, number)| readings(*number).iter().all(Option::is_some));
        let (entry, number) = both.or_else(|| doubtful().next())?;
        let [decimal, thousands] = readings(number).map(|number| number.map(|number| Amount::new(number.normalize())));
        Some(CommaQuestion { rows: asked().count(), text: entry.text.clone(), decimal, thousands })
    }

    fn asks(&self, number: Number) -> bool {
        self.doubtful && self.comma.is_none() && number.has_comma()
    }
}

fn numbers(items: &[Item]) -> impl Iterator<Item = (&Entry, Number)> {
    items.iter().filter_map(|item| Some((&item.entry, item.entry.amount?.number)))
}
