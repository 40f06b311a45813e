//! Compares what the program says with the ledger.

use super::desk::Desk;
use super::story::Story;
use crate::journal::row::Row;
use crate::words::state::{Family, Reason, State};

/// Checks that no state contradicts the truth. `others` are the other stories of the same schedule.
pub(super) fn check(desk: &Desk, story: &Story, others: &[Story]) -> Result<(), String> {
    let row = story.row(desk)?;
    let alike = alike(desk, &row, others)?;
    if alike.is_empty() {
        if story.is_alarmed && desk.vendor.times(&row.id.0) < 2 {
            return Err(format!("{} is called done twice, and was not", row.id.0));
        }
        return check_alone(desk, &row, story.judged, story.saved);
    }
    let all: Vec<&Row> = alike.iter().map(|(row, _)| row).chain([&row]).collect();
    let done = all.iter().filter(|row| row.state.is_done()).count();
    let ruled_out = all.iter().filter(|row| row.state.has_no_effect()).count();
    let times = |row: &&Row| desk.vendor.times(&row.id.0);
    let carried_out: usize = all.iter().map(times).sum();
    let happened = all.iter().filter(|row| times(row) > 0 || desk.vendor.is_pending(&row.id.0)).count();
    if done > carried_out {
        return Err(format!("{done} of {} alike are called done, {carried_out} were", all.len()));
    }
    // Taking back what an alarm offers takes back a move that was done in addition to these.
    let alarmed = alike.iter().filter(|(_, other)| other.is_alarmed).count() + usize::from(story.is_alarmed);
    let surplus: usize = all.iter().map(|row| times(row).saturating_sub(1)).sum();
    if alarmed > surplus {
        return Err(format!("{alarmed} of {} alike are called done twice, {surplus} were", all.len()));
    }
    if all.len() - ruled_out < happened {
        return Err(format!("{ruled_out} of {} alike are ruled out, {happened} happened", all.len()));
    }
    Ok(())
}

/// The same check for an operation that cannot be taken for another.
pub(super) fn check_alone(desk: &Desk, row: &Row, judged: bool, saved: bool) -> Result<(), String> {
    let (times, pending) = (desk.vendor.times(&row.id.0), desk.vendor.is_pending(&row.id.0));
    let is_right = match row.state {
        State::Applied => times > 0 && saved,
        State::ResolvedApplied => times > 0,
        State::Rejected | State::NotSent => times == 0 && !pending,
        // A row of a bulk is closed when it is done again.
        State::ResolvedNot => (judged || row.bulk.is_some()) && times == 0 && !pending,
        _ => true,
    };
    if is_right { Ok(()) } else { Err(format!("{} of {} is wrong", row.state.word(), row.id.0)) }
}

/// Checks that whatever was done twice was reported. A start ends the checks of what was decided. Beside a move by
/// someone else under our own name, figures cannot be compared. Where a stale snapshot before another move of the
/// customer missed the copy, a person is asked about that move and finds the copy (seed 44135).
pub(super) fn check_told(desk: &Desk, story: &Story, others: &[Story]) -> Result<(), String> {
    let row = story.row(desk)?;
    // Setting the same value again has no second effect.
    if row.kind.family() == Family::Setting {
        return Ok(());
    }
    let alike = alike(desk, &row, others)?;
    let is_told = |row: &Row, story: &Story| {
        row.reason == Some(Reason::Doubled) || story.judged || story.crashed || story.is_blurred
    };
    if is_told(&row, story) || alike.iter().any(|(row, story)| is_told(row, story)) {
        return Ok(());
    }
    for other in others.iter().filter(|other| other.judged && other.was_stale) {
        if other.row(desk)?.target == row.target {
            return Ok(());
        }
    }
    let all = || alike.iter().map(|(row, _)| row).chain([&row]);
    let times: usize = all().map(|row| desk.vendor.times(&row.id.0)).sum();
    let known = all().filter(|row| row.state.is_done()).count().max(1);
    if times > known { Err(format!("{} is done twice, and nobody was told", row.id.0)) } else { Ok(()) }
}

/// Whether more of the like moves happened than are called done: a person who checks in the console finds one, and
/// cannot tell them apart either. What was there before the send is not taken for this one: the program shows it (seed
/// 93714).
pub(super) fn unclaimed(desk: &Desk, row: &Row, others: &[Story]) -> Result<bool, String> {
    let alike = alike(desk, row, others)?;
    let times: usize = alike.iter().map(|(row, _)| row).chain([row]).map(|row| desk.vendor.times(&row.id.0)).sum();
    Ok(times > alike.iter().filter(|(row, _)| row.state.is_done()).count() && has_new_record(desk, row))
}

fn has_new_record(desk: &Desk, row: &Row) -> bool {
    let Some((moved, before)) = row.intent.moved().zip(row.baseline.as_ref()) else { return true };
    let now = desk.vendor.office.snapshot(moved, Some(before.day));
    now.alike(moved).len() > before.alike(moved).len()
}

/// Other moves of the same customer, direction and amount: no record says which of them it belongs to.
fn alike<'a>(desk: &Desk, row: &Row, others: &'a [Story]) -> Result<Vec<(Row, &'a Story)>, String> {
    let Some(moved) = row.intent.moved() else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for story in others {
        let other = story.row(desk)?;
        let is_alike = other.intent.moved().is_some_and(|other| {
            (&other.customer_id, other.direction, other.gb) == (&moved.customer_id, moved.direction, moved.gb)
        });
        if is_alike {
            all.push((other, story));
        }
    }
    Ok(all)
}
