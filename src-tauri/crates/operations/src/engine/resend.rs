//! Sending the same row again, because a person asked.

use crate::decide::Event;
use crate::engine::send::Fresh;
use crate::engine::{OperationError, Operations};
use crate::evidence::reader::SnapshotError;
use crate::views::operation::OperationView;
use crate::words::finding::Finding;
use crate::words::state::{OperationId, State};

impl Operations {
    /// Sends the same row again, because a person asked.
    ///
    /// # Errors
    /// As [`Self::confirm`].
    pub async fn resend(&self, id: &OperationId) -> Result<OperationView, OperationError> {
        self.guards().ensure_running()?;
        self.keep_apart(id).await;
        let row = self.journal().operations().find(id)?.ok_or(OperationError::NotFound)?;
        if row.state == State::NotSent {
            self.guards().ensure_not_watched(&row.intent)?;
        }
        self.access().ensure_as_meant(&row.intent)?;
        self.access().ensure_same(row.fingerprint.as_ref(), &row.intent)?;
        // An operation that never left gets a new snapshot, as at first: if the figures are no longer those that were
        // shown, someone else may have done it. One that may have arrived is compared with its old snapshot.
        let seen = self.history().position()?;
        let baseline = if row.state == State::NotSent { self.baseline(&row.intent, None).await? } else { None };
        if baseline.is_none() && row.kind.family().is_checked() {
            // It may have arrived, so it is checked first: the vendor does not say how long it knows an order id.
            match self.checks().check_once(id, None).await? {
                Finding::Nothing => {}
                Finding::Unreadable => return Err(SnapshotError::Restless.into()),
                _ => return self.get(id),
            }
        }
        let again = Event::RepeatByPerson { age: self.times().key_age(&row) };
        let fresh = baseline.map(|snapshot| Fresh { snapshot, seen });
        self.sends().send_to_the_end(id.clone(), again, fresh).await
    }

    /// Waits until a row may be sent again after its last send.
    async fn keep_apart(&self, id: &OperationId) {
        if let Some(at) = self.times().last_send(id) {
            let until = at + self.schedule().apart;
            tokio::time::sleep(until.saturating_duration_since(self.times().steady())).await;
        }
    }
}
