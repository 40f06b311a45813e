//! The customers of one connection: read from the vendor, stored on disk with the time of the read, shown with what is
//! known about them here.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use client::{Client, Error};
use customers::naming::Naming;
use customers::{CustomerRow, Draft};
use operations::Balance;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use wire::customers::Customer;
use wire::ids::CustomerId;

use super::uses::{MadeFrom, Use, Uses};
use crate::clock::wall_clock;
use crate::last_answers;
use crate::selections::Selections;

/// All customers, with the time of the read.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct CustomersRead {
    /// In the vendor's order, each once.
    pub(crate) rows: Arc<Vec<Customer>>,
    /// When they were read, wall clock, ms since 1970.
    pub(crate) read_at: i64,
    /// The journal's position before they were read.
    #[serde(default)]
    pub(crate) seen: i64,
}

/// Rows that a query found. They stay what they were when the list is read again.
pub(crate) struct Chosen {
    pub(crate) rows: Arc<Vec<CustomerRow>>,
    /// The places of those found, in order.
    pub(crate) places: Vec<u32>,
}

impl Chosen {
    /// The rows found, in order.
    pub(crate) fn found(&self) -> impl Iterator<Item = &CustomerRow> {
        self.places.iter().filter_map(|at| self.rows.get(*at as usize))
    }
}

/// The name of a connection's stored customers. No secrets; may be deleted at any time.
pub(crate) const FILE: &str = "customers.json";

pub(crate) struct Customers {
    file: PathBuf,
    read: Mutex<Option<CustomersRead>>,
    /// The rows of the list, as last built.
    rows: parking_lot::Mutex<Arc<Vec<CustomerRow>>>,
    pub(crate) chosen: Selections<Chosen>,
    /// Locked while they are made.
    uses: Mutex<Arc<Uses>>,
    /// When the customers in `read` were read; `None`: there are none. Apart from it, because `read` is locked while the
    /// vendor answers.
    read_at: parking_lot::Mutex<Option<i64>>,
    /// The figures in the open dialogs. Stored here so that the page cannot invent them.
    shown: parking_lot::Mutex<HashMap<CustomerId, Shown>>,
    /// The bulk that is being prepared.
    pub(crate) desk: Mutex<Option<Desk>>,
}

/// A bulk that is being prepared.
pub(crate) struct Desk {
    /// The number of the draft since the program was started, from 1.
    pub(crate) number: u32,
    pub(crate) draft: Draft,
    /// The status to set, if the bulk sets one.
    pub(crate) active: bool,
    /// The token of the open confirmation; `None` once the draft is judged again.
    pub(crate) offered: Option<String>,
}

/// The figures of a customer in a dialog that moves traffic.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The last event of the journal before they were read.
    pub(crate) seen: i64,
    pub(crate) user_name: String,
    pub(crate) balance: Balance,
    /// The most that the agent can give, MB; `None` when not reported or not read.
    pub(crate) own: Option<wire::Amount>,
}

impl Customers {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            file,
            read: Mutex::default(),
            rows: parking_lot::Mutex::default(),
            chosen: Selections::default(),
            uses: Mutex::default(),
            read_at: parking_lot::Mutex::default(),
            shown: parking_lot::Mutex::default(),
            desk: Mutex::default(),
        }
    }

    /// The customers that were last read, from memory or disk. Reads them from the vendor if there are none, or if
    /// `again` is set. `seen` is the journal's present position.
    pub(crate) async fn all(&self, client: &Client, again: bool, seen: i64) -> Result<CustomersRead, Error> {
        let mut read = self.read.lock().await;
        if read.is_none() {
            self.keep(&mut read, last_answers::read(&self.file).await);
        }
        if let Some(kept) = read.as_ref().filter(|_| !again) {
            return Ok(kept.clone());
        }
        // The figures are at least as new as the start of the read.
        let read_at = wall_clock();
        let rows = Arc::new(client::customers::all(client, None).await?);
        let fresh = CustomersRead { rows, read_at, seen };
        // In the background: if it fails, they are read again.
        tokio::spawn(last_answers::write(self.file.clone(), fresh.clone()));
        self.keep(&mut read, Some(fresh.clone()));
        Ok(fresh)
    }

    /// The customers, if they are known without asking the vendor.
    pub(crate) async fn known(&self) -> Option<CustomersRead> {
        let mut read = self.read.lock().await;
        if read.is_none() {
            self.keep(&mut read, last_answers::read(&self.file).await);
        }
        read.clone()
    }

    pub(crate) async fn forget(&self) {
        self.keep(&mut *self.read.lock().await, None);
        *self.uses.lock().await = Arc::default();
        let _ = files::remove(&self.file);
    }

    pub(crate) fn set_rows(&self, rows: Vec<CustomerRow>) -> Arc<Vec<CustomerRow>> {
        let rows = Arc::new(rows);
        *self.rows.lock() = rows.clone();
        rows
    }

    pub(crate) fn rows(&self) -> Arc<Vec<CustomerRow>> {
        self.rows.lock().clone()
    }

    /// The uses that are made from this. Makes them if the last ones were made from something else, one at a time;
    /// without an answer, the last ones stay.
    pub(crate) async fn uses(
        &self,
        made_from: MadeFrom,
        make: impl Future<Output = Option<HashMap<CustomerId, Use>>>,
    ) -> Arc<Uses> {
        let mut uses = self.uses.lock().await;
        if uses.made_from != Some(made_from)
            && let Some(each) = make.await
        {
            *uses = Arc::new(Uses { made_from: Some(made_from), each });
        }
        uses.clone()
    }

    /// The uses that were made last.
    pub(crate) async fn last_uses(&self) -> Arc<Uses> {
        self.uses.lock().await.clone()
    }

    /// Whether these are still the customers that were read last.
    pub(crate) fn is_last(&self, read: &CustomersRead) -> bool {
        *self.read_at.lock() == Some(read.read_at)
    }

    fn keep(&self, read: &mut Option<CustomersRead>, now: Option<CustomersRead>) {
        *self.read_at.lock() = now.as_ref().map(|now| now.read_at);
        *read = now;
    }

    pub(crate) fn show(&self, customer: CustomerId, shown: Shown) {
        self.shown.lock().insert(customer, shown);
    }

    pub(crate) fn shown(&self, customer: &CustomerId) -> Option<Shown> {
        self.shown.lock().get(customer).cloned()
    }
}

/// The facts that a draft is compared with.
pub(crate) struct Known {
    pub(crate) customers: Arc<Vec<Customer>>,
    pub(crate) naming: Naming,
    pub(crate) held: HashSet<String>,
    pub(crate) disabled: HashSet<CustomerId>,
    pub(crate) own: Option<wire::Amount>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str) -> CustomerRow {
        let customer = serde_json::from_value(serde_json::json!({ "customerId": id, "userName": id })).unwrap();
        let (note, tags) = (String::new(), Vec::new());
        CustomerRow {
            customer,
            days_left: None,
            last_use: None,
            status: None,
            note,
            tags,
            held: None,
            haystack: String::new(),
        }
    }

    #[test]
    fn a_choice_keeps_its_customers_when_the_list_is_read_again() {
        let customers = Customers::new(PathBuf::new());
        let rows = customers.set_rows(vec![row("1"), row("2")]);
        let number = customers.chosen.add(Chosen { rows, places: vec![1] });
        customers.set_rows(vec![row("0"), row("1"), row("2")]);
        let chosen = customers.chosen.get(number).unwrap();
        let ids: Vec<_> = chosen.found().map(|row| row.customer.customer_id.as_str()).collect();
        assert_eq!(ids, ["2"]);
    }
}
