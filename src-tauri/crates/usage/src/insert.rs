//! Writes rows and, in the same transaction, their sums.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};
use wire::usage::UsageRow;
use wire::{Day, MicroMb};

use crate::key::{CUSTOMER_BITS, NUMBER_BITS, first_key};
use crate::store::{Reading, StoreError};

/// Number and name by customer id.
pub(crate) type Customers = HashMap<String, (i64, String)>;

/// Sums of the rows that one call inserts, by day and by month and customer.
#[derive(Default)]
struct Sums {
    days: HashMap<i32, (i64, i64, i64)>,
    months: HashMap<(i32, i64), (i64, i64, i64)>,
}

impl Sums {
    fn add_day(&mut self, day: Day, (up, down, rows): (i64, i64, i64)) {
        if rows > 0 {
            let sum = self.days.entry(day.days()).or_default();
            *sum = (sum.0 + up, sum.1 + down, sum.2 + rows);
        }
    }
}

pub(crate) fn insert(
    db: &Transaction<'_>,
    customers: &mut Customers,
    rows: &[UsageRow],
    reading: &mut Reading,
) -> Result<(), StoreError> {
    let mut sums = Sums::default();
    // Nearly no row is finer than a millionth, so those columns are usually not bound.
    let mut plain =
        db.prepare_cached("INSERT INTO usage_row (key, up, down) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?;
    let mut finer = db.prepare_cached(
        "INSERT INTO usage_row (key, up, down, finer_up, finer_down) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
    )?;
    let mut write = |key: i64, up: &MicroMb, down: &MicroMb| match (&up.finer, &down.finer) {
        (None, None) => plain.execute(params![key, up.micro, down.micro]),
        (finer_up, finer_down) => finer.execute(params![key, up.micro, down.micro, finer_up, finer_down]),
    };
    let mut month = (Day::new(i32::MIN), Day::new(i32::MIN));
    // Rows of one day come together.
    let mut of_day = (0, 0, 0);
    for row in rows {
        let id = row.customer_id.as_str();
        let known = customers.get(id).filter(|(_, name)| row.user_name.is_empty() || *name == row.user_name);
        let customer = match known {
            Some((number, _)) => *number,
            None => {
                let number = customer_number(db, id, &row.user_name)?;
                customers.insert(id.to_owned(), (number, row.user_name.clone()));
                number
            }
        };
        if month.0 != row.report_date {
            sums.add_day(month.0, std::mem::take(&mut of_day));
            month = (row.report_date, row.report_date.month_start());
        }
        let (up, down) = (&row.upload, &row.download);
        let first = first_key(row.report_date) | customer << NUMBER_BITS;
        let mut number = 0;
        while write(first | number, up, down)? == 0 {
            reading.doubtful |= is_equal(db, first | number, up.micro, down.micro)?;
            number += 1;
            if number >> NUMBER_BITS != 0 {
                return Err(StoreError::TooMany);
            }
        }
        for sum in [&mut of_day, sums.months.entry((month.1.days(), customer)).or_default()] {
            *sum = (sum.0 + up.micro, sum.1 + down.micro, sum.2 + 1);
        }
    }
    sums.add_day(month.0, of_day);
    add_sums(db, &sums)?;
    Ok(())
}

/// The customer's number in the keys.
fn customer_number(db: &Transaction<'_>, id: &str, name: &str) -> Result<i64, StoreError> {
    let mut upsert = db.prepare_cached(
        "INSERT INTO customer (id, name) VALUES (?1, ?2)
         ON CONFLICT (id) DO UPDATE SET name = CASE WHEN excluded.name = '' THEN name ELSE excluded.name END
         RETURNING number",
    )?;
    let number: i64 = upsert.query_row([id, name], |row| row.get(0))?;
    if number >> CUSTOMER_BITS == 0 { Ok(number) } else { Err(StoreError::TooMany) }
}

fn is_equal(db: &Connection, key: i64, up: i64, down: i64) -> rusqlite::Result<bool> {
    let mut query = db.prepare_cached("SELECT up = ?2 AND down = ?3 FROM usage_row WHERE key = ?1")?;
    query.query_row(params![key, up, down], |row| row.get(0))
}

fn add_sums(db: &Transaction<'_>, sums: &Sums) -> rusqlite::Result<()> {
    let mut day = db.prepare_cached(
        "INSERT INTO day_sum VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (day) DO UPDATE SET up = up + excluded.up, down = down + excluded.down, rows = rows + excluded.rows",
    )?;
    for (at, (up, down, rows)) in &sums.days {
        day.execute(params![at, up, down, rows])?;
    }
    let mut month = db.prepare_cached(
        "INSERT INTO month_sum VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (month, customer) DO UPDATE SET up = up + excluded.up, down = down + excluded.down, rows = rows + excluded.rows",
    )?;
    for ((at, customer), (up, down, rows)) in &sums.months {
        month.execute(params![at, customer, up, down, rows])?;
    }
    Ok(())
}
