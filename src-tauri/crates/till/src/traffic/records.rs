//! Records of traffic given, used and received, newest first. The contract states no order of the vendor's lists, so
//! the times of a page show it.

use client::traffic::{RecordType, RecordsQuery};
use client::{Call, pages};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;
use wire::customers::Page;
use wire::traffic::TrafficRecord;

use super::ends_behind;
use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::field;
use crate::session::Session;

/// The number of rows of a page on screen.
const PAGE: u32 = 50;
/// The number of rows of a page where many are read: "ask for 100, accept fewer".
pub(super) const LONG_PAGE: u32 = 100;
/// The number of attempts to read records that change while they are read.
const BEGINNINGS: usize = 3;

/// A list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
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
pub struct RecordsRequest {
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

    /// Rows `first` to `first + count`, counted from the newest.
    pub(super) async fn part(&self, session: &Session, first: u64, count: u32) -> Result<RecordsPage, client::Error> {
        let read = async |first: u64, count: u32| {
            pages::part(&session.client, first, count.max(1), |page, size| self.call(page, size)).await
        };
        let Page { mut total, rows } = read(first, count).await?;
        let known = session.oldest_first.lock().get(&self.list).copied();
        let shown = match (oldest_first(&rows), known) {
            (Some(shown), _) => Some(shown),
            (None, Some(known)) => known,
            // All rows of this page have the same time and say nothing of the order: both ends of the list are read, once.
            (None, None) if total > i64::from(count) => {
                let end = total.max(0).unsigned_abs().saturating_sub(u64::from(count));
                match (read(0, count).await, read(end, count).await) {
                    (Ok(begin), Ok(end)) => oldest_first(&[begin.rows, end.rows].concat()),
                    _ => None,
                }
            }
            (None, None) => return Ok(RecordsPage { total, rows }),
        };
        session.oldest_first.lock().insert(self.list, shown);
        if shown != Some(true) {
            return Ok(RecordsPage { total, rows });
        }
        if total <= i64::from(count) && first == 0 {
            return Ok(RecordsPage { total, rows: rows.into_iter().rev().collect() });
        }
        let mut part = Vec::new();
        for _ in 0..BEGINNINGS {
            let end = total.max(0).unsigned_abs().saturating_sub(first);
            let begin = end.saturating_sub(u64::from(count));
            let wanted = u32::try_from(end - begin).unwrap_or(count);
            if wanted == 0 {
                part.clear();
                break;
            }
            let before = total;
            Page { total, rows: part } = read(begin, wanted).await?;
            if total == before {
                break;
            }
        }
        // A list that grows all the time has grown at its end: these rows are still in one piece.
        part.reverse();
        Ok(RecordsPage { total, rows: part })
    }
}

/// Whether the vendor lists the oldest records first. `None` if these rows do not show it: their times are equal or
/// unordered.
fn oldest_first(rows: &[TrafficRecord]) -> Option<bool> {
    let times: Vec<&str> = rows.iter().map(|row| &*row.create_time).filter(|time| !time.is_empty()).collect();
    let (first, last) = times.first().zip(times.last())?;
    let (rises, falls) = (times.is_sorted(), times.is_sorted_by(|one, other| one >= other));
    (first != last && (rises || falls)).then_some(rises)
}

/// Returns a page of records.
pub async fn traffic_records(till: &Till, asked: RecordsRequest) -> Result<RecordsPage, CommandError> {
    let RecordsRequest { of, page } = asked;
    ends_behind(of.from, of.to, field::RecordsTo::BeforeFrom)?;
    let session = till.session().await?;
    let (first, read_at) = (u64::from(page.max(1) - 1) * u64::from(PAGE), wall_clock());
    let page = of.part(&session, first, PAGE).await?;
    if first == 0 && of.is_whole() {
        session.traffic.keep_records(of.list, RecordsRead { page: page.clone(), read_at }).await;
    }
    Ok(page)
}

/// Returns all records, newest first. `restless` if they change again and again while they are read.
pub async fn all_records(till: &Till, of: RecordsOf) -> Result<Vec<TrafficRecord>, CommandError> {
    ends_behind(of.from, of.to, field::RecordsTo::BeforeFrom)?;
    let session = till.session().await?;
    for _ in 0..BEGINNINGS {
        let mut rows = Vec::new();
        let ask = |page, size| of.call(page, size);
        if pages::each(&session.client, LONG_PAGE, ask, |row| rows.push(row)).await? {
            let known = session.oldest_first.lock().get(&of.list).copied().flatten();
            if oldest_first(&rows).or(known) == Some(true) {
                rows.reverse();
            }
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

/// Returns the newest records that were last read, even in an earlier run, without asking the vendor; `None` if there
/// are none.
pub async fn known_records(till: &Till, list: RecordList) -> Result<Option<RecordsRead>, CommandError> {
    Ok(till.session().await?.traffic.records(list).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_shown_by_times_that_rise_or_fall_and_by_nothing_else() {
        let rows = |times: &[&str]| -> Vec<TrafficRecord> {
            let row = |time: &&str| serde_json::json!({ "flowCount": 1, "createTime": time });
            times.iter().map(|time| serde_json::from_value(row(time)).unwrap()).collect()
        };
        let shown = [
            (&["1", "2", "2"][..], Some(true)),
            (&["", "3", "1", ""], Some(false)),
            (&["2", "2"], None),
            (&["1", "3", "2"], None),
            (&["", ""], None),
            (&[], None),
        ];
        for (times, expected) in shown {
            assert_eq!(oldest_first(&rows(times)), expected, "{times:?}");
        }
    }
}
