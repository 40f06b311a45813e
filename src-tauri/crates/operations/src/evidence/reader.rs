//! Reads the vendor's lists until they agree. Cannot change anything.

use std::sync::Arc;

use client::customers::ListQuery;
use client::traffic::{RecordType, RecordsQuery};
use client::{Client, Error};
use wire::Day;
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;

use crate::evidence::print::Print;
use crate::evidence::snapshot::{Balance, Snapshot};
use crate::writes::account_change::folded;
use crate::writes::traffic_move::{Direction, TrafficMove};

/// Why there is no snapshot.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// A read failed.
    #[error(transparent)]
    Vendor(#[from] Error),
    /// The records changed with every scan.
    #[error("the records change while they are read")]
    Restless,
}

/// Today, in the vendor's zone.
pub type Today = Arc<dyn Fn() -> Day + Send + Sync>;

/// Reads the ledger. Cannot change anything.
#[derive(Clone)]
pub struct Reader {
    pub(crate) client: Client,
    today: Today,
}

const PAGE: u32 = 100;
/// Any few rows prove a token.
const FEW: u32 = 10;
/// Scans before giving up. "Repeated until two scans agree."
const MOST_SCANS: usize = 5;

impl Reader {
    /// Makes a reader that uses the same token as the sender.
    pub fn new(client: Client, today: Today) -> Self {
        Self { client, today }
    }

    /// Reads a snapshot of the customer of a move. `since` is the day of the first snapshot; `None` if this is the
    /// first.
    ///
    /// # Errors
    /// [`SnapshotError`] when a read fails or the records keep changing.
    pub async fn snapshot(&self, of: &TrafficMove, since: Option<Day>) -> Result<Snapshot, SnapshotError> {
        self.prove_token().await?;
        let day = self.today();
        let span = (since.unwrap_or(day).plus(-1), day.plus(1));
        let given = self.settled(RecordType::Recharge, Some(of), span, Vec::push).await?;
        // "The same with type 0": a recharge does not show among what was taken.
        let taken = match of.direction {
            Direction::Deduction => self.settled(RecordType::Consumption, Some(of), span, Vec::push).await?,
            Direction::Recharge => Vec::new(),
        };
        let balance = self.customer(&of.customer_id, &of.user_name).await?.as_ref().map(Balance::of);
        Ok(Snapshot { day, balance, given, taken })
    }

    /// The customer as the vendor lists it now; `None` if it is not in the list.
    ///
    /// # Errors
    /// [`Error`] when the list cannot be read.
    pub async fn customer(&self, customer: &CustomerId, user_name: &str) -> Result<Option<Customer>, Error> {
        let rows = client::customers::all(&self.client, Some(user_name)).await?;
        Ok(rows.into_iter().find(|row| row.customer_id == *customer))
    }

    /// The customer with a user name, "compared exactly after trimming and lower-casing"; `None` if it is not in the
    /// list.
    ///
    /// # Errors
    /// [`Error`] when the list cannot be read.
    pub async fn named(&self, user_name: &str) -> Result<Option<Customer>, Error> {
        self.prove_token().await?;
        let rows = client::customers::all(&self.client, Some(user_name.trim())).await?;
        Ok(rows.into_iter().find(|row| folded(&row.user_name) == folded(user_name)))
    }

    /// Proves the token. An expired one makes every list look empty; data in this answer proves that it is valid now.
    async fn prove_token(&self) -> Result<(), Error> {
        let ask = |page, page_size| client::customers::list(&ListQuery { page, page_size, user_name: None });
        self.client.call(ask(1, self.client.page_size(FEW, ask))).await.map(|_| ())
    }

    /// The snapshot before a creation: no such user name.
    pub(crate) fn nothing_there(&self) -> Snapshot {
        Snapshot { day: self.today(), ..Snapshot::default() }
    }

    /// Today, in the vendor's zone.
    pub(crate) fn today(&self) -> Day {
        (self.today)()
    }

    /// Scans until two scans agree. Returns what `keep` collected of the last one. `of` is the move whose customer is
    /// read; `None` reads all customers.
    pub(crate) async fn settled<T: Default>(
        &self,
        kind: RecordType,
        of: Option<&TrafficMove>,
        span: (Day, Day),
        keep: impl Fn(&mut T, TrafficRecord),
    ) -> Result<T, SnapshotError> {
        let mut last: Option<Print<'_>> = None;
        for _ in 0..MOST_SCANS {
            let (mut all, mut print) = (T::default(), Print::new(kind, of));
            let is_whole = self
                .scan(kind, of, span, |record| {
                    print.add(&record);
                    keep(&mut all, record);
                })
                .await?;
            let now = is_whole.then(|| print.close());
            if last.zip(now.as_ref()).is_some_and(|(last, now)| last.agrees(now)) {
                return Ok(all);
            }
            last = now;
        }
        Err(SnapshotError::Restless)
    }

    /// Reads all pages, with requests that differ from those of a moment ago. Returns whether there are as many rows as
    /// the vendor says.
    async fn scan(
        &self,
        kind: RecordType,
        of: Option<&TrafficMove>,
        (from, to): (Day, Day),
        mut keep: impl FnMut(TrafficRecord),
    ) -> Result<bool, Error> {
        let ask = |page, page_size| {
            let account = of.map(|of| of.user_name.clone());
            let query = RecordsQuery { page, page_size, account, from: Some(from), to: Some(to) };
            client::traffic::records_given(kind, &query)
        };
        // The account filter may also find other customers with similar names.
        let own = |record: TrafficRecord| {
            if of.is_none_or(|of| record.customer_id == of.customer_id) {
                keep(record);
            }
        };
        client::pages::each(&self.client, PAGE, ask, own).await
    }
}
