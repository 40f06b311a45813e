//! The figure: a pure function of what was typed and what the orders took.

use wire::Amount;

use crate::journal::wallet::Entry;
use crate::views::wallet::charge::{Charge, Standing};
use crate::views::wallet::{WalletFigure, WalletLine, WalletRefusal, WalletView};
use crate::words::wallet::{Doubt, Effect, Typed};

/// The most lines of a ledger: nobody reads more.
const MOST: usize = 200;

type Numbered = (i64, Entry);

/// The balance that counts: the one that was typed last.
pub(super) fn balance(entries: &[Numbered]) -> Option<&Numbered> {
    entries.iter().rfind(|(_, entry)| entry.what == Typed::Balance)
}

/// Makes the wallet from everything that was typed and every order that was not over before the balance. `restored`:
/// when the journal was last restored.
pub(super) fn wallet(entries: &[Numbered], charges: &[Charge], restored: Option<i64>) -> WalletView {
    let Some(begins) = balance(entries) else { return WalletView::default() };
    let currency = currency(begins, charges);
    let typed = entries.iter().map(|one| of_entry(one, begins, &currency));
    let taken = charges.iter().filter_map(|one| of_charge(one, begins, &currency));
    let mut lines: Vec<WalletLine> = typed.chain(taken).collect();
    lines.sort_by_key(|line| std::cmp::Reverse((line.at, line.number)));
    let range = Range::of(&mut lines, i64::MAX);
    let refused = charges.iter().filter_map(|one| refusal(one, begins.1.at, &lines)).max_by_key(|one| one.at);
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
        as_of: begins.1.at,
        doubt,
        refused,
    };
    let older = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    WalletView { figure: Some(figure), currency, ledger: lines, older }
}

/// The currency of the balance, or of the newest order since.
fn currency((_, balance): &Numbered, charges: &[Charge]) -> String {
    let named = charges.iter().rev().map(|charge| &charge.currency).find(|currency| !currency.is_empty());
    if balance.currency.is_empty() { named.cloned().unwrap_or_default() } else { balance.currency.clone() }
}

fn of_entry((number, entry): &Numbered, (begins, balance): &Numbered, currency: &str) -> WalletLine {
    let counts = number == begins || (entry.what != Typed::Balance && (number > begins || entry.at > balance.at));
    let effect = match entry.what {
        _ if !counts => Effect::Earlier,
        Typed::Balance => Effect::Balance,
        Typed::Added => Effect::Added,
        Typed::Spent => Effect::Spent,
    };
    WalletLine {
        number: Some(*number),
        at: entry.at,
        effect,
        typed: Some(entry.what),
        amount: entry.amount,
        currency: currency.to_owned(),
        operation: None,
        order_no: None,
    }
}

/// The line of an order; `None` if it took nothing or the balance certainly includes it.
fn of_charge(charge: &Charge, (_, balance): &Numbered, currency: &str) -> Option<WalletLine> {
    // A currency that is not named counts as the same one.
    let is_other = !currency.is_empty() && !charge.currency.is_empty() && charge.currency != currency;
    let effect = match charge.standing {
        Standing::Nothing => return None,
        Standing::Done(done) if done <= balance.at => return None,
        _ if is_other => Effect::NotCounted,
        Standing::Open => Effect::MayHaveTaken,
        Standing::Done(_) if charge.sent <= balance.at => Effect::MayBeIncluded,
        Standing::Done(_) => Effect::Took,
    };
    Some(WalletLine {
        number: None,
        at: charge.sent,
        effect,
        typed: None,
        amount: charge.amount,
        currency: charge.currency.clone(),
        operation: Some(charge.operation.clone()),
        order_no: charge.order_no.clone(),
    })
}

/// The sums of lines.
struct Range {
    most: Amount,
    least: Amount,
    uncertain: Amount,
}

impl Range {
    /// Sums the lines up to a time. One that no exact sum can hold is marked as not counted.
    fn of(lines: &mut [WalletLine], until: i64) -> Self {
        let mut range = Self { most: Amount::ZERO, least: Amount::ZERO, uncertain: Amount::ZERO };
        for line in lines.iter_mut().rev().filter(|line| line.at <= until) {
            if range.add(line.effect, line.amount).is_none() {
                line.effect = Effect::NotCounted;
            }
        }
        range
    }

    fn add(&mut self, effect: Effect, amount: Amount) -> Option<()> {
        let minus = Amount::new(-amount.value());
        let (most, least, uncertain) = match effect {
            Effect::Balance | Effect::Added => (amount, amount, Amount::ZERO),
            Effect::Spent | Effect::Took => (minus, minus, Amount::ZERO),
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
fn refusal(charge: &Charge, begins: i64, lines: &[WalletLine]) -> Option<WalletRefusal> {
    let at = charge.insufficient.filter(|at| *at > begins)?;
    let least = Range::of(&mut lines.to_vec(), at).least;
    (charge.amount <= least).then_some(WalletRefusal { at, amount: charge.amount })
}

#[cfg(test)]
mod tests;
