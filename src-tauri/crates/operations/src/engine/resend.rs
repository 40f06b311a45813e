//! Sending the same row again, because a person asked.

use crate::decide::{Event, Impossible};
use crate::engine::{OperationError, Operations};
use crate::evidence::reader::SnapshotError;
use crate::journal::row::Row;
use crate::views::operation::OperationView;
use crate::words::finding::Finding;
use crate::words::state::{Family, OperationId, State};

impl Operations {
    /// Sends the same row again, because a person asked.
    ///
    /// # Errors
    /// As [`Self::confirm`].
    pub async fn resend(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        self.ensure_running()?;
        self.keep_apart(id).await;
        let row = self.journal().find(id)?.ok_or(OperationError::NotFound)?;
        if row.state == State::NotSent {
            self.ensure_not_watched(&row.intent)?;
        }
        self.0.access.ensure_as_meant(&row.intent)?;
        self.0.access.ensure_same(row.fingerprint.as_ref(), &row.intent)?;
        if row.kind.family() == Family::Setting {
            self.ensure_newest(&row)?;
            self.ensure_settled(&row.intent)?;
        }
        // An operation that never left gets a new snapshot, as at first: if the figures are no longer those that were
        // shown, someone else may have done it. One that may have arrived is compared with its old snapshot.
        let baseline = if row.state == State::NotSent { self.baseline(&row.intent, None).await? } else { None };
        if baseline.is_none() && row.kind.family().is_checked() {
            // It may have arrived, so it is checked first: the vendor does not say how long it knows an order id.
            match self.check_once(id, None).await? {
                Finding::Nothing => {}
                Finding::Unreadable => return Err(SnapshotError::Restless.into()),
                _ => return self.get(id),
            }
        }
        let again = Event::RepeatByPerson { age: self.0.times.key_age(&row) };
        self.send_to_the_end(id.clone(), again, baseline).await
    }

    /// Fails if a newer value was set since: the old one would come back. By the order of the journal, because the wall
    /// clock may have been set back.
    fn ensure_newest(&self, row: &Row) -> Result<(), OperationError> {
        let journal = self.journal();
        let Some(last) = journal.last_sent(row.kind, &row.target)? else { return Ok(()) };
        let begun = |id| -> Result<_, OperationError> { Ok(journal.events(id)?.first().map(|event| event.number)) };
        if last.id != row.id && begun(&last.id)? > begun(&row.id)? { Err(Impossible.into()) } else { Ok(()) }
    }

    /// Waits until a row may be sent again after its last send.
    async fn keep_apart(&self, id: &OperationId) {
        if let Some(at) = self.0.times.last_send(id) {
            let until = at + self.schedule().apart;
            tokio::time::sleep(until.saturating_duration_since(self.0.times.steady())).await;
        }
    }
}
