//! What the table `operation` knows of customers: the values last set, the stored secrets, the traffic moved, the
//! targets held.

use std::collections::HashMap;

use rusqlite::params;
use wire::Amount;
use wire::ids::CustomerId;

use crate::journal::JournalError;
use crate::journal::operation::OperationTable;
use crate::journal::row::Row;
use crate::journal::sets::{done_states, open_states, states_without_effect};
use crate::words::secret::Owner;
use crate::words::state::{Kind, OperationId, State};

/// The status last set from here: "the interface tells none".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStatus {
    /// The value sent to the vendor: 0 or 1.
    pub customer_state: u8,
    /// When the operation was created, wall clock, ms since 1970.
    pub at: i64,
}

/// Where the secrets of a customer are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownSecrets {
    /// The operation that created the customer, if it was created from here.
    pub created: Option<OperationId>,
    /// The entry of the keychain with the password last set from here.
    pub password: Option<String>,
}

/// The number of the event with which an operation was last sent.
const SENT: &str = "(SELECT max(number) FROM event WHERE event.operation = operation.id AND what = 'sending')";

impl OperationTable<'_> {
    /// The status last set from here, by customer.
    pub(crate) fn last_statuses(&self) -> Result<HashMap<CustomerId, LastStatus>, JournalError> {
        let mut query = self.0.db.prepare_cached(&format!(
            "SELECT target, json_extract(intent, '$.customerState'), created, max({SENT}) FROM operation
             WHERE kind = 'status' AND state IN ({}) GROUP BY target",
            done_states()
        ))?;
        let rows = query.query_map([], |row| {
            let status = LastStatus { customer_state: row.get(1)?, at: row.get(2)? };
            Ok((CustomerId::new(row.get::<_, String>(0)?), status))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The secrets of a customer that were stored from here.
    pub(crate) fn known_secrets(&self, customer: &CustomerId) -> Result<KnownSecrets, JournalError> {
        let password = self.select(
            &format!(
                "WHERE target = ?1 AND kind = 'password' AND state IN ({}) ORDER BY {SENT} DESC LIMIT 1",
                done_states()
            ),
            [customer.as_str()],
        )?;
        let created = self.select("WHERE customer = ?1 AND kind = 'create' LIMIT 1", [customer.as_str()])?;
        let reference = password.first().and_then(|row| row.intent.account()?.reference());
        Ok(KnownSecrets { created: created.first().map(|row| row.id.clone()), password: reference.map(str::to_owned) })
    }

    /// The names, without the connection's prefix, of all entries of the keychain that may hold a customer's secret.
    pub(crate) fn secret_references(&self) -> Result<Vec<String>, JournalError> {
        let rows = self.select("WHERE kind IN ('create', 'password')", [])?;
        let of = |row: Row| match row.intent.account().and_then(|change| change.reference()) {
            Some(reference) => vec![reference.to_owned()],
            None => {
                let owners = [row.customer.map(Owner::Customer), Some(Owner::Operation(row.id))];
                owners.into_iter().flatten().flat_map(|owner| owner.references()).collect()
            }
        };
        // A bulk saves its passwords before their rows' turns, which may never come.
        let waiting = self.0.bulk_rows().references()?;
        Ok(rows.into_iter().flat_map(of).chain(waiting).collect())
    }

    /// The newest `most` operations on a customer, newest first.
    pub(crate) fn of_customer(&self, customer: &CustomerId, most: usize) -> Result<Vec<Row>, JournalError> {
        let clause = "WHERE target = ?1 OR customer = ?1 ORDER BY created DESC, rowid DESC LIMIT ?2";
        self.select(clause, params![customer.as_str(), most as i64])
    }

    /// Traffic moved since `since` (wall clock, ms since 1970), except what certainly had no effect, and traffic that
    /// bulks are still to move, GB.
    pub(crate) fn moved_since(&self, since: i64) -> Result<Amount, JournalError> {
        let mut query = self.0.db.prepare_cached(&format!(
            "SELECT json_extract(intent, '$.gb') FROM operation WHERE created >= ?1 AND kind IN ('recharge', 'deduction')
             AND state NOT IN ({})",
            states_without_effect()
        ))?;
        let rows = query.query_map([since], |row| row.get::<_, String>(0))?;
        let mut sum = self.0.bulk_rows().waiting_gb()?;
        for gb in rows {
            let gb: Amount = gb?.parse().map_err(|_| JournalError::Unreadable)?;
            sum = sum.checked_add(gb).ok_or(JournalError::Unreadable)?;
        }
        Ok(sum)
    }

    /// All operations that are not-sent or rejected.
    pub(crate) fn not_sent_or_rejected(&self) -> Result<Vec<Row>, JournalError> {
        self.select("WHERE state IN ('not-sent', 'rejected')", [])
    }

    /// All targets that are held, each with the operation that holds it and its state: no other may begin there.
    pub(crate) fn held(&self) -> Result<HashMap<String, (OperationId, State)>, JournalError> {
        let query = format!("SELECT target, id, state FROM operation WHERE state IN ({})", open_states());
        let mut query = self.0.db.prepare_cached(&query)?;
        let mut rows = query.query([])?;
        let mut held = HashMap::new();
        while let Some(row) = rows.next()? {
            let [target, id, state] = [0, 1, 2].map(|at| row.get::<_, String>(at).unwrap_or_default());
            let state = State::from_word(&state).ok_or(JournalError::Unreadable)?;
            held.insert(target, (OperationId(id), state));
        }
        Ok(held)
    }

    /// Whether another creation made this customer.
    pub(crate) fn is_made_by_another(&self, row: &Row, customer: &CustomerId) -> Result<bool, JournalError> {
        let query = format!(
            "SELECT EXISTS (SELECT 1 FROM operation WHERE kind = 'create' AND target = ?1 AND id <> ?2
                 AND customer = ?3 AND state IN ({}))",
            done_states()
        );
        Ok(self.0.db.query_row(&query, params![row.target, row.id.0, customer.as_str()], |row| row.get(0))?)
    }

    /// The references of the customer's last three earlier passwords, which a new one replaces; none of an open
    /// operation.
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
