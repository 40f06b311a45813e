//! Usage: who used how much. The report is brought up to date from the vendor and queried in the local store.

mod cache;

use charts::Unit;
use export::{Cell, Table, TableKind};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use usage::rows::Order;
use usage::sync::Plan;
use usage::{CustomerUse, DayUse, Store, Window};
use wire::ids::CustomerId;
use wire::{Day, MicroMb};

use crate::Till;
use crate::background::blocking;
use crate::downloads;
use crate::error::CommandError;
use crate::events::{Event, ExportProgress};
use crate::field;
use crate::saved_files::SavedKind;

pub(crate) use cache::UsageCache;

/// The state of the stored usage report.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UsageState {
    /// Number of stored rows.
    pub rows: i64,
    /// The first day of those that are read without a gap; `None` if nothing was read.
    pub oldest: Option<Day>,
    /// The last of these days.
    pub through: Option<Day>,
    /// Today, in the vendor's zone.
    pub today: Day,
    /// Number of rows that the vendor counts and that could not be read.
    pub unreadable: i64,
}

fn state(store: &Store, today: Day) -> Result<UsageState, CommandError> {
    let covered = store.covered()?;
    let (oldest, through) = (covered.map(|days| days.0), covered.map(|days| days.1));
    Ok(UsageState { rows: store.rows()?, oldest, through, today, unreadable: store.unreadable()? })
}

/// Returns the state of the stored usage report.
pub async fn usage_state(till: &Till, (): ()) -> Result<UsageState, CommandError> {
    let session = till.session().await?;
    let store = session.usage.store().await?;
    state(&store, session.today())
}

/// Reads what is missing from the vendor. Ends early when the person stops waiting; what was read stays.
pub async fn usage_sync(till: &Till, (): ()) -> Result<UsageState, CommandError> {
    let session = till.session().await?;
    let _one = session.usage.reading.lock().await;
    let store = session.usage.store().await?;
    let told = |progress: usage::Progress| {
        till.host.emit(Event::UsageProgress(progress));
    };
    let today = session.today();
    usage::sync(&store, &session.client, today, &Plan::default(), told).await?;
    *session.usage.whole.lock() = Some(today);
    state(&store, session.today())
}

/// A query: which days, and which customer.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UsageRequest {
    /// The customer; `None` for all.
    pub customer_id: Option<CustomerId>,
    /// The first day.
    pub from: Day,
    /// The last day, included.
    pub to: Day,
    /// The time that a row covers, if rows are times.
    pub unit: Unit,
}

fn span(from: Day, to: Day) -> Result<Window, CommandError> {
    if from > to {
        return Err(CommandError::invalid(field::UsageTo::BeforeFrom));
    }
    Ok(Window { from, to })
}

/// Returns the use by day, week or month, oldest first. Times without use are left out.
pub async fn usage_by_time(till: &Till, asked: UsageRequest) -> Result<Vec<DayUse>, CommandError> {
    let span = span(asked.from, asked.to)?;
    let store = till.session().await?.usage.store().await?;
    let days = blocking(move || match &asked.customer_id {
        Some(customer) => store.by_day_of(customer, span),
        None => store.by_day(span),
    });
    Ok(grouped(days.await?, asked.unit))
}

fn grouped(days: Vec<DayUse>, unit: Unit) -> Vec<DayUse> {
    let mut groups: Vec<DayUse> = Vec::new();
    let add = |one: &mut MicroMb, other: &MicroMb| *one = MicroMb::new(one.micro.saturating_add(other.micro));
    for day in days {
        let start = unit.start(day.day);
        match groups.last_mut().filter(|group| group.day == start) {
            Some(group) => {
                add(&mut group.upload, &day.upload);
                add(&mut group.download, &day.download);
                add(&mut group.sum, &day.sum);
            }
            None => groups.push(DayUse { day: start, ..day }),
        }
    }
    groups
}

/// Returns the use of each customer in these days; of one only, if the query names it.
pub async fn usage_by_customer(till: &Till, asked: UsageRequest) -> Result<Vec<CustomerUse>, CommandError> {
    let span = span(asked.from, asked.to)?;
    let store = till.session().await?.usage.store().await?;
    let mut customers = blocking(move || store.by_customer(span)).await?;
    if let Some(wanted) = &asked.customer_id {
        customers.retain(|customer| customer.customer_id == *wanted);
    }
    Ok(customers)
}

/// The rows of the report to select, and their order.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RowsWanted {
    /// The customer; `None` for all.
    pub customer_id: Option<CustomerId>,
    /// The first day.
    pub from: Day,
    /// The last day, included.
    pub to: Day,
    /// The order of the rows.
    pub order: Order,
}

/// A selection of rows.
#[derive(Debug, Serialize, TS)]
pub struct Selected {
    /// The number of the selection. Only the last few selections stay.
    pub number: u32,
    /// Number of rows.
    pub count: usize,
}

/// Selects and sorts rows once. Windows of them are then read by place.
pub async fn usage_select(till: &Till, wanted: RowsWanted) -> Result<Selected, CommandError> {
    let session = till.session().await?;
    let store = session.usage.store().await?;
    let span = span(wanted.from, wanted.to)?;
    let choose = move || store.select(span, wanted.customer_id.as_ref(), wanted.order);
    let keys = blocking(choose).await?;
    let count = keys.len();
    Ok(Selected { number: session.usage.selected.add(keys), count })
}

/// A window of a selection.
#[derive(Debug, Deserialize, TS)]
pub struct RowsRequest {
    /// The number of the selection.
    pub number: u32,
    /// The first row, from 0.
    pub first: usize,
    /// The number of rows.
    pub count: usize,
}

/// The number of rows of a window, at most.
const WINDOW: usize = 500;

/// Returns for each row its day, customer id, name, upload and download in MB, as text with a line feed after each.
/// Line breaks in names and ids become blanks.
pub async fn usage_rows(till: &Till, asked: RowsRequest) -> Result<Vec<u8>, CommandError> {
    let session = till.session().await?;
    let keys = session.usage.selected.get(asked.number).ok_or_else(CommandError::given_up)?;
    let first = asked.first.min(keys.len());
    let last = (first + asked.count.min(WINDOW)).min(keys.len());
    let store = session.usage.store().await?;
    let rows = blocking(move || store.rows_at(&keys[first..last])).await?;
    let mut text = String::with_capacity(rows.len() * 64);
    for row in rows {
        use std::fmt::Write;
        // The row is gone since: it leaves its place empty.
        let Some(row) = row else {
            text.push_str("\n\n\n\n\n");
            continue;
        };
        let [name, id] = [row.name.as_str(), row.customer_id.as_str()].map(|one| one.replace(['\n', '\r'], " "));
        let _ = write!(text, "{}\n{id}\n{name}\n{}\n{}\n", row.day, row.upload, row.download);
    }
    Ok(text.into_bytes())
}

/// A selection to save as a table.
#[derive(Debug, Deserialize, TS)]
pub struct RowsExport {
    /// The number of the selection.
    pub number: u32,
    /// The kind of file.
    pub kind: TableKind,
    /// The name of the file, without its ending.
    pub name: String,
    /// The names of the columns: day, name, customer id, upload, download.
    pub columns: Vec<String>,
}

/// The number of rows of a workbook's sheet, with its head.
const SHEET: usize = 1_048_576;
/// The number of windows between two reports of the progress.
const TOLD_EVERY: usize = 20;

/// Saves every row of a selection, and reports the progress. Stopping leaves no file. Returns the path of the file.
pub async fn export_usage(till: &Till, asked: RowsExport) -> Result<String, CommandError> {
    let session = till.session().await?;
    let keys = session.usage.selected.get(asked.number).ok_or_else(CommandError::given_up)?;
    if asked.kind == TableKind::Xlsx && keys.len() >= SHEET {
        return Err(CommandError::invalid(field::Export::TooManyRows));
    }
    let store = session.usage.store().await?;
    let mut target = downloads::begin(till, &asked.name, asked.kind.ending())?;
    let failed = |error: export::table::TableError| CommandError::not_saved(&error);
    let mut table = Table::begin(asked.kind, target.file()?, &asked.columns).map_err(failed)?;
    for (number, window) in keys.chunks(WINDOW).enumerate() {
        let (store, window) = (store.clone(), window.to_vec());
        // A person who stops waiting stops it here.
        for row in blocking(move || store.rows_at(&window)).await? {
            // Its day was read again since: the selection is no longer valid.
            let row = row.ok_or_else(CommandError::changed)?;
            let [upload, download] = [row.upload, row.download].map(|amount| Cell::Number(amount.to_string()));
            let named = [row.day.to_string(), row.name, row.customer_id.to_string()].map(Cell::Text);
            let [day, name, customer] = named;
            table.row(&[day, name, customer, upload, download]).map_err(failed)?;
        }
        if number % TOLD_EVERY == 0 {
            let rows = ((number + 1) * WINDOW).min(keys.len());
            till.host.emit(Event::ExportProgress(ExportProgress { rows, total: keys.len() }));
        }
    }
    let ended = tokio::task::spawn_blocking(move || table.end()).await;
    ended.map_err(|error| CommandError::internal(&error))?.map_err(failed)?;
    target.keep(till, SavedKind::Usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_grouped_exactly_into_weeks_and_months() {
        let day = |text: &str, micro: i64| {
            let amount = MicroMb::new(micro);
            DayUse { day: text.parse().unwrap(), upload: amount.clone(), download: amount.clone(), sum: amount }
        };
        let days = vec![day("2026-10-31", 1), day("2026-11-01", 2), day("2026-11-02", 4), day("2026-11-30", 8)];
        let told = |unit| -> Vec<(String, i64)> {
            grouped(days.clone(), unit).into_iter().map(|one| (one.day.to_string(), one.sum.micro)).collect()
        };
        let expected =
            |rows: &[(&str, i64)]| rows.iter().map(|(day, sum)| ((*day).to_owned(), *sum)).collect::<Vec<_>>();
        assert_eq!(told(Unit::Week), expected(&[("2026-10-26", 3), ("2026-11-02", 4), ("2026-11-30", 8)]));
        assert_eq!(told(Unit::Month), expected(&[("2026-10-01", 1), ("2026-11-01", 14)]));
        assert_eq!(told(Unit::Day).len(), 4);
    }
}
