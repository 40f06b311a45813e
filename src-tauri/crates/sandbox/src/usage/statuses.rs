//! When customers were active: one that is disabled uses no traffic.

use std::collections::HashMap;

use rusqlite::Connection;
use wire::Day;

use super::past::ZONE;

/// Milliseconds of a thousandth of a day.
const THOUSANDTH: i64 = 86_400;

/// The statuses that were set for each customer, oldest first, with the time in ms since 1970.
#[derive(Default)]
pub(crate) struct Statuses {
    set: HashMap<u32, Vec<(i64, bool)>>,
    /// The number of the last one that was read.
    last: i64,
}

impl Statuses {
    /// Reads those that were set since the last call.
    pub(crate) fn follow(&mut self, ledger: &Connection) -> rusqlite::Result<()> {
        let newer = "SELECT number, at, created, active FROM status_set WHERE number > ?1 ORDER BY number";
        let mut query = ledger.prepare_cached(newer)?;
        let mut rows = query.query([self.last])?;
        while let Some(row) = rows.next()? {
            self.last = row.get(0)?;
            self.set.entry(row.get(1)?).or_default().push((row.get(2)?, row.get(3)?));
        }
        Ok(())
    }

    /// How long a customer was active in the first thousandths of a day, in thousandths of a day.
    pub(crate) fn active(&self, customer: u32, day: Day, thousandths: i64) -> i64 {
        let Some(set) = self.set.get(&customer) else { return thousandths };
        let mut from = i64::from(day.days()) * 1000 * THOUSANDTH - i64::from(ZONE) * 60_000;
        let end = from + thousandths * THOUSANDTH;
        let (mut is_active, mut sum) = (true, 0);
        for (at, active) in set.iter().copied().chain([(end, false)]) {
            let at = at.clamp(from, end);
            if is_active {
                sum += at - from;
            }
            (from, is_active) = (at, active);
        }
        sum / THOUSANDTH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_active_share_of_a_day_counts() {
        let day = Day::new(20_000);
        let at = |thousandths: i64| 20_000 * 1000 * THOUSANDTH - i64::from(ZONE) * 60_000 + thousandths * THOUSANDTH;
        let set = HashMap::from([(7, vec![(at(300), false), (at(600), true), (at(1500), false)])]);
        let statuses = Statuses { set, last: 3 };
        for (thousandths, active) in [(0, 0), (200, 200), (300, 300), (500, 300), (700, 400), (1000, 700)] {
            assert_eq!(statuses.active(7, day, thousandths), active, "{thousandths}");
        }
        let of_day = |number: i32| statuses.active(7, Day::new(number), 1000);
        assert_eq!([19_999, 20_001, 20_002].map(of_day), [1000, 500, 0]);
        assert_eq!(statuses.active(8, day, 400), 400, "nothing was set");
    }
}
