//! Closing the window while work is under way: what it would interrupt, and the page that asks. A page that does not
//! answer keeps no window open, and the end of a session of the system never comes here.

use std::sync::Arc;
use std::time::Duration;

use operations::{BulkState, BulkView};
use serde::Serialize;
use tokio::sync::Notify;
use tokio::time::timeout;
use ts_rs::TS;

use crate::Till;
use crate::error::CommandError;
use crate::events::Event;

/// What the end of the program would interrupt, in every connection that was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct UnderWay {
    /// Number of bulks that are sending.
    pub bulks: usize,
    /// Number of their rows.
    pub rows: usize,
    /// Number of these rows that are still to be sent.
    pub waiting: usize,
    /// Number of operations that were sent and have no answer yet, also as rows of bulks.
    pub awaited: usize,
    /// Number of files that are being saved.
    pub files: usize,
}

impl UnderWay {
    /// Whether nothing would be interrupted.
    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The question whether to close.
#[derive(Default)]
pub(crate) struct Closing {
    /// Notified when the page has asked.
    shown: Notify,
}

impl Till {
    /// Returns whether the window may close now. If work is under way the page asks, and closes it later itself. If the
    /// page, or the disk, does not answer within `patience`, the window may close.
    pub async fn may_close(self: &Arc<Self>, patience: Duration) -> bool {
        let till = self.clone();
        let found = tokio::task::spawn_blocking(move || till.under_way());
        let Ok(Ok(Ok(found))) = timeout(patience, found).await else { return true };
        if found.is_nothing() {
            return true;
        }
        // From here on its answer is heard.
        let shown = self.closing.shown.notified();
        self.host.emit(Event::CloseAsked);
        timeout(patience, shown).await.is_err()
    }

    /// Deletes the files that are still being written. Call it when the program ends.
    pub fn discard_unfinished(&self) {
        self.saving.discard();
    }

    fn under_way(&self) -> Result<UnderWay, CommandError> {
        let mut all = UnderWay { files: self.saving.count(), ..UnderWay::default() };
        for operations in self.opened_journals() {
            all.awaited += operations.history().awaited()?;
            let runs = |bulk: &BulkView| bulk.state == BulkState::Running && bulk.counts.waiting > 0;
            for bulk in operations.bulks().all()?.iter().filter(|bulk| runs(bulk)) {
                all.bulks += 1;
                all.rows += bulk.rows;
                all.waiting += bulk.counts.waiting;
            }
        }
        Ok(all)
    }
}

/// Returns what is under way. With this the page also says that it is asking.
pub async fn work_under_way(till: &Till, (): ()) -> Result<UnderWay, CommandError> {
    let found = till.under_way()?;
    till.closing.shown.notify_waiters();
    Ok(found)
}

/// Closes the window as its button does: asks first if work is under way.
pub async fn close_window(till: &Till, (): ()) -> Result<(), CommandError> {
    till.host.close();
    Ok(())
}

/// Ends the program, whatever is under way.
pub async fn close_anyway(till: &Till, (): ()) -> Result<(), CommandError> {
    till.host.leave();
    Ok(())
}
