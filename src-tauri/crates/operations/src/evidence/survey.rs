//! One snapshot of all customers together, which a bulk reads instead of one snapshot for each row.

use std::collections::{BTreeMap, HashMap};

use client::traffic::RecordType;
use wire::Day;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;

use crate::evidence::reader::{Reader, SnapshotError};
use crate::evidence::snapshot::{Balance, Snapshot};
use crate::words::state::{Family, Kind};
use crate::writes::account_change::folded;

/// All customers as the vendor shows them at a moment.
#[derive(Debug, Default)]
pub struct Survey {
    day: Day,
    balances: BTreeMap<CustomerId, Balance>,
    names: HashMap<String, CustomerId>,
    given: Records,
    taken: Records,
}

/// Records by customer. Many small allocations, because they are given back to the system when dropped; one of
/// megabytes is not.
type Records = BTreeMap<CustomerId, Vec<TrafficRecord>>;

impl Survey {
    /// The snapshot of one customer.
    pub fn snapshot(&self, customer: &CustomerId) -> Snapshot {
        let of = |records: &Records| records.get(customer).cloned().unwrap_or_default();
        Snapshot {
            day: self.day,
            balance: self.balances.get(customer).cloned(),
            given: of(&self.given),
            taken: of(&self.taken),
        }
    }

    /// The customer with a user name, compared after trimming and lower-casing.
    pub fn named(&self, user_name: &str) -> Option<&CustomerId> {
        self.names.get(&folded(user_name))
    }

    /// The day of the survey, in the vendor's zone.
    pub fn day(&self) -> Day {
        self.day
    }
}

/// The parts of a survey that are needed. Nothing else is stored of what may be tens of thousands of rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Balances and records, for moves of traffic.
    pub moves: bool,
    /// Records of what was taken, besides those of what was given. A recharge does not need them, because it does not
    /// show there.
    pub taken: bool,
    /// User names, for creations.
    pub names: bool,
}

impl Wanted {
    /// The parts that rows of a kind need.
    pub fn by(kind: Kind) -> Self {
        Self {
            moves: kind.family() == Family::Move,
            taken: kind == Kind::Deduction,
            names: kind.family() == Family::Create,
        }
    }
}

impl Reader {
    /// Reads the whole list, and for moves the records of all customers from the day before `since` on, or from
    /// yesterday on if `since` is `None` (a first snapshot).
    ///
    /// # Errors
    /// [`SnapshotError`] when a read fails or the records keep changing; then nothing is known of any customer.
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
        // The list comes last, so that its figures are at least as new as the records.
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
            // Most customers have one.
            all.entry(record.customer_id.clone()).or_insert_with(|| Vec::with_capacity(1)).push(record);
        };
        self.settled(kind, None, span, keep).await
    }
}
