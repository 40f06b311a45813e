//! Group commit: writes that wait at the same moment become durable in one transaction, with one sync of each file.
//!
//! A sync takes as long for eight answers as for one. The first caller commits for all that wait by then; no caller
//! goes on before its own part is durable. A batch holds any number of answers, but at most one part that leads to a
//! send: if the program ends between the commit and the first byte, one send is in doubt, not eight.
//!
//! There is no thread for this: tests drive the clock, and a reply from another thread would not come at a defined time
//! of that clock.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::engine::{OperationError, Operations};
use crate::journal::{Journal, JournalError};
use crate::kill_points::{Point, reached};

/// One write of a batch, and the caller that waits for it.
trait Part: Send {
    /// Writes. The write is not durable yet.
    fn write(&mut self, journal: &mut Journal);
    /// Reports to the caller: its part is durable, or the batch failed.
    fn report(self: Box<Self>, fate: Result<(), Arc<JournalError>>);
}

struct Waiting<W, T> {
    work: Option<W>,
    written: Option<Result<T, OperationError>>,
    reply: oneshot::Sender<Result<T, OperationError>>,
}

impl<W, T> Part for Waiting<W, T>
where
    W: FnOnce(&mut Journal) -> Result<T, OperationError> + Send,
    T: Send,
{
    fn write(&mut self, journal: &mut Journal) {
        // Nothing is written for a caller that has gone: its row in `sending` would not be sent.
        if let Some(work) = self.work.take().filter(|_| !self.reply.is_closed()) {
            self.written = Some(work(journal));
        }
    }

    fn report(self: Box<Self>, fate: Result<(), Arc<JournalError>>) {
        let result = match (self.written, fate) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(JournalError::Together(error).into()),
            (Some(written), Ok(())) => written,
            (None, Ok(())) => return,
        };
        let _ = self.reply.send(result);
    }
}

/// Says what a write leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// A first byte leaves once the write is durable.
    ToSend,
    /// Nothing leaves.
    Nowhere,
}

/// The writes that wait.
#[derive(Default)]
pub(crate) struct Together(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    parts: Vec<(Leads, Box<dyn Part>)>,
    /// Whether a caller commits; it goes on until none waits.
    is_led: bool,
}

impl Together {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the caller commit for all that wait. `None` if none waits, or another caller already does.
    fn lead(&self) -> Option<Lead<'_>> {
        let mut queue = self.queue();
        if queue.is_led || queue.parts.is_empty() {
            return None;
        }
        queue.is_led = true;
        Some(Lead(self))
    }
}

/// The role of the caller that commits. It ends with that caller, also by a panic; the callers of its batch then learn
/// that nothing is known.
struct Lead<'a>(&'a Together);

impl Lead<'_> {
    /// Takes the next batch: every part that leads nowhere, and the first that leads to a send.
    fn next(&self) -> Vec<Box<dyn Part>> {
        let mut queue = self.0.queue();
        let mut sends = 0;
        let (now, later) = mem::take(&mut queue.parts).into_iter().partition(|(leads, _)| {
            sends += usize::from(*leads == Leads::ToSend);
            *leads == Leads::Nowhere || sends == 1
        });
        queue.parts = later;
        let now: Vec<(Leads, Box<dyn Part>)> = now;
        now.into_iter().map(|(_, part)| part).collect()
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.is_led = false;
        if std::thread::panicking() {
            // Those who still wait would wait for the next caller: they hear now that nothing is known.
            queue.parts.clear();
        }
    }
}

impl Operations {
    /// Writes in one commit with others that wait at the same moment. `work` runs under the journal's lock and must not
    /// take it.
    ///
    /// # Errors
    /// Those of `work`. [`OperationError::Journal`] when the batch failed: nothing of it is written, except after
    /// [`JournalError::NotRecorded`], which leaves it in the journal. [`OperationError::Stopped`] after a panic.
    pub(crate) async fn together<T: Send + 'static>(
        &self,
        leads: Leads,
        work: impl FnOnce(&mut Journal) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let (reply, result) = oneshot::channel();
        self.0.together.queue().parts.push((leads, Box::new(Waiting { work: Some(work), written: None, reply })));
        // Lets others that are ready join the batch.
        tokio::task::yield_now().await;
        self.commit_those_who_wait();
        result.await.unwrap_or_else(|_| {
            // The caller that commits can only have panicked: only what is on disk is known.
            self.stop();
            Err(OperationError::Stopped)
        })
    }

    /// Writes without waiting, for a test that drives every step itself.
    #[cfg(test)]
    pub(crate) fn at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Journal) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let (reply, mut result) = oneshot::channel();
        let part = Waiting { work: Some(work), written: None, reply };
        self.0.together.queue().parts.push((Leads::ToSend, Box::new(part)));
        self.commit_those_who_wait();
        result.try_recv().expect("nobody else leads")
    }

    fn commit_those_who_wait(&self) {
        while let Some(lead) = self.0.together.lead() {
            let mut parts = lead.next();
            let fate = self.recorded(self.journal().commit_together(&mut parts)).map_err(Arc::new);
            for part in parts {
                part.report(fate.clone());
            }
        }
    }
}

/// An open transaction, rolled back unless it is committed.
struct Batch<'a>(&'a mut Journal);

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.0.end_batch();
    }
}

impl Journal {
    /// Writes all parts, makes them durable, then records the send among them.
    fn commit_together(&mut self, parts: &mut [Box<dyn Part>]) -> Result<(), JournalError> {
        let batch = Batch(self);
        batch.0.begin_batch()?;
        for part in parts {
            part.write(batch.0);
            batch.0.ensure_in_batch()?;
        }
        let has_sent = batch.0.commit_batch()?;
        if has_sent {
            reached(Point::Turned);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::Connection;
    use tempfile::TempDir;
    use tokio::task::JoinSet;

    use super::*;
    use crate::words::schedule::Schedule;

    /// Inserts a row with a text of this size.
    fn insert(journal: &mut Journal, id: &str, size: usize) -> Result<(), OperationError> {
        let save = journal.db.savepoint().map_err(JournalError::from)?;
        let row = (id, "x".repeat(size));
        let query = "INSERT INTO bulk (id, kind, state, created, hash) VALUES (?1, '', '', 0, ?2)";
        save.execute(query, row).map_err(JournalError::from)?;
        Ok(save.commit().map_err(JournalError::from)?)
    }

    fn rows(db: &Connection) -> i64 {
        db.query_row("SELECT count(*) FROM bulk", [], |row| row.get(0)).unwrap()
    }

    fn opened(folder: &TempDir) -> (Operations, Connection) {
        let file = folder.path().join("journal.db");
        let operations = Operations::open(&file, Schedule::default(), Arc::new(|| 0)).unwrap();
        (operations, another(&file))
    }

    fn another(file: &Path) -> Connection {
        Connection::open(file).unwrap()
    }

    #[tokio::test]
    async fn writes_that_wait_at_once_are_one_commit_and_one_that_fails_is_left_out_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (operations, other) = opened(&folder);
        let file = folder.path().join("journal.db");
        let mut all = JoinSet::new();
        for number in 0..8i64 {
            let (operations, file) = (operations.clone(), file.clone());
            all.spawn(async move {
                let write = move |journal: &mut Journal| {
                    // The fourth takes the name of the first.
                    insert(journal, if number == 3 { "0".into() } else { number.to_string() }.as_str(), 1)?;
                    Ok((rows(&journal.db), rows(&another(&file))))
                };
                (number, operations.together(Leads::Nowhere, write).await)
            });
        }
        let mut told = all.join_all().await;
        told.sort_by_key(|(number, _)| *number);
        for (number, seen) in told {
            match seen {
                Ok((written, durable)) => assert_eq!((written, durable), (number + i64::from(number < 3), 0)),
                Err(error) => assert!(number == 3 && error.to_string().contains("UNIQUE"), "{number}: {error}"),
            }
        }
        assert_eq!(rows(&other), 7);
        assert!(!operations.0.stopped.load(std::sync::atomic::Ordering::SeqCst));
    }

    #[tokio::test]
    async fn a_batch_for_which_the_disk_is_too_small_is_written_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (operations, other) = opened(&folder);
        let pages: i64 = other.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        operations.journal().db.pragma_update(None, "max_page_count", pages + 4).unwrap();
        let mut all = JoinSet::new();
        for number in 0..4 {
            let operations = operations.clone();
            let size = if number == 2 { 1_000_000 } else { 1 };
            all.spawn(async move {
                operations.together(Leads::Nowhere, move |db| insert(db, &number.to_string(), size)).await
            });
        }
        let done = all.join_all().await.into_iter().filter(Result::is_ok).count() as i64;
        assert_eq!(rows(&other), done, "who was told of success is there, and nobody else");
        assert!(done < 4 && operations.journal().db.is_autocommit());
        operations.journal().db.pragma_update(None, "max_page_count", 1_000_000).unwrap();
        operations.together(Leads::Nowhere, |db| insert(db, "later", 1)).await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_takes_its_batch_back_and_tells_everybody_that_nothing_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let (operations, other) = opened(&folder);
        let mut all = JoinSet::new();
        for number in 0..3 {
            let operations = operations.clone();
            all.spawn(async move {
                let write = move |journal: &mut Journal| {
                    assert!(number < 2, "as asked for");
                    insert(journal, &number.to_string(), 1)
                };
                operations.together(Leads::Nowhere, write).await
            });
        }
        while let Some(ended) = all.join_next().await {
            assert!(ended.is_err_and(|panicked| panicked.is_panic()) || operations.ensure_running().is_err());
        }
        assert_eq!(rows(&other), 0);
        assert!(operations.journal().db.is_autocommit() && operations.journal().unrecorded.is_none());
    }

    #[tokio::test]
    async fn who_waits_no_longer_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (operations, other) = opened(&folder);
        tokio::select! {
            biased;
            _ = operations.together(Leads::Nowhere, |db| insert(db, "gone", 1)) => unreachable!("it waits for its turn"),
            () = std::future::ready(()) => {}
        }
        operations.together(Leads::Nowhere, |db| insert(db, "here", 1)).await.unwrap();
        assert_eq!(rows(&other), 1);
    }

    #[tokio::test]
    async fn of_all_that_lead_to_a_send_one_is_in_a_batch_and_the_rest_comes_along() {
        let folder = tempfile::tempdir().unwrap();
        let (operations, _) = opened(&folder);
        let file = folder.path().join("journal.db");
        let mut all = JoinSet::new();
        for number in 0..8i64 {
            let (operations, file) = (operations.clone(), file.clone());
            let leads = if number % 2 == 0 { Leads::ToSend } else { Leads::Nowhere };
            all.spawn(async move {
                let write = move |journal: &mut Journal| {
                    insert(journal, &number.to_string(), 1)?;
                    // The rows of the batches before this one.
                    Ok((leads, rows(&another(&file))))
                };
                operations.together(leads, write).await.unwrap()
            });
        }
        let all = all.join_all().await;
        let mut batches: Vec<i64> =
            all.iter().filter(|(leads, _)| *leads == Leads::ToSend).map(|(_, at)| *at).collect();
        batches.sort_unstable();
        assert_eq!(batches, [0, 5, 6, 7], "four answers come along with the first");
    }
}
