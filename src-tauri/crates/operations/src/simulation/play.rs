//! One schedule: a few writes at the same time, and everything that happens around them.

use wire::customers::Customer;

use super::bulk::Bulk;
use super::desk::{Desk, Ended};
use super::story::{Stage, Story};
use super::{Cells, truth, writes};
use crate::engine::check::Seen;
use crate::engine::{OperationError, Operations};
use crate::evidence::snapshot::Snapshot;
use crate::journal::JournalError;
use crate::journal::row::Row;
use crate::words::state::{Family, Kind, Verdict};
use crate::writes::intent::Intent;
use crate::writes::traffic_move::Direction;
use dice::Dice;

/// Steps with other events in between. After them everything ends undisturbed.
const UNQUIET_STEPS: usize = 120;
/// A schedule that takes more steps than this never ends.
const MOST_STEPS: usize = 1_000;
/// Writes of one schedule that begin on their own, not as rows of a bulk.
const MOST_WRITES: usize = 3;
const DAY: i64 = 86_400_000;

struct Play<'a> {
    stage: Stage<'a>,
    seed: u64,
    stories: Vec<Story>,
    bulk: Option<Bulk>,
    /// Confirmations so far.
    begun: usize,
}

/// Plays a seed.
///
/// # Errors
/// When something went wrong: what it was, and the steps that led to it.
pub(super) fn play(desk: &mut Desk, seed: u64, cells: &mut Cells) -> Result<(), String> {
    let mut dice = Dice::of(seed);
    // The seeds that regressions name were played from the second number on.
    dice.roll(2);
    let stage = Stage { desk, dice, cells, steps: Vec::new(), starts: 0 };
    let mut play = Play { stage, seed, stories: Vec::new(), bulk: None, begun: 0 };
    let end = play.run();
    if super::number("PROXYTILL_SEED") == Some(seed) {
        println!("{}", play.stage.steps.join("\n"));
    }
    end.map_err(|wrong| format!("{wrong}\n{}", play.stage.steps.join("\n")))
}

impl Play<'_> {
    fn run(&mut self) -> Result<(), String> {
        if self.stage.dice.roll(8) == 0 {
            self.confirm_bulk()?;
        } else {
            self.write()?;
        }
        for at in 0..MOST_STEPS {
            if self.is_over() {
                return self.close();
            }
            if at < UNQUIET_STEPS {
                self.step()?
            } else {
                self.story_step()?
            }
            for at in 0..self.stories.len() {
                self.stories[at].see_starts(&self.stage)?;
                self.stories[at].see_alarm(self.stage.desk)?;
            }
            self.check()?;
        }
        Err("it never ends".into())
    }

    fn is_over(&self) -> bool {
        self.stories.iter().all(|story| story.is_over) && self.bulk.as_ref().is_none_or(|bulk| bulk.is_over)
    }

    fn check(&mut self) -> Result<(), String> {
        self.each(|story, stage, others| truth::check(stage.desk, story, others))
    }

    /// Ends the schedule, when nothing is under way any more.
    fn close(&mut self) -> Result<(), String> {
        self.each(|story, stage, others| truth::check_told(stage.desk, story, others))?;
        for story in std::mem::take(&mut self.stories) {
            let row = story.row(self.stage.desk)?;
            // Only those whose state agrees with the ledger: like moves cannot be told apart.
            if row.kind.family().is_checked() && row.state.is_done() == (self.stage.desk.vendor.times(&row.id.0) > 0) {
                self.stage.desk.ended.push(Ended { id: story.id, judged: true, saved: story.saved });
            }
        }
        Ok(())
    }

    fn each(&mut self, check: impl Fn(&Story, &Stage<'_>, &[Story]) -> Result<(), String>) -> Result<(), String> {
        for _ in 0..self.stories.len() {
            let story = self.stories.remove(0);
            let checked = check(&story, &self.stage, &self.stories);
            self.stories.push(story);
            checked?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        match self.stage.dice.roll(40) {
            0 | 1 => {
                self.stage.crash();
                self.stage.steps.push("crash".into());
            }
            2 | 3 => self.set_the_clock()?,
            4 | 5 if !self.stage.desk.ended.is_empty() => self.look_back()?,
            6 | 7 => self.someone_else()?,
            // A quarter of an hour without a check: the computer may have slept.
            16 => {
                self.stage.desk.pass_time(900_000);
                self.stage.steps.push("a quarter of an hour passes".into());
            }
            8..=11 if self.begun < MOST_WRITES => self.write()?,
            12..=15 if self.bulk.is_some() => self.bulk_step()?,
            _ => self.story_step()?,
        }
        Ok(())
    }

    fn set_the_clock(&mut self) -> Result<(), String> {
        let by = [-DAY, DAY, -3_600_000][self.stage.dice.roll(3) as usize];
        self.stage.steps.push(format!("the wall clock is set by {by} ms"));
        self.stories
            .iter_mut()
            .filter(|story| !story.is_over)
            .try_for_each(|story| story.clock_was_set(&mut self.stage, by))?;
        self.stage.desk.set_wall(by);
        Ok(())
    }

    /// A step of one of the stories that are not over, or of the bulk if there is none.
    fn story_step(&mut self) -> Result<(), String> {
        let open: Vec<usize> = (0..self.stories.len()).filter(|at| !self.stories[*at].is_over).collect();
        if open.is_empty() {
            return self.bulk_step();
        }
        let mut story = self.stories.remove(self.stage.dice.pick(&open));
        let stepped = story.step(&mut self.stage, &self.stories);
        let is_in_bulk = story.row(self.stage.desk)?.bulk.is_some();
        self.stories.push(story);
        stepped?;
        if is_in_bulk { self.round() } else { Ok(()) }
    }

    /// Whoever checks one row of a bulk may check the others too, due or not.
    fn round(&mut self) -> Result<(), String> {
        for at in 0..self.stories.len() {
            let row = self.stories[at].row(self.stage.desk)?;
            let waits = row.bulk.is_some() && row.next_at.is_some() && row.kind.family().is_checked();
            if waits && self.stage.dice.roll(2) == 0 {
                self.stories[at].check(&mut self.stage, &row, false)?;
            }
        }
        Ok(())
    }

    /// Begins another write, or nothing if something is in its way.
    fn write(&mut self) -> Result<(), String> {
        self.begun += 1;
        let (stage, name) = (&mut self.stage, format!("n{}.{}", self.seed, self.begun));
        let kind = stage.dice.pick(Kind::ALL);
        let elsewhere = kind == Kind::Create && stage.dice.roll(8) == 0;
        let intent = self.second_of_a_customer(kind, &name)?;
        let stage = &mut self.stage;
        let intent = match intent {
            Some(intent) => intent,
            None => writes::intent(stage.desk, &mut stage.dice, kind, &name, elsewhere),
        };
        let is_watched = |operations: &Operations| operations.guards().ensure_not_watched(&intent);
        match stage.desk.run(is_watched) {
            // The question of D1: half of the people wait.
            Err(OperationError::StillWatched) if stage.dice.roll(2) == 0 => return Ok(()),
            Ok(()) | Err(OperationError::StillWatched) => {}
            Err(error) => return Err(error.to_string()),
        }
        let is_held = self.is_held(&intent.target())?;
        let stage = &mut self.stage;
        let (steady, now) = (stage.desk.now(), stage.desk.wall());
        let (before, is_stale) = stage.desk.vendor.before_first(&intent, &mut stage.dice, steady);
        let intent = if is_stale { writes::as_shown(intent, before.as_ref()) } else { intent };
        if is_done_after_all(stage.desk, &intent, before.as_ref())? {
            return Ok(());
        }
        // Not every vendor says how long a price stands.
        let says = kind == Kind::PlaceAndPay && stage.dice.roll(4) > 0;
        let price_ends = says.then(|| now + stage.desk.vendor.office.service.price_life());
        let prepare = |desk: &Desk, nonce: &str| {
            let row = desk.operations.journal().prepare(nonce, &intent, before.as_ref(), price_ends, None, now);
            row.map_err(|error| error.to_string())
        };
        let Some(row) = prepare(stage.desk, &name)? else {
            return if is_held { Ok(()) } else { Err("a free target is held".into()) };
        };
        if is_held {
            return Err("two open operations of one target".into());
        }
        // Hazard 5: the same click again, and another dialog for the same target.
        for nonce in [name.clone(), format!("other {name}")] {
            if prepare(stage.desk, &nonce)?.is_some() {
                return Err("two rows for one confirmation".into());
            }
        }
        stage.reach(&row, "5", false);
        if is_stale {
            stage.reach(&row, "17 before", false);
            stage.steps.push("a cache answers the look before the send".into());
        }
        if self.has_company(&row)? {
            self.stage.reach(&row, "beside another", false);
        }
        let mut story = Story::new(&self.stage, &row, elsewhere)?;
        story.was_stale = is_stale;
        let begun = story.begin(&mut self.stage);
        self.stories.push(story);
        begun
    }

    /// Most further writes are about a customer who is already being worked on.
    fn second_of_a_customer(&mut self, kind: Kind, name: &str) -> Result<Option<Intent>, String> {
        if matches!(kind.family(), Family::Order | Family::Create) {
            return Ok(None);
        }
        let customer = self.customer_at_work()?;
        Ok(customer.map(|customer| writes::of_customer(&customer, &mut self.stage.dice, kind, name)))
    }

    /// The customer of one of the stories, mostly.
    fn customer_at_work(&mut self) -> Result<Option<Customer>, String> {
        if self.stories.is_empty() || self.stage.dice.roll(4) == 0 {
            return Ok(None);
        }
        let at = self.stage.dice.roll(self.stories.len() as u64) as usize;
        let target = self.stories[at].row(self.stage.desk)?.target;
        let customers = self.stage.desk.vendor.office.customers(None);
        Ok(customers.into_iter().find(|customer| customer.customer_id.as_str() == target))
    }

    fn is_held(&self, target: &str) -> Result<bool, String> {
        let holds = |story: &Story| story.row(self.stage.desk).map(|row| row.target == target && row.state.is_open());
        self.stories.iter().map(holds).try_fold(false, |held, one| one.map(|one| held || one))
    }

    /// Whether another write to the same target may still change something.
    fn has_company(&self, row: &Row) -> Result<bool, String> {
        for story in &self.stories {
            let other = story.row(self.stage.desk)?;
            if other.target == row.target && (!story.is_over || other.next_at.is_some()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn confirm_bulk(&mut self) -> Result<(), String> {
        self.begun += 1;
        self.bulk = Some(Bulk::confirm(&mut self.stage, &format!("b{}", self.seed))?);
        Ok(())
    }

    fn bulk_step(&mut self) -> Result<(), String> {
        let Some(mut bulk) = self.bulk.take() else { return Ok(()) };
        if !bulk.is_over {
            let story = bulk.step(&mut self.stage)?;
            self.stories.extend(story);
        } else if self.begun < MOST_WRITES {
            self.begun += 1;
            if let Some(again) = bulk.retry(&mut self.stage, &format!("b{}.{}", self.seed, self.begun))? {
                bulk = again;
            }
        }
        self.bulk = Some(bulk);
        Ok(())
    }

    /// A customer uses traffic, or someone moves it in the vendor's console: a colleague with another name, once the
    /// names in our own records are known, or someone under our own name, who moves amounts that the program never
    /// does.
    fn someone_else(&mut self) -> Result<(), String> {
        let at_work = self.customer_at_work()?;
        let stage = &mut self.stage;
        let customers = stage.desk.vendor.office.customers(None);
        let any = stage.dice.roll(customers.len() as u64) as usize;
        let customer = at_work.as_ref().unwrap_or(&customers[any]);
        let customer = &customer.customer_id;
        let wrong = |error: JournalError| error.to_string();
        let knows =
            |direction| stage.desk.operations.journal().lessons().creator(direction).map(|creator| creator.is_some());
        let is_known = knows(Direction::Recharge).map_err(wrong)? && knows(Direction::Deduction).map_err(wrong)?;
        let hazard = match stage.dice.roll(5) {
            0 | 1 => {
                stage.desk.vendor.office.service.use_more(customer);
                "use goes on"
            }
            2 | 3 if is_known => {
                let gb = stage.dice.pick(&[5, 5, -5, -5, 3, -3]);
                stage.desk.vendor.office.service.move_in_console(customer, gb, true);
                "a colleague"
            }
            _ => {
                let gb = stage.dice.pick(&[3, -3]);
                stage.desk.vendor.office.service.move_in_console(customer, gb, false);
                "our own name"
            }
        };
        stage.steps.push(format!("{hazard}: {}", customer.as_str()));
        for story in self.stories.iter_mut().filter(|story| !story.is_over) {
            let row = story.row(stage.desk)?;
            if row.target == customer.as_str() {
                story.is_blurred |= hazard == "our own name";
                stage.reach(&row, hazard, false);
            }
        }
        Ok(())
    }

    /// A person checks an older operation while others are under way.
    fn look_back(&mut self) -> Result<(), String> {
        let stage = &mut self.stage;
        let at = stage.dice.roll(stage.desk.ended.len() as u64) as usize;
        let Ended { id, judged, saved } = stage.desk.ended[at].clone();
        let find = |desk: &Desk| {
            let row = desk.operations.journal().operations().find(&id).map_err(|error| error.to_string())?;
            row.ok_or_else(|| "an older operation is lost".to_owned())
        };
        let row = find(stage.desk)?;
        let ((finding, evidence), _) = stage.desk.show(&row, &mut stage.dice);
        let seen = Seen { finding, evidence, customer: None };
        let check = |operations: &Operations| operations.checks().commit(&row, &seen, true);
        match stage.desk.run(check) {
            Ok(_) | Err(OperationError::Impossible(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
        let row = find(stage.desk)?;
        stage.steps.push(format!("an older one, {finding:?}: {} {:?}", row.state.word(), row.reason));
        if row.state.is_unconfirmed() {
            stage.desk.ended[at].judged = true;
            let verdict = if stage.desk.vendor.times(&id.0) > 0 { Verdict::Done } else { Verdict::NotDone };
            stage.desk.operations.judge(&id, verdict).map_err(|error| error.to_string())?;
        }
        truth::check_alone(stage.desk, &find(stage.desk)?, judged, saved)
    }
}

/// Whether the snapshot before a send shows that the same move, refused before, is done. The engine asks the same in
/// `ensure_not_done_after_all`.
fn is_done_after_all(desk: &Desk, intent: &Intent, before: Option<&Snapshot>) -> Result<bool, String> {
    let Some(before) = before else { return Ok(false) };
    let of = |operations: &Operations| -> Result<bool, OperationError> {
        let watched = operations.guards().watched(&operations.journal(), intent)?;
        for row in &watched {
            if operations.guards().is_shown(row, before)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    of(&desk.operations).map_err(|error| error.to_string())
}
