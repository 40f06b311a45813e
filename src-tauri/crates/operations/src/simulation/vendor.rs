//! The service behind a network that does what the dice say. Its ledger is the truth of a schedule.

use std::collections::HashMap;

use client::{Error, Lost, NotSent};
use wire::customers::Customer;
use wire::envelope::Refusal;

use super::office::{Office, Service};
use crate::evidence::compare::Evidence;
use crate::evidence::snapshot::Snapshot;
use crate::journal::row::Row;
use crate::words::finding::Finding;
use crate::words::state::{Family, Kind};
use crate::writes::account_change::{AccountChange, folded};
use crate::writes::intent::{Intent, Yes};
use crate::writes::traffic_move::TrafficMove;
use dice::Dice;

/// The fate of one send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Fate {
    NotSent,
    LostBefore,
    LostAfter,
    Late,
    Yes,
    OtherAmount,
    Doubled,
    /// A proxy repeats it after its answer.
    DoubledLate,
    Refused,
    /// No, but it was carried out.
    RefusedAfter,
    /// No, and it is carried out later: a gateway gave up while the service went on.
    RefusedLate,
    SlowDown,
    NotOurs,
    TurnedAway,
    /// Carried out, and answered with code 200 and `data: null`, as a refused token is.
    WithoutData,
    Redirected,
    Unsaved,
}

impl Fate {
    pub(super) const ALL: [Self; 17] = [
        Self::NotSent,
        Self::LostBefore,
        Self::LostAfter,
        Self::Late,
        Self::Yes,
        Self::OtherAmount,
        Self::Doubled,
        Self::DoubledLate,
        Self::Refused,
        Self::RefusedAfter,
        Self::RefusedLate,
        Self::SlowDown,
        Self::NotOurs,
        Self::TurnedAway,
        Self::WithoutData,
        Self::Redirected,
        Self::Unsaved,
    ];

    /// Whether it can happen to a write of this kind.
    pub(super) fn applies_to(self, kind: Kind) -> bool {
        match self {
            Self::OtherAmount => kind.family() == Family::Order,
            Self::NotOurs | Self::WithoutData => kind.family() != Family::Order,
            Self::Unsaved => kind == Kind::Create,
            // "POST is exempt by default".
            Self::Doubled => kind.family() != Family::Order,
            Self::DoubledLate => kind == Kind::Deduction,
            _ => true,
        }
    }

    /// The rows of the hazard table that it belongs to.
    pub(super) fn hazards(self) -> &'static str {
        match self {
            Self::NotSent => "1",
            Self::LostBefore | Self::LostAfter | Self::Late => "2, 3, 10, 11",
            Self::TurnedAway => "6",
            Self::WithoutData => "6 and yet done",
            Self::Refused => "7, 8",
            Self::RefusedAfter | Self::RefusedLate => "7, 8 and yet done",
            Self::Redirected => "12",
            Self::SlowDown => "13",
            Self::NotOurs => "204, 202",
            Self::Yes | Self::OtherAmount | Self::Unsaved => "15",
            Self::Doubled | Self::DoubledLate => "16",
        }
    }
}

/// A write that is still on its way.
struct Late {
    row: Row,
    /// Steady ms.
    at: i64,
    /// Its record shows so much later, ms.
    lag: i64,
}

pub(super) struct Vendor {
    pub(super) office: Office,
    /// How much the ledger grew with the arrivals of each operation.
    done: HashMap<String, usize>,
    late: Vec<Late>,
    /// Operations that neither a figure nor a record shows yet, and until when: steady ms.
    hidden: HashMap<String, i64>,
    /// Snapshots that a cache may show once more, by operation.
    shown: HashMap<String, Cached>,
    /// Snapshots that a cache may show once more before a send, by customer and kind: a recharge reads no deductions.
    shown_before: HashMap<(String, Kind), Cached>,
    /// How long a key is known, ms.
    key_life: i64,
}

struct Cached {
    snapshot: Snapshot,
    /// Steady ms.
    at: i64,
    /// How often in a row it was shown instead of the current snapshot.
    times: u8,
}

/// No cache shows a snapshot older than this, ms.
const CACHED_FOR: i64 = 300_000;

/// The result of one check, with its evidence.
pub(super) type Shown = (Finding, Option<Evidence>);

impl Vendor {
    pub(super) fn new(service: Box<dyn Service>, key_life: i64) -> Self {
        let office = Office { service };
        office.stock();
        Self {
            office,
            done: HashMap::new(),
            late: Vec::new(),
            hidden: HashMap::new(),
            shown: HashMap::new(),
            shown_before: HashMap::new(),
            key_life,
        }
    }

    /// Whether a key that arrived at `then` is forgotten at `now`, both steady ms.
    pub(super) fn has_forgotten(&self, then: i64, now: i64) -> bool {
        now - then > self.key_life
    }

    /// How often an operation was carried out.
    pub(super) fn times(&self, id: &str) -> usize {
        self.done.get(id).copied().unwrap_or_default()
    }

    /// Whether an operation may still be carried out.
    pub(super) fn is_pending(&self, id: &str) -> bool {
        self.late.iter().any(|late| late.row.id.0 == id)
    }

    /// Lets time pass, and delivers what a proxy held back, each when it is due. `now` is the steady time after that,
    /// ms.
    pub(super) fn pass_time(&mut self, millis: i64, now: i64) {
        let (mut due, late): (Vec<Late>, Vec<Late>) =
            std::mem::take(&mut self.late).into_iter().partition(|late| late.at <= now);
        self.late = late;
        due.sort_by_key(|late| late.at);
        let mut passed = now - millis;
        for late in due {
            self.pass((late.at - passed).max(0));
            passed = passed.max(late.at);
            // Nobody receives its answer.
            let _ = self.arrive(&late.row, late.lag);
        }
        self.pass(now - passed);
    }

    fn pass(&self, millis: i64) {
        self.office.service.pass_time(millis);
        self.office.service.forget_keys(self.key_life);
    }

    /// The answer to a request that arrived. Its record shows after `lag` ms.
    fn arrive(&mut self, row: &Row, lag: i64) -> Result<Yes, Error> {
        let before = self.office.service.deeds();
        let said = self.office.write(row, lag);
        *self.done.entry(row.id.0.clone()).or_default() += self.office.service.deeds() - before;
        said
    }

    /// One send.
    pub(super) fn receive(&mut self, row: &Row, fate: Fate, dice: &mut Dice, now: i64) -> Result<Yes, Error> {
        let lag = [0, 0, 1_000, 30_000, 400_000][dice.roll(5) as usize];
        // No check finds a copy that shows only after the last one.
        let lag = if fate == Fate::DoubledLate { lag.min(30_000) } else { lag };
        // Some vendors show nothing at all before the record.
        let hides = dice.roll(2) == 0;
        let answer = self.answer(row, fate, lag, dice, now);
        if hides {
            self.hidden.insert(row.id.0.clone(), now + lag);
        } else {
            self.hidden.remove(&row.id.0);
        }
        answer
    }

    fn answer(&mut self, row: &Row, fate: Fate, lag: i64, dice: &mut Dice, now: i64) -> Result<Yes, Error> {
        let kind = row.kind;
        let refused = |status: u16, code: &str| Refusal {
            status,
            code: code.into(),
            message: String::new(),
            trace_id: None,
            timestamp: None,
        };
        let codes = if kind.family() == Family::Order { ["60004", "60306", "60310"] } else { ["500", "400", "1"] };
        // A known key gets its own answer again, unless something in front of it says no: a limit of requests, or a wallet
        // that the order itself has emptied.
        let is_known = kind.family() == Family::Order && self.times(&row.id.0) > 0;
        match fate {
            Fate::NotSent => Err(Error::NotSent(NotSent::NoConnection)),
            Fate::LostBefore => Err(Error::OutcomeUnknown(Lost::Cut)),
            Fate::Redirected => Err(Error::OutcomeUnknown(Lost::Redirected)),
            Fate::Refused if is_known && dice.roll(2) == 0 => Err(Error::Refused(refused(200, "60004"))),
            Fate::Refused | Fate::RefusedAfter if is_known => self.arrive(row, lag),
            Fate::Refused => Err(Error::Refused(refused(200, dice.pick(&codes)))),
            Fate::SlowDown => Err(Error::Refused(refused(429, "429"))),
            Fate::TurnedAway => Err(Error::NotAuthenticated(refused(401, "401"))),
            Fate::WithoutData => {
                let _ = self.arrive(row, lag);
                Err(Error::NotAuthenticated(refused(200, "200")))
            }
            Fate::NotOurs => Err(Error::Refused(refused(200, if kind == Kind::Create { "202" } else { "204" }))),
            Fate::Late => {
                // An order's key, and the next value of a setting, protect for a shorter time.
                let longest = if kind == Kind::Deduction { 300_000 } else { 40_000 };
                let at = now + [50, 3_000, 40_000, longest][dice.roll(4) as usize];
                // A name that is taken elsewhere is refused whenever it arrives.
                if !row.target.ends_with(self.office.service.taken_host()) {
                    self.late.push(Late { row: row.clone(), at, lag: 0 });
                }
                Err(Error::OutcomeUnknown(Lost::TimedOut))
            }
            Fate::LostAfter => {
                let _ = self.arrive(row, lag);
                Err(Error::OutcomeUnknown(Lost::TimedOut))
            }
            // If a known key gets a no, it cannot be seen that a copy was first.
            Fate::RefusedAfter if kind.family() == Family::Order && !self.office.service.knows_orders_by_key() => {
                Err(Error::Refused(refused(200, "60308")))
            }
            Fate::RefusedAfter => {
                let _ = self.arrive(row, [0, 1_000, 8_000][dice.roll(3) as usize]);
                // "Order placement and idempotency related": a copy of this very request was first.
                Err(Error::Refused(refused(200, if kind.family() == Family::Order { "60308" } else { "500" })))
            }
            Fate::RefusedLate => {
                let at = now + [0, 5_000, 40_000, 120_000, 400_000][dice.roll(5) as usize];
                if !row.target.ends_with(self.office.service.taken_host()) {
                    self.late.push(Late { row: row.clone(), at, lag: 0 });
                }
                Err(Error::Refused(refused(200, "500")))
            }
            Fate::Doubled => {
                let _ = self.arrive(row, lag);
                // Only a deduction is checked again once one of its records is there.
                let lags = if kind == Kind::Deduction { [lag, 0, 30_000] } else { [lag; 3] };
                self.arrive(row, lags[dice.roll(3) as usize])
            }
            Fate::DoubledLate => {
                let said = self.arrive(row, lag);
                // A send that was refused is refused again.
                if said.is_ok() {
                    let lag = [0, 1_000, 30_000][dice.roll(3) as usize];
                    self.late.push(Late { row: row.clone(), at: now + 20_000, lag });
                }
                said
            }
            Fate::OtherAmount => {
                let said = self.arrive(row, lag);
                said.map(|yes| match yes {
                    Yes::Order(order) => Yes::Order(wire::purchase::PlacedOrder { amount: "9".parse().ok(), ..order }),
                    Yes::Accepted => Yes::Accepted,
                })
            }
            Fate::Yes | Fate::Unsaved => self.arrive(row, lag),
        }
    }

    /// The snapshot before a send.
    pub(super) fn before(&self, intent: &Intent) -> Option<Snapshot> {
        match intent.kind().family() {
            Family::Move => intent.moved().map(|moved| self.office.snapshot(moved, None)),
            Family::Create => Some(Snapshot::default()),
            Family::Order | Family::Setting => None,
        }
    }

    /// The snapshot before a first send. Once in a while a cache provides it, and has provided the figures that a
    /// person saw.
    pub(super) fn before_first(&mut self, intent: &Intent, dice: &mut Dice, now: i64) -> (Option<Snapshot>, bool) {
        let fresh = self.before(intent);
        let Some((moved, fresh_one)) = intent.moved().zip(fresh.as_ref()) else { return (fresh, false) };
        let which = (moved.customer_id.as_str().to_owned(), intent.kind());
        let stale = self.shown_before.get(&which).filter(|cached| now - cached.at <= CACHED_FOR);
        if let Some(cached) = stale.filter(|_| dice.roll(6) == 0) {
            return (Some(cached.snapshot.clone()), true);
        }
        self.shown_before.insert(which, Cached { snapshot: fresh_one.clone(), at: now, times: 0 });
        (fresh, false)
    }

    /// One check of what the service shows. `compare` takes the move, the snapshot before it and the current one.
    pub(super) fn show(
        &mut self,
        row: &Row,
        compare: impl Fn(&TrafficMove, &Snapshot, &Snapshot) -> (Finding, Evidence),
        dice: &mut Dice,
        now: i64,
    ) -> (Shown, Option<u8>) {
        if dice.roll(7) == 0 {
            return ((Finding::Unreadable, None), None);
        }
        let is_hidden = self.hidden.get(&row.id.0).is_some_and(|until| now < *until);
        match (&row.intent, &row.baseline) {
            (Intent::Move(_) | Intent::Account(AccountChange::Create { .. }), _) if is_hidden => {
                ((Finding::Nothing, None), None)
            }
            (Intent::Move(moved), Some(before)) => {
                let (after, cached) = self.snapshot(row, moved, before, dice, now);
                let (finding, evidence) = compare(moved, before, &after);
                ((finding, Some(evidence)), cached)
            }
            (Intent::Account(change), _) => {
                let is_it = |row: &Customer| folded(&row.user_name) == folded(change.user_name());
                let listed = self.office.customers(Some(change.user_name())).iter().any(is_it);
                ((if listed { Finding::Listed { saved: true } } else { Finding::Nothing }, None), None)
            }
            _ => ((Finding::Unreadable, None), None),
        }
    }

    /// The current snapshot, or one that a cache shows instead and how often in a row: at most twice, because
    /// "no-store" is asked for.
    fn snapshot(
        &mut self,
        row: &Row,
        moved: &TrafficMove,
        before: &Snapshot,
        dice: &mut Dice,
        now: i64,
    ) -> (Snapshot, Option<u8>) {
        // A done move is checked once more. A stale snapshot would only hide a late copy from that check.
        let may_be_stale = |cached: &Cached| row.state.is_open() && cached.times < 2 && now - cached.at <= CACHED_FOR;
        let stale = self.shown.remove(&row.id.0).filter(may_be_stale);
        // A stale snapshot is likely to be followed by another.
        let is_shown = |cached: &Cached| dice.roll(if cached.times > 0 { 2 } else { 8 }) == 0;
        if let Some(Cached { snapshot, at, times }) = stale.filter(is_shown) {
            self.shown.insert(row.id.0.clone(), Cached { snapshot: snapshot.clone(), at, times: times + 1 });
            return (snapshot, Some(times + 1));
        }
        let snapshot = self.office.snapshot(moved, Some(before.day));
        self.shown.insert(row.id.0.clone(), Cached { snapshot: snapshot.clone(), at: now, times: 0 });
        (snapshot, None)
    }
}
