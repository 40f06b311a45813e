//! Sets of states and kinds, as words of a query.

use crate::words::state::{Kind, State};

/// They hold their target.
pub(crate) fn open_states() -> String {
    states(State::is_open)
}

/// They are being sent or proved: their end is near.
pub(crate) fn states_at_work() -> String {
    states(|state| matches!(state, State::Prepared | State::Sending | State::Verifying))
}

/// A person has to know of them: nobody can tell yet.
pub(crate) fn unconfirmed_states() -> String {
    states(State::is_unconfirmed)
}

/// They certainly changed nothing.
pub(crate) fn states_without_effect() -> String {
    states(State::has_no_effect)
}

/// They were carried out.
pub(crate) fn done_states() -> String {
    states(State::is_done)
}

/// A read can show what they did.
pub(crate) fn kinds_that_show() -> String {
    let all = Kind::ALL.iter().filter(|kind| kind.family().is_looked_up());
    listed(all.map(|kind| kind.word()))
}

fn states(which: impl Fn(State) -> bool) -> String {
    listed(State::ALL.iter().filter(|state| which(**state)).map(|state| state.word()))
}

fn listed(words: impl Iterator<Item = &'static str>) -> String {
    words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ")
}
