//! The agent's customers of one connection: read from the vendor, kept on disk with the time of reading,
//! shown with what is known of them here.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use client::{Client, Error};
use customers::naming::Naming;
use customers::{CustomerRow, Draft};
use operations::Balance;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use wire::Day;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::session::wall_clock;

/// All customers, with the time of reading.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct CustomersRead {
    /// In the vendor's order, each once.
    pub(crate) rows: Arc<Vec<Customer>>,
    /// Wall clock, ms since 1970.
    pub(crate) read_at: i64,
    /// Where the journal stood before they were read.
    #[serde(default)]
    pub(crate) seen: i64,
}

/// What use says of a customer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Use {
    pub(crate) days_left: Option<i32>,
    pub(crate) last: Option<Day>,
}

/// A choice of rows, in its order.
type Choice = (u32, Arc<Vec<u32>>);

const CHOICES: usize = 3;

/// The file of a connection's customers: no secrets, may be deleted at any time.
pub(crate) const FILE: &str = "customers.json";

pub(crate) struct Customers {
    file: PathBuf,
    read: Mutex<Option<CustomersRead>>,
    /// The rows of the list, as they were made last.
    rows: parking_lot::Mutex<Arc<Vec<CustomerRow>>>,
    chosen: parking_lot::Mutex<VecDeque<Choice>>,
    uses: parking_lot::Mutex<Arc<HashMap<CustomerId, Use>>>,
    /// What the open dialogs show: the page cannot make it up.
    shown: parking_lot::Mutex<HashMap<CustomerId, Shown>>,
    /// The bulk that is being prepared.
    pub(crate) desk: Mutex<Option<Desk>>,
}

/// A bulk that is being prepared.
pub(crate) struct Desk {
    pub(crate) draft: Draft,
    /// What a status is set to.
    pub(crate) active: bool,
    /// The confirmation that is open, with the hash of nothing else than what was shown.
    pub(crate) offered: Option<String>,
}

/// What a dialog that moves traffic shows of a customer.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) user_name: String,
    pub(crate) balance: Balance,
    /// What the agent can give at most, MB; `None` is not told.
    pub(crate) own: Option<wire::Amount>,
}

impl Customers {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            file,
            read: Mutex::default(),
            rows: parking_lot::Mutex::default(),
            chosen: parking_lot::Mutex::default(),
            uses: parking_lot::Mutex::default(),
            shown: parking_lot::Mutex::default(),
            desk: Mutex::default(),
        }
    }

    /// What was read last, from memory or from disk; read from the vendor when there is nothing or `again`
    /// is wanted. `seen`: where the journal stands now.
    pub(crate) async fn all(&self, client: &Client, again: bool, seen: i64) -> Result<CustomersRead, Error> {
        let mut read = self.read.lock().await;
        if read.is_none() {
            *read = self.kept().await;
        }
        if let Some(kept) = read.as_ref().filter(|_| !again) {
            return Ok(kept.clone());
        }
        // The figures are those of the first page's time.
        let read_at = wall_clock();
        let rows = Arc::new(client::customers::all(client, None).await?);
        let fresh = CustomersRead { rows, read_at, seen };
        self.keep(fresh.clone());
        *read = Some(fresh.clone());
        Ok(fresh)
    }

    /// What is known without asking the vendor.
    pub(crate) async fn known(&self) -> Option<CustomersRead> {
        let mut read = self.read.lock().await;
        if read.is_none() {
            *read = self.kept().await;
        }
        read.clone()
    }

    async fn kept(&self) -> Option<CustomersRead> {
        let file = self.file.clone();
        let read = tokio::task::spawn_blocking(move || serde_json::from_slice(&std::fs::read(file).ok()?).ok()).await;
        read.ok().flatten()
    }

    /// Behind whoever waits: what cannot be kept is read again.
    fn keep(&self, read: CustomersRead) {
        let file = self.file.clone();
        tokio::task::spawn_blocking(move || {
            let written = serde_json::to_vec(&read).map_err(std::io::Error::from);
            let beside = file.with_extension("new");
            let kept =
                written.and_then(|text| std::fs::write(&beside, text)).and_then(|()| std::fs::rename(&beside, &file));
            if let Err(error) = kept {
                tracing::info!(%error, "customers not kept");
            }
        });
    }

    pub(crate) async fn forget(&self) {
        *self.read.lock().await = None;
        let _ = std::fs::remove_file(&self.file);
    }

    pub(crate) fn set_rows(&self, rows: Vec<CustomerRow>) -> Arc<Vec<CustomerRow>> {
        let rows = Arc::new(rows);
        *self.rows.lock() = rows.clone();
        rows
    }

    pub(crate) fn rows(&self) -> Arc<Vec<CustomerRow>> {
        self.rows.lock().clone()
    }

    /// Keeps a choice of rows and numbers it: the last few stay.
    pub(crate) fn choose(&self, places: Vec<u32>) -> u32 {
        let mut chosen = self.chosen.lock();
        let number = chosen.back().map_or(1, |(number, _)| number.wrapping_add(1));
        chosen.push_back((number, Arc::new(places)));
        if chosen.len() > CHOICES {
            chosen.pop_front();
        }
        number
    }

    pub(crate) fn chosen(&self, number: u32) -> Option<Arc<Vec<u32>>> {
        self.chosen.lock().iter().find(|choice| choice.0 == number).map(|choice| choice.1.clone())
    }

    pub(crate) fn set_uses(&self, uses: HashMap<CustomerId, Use>) {
        *self.uses.lock() = Arc::new(uses);
    }

    pub(crate) fn uses(&self) -> Arc<HashMap<CustomerId, Use>> {
        self.uses.lock().clone()
    }

    pub(crate) fn show(&self, customer: CustomerId, shown: Shown) {
        self.shown.lock().insert(customer, shown);
    }

    pub(crate) fn shown(&self, customer: &CustomerId) -> Option<Shown> {
        self.shown.lock().get(customer).cloned()
    }
}

/// What a draft is compared with, read now.
pub(crate) struct Known {
    pub(crate) customers: Arc<Vec<Customer>>,
    pub(crate) naming: Naming,
    pub(crate) held: HashSet<String>,
    pub(crate) disabled: HashSet<CustomerId>,
    pub(crate) own: Option<wire::Amount>,
}
