//! The one place that turns pages. A service may put fewer rows on a page than it is asked for ("no stated page
//! maximum: ask for 100, accept fewer"), and may refuse the same request within seconds. So the length of a
//! page is the number of rows that came, and a repeated reading asks for pages of another length.

use serde::de::DeserializeOwned;
use wire::customers::Page;

use crate::call::{Call, Client};
use crate::error::Error;

/// A list with more pages than this is taken as endless and not believed.
const MOST_PAGES: u32 = 100_000;
/// Number of page lengths to choose from, to avoid repeating a recent request.
const LENGTHS: u32 = 10;
/// Number of times that reading a part starts over because pages are shorter than expected.
const MOST_BEGINNINGS: usize = 3;

impl Client {
    /// Number of rows to ask for: at most `largest` and what the vendor puts on a page, and if possible one
    /// that does not repeat a recent request. `ask` takes the page, from 1, and its rows.
    pub fn page_size<T: DeserializeOwned>(&self, largest: u32, ask: impl Fn(u32, u32) -> Call<T>) -> u32 {
        let largest = self.longest_page(largest, &ask);
        let least = (largest / 2 + 1).max(largest.saturating_sub(LENGTHS - 1)).min(largest);
        let is_new = |size: &u32| [1, 2].iter().all(|page| !self.gate.was_sent(&ask(*page, *size).request));
        (least..=largest).rev().find(is_new).unwrap_or(largest)
    }

    /// As [`Self::page_size`], without regard to recent requests.
    pub fn longest_page<T: DeserializeOwned>(&self, largest: u32, ask: impl Fn(u32, u32) -> Call<T>) -> u32 {
        let path = ask(1, largest).request.path;
        self.gate.longest_page(&path).map_or(largest, |longest| longest.min(largest)).max(1)
    }

    /// The number of rows to ask for, at most `largest`, whatever shorter pages have shown: to find out again how many
    /// the vendor puts on a page.
    pub fn page_size_anew<T: DeserializeOwned>(&self, largest: u32, ask: impl Fn(u32, u32) -> Call<T>) -> u32 {
        let least = largest.saturating_sub(LENGTHS - 1).max(1);
        (least..=largest).rev().find(|size| !self.gate.was_sent(&ask(1, *size).request)).unwrap_or(largest)
    }

    /// The most rows that the vendor puts on a page of this list, as far as short pages have shown; `None`: no page was
    /// too short yet.
    pub fn page_limit<T: DeserializeOwned>(&self, ask: impl Fn(u32, u32) -> Call<T>) -> Option<u32> {
        self.gate.longest_page(&ask(1, 1).request.path)
    }

    /// Whether a page (from 1) holds as many rows as it should. A shorter page shows how many the vendor puts on one.
    pub fn fits<T: DeserializeOwned>(
        &self,
        (page, size): (u32, u32),
        (rows, total): (i64, i64),
        ask: impl Fn(u32, u32) -> Call<T>,
    ) -> bool {
        let expected = (total - i64::from(page - 1) * i64::from(size)).clamp(0, i64::from(size));
        if (1..expected).contains(&rows) {
            self.gate.learn_page(&ask(1, size).request.path, u32::try_from(rows).unwrap_or(size));
        }
        rows == expected
    }
}

/// Passes the rows of a list to `keep`, page by page. Returns whether the list is complete: its length matches
/// the total that every page reported, and all pages but the last are equally long.
///
/// # Errors
/// [`Error`] when a page cannot be read; the rows so far are not the list.
pub async fn each<T: DeserializeOwned>(
    client: &Client,
    largest: u32,
    ask: impl Fn(u32, u32) -> Call<Page<T>>,
    mut keep: impl FnMut(T),
) -> Result<bool, Error> {
    let mut size = client.page_size(largest, &ask);
    let (mut seen, mut told) = (0, None);
    for page in 1..=MOST_PAGES {
        let Page { total, rows } = client.call(ask(page, size)).await?.data;
        let length = rows.len() as i64;
        let fits = client.fits((page, size), (length, total), &ask);
        if *told.get_or_insert(total) != total {
            return Ok(false);
        }
        seen += length;
        rows.into_iter().for_each(&mut keep);
        if seen >= total || length == 0 {
            return Ok(seen == total);
        }
        match fits {
            true => {}
            // The vendor ends its first page here, whatever length it counts pages in: go on with that length.
            false if page == 1 => size = u32::try_from(length).unwrap_or(size),
            false => return Ok(false),
        }
    }
    Ok(false)
}

/// Rows `first` (from 0) to `first + count` of a list, as far as they exist, and the total of the list.
///
/// # Errors
/// [`Error`] when a page cannot be read; [`Error::Restless`] when the pages do not fit together.
pub async fn part<T: DeserializeOwned>(
    client: &Client,
    first: u64,
    count: u32,
    ask: impl Fn(u32, u32) -> Call<Page<T>>,
) -> Result<Page<T>, Error> {
    for _ in 0..MOST_BEGINNINGS {
        let size = client.page_size(count, &ask);
        if let Some(part) = part_of(client, (first, count), size, &ask).await? {
            return Ok(part);
        }
    }
    Err(Error::Restless)
}

/// Returns `None` when the pages are shorter than `size` or disagree about the total.
async fn part_of<T: DeserializeOwned>(
    client: &Client,
    (first, count): (u64, u32),
    size: u32,
    ask: impl Fn(u32, u32) -> Call<Page<T>>,
) -> Result<Option<Page<T>>, Error> {
    let (wanted, length) = (count as usize, u64::from(size));
    let (mut part, mut told): (Vec<T>, _) = (Vec::new(), None);
    for number in first / length.. {
        let page = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let Page { total, rows } = client.call(ask(page, size)).await?.data;
        let fits = client.fits((page, size), (rows.len() as i64, total), &ask);
        if !fits || *told.get_or_insert(total) != total {
            return Ok(None);
        }
        let before = first.saturating_sub(number * length) as usize;
        part.extend(rows.into_iter().skip(before));
        if part.len() >= wanted || (number + 1) * length >= total.max(0).unsigned_abs() {
            part.truncate(wanted);
            return Ok(Some(Page { total, rows: part }));
        }
    }
    Ok(None)
}
