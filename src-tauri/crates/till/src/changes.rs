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

/// What is to be reported.
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
    missed: bool,
}

impl Changes {
    pub(crate) fn new(received: Receiver<OperationId>) -> Self {
        Self { received, missed: false }
    }

    /// Waits for the next news; `None` once the journal is closed.
    pub(crate) async fn next(&mut self) -> Option<News> {
        let quiet = if self.missed { QUIET } else { Duration::MAX };
        let Ok(first) = tokio::time::timeout(quiet, self.received.recv()).await else {
            self.missed = false;
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
        self.missed |= missed;
        Some(if missed { News::ChangedAndMissed(ids) } else { News::Changed(ids) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::broadcast;

    #[tokio::test]
    async fn changes_that_were_missed_are_followed_by_one_look_at_all_once_it_is_quiet() {
        let (journal, received) = broadcast::channel(2);
        let mut changes = Changes::new(received);
        let mut next =
            async || tokio::time::timeout(Duration::from_secs(10), changes.next()).await.expect("news, or the end");
        let ids = |all: &[&str]| all.iter().map(|id| OperationId((*id).into())).collect::<Vec<_>>();
        let change = |all: &[&str]| ids(all).into_iter().for_each(|id| drop(journal.send(id)));
        change(&["a", "b"]);
        assert_eq!(next().await, Some(News::Changed(ids(&["a", "b"]))));
        change(&["c", "d", "e"]);
        assert_eq!(next().await, Some(News::ChangedAndMissed(ids(&["d", "e"]))));
        change(&["f"]);
        assert_eq!(next().await, Some(News::Changed(ids(&["f"]))), "it is not quiet yet");
        assert_eq!(next().await, Some(News::Quiet));
        change(&["g"]);
        drop(journal);
        assert_eq!(next().await, Some(News::Changed(ids(&["g"]))));
        assert_eq!(next().await, None);
    }
}
