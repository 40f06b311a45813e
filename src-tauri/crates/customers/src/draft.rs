//! A draft of a bulk: lines matched with customers, each with its effect or the reason it is left out.

use std::collections::HashMap;

use operations::folded;
use operations::password::{self, BadPassword};
use operations::{
    AccountChange, BadGb, BulkPlan, Direction, Intent, LeftOut, PlannedRow, Retried, Secrets, TrafficMove,
};
use operations::{Family, Kind};
use wire::Amount;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::facts::Facts;
use crate::lines::{self, Comma, Entry, Unclear, Unit, Wants, Written};
use crate::naming::Meant;
use crate::preview::{Basis, Candidate, DraftRow, DraftTotals, suggestion, totals};

mod amounts;
mod creation;
mod sources;

pub use creation::is_email;
pub use sources::Calculated;

use amounts::Amounts;
use creation::creation;

struct Item {
    entry: Entry,
    /// The customer chosen by the person.
    chosen: Option<CustomerId>,
    retries: Option<Retried>,
    /// The keychain entry of its password, and whether a person typed the password.
    password: Option<(String, bool)>,
    /// How its amount came about; `None` if somebody wrote it.
    basis: Option<Basis>,
}

impl Item {
    fn new(entry: Entry) -> Self {
        Self { entry, chosen: None, retries: None, password: None, basis: None }
    }

    /// Whether the customer's traffic lasts without a top-up.
    fn lasts(&self) -> bool {
        matches!(self.basis, Some(Basis::Usage { .. })) && self.entry.amount.is_none()
    }
}

/// A draft of a bulk.
pub struct Draft {
    kind: Kind,
    items: Vec<Item>,
    /// What was answered about amounts.
    amounts: Amounts,
    /// Whether disabled customers are left out.
    without_disabled: bool,
    rows: Vec<DraftRow>,
    judged: Vec<Result<Intent, LeftOut>>,
    totals: DraftTotals,
}

/// The values that lines of a kind contain.
pub fn wants(kind: Kind) -> Wants {
    match kind {
        Kind::Recharge | Kind::Deduction => Wants::Amounts,
        Kind::Password => Wants::Passwords,
        Kind::PlaceAndPay | Kind::Renew | Kind::Create | Kind::Status => Wants::Names,
    }
}

impl Draft {
    /// Makes a draft of text that was pasted or read from a file.
    pub fn new(kind: Kind, entries: Vec<Entry>) -> Self {
        Self {
            kind,
            items: entries.into_iter().map(Item::new).collect(),
            amounts: Amounts::default(),
            without_disabled: false,
            rows: Vec::new(),
            judged: Vec::new(),
            totals: DraftTotals::default(),
        }
    }

    /// The action of every row.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The rows as last judged.
    pub fn rows(&self) -> &[DraftRow] {
        &self.rows
    }

    /// Their sums.
    pub fn totals(&self) -> &DraftTotals {
        &self.totals
    }

    /// Sets the unit of numbers written without one.
    pub fn choose_unit(&mut self, unit: Unit) {
        self.amounts.unit = Some(unit);
    }

    /// Sets what a comma in a number is.
    pub fn choose_comma(&mut self, comma: Comma) {
        self.amounts.comma = Some(comma);
    }

    /// Whether any number has a comma that is, or was, asked about.
    pub fn has_commas(&self) -> bool {
        self.amounts.comma.is_some() || self.totals.comma.is_some()
    }

    /// Sets the amount for names that stand alone.
    pub fn choose_each(&mut self, amount: Written) {
        self.amounts.each = Some(amount);
    }

    /// Replaces a row by what a text says: one row, several, or none. In a draft of passwords, and for a row without a
    /// text (line 0), nothing changes.
    pub fn rewrite(&mut self, at: usize, text: &str) {
        let Some(old) = self.items.get(at).filter(|item| self.kind != Kind::Password && item.entry.line > 0) else {
            return;
        };
        let (name, chosen, mut retries) = (folded(&old.entry.name), old.chosen.clone(), old.retries.clone());
        // Line breaks in the text do not split it: the row keeps its line number.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let entries = lines::entries_of(&text, old.entry.line, wants(self.kind)).into_iter().map(|entry| {
            let chosen = chosen.clone().filter(|_| folded(&entry.name) == name);
            Item { chosen, retries: retries.take(), ..Item::new(entry) }
        });
        let items: Vec<Item> = entries.collect();
        let is_last = self.items.iter().filter(|item| item.entry.line == old.entry.line).count() == 1;
        self.amounts.rewritten(old.entry.line, items.is_empty(), is_last);
        self.items.splice(at..=at, items);
    }

    /// Sets whether disabled customers are left out.
    pub fn leave_out_disabled(&mut self, out: bool) {
        self.without_disabled = out;
    }

    /// Chooses the customer of a row. Without a row or a customer, chooses the suggestion of every row that has a clear
    /// one and no customer yet.
    pub fn choose(&mut self, row: Option<usize>, customer: Option<CustomerId>) {
        match (row, customer) {
            (Some(at), Some(customer)) => {
                if let Some(item) = self.items.get_mut(at) {
                    item.chosen = Some(customer);
                }
            }
            _ => {
                for (item, row) in self.items.iter_mut().zip(&self.rows) {
                    item.chosen = item.chosen.take().or_else(|| row.suggested.clone());
                }
            }
        }
    }

    /// Judges every row. `active` is the status to set. `hold` keeps a typed password under a name.
    pub fn judge(&mut self, facts: &Facts<'_>, active: bool, mut hold: impl FnMut(&str, &str)) {
        let mut seen: HashMap<String, String> = HashMap::new();
        let (mut rows, mut all) = (Vec::with_capacity(self.items.len()), Vec::with_capacity(self.items.len()));
        self.amounts.survey(&self.items, facts);
        for at in 0..self.items.len() {
            self.keep_password(at, &mut hold);
            let item = &self.items[at];
            let mut row = DraftRow {
                line: item.entry.line,
                text: item.entry.text.clone(),
                name: item.entry.name.clone(),
                basis: item.basis.clone(),
                ..DraftRow::default()
            };
            let judged = self.intent(item, facts, active, &mut row);
            // When customers are to be enabled, being disabled is no obstacle.
            row.disabled = !(self.kind == Kind::Status && active)
                && row.customer_id.as_ref().is_some_and(|id| facts.disabled.contains(id));
            let judged = judged.and_then(|intent| {
                if row.disabled && self.without_disabled { Err(LeftOut::Disabled) } else { Ok(intent) }
            });
            let judged = judged.and_then(|intent| match seen.get(&intent.target()) {
                Some(line) => {
                    row.near = Some(line.clone());
                    Err(LeftOut::Duplicate)
                }
                None if facts.held.contains(&intent.target()) => Err(LeftOut::Held),
                None => {
                    let place = if row.line > 0 { row.line } else { rows.len() + 1 };
                    seen.insert(intent.target(), place.to_string());
                    Ok(intent)
                }
            });
            row.problem = judged.as_ref().err().copied();
            rows.push(row);
            all.push(judged);
        }
        let without = self.items.iter().zip(&rows).filter(|(item, row): &(&Item, &DraftRow)| {
            row.problem == Some(LeftOut::NoAmount) && self.amounts.takes_default(&item.entry)
        });
        let (without_amount, comma) = (without.count(), self.amounts.comma_question(&self.items));
        self.totals = DraftTotals { active, without_amount, comma, ..totals(&rows, facts, self.kind) };
        (self.rows, self.judged) = (rows, all);
    }

    fn intent(&self, item: &Item, facts: &Facts<'_>, active: bool, row: &mut DraftRow) -> Result<Intent, LeftOut> {
        let entry = &item.entry;
        if self.kind.family() == Family::Create {
            return creation(entry, facts);
        }
        match entry.unclear {
            Some(Unclear::Formula) => return Err(LeftOut::Formula),
            Some(Unclear::NoName) => return Err(LeftOut::NoName),
            Some(Unclear::Columns) => return Err(LeftOut::WhichColumn),
            _ => {}
        }
        let at = who(item, facts, row)?;
        let customer = &facts.customers[at];
        row.called = (entry.line > 0 && folded(&entry.name) != folded(&customer.user_name)).then(|| entry.name.clone());
        row.name = customer.user_name.clone();
        row.customer_id = Some(customer.customer_id.clone());
        row.before = customer.residual_flow;
        match entry.unclear {
            Some(Unclear::Number) => return Err(LeftOut::AmbiguousNumber),
            Some(Unclear::NotANumber) => return Err(LeftOut::NotANumber),
            Some(Unclear::Unit) => return Err(LeftOut::UnknownUnit),
            _ => {}
        }
        let (customer_id, user_name) = (customer.customer_id.clone(), customer.user_name.clone());
        match self.kind {
            Kind::Recharge if item.lasts() => Err(LeftOut::EnoughLeft),
            Kind::Recharge | Kind::Deduction => self.moving(entry, customer, facts, row),
            Kind::Password => {
                if let Some(typed) = &entry.password {
                    password::check(typed).map_err(bad_password)?;
                }
                let (reference, typed) = item.password.clone().ok_or(LeftOut::Unknown)?;
                row.typed = typed;
                Ok(AccountChange::Password { customer_id, user_name, reference, typed }.into())
            }
            _ => {
                let customer_state = facts.states[usize::from(!active)];
                Ok(AccountChange::Status { customer_id, user_name, active, customer_state }.into())
            }
        }
    }

    fn moving(
        &self,
        entry: &Entry,
        customer: &Customer,
        facts: &Facts<'_>,
        row: &mut DraftRow,
    ) -> Result<Intent, LeftOut> {
        let (number, unit) = self.amounts.of(entry)?;
        let gb = lines::carried(number, unit, facts.factor).map_err(|bad| bad_amount(bad, row))?;
        let mb = gb.mb(facts.factor);
        (row.gb, row.mb) = (Some(gb.amount()), Some(mb));
        row.asked_mb = (unit == Unit::Mb && number != mb.value()).then(|| Amount::new(number.normalize()));
        let direction = if self.kind == Kind::Recharge { Direction::Recharge } else { Direction::Deduction };
        let moved = TrafficMove {
            direction,
            customer_id: customer.customer_id.clone(),
            user_name: customer.user_name.clone(),
            gb,
            factor: facts.factor,
            shown_recharged: customer.traffic_count,
            counter_of: None,
        };
        if customer.traffic_count.is_none() {
            return Err(LeftOut::NotReported);
        }
        row.after = row.before.and_then(|before| before.checked_add(moved.change(facts.factor)));
        if direction == Direction::Deduction && row.before.is_some_and(|left| mb > left) {
            return Err(LeftOut::BeyondLeft);
        }
        Ok(moved.into())
    }

    /// Names a row's password, once, and holds it under that name if it was typed.
    fn keep_password(&mut self, at: usize, hold: &mut impl FnMut(&str, &str)) {
        let item = &mut self.items[at];
        if self.kind != Kind::Password || item.password.is_some() {
            return;
        }
        let (reference, typed) = (Secrets::new_reference(), item.entry.password.as_deref());
        if let Some(typed) = typed.filter(|typed| password::check(typed).is_ok()) {
            hold(&reference, typed);
        }
        item.password = Some((reference, typed.is_some()));
    }

    /// Returns the plan to confirm: every row, with the reason for each that is left out.
    pub fn plan(&self) -> BulkPlan {
        let rows = self.items.iter().zip(&self.rows).zip(&self.judged).map(|((item, row), judged)| PlannedRow {
            // Rows that are left out keep their text, so that it can be parsed again. A password is never kept this
            // way.
            name: match (row.problem, self.kind) {
                (Some(_), kind) if kind != Kind::Password && row.line > 0 => row.text.clone(),
                (Some(_), Kind::Password) if row.customer_id.is_none() => format!("{}.", row.line),
                _ => row.name.clone(),
            },
            todo: judged.clone(),
            retries: item.retries.clone(),
        });
        BulkPlan { kind: self.kind, rows: rows.collect() }
    }
}

/// The customer that an item means.
fn meant(item: &Item, facts: &Facts<'_>) -> Meant {
    match &item.chosen {
        Some(chosen) => facts.naming.by_id(chosen).map_or(Meant::Nobody, Meant::One),
        None => facts.naming.find(&item.entry.name),
    }
}

fn who(item: &Item, facts: &Facts<'_>, row: &mut DraftRow) -> Result<usize, LeftOut> {
    match meant(item, facts) {
        Meant::One(at) => Ok(at),
        Meant::Perhaps(places) => {
            let candidate = |at: &usize| {
                let customer = &facts.customers[*at];
                Candidate { customer_id: customer.customer_id.clone(), user_name: customer.user_name.clone() }
            };
            row.candidates = places.iter().map(candidate).collect();
            row.suggested = suggestion(row).map(|one| one.customer_id.clone());
            Err(LeftOut::Which)
        }
        Meant::Nobody => Err(LeftOut::Unknown),
    }
}

fn bad_amount(bad: BadGb, row: &mut DraftRow) -> LeftOut {
    match bad {
        BadGb::NotANumber => LeftOut::NotANumber,
        BadGb::NotPositive => LeftOut::NotPositive,
        BadGb::TooMuch => LeftOut::TooMuch,
        BadGb::TooFine => LeftOut::TooFine,
        BadGb::NotCarried { nearest } => {
            row.near = Some(nearest.to_string());
            LeftOut::NotCarried
        }
    }
}

fn bad_password(bad: BadPassword) -> LeftOut {
    match bad {
        BadPassword::TooShort => LeftOut::PasswordTooShort,
        BadPassword::TooLong => LeftOut::PasswordTooLong,
        BadPassword::Forbidden => LeftOut::PasswordForbidden,
    }
}

#[cfg(test)]
mod tests;
