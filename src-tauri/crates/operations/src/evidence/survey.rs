//! One look at all customers together: what a bulk reads instead of one look for each row.

use std::collections::{BTreeMap, HashMap};

use client::traffic::RecordType;
use wire::Day;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;

use crate::evidence::snapshot::{Balance, Reader, Snapshot, SnapshotError};
use crate::words::state::{Family, Kind};
use crate::writes::account_change::folded;

/// What the vendor shows of every customer.
#[derive(Debug, Default)]
pub struct Survey {
    day: Day,
    balances: BTreeMap<CustomerId, Balance>,
    names: HashMap<String, CustomerId>,
    given: Records,
    taken: Records,
}

/// Records by customer. Many small pieces: they are let go again as a whole, which one of megabytes is not.
type Records = BTreeMap<CustomerId, Vec<TrafficRecord>>;

impl Survey {
    /// The look at one customer.
    pub fn snapshot(&self, customer: &CustomerId) -> Snapshot {
        let of = |records: &Records| records.get(customer).cloned().unwrap_or_default();
        Snapshot {
            day: self.day,
            balance: self.balances.get(customer).cloned(),
            given: of(&self.given),
            taken: of(&self.taken),
        }
    }

    /// The customer of a name, compared after trimming and lower-casing.
    pub fn named(&self, user_name: &str) -> Option<&CustomerId> {
        self.names.get(&folded(user_name))
    }

    /// Its day, in the vendor's zone.
    pub fn day(&self) -> Day {
        self.day
    }
}

/// What a survey is for: nothing else is kept of what may be tens of thousands of rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Figures and records, for moves of traffic.
    pub moves: bool,
    /// What was taken, beside what was given: a recharge does not show there.
    pub taken: bool,
    /// Names, for creations.
    pub names: bool,
}

impl Wanted {
    /// What the rows of a kind need.
    pub fn by(kind: Kind) -> Self {
        Self {
            moves: kind.family() == Family::Move,
            taken: kind == Kind::Deduction,
            names: kind.family() == Family::Create,
        }
    }
}

impl Reader {
    /// Reads the whole list, and for moves the records of all customers since the day before `since` (before
    /// today for a first look).
    ///
    /// # Errors
    /// [`SnapshotError`]: nothing can be said of anybody.
    pub async fn survey(&self, since: Option<Day>, of: Wanted) -> Result<Survey, SnapshotError> {
        let day = self.today();
        let span = (since.unwrap_or(day).plus(-1), day.plus(1));
        let mut survey = Survey { day, ..Survey::default() };
        if of.moves {
            survey.given = self.records(RecordType::Recharge, span).await?;
        }
        if of.taken {
            survey.taken = self.records(RecordType::Consumption, span).await?;
        }
        // The list comes last: what it shows is at least as new as the records.
        for row in client::customers::all(&self.client, None).await? {
            if of.names {
                survey.names.insert(folded(&row.user_name), row.customer_id.clone());
            }
            if of.moves {
                survey.balances.insert(row.customer_id.clone(), Balance::of(&row));
            }
        }
        Ok(survey)
    }

    async fn records(&self, kind: RecordType, span: (Day, Day)) -> Result<Records, SnapshotError> {
        let keep = |all: &mut Records, record: TrafficRecord| {
            // Most have one.
            all.entry(record.customer_id.clone()).or_insert_with(|| Vec::with_capacity(1)).push(record);
        };
        self.settled(kind, None, span, keep).await
    }
}
