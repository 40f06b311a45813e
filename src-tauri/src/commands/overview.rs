//! Who runs out first.

use serde::Serialize;
use ts_rs::TS;
use usage::outlook::runs_out;
use wire::ids::CustomerId;
use wire::{Amount, Day, MicroMb};

use super::Context;
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
    /// Used in the last seven days, MB.
    pub last_week: MicroMb,
    /// Today, in the vendor's zone.
    pub today: Day,
}

/// Rows at most.
const MOST: usize = 8;
/// Days ahead that are worth a look.
const AHEAD: i32 = 60;

/// The first to run out come first. Reads the customers from the vendor again: what is left changes.
pub(crate) async fn running_out(context: &Context, (): ()) -> Result<Vec<RunningOut>, CommandError> {
    let session = context.app.session().await?;
    let customers = session.customers.all(&session.client, true).await?;
    let (store, today) = (session.usage.store().await?, session.today());
    let weeks = super::usage::blocking(move || store.weeks(today)).await?;
    let mut out: Vec<RunningOut> = customers
        .rows
        .into_iter()
        .filter_map(|customer| {
            let weeks = weeks.get(&customer.customer_id)?;
            let left = customer.residual_flow?;
            let micro: MicroMb = left.to_string().parse().ok()?;
            let range = runs_out(weeks, micro.micro, today).filter(|range| range.from <= today.plus(AHEAD))?;
            Some(RunningOut {
                customer_id: customer.customer_id,
                user_name: customer.user_name,
                left,
                from: range.from,
                to: range.to,
                last_week: MicroMb::new(weeks.first().map_or(0, |week| week.iter().sum())),
                today,
            })
        })
        .collect();
    out.sort_by(|one, other| (one.from, one.to, &one.user_name).cmp(&(other.from, other.to, &other.user_name)));
    out.truncate(MOST);
    Ok(out)
}
