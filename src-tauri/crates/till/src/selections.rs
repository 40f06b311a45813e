//! The results of the last few queries, by number: the page shows windows of them, and answers may arrive in another
//! order than their requests.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

/// Results that stay, the newest last.
const KEPT: usize = 4;

/// The number of the last result of all: none is ever given twice, so that a window cannot mistake one for another.
static LAST: AtomicU32 = AtomicU32::new(0);

pub(crate) struct Selections<T>(Mutex<VecDeque<(u32, Arc<T>)>>);

impl<T> Default for Selections<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Selections<T> {
    /// Stores a result and returns its number.
    pub(crate) fn add(&self, result: T) -> u32 {
        self.add_unless(result, |_, _| false)
    }

    /// As [`Self::add`]; the newest result keeps its number if `is_same` says that the new one is no other.
    pub(crate) fn add_unless(&self, result: T, is_same: impl FnOnce(&T, &T) -> bool) -> u32 {
        let mut kept = self.0.lock();
        if let Some((number, _)) = kept.back().filter(|(_, last)| is_same(last, &result)) {
            return *number;
        }
        let number = LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        kept.push_back((number, Arc::new(result)));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        number
    }

    /// The result of this number; `None` if it is not one of the last few.
    pub(crate) fn get(&self, number: u32) -> Option<Arc<T>> {
        self.0.lock().iter().find(|(of, _)| *of == number).map(|(_, result)| result.clone())
    }

    pub(crate) fn clear(&self) {
        self.0.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_few_results_are_there_and_the_same_one_keeps_its_number() {
        let all = Selections::default();
        let numbers: Vec<u32> = (0..=KEPT).map(|result| all.add(result)).collect();
        let there: Vec<_> = numbers.iter().map(|number| all.get(*number).map(|result| *result)).collect();
        assert_eq!(there, [None, Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!(Some(&all.add_unless(KEPT, |last, new| last == new)), numbers.last());
        let other = all.add_unless(7, |last, new| last == new);
        assert!(!numbers.contains(&other));
        all.clear();
        assert!(all.get(other).is_none() && all.add(7) != other);
    }
}
