//! Predicts when customers run out of traffic, as a range of days from each customer's own weeks.
//!
//! Each of the last weeks is projected as if all coming weeks were like it, weekday by weekday. The range drops a
//! quarter of the weeks at either end.

use std::collections::HashMap;

use rusqlite::params;
use rust_decimal::Decimal;
use wire::Day;
use wire::ids::CustomerId;

use crate::key::keys;
use crate::store::{Store, StoreError};
use crate::window::Window;

/// Number of past weeks to consider.
pub const WEEKS: usize = 8;
const WEEK: usize = 7;
/// Most days ahead that are predicted.
const FURTHEST: i32 = 366;

/// Usage of the last weeks, newest week first, each starting at today's weekday; in millionths of a MB.
pub type Weeks = Vec<[i64; WEEK]>;

/// The days in which a customer is likely to run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsOut {
    /// The first likely day.
    pub from: Day,
    /// The last likely day; `None` when it may be more than a year away.
    pub to: Option<Day>,
}

/// How much a customer used lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recently {
    /// Usage in these days, in millionths of a MB.
    used: i64,
    /// Number of days from the first use to yesterday, at most [`WEEKS`] weeks.
    days: i32,
}

impl Recently {
    /// Usage in millionths of a MB, and the number of its days.
    pub fn of(used: i64, days: i32) -> Self {
        Self { used, days }
    }

    /// Whether it covers at least a week, which has every kind of day: enough for a typical day.
    pub fn is_enough(self) -> bool {
        self.days >= WEEK as i32
    }

    /// The use of one day on average, in MB, rounded up to a millionth.
    pub fn a_day(self) -> Decimal {
        self.in_days(1)
    }

    /// The use of so many days like these, in MB, rounded up to a millionth.
    pub fn in_days(self, days: i32) -> Decimal {
        let (used, of) = (i128::from(self.used) * i128::from(days.max(0)), i128::from(self.days.max(1)));
        Decimal::from_i128_with_scale((used + of - 1) / of, 6).normalize()
    }
}

/// Predicts when `left` millionths of a MB are used up. `None` when not within a year, or when nothing was used.
pub fn runs_out(weeks: &Weeks, left: i64, today: Day) -> Option<RunsOut> {
    let mut days: Vec<i32> = weeks.iter().map(|week| days_until(week, left)).collect();
    days.sort_unstable();
    let quarter = days.len() / 4;
    let (first, last) = (*days.get(quarter)?, *days.get(days.len() - 1 - quarter)?);
    let day = |days: i32| (days <= FURTHEST).then(|| today.plus(days));
    Some(RunsOut { from: day(first)?, to: day(last) })
}

/// Days from today until `left` is used up if every week is like this one.
fn days_until(week: &[i64; WEEK], left: i64) -> i32 {
    let mut left = left;
    for day in 0..=FURTHEST {
        left = left.saturating_sub(week[day as usize % WEEK]);
        if left <= 0 {
            return day;
        }
    }
    FURTHEST + 1
}

/// Drops a customer's first week, which is incomplete. If it is the only one, its days so far stand for the whole week.
fn leave_out_the_beginning(weeks: &mut Weeks) {
    if weeks.len() > 1 && weeks.len() < WEEKS {
        weeks.pop();
    } else if let [only] = weeks.as_mut_slice() {
        let begun = only.iter().position(|used| *used > 0).unwrap_or_default();
        let days = (WEEK - begun) as i64;
        let usual = only.iter().sum::<i64>() / days.max(1);
        only[..begun].fill(usual);
    }
}

impl Store {
    /// The last day with usage of each customer, as far as rows are stored.
    pub fn last_days(&self) -> Result<HashMap<CustomerId, Day>, StoreError> {
        let db = self.reader.lock();
        let mut query = db.prepare_cached(
            "SELECT customer.id, 4194304 - min(key >> 40) FROM usage_row
             JOIN customer ON customer.number = (key >> 16 & 16777215) WHERE up + down > 0 GROUP BY customer.number",
        )?;
        let mut rows = query.query([])?;
        let mut all = HashMap::new();
        while let Some(row) = rows.next()? {
            all.insert(CustomerId::new(row.get::<_, String>(0)?), Day::new(row.get(1)?));
        }
        Ok(all)
    }

    /// How much each customer used in the last weeks, up to yesterday. Without use in them a customer is left out.
    pub fn recently(&self, today: Day) -> Result<HashMap<CustomerId, Recently>, StoreError> {
        let span = Window { from: today.plus(-((WEEKS * WEEK) as i32)), to: today.plus(-1) };
        let (first, behind) = keys(span);
        let db = self.reader.lock();
        let mut query = db.prepare_cached(
            "SELECT customer.id, 4194304 - max(key >> 40), sum(up + down) FROM usage_row
             JOIN customer ON customer.number = (key >> 16 & 16777215)
             WHERE key >= ?1 AND key < ?2 AND up + down > 0 GROUP BY customer.number",
        )?;
        let mut rows = query.query(params![first, behind])?;
        let mut all = HashMap::new();
        while let Some(row) = rows.next()? {
            let (id, day, used): (String, i32, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            all.insert(CustomerId::new(id), Recently { used, days: today.days() - day });
        }
        Ok(all)
    }

    /// The last weeks of every customer with usage in them. The newest week ends yesterday; weeks before a customer's
    /// first use are left out.
    pub fn weeks(&self, today: Day) -> Result<HashMap<CustomerId, Weeks>, StoreError> {
        let span = Window { from: today.plus(-((WEEKS * WEEK) as i32)), to: today.plus(-1) };
        let (first, behind) = keys(span);
        let db = self.reader.lock();
        let mut query = db.prepare_cached(
            "SELECT customer.id, 4194304 - (key >> 40), sum(up + down) FROM usage_row
             JOIN customer ON customer.number = (key >> 16 & 16777215)
             WHERE key >= ?1 AND key < ?2 GROUP BY key >> 16",
        )?;
        let mut all: HashMap<CustomerId, Weeks> = HashMap::new();
        let mut rows = query.query(params![first, behind])?;
        while let Some(row) = rows.next()? {
            let (id, day, used): (String, i32, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let ago = (today.days() - day - 1).clamp(0, (WEEKS * WEEK) as i32 - 1) as usize;
            let weeks = all.entry(CustomerId::new(id)).or_default();
            let week = ago / WEEK;
            if weeks.len() <= week {
                weeks.resize(week + 1, [0; WEEK]);
            }
            weeks[week][WEEK - 1 - ago % WEEK] += used;
        }
        for weeks in all.values_mut() {
            leave_out_the_beginning(weeks);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Day = Day::new(20_000);

    fn told(weeks: Weeks, left: i64) -> Option<(i32, Option<i32>)> {
        let after = |day: Day| day.days() - TODAY.days();
        runs_out(&weeks, left, TODAY).map(|out| (after(out.from), out.to.map(after)))
    }

    #[test]
    fn equal_weeks_give_one_day_and_differing_ones_a_range() {
        let busy = [10; WEEK];
        assert_eq!(told(vec![busy; 8], 35), Some((3, Some(3))));
        assert_eq!(told(vec![busy; 8], 0), Some((0, Some(0))));
        let calm = [5; WEEK];
        assert_eq!(told(vec![busy, busy, busy, busy, calm, calm, calm, calm], 35), Some((3, Some(6))));
        let once = |odd: [i64; WEEK]| vec![odd, odd, busy, busy, busy, busy, busy, busy];
        assert_eq!(told(once(calm), 35), Some((3, Some(3))), "a quarter of the weeks is left out at either end");
    }

    #[test]
    fn what_days_like_the_last_ones_use_is_exact_and_never_too_little() {
        let mb = |used: i64, days: i32, ahead: i32| Recently { used, days }.in_days(ahead).to_string();
        let million = 1_000_000;
        assert_eq!(mb(56 * million, 56, 30), "30");
        assert_eq!(mb(100 * million, 7, 1), "14.285715", "rounded up");
        assert_eq!(mb(100 * million, 7, 7), "100", "as a whole, not day by day");
        assert_eq!(mb(1, 56, 1), "0.000001");
        assert_eq!([mb(0, 56, 30), mb(5, 7, 0), mb(5, 7, -3)], ["0", "0", "0"]);
        assert_eq!(mb(i64::MAX, 1, 366), "3375754165488847.945362");
        assert_eq!(Recently { used: 100 * million, days: 7 }.a_day().to_string(), "14.285715");
    }

    #[test]
    fn less_than_a_week_is_not_enough_to_tell_a_usual_day() {
        assert_eq!([6, 7, 56].map(|days| Recently { used: 1, days }.is_enough()), [false, true, true]);
    }

    #[test]
    fn a_beginning_is_no_whole_week() {
        let mut weeks = vec![[0, 0, 0, 0, 0, 10, 10]];
        leave_out_the_beginning(&mut weeks);
        assert_eq!(told(weeks, 30), Some((2, Some(2))), "ten a day from the start");
        let mut weeks = vec![[10; WEEK], [0, 0, 0, 0, 0, 0, 10]];
        leave_out_the_beginning(&mut weeks);
        assert_eq!(weeks.len(), 1);
    }

    #[test]
    fn the_day_of_the_week_counts() {
        let weekend_only = [0, 0, 0, 0, 0, 100, 100];
        assert_eq!(told(vec![weekend_only; 4], 50), Some((5, Some(5))));
        assert_eq!(told(vec![weekend_only; 4], 250), Some((12, Some(12))));
    }

    #[test]
    fn who_uses_nothing_or_too_little_does_not_run_out() {
        assert_eq!(told(vec![], 100), None);
        assert_eq!(told(vec![[0; WEEK]; 8], 100), None);
        assert_eq!(told(vec![[1; WEEK]; 8], 1_000_000), None);
        let rare = vec![[0; WEEK], [0; WEEK], [0; WEEK], [9; WEEK], [9; WEEK], [9; WEEK], [9; WEEK], [9; WEEK]];
        assert_eq!(told(rare, 100), Some((11, None)), "perhaps not at all");
    }
}
