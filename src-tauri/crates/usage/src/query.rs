//! Queries of the stored usage for the screens; they use sums wherever possible.

use rusqlite::params;
use serde::Serialize;
use ts_rs::TS;
use wire::ids::CustomerId;
use wire::{Day, MicroMb};

use crate::key::{keys, unpack};
use crate::store::{Store, StoreError};
use crate::window::Window;

/// Usage on one day, in MB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DayUse {
    /// The day.
    pub day: Day,
    /// Sent, in MB.
    pub upload: MicroMb,
    /// Received, in MB.
    pub download: MicroMb,
    /// Sent and received, in MB.
    pub sum: MicroMb,
}

/// Usage of one customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomerUse {
    /// The customer.
    pub customer_id: CustomerId,
    /// User name.
    pub name: String,
    /// Sent, in MB.
    pub upload: MicroMb,
    /// Received, in MB.
    pub download: MicroMb,
    /// Sent and received, in MB.
    pub sum: MicroMb,
}

/// A stored row, exact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptRow {
    /// The day.
    pub day: Day,
    /// The customer.
    pub customer_id: CustomerId,
    /// Sent, in MB.
    pub upload: MicroMb,
    /// Received, in MB.
    pub download: MicroMb,
}

impl Store {
    /// Usage by day, oldest first. Days without rows are left out.
    pub fn by_day(&self, span: Window) -> Result<Vec<DayUse>, StoreError> {
        let db = self.reader.lock();
        let mut query =
            db.prepare_cached("SELECT day, up, down FROM day_sum WHERE day BETWEEN ?1 AND ?2 ORDER BY day")?;
        Ok(query.query_map(params![span.from.days(), span.to.days()], day_use)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Usage of one customer by day, oldest first.
    pub fn by_day_of(&self, customer: &CustomerId, span: Window) -> Result<Vec<DayUse>, StoreError> {
        let db = self.reader.lock();
        // Query one day at a time: the key starts with the day, so this touches only the customer's own rows.
        let mut query = db.prepare_cached(
            "SELECT day_sum.day, sum(usage_row.up), sum(usage_row.down) FROM day_sum
             JOIN customer ON customer.id = ?1
             JOIN usage_row ON usage_row.key >= (((4194304 - day_sum.day) << 40) | (customer.number << 16))
                           AND usage_row.key < (((4194304 - day_sum.day) << 40) | ((customer.number + 1) << 16))
             WHERE day_sum.day BETWEEN ?2 AND ?3 GROUP BY day_sum.day ORDER BY day_sum.day",
        )?;
        let span = params![customer.as_str(), span.from.days(), span.to.days()];
        Ok(query.query_map(span, day_use)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Usage by customer, largest first. Whole months come from monthly sums, the days at both ends from rows.
    pub fn by_customer(&self, span: Window) -> Result<Vec<CustomerUse>, StoreError> {
        let (months, ends) = parts(span);
        let db = self.reader.lock();
        let mut query = db.prepare_cached(
            "SELECT customer.id, customer.name, sum(up), sum(down) FROM (
                 SELECT customer, up, down FROM month_sum WHERE month BETWEEN ?1 AND ?2
                 UNION ALL SELECT key >> 16 & 16777215, up, down FROM usage_row WHERE key >= ?3 AND key < ?4
                 UNION ALL SELECT key >> 16 & 16777215, up, down FROM usage_row WHERE key >= ?5 AND key < ?6
             ) AS part JOIN customer ON customer.number = part.customer
             GROUP BY part.customer ORDER BY sum(up) + sum(down) DESC, customer.id",
        )?;
        let (head, tail) = (ends.0.map_or((0, 0), keys), ends.1.map_or((0, 0), keys));
        let months = months.map_or((1, 0), |months| (months.from.days(), months.to.days()));
        let customer = |row: &rusqlite::Row<'_>| {
            let id: String = row.get(0)?;
            let (upload, download, sum) = amounts(row, 2)?;
            Ok(CustomerUse { customer_id: CustomerId::new(id), name: row.get(1)?, upload, download, sum })
        };
        let asked = params![months.0, months.1, head.0, head.1, tail.0, tail.1];
        Ok(query.query_map(asked, customer)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Every row of a span, newest day first.
    pub fn kept(&self, span: Window) -> Result<Vec<KeptRow>, StoreError> {
        let db = self.reader.lock();
        let mut query = db.prepare_cached(
            "SELECT key, id, up, down, finer_up, finer_down FROM usage_row
             JOIN customer ON customer.number = (key >> 16 & 16777215) WHERE key >= ?1 AND key < ?2 ORDER BY key",
        )?;
        let kept = |row: &rusqlite::Row<'_>| {
            let (id, finer_up, finer_down): (String, Option<String>, Option<String>) =
                (row.get(1)?, row.get(4)?, row.get(5)?);
            Ok(KeptRow {
                day: unpack(row.get(0)?).0,
                customer_id: CustomerId::new(id),
                upload: MicroMb { micro: row.get(2)?, finer: finer_up.map(Into::into) },
                download: MicroMb { micro: row.get(3)?, finer: finer_down.map(Into::into) },
            })
        };
        let (first, behind) = keys(span);
        Ok(query.query_map([first, behind], kept)?.collect::<rusqlite::Result<_>>()?)
    }
}

/// Reads sent and received, starting at column `at`, and adds both.
fn amounts(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<(MicroMb, MicroMb, MicroMb)> {
    let (up, down): (i64, i64) = (row.get(at)?, row.get(at + 1)?);
    Ok((MicroMb::new(up), MicroMb::new(down), MicroMb::new(up.saturating_add(down))))
}

fn day_use(row: &rusqlite::Row<'_>) -> rusqlite::Result<DayUse> {
    let (upload, download, sum) = amounts(row, 1)?;
    Ok(DayUse { day: Day::new(row.get(0)?), upload, download, sum })
}

/// Splits a span into its whole months (by their first days) and the days before and after them.
fn parts(span: Window) -> (Option<Window>, (Option<Window>, Option<Window>)) {
    let first = Window::month_of(span.from);
    let last = Window::month_of(span.to);
    let from = if first.from == span.from { first.from } else { first.to.plus(1) };
    let to = if last.to == span.to { last.from } else { last.month_before().from };
    if from > to {
        return (None, (Some(span), None));
    }
    let head = (span.from < from).then(|| Window { from: span.from, to: from.plus(-1) });
    let behind = Window::month_of(to).to.plus(1);
    let tail = (behind <= span.to).then_some(Window { from: behind, to: span.to });
    (Some(Window { from, to }), (head, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_cut_into_whole_months_and_its_ends() {
        let window = |from: &str, to: &str| Window { from: from.parse().unwrap(), to: to.parse().unwrap() };
        let cases = [
            (("2026-01-10", "2026-01-20"), None, Some(("2026-01-10", "2026-01-20")), None),
            (("2026-01-01", "2026-01-31"), Some(("2026-01-01", "2026-01-01")), None, None),
            (
                ("2026-01-15", "2026-04-02"),
                Some(("2026-02-01", "2026-03-01")),
                Some(("2026-01-15", "2026-01-31")),
                Some(("2026-04-01", "2026-04-02")),
            ),
            (("2026-01-15", "2026-02-10"), None, Some(("2026-01-15", "2026-02-10")), None),
            (
                ("2026-01-01", "2026-02-10"),
                Some(("2026-01-01", "2026-01-01")),
                None,
                Some(("2026-02-01", "2026-02-10")),
            ),
        ];
        for ((from, to), months, head, tail) in cases {
            let told = |part: Option<(&str, &str)>| part.map(|(from, to)| window(from, to));
            assert_eq!(parts(window(from, to)), (told(months), (told(head), told(tail))), "{from} {to}");
        }
    }
}
