//! One schedule: a write from its confirmation to its end, with everything on its way.

use wire::accounts::CreatedAccount;

use super::Cells;
use super::desk::Desk;
use super::dice::Dice;
use super::vendor::Fate;
use crate::account_change::AccountChange;
use crate::decide::{Event, Next};
use crate::engine::{OperationError, Operations};
use crate::finding::Finding;
use crate::gb::{Gb, GbFactor};
use crate::intent::Intent;
use crate::place_and_pay::PlaceAndPay;
use crate::row::Row;
use crate::state::{Family, Kind, OperationId, Reason, State, Verdict};
use crate::traffic_move::{Direction, TrafficMove};

/// A story that goes on for longer never ends.
const MOST_STEPS: usize = 300;
const DAY: i64 = 86_400_000;

/// An operation whose story is over.
#[derive(Clone)]
pub(super) struct Ended {
    id: OperationId,
    judged: bool,
    saved: bool,
}

struct Story<'a> {
    desk: &'a mut Desk,
    dice: Dice,
    cells: &'a mut Cells,
    id: OperationId,
    kind: Kind,
    /// What was sent first.
    bytes: String,
    /// The name is taken elsewhere.
    elsewhere: bool,
    /// A person's verdict stands in the journal.
    judged: bool,
    /// The secrets of the created customer are in the keychain.
    saved: bool,
    /// The program was ended: what was decided before is not audited any more.
    crashed: bool,
    /// By how much the wall clock was set since this was planned, ms: the program waits by the other one.
    skew: (Option<i64>, i64),
    steps: Vec<String>,
}

/// Plays a seed.
///
/// # Errors
/// What went wrong, and how it came to that.
pub(super) fn play(desk: &mut Desk, seed: u64, cells: &mut Cells) -> Result<(), String> {
    let mut dice = Dice::of(seed);
    let kind = dice.pick(Kind::ALL);
    let elsewhere = kind == Kind::Create && dice.roll(8) == 0;
    let intent = intent(desk, &mut dice, kind, seed, elsewhere);
    let (before, nonce, now) = (desk.vendor.before(&intent), format!("nonce {seed}"), desk.wall());
    let prepare = |desk: &Desk, nonce: &str| {
        let row = desk.operations.journal().prepare(nonce, &intent, before.as_ref(), None, None, now);
        row.map_err(|error| error.to_string())
    };
    let row = prepare(desk, &nonce)?.ok_or("a free target is held")?;
    // Hazard 5: the same click again, and another dialog for the same target.
    for nonce in [nonce, format!("other {seed}")] {
        if prepare(desk, &nonce)?.is_some() {
            return Err("two rows for one confirmation".into());
        }
    }
    *cells.entry((kind.word(), "5", false)).or_default() += 1;
    let bytes = serde_json::to_string(&row.request).map_err(|error| error.to_string())?;
    let mut story = Story {
        desk,
        dice,
        cells,
        id: row.id,
        kind,
        bytes,
        elsewhere,
        judged: false,
        saved: true,
        crashed: false,
        skew: (None, 0),
        steps: Vec::new(),
    };
    let end = story.begin().and_then(|()| story.go_on());
    if super::number("PROXYTILL_SEED") == Some(seed) {
        println!("{}", story.steps.join("\n"));
    }
    let ended = Ended { id: story.id.clone(), judged: story.judged, saved: story.saved };
    end.map_err(|wrong| format!("{}: {wrong}\n{}", kind.word(), story.steps.join("\n")))?;
    if matches!(kind.family(), Family::Move | Family::Create) {
        desk.ended.push(ended);
    }
    Ok(())
}

impl Story<'_> {
    fn row(&self) -> Result<Row, String> {
        let row = self.desk.operations.journal().find(&self.id).map_err(|error| error.to_string())?;
        row.ok_or_else(|| "the operation is lost".into())
    }

    fn tell(&mut self, what: &str) -> Result<(), String> {
        let row = self.row()?;
        let times = self.desk.vendor.times(&self.id.0);
        self.steps.push(format!(
            "{:>9} ms  {what:<40} {} {:?}, carried out {times} times",
            self.desk.now(),
            row.state.word(),
            row.reason
        ));
        self.check(&row)
    }

    fn check(&self, row: &Row) -> Result<(), String> {
        check(self.desk, row, self.judged, self.saved)
    }

    fn begin(&mut self) -> Result<(), String> {
        if self.dice.roll(30) == 0 {
            self.crash();
            return self.tell("crash before the send");
        }
        self.send(Event::Send, false)
    }

    /// Durable first, then the first byte.
    fn send(&mut self, event: Event, with_baseline: bool) -> Result<(), String> {
        let (id, row) = (self.id.clone(), self.row()?);
        let before = self.desk.vendor.before(&row.intent).filter(|_| with_baseline);
        let begun = self.desk.run(|operations| operations.begin(&id, event, before.as_ref()));
        if matches!(begun, Err(OperationError::StillWatched)) {
            // The same was refused by an earlier story and may still be carried out: a person waits.
            self.desk.pass_time(60_000);
            return self.tell("is not sent again yet");
        }
        let row = begun.map_err(|error| format!("{event:?}: {error}"))?;
        if row.state == State::Sending { self.transmit(&row) } else { self.tell("asks instead of repeating") }
    }

    fn fate(&mut self) -> Fate {
        // A name that is not taken elsewhere is never refused so; a customer may leave at any time.
        let is_possible = |fate: &Fate| *fate != Fate::NotOurs || self.kind != Kind::Create || self.elsewhere;
        let possible: Vec<Fate> =
            Fate::ALL.into_iter().filter(|fate| fate.applies_to(self.kind)).filter(is_possible).collect();
        self.dice.pick(&possible)
    }

    fn transmit(&mut self, row: &Row) -> Result<(), String> {
        if serde_json::to_string(&row.request).map_err(|error| error.to_string())? != self.bytes {
            return Err("other bytes under the same row".into());
        }
        let unsafe_again = self.desk.vendor.times(&self.id.0) > 0 || self.desk.vendor.is_pending(&self.id.0);
        if self.kind == Kind::Deduction && unsafe_again {
            return Err("a deduction that may have arrived is sent again".into());
        }
        self.desk.operations.note_send(&row.id);
        let (fate, now) = (self.fate(), self.desk.now());
        let is_done_already = self.desk.vendor.times(&self.id.0) > 0;
        let crashes = self.dice.roll(12) == 0;
        let answer = self.desk.vendor.receive(row, fate, &mut self.dice, now);
        if crashes {
            *self.cells.entry((self.kind.word(), "4", false)).or_default() += 1;
            self.crash();
            self.is_settled_after_a_start()?;
            return self.tell(&format!("crash while sending, {fate:?}"));
        }
        *self.cells.entry((self.kind.word(), fate.hazards(), row.in_doubt)).or_default() += 1;
        let says_so = matches!(&answer, Err(client::Error::Refused(no)) if ["201", "203"].contains(&no.code.as_str()));
        if says_so && is_done_already {
            *self.cells.entry((self.kind.word(), "14", row.in_doubt)).or_default() += 1;
        }
        let wait = 20 + self.dice.roll(400) as i64;
        self.desk.pass_time(wait);
        self.saved = fate != Fate::Unsaved;
        let saved = self.saved;
        let settled = self.desk.run(|operations| operations.settle(row, &answer, &CreatedAccount::default(), saved));
        settled.map_err(|error| error.to_string())?;
        self.tell(&format!("{fate:?}"))
    }

    fn skew_of(&self, row: &Row) -> i64 {
        if self.skew.0 == row.next_at { self.skew.1 } else { 0 }
    }

    fn crash(&mut self) {
        let is_done = |row: Row| matches!(row.state, State::Applied | State::ResolvedApplied);
        self.crashed |= self.row().is_ok_and(is_done);
        self.skew = (None, 0);
        self.desk.crash();
    }

    fn is_settled_after_a_start(&self) -> Result<(), String> {
        match self.row()?.state {
            State::Sending | State::Prepared => Err("stuck after a start".into()),
            _ => Ok(()),
        }
    }

    fn go_on(&mut self) -> Result<(), String> {
        for _ in 0..MOST_STEPS {
            let row = self.row()?;
            if row.state == State::Sending {
                self.transmit(&row)?;
                continue;
            }
            match self.dice.roll(16) {
                0 => {
                    self.crash();
                    self.is_settled_after_a_start()?;
                    self.tell("crash")?;
                }
                1 => {
                    let by = [-DAY, DAY, -3_600_000][self.dice.roll(3) as usize];
                    self.desk.set_wall(by);
                    self.skew = (row.next_at, self.skew_of(&row) + by);
                    *self.cells.entry((self.kind.word(), "9", false)).or_default() += 1;
                    self.tell("the wall clock is set")?;
                }
                2 if matches!(self.kind.family(), Family::Move | Family::Create) => {
                    self.look(&row, true)?;
                }
                3 | 4 if self.may_resend(&row) => self.resend(&row)?,
                5 if !self.desk.ended.is_empty() => self.look_back()?,
                _ if row.next_at.is_some() => self.planned(&row)?,
                _ => {
                    if self.ends(&row)? {
                        return Ok(());
                    }
                }
            }
        }
        Err("it never ends".into())
    }

    /// What the program planned comes to pass.
    fn planned(&mut self, row: &Row) -> Result<(), String> {
        let wait = row.next_at.unwrap_or_default() - self.desk.wall() + self.skew_of(row);
        let late = self.dice.roll(3_000) as i64;
        self.desk.pass_time(wait.clamp(0, 700_000) + late);
        if matches!(self.kind.family(), Family::Move | Family::Create) {
            return self.look(row, false).map(|_| ());
        }
        let age = self.desk.operations.age(row);
        self.send(Event::RepeatBySchedule { age }, false)
    }

    fn look(&mut self, row: &Row, unplanned: bool) -> Result<Option<Finding>, String> {
        let now = self.desk.now();
        let ((finding, evidence), is_stale) = self.desk.vendor.show(row, &mut self.dice, now);
        if is_stale {
            *self.cells.entry((self.kind.word(), "17", false)).or_default() += 1;
        }
        let look = |operations: &Operations| operations.commit_look(row, finding, evidence.as_ref(), None, unplanned);
        let committed = self.desk.run(look);
        // Nothing is looked for where nothing can be found.
        let Ok(Some((row, decision))) = committed else { return Ok(None) };
        self.tell(&format!("look, {finding:?}{}", if unplanned { ", asked for" } else { "" }))?;
        if decision.next == Next::Send {
            self.transmit(&row)?;
        }
        Ok(Some(finding))
    }

    /// A person looks at an older operation, while this one is under way.
    fn look_back(&mut self) -> Result<(), String> {
        let at = self.dice.roll(self.desk.ended.len() as u64) as usize;
        let Ended { id, mut judged, saved } = self.desk.ended[at].clone();
        let find = |desk: &Desk| {
            let row = desk.operations.journal().find(&id).map_err(|error| error.to_string())?;
            row.ok_or_else(|| "an older operation is lost".to_owned())
        };
        let row = find(self.desk)?;
        let now = self.desk.now();
        let ((finding, evidence), _) = self.desk.vendor.show(&row, &mut self.dice, now);
        let look = |operations: &Operations| operations.commit_look(&row, finding, evidence.as_ref(), None, true);
        match self.desk.run(look) {
            Ok(_) | Err(OperationError::Impossible(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
        let row = find(self.desk)?;
        self.steps.push(format!("an older one, {finding:?}: {} {:?}", row.state.word(), row.reason));
        if row.state.is_unconfirmed() {
            judged = true;
            let verdict = if self.desk.vendor.times(&id.0) > 0 { Verdict::Done } else { Verdict::NotDone };
            self.desk.operations.judge(&id, verdict).map_err(|error| error.to_string())?;
        }
        self.desk.ended[at].judged = judged;
        check(self.desk, &find(self.desk)?, judged, saved)
    }

    fn may_resend(&self, row: &Row) -> bool {
        let all = [State::NotSent, State::Unknown, State::NeedsYou, State::Rejected];
        let event = Event::RepeatByPerson;
        all.contains(&row.state)
            && crate::decide::decide(row.situation(), event, self.desk.operations.schedule()).is_ok()
    }

    /// As the engine does: what may have arrived is looked for first.
    fn resend(&mut self, row: &Row) -> Result<(), String> {
        let is_looked_up = matches!(self.kind.family(), Family::Move | Family::Create);
        if is_looked_up && row.state != State::NotSent && self.look(row, true)? != Some(Finding::Nothing) {
            return Ok(());
        }
        let row = self.row()?;
        self.send(Event::RepeatByPerson, is_looked_up && row.state == State::NotSent)
    }

    /// Nothing is planned any more. A question is answered by a person, who finds the truth.
    fn ends(&mut self, row: &Row) -> Result<bool, String> {
        let times = self.desk.vendor.times(&self.id.0);
        if self.desk.vendor.is_pending(&self.id.0) {
            self.desk.pass_time(60_000);
            return Ok(false);
        }
        if row.state.is_unconfirmed() {
            self.judged = true;
            let verdict = if times > 0 { Verdict::Done } else { Verdict::NotDone };
            let judged = self.desk.operations.judge(&self.id, verdict);
            judged.map_err(|error| format!("a person cannot say {verdict:?}: {error}"))?;
            return self.tell(&format!("a person finds {verdict:?}")).map(|()| true);
        }
        // The same value again is no second effect.
        let counts = self.kind.family() != Family::Setting;
        if counts && times > 1 && !self.judged && !self.crashed && row.reason != Some(Reason::Doubled) {
            return Err("done twice, and nobody was told".into());
        }
        Ok(true)
    }
}

/// No state contradicts the truth.
fn check(desk: &Desk, row: &Row, judged: bool, saved: bool) -> Result<(), String> {
    let (times, pending) = (desk.vendor.times(&row.id.0), desk.vendor.is_pending(&row.id.0));
    let is_right = match row.state {
        State::Applied => times > 0 && saved,
        State::ResolvedApplied => times > 0,
        State::Rejected | State::NotSent => times == 0 && !pending,
        State::ResolvedNot => judged && times == 0 && !pending,
        _ => true,
    };
    if is_right { Ok(()) } else { Err(format!("{} is wrong", row.state.word())) }
}

/// One of a few customers, worked on again and again; orders and creations are new ones.
fn intent(desk: &Desk, dice: &mut Dice, kind: Kind, seed: u64, elsewhere: bool) -> Intent {
    let customers = desk.vendor.office.customers(None);
    let customer = customers[dice.roll(customers.len() as u64) as usize].clone();
    let (customer_id, user_name) = (customer.customer_id, customer.user_name);
    let amount = dice.pick(&["5", "5", "0.5"]);
    let moving = |direction| TrafficMove {
        direction,
        customer_id: customer_id.clone(),
        user_name: user_name.clone(),
        gb: Gb::parse(amount, GbFactor::Binary).expect("an amount"),
        factor: GbFactor::Binary,
        shown_recharged: customer.traffic_count,
        counter_of: None,
    };
    match kind {
        Kind::PlaceAndPay => {
            let (quote, config) = desk.vendor.office.quote();
            PlaceAndPay {
                quote_id: quote.quote_id,
                quote_version: quote.quote_version,
                config,
                amount: quote.amount,
                currency: quote.currency,
            }
            .into()
        }
        Kind::Recharge => moving(Direction::Recharge).into(),
        Kind::Deduction => moving(Direction::Deduction).into(),
        Kind::Create => {
            let host = if elsewhere { sandbox::TAKEN } else { "@x.com" };
            AccountChange::Create { user_name: format!("n{seed}{host}") }.into()
        }
        Kind::Password => {
            AccountChange::Password { customer_id, user_name, reference: format!("password/{seed}"), typed: true }
                .into()
        }
        Kind::Status => AccountChange::Status { customer_id, user_name, active: true, customer_state: 1 }.into(),
    }
}
