//! Group commit: writes that wait at the same moment become durable in one transaction and one sync of each file.
//!
//! A sync takes as long for eight rows as for one. Whoever comes first commits for everybody who waits by then; nobody goes on
//! before his own part is durable. Without a thread of its own: under a clock that tests drive, an answer of another thread
//! would come at no moment of that clock.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::engine::{OperationError, Operations};
use crate::journal::{Journal, JournalError};
use crate::mark::{Point, reached};

/// One write of a batch, and who waits for it.
trait Part: Send {
    /// Writes; what is written is not durable yet.
    fn write(&mut self, journal: &mut Journal);
    /// Tells who waits: it is durable, or nothing of the batch is.
    fn tell(self: Box<Self>, fate: Result<(), Arc<JournalError>>);
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
        // Of one who waits no longer nothing is written: a row in `sending` that nobody sends would be a riddle.
        if let Some(work) = self.work.take().filter(|_| !self.reply.is_closed()) {
            self.written = Some(work(journal));
        }
    }

    fn tell(self: Box<Self>, fate: Result<(), Arc<JournalError>>) {
        let told = match (self.written, fate) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(JournalError::Together(error).into()),
            (Some(written), Ok(())) => written,
            (None, Ok(())) => return,
        };
        let _ = self.reply.send(told);
    }
}

/// Those who wait.
#[derive(Default)]
pub(crate) struct Together(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    parts: Vec<Box<dyn Part>>,
    /// Somebody commits, and goes on until nobody waits.
    is_led: bool,
}

impl Together {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All who wait, for whom the caller commits from now on. `None`: nobody waits, or somebody does so already.
    fn lead(&self) -> Option<Lead<'_>> {
        let mut queue = self.queue();
        if queue.is_led || queue.parts.is_empty() {
            return None;
        }
        queue.is_led = true;
        Some(Lead(self))
    }
}

/// Ends with whoever leads, also by a panic: who waits then hears that nothing is known.
struct Lead<'a>(&'a Together);

impl Lead<'_> {
    fn next(&self) -> Vec<Box<dyn Part>> {
        mem::take(&mut self.0.queue().parts)
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.queue().is_led = false;
    }
}

impl Operations {
    /// Writes in one commit with those who wait at the same moment. `work` runs under the journal's lock: it must not take it.
    ///
    /// # Errors
    /// Those of `work`; [`OperationError::Journal`] when the batch did not become durable: then nothing of it was written.
    pub(crate) async fn together<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Journal) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let (reply, told) = oneshot::channel();
        self.0.together.queue().parts.push(Box::new(Waiting { work: Some(work), written: None, reply }));
        // Who is ready as well comes along.
        tokio::task::yield_now().await;
        self.commit_those_who_wait();
        told.await.unwrap_or_else(|_| {
            // It can only have panicked: what is on disk is all that is known.
            self.stop();
            Err(OperationError::Stopped)
        })
    }

    /// The same without waiting, for who drives all steps alone.
    #[cfg(test)]
    pub(crate) fn at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Journal) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let (reply, mut told) = oneshot::channel();
        self.0.together.queue().parts.push(Box::new(Waiting { work: Some(work), written: None, reply }));
        self.commit_those_who_wait();
        told.try_recv().expect("nobody else leads")
    }

    fn commit_those_who_wait(&self) {
        while let Some(lead) = self.0.together.lead() {
            let mut parts = lead.next();
            let fate = self.recorded(self.journal().commit_together(&mut parts)).map_err(Arc::new);
            for part in parts {
                part.tell(fate.clone());
            }
        }
    }
}

/// An open transaction, rolled back when it is not committed.
struct Batch<'a>(&'a mut Journal);

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.0.unrecorded = None;
        if !self.0.db.is_autocommit() {
            let _ = self.0.db.execute_batch("ROLLBACK");
        }
    }
}

impl Journal {
    /// Writes all parts, makes them durable, and then what left with them in the record of sends.
    fn commit_together(&mut self, parts: &mut [Box<dyn Part>]) -> Result<(), JournalError> {
        let batch = Batch(self);
        batch.0.db.execute_batch("BEGIN IMMEDIATE")?;
        batch.0.unrecorded = Some(Vec::new());
        for part in parts {
            part.write(batch.0);
            // A full disk rolls all of it back, and what came after would be committed alone.
            if batch.0.db.is_autocommit() {
                return Err(JournalError::RolledBack);
            }
        }
        batch.0.db.execute_batch("COMMIT")?;
        let sends = batch.0.unrecorded.take().unwrap_or_default();
        if !sends.is_empty() {
            batch.0.record_sends(&sends)?;
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
    use crate::bulk::tests::confirmed;
    use crate::schedule::Schedule;

    /// A row of its own, with a text of this size.
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
                (number, operations.together(write).await)
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
            all.spawn(async move { operations.together(move |db| insert(db, &number.to_string(), size)).await });
        }
        let done = all.join_all().await.into_iter().filter(Result::is_ok).count() as i64;
        assert_eq!(rows(&other), done, "who was told of success is there, and nobody else");
        assert!(done < 4 && operations.journal().db.is_autocommit());
        operations.journal().db.pragma_update(None, "max_page_count", 1_000_000).unwrap();
        operations.together(|db| insert(db, "later", 1)).await.unwrap();
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
                operations.together(write).await
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
            _ = operations.together(|db| insert(db, "gone", 1)) => unreachable!("it waits for its turn"),
            () = std::future::ready(()) => {}
        }
        operations.together(|db| insert(db, "here", 1)).await.unwrap();
        assert_eq!(rows(&other), 1);
    }

    // Where there is a disk that is always full.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn of_rows_whose_send_cannot_be_recorded_none_leaves_and_nothing_more_is_sent() {
        let folder = tempfile::tempdir().unwrap();
        let (operations, _other) = opened(&folder);
        let id = confirmed(&operations);
        let turn = operations.journal().turns(&id, 0, 1).unwrap().remove(0);
        let full = crate::sends::Record::go_on("/dev/full".as_ref()).unwrap();
        operations.journal().beside.as_mut().unwrap().record = full;
        let own = operations.clone();
        let begun = operations.together(move |journal| own.begin_turn(journal, &id, &turn, None, 0)).await;
        let told = begun.map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("the record of sends cannot be written"), "{told}");
        assert!(operations.ensure_running().is_err());
    }
}
