//! One look at all customers together: what a bulk reads instead of one look for each row.

use std::collections::HashMap;

use client::traffic::RecordType;
use wire::Day;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;

use crate::account_change::folded;
use crate::sight::{Reader, Sight, SightError, Standing};

/// What the vendor shows of every customer.
#[derive(Debug, Default)]
pub struct Survey {
    day: Day,
    standings: HashMap<CustomerId, Standing>,
    names: HashMap<String, CustomerId>,
    given: HashMap<CustomerId, Vec<TrafficRecord>>,
    taken: HashMap<CustomerId, Vec<TrafficRecord>>,
}

impl Survey {
    /// The look at one customer.
    pub fn sight(&self, customer: &CustomerId) -> Sight {
        let of = |records: &HashMap<CustomerId, Vec<TrafficRecord>>| records.get(customer).cloned().unwrap_or_default();
        Sight {
            day: self.day,
            standing: self.standings.get(customer).cloned(),
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

impl Reader {
    /// Reads the whole list, and the records of all customers since the day before `since` (before today
    /// for a first look). `with_records`: a creation needs none.
    ///
    /// # Errors
    /// [`SightError`]: nothing can be said of anybody.
    pub async fn survey(&self, since: Option<Day>, with_records: bool) -> Result<Survey, SightError> {
        let day = self.today();
        let span = (since.unwrap_or(day).plus(-1), day.plus(1));
        let mut survey = Survey { day, ..Survey::default() };
        if with_records {
            survey.given = by_customer(self.settled(RecordType::Recharge, None, span).await?);
            survey.taken = by_customer(self.settled(RecordType::Consumption, None, span).await?);
        }
        // The list comes last: what it shows is at least as new as the records.
        for row in client::customers::all(&self.client, None).await? {
            survey.names.insert(folded(&row.user_name), row.customer_id.clone());
            survey.standings.insert(row.customer_id.clone(), Standing::of(row));
        }
        Ok(survey)
    }
}

fn by_customer(records: Vec<TrafficRecord>) -> HashMap<CustomerId, Vec<TrafficRecord>> {
    let mut all: HashMap<CustomerId, Vec<TrafficRecord>> = HashMap::new();
    for record in records {
        all.entry(record.customer_id.clone()).or_default().push(record);
    }
    all
}
