//! A draft of a bulk: lines matched with customers, each with its effect or the reason it is left out.

use std::collections::{HashMap, HashSet};

use operations::folded;
use operations::password::{self, BadPassword};
use operations::{
    AccountChange, BadGb, BulkPlan, Direction, Gb, GbFactor, Intent, LeftOut, PlannedRow, Retried, Secrets, TrafficMove,
};
use operations::{Family, Kind};
use wire::Amount;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::lines::{self, Entry, Unclear, Unit, Wants, Written};
use crate::naming::{Meant, Naming};
use crate::preview::{Candidate, DraftRow, DraftTotals, suggestion, totals};

/// The facts that a draft is judged by.
pub struct Facts<'a> {
    /// All customers.
    pub customers: &'a [Customer],
    /// Index of the customers by name.
    pub naming: &'a Naming,
    /// Customers, and names, held by an open operation.
    pub held: &'a HashSet<String>,
    /// Customers who are disabled, as last set from here.
    pub disabled: &'a HashSet<CustomerId>,
    /// The most the agent can give, in MB; `None` when not reported.
    pub own: Option<Amount>,
    /// MB in a GB.
    pub factor: GbFactor,
    /// This vendor's values for active and disabled.
    pub states: [u8; 2],
}

struct Item {
    entry: Entry,
    /// The customer chosen by the person.
    chosen: Option<CustomerId>,
    retries: Option<Retried>,
    /// The keychain entry of its password, and whether a person typed the password.
    password: Option<(String, bool)>,
}

/// A draft of a bulk.
pub struct Draft {
    kind: Kind,
    items: Vec<Item>,
    /// The unit of numbers written without one.
    unit: Option<Unit>,
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
        Kind::PlaceAndPay | Kind::Create | Kind::Status => Wants::Names,
    }
}

impl Draft {
    /// Makes a draft of text that was pasted or read from a file.
    pub fn new(kind: Kind, entries: Vec<Entry>) -> Self {
        let items =
            entries.into_iter().map(|entry| Item { entry, chosen: None, retries: None, password: None }).collect();
        Self {
            kind,
            items,
            unit: None,
            without_disabled: false,
            rows: Vec::new(),
            judged: Vec::new(),
            totals: DraftTotals::default(),
        }
    }

    /// Makes a draft of selected customers, each with the same amount.
    pub fn selected(kind: Kind, ids: Vec<CustomerId>, amount: Option<Written>) -> Self {
        let entry = |id: &CustomerId| Entry {
            line: 0,
            text: id.as_str().to_owned(),
            name: id.as_str().to_owned(),
            amount,
            password: None,
            unclear: None,
        };
        let mut draft = Self::new(kind, ids.iter().map(entry).collect());
        for (item, id) in draft.items.iter_mut().zip(ids) {
            item.chosen = Some(id);
        }
        draft
    }

    /// Makes a draft of rows that certainly had no effect, to try them again under a new confirmation.
    pub fn again(kind: Kind, not_done: Vec<operations::NotDone>) -> Self {
        let items = not_done.into_iter().map(|row| {
            let moved = row.intent.as_ref().and_then(Intent::moved);
            let account = row.intent.as_ref().and_then(Intent::account);
            let id = moved.map(|moved| &moved.customer_id).or_else(|| account.and_then(AccountChange::customer_id));
            let amount = moved.map(|moved| Written { number: moved.gb.amount().value(), unit: Some(Unit::Gb) });
            // A row that never became more than a line is parsed again.
            let line =
                row.intent.is_none().then(|| lines::entries(&row.name, wants(kind)).into_iter().next()).flatten();
            let entry = line.unwrap_or_else(|| Entry {
                line: 0,
                text: row.name.clone(),
                name: row.name.clone(),
                amount,
                password: None,
                unclear: None,
            });
            let password = match account {
                Some(AccountChange::Password { reference, typed, .. }) => Some((reference.clone(), *typed)),
                _ => None,
            };
            Item { entry, chosen: id.cloned(), retries: Some(row.row), password }
        });
        Self { items: items.collect(), ..Self::new(kind, Vec::new()) }
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
        self.unit = Some(unit);
    }

    /// Sets whether disabled customers are left out.
    pub fn leave_out_disabled(&mut self, out: bool) {
        self.without_disabled = out;
    }

    /// Chooses the customer of a row; with `None`, the suggestion of every row that has a clear one.
    pub fn choose(&mut self, row: Option<usize>, customer: Option<CustomerId>) {
        let answer = |row: &DraftRow| suggestion(row).map(|one| one.customer_id.clone());
        match (row, customer) {
            (Some(at), Some(customer)) => {
                if let Some(item) = self.items.get_mut(at) {
                    item.chosen = Some(customer);
                }
            }
            _ => {
                for (item, row) in self.items.iter_mut().zip(&self.rows) {
                    item.chosen = item.chosen.take().or_else(|| answer(row));
                }
            }
        }
    }

    /// Judges every row. `active` is the status to set. `hold` keeps a typed password under a name.
    pub fn judge(&mut self, facts: &Facts<'_>, active: bool, mut hold: impl FnMut(&str, &str)) {
        let mut seen: HashMap<String, String> = HashMap::new();
        let (mut rows, mut all) = (Vec::with_capacity(self.items.len()), Vec::with_capacity(self.items.len()));
        for at in 0..self.items.len() {
            self.keep_password(at, &mut hold);
            let item = &self.items[at];
            let mut row = DraftRow {
                line: item.entry.line,
                text: item.entry.text.clone(),
                name: item.entry.name.clone(),
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
        self.totals = DraftTotals { active, ..totals(&rows, facts, self.kind) };
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
        row.name = customer.user_name.clone();
        row.customer_id = Some(customer.customer_id.clone());
        row.before = customer.residual_flow;
        match entry.unclear {
            Some(Unclear::Number) => return Err(LeftOut::AmbiguousNumber),
            Some(Unclear::Unit) => return Err(LeftOut::UnknownUnit),
            _ => {}
        }
        let (customer_id, user_name) = (customer.customer_id.clone(), customer.user_name.clone());
        match self.kind {
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
        let written = entry.amount.ok_or(LeftOut::NoAmount)?;
        let unit = written.unit.or(self.unit).ok_or(LeftOut::NoUnit)?;
        let gb = match unit {
            Unit::Gb => written.number,
            Unit::Mb => written.number.checked_div(facts.factor.mb()).ok_or(LeftOut::NotANumber)?,
        };
        let gb = Gb::parse(&gb.normalize().to_string(), facts.factor).map_err(|bad| bad_amount(bad, row))?;
        let mb = gb.mb(facts.factor);
        (row.gb, row.mb) = (Some(gb.amount()), Some(mb));
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

fn creation(entry: &Entry, facts: &Facts<'_>) -> Result<Intent, LeftOut> {
    if entry.unclear == Some(Unclear::Formula) {
        return Err(LeftOut::Formula);
    }
    if !is_email(&entry.name) {
        return Err(LeftOut::NotAnEmail);
    }
    if matches!(facts.naming.find(&entry.name), Meant::One(at) if folded(&facts.customers[at].user_name) == folded(&entry.name))
    {
        return Err(LeftOut::Taken);
    }
    Ok(AccountChange::Create { user_name: entry.name.trim().to_owned() }.into())
}

/// Whether a name has the form of an "account name in e-mail format".
pub fn is_email(name: &str) -> bool {
    let name = name.trim();
    let Some((before, host)) = name.split_once('@') else { return false };
    let plain =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !"@,;:<>()[]\\\"".contains(c));
    let dots = host.contains('.') && !host.starts_with('.') && !host.ends_with('.') && !host.contains("..");
    plain(before) && plain(host) && dots && name.len() <= 254
}

fn who(item: &Item, facts: &Facts<'_>, row: &mut DraftRow) -> Result<usize, LeftOut> {
    if let Some(chosen) = &item.chosen {
        return facts.naming.by_id(chosen).ok_or(LeftOut::Unknown);
    }
    match facts.naming.find(&item.entry.name) {
        Meant::One(at) => Ok(at),
        Meant::Perhaps(places) => {
            let candidate = |at: &usize| {
                let customer = &facts.customers[*at];
                Candidate { customer_id: customer.customer_id.clone(), user_name: customer.user_name.clone() }
            };
            row.candidates = places.iter().map(candidate).collect();
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
