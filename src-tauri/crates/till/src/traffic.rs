//! The agent's traffic: totals of both accounts, consumption by day, records given and received.

use client::traffic::{RecordType, RecordsQuery};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::traffic::{ConsumptionDay, NniDay, TrafficRecord, TrafficTotals};
use wire::{Amount, Day};

use crate::Till;
use crate::error::CommandError;
use crate::field::{self, WrongField};

/// Which consumption of all customers together.
#[derive(Debug, Deserialize, TS)]
pub struct ConsumptionAsked {
    /// Over the vendor's own network (NNI), or general.
    pub nni: bool,
    /// First day.
    pub from: Option<Day>,
    /// Last day, included.
    pub to: Option<Day>,
}

/// Consumption of a day, MB.
#[derive(Debug, Serialize, TS)]
pub struct ConsumptionRow {
    /// The day as the vendor writes it.
    pub date: String,
    /// Sent; NNI tells only the sum.
    pub upload: Option<Amount>,
    /// Received.
    pub download: Option<Amount>,
    /// Together.
    pub sum: Amount,
}

/// In the vendor's order.
pub async fn traffic_consumption(till: &Till, asked: ConsumptionAsked) -> Result<Vec<ConsumptionRow>, CommandError> {
    ends_behind(asked.from, asked.to, field::ConsumptionTo::BeforeFrom)?;
    let client = &till.session().await?.client;
    if asked.nni {
        let days = client.call(client::traffic::nni_consumption(asked.from, asked.to)).await?.data;
        let row = |day: NniDay| ConsumptionRow { date: day.date, upload: None, download: None, sum: day.flow };
        return Ok(days.into_iter().map(row).collect());
    }
    let days = client.call(client::traffic::consumption(asked.from, asked.to)).await?.data;
    let row = |day: ConsumptionDay| ConsumptionRow {
        date: day.date,
        upload: Some(day.upload),
        download: Some(day.download),
        sum: Amount::new(day.upload.value().saturating_add(day.download.value())),
    };
    Ok(days.into_iter().map(row).collect())
}

fn ends_behind(from: Option<Day>, to: Option<Day>, wrong: impl Into<WrongField>) -> Result<(), CommandError> {
    match from.zip(to) {
        Some((from, to)) if from > to => Err(CommandError::invalid(wrong)),
        _ => Ok(()),
    }
}

/// Rows of a page: what a person looks through at once.
const PAGE: u32 = 50;

/// Returns the totals of both accounts.
pub async fn traffic_totals(till: &Till, (): ()) -> Result<TrafficTotals, CommandError> {
    let session = till.session().await?;
    Ok(session.client.call(client::traffic::totals()).await?.data)
}

/// Which list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum RecordList {
    /// Given by the agent.
    Recharged,
    /// Used or taken back.
    Consumed,
    /// Received by the agent.
    Received,
}

/// Which records.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RecordsAsked {
    /// Which list.
    pub list: RecordList,
    /// Account; empty is all.
    pub account: String,
    /// First day.
    pub from: Option<Day>,
    /// Last day, included.
    pub to: Option<Day>,
    /// From 1.
    pub page: u32,
}

/// A page of records, newest first.
#[derive(Debug, Serialize, TS)]
pub struct RecordsPage {
    /// Rows of the whole list.
    pub total: i64,
    /// This page's rows.
    pub rows: Vec<TrafficRecord>,
}

/// Returns a page of records.
pub async fn traffic_records(till: &Till, asked: RecordsAsked) -> Result<RecordsPage, CommandError> {
    ends_behind(asked.from, asked.to, field::RecordsTo::BeforeFrom)?;
    let session = till.session().await?;
    let account = Some(asked.account.trim().to_owned()).filter(|account| !account.is_empty());
    let ask = |page, page_size| {
        let query = RecordsQuery { page, page_size, account: account.clone(), from: asked.from, to: asked.to };
        match asked.list {
            RecordList::Recharged => client::traffic::records_given(RecordType::Recharge, &query),
            RecordList::Consumed => client::traffic::records_given(RecordType::Consumption, &query),
            RecordList::Received => client::traffic::records_received(&query),
        }
    };
    let first = u64::from(asked.page.max(1) - 1) * u64::from(PAGE);
    let page = client::pages::part(&session.client, first, PAGE, ask).await?;
    Ok(RecordsPage { total: page.total, rows: page.rows })
}
