//! What the journal knows of customers beside operations: notes, tags, texts, what was set last.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::CustomerId;

use crate::engine::secrets::Owner;
use crate::engine::{OperationError, Operations};
use crate::journal::row::Row;
use crate::journal::sets::{open_states, states_without_effect};
use crate::journal::{Journal, JournalError};
use crate::views::operation::OperationView;
use crate::words::state::{Kind, OperationId, State};

/// What the agent notes about a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Note {
    /// Free text.
    pub note: String,
    /// Words to find customers by.
    pub tags: Vec<String>,
}

/// What was last set from here: "the interface tells none".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStatus {
    /// What the vendor was sent: 0 or 1.
    pub customer_state: u8,
    /// When, wall clock, ms since 1970.
    pub at: i64,
}

/// Where the secrets of a customer are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownSecrets {
    /// The operation that created it, if that was done from here.
    pub created: Option<OperationId>,
    /// The password that was set last from here.
    pub password: Option<String>,
}

/// The last time that an operation was sent.
const SENT: &str = "(SELECT max(number) FROM event WHERE event.operation = operation.id AND what = 'sending')";

const DONE: &str = "('applied', 'resolved-applied')";

impl Journal {
    /// The references of a customer's earlier passwords, which a new one replaces.
    pub(crate) fn passwords_before(&self, row: &Row) -> Result<Vec<String>, JournalError> {
        if row.kind != Kind::Password {
            return Ok(Vec::new());
        }
        let earlier = self.select(
            "WHERE target = ?1 AND kind = 'password' AND id <> ?2 AND created <= ?3 ORDER BY created DESC LIMIT 3",
            params![row.target, row.id.0, row.created],
        )?;
        let references =
            earlier.iter().filter(|row| !row.state.is_open()).filter_map(|row| row.intent.account()?.reference());
        Ok(references.map(str::to_owned).collect())
    }
}

impl Operations {
    /// Every note, by customer.
    ///
    /// # Errors
    /// The journal.
    pub fn notes(&self) -> Result<HashMap<CustomerId, Note>, OperationError> {
        let journal = self.journal();
        let mut query = journal.db.prepare("SELECT customer, note, tags FROM note").map_err(JournalError::from)?;
        let rows = query.query_map([], |row| {
            let tags: String = row.get(2)?;
            let tags = tags.lines().map(str::to_owned).collect();
            Ok((CustomerId::new(row.get::<_, String>(0)?), Note { note: row.get(1)?, tags }))
        });
        Ok(rows.and_then(Iterator::collect).map_err(JournalError::from)?)
    }

    /// Keeps a note.
    ///
    /// # Errors
    /// The journal.
    pub fn set_note(&self, customer: &CustomerId, note: &Note) -> Result<(), OperationError> {
        let upsert = "INSERT INTO note VALUES (?1, ?2, ?3) ON CONFLICT (customer) DO UPDATE SET note = ?2, tags = ?3";
        let tags: Vec<&str> = note.tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
        let kept = self.journal().db.execute(upsert, params![customer.as_str(), note.note, tags.join("\n")]);
        kept.map_err(JournalError::from)?;
        Ok(())
    }

    /// A text that is used again; `None` until it was changed.
    ///
    /// # Errors
    /// The journal.
    pub fn template(&self, name: &str) -> Result<Option<String>, OperationError> {
        let query = "SELECT body FROM template WHERE name = ?1";
        let found = self.journal().db.query_row(query, [name], |row| row.get(0)).optional();
        Ok(found.map_err(JournalError::from)?)
    }

    /// Keeps such a text.
    ///
    /// # Errors
    /// The journal.
    pub fn set_template(&self, name: &str, body: &str) -> Result<(), OperationError> {
        let upsert = "INSERT INTO template VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET body = ?2";
        self.journal().db.execute(upsert, [name, body]).map_err(JournalError::from)?;
        Ok(())
    }

    /// What was last set from here, by customer.
    ///
    /// # Errors
    /// The journal.
    pub fn last_statuses(&self) -> Result<HashMap<CustomerId, LastStatus>, OperationError> {
        let journal = self.journal();
        let query = format!(
            "SELECT target, json_extract(intent, '$.customerState'), created, max({SENT}) FROM operation
             WHERE kind = 'status' AND state IN {DONE} GROUP BY target"
        );
        let mut query = journal.db.prepare_cached(&query).map_err(JournalError::from)?;
        let rows = query.query_map([], |row| {
            let status = LastStatus { customer_state: row.get(1)?, at: row.get(2)? };
            Ok((CustomerId::new(row.get::<_, String>(0)?), status))
        });
        Ok(rows.and_then(Iterator::collect).map_err(JournalError::from)?)
    }

    /// Which secrets of a customer were kept from here.
    ///
    /// # Errors
    /// The journal.
    pub fn known_secrets(&self, customer: &CustomerId) -> Result<KnownSecrets, OperationError> {
        let journal = self.journal();
        let password = journal.select(
            &format!("WHERE target = ?1 AND kind = 'password' AND state IN {DONE} ORDER BY {SENT} DESC LIMIT 1"),
            [customer.as_str()],
        )?;
        let created = journal.select("WHERE customer = ?1 AND kind = 'create' LIMIT 1", [customer.as_str()])?;
        let reference = password.first().and_then(|row| row.intent.account()?.reference());
        Ok(KnownSecrets { created: created.first().map(|row| row.id.clone()), password: reference.map(str::to_owned) })
    }

    /// Under what every secret of this connection may be kept: what is removed with it.
    ///
    /// # Errors
    /// The journal.
    pub fn secret_references(&self) -> Result<Vec<String>, OperationError> {
        let rows = self.journal().select("WHERE kind IN ('create', 'password')", [])?;
        let of = |row: Row| match row.intent.account().and_then(|change| change.reference()) {
            Some(reference) => vec![reference.to_owned()],
            None => {
                let owners = [row.customer.map(Owner::Customer), Some(Owner::Operation(row.id))];
                owners.into_iter().flatten().flat_map(|owner| owner.references()).collect()
            }
        };
        // A password of a bulk is saved before its turn comes, which may never be.
        let waiting = self.journal().references_of_bulks()?;
        Ok(rows.into_iter().flat_map(of).chain(waiting).collect())
    }

    /// Everything that was done with a customer, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn of_customer(&self, customer: &CustomerId, most: usize) -> Result<Vec<OperationView>, OperationError> {
        let clause = "WHERE target = ?1 OR customer = ?1 ORDER BY created DESC, rowid DESC LIMIT ?2";
        let rows = self.journal().select(clause, params![customer.as_str(), most as i64])?;
        self.views(rows)
    }

    /// What was moved since then and did not come to nothing, and what bulks are still to move, GB. `since`: wall clock, ms since 1970.
    ///
    /// # Errors
    /// The journal.
    pub fn moved_since(&self, since: i64) -> Result<Decimal, OperationError> {
        let journal = self.journal();
        let mut query = journal
            .db
            .prepare_cached(&format!(
                "SELECT json_extract(intent, '$.gb') FROM operation WHERE created >= ?1 AND kind IN ('recharge', 'deduction')
                 AND state NOT IN ({})",
                states_without_effect()
            ))
            .map_err(JournalError::from)?;
        let rows = query.query_map([since], |row| row.get::<_, String>(0)).map_err(JournalError::from)?;
        let mut sum = journal.waiting_gb()?;
        for gb in rows {
            let gb = gb.map_err(JournalError::from)?.parse::<Decimal>().map_err(|_| JournalError::Unreadable)?;
            sum = sum.checked_add(gb).ok_or(JournalError::Unreadable)?;
        }
        Ok(sum)
    }

    /// Whether a bulk still has something to do.
    ///
    /// # Errors
    /// The journal.
    pub fn has_open_bulk(&self) -> Result<bool, OperationError> {
        Ok(self.journal().has_open_bulk()?)
    }

    /// Whether something may be sent again by a person.
    ///
    /// # Errors
    /// The journal.
    pub fn may_resend_any(&self) -> Result<bool, OperationError> {
        let rows = self.journal().select("WHERE state IN ('not-sent', 'rejected')", [])?;
        Ok(self.views(rows)?.iter().any(|one| one.may_resend))
    }

    /// Every customer that is held, and by which operation in which state: nothing else may begin there.
    ///
    /// # Errors
    /// The journal.
    pub fn held(&self) -> Result<HashMap<String, (OperationId, State)>, OperationError> {
        let open = open_states();
        let journal = self.journal();
        let query = format!("SELECT target, id, state FROM operation WHERE state IN ({open})");
        let mut query = journal.db.prepare_cached(&query).map_err(JournalError::from)?;
        let mut rows = query.query([]).map_err(JournalError::from)?;
        let mut held = HashMap::new();
        while let Some(row) = rows.next().map_err(JournalError::from)? {
            let [target, id, state] = [0, 1, 2].map(|at| row.get::<_, String>(at).unwrap_or_default());
            let state = State::from_word(&state).ok_or(JournalError::Unreadable)?;
            held.insert(target, (OperationId(id), state));
        }
        Ok(held)
    }
}
