//! Reads the vendor's list of IPs into the store, in pages.
//!
//! Dropping the future, or an error, pauses the reading: within the hour, of the stored pages only the first is
//! requested again.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use client::{Client, Error, ips};
use futures_util::{StreamExt, stream};
use wire::ips::IpsPage;

use crate::pages::{may_pass, pages};
use crate::store::Store;
use crate::sync::SyncError;

/// How to read. A parameter, so that tests do not have to wait.
#[derive(Clone, Debug)]
pub struct IpsPlan {
    /// Number of pages requested at once.
    pub parallel: usize,
    /// Rows per page to ask for; the vendor may send fewer.
    pub page_size: u32,
    /// Pauses before a page that the network or the server failed is requested again.
    pub pauses: Vec<Duration>,
}

impl Default for IpsPlan {
    fn default() -> Self {
        Self { parallel: 4, page_size: ips::PAGE, pauses: [1, 3, 9].map(Duration::from_secs).to_vec() }
    }
}

/// Number of attempts before the list is reported as restless.
const ATTEMPTS: usize = 4;
/// A reading that began longer ago than this, in ms, is not taken up: it would mix two lists.
const STALE: i64 = 3_600_000;

/// Reads the whole list. `now` is this computer's clock, ms since 1970.
///
/// # Errors
/// [`SyncError`] when the vendor refuses or fails, when the cache fails, or when the list changes faster than it can
/// be read. What was read stays.
pub async fn sync_ips(
    store: &Arc<Store>,
    client: &Client,
    now: impl Fn() -> i64 + Send + Sync,
    plan: &IpsPlan,
) -> Result<(), SyncError> {
    for _ in 0..ATTEMPTS {
        let begins = now();
        let (size, first) = first(client, plan).await?;
        let total = first.total;
        let same = |open: &crate::ips::IpReading| {
            open.total == total && open.size == size && (begins - STALE..=begins).contains(&open.began)
        };
        let reading = match store.open_ip_reading()?.filter(same) {
            Some(reading) => reading,
            None => store.begin_ip_reading(begins, total, size)?,
        };
        store.keep_ips(&reading, 1, &first)?;
        let missing: Vec<u32> = (2..=pages(total, size)).filter(|page| !reading.pages.contains(page)).collect();
        let fetching = missing
            .into_iter()
            .map(|page| async move { fetch(client, (page, size), &plan.pauses).await.map(|of| (page, of)) });
        let mut fetched = pin!(stream::iter(fetching).buffer_unordered(plan.parallel));
        let mut fits = true;
        while let Some(page) = fetched.next().await {
            let (number, page) = page?;
            let rows = (page.rows.len() + page.unreadable) as i64;
            fits = page.total == total && client.fits((number, size), (rows, total), ips::page);
            if !fits {
                break;
            }
            store.keep_ips(&reading, number, &page)?;
        }
        if fits && store.end_ip_reading(&reading, now())? {
            return Ok(());
        }
    }
    Err(SyncError::Restless)
}

/// The first page, and how many rows the vendor puts on one.
async fn first(client: &Client, plan: &IpsPlan) -> Result<(u32, IpsPage), Error> {
    let size = client.longest_page(plan.page_size, ips::page);
    let page = fetch(client, (1, size), &plan.pauses).await?;
    let rows = (page.rows.len() + page.unreadable) as i64;
    if client.fits((1, size), (rows, page.total), ips::page) || rows == 0 {
        return Ok((size, page));
    }
    // The vendor ends its first page here, so it counts pages in this length.
    Ok((u32::try_from(rows).unwrap_or(size).max(1), page))
}

/// Fetches a page. Repeats it after a pause if the network or the vendor's server failed.
async fn fetch(client: &Client, (page, size): (u32, u32), pauses: &[Duration]) -> Result<IpsPage, Error> {
    let mut pauses = pauses.iter();
    loop {
        match client.call(ips::page(page, size)).await {
            Ok(answer) => return Ok(answer.data),
            Err(error) => match pauses.next().filter(|_| may_pass(&error)) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(error),
            },
        }
    }
}
