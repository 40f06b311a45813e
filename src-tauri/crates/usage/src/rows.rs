//! The stored rows themselves: selected and sorted once, then read in slices.

use rusqlite::params;
use serde::Deserialize;
use ts_rs::TS;
use wire::ids::CustomerId;
use wire::{Day, MicroMb};

use crate::key::{keys, unpack};
use crate::store::{Store, StoreError};
use crate::window::Window;

/// The sort order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "RowOrder")]
pub enum Order {
    /// Newest day first.
    #[default]
    Newest,
    /// Oldest day first.
    Oldest,
    /// Largest upload first.
    Upload,
    /// Largest download first.
    Download,
}

/// A stored row with its customer's name, exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRow {
    /// The day.
    pub day: Day,
    /// The customer.
    pub customer_id: CustomerId,
    /// User name.
    pub name: String,
    /// Sent, in MB.
    pub upload: MicroMb,
    /// Received, in MB.
    pub download: MicroMb,
}

impl Store {
    /// The keys of the rows of a span, sorted. `customer` limits them to one customer.
    pub fn select(&self, span: Window, customer: Option<&CustomerId>, order: Order) -> Result<Vec<i64>, StoreError> {
        let order = match order {
            Order::Newest => "key",
            Order::Oldest => "key DESC",
            Order::Upload => "up DESC, key",
            Order::Download => "down DESC, key",
        };
        let db = self.reader.lock();
        let mut query = db.prepare_cached(&format!(
            "SELECT key FROM usage_row WHERE key >= ?1 AND key < ?2 AND
                 (?3 IS NULL OR (key >> 16 & 16777215) = (SELECT number FROM customer WHERE id = ?3))
             ORDER BY {order}"
        ))?;
        let (first, behind) = keys(span);
        let asked = params![first, behind, customer.map(CustomerId::as_str)];
        Ok(query.query_map(asked, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// The rows of these keys, in this order; `None` for a row that is gone.
    pub fn rows_at(&self, keys: &[i64]) -> Result<Vec<Option<NamedRow>>, StoreError> {
        let db = self.reader.lock();
        let mut query = db.prepare_cached(
            "SELECT key, id, name, up, down, finer_up, finer_down FROM usage_row
             JOIN customer ON customer.number = (key >> 16 & 16777215) WHERE key = ?1",
        )?;
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            let mut found = query.query([key])?;
            let Some(row) = found.next()? else {
                rows.push(None);
                continue;
            };
            let amount = |at: usize, finer: usize| -> rusqlite::Result<MicroMb> {
                let finer: Option<String> = row.get(finer)?;
                Ok(MicroMb { micro: row.get(at)?, finer: finer.map(Into::into) })
            };
            rows.push(Some(NamedRow {
                day: unpack(row.get(0)?).0,
                customer_id: CustomerId::new(row.get::<_, String>(1)?),
                name: row.get(2)?,
                upload: amount(3, 5)?,
                download: amount(4, 6)?,
            }));
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::usage::UsageRow;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("cache.db"), "a service").unwrap();
        let row = |day: &str, customer: u32, up: &str, down: &str| -> UsageRow {
            let json = format!(
                r#"{{"reportDate":"{day}","customerId":{customer},"userName":"c{customer}","uploadFlow":{up},"downloadFlow":{down}}}"#
            );
            serde_json::from_str(&json).unwrap()
        };
        let rows = [
            row("2026-01-02", 1, "3", "1"),
            row("2026-01-02", 2, "1.23456789", "9"),
            row("2026-01-03", 1, "2", "5"),
            row("2026-01-03", 1, "2", "5"),
        ];
        store.replace(span(), &rows, &[]).unwrap();
        (folder, store)
    }

    fn span() -> Window {
        Window { from: "2026-01-01".parse().unwrap(), to: "2026-01-31".parse().unwrap() }
    }

    fn told(store: &Store, customer: Option<&str>, order: Order) -> Vec<String> {
        let customer = customer.map(CustomerId::new);
        let keys = store.select(span(), customer.as_ref(), order).unwrap();
        let rows = store.rows_at(&keys).unwrap().into_iter().map(Option::unwrap);
        rows.map(|row| format!("{} {} {} {}", &row.day.to_string()[8..], row.name, row.upload, row.download)).collect()
    }

    #[test]
    fn rows_come_in_the_order_that_was_asked_for() {
        let (_folder, store) = store();
        let [a, b, c, d] = ["03 c1 2 5", "03 c1 2 5", "02 c1 3 1", "02 c2 1.23456789 9"];
        assert_eq!(told(&store, None, Order::Newest), [a, b, c, d]);
        assert_eq!(told(&store, None, Order::Oldest), [d, c, b, a]);
        assert_eq!(told(&store, None, Order::Upload), [c, a, b, d]);
        assert_eq!(told(&store, None, Order::Download), [d, a, b, c]);
        assert_eq!(told(&store, Some("1"), Order::Newest), [a, b, c], "equal rows are both real");
        assert_eq!(told(&store, Some("7"), Order::Newest), [""; 0]);
    }

    #[test]
    fn a_row_that_is_gone_leaves_its_place() {
        let (_folder, store) = store();
        let keys = store.select(span(), None, Order::Newest).unwrap();
        store.forget(Window { from: "2026-01-03".parse().unwrap(), to: "2026-01-03".parse().unwrap() }).unwrap();
        let there: Vec<bool> = store.rows_at(&keys).unwrap().iter().map(Option::is_some).collect();
        assert_eq!(there, [false, false, true, true]);
    }
}
