//! Sets of states, kinds and reasons, as lists of words for a query.

use crate::words::left_out::LeftOut;
use crate::words::state::{Kind, State};

/// States that hold their target.
pub(crate) fn open_states() -> String {
    states(State::is_open)
}

/// States of being prepared, sent or verified, which end soon.
pub(crate) fn states_at_work() -> String {
    states(State::is_at_work)
}

/// States that a person has to know of, because the outcome is not known.
pub(crate) fn unconfirmed_states() -> String {
    states(State::is_unconfirmed)
}

/// States that certainly changed nothing.
pub(crate) fn states_without_effect() -> String {
    states(State::has_no_effect)
}

/// States of what was carried out.
pub(crate) fn done_states() -> String {
    states(State::is_done)
}

/// Kinds whose effect a read can show.
pub(crate) fn kinds_that_show() -> String {
    let all = Kind::ALL.iter().filter(|kind| kind.family().is_checked());
    listed(all.map(|kind| kind.word()))
}

/// Reasons for which a row was left out and is certainly not done.
pub(crate) fn reasons_of_not_done() -> String {
    listed(LeftOut::ALL.iter().filter(|reason| reason.is_certainly_not_done()).map(|reason| reason.word()))
}

fn states(which: impl Fn(State) -> bool) -> String {
    listed(State::ALL.iter().filter(|state| which(**state)).map(|state| state.word()))
}

fn listed(words: impl Iterator<Item = &'static str>) -> String {
    words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ")
}
