//! An operation as a person sees it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::purchase::{PlacedOrder, PurchaseConfig};

use crate::decide::{Event, decide};
use crate::journal::{Row, StoredEvent};
use crate::state::{Kind, OperationId, Reason, State, Verdict};

/// One operation, with what may be done about it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OperationView {
    /// Its name.
    pub id: OperationId,
    /// What it does.
    pub kind: Kind,
    /// What it holds while open.
    pub target: String,
    /// Where it stands.
    pub state: State,
    /// Why a person is asked.
    pub reason: Option<Reason>,
    /// Wall clock, ms since 1970.
    pub created: i64,
    /// Wall clock of the next automatic repeat, ms since 1970.
    pub next_at: Option<i64>,
    /// Confirmed by the person, in `currency`.
    pub amount: Amount,
    /// Currency code.
    pub currency: String,
    /// The vendor's figures differ from the confirmed ones.
    pub alarm: bool,
    /// What was bought.
    pub purchase: Option<PurchaseConfig>,
    /// The vendor's yes.
    pub order: Option<PlacedOrder>,
    /// The vendor's no.
    pub refusal: Option<RefusalView>,
    /// What happened, oldest first.
    pub events: Vec<OperationEvent>,
    /// An earlier send may have been carried out: its answer was lost.
    pub in_doubt: bool,
    /// The same row may be sent again.
    pub may_resend: bool,
    /// A person may say how it ended.
    pub may_judge: bool,
}

/// The vendor's no.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RefusalView {
    /// The vendor's code, or the class of the failure.
    pub code: String,
    /// The vendor's own words.
    pub message: String,
    /// The vendor's trace identifier.
    pub trace_id: Option<String>,
}

/// One thing that happened.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OperationEvent {
    /// Wall clock, ms since 1970.
    pub at: i64,
    /// A state's word or a cause.
    pub what: String,
}

pub(crate) fn view(row: Row, events: Vec<StoredEvent>, now: i64) -> OperationView {
    let possible = |event| decide(row.situation(), event, &[]).is_ok();
    OperationView {
        in_doubt: row.in_doubt,
        may_resend: possible(Event::RepeatByPerson) && !row.price_is_over(now),
        may_judge: possible(Event::Judged(Verdict::Done)),
        purchase: row.intent.purchase(),
        id: row.id,
        kind: row.kind,
        target: row.target,
        state: row.state,
        reason: row.reason,
        created: row.created,
        next_at: row.next_at,
        amount: row.intent.amount,
        currency: row.intent.currency,
        alarm: row.alarm,
        order: row.answer,
        refusal: row.refusal.map(|no| RefusalView { code: no.code, message: no.message, trace_id: no.trace_id }),
        events: events.into_iter().map(|event| OperationEvent { at: event.wall, what: event.what }).collect(),
    }
}
