//! How long each customer's traffic lasts, and when it was last used: made from the stored usage report.

use std::collections::HashMap;
use std::sync::Arc;

use usage::Store;
use usage::outlook::{Weeks, runs_out};
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::{Day, MicroMb};

use super::CustomersRead;
use crate::session::Session;

/// A customer's use, from the usage report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Use {
    pub(crate) days_left: Option<i32>,
    pub(crate) last: Option<Day>,
}

/// What uses were made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MadeFrom {
    pub(crate) today: Day,
    /// The first and the last day of use that were read.
    pub(crate) covered: Option<(Day, Day)>,
    /// When the customers were read, wall clock, ms since 1970.
    pub(crate) read_at: i64,
}

/// The use of each customer, with what it was made from.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// `None` before the first time.
    pub(crate) made_from: Option<MadeFrom>,
    pub(crate) each: HashMap<CustomerId, Use>,
}

/// The uses of these customers, and whether everything is read that an estimate needs.
pub(super) async fn of(session: &Session, read: &CustomersRead) -> Result<(Arc<Uses>, bool), usage::StoreError> {
    let today = session.today();
    let store = session.usage.store().await?;
    let is_read = session.usage.has_weeks(&store, today)?;
    let made_from = MadeFrom { today, covered: store.covered()?, read_at: read.read_at };
    let make = async {
        let found = crate::background::blocking(move || Ok((store.weeks(today)?, store.last_days()?))).await;
        found.ok().map(|(weeks, last)| each(read, today, &weeks, &last))
    };
    Ok((session.customers.uses(made_from, make).await, is_read))
}

/// Makes the uses after a forecast, from its weeks, so that they are ready when the list is opened.
pub(crate) fn after_forecast(
    session: Arc<Session>,
    store: Arc<Store>,
    read: CustomersRead,
    made_from: MadeFrom,
    weeks: HashMap<CustomerId, Weeks>,
) {
    tokio::spawn(async move {
        let make = async {
            // Others may have been read since, or practice was reset.
            if !session.customers.is_last(&read) {
                return None;
            }
            let last = crate::background::blocking(move || store.last_days()).await.ok()?;
            Some(each(&read, made_from.today, &weeks, &last))
        };
        session.customers.uses(made_from, make).await;
    });
}

fn each(
    read: &CustomersRead,
    today: Day,
    weeks: &HashMap<CustomerId, Weeks>,
    last: &HashMap<CustomerId, Day>,
) -> HashMap<CustomerId, Use> {
    let one = |customer: &Customer| {
        let id = &customer.customer_id;
        let days_left = weeks.get(id).and_then(|weeks| days_left(customer, weeks, today));
        (id.clone(), Use { days_left, last: last.get(id).copied() })
    };
    read.rows.iter().map(one).collect()
}

/// Days until a customer runs out, at the earliest that is likely.
fn days_left(customer: &Customer, weeks: &Weeks, today: Day) -> Option<i32> {
    let left: MicroMb = customer.residual_flow?.to_string().parse().ok()?;
    Some(runs_out(weeks, left.micro, today)?.from.days() - today.days())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::customers::Customers;

    fn made_from(read_at: i64) -> MadeFrom {
        MadeFrom { today: Day::new(20_000), covered: None, read_at }
    }

    fn lasting(days: i32) -> Option<HashMap<CustomerId, Use>> {
        Some(HashMap::from([(CustomerId::new("1"), Use { days_left: Some(days), last: None })]))
    }

    #[tokio::test]
    async fn uses_are_made_once_of_the_same_and_stay_where_there_are_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let customers = Customers::new(folder.path().join("customers.json"));
        let first = customers.uses(made_from(1), async { lasting(3) }).await;
        let again = customers.uses(made_from(1), async { panic!("they are made already") }).await;
        assert_eq!((first.made_from, again.made_from), (Some(made_from(1)), Some(made_from(1))));
        let none = customers.uses(made_from(2), async { None }).await;
        assert_eq!(none.made_from, Some(made_from(1)));
        assert_eq!(customers.uses(made_from(2), async { lasting(5) }).await.made_from, Some(made_from(2)));
        customers.forget().await;
        assert!(customers.last_uses().await.each.is_empty());
    }

    #[tokio::test]
    async fn customers_are_the_last_ones_until_others_are_read_or_all_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("customers.json");
        let read = CustomersRead { rows: Arc::default(), read_at: 7, seen: 1 };
        crate::last_answers::write(file.clone(), read.clone()).await;
        let customers = Customers::new(file);
        assert!(!customers.is_last(&read));
        customers.known().await.expect("they are stored");
        assert!(customers.is_last(&read) && !customers.is_last(&CustomersRead { read_at: 8, ..read.clone() }));
        customers.forget().await;
        assert!(!customers.is_last(&read));
    }
}
