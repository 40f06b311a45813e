//! The agent's customers as last read: all of them, kept while the connection is open.

use std::collections::HashMap;

use client::customers::ListQuery;
use client::{Client, Error};
use operations::sight::Standing;
use serde::Serialize;
use tokio::sync::Mutex;
use ts_rs::TS;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::session::wall_clock;

/// All customers, with the time of reading.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomersRead {
    /// In the vendor's order, each once.
    pub rows: Vec<Customer>,
    /// When they were read, wall clock, ms since 1970.
    pub read_at: i64,
}

/// "`customer/list` has no stated page maximum: ask for 100, accept fewer."
const PAGE: u32 = 100;
/// A list that never ends is none.
const MOST_PAGES: u32 = 10_000;

#[derive(Default)]
pub(crate) struct Customers {
    read: Mutex<Option<CustomersRead>>,
    /// What the open dialogs show: the page can not make it up.
    shown: std::sync::Mutex<HashMap<CustomerId, Shown>>,
}

/// What a dialog that moves traffic shows of a customer.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) user_name: String,
    pub(crate) standing: Standing,
    /// What the agent can give at most, MB; `None` is not told.
    pub(crate) own: Option<wire::Amount>,
}

impl Customers {
    /// What was read last; read from the vendor when there is nothing or `again` is wanted.
    pub(crate) async fn all(&self, client: &Client, again: bool) -> Result<CustomersRead, Error> {
        let mut read = self.read.lock().await;
        if let Some(kept) = read.as_ref().filter(|_| !again) {
            return Ok(kept.clone());
        }
        let fresh = CustomersRead { rows: all_pages(client).await?, read_at: wall_clock() };
        *read = Some(fresh.clone());
        Ok(fresh)
    }

    pub(crate) async fn forget(&self) {
        *self.read.lock().await = None;
    }

    pub(crate) fn show(&self, customer: CustomerId, shown: Shown) {
        self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(customer, shown);
    }

    pub(crate) fn shown(&self, customer: &CustomerId) -> Option<Shown> {
        self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(customer).cloned()
    }
}

async fn all_pages(client: &Client) -> Result<Vec<Customer>, Error> {
    let mut rows: Vec<Customer> = Vec::new();
    let mut at = HashMap::new();
    let mut seen = 0;
    for page in 1..=MOST_PAGES {
        let query = ListQuery { page, page_size: PAGE, ..ListQuery::default() };
        let answer = client.call(client::customers::list(&query)).await?.data;
        seen += answer.rows.len() as i64;
        let last = answer.rows.is_empty() || seen >= answer.total;
        for row in answer.rows {
            // A customer that moved to a later page meanwhile is there once, as seen last.
            match at.get(&row.customer_id) {
                Some(&known) => rows[known] = row,
                None => {
                    at.insert(row.customer_id.clone(), rows.len());
                    rows.push(row);
                }
            }
        }
        if last {
            break;
        }
    }
    Ok(rows)
}
