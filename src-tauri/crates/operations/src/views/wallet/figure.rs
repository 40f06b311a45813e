//! The figure: a pure function of what was typed and what the orders took.

use wire::Amount;

use crate::journal::wallet::Entry;
use crate::views::wallet::charge::{Charge, Standing};
use crate::views::wallet::sight::{Moment, Place, Sight};
use crate::views::wallet::{WalletFigure, WalletLine, WalletRefusal, WalletView};
use crate::words::wallet::{Doubt, Effect, Typed};

/// The most lines of a ledger that are shown.
const MOST: usize = 200;

type Numbered = (i64, Entry);

/// The balance that counts: the one that was typed last.
pub(super) fn balance(entries: &[Numbered]) -> Option<&Numbered> {
    entries.iter().rfind(|(_, entry)| entry.what == Typed::Balance)
}

/// A line, and the event at which it was recorded: the newest one when it was typed, or an order's own send. The
/// balance counts as recorded first.
struct Line {
    recorded: i64,
    shown: WalletLine,
}

/// Makes the wallet from everything that was typed and every order that was not over before the balance. `sight`: when
/// that balance was seen. `restored`: when the journal was last restored.
pub(super) fn wallet(entries: &[Numbered], charges: &[Charge], sight: &Sight, restored: Option<i64>) -> WalletView {
    let Some(begins) = balance(entries) else { return WalletView::default() };
    let currency = currency(begins, charges);
    let typed = entries.iter().map(|one| of_entry(one, begins, sight, &currency));
    let taken = charges.iter().filter_map(|one| of_charge(one, sight, &currency));
    let mut lines: Vec<Line> = typed.chain(taken).collect();
    lines.sort_by_key(|line| std::cmp::Reverse((line.shown.at, line.shown.number)));
    let range = Range::of(lines.iter_mut().map(|line| &mut line.shown));
    let refused = charges.iter().filter_map(|one| refusal(one, sight, &lines)).max_by_key(|one| one.at);
    let doubt = if refused.is_some() {
        Some(Doubt::TooHigh)
    } else if range.most < Amount::ZERO {
        Some(Doubt::BelowZero)
    } else {
        restored.filter(|at| *at > begins.1.typed).map(|_| Doubt::Restored)
    };
    let figure = WalletFigure {
        most: range.most,
        least: range.least,
        uncertain: range.uncertain,
        as_of: sight.until(),
        doubt,
        refused,
    };
    let older = lines.len().saturating_sub(MOST);
    let ledger = lines.into_iter().take(MOST).map(|line| line.shown).collect();
    WalletView { figure: Some(figure), currency, ledger, older }
}

/// The currency of the balance, or of the newest order since.
fn currency((_, balance): &Numbered, charges: &[Charge]) -> String {
    let named = charges.iter().rev().map(|charge| &charge.currency).find(|currency| !currency.is_empty());
    if balance.currency.is_empty() { named.cloned().unwrap_or_default() } else { balance.currency.clone() }
}

fn of_entry((number, entry): &Numbered, (begins, _): &Numbered, sight: &Sight, currency: &str) -> Line {
    let recorded = entry.position.unwrap_or_default();
    let place = if number > begins {
        Place::After
    } else {
        // It was typed before whatever was recorded next.
        sight.place_recorded(Moment { number: recorded + 1, wall: entry.at })
    };
    let effect = match (entry.what, place) {
        (Typed::Balance, _) if number == begins => Effect::Balance,
        (Typed::Balance, _) | (_, Place::Before) => Effect::Earlier,
        (_, Place::Unclear) => Effect::MayBeIncluded,
        (Typed::Added, Place::After) => Effect::Added,
        (Typed::Spent, Place::After) => Effect::Spent,
    };
    let shown = WalletLine {
        number: Some(*number),
        at: if number == begins { sight.until() } else { entry.until.unwrap_or(entry.at) },
        effect,
        typed: Some(entry.what),
        amount: entry.amount,
        currency: currency.to_owned(),
        operation: None,
        order_no: None,
    };
    Line { recorded: if number == begins { i64::MIN } else { recorded }, shown }
}

/// The line of an order; `None` if it took nothing or the balance certainly includes it.
fn of_charge(charge: &Charge, sight: &Sight, currency: &str) -> Option<Line> {
    // A currency that is not named counts as the same one.
    let is_other = !currency.is_empty() && !charge.currency.is_empty() && charge.currency != currency;
    let effect = match charge.standing {
        Standing::Nothing => return None,
        Standing::Done(done) if sight.place(done) == Place::Before => return None,
        _ if is_other => Effect::NotCounted,
        Standing::Open => Effect::MayHaveTaken,
        Standing::Done(_) if sight.place(charge.sent) == Place::After => Effect::Took,
        Standing::Done(_) => Effect::MayBeIncluded,
    };
    let shown = WalletLine {
        number: None,
        at: charge.sent.wall,
        effect,
        typed: None,
        amount: charge.amount,
        currency: charge.currency.clone(),
        operation: Some(charge.operation.clone()),
        order_no: charge.order_no.clone(),
    };
    Some(Line { recorded: charge.sent.number, shown })
}

/// The sums of lines.
struct Range {
    most: Amount,
    least: Amount,
    uncertain: Amount,
}

impl Range {
    /// Sums lines. One that no exact sum can hold is marked as not counted.
    fn of<'a>(lines: impl DoubleEndedIterator<Item = &'a mut WalletLine>) -> Self {
        let mut range = Self { most: Amount::ZERO, least: Amount::ZERO, uncertain: Amount::ZERO };
        for line in lines.rev() {
            if range.add(line).is_none() {
                line.effect = Effect::NotCounted;
            }
        }
        range
    }

    fn add(&mut self, line: &WalletLine) -> Option<()> {
        let amount = line.amount;
        let minus = Amount::new(-amount.value());
        let (most, least, uncertain) = match line.effect {
            Effect::Balance | Effect::Added => (amount, amount, Amount::ZERO),
            Effect::Spent | Effect::Took => (minus, minus, Amount::ZERO),
            Effect::MayBeIncluded if line.typed == Some(Typed::Added) => (amount, Amount::ZERO, amount),
            Effect::MayHaveTaken | Effect::MayBeIncluded => (Amount::ZERO, minus, amount),
            Effect::NotCounted | Effect::Earlier => return Some(()),
        };
        *self = Self {
            most: self.most.checked_add(most)?,
            least: self.least.checked_add(least)?,
            uncertain: self.uncertain.checked_add(uncertain)?,
        };
        Some(())
    }
}

/// The refusal of an order since the balance that even the lowest figure of that moment would have paid for.
fn refusal(charge: &Charge, sight: &Sight, lines: &[Line]) -> Option<WalletRefusal> {
    let refused = charge.insufficient.filter(|moment| sight.place(*moment) == Place::After)?;
    let earlier = lines.iter().filter(|line| line.recorded < refused.number);
    let mut earlier: Vec<WalletLine> = earlier.map(|line| line.shown.clone()).collect();
    let least = Range::of(earlier.iter_mut()).least;
    (charge.amount <= least).then_some(WalletRefusal { at: refused.wall, amount: charge.amount })
}

#[cfg(test)]
mod tests;
