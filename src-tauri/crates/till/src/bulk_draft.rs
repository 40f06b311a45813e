//! The draft of a bulk, from a selection, a text or a file: its rows, their problems and the person's answers.

pub(crate) mod from_file;

use std::sync::atomic::Ordering;

use customers::draft::{Draft, wants};
use customers::lines::{self, Comma, Unit, Written};
use customers::naming::Naming;
use customers::{DraftRow, DraftTotals, Facts};
use operations::{BulkId, Family, Kind};
use serde::{Deserialize, Serialize};
use tokio::sync::{MappedMutexGuard, MutexGuard};
use ts_rs::TS;
use wire::Day;
use wire::ids::CustomerId;

use crate::Till;
use crate::customers::{Desk, Known};
use crate::error::CommandError;
use crate::field;
use crate::session::Session;

/// The source of a draft.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "from", rename_all = "kebab-case")]
#[ts(rename = "BulkSource")]
pub enum Source {
    /// Lines, as people write them.
    Text {
        /// The lines.
        text: String,
    },
    /// A file.
    File {
        /// The bytes, in base64.
        base64: String,
        /// Whether it is a text file, which may hold lines as people write them.
        text: bool,
    },
    /// A file that was dropped on the window.
    Dropped {
        /// The number of the drop.
        number: u32,
    },
    /// Selected customers, each topped up to last until a day. For recharges alone.
    Until {
        /// Their ids.
        ids: Vec<CustomerId>,
        /// The last day that the traffic has to last.
        until: Day,
    },
    /// Selected customers.
    Selected {
        /// Their ids.
        ids: Vec<CustomerId>,
        /// The amount for each, as typed; GB when it has no unit. Ignored unless traffic is moved.
        gb: String,
    },
    /// The rows of a bulk that are certainly not done.
    Again {
        /// The bulk.
        bulk: BulkId,
    },
}

/// A bulk to draft.
#[derive(Debug, Deserialize, TS)]
pub struct BulkRequest {
    /// The kind of every row's operation.
    pub kind: Kind,
    /// The status to set; ignored for any other kind.
    pub active: bool,
    /// The source of the rows.
    pub source: Source,
}

/// Makes a draft, in place of the last one.
pub async fn draft_bulk(till: &Till, asked: BulkRequest) -> Result<DraftTotals, CommandError> {
    let session = till.session().await?;
    let (kind, mut active) = (asked.kind, asked.active);
    // These drafts are made from figures that were just read.
    let is_fresh = matches!(asked.source, Source::Until { .. });
    let draft = match asked.source {
        Source::Text { text } => Draft::new(kind, lines::entries(&text, wants(kind))),
        Source::File { base64, text } => from_file::encoded(kind, &base64, text).await?,
        Source::Dropped { number } => from_file::draft(kind, till.dropped_file(number)?).await?,
        Source::Until { ids, until } => crate::top_up::draft(&session, &ids, until).await?,
        Source::Selected { ids, gb } => Draft::selected(kind, ids, amount(&session, kind, &gb)?),
        Source::Again { bulk } => {
            let not_done = session.operations.bulks().certainly_not_done(&bulk)?;
            active = session.operations.bulks().get(&bulk)?.active.unwrap_or(active);
            Draft::again(kind, not_done)
        }
    };
    if !is_fresh {
        read_figures(&session, kind).await?;
    }
    let mut desk = session.customers.desk.lock().await;
    let number = till.drafts.fetch_add(1, Ordering::SeqCst) + 1;
    let fresh = desk.insert(Desk { number, draft, active, offered: None });
    judge(&session, fresh).await
}

/// Judges every row again with figures that are read now, for a preview that was left and is opened again. `changed` if
/// another draft took its place.
pub async fn judge_draft(till: &Till, draft: u32) -> Result<DraftTotals, CommandError> {
    let session = till.session().await?;
    let kind = desk_of(&session, draft).await?.draft.kind();
    read_figures(&session, kind).await?;
    let mut desk = desk_of(&session, draft).await?;
    judge(&session, &mut desk).await
}

/// Reads the figures that are shown as "before". A setting shows none.
async fn read_figures(session: &Session, kind: Kind) -> Result<(), CommandError> {
    session.all_customers(kind.family() != Family::Setting).await?;
    Ok(())
}

/// Returns the desk with this draft. `changed` if another one lies there, or none.
pub(crate) async fn desk_of(session: &Session, draft: u32) -> Result<MappedMutexGuard<'_, Desk>, CommandError> {
    let desk = session.customers.desk.lock().await;
    MutexGuard::try_map(desk, |desk| desk.as_mut().filter(|desk| desk.number == draft))
        .map_err(|_| CommandError::changed())
}

fn amount(session: &Session, kind: Kind, typed: &str) -> Result<Option<Written>, CommandError> {
    if kind.family() != Family::Move {
        return Ok(None);
    }
    Ok(Some(crate::moves::typed_amount(typed, session.gb_factor()?)?.0))
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
    Ok(DraftTotals { draft: desk.number, ..desk.draft.totals().clone() })
}

async fn known(session: &Session, kind: Kind) -> Result<Known, CommandError> {
    let customers = session.all_customers(false).await?.rows;
    let own = if kind == Kind::Recharge { crate::moves::own_left(session).await } else { None };
    let naming = Naming::new(customers.iter());
    let held = session.operations.held()?.into_keys().collect();
    let [active, _] = session.vendor.states;
    let statuses = session.operations.customers().last_statuses()?.into_iter();
    let disabled = statuses.filter(|(_, last)| last.customer_state != active).map(|(id, _)| id).collect();
    Ok(Known { customers, naming, held, disabled, own })
}

/// A window of a draft.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftWindow {
    /// The number of the draft.
    pub draft: u32,
    /// The first row, from 0.
    pub first: usize,
    /// The number of rows, at most.
    pub count: usize,
    /// Whether to return only rows with a problem.
    pub only_problems: bool,
}

/// A row of a draft, with its place.
#[derive(Debug, Serialize, TS)]
pub struct PlacedRow {
    /// The place among all rows, from 0.
    pub at: usize,
    /// The row.
    pub row: DraftRow,
}

/// Returns a window of a draft; nothing if it is not the last one.
pub async fn draft_rows(till: &Till, window: DraftWindow) -> Result<Vec<PlacedRow>, CommandError> {
    let session = till.session().await?;
    let Ok(desk) = desk_of(&session, window.draft).await else { return Ok(Vec::new()) };
    let rows = desk.draft.rows().iter().enumerate();
    let shown = rows.filter(|(_, row)| !window.only_problems || row.problem.is_some());
    Ok(shown.skip(window.first).take(window.count).map(|(at, row)| PlacedRow { at, row: row.clone() }).collect())
}

/// An answer to a question of a draft.
#[derive(Debug, Deserialize, TS)]
pub struct DraftAnswered {
    /// The number of the draft.
    pub draft: u32,
    /// The answer.
    pub answer: DraftAnswer,
}

/// The content of an answer.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "answer", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DraftAnswer {
    /// The unit of numbers without one.
    Unit {
        /// GB or MB.
        unit: Unit,
    },
    /// What a comma in a number is.
    Comma {
        /// The decimal sign, or the separator of thousands.
        comma: Comma,
    },
    /// The amount for rows with a name and nothing else.
    Each {
        /// The amount as typed; GB when it has no unit.
        gb: String,
    },
    /// Another text for a row. Without words, the row is none.
    Text {
        /// The row's place.
        at: usize,
        /// The text, read like a line.
        text: String,
        /// The row's text so far. The places of rows change; an answer to another row is refused.
        was: String,
    },
    /// The customer that a row means.
    Meant {
        /// The row's place.
        at: usize,
        /// The customer.
        customer_id: CustomerId,
        /// The row's text, as in `Text`.
        was: String,
    },
    /// Accept every clear suggestion.
    AllSuggestions,
    /// Include disabled customers or leave them out.
    Disabled {
        /// Whether to leave them out.
        out: bool,
    },
}

/// Applies an answer, and judges every row again. `changed` if another draft took its place, or another row the place
/// of the row.
pub async fn answer_draft(till: &Till, answered: DraftAnswered) -> Result<DraftTotals, CommandError> {
    let DraftAnswered { draft, answer } = answered;
    let session = till.session().await?;
    let mut desk = desk_of(&session, draft).await?;
    if let DraftAnswer::Text { at, was, .. } | DraftAnswer::Meant { at, was, .. } = &answer
        && desk.draft.rows().get(*at).is_none_or(|row| row.text != *was)
    {
        return Err(CommandError::changed());
    }
    match answer {
        DraftAnswer::Unit { unit } => desk.draft.choose_unit(unit),
        DraftAnswer::Comma { comma } => desk.draft.choose_comma(comma),
        DraftAnswer::Each { gb } => {
            // The rows may say something else about commas than this field.
            if lines::folded(&gb).contains(',') && desk.draft.has_commas() {
                return Err(CommandError::invalid(field::AmountGb::Comma));
            }
            desk.draft.choose_each(crate::moves::typed_amount(&gb, session.gb_factor()?)?.0);
        }
        DraftAnswer::Text { at, text, .. } => desk.draft.rewrite(at, &text),
        DraftAnswer::Meant { at, customer_id, .. } => desk.draft.choose(Some(at), Some(customer_id)),
        DraftAnswer::AllSuggestions => desk.draft.choose(None, None),
        DraftAnswer::Disabled { out } => desk.draft.leave_out_disabled(out),
    }
    judge(&session, &mut desk).await
}
