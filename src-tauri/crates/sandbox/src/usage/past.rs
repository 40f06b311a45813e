//! Usage by customer and day: a year from the seed before the service began, then day by day with the clock.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};
use wire::Day;

use super::statuses::Statuses;
use crate::customers;
use crate::paging::Page;
use crate::random::mix_numbers;

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS usage_day (
        day INTEGER NOT NULL, customer INTEGER NOT NULL, up INTEGER NOT NULL, down INTEGER NOT NULL,
        PRIMARY KEY (day, customer)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS usage_since (one INTEGER PRIMARY KEY CHECK (one = 1), day INTEGER NOT NULL) STRICT;
";

/// The zone of every date, in minutes east of UTC.
pub(crate) const ZONE: i32 = 480;
/// Days of usage before the service began.
const HISTORY: i32 = 364;
/// A late row comes this many days after its date.
const LATE: i32 = 2;

/// Traffic in millionths of a MB.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    pub(crate) up: i64,
    pub(crate) down: i64,
}

impl Used {
    pub(crate) fn both(self) -> i64 {
        self.up + self.down
    }

    fn and(self, row: &Row) -> Self {
        Self { up: self.up + row.used.up, down: self.down + row.used.down }
    }

    /// A share of it, in thousandths, rounded to hundredths of a MB as in reports.
    pub(crate) fn part(self, thousandths: i64) -> Self {
        let of = |value: i64| value / HUNDREDTH * thousandths / 1000 * HUNDREDTH;
        Self { up: of(self.up), down: of(self.down) }
    }
}

const HUNDREDTH: i64 = 10_000;
const MB: i64 = 1_000_000;

/// Traffic a customer would use on a day if there is enough: weekly rhythm, growth, pauses.
pub(crate) fn wanted(seed: u64, customer: u32, day: Day) -> Used {
    let nature = mix_numbers(seed, u64::from(customer), 1);
    let number = day.days();
    // Most use little, a few a great deal.
    let size = [40, 90, 200, 400, 900, 2_000, 4_500, 12_000][(nature % 8) as usize] * MB;
    let begins = number - (nature >> 8 & 0xff) as i32;
    let week = u64::from((number.div_euclid(7)) as u32);
    let pauses = mix_numbers(seed, u64::from(customer) << 32 | week, 2).is_multiple_of(9);
    if pauses || begins < 19_000 {
        return Used::default();
    }
    let dice = mix_numbers(seed, u64::from(customer), 0x1000_0000 | u64::from(number as u32));
    let rhythm = [100, 104, 98, 102, 115, 70, 55][usize::from(day.weekday())];
    let works_on_weekends = (nature >> 16).is_multiple_of(3);
    let rhythm = if works_on_weekends { 100 } else { rhythm };
    let growth = 1000 + ((nature >> 24) % 9) as i64 * i64::from(number.rem_euclid(3650)) / 40;
    let noise = 60 + (dice % 80) as i64;
    let all = size / 100 * rhythm / 100 * noise / 1000 * growth;
    let up = all / 1000 * (10 + (dice >> 32) % 60) as i64;
    Used { up, down: all - up }.part(1000)
}

/// Whether a part of this day's usage is reported later, in a second row.
fn is_late(seed: u64, customer: u32, day: Day) -> bool {
    mix_numbers(seed, u64::from(customer), 0x2000_0000 | u64::from(day.days() as u32)).is_multiple_of(33)
}

/// A row of the report.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) customer: u32,
    pub(crate) used: Used,
}

/// The rows of one day in the report.
#[derive(Default)]
struct DayRows {
    /// Rows that are reported at once.
    first: Vec<Row>,
    /// Rows that are reported [`LATE`] days later: the rest of some customers' usage.
    rest: Vec<Row>,
}

impl DayRows {
    /// The rows that are visible today.
    fn seen(&self, day: Day, today: Day) -> impl Iterator<Item = &Row> + Clone {
        self.first.iter().chain(self.rest.iter().filter(move |_| day <= today.plus(-LATE)))
    }

    fn count(&self, day: Day, today: Day) -> usize {
        self.first.len() + if day <= today.plus(-LATE) { self.rest.len() } else { 0 }
    }
}

/// All usage up to yesterday; today's is still growing.
pub(crate) struct Usage {
    seed: u64,
    /// The day on which the service began; earlier days come from the seed alone.
    since: Day,
    customers: u32,
    /// Usage by day.
    days: BTreeMap<Day, DayRows>,
    /// The last day for which `days` is complete.
    through: Day,
    /// Sum by customer up to `through`.
    consumed: Vec<i64>,
    statuses: Statuses,
}

impl Usage {
    /// Restores the past of a new or a stored world.
    pub(crate) fn open(ledger: &Connection, seed: u64, customers: u32, today: Day) -> rusqlite::Result<Self> {
        ledger.execute("INSERT OR IGNORE INTO usage_since VALUES (1, ?1)", [today.days()])?;
        let since = Day::new(ledger.query_row("SELECT day FROM usage_since", [], |row| row.get(0))?);
        let mut usage = Self {
            seed,
            since,
            customers,
            days: BTreeMap::new(),
            through: since.plus(-HISTORY - 1),
            consumed: vec![0; customers as usize],
            statuses: Statuses::default(),
        };
        while usage.through < since.plus(-1) {
            let day = usage.through.plus(1);
            let rows = (0..customers).map(|customer| Row { customer, used: wanted(seed, customer, day) });
            usage.keep(day, rows.filter(|row| row.used.both() > 0).collect());
        }
        let mut query = ledger.prepare("SELECT day, customer, up, down FROM usage_day ORDER BY day, customer")?;
        let rows = query.query_map([], |row| {
            let used = Used { up: row.get(2)?, down: row.get(3)? };
            Ok((Day::new(row.get(0)?), Row { customer: row.get(1)?, used }))
        })?;
        let mut kept: BTreeMap<Day, Vec<Row>> = BTreeMap::new();
        for row in rows {
            let (day, row) = row?;
            kept.entry(day).or_default().push(row);
        }
        for (day, rows) in kept {
            usage.keep(day, rows);
        }
        Ok(usage)
    }

    fn keep(&mut self, day: Day, rows: Vec<Row>) {
        let mut told = DayRows::default();
        for row in rows {
            if let Some(sum) = self.consumed.get_mut(row.customer as usize) {
                *sum += row.used.both();
            }
            if !is_late(self.seed, row.customer, day) {
                told.first.push(row);
                continue;
            }
            let used = row.used.part(800);
            let rest = Used { up: row.used.up - used.up, down: row.used.down - used.down };
            told.first.push(Row { used, ..row });
            told.rest.push(Row { used: rest, ..row });
        }
        self.days.insert(day, told);
        self.through = self.through.max(day);
    }

    /// Closes every past day. A customer with nothing left, or disabled, uses nothing.
    pub(crate) fn catch_up(&mut self, ledger: &Connection, today: Day) -> rusqlite::Result<()> {
        self.statuses.follow(ledger)?;
        if self.through >= today.plus(-1) {
            return Ok(());
        }
        let recharged = customers::recharged(ledger)?;
        let given = |customer: u32| recharged.get(customer as usize).copied().unwrap_or_default();
        let mut insert = ledger.prepare_cached("INSERT OR REPLACE INTO usage_day VALUES (?1, ?2, ?3, ?4)")?;
        while self.through < today.plus(-1) {
            let day = self.through.plus(1);
            let rows: Vec<Row> = (0..self.customers)
                .map(|customer| Row { customer, used: self.affordable(customer, day, 1000, given(customer)) })
                .filter(|row| row.used.both() > 0)
                .collect();
            for Row { customer, used } in &rows {
                insert.execute(params![day.days(), customer, used.up, used.down])?;
            }
            self.keep(day, rows);
        }
        Ok(())
    }

    /// The usage of a day, or of its first thousandths, while the customer was active, limited by the traffic that is
    /// left of `recharged`.
    fn affordable(&self, customer: u32, day: Day, thousandths: i64, recharged: i64) -> Used {
        let left = recharged - self.consumed.get(customer as usize).copied().unwrap_or_default();
        // Deductions may exceed what was left.
        let left = left.max(0);
        let wanted = wanted(self.seed, customer, day).part(self.statuses.active(customer, day, thousandths));
        if wanted.both() <= left { wanted } else { wanted.part(left * 1000 / wanted.both()) }
    }

    /// Traffic a customer has used up to now, in millionths of a MB; zero for customers created later.
    pub(crate) fn consumed_by(&self, customer: u32, recharged: i64, now: i64) -> i64 {
        let Some(sum) = self.consumed.get(customer as usize) else { return 0 };
        sum + self.affordable(customer, Day::of(now, ZONE), part_of_day(now), recharged).both()
    }

    /// A page of the report as of now, newest day first, and the total number of rows.
    pub(crate) fn report(&self, recharged: &[i64], now: i64, asked: &Asked) -> (usize, Vec<(Day, Row)>) {
        let today = Day::of(now, ZONE);
        let fits = |row: &&Row| asked.only.is_none_or(|only| only == row.customer);
        let mut told = Vec::new();
        let mut total = 0;
        let mut tell = |day: Day, count: usize, rows: &mut dyn Iterator<Item = &Row>| {
            let skipped = asked.page.first.saturating_sub(total);
            if skipped < count && told.len() < asked.page.size {
                let room = asked.page.size - told.len();
                told.extend(rows.skip(skipped).take(room).map(|row| (day, *row)));
            }
            total += count;
        };
        if asked.from <= today && today <= asked.to {
            let part = part_of_day(now);
            let given = |customer: u32| recharged.get(customer as usize).copied().unwrap_or_default();
            let growing = (0..self.customers)
                .map(|customer| Row { customer, used: self.affordable(customer, today, part, given(customer)) })
                .filter(|row| row.used.both() > 0 && fits(&row))
                .collect::<Vec<_>>();
            tell(today, growing.len(), &mut growing.iter());
        }
        let last = asked.to.min(today.plus(-1));
        if asked.from <= last {
            for (day, rows) in self.days.range(asked.from..=last).rev() {
                let seen = rows.seen(*day, today);
                if asked.only.is_none() {
                    tell(*day, rows.count(*day, today), &mut seen.into_iter());
                } else {
                    let seen = seen.filter(fits);
                    tell(*day, seen.clone().count(), &mut seen.into_iter());
                }
            }
        }
        (total, told)
    }

    /// Traffic each customer had used by the end of the last past day, in millionths of a MB.
    pub(crate) fn consumed_through_yesterday(&self) -> &[i64] {
        &self.consumed
    }

    /// A customer's usage on a past day.
    pub(crate) fn of(&self, customer: u32, day: Day) -> Used {
        let Some(rows) = self.days.get(&day) else { return Used::default() };
        let own = rows.first.iter().chain(&rows.rest).filter(|row| row.customer == customer);
        own.fold(Used::default(), Used::and)
    }

    /// First and last past day.
    pub(crate) fn span(&self, today: Day) -> (Day, Day) {
        (self.since.plus(-HISTORY), self.through.min(today.plus(-1)))
    }

    /// Usage of all customers on a day, in both directions.
    pub(crate) fn sum_of(&self, day: Day) -> Used {
        let rows = self.days.get(&day).into_iter().flat_map(|rows| rows.first.iter().chain(&rows.rest));
        rows.fold(Used::default(), Used::and)
    }
}

/// The requested rows of the report.
pub(crate) struct Asked {
    pub(crate) page: Page,
    pub(crate) from: Day,
    pub(crate) to: Day,
    pub(crate) only: Option<u32>,
}

/// The elapsed share of the day, in thousandths.
fn part_of_day(now: i64) -> i64 {
    (now + i64::from(ZONE) * 60_000).rem_euclid(86_400_000) * 1000 / 86_400_000
}
