//! Fetches pages of the report: several at once, again after a pause, and row by row where one row cannot be read.

use std::time::Duration;

use client::usage::{ReportQuery, report, report_readable};
use client::{Call, Client, Error};
use futures_util::StreamExt;
use futures_util::stream;
use wire::customers::Page;
use wire::usage::UsageRow;

use crate::sync::Plan;
use crate::window::Window;

pub(crate) fn asked(window: Window) -> ReportQuery {
    ReportQuery { from: Some(window.from), to: Some(window.to), ..ReportQuery::default() }
}

/// Number of pages for this many rows; at least one.
pub(crate) fn pages(total: i64, size: u32) -> u32 {
    u32::try_from(total.max(1).unsigned_abs().div_ceil(u64::from(size))).unwrap_or(u32::MAX)
}

/// Returns the request for a page of a window.
pub(crate) fn ask(window: Window) -> impl Fn(u32, u32) -> Call<Page<UsageRow>> {
    move |page, page_size| report(&ReportQuery { page, page_size, ..asked(window) })
}

/// Whether a page reports the same total as the first and holds as many rows as it should. A shorter page shows how
/// many the vendor puts on one, and the next reading asks for no more.
pub(crate) fn fits(client: &Client, window: Window, (number, size): (u32, u32), page: &ReportPage, total: i64) -> bool {
    let rows = page.rows.len() as i64 + page.unreadable;
    client.fits((number, size), (rows, page.total), ask(window)) && page.total == total
}

pub(crate) type Fetched = Result<(u32, ReportPage), Error>;

/// A page, with the rows that could be read.
pub(crate) struct ReportPage {
    pub(crate) total: i64,
    pub(crate) rows: Vec<UsageRow>,
    /// Number of rows that could not be read.
    pub(crate) unreadable: i64,
}

/// Fetches the missing pages, several at once, in any order. The first page is there already: it gave the total.
pub(crate) fn fetch_all(
    client: Client,
    plan: Plan,
    window: Window,
    size: u32,
    missing: Vec<u32>,
    first: ReportPage,
) -> impl stream::Stream<Item = Fetched> {
    let mut first = missing.contains(&1).then_some(first);
    let parallel = plan.parallel;
    let pages = missing.into_iter().map(move |number| {
        let query = ReportQuery { page: number, page_size: size, ..asked(window) };
        let known = if number == 1 { first.take() } else { None };
        let (client, pauses) = (client.clone(), plan.pauses.clone());
        async move {
            match known {
                Some(page) => Ok((number, page)),
                None => fetch(&client, &query, &pauses).await.map(|page| (number, page)),
            }
        }
    });
    stream::iter(pages).buffer_unordered(parallel)
}

/// Fetches a page. Repeats it after a pause if the network or the vendor's server failed.
pub(crate) async fn fetch(client: &Client, query: &ReportQuery, pauses: &[Duration]) -> Result<ReportPage, Error> {
    let mut pauses = pauses.iter();
    loop {
        match page(client, query).await {
            Ok(page) => return Ok(page),
            Err(error) => match pauses.next().filter(|_| may_pass(&error)) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(error),
            },
        }
    }
}

/// Fetches a page, row by row if one of them cannot be read.
async fn page(client: &Client, query: &ReportQuery) -> Result<ReportPage, Error> {
    match client.call(report(query)).await {
        Ok(answer) => Ok(ReportPage { total: answer.data.total, rows: answer.data.rows, unreadable: 0 }),
        Err(Error::Unreadable { .. }) => {
            let page = client.call(report_readable(query)).await?.data;
            let all = page.rows.len();
            let rows: Vec<UsageRow> = page.rows.into_iter().filter_map(|row| row.0).collect();
            Ok(ReportPage { total: page.total, unreadable: (all - rows.len()) as i64, rows })
        }
        Err(error) => Err(error),
    }
}

/// Whether the same request may succeed a moment later. Requests to wait are already handled by the client.
pub(crate) fn may_pass(error: &Error) -> bool {
    match error {
        Error::OutcomeUnknown(_) | Error::NotSent(client::NotSent::NoConnection) => true,
        Error::NotThisService { status } => *status >= 500,
        Error::Refused(refusal) => refusal.status >= 500,
        _ => false,
    }
}
