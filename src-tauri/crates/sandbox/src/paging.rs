//! The common part of the lists of the traffic and customer areas: page, size, days.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use wire::Day;

use crate::envelope;

/// A refusal of these areas: code 500 with a sentence.
pub(crate) struct Wrong(pub(crate) String);

impl Wrong {
    pub(crate) fn respond(self) -> Response {
        envelope::agent_wrapper(StatusCode::OK, 500, &self.0, Value::Null)
    }
}

impl From<rusqlite::Error> for Wrong {
    fn from(error: rusqlite::Error) -> Self {
        Self(format!("ledger: {error}"))
    }
}

/// `pageNum` and `pageSize` as sent.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Paging {
    page_num: Option<String>,
    page_size: Option<String>,
}

/// The rows that a page holds.
pub(crate) struct Page {
    pub(crate) first: usize,
    pub(crate) size: usize,
}

impl Paging {
    /// Reads the page. "pageNum default 1"; the default size is the endpoint's own.
    pub(crate) fn page(&self, default_size: usize, largest: usize) -> Result<Page, Wrong> {
        let number = positive("pageNum", self.page_num.as_deref(), 1)?;
        let size = positive("pageSize", self.page_size.as_deref(), default_size)?.min(largest);
        Ok(Page { first: (number - 1).saturating_mul(size), size })
    }
}

fn positive(field: &str, sent: Option<&str>, default: usize) -> Result<usize, Wrong> {
    let Some(sent) = sent.filter(|sent| !sent.is_empty()) else { return Ok(default) };
    let number = sent.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| Wrong(format!("{field}: a whole number from 1")))
}

/// `startDate` and `endDate` as sent, both included.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Days {
    start_date: Option<String>,
    end_date: Option<String>,
}

impl Days {
    /// First and last day; an open end has no limit.
    pub(crate) fn span(&self) -> Result<(Day, Day), Wrong> {
        let read = |field: &str, sent: &Option<String>, open: Day| match sent.as_deref().unwrap_or_default() {
            "" => Ok(open),
            text if text.len() == 10 => text.parse().map_err(|_| Wrong(format!("{field}: yyyy-MM-dd"))),
            _ => Err(Wrong(format!("{field}: yyyy-MM-dd"))),
        };
        let from = read("startDate", &self.start_date, Day::new(i32::MIN / 4))?;
        let to = read("endDate", &self.end_date, Day::new(i32::MAX / 4))?;
        if from > to {
            return Err(Wrong("endDate: before startDate".into()));
        }
        Ok((from, to))
    }
}
