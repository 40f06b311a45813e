//! What the vendor shows of a customer's traffic: read before a move and after it.

use std::collections::HashMap;
use std::sync::Arc;

use client::customers::ListQuery;
use client::traffic::{RecordType, RecordsQuery};
use client::{Client, Error};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ts_rs::TS;
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;
use wire::{Amount, Day};

use crate::account_change::folded;
use crate::traffic_move::{Direction, TrafficMove};

/// A customer's own figures, MB; `None` is not told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Standing {
    /// Given so far: moves of traffic change it, use does not.
    pub recharged: Option<Amount>,
    /// Left: use changes it too.
    pub left: Option<Amount>,
}

impl Standing {
    /// The figures of a row of the list.
    pub fn of(row: &Customer) -> Self {
        Self { recharged: row.traffic_count, left: row.residual_flow }
    }
}

/// One look at a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The day of the look, in the vendor's zone.
    pub day: Day,
    /// The customer's figures; `None`: not in the list.
    pub standing: Option<Standing>,
    /// Records of type 0, since the day before.
    pub given: Vec<TrafficRecord>,
    /// Records of type 1, since the day before.
    pub taken: Vec<TrafficRecord>,
}

/// Why nothing can be said.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SightError {
    /// A read failed.
    #[error(transparent)]
    Vendor(#[from] Error),
    /// The records changed under every scan.
    #[error("the records change while they are read")]
    Restless,
}

/// Today, in the vendor's zone.
pub type Today = Arc<dyn Fn() -> Day + Send + Sync>;

/// Reads the ledger. Has no way to change anything.
#[derive(Clone)]
pub struct Reader {
    pub(crate) client: Client,
    today: Today,
}

const PAGE: u32 = 100;
/// A list that never ends is none.
const MOST_PAGES: u32 = 1000;
/// "Repeated until two scans agree."
const MOST_SCANS: usize = 5;

impl Reader {
    /// A reader with the token that sends.
    pub fn new(client: Client, today: Today) -> Self {
        Self { client, today }
    }

    /// Looks at a customer. `since`: the day of the first look; `None` for a first look.
    ///
    /// # Errors
    /// [`SightError`]: nothing can be said.
    pub async fn look(&self, of: &TrafficMove, since: Option<Day>) -> Result<Sight, SightError> {
        self.prove_token().await?;
        let day = self.today();
        let span = (since.unwrap_or(day).plus(-1), day.plus(1));
        let given = self.settled(RecordType::Recharge, Some(of), span, Vec::push).await?;
        // "The same with type 0": a recharge does not show among what was taken.
        let taken = match of.direction {
            Direction::Deduction => self.settled(RecordType::Consumption, Some(of), span, Vec::push).await?,
            Direction::Recharge => Vec::new(),
        };
        let standing = self.customer(&of.customer_id, &of.user_name).await?.as_ref().map(Standing::of);
        Ok(Sight { day, standing, given, taken })
    }

    /// A customer as the vendor lists it now; `None`: not in the list.
    ///
    /// # Errors
    /// [`Error`].
    pub async fn customer(&self, customer: &CustomerId, user_name: &str) -> Result<Option<Customer>, Error> {
        let rows = client::customers::all(&self.client, Some(user_name)).await?;
        Ok(rows.into_iter().find(|row| row.customer_id == *customer))
    }

    /// The customer of a name, "compared exactly after trimming and lower-casing"; `None`: not in the list.
    ///
    /// # Errors
    /// [`Error`].
    pub async fn named(&self, user_name: &str) -> Result<Option<Customer>, Error> {
        self.prove_token().await?;
        let rows = client::customers::all(&self.client, Some(user_name.trim())).await?;
        Ok(rows.into_iter().find(|row| folded(&row.user_name) == folded(user_name)))
    }

    /// A token that has expired makes every list look empty: data here proves it now.
    async fn prove_token(&self) -> Result<(), Error> {
        self.client.call(client::customers::list(&ListQuery { page_size: 1, ..ListQuery::default() })).await.map(|_| ())
    }

    /// The look before a creation: no such name.
    pub(crate) fn nothing_there(&self) -> Sight {
        Sight { day: self.today(), ..Sight::default() }
    }

    /// Today, in the vendor's zone.
    pub(crate) fn today(&self) -> Day {
        (self.today)()
    }

    /// Two scans that agree, as `keep` collects them; `None`: of all customers.
    pub(crate) async fn settled<T: Default>(
        &self,
        kind: RecordType,
        of: Option<&TrafficMove>,
        span: (Day, Day),
        keep: impl Fn(&mut T, TrafficRecord),
    ) -> Result<T, SightError> {
        // Of the scan before only the print is kept: a vendor may list tens of thousands of rows.
        let mut last = None;
        for _ in 0..MOST_SCANS {
            let mut all = T::default();
            let print = self.scan(kind, of, span, |record| keep(&mut all, record)).await?;
            if print.is_some() && print == last {
                return Ok(all);
            }
            last = print;
        }
        Err(SightError::Restless)
    }

    /// All pages; `None`: the rows are not as many as the vendor says.
    async fn scan(
        &self,
        kind: RecordType,
        of: Option<&TrafficMove>,
        (from, to): (Day, Day),
        mut keep: impl FnMut(TrafficRecord),
    ) -> Result<Option<Print>, Error> {
        let (mut print, mut seen) = (Print::default(), 0);
        for page in 1..=MOST_PAGES {
            let account = of.map(|of| of.user_name.clone());
            let query = RecordsQuery { page, page_size: PAGE, account, from: Some(from), to: Some(to) };
            let answer = self.client.call(client::traffic::records_given(kind, &query)).await?.data;
            let is_last = answer.rows.is_empty();
            seen += answer.rows.len() as i64;
            // The account filter may find others whose names are alike.
            for record in answer.rows.into_iter().filter(|row| of.is_none_or(|of| row.customer_id == of.customer_id)) {
                print.add(&record);
                keep(record);
            }
            if is_last || seen >= answer.total {
                return Ok((seen == answer.total).then_some(print));
            }
        }
        Ok(None)
    }
}

/// The same for the same rows as often, whatever their order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Print {
    rows: usize,
    sums: [u64; 4],
}

impl Print {
    fn add(&mut self, record: &TrafficRecord) {
        self.rows += 1;
        let digest = Sha256::digest(format!("{record:?}"));
        for (sum, part) in self.sums.iter_mut().zip(digest.chunks_exact(8)) {
            let part = part.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
            *sum = sum.wrapping_add(part);
        }
    }
}

/// Rows with how often each occurs: equal rows in one second are both real.
pub(crate) fn counted(rows: &[TrafficRecord]) -> HashMap<&TrafficRecord, usize> {
    let mut counts = HashMap::new();
    for row in rows {
        *counts.entry(row).or_default() += 1;
    }
    counts
}
