//! The changes of a journal, gathered so that a bulk, which makes hundreds of them a second, is reported a few times a
//! second.

use std::time::Duration;

use operations::OperationId;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// Changes within this time are reported as one.
const TOGETHER: Duration = Duration::from_millis(60);

/// The quiet time after missed changes before the journal is to be looked through.
const QUIET: Duration = Duration::from_secs(1);

/// News of a journal, to be reported.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// These operations changed, in this order. The empty id says that a bulk has ended or pauses, but not which one.
    Changed(Vec<OperationId>),
    /// These changed, and others too: more came than the channel holds.
    ChangedAndMissed(Vec<OperationId>),
    /// It is quiet after some were missed. What matters may be among those.
    Quiet,
}

/// The changes of one journal.
pub(crate) struct Changes {
    received: Receiver<OperationId>,
    /// Whether some were missed since it was quiet.
    owes_a_look: bool,
}

impl Changes {
    pub(crate) fn new(received: Receiver<OperationId>) -> Self {
        Self { received, owes_a_look: false }
    }

    /// Waits for the next news; `None` once the journal is closed.
    pub(crate) async fn next(&mut self) -> Option<News> {
        let quiet = if self.owes_a_look { QUIET } else { Duration::MAX };
        let Ok(first) = tokio::time::timeout(quiet, self.received.recv()).await else {
            self.owes_a_look = false;
            return Some(News::Quiet);
        };
        let (mut ids, mut missed) = match first {
            Ok(id) => (vec![id], false),
            Err(RecvError::Lagged(_)) => (Vec::new(), true),
            Err(RecvError::Closed) => return None,
        };
        tokio::time::sleep(TOGETHER).await;
        loop {
            match self.received.try_recv() {
                Ok(more) => ids.push(more),
                Err(TryRecvError::Lagged(_)) => missed = true,
                Err(_) => break,
            }
        }
        self.owes_a_look |= missed;
        Some(if missed { News::ChangedAndMissed(ids) } else { News::Changed(ids) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::broadcast::{self, Sender};

    fn ids(all: &[&str]) -> Vec<OperationId> {
        all.iter().map(|id| OperationId((*id).into())).collect()
    }

    fn change(journal: &Sender<OperationId>, all: &[&str]) {
        for id in ids(all) {
            drop(journal.send(id));
        }
    }

    async fn next(changes: &mut Changes) -> Option<News> {
        tokio::time::timeout(Duration::from_secs(10), changes.next()).await.expect("news, or the end")
    }

    #[tokio::test]
    async fn changes_that_were_missed_are_followed_by_one_look_at_all_once_it_is_quiet() {
        let (journal, received) = broadcast::channel(2);
        let mut changes = Changes::new(received);
        change(&journal, &["a", "b"]);
        assert_eq!(next(&mut changes).await, Some(News::Changed(ids(&["a", "b"]))));
        change(&journal, &["c", "d", "e"]);
        assert_eq!(next(&mut changes).await, Some(News::ChangedAndMissed(ids(&["d", "e"]))));
        change(&journal, &["f"]);
        assert_eq!(next(&mut changes).await, Some(News::Changed(ids(&["f"]))), "it is not quiet yet");
        assert_eq!(next(&mut changes).await, Some(News::Quiet));
        let again = tokio::time::timeout(QUIET * 2, changes.next()).await;
        assert!(again.is_err(), "it says so once: {again:?}");
        change(&journal, &["g"]);
        drop(journal);
        assert_eq!(next(&mut changes).await, Some(News::Changed(ids(&["g"]))));
        assert_eq!(next(&mut changes).await, None);
    }

    #[tokio::test]
    async fn what_changes_while_changes_are_gathered_is_reported_with_them_and_what_is_missed_then_too() {
        for (later, expected) in [
            (&["b"][..], News::Changed(ids(&["a", "b"]))),
            (&["b", "c", "d"], News::ChangedAndMissed(ids(&["a", "c", "d"]))),
        ] {
            let (journal, received) = broadcast::channel(2);
            let mut changes = Changes::new(received);
            change(&journal, &["a"]);
            let (news, ()) = tokio::join!(next(&mut changes), async { change(&journal, later) });
            assert_eq!(news, Some(expected));
        }
    }
}
