//! Follows an open session and reports what changes: to the page, and to a person who does not look at it.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use operations::{BulkId, BulkState, BulkView, OperationError, OperationId, Operations};
use parking_lot::Mutex;

use crate::background::spawned;
use crate::changes::{Changes, News};
use crate::events::Event;
use crate::session::Session;
use crate::{Till, health, late_orders, notifications};

/// How far the changes of a journal were reported to the page and to the person.
#[derive(Default)]
pub(crate) struct Following {
    /// Set once they are reported to the page.
    begun: AtomicBool,
    /// The bulks whose end was reported, or need not be; `None`: they were not read yet.
    pub(crate) ended: Mutex<Option<HashSet<BulkId>>>,
    /// The bulks that stopped by themselves and were reported, until a person resumes them.
    pub(crate) stopped: Mutex<HashSet<BulkId>>,
}

pub(crate) type Followed = Arc<Following>;

/// The operations that wait for a person's decision, without the rows of bulks.
async fn waiting(operations: &Operations) -> Vec<OperationId> {
    let operations = operations.clone();
    let look = spawned(move || notifications::waiting(&operations));
    look.await.unwrap_or_default()
}

/// Returns the bulks that have ended since the last call; none at the first.
fn newly_ended(operations: &Operations, following: &Following) -> Result<Vec<BulkView>, OperationError> {
    let mut known = following.ended.lock();
    let mut ended: Vec<BulkView> = operations.bulks().all()?;
    ended.retain(|bulk| bulk.state == BulkState::Finished);
    let before = known.replace(ended.iter().map(|bulk| bulk.id.clone()).collect());
    ended.retain(|bulk| before.as_ref().is_some_and(|before| !before.contains(&bulk.id)));
    Ok(ended)
}

/// Returns the bulks that stopped by themselves since the last call and wait for a person.
fn newly_stopped(operations: &Operations, following: &Following) -> Result<Vec<BulkView>, OperationError> {
    let mut told = following.stopped.lock();
    let mut stopped = operations.bulks().all()?;
    stopped.retain(|bulk| bulk.problem.is_some() && told.insert(bulk.id.clone()));
    Ok(stopped)
}

/// Passes on to the page how long reads wait.
pub(crate) fn follow_waits(till: &Till) {
    let (host, mut soonest) = (till.host.clone(), till.waits.soonest());
    tokio::spawn(async move {
        while soonest.changed().await.is_ok() {
            let end = *soonest.borrow_and_update();
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            host.emit(Event::ReadsWaiting(left.map(|left| left.as_secs_f64().ceil())));
        }
    });
}

/// Passes on the changes of a session: its operations (once per journal), late orders, vendor, traffic, ends of IPs.
pub(crate) fn follow(till: &Arc<Till>, session: &Arc<Session>) {
    health::follow(till, session);
    late_orders::follow(till, session);
    notifications::follow_traffic(till, session);
    notifications::follow_ends(till, session);
    if session.followed.begun.swap(true, Ordering::SeqCst) {
        return;
    }
    let (till, operations) = (Arc::downgrade(till), session.operations.clone());
    let mut changes = Changes::new(operations.changes());
    let following = session.followed.clone();
    let _ = newly_ended(&operations, &following);
    tokio::spawn(async move {
        // What waited before is on the first screen.
        let mut said: HashSet<OperationId> = waiting(&operations).await.into_iter().collect();
        while let Some(news) = changes.next().await {
            let Some(till) = till.upgrade() else { return };
            let (ids, missed_some) = match news {
                News::Changed(ids) => (ids, false),
                News::ChangedAndMissed(ids) => (ids, true),
                News::Quiet => {
                    notifications::needs_you(&till, &operations, waiting(&operations).await, &mut said);
                    continue;
                }
            };
            if missed_some || ids.iter().any(|id| id.0.is_empty()) {
                for bulk in newly_ended(&operations, &following).unwrap_or_default() {
                    notifications::bulk_ended(&till, &bulk);
                }
                for bulk in newly_stopped(&operations, &following).unwrap_or_default() {
                    notifications::bulk_stopped(&till, &bulk);
                }
            }
            let first = ids.first().filter(|_| !missed_some).cloned();
            notifications::needs_you(&till, &operations, ids, &mut said);
            till.host.emit(Event::OperationChanged(first));
        }
    });
}
