//! Who used how much: brought up to date from the vendor, asked of the local store.

use serde::{Deserialize, Serialize};
use tauri::Emitter;
use ts_rs::TS;
use usage::sync::Plan;
use usage::{CustomerUse, DayUse, Store, Window};
use wire::Day;

use super::Context;
use crate::error::CommandError;
use crate::events::USAGE_PROGRESS;

/// What is kept.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UsageState {
    /// Rows held.
    pub rows: i64,
    /// First day of what is read without a gap.
    pub oldest: Option<Day>,
    /// Last day of it.
    pub through: Option<Day>,
    /// Today, in the vendor's zone.
    pub today: Day,
}

fn state(store: &Store, today: Day) -> Result<UsageState, CommandError> {
    let covered = store.covered()?;
    let (oldest, through) = (covered.map(|days| days.0), covered.map(|days| days.1));
    Ok(UsageState { rows: store.rows()?, oldest, through, today })
}

pub(crate) async fn usage_state(context: &Context, (): ()) -> Result<UsageState, CommandError> {
    let session = context.app.session().await?;
    let store = session.usage.store().await?;
    state(&store, session.today())
}

/// Ends early when the person stops waiting; what was read stays.
pub(crate) async fn usage_sync(context: &Context, (): ()) -> Result<UsageState, CommandError> {
    let session = context.app.session().await?;
    let _one = session.usage.reading.lock().await;
    let store = session.usage.store().await?;
    let told = |progress: usage::Progress| {
        let _ = context.handle.emit(USAGE_PROGRESS, progress);
    };
    usage::sync(&store, &session.client, session.today(), &Plan::default(), told).await?;
    state(&store, session.today())
}

/// Which days.
#[derive(Debug, Deserialize, TS)]
pub struct UsageAsked {
    /// First day.
    pub from: Day,
    /// Last day, included.
    pub to: Day,
}

impl UsageAsked {
    fn span(&self) -> Result<Window, CommandError> {
        if self.from > self.to {
            return Err(CommandError::invalid("usage-to", "before-from"));
        }
        Ok(Window { from: self.from, to: self.to })
    }
}

pub(crate) async fn usage_by_day(context: &Context, asked: UsageAsked) -> Result<Vec<DayUse>, CommandError> {
    let span = asked.span()?;
    let store = context.app.session().await?.usage.store().await?;
    Ok(store.by_day(span)?)
}

pub(crate) async fn usage_by_customer(context: &Context, asked: UsageAsked) -> Result<Vec<CustomerUse>, CommandError> {
    let span = asked.span()?;
    let store = context.app.session().await?.usage.store().await?;
    Ok(store.by_customer(span)?)
}
