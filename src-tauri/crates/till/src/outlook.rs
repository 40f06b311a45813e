//! Forecast: whose traffic runs out first.

use std::collections::HashMap;

use serde::Serialize;
use ts_rs::TS;
use usage::outlook::{Weeks, runs_out};
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::{Amount, Day, MicroMb};

use crate::Till;
use crate::customers::{CustomersRead, MadeFrom, after_forecast};
use crate::error::CommandError;
use crate::session::Session;

/// A customer whose traffic runs out, and between which days.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunningOut {
    /// The customer.
    pub customer_id: CustomerId,
    /// The login name.
    pub user_name: String,
    /// The traffic left, MB.
    pub left: Amount,
    /// The first likely day.
    pub from: Day,
    /// The last likely day; `None` when it may be more than a year away.
    pub to: Option<Day>,
    /// Today, in the vendor's zone.
    pub today: Day,
}

/// The forecast, as far as one can be made.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Outlook {
    /// The first to run out come first, at most eight.
    pub rows: Vec<RunningOut>,
    /// Number of customers that run out, also those that are not in the rows.
    pub total: usize,
    /// Number of days ahead that are looked at.
    pub ahead: i32,
    /// Now, by the vendor's clock, ms since 1970.
    pub now: i64,
    /// Number of customers that used traffic in the weeks of the forecast and have none left.
    pub empty: usize,
    /// Number of customers whose balance the vendor does not report.
    pub untold: usize,
    /// Whether the usage report is read for the weeks that the forecast is made from. If not, everything else is empty.
    pub read: bool,
}

impl Outlook {
    /// No forecast, because the usage report is not read.
    fn unread(now: i64) -> Self {
        Self { rows: Vec::new(), total: 0, ahead: AHEAD, now, empty: 0, untold: 0, read: false }
    }
}

/// The number of rows, at most.
const MOST: usize = 8;
/// The number of days ahead that are shown.
const AHEAD: i32 = 60;

/// Returns the forecast. Reads the customers from the vendor again, because what is left changes.
pub async fn running_out(till: &Till, (): ()) -> Result<Outlook, CommandError> {
    let session = till.session().await?;
    // Without the weeks there is no forecast, so no customer is read for one.
    if !session.usage.has_weeks(&*session.usage.store().await?, session.today())? {
        return Ok(Outlook::unread(session.now()));
    }
    let all = session.all_customers(true).await?;
    let (store, now) = (session.usage.store().await?, session.now());
    let made_from = MadeFrom { today: session.day_of(now), covered: store.covered()?, read_at: all.read_at };
    let (outlook, weeks) = forecast(&session, &all, now).await?;
    after_forecast(session, store, all, made_from, weeks);
    Ok(outlook)
}

/// The forecast from the customers as they were last read.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OutlookRead {
    /// The forecast.
    pub outlook: Outlook,
    /// When the customers were read, wall clock, ms since 1970.
    pub read_at: i64,
    /// The journal's position before they were read.
    pub seen: i64,
}

/// Returns the forecast of the day on which the customers were last read, even in an earlier run, without asking the
/// vendor; `None` if none can be made from what is stored.
pub async fn known_running_out(till: &Till, (): ()) -> Result<Option<OutlookRead>, CommandError> {
    let session = till.session().await?;
    let Some(all) = session.customers.known().await else { return Ok(None) };
    let (read_at, seen) = (all.read_at, all.seen);
    if !session.usage.has_weeks(&*session.usage.store().await?, session.day_of(read_at))? {
        return Ok(None);
    }
    let (outlook, _) = forecast(&session, &all, read_at).await?;
    Ok(Some(OutlookRead { outlook, read_at, seen }))
}

/// The forecast at a moment, ms since 1970, and the weeks of use that it is made from.
async fn forecast(
    session: &Session,
    all: &CustomersRead,
    now: i64,
) -> Result<(Outlook, HashMap<CustomerId, Weeks>), CommandError> {
    let (store, today) = (session.usage.store().await?, session.day_of(now));
    let customers = &all.rows;
    let weeks = crate::background::blocking(move || store.weeks(today)).await?;
    let left = |customer: &Customer| customer.residual_flow.map(wire::Amount::value);
    let untold = customers.iter().filter(|customer| left(customer).is_none()).count();
    let is_empty = |customer: &Customer| left(customer).is_some_and(|left| left <= rust_decimal::Decimal::ZERO);
    let empty =
        customers.iter().filter(|customer| is_empty(customer) && weeks.contains_key(&customer.customer_id)).count();
    let mut rows: Vec<RunningOut> = customers
        .iter()
        .filter(|customer| !is_empty(customer))
        .filter_map(|customer| {
            let weeks = weeks.get(&customer.customer_id)?;
            let left = customer.residual_flow?;
            let micro: MicroMb = left.to_string().parse().ok()?;
            let range = runs_out(weeks, micro.micro, today).filter(|range| range.from <= today.plus(AHEAD))?;
            let (customer_id, user_name) = (customer.customer_id.clone(), customer.user_name.clone());
            Some(RunningOut { customer_id, user_name, left, from: range.from, to: range.to, today })
        })
        .collect();
    // Within the same first day, customers that may never run out come last.
    let order = |one: &RunningOut| (one.from, one.to.is_none(), one.to, one.user_name.clone());
    rows.sort_by_key(order);
    let total = rows.len();
    rows.truncate(MOST);
    Ok((Outlook { rows, total, ahead: AHEAD, now, empty, untold, read: true }, weeks))
}
