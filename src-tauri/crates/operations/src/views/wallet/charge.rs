//! What one order takes from the wallet, and when.

use wire::Amount;
use wire::ids::OrderNo;

use crate::journal::row::{ANSWER, Row, StoredEvent};
use crate::views::wallet::sight::Moment;
use crate::words::cause::EventWord;
use crate::words::state::{OperationId, State};

/// "wallet balance insufficient (place-and-pay)".
const INSUFFICIENT: &str = "60004";

/// An order that took money, may have taken it, or was refused for lack of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) operation: OperationId,
    pub(super) order_no: Option<OrderNo>,
    /// The amount paid, or else the confirmed price.
    pub(super) amount: Amount,
    pub(super) currency: String,
    pub(super) standing: Standing,
    /// The first send that may have been carried out.
    pub(super) sent: Moment,
    /// When the vendor said last that the wallet does not suffice.
    pub(super) insufficient: Option<Moment>,
}

/// How far a charge is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It was carried out; known since then.
    Done(Moment),
    /// Not known.
    Open,
    /// It took nothing.
    Nothing,
}

impl Charge {
    /// Reads a row with its events. `None` if nothing is paid.
    pub(super) fn of(row: Row, events: &[StoredEvent]) -> Option<Self> {
        let (price, _) = row.intent.price()?;
        let (sent, done) = span(events);
        let sent = sent.unwrap_or(Moment { number: events.first().map_or(0, |event| event.number), wall: row.created });
        let standing = match row.state {
            state if state.has_no_effect() => Standing::Nothing,
            state if state.is_done() => Standing::Done(done.unwrap_or(sent)),
            _ => Standing::Open,
        };
        let refusal = format!("{ANSWER}{INSUFFICIENT}");
        Some(Self {
            order_no: row.answer.as_ref().map(|answer| answer.order_no.clone()),
            amount: row.answer.as_ref().and_then(|answer| answer.amount).unwrap_or(price),
            currency: currency_of(&row),
            standing,
            sent,
            insufficient: events.iter().rfind(|event| event.what == refusal).map(moment),
            operation: row.id,
        })
    }

    /// Everything that has to be placed before or after a balance.
    pub(super) fn moments(&self) -> impl Iterator<Item = Moment> {
        let done = if let Standing::Done(done) = self.standing { Some(done) } else { None };
        [Some(self.sent), done, self.insufficient].into_iter().flatten()
    }
}

fn moment(event: &StoredEvent) -> Moment {
    Moment { number: event.number, wall: event.wall }
}

/// The currency of an order; empty for other writes, and if the vendor does not name it.
pub(super) fn currency_of(row: &Row) -> String {
    let Some((_, confirmed)) = row.intent.price() else { return String::new() };
    let paid_in = row.answer.as_ref().map(|answer| answer.currency.clone()).filter(|currency| !currency.is_empty());
    paid_in.unwrap_or_else(|| confirmed.to_owned())
}

/// The first send since it last had no effect, and when it was found to be done.
fn span(events: &[StoredEvent]) -> (Option<Moment>, Option<Moment>) {
    let (mut sent, mut done) = (None, None);
    for event in events {
        match EventWord::from_word(&event.what) {
            Some(EventWord::State(State::Sending)) => sent = sent.or(Some(moment(event))),
            Some(EventWord::State(state)) if state.has_no_effect() => (sent, done) = (None, None),
            Some(EventWord::State(state)) if state.is_done() => done = Some(moment(event)),
            _ => {}
        }
    }
    (sent, done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(of: &[(i64, &str)]) -> Vec<StoredEvent> {
        of.iter().map(|(at, what)| StoredEvent { number: *at, wall: *at, what: (*what).into() }).collect()
    }

    #[test]
    fn an_order_may_take_money_from_the_first_send_that_is_not_ruled_out() {
        let cases: [(&[(i64, &str)], _); 4] = [
            (&[(1, "prepared")], (None, None)),
            (&[(1, "prepared"), (2, "sending"), (3, "answer 0"), (4, "applied")], (Some(2), Some(4))),
            (&[(2, "sending"), (3, "unknown"), (4, "sending"), (9, "resolved-applied")], (Some(2), Some(9))),
            (
                &[(2, "sending"), (3, "answer 60004"), (4, "rejected"), (8, "sending"), (9, "applied")],
                (Some(8), Some(9)),
            ),
        ];
        for (of, expected) in cases {
            let (sent, done) = span(&events(of));
            assert_eq!((sent.map(|at| at.wall), done.map(|at| at.wall)), expected, "{of:?}");
        }
    }
}
