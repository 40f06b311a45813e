//! An operation as a person sees it.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::CustomerId;
use wire::purchase::{PlacedOrder, PurchaseConfig};
use wire::traffic::TrafficRecord;

use crate::decide::{Check, Event, KEY_IS_TRUSTED_FOR, decide, is_too_late_to_repeat};
use crate::engine::times::Times;
use crate::evidence::compare::Evidence;
use crate::evidence::record::{alike, are_of_one_operator, of_one_sign};
use crate::journal::row::{ANSWER, Row, StoredEvent};
use crate::words::cause::EventWord;
use crate::words::finding::Finding;
use crate::words::schedule::Schedule;
use crate::words::state::{Family, Kind, OperationId, Reason, Said, State, Verdict};
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;
use crate::writes::renewal::Renewal;
use crate::writes::traffic_move::TrafficMove;

/// One operation, and what may be done about it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OperationView {
    /// Its identifier.
    pub id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// The target that it holds while open.
    pub target: String,
    /// Its state.
    pub state: State,
    /// Whether it is open: it holds its target, and no other may begin there.
    pub is_open: bool,
    /// Whether it is prepared, being sent or verified.
    pub is_at_work: bool,
    /// Whether its outcome is not known.
    pub is_unconfirmed: bool,
    /// Whether it was carried out.
    pub is_done: bool,
    /// Whether only a record shows that it was carried out: someone else may have moved the same.
    pub is_only_found: bool,
    /// Whether the token was refused: it can continue with a new one.
    pub needs_token: bool,
    /// Why a person is asked; `None` without a question.
    pub reason: Option<Reason>,
    /// When it was created, wall clock, ms since 1970.
    pub created: i64,
    /// When the next automatic repeat or check is due, wall clock, ms since 1970.
    pub next_at: Option<i64>,
    /// The confirmed amount, in `currency`; in GB if traffic is moved.
    pub amount: Amount,
    /// Currency code; empty if traffic is moved.
    pub currency: String,
    /// The move of traffic, if it is one.
    pub moved: Option<TrafficMove>,
    /// The moved amount in MB, as it was shown.
    pub mb: Option<Amount>,
    /// The evidence of the newest check of the vendor's ledger.
    pub evidence: Option<Evidence>,
    /// Records of the same amount from before the send, which are not its own (seed 93714); empty unless a person may
    /// say how it ended.
    pub there_before: Vec<TrafficRecord>,
    /// The record of the amount that the newest check saw.
    pub found: Option<TrafficRecord>,
    /// Whether the person is alarmed: the vendor's figures differ from the confirmed ones, it was done twice or in
    /// spite of a no, or the witnesses disagree to the end.
    pub alarm: bool,
    /// The purchase, if it is one.
    pub purchase: Option<PurchaseConfig>,
    /// The renewal, if it is one.
    pub renewal: Option<Renewal>,
    /// The vendor's yes to an order or a renewal.
    pub order: Option<PlacedOrder>,
    /// The meaning of the last answer; `None` if it said nothing.
    pub said: Option<Said>,
    /// The last answer, if it was not a yes, or the failure in its place.
    pub refusal: Option<RefusalView>,
    /// Its events, oldest first.
    pub events: Vec<OperationEvent>,
    /// Whether an earlier send may have been carried out: it was once unknown, or a question to a person.
    pub in_doubt: bool,
    /// Whether the same row may be sent again.
    pub may_resend: bool,
    /// Until when it may be sent again, wall clock, ms since 1970; `None` if there is no end to that.
    pub resends_until: Option<i64>,
    /// Whether it may not be sent again because the vendor may have forgotten its key, so that it may be paid twice.
    pub is_too_late_to_resend: bool,
    /// Whether a person may say how it ended.
    pub may_judge: bool,
    /// Whether the vendor's ledger may be checked again.
    pub may_check: bool,
    /// The customer that is changed or was created; `None` if it is not known.
    pub customer_id: Option<CustomerId>,
    /// User name of the customer that it is about; empty for an order.
    pub user_name: String,
    /// The status that is set; `None` for other kinds.
    pub active: Option<bool>,
    /// Whether secrets of a created customer are waiting to be saved.
    pub may_save_secrets: bool,
    /// The bulk that it is a row of.
    pub bulk: Option<String>,
    /// Whether traffic was moved and may be moved back.
    pub may_take_back: bool,
    /// The operation that takes this one back; `None` if none does.
    pub countered_by: Option<OperationId>,
}

/// An answer that was not a yes, or the failure in its place.
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

/// One event of an operation.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OperationEvent {
    /// Wall clock, ms since 1970.
    pub at: i64,
    /// The text as stored: the word of a state or a cause, or an answer.
    pub what: String,
    /// The word. `None` for an answer, and for one that only a newer version of the program knows.
    pub word: Option<EventWord>,
    /// The vendor's code or the class of the failure, if it is an answer.
    pub answer: Option<String>,
}

impl From<StoredEvent> for OperationEvent {
    fn from(StoredEvent { wall, what, .. }: StoredEvent) -> Self {
        let answer = what.strip_prefix(ANSWER).map(str::to_owned);
        Self { at: wall, word: EventWord::from_word(&what), answer, what }
    }
}

/// Minutes within which an HTTP proxy may repeat a request. Records further apart are no copies of one.
const COPY_WITHIN: i64 = 15;

const CHECK: Event =
    Event::Checked(Check { finding: Finding::Unreadable, age: Duration::ZERO, since: Duration::ZERO, unplanned: true });

/// Whether another token helps: the one that was sent was refused, or may have been.
fn needs_token(row: &Row, may_resend: bool) -> bool {
    let is_refused = row.state == State::Rejected && may_resend;
    let may_be_refused = row.refusal.as_ref().is_some_and(|no| no.credentials) && row.state.is_unconfirmed();
    match row.kind.family() {
        Family::Order => is_refused,
        Family::Setting => is_refused || may_be_refused,
        Family::Move | Family::Create => may_be_refused,
    }
}

pub(crate) fn view(row: Row, events: Vec<StoredEvent>, times: &Times) -> OperationView {
    let (at, price_is_over) = (row.situation(), times.price_is_over(&row));
    let possible = |event| decide(at, event, &Schedule::default()).is_ok();
    // The age of other keys decides nothing, so the clocks are not read for them.
    let age = if at.only_key_protects { times.key_age(&row) } else { Duration::ZERO };
    let (amount, currency, purchase, moved) = match &row.intent {
        Intent::Order(order) => (order.amount, order.currency.clone(), order.purchase(), None),
        Intent::Renewal(renewal) => (renewal.amount, renewal.currency.clone(), None, None),
        Intent::Move(moved) => (moved.gb.amount(), String::new(), None, Some(moved.clone())),
        Intent::Account(_) => (Amount::ZERO, String::new(), None, None),
    };
    let was_done = row.state.is_done();
    let alike = moved.as_ref().zip(row.evidence.as_ref()).map(|(moved, seen)| alike(moved, &seen.records));
    let alike = alike.map(of_one_sign).unwrap_or_default();
    let was_doubled = row.state == State::NeedsYou && row.reason == Some(Reason::Doubled) && are_of_one_send(&alike);
    let may_resend = possible(Event::RepeatByPerson { age }) && !price_is_over;
    let found = alike.into_iter().next();
    let was_accepted = matches!(row.said, Some(Said::Yes | Said::Already));
    let may_judge = possible(Event::Judged(Verdict::Done));
    let before = row.baseline.as_ref().zip(moved.as_ref()).filter(|_| may_judge);
    let there_before = before.map(|(before, moved)| before.alike(moved)).unwrap_or_default();
    let account = row.intent.account();
    let name = account.map(AccountChange::user_name).or(moved.as_ref().map(|moved| moved.user_name.as_str()));
    let of_intent = account.and_then(AccountChange::customer_id).or(moved.as_ref().map(|moved| &moved.customer_id));
    OperationView {
        customer_id: row.customer.clone().or_else(|| of_intent.cloned()),
        user_name: name.unwrap_or_default().to_owned(),
        active: match account {
            Some(AccountChange::Status { active, .. }) => Some(*active),
            _ => None,
        },
        may_save_secrets: possible(Event::SecretsSaved),
        bulk: row.bulk.clone(),
        in_doubt: row.in_doubt,
        is_open: row.state.is_open(),
        is_at_work: row.state.is_at_work(),
        is_unconfirmed: row.state.is_unconfirmed(),
        is_done: was_done,
        is_only_found: row.state == State::ResolvedApplied && found.is_some() && !was_accepted,
        needs_token: needs_token(&row, may_resend),
        may_resend,
        resends_until: (may_resend && is_too_late_to_repeat(at, Duration::MAX))
            .then(|| times.now().saturating_add(KEY_IS_TRUSTED_FOR.saturating_sub(age).as_millis() as i64)),
        is_too_late_to_resend: is_too_late_to_repeat(at, age),
        may_judge,
        there_before,
        may_check: possible(CHECK) && !was_done,
        may_take_back: moved.as_ref().is_some_and(|moved| was_doubled || (was_done && moved.counter_of.is_none())),
        countered_by: None,
        found,
        mb: moved.as_ref().map(|moved| moved.gb.mb(moved.factor)),
        moved,
        evidence: row.evidence,
        renewal: row.intent.renewal().cloned(),
        purchase,
        id: row.id,
        kind: row.kind,
        target: row.target,
        state: row.state,
        reason: row.reason,
        created: row.created,
        next_at: row.next_at,
        amount,
        currency,
        alarm: row.alarm,
        order: row.answer,
        said: row.said,
        refusal: row.refusal.map(|no| RefusalView { code: no.code, message: no.message, trace_id: no.trace_id }),
        events: events.into_iter().map(OperationEvent::from).collect(),
    }
}

/// Whether records may be copies of one request: they name one operator and come soon after each other. Any others may
/// be moves of someone else.
fn are_of_one_send(records: &[TrafficRecord]) -> bool {
    let Some((first, rest)) = records.split_first() else { return false };
    let minute = |record: &TrafficRecord| -> Option<i64> {
        let (day, time) = record.create_time.split_once(' ')?;
        let [hours, minutes] = [0..2, 3..5].map(|at| time.get(at).and_then(|part| part.parse::<i64>().ok()));
        Some((i64::from(day.parse::<wire::Day>().ok()?.days()) * 24 + hours?) * 60 + minutes?)
    };
    let is_near = |other: &TrafficRecord| {
        let apart = minute(first).zip(minute(other)).map(|(one, other)| (one - other).abs());
        apart.is_none_or(|apart| apart <= COPY_WITHIN)
    };
    rest.iter().all(|other| are_of_one_operator(first, other) && is_near(other))
}

/// Links each operation with the one that takes it back, unless that one had no effect.
pub(crate) fn link_counters(mut all: Vec<OperationView>) -> Vec<OperationView> {
    let counter =
        |operation: &OperationView| Some((operation.moved.as_ref()?.counter_of.clone()?, operation.id.clone()));
    let counters: HashMap<_, _> =
        all.iter().filter(|operation| !operation.state.has_no_effect()).filter_map(counter).collect();
    for operation in &mut all {
        operation.countered_by = counters.get(&operation.id).cloned();
        operation.may_take_back &= operation.countered_by.is_none();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::cause::Cause;

    fn record(by: &str, time: &str) -> TrafficRecord {
        let json =
            format!(r#"{{"customerId":7,"flowCount":-5120,"createId":"{by}","createTime":"2026-11-21 {time}"}}"#);
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn an_event_is_a_word_an_answer_or_the_text_of_a_newer_version() {
        let cases = [
            ("needs-you", Some(EventWord::State(State::NeedsYou)), None),
            ("looked-once", Some(EventWord::Cause(Cause::SawOnce)), None),
            ("answer 60004", None, Some("60004")),
            ("of-tomorrow", None, None),
        ];
        for (what, word, answer) in cases {
            let event = OperationEvent::from(StoredEvent { number: 1, wall: 0, what: what.into() });
            assert_eq!((event.what.as_str(), event.word, event.answer.as_deref()), (what, word, answer));
        }
    }

    #[test]
    fn only_copies_of_one_send_are_offered_to_be_taken_back() {
        let us = |time| record("1", time);
        let cases = [
            ("at once", vec![us("10:00:00"), us("10:00:00")], true),
            ("by a late proxy", vec![us("10:00:00"), us("10:15:59")], true),
            ("much later", vec![us("10:00:00"), us("10:16:00")], false),
            ("by somebody else", vec![us("10:00:00"), record("2", "10:00:00")], false),
            ("nothing was seen", Vec::new(), false),
        ];
        for (name, records, expected) in cases {
            assert_eq!(are_of_one_send(&records), expected, "{name}");
        }
    }

    #[test]
    fn a_record_of_the_other_sign_is_none_of_two_copies() {
        let [one, other] = ["10:00:00", "10:00:20"].map(|time| record("1", time));
        let back = TrafficRecord { count: "5120".parse().unwrap(), ..record("2", "10:00:10") };
        let copies = of_one_sign(vec![one.clone(), back, other.clone()]);
        assert_eq!(copies, [one, other]);
    }
}
