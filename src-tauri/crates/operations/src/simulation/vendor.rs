//! A vendor that remembers what it really did: the truth of a schedule.

use std::collections::HashMap;

use client::{Error, Lost, NotSent};
use wire::envelope::Refusal;
use wire::ids::{OrderId, OrderNo};
use wire::purchase::PlacedOrder;

use super::dice::Dice;
use crate::finding::Finding;
use crate::gb::GbFactor;
use crate::intent::Yes;
use crate::row::Row;
use crate::state::{Family, Kind};

/// What happens to one send.
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
    SlowDown,
    NotOurs,
    TurnedAway,
    Redirected,
    Unsaved,
}

impl Fate {
    pub(super) const ALL: [Self; 15] = [
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
        Self::SlowDown,
        Self::NotOurs,
        Self::TurnedAway,
        Self::Redirected,
        Self::Unsaved,
    ];

    /// Whether it can happen to a write of this kind.
    pub(super) fn applies_to(self, kind: Kind) -> bool {
        match self {
            Self::OtherAmount => kind == Kind::PlaceAndPay,
            Self::NotOurs => kind != Kind::PlaceAndPay,
            Self::Unsaved => kind == Kind::Create,
            // "POST is exempt by default".
            Self::Doubled => kind != Kind::PlaceAndPay,
            Self::DoubledLate => kind == Kind::Deduction,
            // "Not success by itself" is what the agent area's answers are; an order's no is a no.
            Self::RefusedAfter => kind.family() == Family::Move,
            _ => true,
        }
    }

    /// Its rows in the hazard table.
    pub(super) fn hazards(self) -> &'static str {
        match self {
            Self::NotSent => "1",
            Self::LostBefore | Self::LostAfter | Self::Late => "2, 3, 10, 11",
            Self::TurnedAway => "6",
            Self::Refused | Self::RefusedAfter => "7, 8",
            Self::Redirected => "12",
            Self::SlowDown => "13",
            Self::NotOurs => "204, 202",
            Self::Yes | Self::OtherAmount | Self::Unsaved => "15",
            Self::Doubled | Self::DoubledLate => "16",
        }
    }
}

/// Once carried out.
#[derive(Clone, Copy, Debug)]
struct Effect {
    /// Steady ms from which reads show it.
    shown: i64,
}

/// What was done for each operation, by its key.
#[derive(Default)]
pub(super) struct Vendor {
    done: HashMap<String, Vec<Effect>>,
    /// Operations that a proxy is still to deliver, and when.
    late: Vec<(String, Kind, i64)>,
    /// The name is taken elsewhere.
    pub(super) elsewhere: bool,
}

impl Vendor {
    /// How often it was carried out.
    pub(super) fn times(&self, id: &str) -> usize {
        self.done.get(id).map_or(0, Vec::len)
    }

    /// Whether it may still be carried out.
    pub(super) fn is_pending(&self, id: &str) -> bool {
        self.late.iter().any(|(late, ..)| late == id)
    }

    /// Delivers what a proxy kept until now.
    pub(super) fn pass_time(&mut self, now: i64) {
        let due: Vec<(String, Kind)> =
            self.late.iter().filter(|(_, _, at)| *at <= now).map(|(id, kind, _)| (id.clone(), *kind)).collect();
        self.late.retain(|(_, _, at)| *at > now);
        for (id, kind) in due {
            self.carry_out(&id, kind, now);
        }
    }

    /// Returns whether it was done already: a key, an order id or a name protects. A deduction has none.
    fn carry_out(&mut self, id: &str, kind: Kind, shown: i64) -> bool {
        let done = self.done.entry(id.to_owned()).or_default();
        let again = !done.is_empty();
        if !again || kind == Kind::Deduction {
            done.push(Effect { shown });
        }
        again
    }

    /// One send.
    pub(super) fn receive(&mut self, row: &Row, fate: Fate, dice: &mut Dice, now: i64) -> Result<Yes, Error> {
        let (id, kind) = (row.id.0.as_str(), row.kind);
        let refused = |status: u16, code: &str| Refusal {
            status,
            code: code.into(),
            message: String::new(),
            trace_id: None,
            timestamp: None,
        };
        let no = if kind == Kind::PlaceAndPay { "60004" } else { "500" };
        let lag = [0, 0, 1_000, 30_000, 400_000][dice.roll(5) as usize];
        // A copy that shows only after the last look is found by nobody.
        let lag = if fate == Fate::DoubledLate { lag.min(30_000) } else { lag };
        match fate {
            Fate::NotSent => Err(Error::NotSent(NotSent::NoConnection)),
            Fate::LostBefore => Err(Error::OutcomeUnknown(Lost::Cut)),
            Fate::Redirected => Err(Error::OutcomeUnknown(Lost::Redirected)),
            Fate::Refused => Err(Error::Refused(refused(200, no))),
            Fate::SlowDown => Err(Error::Refused(refused(429, "429"))),
            Fate::TurnedAway => Err(Error::NotAuthenticated(refused(401, "401"))),
            Fate::NotOurs => Err(Error::Refused(refused(200, if kind == Kind::Create { "202" } else { "204" }))),
            Fate::Late => {
                self.late.push((id.to_owned(), kind, now + [50, 3_000, 40_000][dice.roll(3) as usize]));
                Err(Error::OutcomeUnknown(Lost::TimedOut))
            }
            Fate::LostAfter => {
                self.carry_out(id, kind, now + lag);
                Err(Error::OutcomeUnknown(Lost::TimedOut))
            }
            Fate::RefusedAfter => {
                self.carry_out(id, kind, now + [0, 1_000, 8_000][dice.roll(3) as usize]);
                Err(Error::Refused(refused(200, no)))
            }
            Fate::Yes | Fate::OtherAmount | Fate::Doubled | Fate::DoubledLate | Fate::Unsaved => {
                let mut again = self.carry_out(id, kind, now + lag);
                if fate == Fate::Doubled {
                    again |= self.carry_out(id, kind, now + lag);
                }
                if fate == Fate::DoubledLate {
                    self.late.push((id.to_owned(), kind, now + 20_000));
                }
                match kind {
                    Kind::PlaceAndPay => Ok(Yes::Order(order(fate))),
                    Kind::Recharge if again => Err(Error::Refused(refused(200, "203"))),
                    Kind::Create if again => Err(Error::Refused(refused(200, "201"))),
                    _ => Ok(Yes::Accepted),
                }
            }
        }
    }

    /// One look at what it shows.
    pub(super) fn show(&self, row: &Row, dice: &mut Dice, now: i64) -> Finding {
        if dice.roll(7) == 0 {
            return Finding::Unreadable;
        }
        let effects = self.done.get(&row.id.0).map_or(&[][..], Vec::as_slice);
        let shown = effects.iter().filter(|effect| effect.shown <= now).count();
        match (row.kind.family(), shown) {
            (Family::Create, 0) => Finding::Nothing,
            (Family::Create, _) => Finding::Listed,
            // The figure has moved already, its record has not come.
            _ if shown < effects.len() && dice.roll(2) == 0 => Finding::Disagree,
            (_, 0) => Finding::Nothing,
            (_, 1) => Finding::Once { factor: GbFactor::Binary },
            _ => Finding::Twice,
        }
    }
}

fn order(fate: Fate) -> PlacedOrder {
    PlacedOrder {
        order_no: OrderNo::new("1"),
        order_id: OrderId::default(),
        status: None,
        amount: if fate == Fate::OtherAmount { "9" } else { "8.55" }.parse().ok(),
        currency: "USD".into(),
        deliver_ip_count: None,
    }
}
