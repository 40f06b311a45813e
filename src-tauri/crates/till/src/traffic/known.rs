//! The traffic of one connection as it was last read, stored with the time of the read. Each file may be deleted at any
//! time.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wire::Amount;
use wire::ids::CustomerId;
use wire::traffic::{TrafficTotal, TrafficTotals};

use super::{ConsumptionRead, CustomerRecordsRead, RecordList, RecordsRead, TotalsRead};
use crate::last_answers;

pub(crate) struct KnownTraffic {
    folder: PathBuf,
}

/// Recharged, consumed and left of an account, MB.
type Account = Option<[Option<Amount>; 3]>;

#[derive(Serialize, Deserialize)]
struct Totals {
    read_at: i64,
    primary: Account,
    secondary: Account,
}

/// The records of customers, those of the last read first.
type OfCustomers = Vec<(CustomerId, CustomerRecordsRead)>;

/// The names of the files.
const TOTALS: &str = "totals.json";
const CONSUMPTION: [&str; 2] = ["consumption.json", "consumption-nni.json"];
const RECORDS: [&str; 3] = ["records-recharged.json", "records-consumed.json", "records-received.json"];
const OF_CUSTOMERS: &str = "records-of-customers.json";

/// The number of customers whose records are stored.
const CUSTOMERS: usize = 100;

fn records_file(list: RecordList) -> &'static str {
    let [recharged, consumed, received] = RECORDS;
    match list {
        RecordList::Recharged => recharged,
        RecordList::Consumed => consumed,
        RecordList::Received => received,
    }
}

impl KnownTraffic {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    pub(crate) async fn totals(&self) -> Option<TotalsRead> {
        let Totals { read_at, primary, secondary } = last_answers::read(&self.folder.join(TOTALS)).await?;
        let total = |[recharged, consumed, left]: [Option<Amount>; 3]| TrafficTotal { recharged, consumed, left };
        let totals = TrafficTotals { primary: primary.map(total), secondary: secondary.map(total) };
        Some(TotalsRead { totals, read_at })
    }

    pub(crate) async fn keep_totals(&self, totals: &TrafficTotals, read_at: i64) {
        let amounts = |total: &TrafficTotal| [total.recharged, total.consumed, total.left];
        let (primary, secondary) = (totals.primary.as_ref().map(amounts), totals.secondary.as_ref().map(amounts));
        last_answers::write(self.folder.join(TOTALS), Totals { read_at, primary, secondary }).await;
    }

    pub(crate) async fn consumption(&self, nni: bool) -> Option<ConsumptionRead> {
        last_answers::read(&self.folder.join(CONSUMPTION[usize::from(nni)])).await
    }

    pub(crate) async fn keep_consumption(&self, nni: bool, read: ConsumptionRead) {
        last_answers::write(self.folder.join(CONSUMPTION[usize::from(nni)]), read).await;
    }

    pub(crate) async fn records(&self, list: RecordList) -> Option<RecordsRead> {
        last_answers::read(&self.folder.join(records_file(list))).await
    }

    pub(crate) async fn keep_records(&self, list: RecordList, read: RecordsRead) {
        last_answers::write(self.folder.join(records_file(list)), read).await;
    }

    pub(crate) async fn customer_records(&self, customer: &CustomerId) -> Option<CustomerRecordsRead> {
        let all: OfCustomers = last_answers::read(&self.folder.join(OF_CUSTOMERS)).await?;
        all.into_iter().find(|(of, _)| of == customer).map(|(_, read)| read)
    }

    /// Stores the records of a customer beside those of the customers before.
    pub(crate) async fn keep_customer_records(&self, customer: CustomerId, read: CustomerRecordsRead) {
        let file = self.folder.join(OF_CUSTOMERS);
        let mut all: OfCustomers = last_answers::read(&file).await.unwrap_or_default();
        all.retain(|(of, _)| *of != customer);
        all.insert(0, (customer, read));
        all.truncate(CUSTOMERS);
        last_answers::write(file, all).await;
    }

    pub(crate) fn forget(&self) {
        for name in [TOTALS, OF_CUSTOMERS].iter().chain(&CONSUMPTION).chain(&RECORDS) {
            let _ = files::remove(&self.folder.join(name));
        }
    }
}
