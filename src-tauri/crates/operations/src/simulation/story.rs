//! One write from its confirmation to its end, with everything that happens on the way.

use wire::accounts::CreatedAccount;

use super::desk::Desk;
use super::vendor::Fate;
use super::{Cells, KEY_LIVES, truth};
use crate::decide::{Event, Next, decide};
use crate::engine::check::Seen;
use crate::engine::send::Fresh;
use crate::engine::{OperationError, Operations};
use crate::journal::JournalError;
use crate::journal::row::Row;
use crate::words::finding::Finding;
use crate::words::state::{Family, Kind, OperationId, Reason, State, Verdict};
use dice::Dice;

/// The stage on which stories are played.
pub(super) struct Stage<'a> {
    pub(super) desk: &'a mut Desk,
    pub(super) dice: Dice,
    pub(super) cells: &'a mut Cells,
    pub(super) steps: Vec<String>,
    /// How often the program was ended.
    pub(super) starts: usize,
}

impl Stage<'_> {
    pub(super) fn reach(&mut self, row: &Row, hazard: &'static str, in_doubt: bool) {
        *self.cells.entry((row.kind.word(), hazard, in_doubt)).or_default() += 1;
    }

    pub(super) fn crash(&mut self) {
        self.starts += 1;
        self.desk.crash();
    }
}

/// One write.
pub(super) struct Story {
    pub(super) id: OperationId,
    /// The bytes that were sent first.
    bytes: String,
    /// Whether the name is taken elsewhere.
    elsewhere: bool,
    /// Whether a person's verdict is in the journal.
    pub(super) judged: bool,
    /// Whether the secrets of the created customer are in the keychain.
    pub(super) saved: bool,
    /// Whether the program was ended after it was decided: it is not audited any more.
    pub(super) crashed: bool,
    /// Whether traffic of the customer was moved in the console under our own name: the figures cannot be told apart.
    pub(super) is_blurred: bool,
    /// Whether a cache provided the snapshot before it.
    pub(super) was_stale: bool,
    /// Whether a person was told that it was done twice.
    pub(super) is_alarmed: bool,
    /// Whether nothing more is to come.
    pub(super) is_over: bool,
    /// Starts of the program that it has been through.
    starts: usize,
    /// How far the wall clock was set since this was planned, ms. The program waits by the steady clock.
    skew: (Option<i64>, i64),
    /// When it was first sent, steady ms.
    sent: Option<i64>,
}

impl Story {
    /// The story of a prepared operation. `elsewhere` says that its name is taken.
    pub(super) fn new(stage: &Stage<'_>, row: &Row, elsewhere: bool) -> Result<Self, String> {
        Ok(Self {
            id: row.id.clone(),
            bytes: serde_json::to_string(&row.request).map_err(|error| error.to_string())?,
            elsewhere,
            judged: false,
            saved: true,
            crashed: false,
            is_blurred: false,
            was_stale: false,
            is_alarmed: false,
            is_over: false,
            starts: stage.starts,
            skew: (None, 0),
            sent: None,
        })
    }

    pub(super) fn row(&self, desk: &Desk) -> Result<Row, String> {
        let row = desk.operations.journal().operations().find(&self.id).map_err(|error| error.to_string())?;
        row.ok_or_else(|| "the operation is lost".into())
    }

    pub(super) fn tell(&self, stage: &mut Stage<'_>, what: &str) -> Result<(), String> {
        let row = self.row(stage.desk)?;
        let times = stage.desk.vendor.times(&self.id.0);
        stage.steps.push(format!(
            "{:>9} ms  {} {} of {}: {what:<36} {} {:?}, carried out {times} times",
            stage.desk.now(),
            &row.id.0[..4],
            row.kind.word(),
            row.target,
            row.state.word(),
            row.reason
        ));
        Ok(())
    }

    pub(super) fn begin(&mut self, stage: &mut Stage<'_>) -> Result<(), String> {
        if stage.dice.roll(30) == 0 {
            stage.crash();
            return self.tell(stage, "crash before the send");
        }
        self.send(stage, Event::Send, false)
    }

    /// Makes the send durable first, then sends the first byte.
    fn send(&mut self, stage: &mut Stage<'_>, event: Event, with_baseline: bool) -> Result<(), String> {
        let (id, row) = (self.id.clone(), self.row(stage.desk)?);
        let wrong = |error: JournalError| error.to_string();
        let seen = stage.desk.operations.journal().events().last_number().map_err(wrong)?;
        let before = stage.desk.vendor.before(&row.intent).filter(|_| with_baseline);
        let is_changed = |shown| before.as_ref().is_some_and(|before| before.recharged() != shown);
        if row.intent.moved().is_some_and(|moved| is_changed(moved.shown_recharged)) {
            return self.tell(stage, "is not sent again: the figures are others");
        }
        let fresh = before.map(|snapshot| Fresh { snapshot, seen });
        let begun = stage.desk.run(|operations| operations.sends().begin(&id, event, fresh.as_ref()));
        match begun {
            // The same write was refused in another story and may still be carried out, or another value may be under
            // way: a person waits.
            Err(OperationError::StillWatched | OperationError::TooSoon { .. }) => {
                stage.desk.pass_time(60_000);
                return self.tell(stage, "is not sent again yet");
            }
            Err(OperationError::TargetHeld) => return self.tell(stage, "is not sent again: another is open"),
            Err(OperationError::Impossible(_))
                if matches!(event, Event::RepeatByPerson { .. })
                    && is_set_since(stage.desk, &row).map_err(wrong)? =>
            {
                return self.tell(stage, "is not sent again: a newer value was sent");
            }
            _ => {}
        }
        let row = begun.map_err(|error| format!("{event:?}: {error}"))?;
        if row.state == State::Sending { self.transmit(stage, &row) } else { self.tell(stage, "asks, does not repeat") }
    }

    fn fate(&self, stage: &mut Stage<'_>, row: &Row) -> Fate {
        // A name that is not taken elsewhere never gets this no; a customer may leave at any time.
        let is_possible = |fate: &Fate| *fate != Fate::NotOurs || row.kind.family() != Family::Create || self.elsewhere;
        let possible: Vec<Fate> =
            Fate::ALL.into_iter().filter(|fate| fate.applies_to(row.kind)).filter(is_possible).collect();
        stage.dice.pick(&possible)
    }

    /// Sends an operation that is durable in `sending`.
    pub(super) fn transmit(&mut self, stage: &mut Stage<'_>, row: &Row) -> Result<(), String> {
        if serde_json::to_string(&row.request).map_err(|error| error.to_string())? != self.bytes {
            return Err("other bytes under the same row".into());
        }
        let was_done = stage.desk.vendor.times(&self.id.0) > 0;
        let unsafe_again = was_done || stage.desk.vendor.is_pending(&self.id.0);
        if row.kind == Kind::Deduction && unsafe_again {
            return Err("a deduction that may have arrived is sent again".into());
        }
        stage.desk.operations.times().note_send(&row.id);
        let (fate, now) = (self.fate(stage, row), stage.desk.now());
        let has_key = row.kind.family() == Family::Order || row.kind == Kind::Recharge;
        if has_key && self.sent.is_some_and(|sent| stage.desk.vendor.has_forgotten(sent, now)) {
            stage.reach(row, "key forgotten", true);
        }
        self.sent.get_or_insert(now);
        let crashes = stage.dice.roll(12) == 0;
        let answer = stage.desk.vendor.receive(row, fate, &mut stage.dice, now);
        if crashes {
            stage.reach(row, "4", false);
            stage.crash();
            self.is_settled_after_a_start(stage.desk)?;
            return self.tell(stage, &format!("crash while sending, {fate:?}"));
        }
        stage.reach(row, fate.hazards(), row.in_doubt);
        let says_so = matches!(&answer, Err(client::Error::Refused(no)) if ["201", "203"].contains(&no.code.as_str()));
        if says_so && was_done {
            stage.reach(row, "14", row.in_doubt);
        }
        let wait = 20 + stage.dice.roll(400) as i64;
        stage.desk.pass_time(wait);
        self.saved = fate != Fate::Unsaved;
        let saved = self.saved;
        let settle =
            |operations: &Operations| operations.sends().commit_answer(row, &answer, &CreatedAccount::default(), saved);
        stage.desk.run(settle).map_err(|error| error.to_string())?;
        self.tell(stage, &format!("{fate:?}"))
    }

    fn skew_of(&self, row: &Row) -> i64 {
        if self.skew.0 == row.next_at { self.skew.1 } else { 0 }
    }

    /// Notes that the wall clock was set.
    pub(super) fn clock_was_set(&mut self, stage: &mut Stage<'_>, by: i64) -> Result<(), String> {
        let row = self.row(stage.desk)?;
        self.skew = (row.next_at, self.skew_of(&row) + by);
        stage.reach(&row, "9", false);
        Ok(())
    }

    pub(super) fn see_alarm(&mut self, desk: &Desk) -> Result<(), String> {
        self.is_alarmed |= self.row(desk)?.reason == Some(Reason::Doubled);
        Ok(())
    }

    /// Takes note of starts.
    pub(super) fn see_starts(&mut self, stage: &Stage<'_>) -> Result<(), String> {
        if self.starts < stage.starts {
            self.starts = stage.starts;
            self.skew = (None, 0);
            self.crashed |= !self.is_over && self.row(stage.desk)?.state.is_done();
            self.is_settled_after_a_start(stage.desk)?;
        }
        Ok(())
    }

    fn is_settled_after_a_start(&self, desk: &Desk) -> Result<(), String> {
        match self.row(desk)?.state {
            State::Sending | State::Prepared => Err("stuck after a start".into()),
            _ => Ok(()),
        }
    }

    /// Plays one step. `others` are the other stories of the same schedule.
    pub(super) fn step(&mut self, stage: &mut Stage<'_>, others: &[Story]) -> Result<(), String> {
        let row = self.row(stage.desk)?;
        if row.state == State::Sending {
            return self.transmit(stage, &row);
        }
        match stage.dice.roll(14) {
            0 if row.kind.family().is_checked() => self.check(stage, &row, true).map(|_| ()),
            1 | 2 if may_resend(stage.desk, &row) => self.resend(stage, &row),
            _ if row.next_at.is_some() => self.planned(stage, &row),
            _ => self.end(stage, &row, others),
        }
    }

    /// Does what the program planned.
    fn planned(&mut self, stage: &mut Stage<'_>, row: &Row) -> Result<(), String> {
        let wait = row.next_at.unwrap_or_default() - stage.desk.wall() + self.skew_of(row);
        let late = stage.dice.roll(3_000) as i64;
        stage.desk.pass_time(wait.clamp(0, 700_000) + late);
        if row.kind.family().is_checked() {
            return self.check(stage, row, false).map(|_| ());
        }
        let age = stage.desk.operations.times().key_age(row);
        self.send(stage, Event::RepeatBySchedule { age }, false)
    }

    pub(super) fn check(
        &mut self,
        stage: &mut Stage<'_>,
        row: &Row,
        unplanned: bool,
    ) -> Result<Option<Finding>, String> {
        let ((finding, evidence), cached) = stage.desk.show(row, &mut stage.dice);
        if let Some(times) = cached {
            stage.reach(row, if times > 1 { "17 twice" } else { "17" }, false);
        }
        let seen = Seen { finding, evidence, customer: None };
        let check = |operations: &Operations| {
            // A row of a bulk is verified together with all others.
            let committed = if row.bulk.is_some() && !unplanned {
                operations.checks().commit_in_round(row, &seen, operations.times().now())
            } else {
                operations.checks().commit(row, &seen, unplanned)
            };
            let committed = committed.ok().flatten();
            if let Some((now, _)) = &committed {
                operations.lessons().learn_from(row, now, &seen).map_err(|error| error.to_string())?;
            }
            Ok::<_, String>(committed)
        };
        // Nothing is checked where nothing can be found.
        let Some((row, decision)) = stage.desk.run(check)? else { return Ok(None) };
        self.tell(stage, &format!("look, {finding:?}{}", if unplanned { ", asked for" } else { "" }))?;
        if decision.next == Next::Send {
            self.transmit(stage, &row)?;
        }
        Ok(Some(finding))
    }

    /// Resends as the engine does: checks first for whatever may have arrived.
    fn resend(&mut self, stage: &mut Stage<'_>, row: &Row) -> Result<(), String> {
        // Some come back when the vendor has forgotten the key (seed 15254), by a clock that was set back meanwhile or
        // not. If a copy is still on its way, that cannot be recognised.
        let is_pending = stage.desk.vendor.is_pending(&self.id.0);
        if row.kind.family() == Family::Order && !is_pending && stage.dice.roll(6) == 0 {
            let time = KEY_LIVES[0] + 1;
            stage.desk.pass_time(time);
            if stage.dice.roll(2) == 0 {
                self.clock_was_set(stage, -time)?;
                stage.desk.set_wall(-time);
            }
        }
        let is_checked = row.kind.family().is_checked();
        if is_checked && row.state != State::NotSent && self.check(stage, row, true)? != Some(Finding::Nothing) {
            return Ok(());
        }
        let row = self.row(stage.desk)?;
        if !may_resend(stage.desk, &row) {
            return Ok(());
        }
        let again = by_person(stage.desk, &row);
        self.send(stage, again, is_checked && row.state == State::NotSent)
    }

    /// Ends the story, when nothing is planned any more. A person answers an open question and finds the truth.
    fn end(&mut self, stage: &mut Stage<'_>, row: &Row, others: &[Story]) -> Result<(), String> {
        if stage.desk.vendor.is_pending(&self.id.0) {
            stage.desk.pass_time(60_000);
            return Ok(());
        }
        self.is_over = true;
        if !row.state.is_unconfirmed() {
            return Ok(());
        }
        self.judged = true;
        let verdict = if truth::unclaimed(stage.desk, row, others)? { Verdict::Done } else { Verdict::NotDone };
        let judged = stage.desk.operations.judge(&self.id, verdict);
        judged.map_err(|error| format!("a person cannot say {verdict:?}: {error}"))?;
        self.tell(stage, &format!("a person finds {verdict:?}"))
    }
}

fn by_person(desk: &Desk, row: &Row) -> Event {
    Event::RepeatByPerson { age: desk.operations.times().key_age(row) }
}

/// Whether a newer value was sent to the customer of a setting, by the order in which they were confirmed.
fn is_set_since(desk: &Desk, row: &Row) -> Result<bool, JournalError> {
    let journal = desk.operations.journal();
    let Some(last) = journal.operations().last_sent(row.kind, &row.target)? else { return Ok(false) };
    let confirmed = |id| -> Result<_, JournalError> { Ok(journal.events().of(id)?.first().map(|event| event.number)) };
    Ok(row.kind.family() == Family::Setting && last.id != row.id && confirmed(&last.id)? > confirmed(&row.id)?)
}

fn may_resend(desk: &Desk, row: &Row) -> bool {
    let all = [State::NotSent, State::Unknown, State::NeedsYou, State::Rejected];
    let is_possible = decide(row.situation(), by_person(desk, row), desk.operations.schedule()).is_ok();
    all.contains(&row.state) && is_possible && !desk.operations.times().price_is_over(row)
}
