//! A snapshot of a customer's traffic at the vendor, read before a move and after it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::customers::Customer;
use wire::traffic::TrafficRecord;
use wire::{Amount, Day};

use crate::evidence::record::{alike, counted, since};
use crate::writes::traffic_move::TrafficMove;

/// A customer's balance: its own figures, MB. `None`: not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Balance {
    /// Given in all: moves of traffic change it, use does not.
    pub recharged: Option<Amount>,
    /// Left: use changes it too.
    pub left: Option<Amount>,
}

impl Balance {
    /// The figures in a row of the list.
    pub fn of(row: &Customer) -> Self {
        Self { recharged: row.traffic_count, left: row.residual_flow }
    }
}

/// A customer as the vendor shows it at a moment: balance and records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The day it was read, in the vendor's zone.
    pub day: Day,
    /// The customer's figures; `None` if the customer is not in the list.
    #[serde(rename = "standing")]
    pub balance: Option<Balance>,
    /// Records of type 0, at least from the day before the first snapshot of the move on.
    pub given: Vec<TrafficRecord>,
    /// Records of type 1, from the same day on; empty for a recharge.
    pub taken: Vec<TrafficRecord>,
}

impl Snapshot {
    /// Traffic given to the customer in all, MB; `None` if it is not reported.
    pub(crate) fn recharged(&self) -> Option<Amount> {
        self.balance.as_ref()?.recharged
    }

    /// The records that may be of such a move. One that shows in both lists is one.
    pub(crate) fn alike(&self, moved: &TrafficMove) -> Vec<TrafficRecord> {
        let mut shown = counted(&self.given);
        let is_new = |row: &&TrafficRecord| match shown.get_mut(*row) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        };
        let taken: Vec<&TrafficRecord> = self.taken.iter().filter(is_new).collect();
        alike(moved, self.given.iter().chain(taken))
    }

    /// This snapshot without the records of earlier days.
    pub(crate) fn since(&self, day: Day) -> Self {
        let [given, taken] = [&self.given, &self.taken].map(|rows| since(day, rows));
        Self { given, taken, ..self.clone() }
    }
}
