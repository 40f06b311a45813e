//! The one place that turns pages. A service may put fewer rows on a page than it is asked for ("no stated page
//! maximum: ask for 100, accept fewer"), and may refuse the same request within seconds: the length of a page
//! is what came, and a list that is read again is asked for in pages of another length.

use serde::de::DeserializeOwned;
use wire::customers::Page;

use crate::call::{Call, Client};
use crate::error::Error;

/// A list that never ends is none.
const MOST_PAGES: u32 = 100_000;
/// Lengths of a page that are tried at most, so that a request is none of a moment ago.
const LENGTHS: u32 = 10;
/// A part of a list is begun anew so often, when its pages are shorter than thought.
const MOST_BEGINNINGS: usize = 3;

impl Client {
    /// Rows to ask for at once: at most `largest` and what the vendor puts on a page, and no request of a
    /// moment ago, if that can be had. `ask`: page from 1, rows of a page.
    pub fn page_size<T: DeserializeOwned>(&self, largest: u32, ask: impl Fn(u32, u32) -> Call<T>) -> u32 {
        let largest = self.longest_page(largest, &ask);
        let least = (largest / 2 + 1).max(largest.saturating_sub(LENGTHS - 1)).min(largest);
        let is_new = |size: &u32| [1, 2].iter().all(|page| !self.gate.was_sent(&ask(*page, *size).request));
        (least..=largest).rev().find(is_new).unwrap_or(largest)
    }

    /// The same without regard to what was asked before.
    pub fn longest_page<T: DeserializeOwned>(&self, largest: u32, ask: impl Fn(u32, u32) -> Call<T>) -> u32 {
        let path = ask(1, largest).request.path;
        self.gate.longest_page(&path).map_or(largest, |longest| longest.min(largest)).max(1)
    }

    /// Compares a page (from 1) with what was asked for. Returns whether it holds as many rows as it should;
    /// a shorter one shows how few the vendor puts on a page.
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

/// Hands over the rows of a list, page after page. Returns whether they are the whole: as many as every page
/// said, each page as long as the others.
///
/// # Errors
/// [`Error`]: the rows so far are not the list.
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
            // The next page begins where a first one of this length ends, however it is counted.
            false if page == 1 => size = u32::try_from(length).unwrap_or(size),
            false => return Ok(false),
        }
    }
    Ok(false)
}

/// Rows `first` (from 0) to `first + count` of a list, as far as there are so many, and how many it holds in all.
///
/// # Errors
/// [`Error`]; [`Error::Restless`] when its pages do not fit together.
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

/// `None`: its pages are shorter than that, or do not agree.
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
