//! Who runs out first.

use serde::Serialize;
use ts_rs::TS;
use usage::outlook::{WEEKS, runs_out};
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::{Amount, Day, MicroMb};

use crate::Till;
use crate::error::CommandError;

/// A customer that runs out, in a range of days.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunningOut {
    /// Whose.
    pub customer_id: CustomerId,
    /// Login name.
    pub user_name: String,
    /// Left, MB.
    pub left: Amount,
    /// The first day that is likely.
    pub from: Day,
    /// The last one; `None`: perhaps not within a year.
    pub to: Option<Day>,
    /// Today, in the vendor's zone.
    pub today: Day,
}

/// Who runs out, as far as it can be told.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Outlook {
    /// The first to run out come first.
    pub rows: Vec<RunningOut>,
    /// Customers that have nothing left already.
    pub empty: usize,
    /// Customers whose balance the vendor does not tell.
    pub untold: usize,
    /// The weeks that it is told from are read.
    pub read: bool,
}

/// Rows at most.
const MOST: usize = 8;
/// Days ahead that are worth a look.
const AHEAD: i32 = 60;

/// Reads the customers from the vendor again: what is left changes.
pub async fn running_out(till: &Till, (): ()) -> Result<Outlook, CommandError> {
    let session = till.session().await?;
    let (store, today) = (session.usage.store().await?, session.today());
    let first = today.plus(-((WEEKS * 7) as i32));
    // Days up to yesterday count; what was read before that is no use of the days since.
    let read = store.covered()?.is_some_and(|(oldest, through)| oldest <= first && through >= today.plus(-1));
    if !read {
        return Ok(Outlook { rows: Vec::new(), empty: 0, untold: 0, read });
    }
    let customers = session.all_customers(true).await?.rows;
    let weeks = crate::usage::blocking(move || store.weeks(today)).await?;
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
    // Whoever may never run out comes behind whoever surely does.
    let order = |one: &RunningOut| (one.from, one.to.is_none(), one.to, one.user_name.clone());
    rows.sort_by_key(order);
    rows.truncate(MOST);
    Ok(Outlook { rows, empty, untold, read })
}
