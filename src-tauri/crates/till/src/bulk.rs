//! Bulks: a draft from a selection, a text or a file; its preview; its confirmation; its progress.

use base64::Engine;
use customers::draft::{Draft, Facts, wants};
use customers::file::{self, BadFile};
use customers::lines::{self, Unit, Written};
use customers::naming::Naming;
use customers::{DraftRow, DraftTotals};
use operations::{BulkId, BulkRowView, BulkView};
use operations::{Family, Kind};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use tokio::sync::MutexGuard;
use ts_rs::TS;
use wire::ids::CustomerId;

use crate::Till;
use crate::customers::{Desk, Known};
use crate::error::CommandError;
use crate::field;
use crate::limits::{self, BulkSum, Over};
use crate::session::Session;

/// Where a draft comes from.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "from", rename_all = "kebab-case")]
#[ts(rename = "BulkSource")]
pub enum Source {
    /// Lines as people write them.
    Text {
        /// The lines.
        text: String,
    },
    /// A file, its bytes in base64.
    File {
        /// The bytes.
        base64: String,
    },
    /// Customers that were selected.
    Selected {
        /// Their ids.
        ids: Vec<CustomerId>,
        /// The amount of each, as typed, GB.
        gb: String,
    },
    /// The rows of a bulk that are certainly not done.
    Again {
        /// The bulk.
        bulk: BulkId,
    },
}

/// What is to be done, with whom.
#[derive(Debug, Deserialize, TS)]
#[ts(rename = "BulkAsked")]
pub struct Asked {
    /// What every row does.
    pub kind: Kind,
    /// What a status is set to.
    pub active: bool,
    /// Where the rows come from.
    pub source: Source,
}

/// Makes a draft in place of the one before.
pub async fn draft_bulk(till: &Till, asked: Asked) -> Result<DraftTotals, CommandError> {
    let session = till.session().await?;
    let (kind, mut active) = (asked.kind, asked.active);
    let draft = match asked.source {
        Source::Text { text } => Draft::new(kind, lines::entries(&text, wants(kind))),
        Source::File { base64 } if base64.len() / 4 * 3 > file::MOST_BYTES + 2 => {
            return Err(bad_file(BadFile::TooLarge));
        }
        Source::File { base64 } => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(base64);
            let bytes = bytes.map_err(|_| CommandError::invalid(field::BulkFile::NotText))?;
            let read = crate::usage::spawned(move || file::entries(&bytes, wants(kind))).await?;
            Draft::new(kind, read.map_err(bad_file)?)
        }
        Source::Selected { ids, gb } => Draft::selected(kind, ids, amount(kind, &gb)?),
        Source::Again { bulk } => {
            let not_done = session.operations.certainly_not_done(&bulk)?;
            active = session.operations.bulk(&bulk)?.active.unwrap_or(active);
            Draft::again(kind, not_done)
        }
    };
    // What is shown as "before" is read now.
    session.all_customers(kind.family() != Family::Setting).await?;
    let mut desk = session.customers.desk.lock().await;
    let fresh = desk.insert(Desk { draft, active, offered: None });
    judge(&session, fresh).await
}

fn amount(kind: Kind, typed: &str) -> Result<Option<Written>, CommandError> {
    if kind.family() != Family::Move {
        return Ok(None);
    }
    let number: Decimal = typed.trim().parse().map_err(|_| CommandError::invalid(field::BulkGb::NotANumber))?;
    Ok(Some(Written { number, unit: Some(Unit::Gb) }))
}

fn bad_file(bad: BadFile) -> CommandError {
    CommandError::invalid(match bad {
        BadFile::NotText => field::BulkFile::NotText,
        BadFile::NotAWorkbook => field::BulkFile::NotAWorkbook,
        BadFile::Empty => field::BulkFile::Empty,
        BadFile::TooLarge => field::BulkFile::TooLarge,
    })
}

async fn judge(session: &Session, desk: &mut Desk) -> Result<DraftTotals, CommandError> {
    let known = known(session, desk.draft.kind()).await?;
    let facts = Facts {
        customers: &known.customers,
        naming: &known.naming,
        held: &known.held,
        disabled: &known.disabled,
        own: known.own,
        factor: session.gb_factor()?,
        states: session.vendor.states,
    };
    let secrets = session.operations.secrets()?;
    desk.offered = None;
    desk.draft.judge(&facts, desk.active, |reference, typed| secrets.hold(reference, typed.to_owned().into()));
    Ok(desk.draft.totals().clone())
}

async fn known(session: &Session, kind: Kind) -> Result<Known, CommandError> {
    let customers = session.all_customers(false).await?.rows;
    let own = if kind == Kind::Recharge { crate::moves::own_left(session).await } else { None };
    let naming = Naming::new(customers.iter());
    let held = session.operations.held()?.into_keys().collect();
    let [active, _] = session.vendor.states;
    let statuses = session.operations.last_statuses()?.into_iter();
    let disabled = statuses.filter(|(_, last)| last.customer_state != active).map(|(id, _)| id).collect();
    Ok(Known { customers, naming, held, disabled, own })
}

/// A window of a preview.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftWindow {
    /// From this place on.
    pub first: usize,
    /// Rows at most.
    pub count: usize,
    /// Only rows with something in the way.
    pub only_problems: bool,
}

/// A row of a preview with its place.
#[derive(Debug, Serialize, TS)]
pub struct PlacedRow {
    /// Its place among all rows.
    pub at: usize,
    /// The row.
    pub row: DraftRow,
}

/// Returns a window of the draft; nothing where there is no draft.
pub async fn draft_rows(till: &Till, window: DraftWindow) -> Result<Vec<PlacedRow>, CommandError> {
    let session = till.session().await?;
    let desk = session.customers.desk.lock().await;
    let Some(desk) = desk.as_ref() else { return Ok(Vec::new()) };
    let rows = desk.draft.rows().iter().enumerate();
    let shown = rows.filter(|(_, row)| !window.only_problems || row.problem.is_some());
    Ok(shown.skip(window.first).take(window.count).map(|(at, row)| PlacedRow { at, row: row.clone() }).collect())
}

/// An answer to what a draft asks.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "answer", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DraftAnswer {
    /// Numbers without a unit are these.
    Unit {
        /// GB or MB.
        unit: Unit,
    },
    /// This customer is meant in a row.
    Meant {
        /// The row's place.
        at: usize,
        /// Who.
        customer_id: CustomerId,
    },
    /// Wherever there is a clear suggestion, it is taken.
    AllSuggestions,
    /// Whether customers who are disabled are part of it.
    Disabled {
        /// They are left out.
        out: bool,
    },
}

/// Takes an answer to what the draft asks, and judges every row again.
pub async fn answer_draft(till: &Till, answer: DraftAnswer) -> Result<DraftTotals, CommandError> {
    let session = till.session().await?;
    let mut desk = session.customers.desk.lock().await;
    let desk = desk.as_mut().ok_or_else(CommandError::changed)?;
    match answer {
        DraftAnswer::Unit { unit } => desk.draft.choose_unit(unit),
        DraftAnswer::Meant { at, customer_id } => desk.draft.choose(Some(at), Some(customer_id)),
        DraftAnswer::AllSuggestions => desk.draft.choose(None, None),
        DraftAnswer::Disabled { out } => desk.draft.leave_out_disabled(out),
    }
    judge(&session, desk).await
}

/// What the dialog shows of a bulk that is about to begin.
#[derive(Debug, Serialize, TS)]
pub struct BulkOffered {
    /// Spent by `confirm_bulk`.
    pub token: String,
    /// What is sent.
    pub totals: DraftTotals,
    /// The total goes over a limit: it has to be typed, GB.
    pub typed: bool,
}

/// Offers the good rows of the draft for confirmation.
pub async fn offer_bulk(till: &Till, (): ()) -> Result<BulkOffered, CommandError> {
    let session = till.session().await?;
    let mut desk = session.customers.desk.lock().await;
    let desk = desk.as_mut().ok_or_else(CommandError::changed)?;
    let totals = desk.draft.totals().clone();
    if totals.good == 0 {
        return Err(CommandError::invalid(field::BulkStart::Nothing));
    }
    if totals.beyond_own {
        return Err(CommandError::invalid(field::BulkStart::BeyondOwn));
    }
    let token = session.operations.offer_bulk(desk.draft.plan())?;
    desk.offered = Some(token.clone());
    let typed = over_a_limit(till, &session, &totals)?.is_some();
    Ok(BulkOffered { token, totals, typed })
}

fn over_a_limit(till: &Till, session: &Session, totals: &DraftTotals) -> Result<Option<Over>, CommandError> {
    let limits = till.settings()?.limits;
    Ok(limits::over_with(&limits, totals.gb.value(), crate::moves::moved_today(session)?))
}

/// The button of the dialog, with the total where it has to be typed.
#[derive(Debug, Deserialize, TS)]
pub struct BulkConfirmed {
    /// From `offer_bulk`.
    pub token: String,
    /// The total as typed, GB; empty where none is asked for.
    pub typed: String,
}

/// Above a limit the total is typed, and the system's own dialog asks; the token is spent after its yes.
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
    // While somebody was asked the draft may have become another: its confirmation went with it.
    let mut open = offered(&session, &confirmed.token).await?.0;
    let bulk = session.operations.confirm_bulk(&confirmed.token).await?;
    *open = None;
    Ok(bulk)
}

/// The draft that a confirmation belongs to.
async fn offered<'a>(
    session: &'a Session,
    token: &str,
) -> Result<(MutexGuard<'a, Option<Desk>>, DraftTotals), CommandError> {
    let open = session.customers.desk.lock().await;
    let desk = open.as_ref().filter(|desk| desk.offered.as_deref() == Some(token));
    let totals = desk.ok_or_else(CommandError::changed)?.draft.totals().clone();
    Ok((open, totals))
}

/// Every bulk, newest first.
pub async fn list_bulks(till: &Till, (): ()) -> Result<Vec<BulkView>, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.bulks()?)
}

/// A window of a bulk's rows.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkWindow {
    /// The bulk.
    pub id: BulkId,
    /// Only rows that are not done.
    pub only_not_done: bool,
    /// Only rows that hold these words, done or not; empty: every row.
    pub search: String,
    /// From this place on.
    pub first: usize,
    /// Rows at most.
    pub count: usize,
}

/// Returns a window of a bulk's rows, or of those that a search finds.
pub async fn bulk_rows(till: &Till, window: BulkWindow) -> Result<Vec<BulkRowView>, CommandError> {
    let session = till.session().await?;
    let BulkWindow { id, only_not_done, search, first, count } = window;
    if search.trim().is_empty() {
        return Ok(session.operations.bulk_rows(&id, only_not_done, first, count)?);
    }
    Ok(session.operations.search_bulk(&id, &search, first, count)?)
}

/// What a person does with a bulk.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BulkAct {
    /// Begin no more rows.
    Pause,
    /// Go on.
    Resume,
    /// Give up what has not begun.
    Cancel,
}

/// What is done with which.
#[derive(Debug, Deserialize, TS)]
pub struct BulkActOn {
    /// The bulk.
    pub id: BulkId,
    /// What.
    pub act: BulkAct,
}

/// Pauses, resumes or cancels a bulk.
pub async fn act_on_bulk(till: &Till, of: BulkActOn) -> Result<BulkView, CommandError> {
    let session = till.session().await?;
    Ok(match of.act {
        BulkAct::Pause => session.operations.pause_bulk(&of.id)?,
        BulkAct::Resume => {
            let _sending = till.gate.send()?;
            session.operations.resume_bulk(&of.id)?
        }
        BulkAct::Cancel => session.operations.cancel_bulk(&of.id)?,
    })
}
