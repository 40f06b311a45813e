//! Reads the usage report into the store: newest month first, then older ones, then only what is new.
//!
//! Dropping the future pauses the reading: except for the first, stored pages are not requested again. A window counts
//! only when its pages, its total and its rows agree. Where the vendor's pages may have overlapped, it is halved, down
//! to days; a day of several pages counts after several equal readings. A row that cannot be read is counted on its day
//! and does not hold up the others.

use std::sync::Arc;
use std::time::Duration;

use client::usage::{LARGEST_PAGE, ReportQuery};
use client::{Client, Error};
use futures_util::StreamExt;
use serde::Serialize;
use tokio::sync::mpsc;
use ts_rs::TS;
use wire::Day;
use wire::usage::UsageRow;

use crate::pages::{ReportPage, ask, asked, fetch, fetch_all, fits, pages};
use crate::store::{Reading, Store, StoreError};
use crate::window::Window;

/// How to read. A parameter, so that tests do not have to wait.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Number of pages requested at once.
    pub parallel: usize,
    /// Rows per page.
    pub page_size: u32,
    /// Number of past days to read again each time, because rows come late.
    pub again: i32,
    /// Pauses before a failed page is requested again.
    pub pauses: Vec<Duration>,
    /// No report is older than this day.
    pub oldest: Day,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            parallel: 4,
            page_size: LARGEST_PAGE,
            again: 7,
            pauses: [1, 3, 9].map(Duration::from_secs).to_vec(),
            // 2015-01-01
            oldest: Day::new(16_436),
        }
    }
}

/// Progress of the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "UsageProgress")]
pub struct Progress {
    /// Rows stored.
    pub rows: i64,
    /// Rows counted by the vendor.
    pub total: i64,
    /// The window being read.
    pub window: Window,
}

/// Why the reading ended early. Stored rows stay.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The vendor did not answer, or not properly.
    #[error(transparent)]
    Vendor(#[from] Error),
    /// The cache cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The report changes faster than it can be read.
    #[error("the usage report keeps changing")]
    Restless,
}

/// Rows to request when only their total is wanted.
const FEW: u32 = 10;
/// Number of attempts to read a window before it is reported as restless.
const ATTEMPTS: usize = 9;
/// Number of equal readings that are believed when overlapping pages cannot be ruled out.
const SAME: usize = 3;
/// Up to this many days are replaced together where a total differs.
const FEW_DAYS: i32 = 8;
/// Most pages that wait to be written.
const WAITING: usize = 8;

/// Brings the store up to date: first the days since the last time and a few before them, then missing months, then
/// days whose total differs from the vendor's. `today` is in the vendor's zone.
///
/// # Errors
/// [`SyncError`] when the vendor or the cache fails, or the report changes faster than it can be read.
pub async fn sync(
    store: &Arc<Store>,
    client: &Client,
    today: Day,
    plan: &Plan,
    told: impl Fn(Progress) + Send + Sync,
) -> Result<(), SyncError> {
    let reader = Reader { store, client, plan, told: &told };
    let total = reader.count(Window { from: plan.oldest, to: today }).await?;
    if let Some((oldest, through)) = store.covered()? {
        // Days that are not covered yet are read below.
        let mut window = Window { from: through.plus(-plan.again).max(oldest), to: today };
        // After a long absence, read in pieces that fit in memory.
        while window.from <= window.to {
            let piece = Window { to: window.to.min(Window::month_of(window.from).to), ..window };
            reader.replace(piece, total).await?;
            // Days that were read before are still stored while earlier ones are read again.
            store.cover(None, piece.to.max(through).min(today))?;
            window.from = piece.to.plus(1);
        }
    } else {
        let newest = Window { from: today.month_start(), to: today };
        reader.read(newest, total).await?;
        store.cover(Some(newest.from), today)?;
    }
    while let Some((oldest, _)) = store.covered()? {
        let before = Window { from: plan.oldest, to: oldest.plus(-1) };
        if oldest <= plan.oldest || reader.count(before).await? == 0 {
            break;
        }
        let mut window = Window::month_of(oldest).month_before();
        // Read the last month at once, and older ones in larger pieces, which need fewer round trips.
        if oldest < today.month_start() {
            window.from = window.from.plus(-150).month_start();
        }
        reader.read(window, total).await?;
        store.cover(Some(window.from), today)?;
    }
    reader.mend(today).await
}

struct Reader<'a, T> {
    store: &'a Arc<Store>,
    client: &'a Client,
    plan: &'a Plan,
    told: &'a T,
}

impl<T: Fn(Progress) + Send + Sync> Reader<'_, T> {
    fn tell(&self, window: Window, total: i64) -> Result<(), SyncError> {
        (self.told)(Progress { rows: self.store.rows()?, total, window });
        Ok(())
    }

    /// Number of rows in a window, as counted by the vendor.
    async fn count(&self, window: Window) -> Result<i64, SyncError> {
        let query = ReportQuery { page_size: self.client.page_size(FEW, ask(window)), ..asked(window) };
        Ok(fetch(self.client, &query, &self.plan.pauses).await?.total)
    }

    /// Reads a window page by page, continuing where the last reading ended.
    async fn read(&self, window: Window, all: i64) -> Result<(), SyncError> {
        let reading = self.store.reading(window)?;
        if reading.complete {
            return Ok(());
        }
        if reading.pages.is_empty() {
            self.store.forget(window)?;
        }
        if !self.read_pages(window, all).await? || self.store.reading(window)?.doubtful {
            return self.replace(window, all).await;
        }
        Ok(self.store.close(window)?)
    }

    /// Returns whether the pages fit together.
    async fn read_pages(&self, window: Window, all: i64) -> Result<bool, SyncError> {
        let kept = self.store.reading(window)?;
        // Stored pages have this length.
        let size = self.client.longest_page(self.plan.page_size, ask(window));
        let first = self.first(window, size).await?;
        let total = first.total;
        if !self.holds(window, &kept, total, size)? || !fits(self.client, window, (1, size), &first, total) {
            return Ok(false);
        }
        let last = pages(total, size);
        let missing: Vec<u32> = (1..=last).filter(|page| !kept.pages.contains(page)).collect();
        let (send, mut arrived) = mpsc::channel(WAITING);
        let fetching = fetch_all(self.client.clone(), self.plan.clone(), window, size, missing, first);
        let task = tokio::spawn(async move {
            let mut pages = std::pin::pin!(fetching);
            while let Some(page) = pages.next().await {
                // The receiver is gone: the reading was paused.
                if send.send(page).await.is_err() {
                    break;
                }
            }
        });
        let mut batch = Vec::new();
        while arrived.recv_many(&mut batch, WAITING).await > 0 {
            let mut good = Vec::with_capacity(batch.len());
            for page in batch.drain(..) {
                let (number, page): (u32, ReportPage) = page?;
                // The day of the unreadable row has to be found first.
                if page.unreadable > 0 || !fits(self.client, window, (number, size), &page, total) {
                    task.abort();
                    return Ok(false);
                }
                good.push((number, page));
            }
            let store = self.store.clone();
            let keep = move || {
                let pages: Vec<_> = good.iter().map(|(number, page)| (*number, page.total, &page.rows[..])).collect();
                store.keep_pages(window, &pages)
            };
            tokio::task::spawn_blocking(keep).await.map_err(|_| SyncError::Restless)??;
            self.tell(window, all)?;
        }
        Ok(true)
    }

    /// Reads a window completely and replaces its content.
    async fn replace(&self, window: Window, all: i64) -> Result<(), SyncError> {
        let (rows, unreadable) = self.settled(window).await?;
        let store = self.store.clone();
        let replace = move || store.replace(window, &rows, &unreadable);
        tokio::task::spawn_blocking(replace).await.map_err(|_| SyncError::Restless)??;
        self.tell(window, all)
    }

    /// Reads a window reliably. Where a row occurs twice, pages may have overlapped and hidden others, so the window is
    /// halved, down to days (see [`Self::repeated`]). A window with an unreadable row is halved too: only the dates of
    /// the request show the day of such a row.
    async fn settled(&self, window: Window) -> Result<(Vec<UsageRow>, Vec<(Day, i64)>), SyncError> {
        let (mut all, mut unreadable, mut pieces) = (Vec::new(), Vec::new(), vec![window]);
        while let Some(piece) = pieces.pop() {
            let is_day = piece.from == piece.to;
            let whole = match self.distinct(piece).await? {
                None if is_day => Some(self.repeated(piece).await?),
                Some(whole) if whole.unreadable > 0 && !is_day => None,
                whole => whole,
            };
            match whole {
                Some(whole) => {
                    if whole.unreadable > 0 {
                        unreadable.push((piece.from, whole.unreadable));
                    }
                    all.extend(whole.rows);
                }
                None => pieces.extend(piece.halves()),
            }
        }
        Ok((all, unreadable))
    }

    /// The rows of a window if it fits on one page or no row occurs twice, so that no row is missing.
    async fn distinct(&self, window: Window) -> Result<Option<Whole>, SyncError> {
        for _ in 0..ATTEMPTS {
            if let Some(whole) = self.once(window).await? {
                let distinct = whole.pages <= 1 || whole.rows.windows(2).all(|pair| pair[0] != pair[1]);
                return Ok(distinct.then_some(whole));
            }
        }
        Err(SyncError::Restless)
    }

    /// Reads a day of several pages that really contains a row twice: accepted when several readings in succession
    /// are equal.
    async fn repeated(&self, day: Window) -> Result<Whole, SyncError> {
        let mut same = (0, Whole::default());
        for _ in 0..ATTEMPTS {
            let Some(whole) = self.once(day).await? else { continue };
            same = if same.1 == whole { (same.0 + 1, whole) } else { (1, whole) };
            if same.0 == SAME {
                return Ok(same.1);
            }
        }
        Err(SyncError::Restless)
    }

    /// Reads all pages once, and sorts their rows; `None` when the totals do not match.
    async fn once(&self, window: Window) -> Result<Option<Whole>, SyncError> {
        let size = self.client.page_size(self.plan.page_size, ask(window));
        let first = self.first(window, size).await?;
        let total = first.total;
        let last = pages(total, size);
        let missing = (1..=last).collect();
        let mut whole = Whole { pages: last, ..Whole::default() };
        let (client, plan) = (self.client.clone(), self.plan.clone());
        let mut fetching = std::pin::pin!(fetch_all(client, plan, window, size, missing, first));
        while let Some(page) = fetching.next().await {
            let (number, page) = page?;
            if !fits(self.client, window, (number, size), &page, total) {
                return Ok(None);
            }
            whole.rows.extend(page.rows);
            whole.unreadable += page.unreadable;
        }
        whole.rows.sort_unstable_by(|one, other| order(one).cmp(&order(other)));
        Ok(Some(whole))
    }

    /// Reads the days again whose total differs from the vendor's.
    async fn mend(&self, today: Day) -> Result<(), SyncError> {
        let Some((oldest, _)) = self.store.covered()? else { return Ok(()) };
        let whole = Window { from: oldest, to: today };
        let total = self.count(whole).await?;
        let mut pieces = vec![(whole, total)];
        while let Some((piece, told)) = pieces.pop() {
            if told == self.store.rows_in(piece)? {
                continue;
            }
            if piece.to.days() - piece.from.days() < FEW_DAYS {
                self.replace(piece, total).await?;
                continue;
            }
            for half in piece.halves() {
                pieces.push((half, self.count(half).await?));
            }
        }
        Ok(())
    }

    async fn first(&self, window: Window, size: u32) -> Result<ReportPage, Error> {
        let query = ReportQuery { page_size: size, ..asked(window) };
        fetch(self.client, &query, &self.plan.pauses).await
    }

    /// Whether the stored rows of a window match its stored pages, at this page length.
    fn holds(&self, window: Window, kept: &Reading, total: i64, size: u32) -> Result<bool, SyncError> {
        let on = |page: &u32| (total - i64::from(page - 1) * i64::from(size)).clamp(0, i64::from(size));
        let rows: i64 = kept.pages.iter().map(on).sum();
        Ok(kept.total.is_none_or(|before| before == total) && rows == self.store.rows_in(window)?)
    }
}

/// All pages of a window.
#[derive(Default, PartialEq, Eq)]
struct Whole {
    rows: Vec<UsageRow>,
    pages: u32,
    unreadable: i64,
}

fn order(row: &UsageRow) -> (Day, &str, &wire::MicroMb, &wire::MicroMb) {
    (row.report_date, row.customer_id.as_str(), &row.upload, &row.download)
}
