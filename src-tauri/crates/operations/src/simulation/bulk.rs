//! A bulk of a few customers. A row whose turn has come is a story like any other, verified in rounds.

use std::collections::HashMap;

use wire::customers::Customer;

use super::desk::Desk;
use super::story::{Stage, Story};
use super::writes;
use crate::engine::bulk::closed;
use crate::evidence::snapshot::Snapshot;
use crate::journal::bulk_row::{Begun, NotDone, Turn};
use crate::words::bulk::{BulkId, BulkState};
use crate::words::left_out::LeftOut;
use crate::words::state::Kind;
use crate::writes::bulk::{BulkPlan, PlannedRow};
use crate::writes::intent::Intent;

/// The kinds that a bulk can do.
const KINDS: [Kind; 5] = [Kind::Recharge, Kind::Deduction, Kind::Create, Kind::Password, Kind::Status];
const ROWS: usize = 4;
/// A survey is used for this long, ms.
const FRESH_FOR: i64 = 300_000;

/// The snapshots of all customers of a run.
struct Survey {
    /// The last event before it.
    event: i64,
    /// Steady ms.
    at: i64,
    snapshots: HashMap<String, Option<Snapshot>>,
}

/// A confirmed bulk.
pub(super) struct Bulk {
    id: BulkId,
    kind: Kind,
    survey: Option<Survey>,
    /// Whether no row waits any more.
    pub(super) is_over: bool,
}

impl Bulk {
    /// Confirms a bulk. `name` makes it and its names unique.
    pub(super) fn confirm(stage: &mut Stage<'_>, name: &str) -> Result<Self, String> {
        let kind = stage.dice.pick(&KINDS);
        let customers = stage.desk.vendor.office.customers(None);
        let mut rows = Vec::new();
        for (at, customer) in customers.iter().enumerate().take(ROWS) {
            let own = format!("{name}.{at}");
            let intent = plan(stage, kind, customer, &own);
            rows.push(PlannedRow { name: own, todo: Ok(intent), retries: None });
        }
        Self::insert(stage, name, BulkPlan { kind, rows })
    }

    /// Does again what is certainly not done. `None` if there is nothing.
    pub(super) fn retry(&self, stage: &mut Stage<'_>, name: &str) -> Result<Option<Self>, String> {
        let customers = stage.desk.vendor.office.customers(None);
        let mut rows = Vec::new();
        for NotDone { intent, row, .. } in self.certainly_not_done(stage.desk)? {
            let target = intent.as_ref().map(Intent::target).unwrap_or_default();
            let Some(customer) = customers.iter().find(|one| one.customer_id.as_str() == target) else { continue };
            let own = format!("{name}.{}", row.number);
            let intent = plan(stage, self.kind, customer, &own);
            rows.push(PlannedRow { name: own, todo: Ok(intent), retries: Some(row) });
        }
        if rows.is_empty() {
            return Ok(None);
        }
        Self::insert(stage, name, BulkPlan { kind: self.kind, rows }).map(Some)
    }

    fn insert(stage: &mut Stage<'_>, name: &str, plan: BulkPlan) -> Result<Self, String> {
        let (id, kind, now) = (BulkId(format!("bulk {name}")), plan.kind, stage.desk.wall());
        let hash = plan.hash().map_err(|error| error.to_string())?;
        let inserted = stage.desk.operations.journal().insert_bulk(&id, &plan, &hash, None, closed, now);
        inserted.map_err(|error| error.to_string())?;
        stage.steps.push(format!("{} rows of {} are confirmed", plan.rows.len(), kind.word()));
        Ok(Self { id, kind, survey: None, is_over: false })
    }

    fn certainly_not_done(&self, desk: &Desk) -> Result<Vec<NotDone>, String> {
        let all = desk.operations.bulks().certainly_not_done(&self.id).map_err(|error| error.to_string())?;
        for id in all.iter().filter_map(|one| one.row.operation.as_ref()) {
            let row = desk.operations.journal().operations().find(id).map_err(|error| error.to_string())?;
            if !row.is_some_and(|row| row.state.has_no_effect()) {
                return Err("what may be done is offered to be done again".into());
            }
        }
        Ok(all)
    }

    /// Plays one step: a turn, a pause, an end. Returns the row whose turn has come.
    pub(super) fn step(&mut self, stage: &mut Stage<'_>) -> Result<Option<Story>, String> {
        let wrong = |error: crate::JournalError| error.to_string();
        let operations = stage.desk.operations.clone();
        let state = operations.bulks().get(&self.id).map_err(|error| error.to_string())?.state;
        let dice = stage.dice.roll(20);
        match (state, dice) {
            (BulkState::Finished, _) => {
                self.is_over = true;
                self.certainly_not_done(stage.desk)?;
            }
            (_, 0) => operations.journal().bulks().cancel(&self.id).map_err(wrong)?,
            (BulkState::Paused, _) => {
                self.survey = None;
                operations.journal().bulks().set_state(&self.id, state, BulkState::Running).map_err(wrong)?;
            }
            (BulkState::Running, 1) => {
                operations.journal().bulks().set_state(&self.id, state, BulkState::Paused).map_err(wrong)?;
            }
            (BulkState::Running, _) => {
                let turn = operations.journal().bulk_rows().turns(&self.id, 0, 1).map_err(wrong)?.pop();
                match turn {
                    Some(turn) => return self.take(stage, &turn),
                    None => drop(operations.journal().bulks().finish(&self.id).map_err(wrong)?),
                }
            }
        }
        Ok(None)
    }

    /// Takes a turn as a run does: compares with the survey, makes it durable, sends it.
    fn take(&mut self, stage: &mut Stage<'_>, turn: &Turn) -> Result<Option<Story>, String> {
        let operations = stage.desk.operations.clone();
        let (event, baseline) = self.surveyed(stage, &turn.intent)?;
        let shown = turn.intent.moved().map(|moved| moved.shown_recharged);
        if shown.is_some_and(|shown| baseline.as_ref().and_then(Snapshot::recharged) != shown) {
            let skipped = operations.journal().bulk_rows().skip(&self.id, turn.number, LeftOut::Changed);
            return skipped.map(|()| None).map_err(|error| error.to_string());
        }
        let begun = operations.bulks().begin_turn(&self.id, turn, baseline.as_ref(), event);
        let Begun::Sending(row) = begun.map_err(|error| error.to_string())? else { return Ok(None) };
        stage.reach(&row, "row of a bulk", false);
        let mut story = Story::new(stage, &row, false)?;
        story.transmit(stage, &row)?;
        Ok(Some(story))
    }

    fn surveyed(&mut self, stage: &Stage<'_>, intent: &Intent) -> Result<(i64, Option<Snapshot>), String> {
        let now = stage.desk.now();
        let fresh = self.survey.take().filter(|survey| now - survey.at < FRESH_FOR);
        let survey = match fresh {
            Some(survey) => survey,
            None => {
                let event =
                    stage.desk.operations.journal().events().last_number().map_err(|error| error.to_string())?;
                Survey { event, at: now, snapshots: self.snapshots(stage.desk)? }
            }
        };
        let survey = self.survey.insert(survey);
        Ok((survey.event, survey.snapshots.get(&intent.target()).cloned().flatten()))
    }

    fn snapshots(&self, desk: &Desk) -> Result<HashMap<String, Option<Snapshot>>, String> {
        let turns =
            desk.operations.journal().bulk_rows().turns(&self.id, 0, ROWS).map_err(|error| error.to_string())?;
        Ok(turns.into_iter().map(|turn| (turn.intent.target(), desk.vendor.before(&turn.intent))).collect())
    }
}

fn plan(stage: &mut Stage<'_>, kind: Kind, customer: &Customer, name: &str) -> Intent {
    match kind {
        Kind::Create => writes::intent(stage.desk, &mut stage.dice, kind, name, false),
        _ => writes::of_customer(customer, &mut stage.dice, kind, name),
    }
}
