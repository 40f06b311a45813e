//! The agent's traffic: the totals of both accounts, consumption by day, records of traffic given and received.

mod known;
mod of_customer;
mod records;

use client::Client;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::traffic::{ConsumptionDay, NniDay, TrafficTotals};
use wire::{Amount, Day};

use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::field::{self, WrongField};

pub(crate) use known::KnownTraffic;
pub use of_customer::{CustomerRecordsRead, CustomerRecordsRequest, customer_records, known_customer_records};
pub use records::{
    RecordList, RecordsOf, RecordsPage, RecordsRead, RecordsRequest, all_records, known_records, traffic_records,
};

/// A query for the consumption of all customers together.
#[derive(Debug, Deserialize, TS)]
pub struct ConsumptionRequest {
    /// Whether to ask for traffic over the vendor's own network (NNI); otherwise for general traffic.
    pub nni: bool,
    /// The first day; `None` leaves it to the vendor.
    pub from: Option<Day>,
    /// The last day, included; `None` leaves it to the vendor.
    pub to: Option<Day>,
}

/// The consumption of one day, MB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConsumptionRow {
    /// The day, `yyyy-MM-dd`; what is no day stays as the vendor writes it.
    pub date: String,
    /// Traffic sent; `None` for NNI, which reports only the sum.
    pub upload: Option<Amount>,
    /// Traffic received; `None` for NNI.
    pub download: Option<Amount>,
    /// Sent and received together; `None` if 28 digits do not hold the sum.
    pub sum: Option<Amount>,
}

/// Returns the consumption by day, in the vendor's order.
pub async fn traffic_consumption(till: &Till, asked: ConsumptionRequest) -> Result<Vec<ConsumptionRow>, CommandError> {
    ends_behind(asked.from, asked.to, field::ConsumptionTo::BeforeFrom)?;
    let session = till.session().await?;
    let read_at = wall_clock();
    let rows = consumption(&session.client, &asked).await?;
    let read = ConsumptionRead { from: asked.from, rows: rows.clone(), read_at };
    let known = session.traffic.consumption(asked.nni).await;
    // A span that ended before today, or a part of what was read today, is not stored for when the vendor is silent.
    let is_part = known.is_some_and(|known| known.holds(&read) && session.day_of(known.read_at) == session.today());
    if asked.to.is_none_or(|to| to >= session.today()) && !is_part {
        session.traffic.keep_consumption(asked.nni, read).await;
    }
    Ok(rows)
}

async fn consumption(client: &Client, asked: &ConsumptionRequest) -> Result<Vec<ConsumptionRow>, client::Error> {
    if asked.nni {
        let days = client.call(client::traffic::nni_consumption(asked.from, asked.to)).await?.data;
        let row =
            |day: NniDay| ConsumptionRow { date: plain(day.date), upload: None, download: None, sum: Some(day.flow) };
        return Ok(days.into_iter().map(row).collect());
    }
    let days = client.call(client::traffic::consumption(asked.from, asked.to)).await?.data;
    let row = |day: ConsumptionDay| ConsumptionRow {
        date: plain(day.date),
        upload: Some(day.upload),
        download: Some(day.download),
        sum: day.upload.checked_add(day.download),
    };
    Ok(days.into_iter().map(row).collect())
}

/// Returns a day without the midnight that a vendor may write after it.
fn plain(date: String) -> String {
    let day = date.trim().split([' ', 'T']).next().unwrap_or_default();
    let is_midnight = date.trim()[day.len()..].chars().skip(1).all(|mark| matches!(mark, '0' | ':' | '.'));
    if is_midnight { day.to_owned() } else { date }
}

/// Consumption as it was last read.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConsumptionRead {
    /// The first day that was asked for; `None` left it to the vendor.
    pub from: Option<Day>,
    /// The days from then to the day of the read.
    pub rows: Vec<ConsumptionRow>,
    /// When they were read, wall clock, ms since 1970.
    pub read_at: i64,
}

impl ConsumptionRead {
    /// Whether it begins before another one. What was left to the vendor may begin anywhere.
    fn holds(&self, other: &Self) -> bool {
        self.from.zip(other.from).is_some_and(|(from, other)| from < other)
    }
}

/// Returns the consumption that was last read, even in an earlier run, without asking the vendor; `true` for NNI.
/// `None` if there is none.
pub async fn known_consumption(till: &Till, nni: bool) -> Result<Option<ConsumptionRead>, CommandError> {
    Ok(till.session().await?.traffic.consumption(nni).await)
}

fn ends_behind(from: Option<Day>, to: Option<Day>, wrong: impl Into<WrongField>) -> Result<(), CommandError> {
    match from.zip(to) {
        Some((from, to)) if from > to => Err(CommandError::invalid(wrong)),
        _ => Ok(()),
    }
}

/// Returns the totals of both accounts.
pub async fn traffic_totals(till: &Till, (): ()) -> Result<TrafficTotals, CommandError> {
    let session = till.session().await?;
    // The figures are at least as new as the start of the read.
    let read_at = wall_clock();
    let totals = session.client.call(client::traffic::totals()).await?.data;
    session.traffic.keep_totals(&totals, read_at).await;
    Ok(totals)
}

/// The totals of both accounts as they were last read.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TotalsRead {
    /// The totals.
    pub totals: TrafficTotals,
    /// When they were read, wall clock, ms since 1970.
    pub read_at: i64,
}

/// Returns the totals that were last read, even in an earlier run, without asking the vendor; `None` if there are none.
pub async fn known_totals(till: &Till, (): ()) -> Result<Option<TotalsRead>, CommandError> {
    Ok(till.session().await?.traffic.totals().await)
}
