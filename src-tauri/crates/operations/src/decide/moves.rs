//! The cells of recharge and deduction. A deduction is never sent twice. A recharge is, under its order id, but only
//! after several checks have agreed that nothing is there.

use std::time::Duration;

use super::{Check, Decision, KEY_IS_TRUSTED_FOR, LATE_COPY_WITHIN, Next, Outcome, Situation, ask, to};
use crate::words::finding::Finding;
use crate::words::schedule::Schedule;
use crate::words::state::{Kind, Reason, Said, State};

/// "Not seen is never proof": this many checks must agree that nothing is there before anything follows from it: a
/// repeat, a question to a person, or the end of a refused write.
const AGREEING: usize = 3;

/// Decides after the send ended.
pub(super) fn answered(at: Situation, outcome: Outcome, schedule: &Schedule) -> Decision {
    let at = |state| Situation { state, said: at.said(outcome), ..at };
    let in_doubt = at(State::Sending).in_doubt;
    match outcome {
        Outcome::NotSent if !in_doubt => to(State::NotSent),
        Outcome::Declined if !in_doubt => to(State::Rejected),
        Outcome::Success { .. } | Outcome::AlreadyDone => check_on(at(State::Verifying), schedule),
        // Hazard 8: a gateway may have given up while the service goes on. The no is believed at the end of the
        // schedule.
        Outcome::Refused if !in_doubt => check_on(at(State::Refused), schedule),
        _ => check_on(at(State::Unknown), schedule),
    }
}

/// Decides after a check ended. `None`: there is nothing to check in this state.
pub(super) fn checked(at: Situation, check: Check, schedule: &Schedule) -> Option<Decision> {
    match at.state {
        State::Verifying | State::Unknown | State::Refused => Some(open(at, check, schedule)),
        State::NeedsYou | State::Rejected | State::Applied | State::ResolvedApplied => Some(closed(at, check)),
        _ => None,
    }
}

/// Decides for a state that is still open.
fn open(at: Situation, check: Check, schedule: &Schedule) -> Decision {
    match check.finding {
        Finding::Once { factor } => {
            let plain = at.state == State::Verifying && !at.in_doubt;
            let unexpected = at.state == State::Refused;
            // An HTTP proxy may still be about to send it again: only a later check can show that.
            let next = if at.kind == Kind::Deduction { Next::CheckAfter(schedule.audit) } else { Next::Rest };
            let state = if plain { State::Applied } else { State::ResolvedApplied };
            Decision { alarm: factor != at.factor || unexpected, next, ..to(state) }
        }
        Finding::Twice => doubled(),
        // A check outside the schedule decides nothing more: it does not bring the end of the schedule nearer.
        _ if check.unplanned => Decision { next: Next::AsPlanned, ..to(at.state) },
        _ => undecided(at, check, schedule),
    }
}

pub(super) fn undecided(at: Situation, check: Check, schedule: &Schedule) -> Decision {
    let checks = at.checks + 1;
    let agreeing = if check.finding == Finding::Nothing { at.agreeing + 1 } else { at.agreeing };
    let may_repeat = repeats(at, schedule) && check.age <= KEY_IS_TRUSTED_FOR;
    let plan = plan(at, may_repeat, schedule);
    let is_over = checks >= plan.len() && check.since >= plan.iter().sum();
    match check.finding {
        Finding::Nothing if is_over && agreeing >= AGREEING => {
            if at.state == State::Refused {
                to(State::Rejected)
            } else if may_repeat {
                Decision { next: Next::Send, ..to(State::Sending) }
            } else {
                ask(Reason::NotSeen)
            }
        }
        // A record may lag behind the figure, whatever the answer said: the long schedule counts.
        finding
            if finding.disagrees()
                && checks >= schedule.checks.len()
                && check.since >= schedule.checks.iter().sum() =>
        {
            contradiction()
        }
        finding => {
            let plan = if finding.disagrees() { &schedule.checks } else { plan };
            let wait = plan.get(checks).or(plan.last()).copied().unwrap_or_default();
            Decision { next: Next::CheckAfter(wait), ..to(at.state) }
        }
    }
}

/// Decides for a final state or a question: only what the check shows changes it. A replica that lags shows less.
fn closed(at: Situation, check: Check) -> Decision {
    let waits = at.state == State::NeedsYou && at.reason != Some(Reason::Doubled);
    let was_watched = at.state.is_done() && check.since >= LATE_COPY_WITHIN && !check.unplanned;
    match check.finding {
        Finding::Twice => doubled(),
        // Two records, and no figure that confirms both in time: a person has to see them (seed 550567).
        Finding::Surplus if was_watched => doubled(),
        Finding::Once { factor } if waits => Decision { alarm: factor != at.factor, ..to(State::ResolvedApplied) },
        Finding::Once { .. } if at.state == State::Rejected => Decision { alarm: true, ..to(State::ResolvedApplied) },
        _ => Decision { reason: at.reason, alarm: at.alarm, ..to(at.state) },
    }
}

fn contradiction() -> Decision {
    Decision { alarm: true, ..ask(Reason::Contradiction) }
}

fn doubled() -> Decision {
    Decision { alarm: true, ..ask(Reason::Doubled) }
}

/// Plans the first check after a send or a start.
pub(super) fn check_on(at: Situation, schedule: &Schedule) -> Decision {
    let first = plan(at, repeats(at, schedule), schedule).first().copied().unwrap_or_default();
    Decision { next: Next::CheckAfter(first), ..to(at.state) }
}

fn plan(at: Situation, may_repeat: bool, schedule: &Schedule) -> &[Duration] {
    match at.said {
        _ if may_repeat => &schedule.checks_before_repeat,
        Some(Said::TurnedAway) => &schedule.checks_turned_away,
        _ => &schedule.checks,
    }
}

/// Whether the program itself may send it again: only if an order id, or a name that can be given only once, protects
/// against doing it twice.
fn repeats(at: Situation, schedule: &Schedule) -> bool {
    let is_protected = matches!(at.kind, Kind::Recharge | Kind::Create);
    is_protected && at.state == State::Unknown && at.repeats < schedule.recharge_repeats
}

/// Decides at the start of the program: checks of anything under way begin again, nothing is sent.
pub(super) fn restarted(at: Situation, schedule: &Schedule) -> Decision {
    match at.state {
        State::Prepared => to(State::NotSent),
        State::Sending => check_on(Situation { state: State::Unknown, said: None, ..at }, schedule),
        State::Verifying | State::Unknown | State::Refused => check_on(at, schedule),
        state => Decision { reason: at.reason, alarm: at.alarm, ..to(state) },
    }
}

#[cfg(test)]
mod tests;
