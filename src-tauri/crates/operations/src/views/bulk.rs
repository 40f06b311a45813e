//! A bulk as a person sees it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::engine::bulk::{BulkId, Retried};
use crate::words::state::{Family, Kind, OperationId, State};
use crate::writes::intent::Intent;

/// Where a bulk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BulkState {
    /// Rows are sent.
    Running,
    /// Nothing is sent until a person goes on; after a start too.
    Paused,
    /// No row waits any more.
    Finished,
}

/// How many rows stand where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkCounts {
    /// Not begun.
    pub waiting: usize,
    /// Left out, each with its reason.
    pub skipped: usize,
    /// Prepared, being sent, being proved, or refused and still watched.
    pub under_way: usize,
    /// Done.
    pub done: usize,
    /// Certainly not done.
    pub not_done: usize,
    /// Nobody knows yet.
    pub unconfirmed: usize,
    /// Certainly not done, and not done again yet.
    pub again: usize,
}

/// A bulk as a person sees it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkView {
    /// Its name.
    pub id: BulkId,
    /// What every row does.
    pub kind: Kind,
    /// What a status is set to; `None` for the others.
    pub active: Option<bool>,
    /// Where it stands.
    pub state: BulkState,
    /// Wall clock, ms since 1970.
    pub created: i64,
    /// All rows.
    pub rows: usize,
    /// Where they stand.
    pub counts: BulkCounts,
    /// Why it was paused, when nobody asked for it: `unreadable`, `not-sent`, `no-answer`, `credentials`,
    /// `keychain`, `exposed`, `changed`, `other-account` or `journal`.
    pub problem: Option<String>,
}

/// One row as a person sees it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BulkRowView {
    /// From 1.
    pub number: usize,
    /// Whom it is about.
    pub name: String,
    /// The state of its operation; `waiting` or `skipped` before there is one.
    pub state: String,
    /// Why it was skipped, or why a person is asked.
    pub reason: Option<String>,
    /// Its operation.
    pub operation: Option<OperationId>,
    /// What is moved, GB, as it is sent.
    pub gb: Option<wire::Amount>,
}

/// A row that is certainly not done.
#[derive(Clone, Debug)]
pub struct NotDone {
    /// Whom it is about.
    pub name: String,
    /// What was to be done; `None` for a row that never was more than a line.
    pub intent: Option<Intent>,
    /// Which row it is.
    pub row: Retried,
}

impl BulkCounts {
    /// So many rows stand there.
    pub(crate) fn add(&mut self, kind: Kind, state: &str, rows: usize) {
        let slot = match State::from_word(state) {
            // No look will ever show it.
            Some(State::Refused) if kind.family() == Family::Setting => &mut self.unconfirmed,
            None if state == "waiting" => &mut self.waiting,
            None => &mut self.skipped,
            Some(State::Applied | State::ResolvedApplied) => &mut self.done,
            Some(State::Rejected | State::NotSent | State::ResolvedNot) => &mut self.not_done,
            Some(State::Unknown | State::NeedsYou) => &mut self.unconfirmed,
            Some(State::Prepared | State::Sending | State::Verifying | State::Refused) => &mut self.under_way,
        };
        *slot += rows;
    }
}
