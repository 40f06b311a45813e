//! The kept rows themselves: chosen and put in order once, then read a window at a time.

use rusqlite::params;
use serde::Deserialize;
use ts_rs::TS;
use wire::ids::CustomerId;
use wire::{Day, MicroMb};

use crate::key::{keys, unpack};
use crate::store::{Store, StoreError};
use crate::window::Window;

/// The order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "RowOrder")]
pub enum Order {
    /// Newest day first.
    #[default]
    Newest,
    /// Oldest day first.
    Oldest,
    /// Most sent first.
    Upload,
    /// Most received first.
    Download,
}

/// A kept row with its names, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRow {
    /// The day.
    pub day: Day,
    /// Whose.
    pub customer_id: CustomerId,
    /// Login name.
    pub name: String,
    /// Sent.
    pub upload: MicroMb,
    /// Received.
    pub download: MicroMb,
}

impl Store {
    /// The keys of the rows of a span, in their order; `customer` keeps those of one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn select(&self, span: Window, customer: Option<&CustomerId>, order: Order) -> Result<Vec<i64>, StoreError> {
        let order = match order {
            Order::Newest => "key",
            Order::Oldest => "key DESC",
            Order::Upload => "up DESC, key",
            Order::Download => "down DESC, key",
        };
        let db = self.reader();
        let mut query = db.prepare_cached(&format!(
            "SELECT key FROM usage_row WHERE key >= ?1 AND key < ?2 AND
                 (?3 IS NULL OR (key >> 16 & 16777215) = (SELECT number FROM customer WHERE id = ?3))
             ORDER BY {order}"
        ))?;
        let (first, behind) = keys(span);
        let asked = params![first, behind, customer.map(CustomerId::as_str)];
        Ok(query.query_map(asked, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// The rows of these keys, in this order. One that is gone meanwhile is left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rows_at(&self, keys: &[i64]) -> Result<Vec<NamedRow>, StoreError> {
        let db = self.reader();
        let mut query = db.prepare_cached(
            "SELECT key, id, name, up, down, finer_up, finer_down FROM usage_row
             JOIN customer ON customer.number = (key >> 16 & 16777215) WHERE key = ?1",
        )?;
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            let mut found = query.query([key])?;
            if let Some(row) = found.next()? {
                let amount = |at: usize, finer: usize| -> rusqlite::Result<MicroMb> {
                    let finer: Option<String> = row.get(finer)?;
                    Ok(MicroMb { micro: row.get(at)?, finer: finer.map(Into::into) })
                };
                rows.push(NamedRow {
                    day: unpack(row.get(0)?).0,
                    customer_id: CustomerId::new(row.get::<_, String>(1)?),
                    name: row.get(2)?,
                    upload: amount(3, 5)?,
                    download: amount(4, 6)?,
                });
            }
        }
        Ok(rows)
    }
}
