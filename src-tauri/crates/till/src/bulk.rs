//! Bulks: the confirmation of a draft, their rows and progress, and what a person does with them.

use customers::DraftTotals;
use operations::{BulkId, BulkRowView, BulkState, BulkView, RowsWanted};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use tokio::sync::MutexGuard;
use ts_rs::TS;

use crate::Till;
use crate::bulk_draft::desk_of;
use crate::customers::Desk;
use crate::error::CommandError;
use crate::field;
use crate::limits::{self, BulkSum, Over};
use crate::session::Session;

/// The content of the dialog of a bulk that is about to begin.
#[derive(Debug, Serialize, TS)]
pub struct BulkOffered {
    /// The confirmation, accepted once by `confirm_bulk`.
    pub token: String,
    /// The totals of what will be sent.
    pub totals: DraftTotals,
    /// Whether the total exceeds a limit, so that the person has to type it.
    pub typed: bool,
}

/// Offers the good rows of a draft for confirmation. Refuses a draft that is not the last one: its rows are on screen, but
/// another's would be sent.
pub async fn offer_bulk(till: &Till, draft: u32) -> Result<BulkOffered, CommandError> {
    let session = till.session().await?;
    let mut desk = desk_of(&session, draft).await?;
    let totals = desk.draft.totals().clone();
    if totals.good == 0 {
        return Err(CommandError::invalid(field::BulkStart::Nothing));
    }
    if totals.beyond_own {
        return Err(CommandError::invalid(field::BulkStart::BeyondOwn));
    }
    let token = session.operations.bulks().offer(desk.draft.plan())?;
    desk.offered = Some(token.clone());
    let typed = over_a_limit(till, &session, &totals)?.is_some();
    Ok(BulkOffered { token, totals, typed })
}

fn over_a_limit(till: &Till, session: &Session, totals: &DraftTotals) -> Result<Option<Over>, CommandError> {
    let limits = till.settings()?.limits;
    Ok(limits::over_with(&limits, totals.gb.value(), crate::moves::moved_today(session)?))
}

/// The confirmation that the dialog's button sends.
#[derive(Debug, Deserialize, TS)]
pub struct BulkConfirmed {
    /// The token of the offer.
    pub token: String,
    /// The total as typed, GB; empty unless it has to be typed.
    pub typed: String,
}

/// Starts the bulk that a dialog confirmed. Above a limit the total has to be typed, and a system dialog asks; the
/// token is spent only after its yes.
pub async fn confirm_bulk(till: &Till, confirmed: BulkConfirmed) -> Result<BulkView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    let totals = offered(&session, &confirmed.token).await?.1;
    if let Some(over) = over_a_limit(till, &session, &totals)? {
        let typed: Option<Decimal> = confirmed.typed.trim().replace(',', "").parse().ok();
        if typed != Some(totals.gb.value()) {
            return Err(CommandError::invalid(field::BulkTyped::NotTheTotal));
        }
        let sum = BulkSum { kind: totals.kind, rows: totals.good, gb: totals.gb.value() };
        if !limits::ask_for_bulk(till, &sum, &over).await {
            return Err(CommandError::declined());
        }
    }
    // While the person was asked, the draft may have changed: its confirmation is then gone.
    let mut open = offered(&session, &confirmed.token).await?.0;
    let bulk = session.operations.bulks().confirm(&confirmed.token).await?;
    *open = None;
    till.forget_dropped_file();
    Ok(bulk)
}

/// The draft that a confirmation belongs to, locked, and its totals. `changed` if it is no longer the same.
async fn offered<'a>(
    session: &'a Session,
    token: &str,
) -> Result<(MutexGuard<'a, Option<Desk>>, DraftTotals), CommandError> {
    let open = session.customers.desk.lock().await;
    let desk = open.as_ref().filter(|desk| desk.offered.as_deref() == Some(token));
    let totals = desk.ok_or_else(CommandError::changed)?.draft.totals().clone();
    Ok((open, totals))
}

/// Lists all bulks, newest first.
pub async fn list_bulks(till: &Till, (): ()) -> Result<Vec<BulkView>, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.bulks().all()?)
}

/// The wanted rows of a bulk.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkRowsOf {
    /// The bulk.
    pub id: BulkId,
    /// Whether to leave out rows that are done.
    pub only_not_done: bool,
    /// Words to search for in the customer's name and id; empty for no search.
    pub search: String,
}

impl BulkRowsOf {
    fn wanted(&self) -> RowsWanted<'_> {
        RowsWanted { only_not_done: self.only_not_done, search: &self.search }
    }
}

/// A window of a bulk's wanted rows.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkWindow {
    /// The rows.
    #[serde(flatten)]
    pub of: BulkRowsOf,
    /// The first row, from 0.
    pub first: usize,
    /// The number of rows, at most.
    pub count: usize,
}

/// Returns a window of a bulk's wanted rows.
pub async fn bulk_rows(till: &Till, window: BulkWindow) -> Result<Vec<BulkRowView>, CommandError> {
    let BulkWindow { of, first, count } = window;
    Ok(till.session().await?.operations.bulks().rows(&of.id, of.wanted(), first, count)?)
}

/// Returns the number of a bulk's wanted rows.
pub async fn count_bulk_rows(till: &Till, of: BulkRowsOf) -> Result<usize, CommandError> {
    Ok(till.session().await?.operations.bulks().count_rows(&of.id, of.wanted())?)
}

/// An act of a person on a bulk.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BulkAct {
    /// Start no more rows.
    Pause,
    /// Go on.
    Resume,
    /// Give up the rows that have not begun.
    Cancel,
}

/// A bulk and the act on it.
#[derive(Debug, Deserialize, TS)]
pub struct BulkActOn {
    /// The bulk.
    pub id: BulkId,
    /// The act.
    pub act: BulkAct,
}

/// Pauses, resumes or cancels a bulk.
pub async fn act_on_bulk(till: &Till, of: BulkActOn) -> Result<BulkView, CommandError> {
    let session = till.session().await?;
    Ok(match of.act {
        BulkAct::Pause => session.operations.bulks().pause(&of.id)?,
        BulkAct::Resume => {
            let _sending = till.gate.send()?;
            session.followed.stopped.lock().remove(&of.id);
            session.operations.bulks().resume(&of.id)?
        }
        BulkAct::Cancel => {
            let mut ended = session.followed.ended.lock();
            let was_paused = session.operations.bulks().get(&of.id)?.state == BulkState::Paused;
            let view = session.operations.bulks().cancel(&of.id)?;
            // A paused bulk has no run that could end, and the person who cancels it needs no notification.
            if let (true, Some(ended)) = (was_paused, ended.as_mut()) {
                ended.insert(of.id);
            }
            view
        }
    })
}
