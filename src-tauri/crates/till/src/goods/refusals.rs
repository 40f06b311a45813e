//! The orders that the vendor refused to show: asked for again after a week, or when a person asks. Stored for the next
//! run.

use std::collections::HashMap;
use std::path::PathBuf;

use parking_lot::Mutex;
use tokio::sync::OnceCell;
use wire::ids::OrderNo;

use crate::clock::wall_clock;
use crate::last_answers;

/// The name of the file, in the folder of what the vendor said last.
pub(crate) const FILE: &str = "refused-orders.json";
/// The time, in ms, after which a refused order is asked for again.
const LAST_FOR: i64 = 7 * 86_400_000;

pub(crate) struct Refusals {
    file: PathBuf,
    /// When each order was refused, wall clock, ms since 1970.
    all: Mutex<HashMap<OrderNo, i64>>,
    /// Set once the file was read, or holds nothing that still counts.
    recalled: OnceCell<()>,
}

impl Refusals {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self { file, all: Mutex::default(), recalled: OnceCell::new() }
    }

    /// Takes over, once, what an earlier run of the program remembers.
    pub(crate) async fn recall(&self) {
        let recalled = async {
            let kept: Vec<(OrderNo, i64)> = last_answers::read(&self.file).await.unwrap_or_default();
            self.all.lock().extend(kept.into_iter().filter(|(_, at)| counts(*at, wall_clock())));
        };
        self.recalled.get_or_init(|| recalled).await;
    }

    /// Stores them for the next start.
    pub(crate) async fn keep(&self) {
        let all: Vec<(OrderNo, i64)> = self.all.lock().iter().map(|(order, at)| (order.clone(), *at)).collect();
        last_answers::write(self.file.clone(), all).await;
    }

    pub(crate) fn add(&self, order: OrderNo) {
        self.all.lock().insert(order, wall_clock());
    }

    pub(crate) fn remove(&self, order: &OrderNo) {
        self.all.lock().remove(order);
    }

    /// When an order was refused, if that still counts, wall clock, ms since 1970.
    pub(crate) fn at(&self, order: &OrderNo) -> Option<i64> {
        self.all.lock().get(order).copied().filter(|at| counts(*at, wall_clock()))
    }

    /// The number of refused orders that are not known by another way.
    pub(crate) fn count(&self, is_known: impl Fn(&OrderNo) -> bool) -> usize {
        self.all.lock().keys().filter(|order| !is_known(order)).count()
    }

    /// Forgets all of them: another token, or another world, may be shown what was refused.
    pub(crate) fn forget(&self) {
        let _ = self.recalled.set(());
        self.all.lock().clear();
        tokio::spawn(last_answers::write(self.file.clone(), Vec::<(OrderNo, i64)>::new()));
    }
}

/// Whether a refusal still counts. A clock that was set back makes none last for longer.
fn counts(at: i64, now: i64) -> bool {
    (0..LAST_FOR).contains(&(now - at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_refusal_counts_for_a_week_over_a_start_and_not_once_it_is_forgotten() {
        assert!(counts(5, 5) && counts(0, LAST_FOR - 1) && !counts(0, LAST_FOR) && !counts(5, 4));
        let folder = tempfile::tempdir().unwrap();
        let open = || Refusals::new(folder.path().join(FILE));
        let [one, other] = ["A", "B"].map(OrderNo::new);
        let first = open();
        first.add(one.clone());
        first.all.lock().insert(other.clone(), wall_clock() - LAST_FOR);
        assert!(first.at(&one).is_some() && first.at(&other).is_none(), "also while the program runs on");
        first.keep().await;
        let second = open();
        second.recall().await;
        assert_eq!((second.at(&one).is_some(), second.count(|_| false), second.count(|_| true)), (true, 1, 0));
        second.forget();
        second.recall().await;
        assert_eq!(second.count(|_| false), 0);
    }
}
