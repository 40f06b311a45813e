//! The agent's traffic: totals of both accounts, records given and received.

use client::traffic::{RecordType, RecordsQuery};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;
use wire::traffic::{TrafficRecord, TrafficTotals};

use super::Context;
use crate::error::CommandError;

/// Rows of a page: what a person looks through at once.
const PAGE: u32 = 50;

pub(crate) async fn traffic_totals(context: &Context, (): ()) -> Result<TrafficTotals, CommandError> {
    let session = context.app.session().await?;
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

pub(crate) async fn traffic_records(context: &Context, asked: RecordsAsked) -> Result<RecordsPage, CommandError> {
    if asked.from.zip(asked.to).is_some_and(|(from, to)| from > to) {
        return Err(CommandError::invalid("records-to", "before-from"));
    }
    let session = context.app.session().await?;
    let account = Some(asked.account.trim().to_owned()).filter(|account| !account.is_empty());
    let query = RecordsQuery { page: asked.page.max(1), page_size: PAGE, account, from: asked.from, to: asked.to };
    let call = match asked.list {
        RecordList::Recharged => client::traffic::records_given(RecordType::Recharge, &query),
        RecordList::Consumed => client::traffic::records_given(RecordType::Consumption, &query),
        RecordList::Received => client::traffic::records_received(&query),
    };
    let page = session.client.call(call).await?.data;
    Ok(RecordsPage { total: page.total, rows: page.rows })
}
