//! Drafts that do not come from a text: selected customers, calculated amounts, rows of a bulk that were not done.

use operations::{AccountChange, Gb, Intent, Kind, NotDone};
use wire::ids::CustomerId;

use super::{Draft, Item, wants};
use crate::lines::{self, Entry, Number, Unit, Written};
use crate::preview::Basis;

/// A customer with a calculated amount.
pub struct Calculated {
    /// The customer.
    pub customer_id: CustomerId,
    /// User name.
    pub user_name: String,
    /// The amount; `None` if nothing is to be added, or it is not known.
    pub gb: Option<Gb>,
    /// How it came about.
    pub basis: Basis,
}

impl Draft {
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

    /// Makes a draft of customers whose amounts were calculated. Each row stands for a line that a person could have
    /// written, so that its amount can be edited.
    pub fn calculated(rows: Vec<Calculated>) -> Self {
        let items = rows.into_iter().zip(1..).map(|(row, line)| {
            let amount = row.gb.map(|gb| Written { number: Number::Plain(gb.amount().value()), unit: Some(Unit::Gb) });
            let text = row.gb.map_or(row.user_name.clone(), |gb| format!("{} {} GB", row.user_name, gb.amount()));
            let entry = Entry { line, text, name: row.user_name, amount, password: None, unclear: None };
            Item { chosen: Some(row.customer_id), basis: Some(row.basis), ..Item::new(entry) }
        });
        Self { items: items.collect(), ..Self::new(Kind::Recharge, Vec::new()) }
    }

    /// Makes a draft of rows that certainly had no effect, to try them again under a new confirmation.
    pub fn again(kind: Kind, not_done: Vec<NotDone>) -> Self {
        let items = not_done.into_iter().zip(1..).map(|(row, place)| {
            let moved = row.intent.as_ref().and_then(Intent::moved);
            let account = row.intent.as_ref().and_then(Intent::account);
            let id = moved.map(|moved| &moved.customer_id).or_else(|| account.and_then(AccountChange::customer_id));
            let amount =
                moved.map(|moved| Written { number: Number::Plain(moved.gb.amount().value()), unit: Some(Unit::Gb) });
            // A row that never became more than a line is parsed again.
            let line = match row.intent {
                None => lines::entries_of(&row.name, place, wants(kind)).into_iter().next(),
                Some(_) => None,
            };
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
            Item { chosen: id.cloned(), retries: Some(row.row), password, ..Item::new(entry) }
        });
        Self { items: items.collect(), ..Self::new(kind, Vec::new()) }
    }
}
