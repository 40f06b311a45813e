//! Drafts of what is no text: selected customers, and rows of a bulk that were not done.

use operations::{AccountChange, Intent, Kind, NotDone};
use wire::ids::CustomerId;

use super::{Draft, Item, wants};
use crate::lines::{self, Entry, Number, Unit, Written};

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
            Item { entry, chosen: id.cloned(), retries: Some(row.row), password }
        });
        Self { items: items.collect(), ..Self::new(kind, Vec::new()) }
    }
}
