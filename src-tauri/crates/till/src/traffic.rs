//! The agent's traffic: the totals of both accounts, consumption by day, records of traffic given and received.

mod known;

use client::traffic::{RecordType, RecordsQuery};
use client::{Call, Client};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::customers::Page;
use wire::traffic::{ConsumptionDay, NniDay, TrafficRecord, TrafficTotals};
use wire::{Amount, Day};

use crate::Till;
use crate::error::CommandError;
use crate::field::{self, WrongField};
use crate::session::wall_clock;

pub(crate) use known::KnownTraffic;

/// A query for the consumption of all customers together.
#[derive(Debug, Deserialize, TS)]
pub struct ConsumptionAsked {
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
    /// The day, as the vendor writes it.
    pub date: String,
    /// Traffic sent; `None` for NNI, which reports only the sum.
    pub upload: Option<Amount>,
    /// Traffic received; `None` for NNI.
    pub download: Option<Amount>,
    /// Sent and received together; `None` if 28 digits do not hold the sum.
    pub sum: Option<Amount>,
}

/// Returns the consumption by day, in the vendor's order.
pub async fn traffic_consumption(till: &Till, asked: ConsumptionAsked) -> Result<Vec<ConsumptionRow>, CommandError> {
    ends_behind(asked.from, asked.to, field::ConsumptionTo::BeforeFrom)?;
    let session = till.session().await?;
    let read_at = wall_clock();
    let rows = consumption(&session.client, &asked).await?;
    let read = ConsumptionRead { from: asked.from, rows: rows.clone(), read_at };
    let known = session.traffic.consumption(asked.nni).await;
    // Days of long ago, or a part of what was read today, are not what is looked for when nothing can be read.
    let is_part = known.is_some_and(|known| known.holds(&read) && session.day_of(known.read_at) == session.today());
    if asked.to.is_none_or(|to| to >= session.today()) && !is_part {
        session.traffic.keep_consumption(asked.nni, read).await;
    }
    Ok(rows)
}

async fn consumption(client: &Client, asked: &ConsumptionAsked) -> Result<Vec<ConsumptionRow>, client::Error> {
    if asked.nni {
        let days = client.call(client::traffic::nni_consumption(asked.from, asked.to)).await?.data;
        let row = |day: NniDay| ConsumptionRow { date: day.date, upload: None, download: None, sum: Some(day.flow) };
        return Ok(days.into_iter().map(row).collect());
    }
    let days = client.call(client::traffic::consumption(asked.from, asked.to)).await?.data;
    let row = |day: ConsumptionDay| ConsumptionRow {
        date: day.date,
        upload: Some(day.upload),
        download: Some(day.download),
        sum: day.upload.checked_add(day.download),
    };
    Ok(days.into_iter().map(row).collect())
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

/// Returns the consumption that was last read, even by an earlier start, without asking the vendor; `true` for NNI.
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

/// The number of rows of a page on screen.
const PAGE: u32 = 50;
/// The number of rows of a page where all are read: "ask for 100, accept fewer".
const LONG_PAGE: u32 = 100;

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

/// Returns the totals that were last read, even by an earlier start, without asking the vendor; `None` if there are
/// none.
pub async fn known_totals(till: &Till, (): ()) -> Result<Option<TotalsRead>, CommandError> {
    Ok(till.session().await?.traffic.totals().await)
}

/// A list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum RecordList {
    /// Traffic given by the agent.
    Recharged,
    /// Traffic used or taken back.
    Consumed,
    /// Traffic received by the agent.
    Received,
}

/// A query for records.
#[derive(Debug, Deserialize, TS)]
pub struct RecordsOf {
    /// The list.
    pub list: RecordList,
    /// The vendor's account; empty for all.
    pub account: String,
    /// The first day; `None` leaves it to the vendor.
    pub from: Option<Day>,
    /// The last day, included; `None` leaves it to the vendor.
    pub to: Option<Day>,
}

/// A query for one page of records.
#[derive(Debug, Deserialize, TS)]
pub struct RecordsAsked {
    /// The records.
    #[serde(flatten)]
    #[ts(flatten)]
    pub of: RecordsOf,
    /// The number of the page, from 1.
    pub page: u32,
}

/// A page of records, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct RecordsPage {
    /// Number of rows of the whole list.
    pub total: i64,
    /// The rows of this page.
    pub rows: Vec<TrafficRecord>,
}

impl RecordsOf {
    fn call(&self, page: u32, page_size: u32) -> Call<Page<TrafficRecord>> {
        let account = Some(self.account.trim().to_owned()).filter(|account| !account.is_empty());
        let query = RecordsQuery { page, page_size, account, from: self.from, to: self.to };
        match self.list {
            RecordList::Recharged => client::traffic::records_given(RecordType::Recharge, &query),
            RecordList::Consumed => client::traffic::records_given(RecordType::Consumption, &query),
            RecordList::Received => client::traffic::records_received(&query),
        }
    }

    /// Whether nothing narrows the list.
    fn is_whole(&self) -> bool {
        self.account.trim().is_empty() && self.from.is_none() && self.to.is_none()
    }
}

/// Returns a page of records.
pub async fn traffic_records(till: &Till, asked: RecordsAsked) -> Result<RecordsPage, CommandError> {
    let RecordsAsked { of, page } = asked;
    ends_behind(of.from, of.to, field::RecordsTo::BeforeFrom)?;
    let session = till.session().await?;
    let (first, read_at) = (u64::from(page.max(1) - 1) * u64::from(PAGE), wall_clock());
    let page = client::pages::part(&session.client, first, PAGE, |page, size| of.call(page, size)).await?;
    let page = RecordsPage { total: page.total, rows: page.rows };
    if first == 0 && of.is_whole() {
        session.traffic.keep_records(of.list, RecordsRead { page: page.clone(), read_at }).await;
    }
    Ok(page)
}

/// The number of times that reading all records starts over because they changed meanwhile.
const BEGINNINGS: usize = 3;

/// Returns all records, newest first. `restless` if they change again and again while they are read.
pub async fn all_records(till: &Till, of: RecordsOf) -> Result<Vec<TrafficRecord>, CommandError> {
    ends_behind(of.from, of.to, field::RecordsTo::BeforeFrom)?;
    let session = till.session().await?;
    for _ in 0..BEGINNINGS {
        let mut rows = Vec::new();
        let ask = |page, size| of.call(page, size);
        if client::pages::each(&session.client, LONG_PAGE, ask, |row| rows.push(row)).await? {
            return Ok(rows);
        }
    }
    Err(client::Error::Restless.into())
}

/// The newest records as they were last read.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RecordsRead {
    /// The first page of the whole list.
    pub page: RecordsPage,
    /// When it was read, wall clock, ms since 1970.
    pub read_at: i64,
}

/// Returns the newest records that were last read, even by an earlier start, without asking the vendor; `None` if there
/// are none.
pub async fn known_records(till: &Till, list: RecordList) -> Result<Option<RecordsRead>, CommandError> {
    Ok(till.session().await?.traffic.records(list).await)
}
