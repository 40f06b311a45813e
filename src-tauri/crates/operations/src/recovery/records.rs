//! The records of sends that belong to a backup, and what a journal lacks of them.

use std::path::{Path, PathBuf};

use crate::chain;
use crate::journal::{Journal, JournalError};
use crate::sends::{self, Read, Send};

/// Records with their numbers, oldest first.
pub(super) struct Records {
    /// The backup that they are held against; 0: the beginning.
    backup: u64,
    all: Vec<(u64, Read)>,
}

impl Records {
    /// Those of a backup and behind it; and the one before, which goes on when the next one can not be begun.
    pub(super) fn behind(folder: &Path, backup: u64) -> Result<Self, JournalError> {
        let numbers = numbers(folder)?;
        let before = numbers.iter().copied().filter(|number| *number < backup).max().unwrap_or(backup);
        let wanted = numbers.into_iter().filter(|number| *number >= before);
        let all = wanted.map(|number| Ok((number, sends::read(&record_of(folder, number))?)));
        Ok(Self { backup, all: all.collect::<Result<_, JournalError>>()? })
    }

    /// There is none.
    pub(super) fn are_none(&self) -> bool {
        self.all.is_empty()
    }

    fn own(&self) -> impl Iterator<Item = &(u64, Read)> {
        self.all.iter().filter(|(number, _)| *number >= self.backup)
    }

    /// Whether the journal holds all that it held when they began: if not, it is older than its own backup.
    pub(super) fn begin_within(&self, journal: &Journal) -> Result<bool, JournalError> {
        for head in self.own().filter_map(|(_, read)| read.head.as_ref()) {
            if !chain::has(&journal.db, head)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no send behind the backup can be missing in them. `newest`: the number of the newest backup.
    pub(super) fn are_complete(&self, newest: u64) -> bool {
        let own: Vec<_> = self.own().collect();
        let [(first, begun), ..] = own.as_slice() else { return false };
        // Without a backup, from an empty journal on.
        let begin = if self.backup > 0 { *first == self.backup } else { begun.head.is_none() };
        let in_turn = own.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
        let up_to_now = own.last().is_some_and(|(last, _)| *last >= newest);
        begin && in_turn && up_to_now && own.iter().all(|(_, read)| read.whole)
    }

    /// The sends that a journal should know and does not. What was brought back before is known under its name.
    pub(super) fn missing(&self, journal: &Journal) -> Result<Vec<&Send>, JournalError> {
        let mut missing = Vec::new();
        for send in self.all.iter().flat_map(|(_, read)| &read.sends) {
            if !chain::has(&journal.db, &send.event)? && !send.is_back(&journal.db)? {
                missing.push(send);
            }
        }
        Ok(missing)
    }
}

pub(super) fn record_of(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.sends"))
}

/// The number of the newest record; its backup may be gone.
pub(super) fn last(folder: &Path) -> Result<u64, JournalError> {
    Ok(numbers(folder)?.last().copied().unwrap_or_default())
}

/// Lets go of those that belong to no backup that is kept.
pub(super) fn forget_before(folder: &Path, oldest: u64) -> Result<(), JournalError> {
    let mut numbers = numbers(folder)?;
    numbers.retain(|number| *number < oldest);
    // The oldest backup's sends are there if its own could not be begun.
    numbers.pop();
    for number in numbers {
        // Somebody may hold it open: it goes the next time.
        let _ = std::fs::remove_file(record_of(folder, number));
    }
    Ok(())
}

fn numbers(folder: &Path) -> Result<Vec<u64>, JournalError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect::<std::io::Result<Vec<_>>>()?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let number = |name: &std::ffi::OsStr| name.to_str()?.strip_suffix(".sends")?.parse::<u64>().ok();
    let mut numbers: Vec<u64> = entries.iter().filter_map(|entry| number(&entry.file_name())).collect();
    numbers.sort_unstable();
    Ok(numbers)
}
