//! Rounds: the rows of bulks are checked with one survey for all that wait, instead of a check for each.

use tokio::task::JoinSet;

use crate::decide::Decision;
use crate::engine::bulk::PARALLEL;
use crate::engine::check::{Checks, Seen};
use crate::engine::due::Planned;
use crate::engine::{AccountAccess, OperationError};
use crate::evidence::reader::SnapshotError;
use crate::evidence::source::Source;
use crate::evidence::survey::Survey;
use crate::journal::JournalError;
use crate::journal::row::Row;
use crate::words::finding::Finding;
use crate::words::state::{OperationId, State};

/// How many rows of a round are checked one by one when a survey cannot be made.
const SINGLY: usize = 200;

impl Checks<'_> {
    /// Makes one survey and decides with it about every row that waits.
    pub(super) async fn round(&self) -> Result<(), OperationError> {
        let (ids, since, wanted) = self.0.journal().operations().to_check()?;
        if ids.is_empty() {
            // Passwords and statuses are never verified: the whole list would be read for nothing.
            return Ok(());
        }
        let Some(account) = self.0.access().get() else { return self.postpone(&ids) };
        match account.reader.survey(since, wanted).await {
            Ok(survey) => {
                self.check_in(&survey, &account, ids).await;
                Ok(())
            }
            // A single record that cannot be read, or a list that changes all the time, must not keep all rows from
            // being verified.
            Err(SnapshotError::Restless | SnapshotError::Vendor(client::Error::Unreadable { .. })) => {
                self.check_singly(&ids).await
            }
            Err(error) => {
                tracing::info!(%error, "the ledger cannot be read");
                self.postpone(&ids)
            }
        }
    }

    /// Checks every row in one survey. Whatever has to be sent again is sent beside the checks.
    async fn check_in(&self, survey: &Survey, account: &AccountAccess, ids: Vec<OperationId>) {
        let now = self.0.times().now();
        let mut sends: JoinSet<()> = JoinSet::new();
        for id in ids {
            // Rows are read one at a time: a bulk has thousands, and each carries its snapshot.
            match self.check_row(survey, account, &id, now).await {
                Ok(None) => {}
                Ok(Some((row, decision))) => {
                    while sends.len() >= PARALLEL {
                        sends.join_next().await;
                    }
                    let own = self.0.clone();
                    sends.spawn(async move {
                        if let Err(error) = own.checks().go_on(row, decision).await {
                            tracing::warn!(%error, "a row of a bulk cannot go on");
                        }
                    });
                }
                // A row that cannot be decided must not keep the others from it.
                Err(error) => tracing::warn!(%error, "a row of a bulk cannot be checked"),
            }
        }
        while sends.join_next().await.is_some() {}
    }

    /// Checks one row in the survey. `None` if it says nothing about the row now.
    async fn check_row(
        &self,
        survey: &Survey,
        account: &AccountAccess,
        id: &OperationId,
        now: i64,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        let Some(row) = self.0.journal().operations().find(id)?.filter(|row| row.next_at.is_some()) else {
            return Ok(None);
        };
        let seen = self.see(&row, account, &Source::Survey(survey)).await;
        let committed = self.commit_in_round(&row, &seen, now)?;
        if let Some((now, _)) = &committed
            && let Err(error) = self.0.lessons().learn_from(&row, now, &seen)
        {
            // The row goes on all the same.
            tracing::warn!(%error, "what a check taught cannot be stored");
        }
        Ok(committed)
    }

    /// Makes durable what a round says about a row. `None` if it says nothing now.
    pub(crate) fn commit_in_round(
        &self,
        row: &Row,
        seen: &Seen,
        now: i64,
    ) -> Result<Option<(Row, Decision)>, OperationError> {
        // An effect that shows counts at once; one that does not show counts only when the row is due.
        let is_due = row.next_at.is_none_or(|at| self.0.later().is_due(at, now));
        let is_open = matches!(row.state, State::Verifying | State::Unknown | State::Refused);
        let counts = is_due || (seen.finding.shows() && is_open);
        if !counts {
            return Ok(None);
        }
        let committed = self.commit(row, seen, false)?;
        if committed.is_none() {
            // Another operation holds the customer: the row is checked again after the last wait of the schedule. If
            // the row changed meanwhile, `set_plan` changes nothing.
            self.0.journal().operations().set_plan(row, Some(now + self.0.later().last_wait().as_millis() as i64))?;
        }
        Ok(committed)
    }

    /// The rows that are due now, read one at a time.
    fn due_rows<'a>(&'a self, ids: &'a [OperationId]) -> impl Iterator<Item = Result<Row, JournalError>> + use<'a> {
        let now = self.0.times().now();
        let is_due = move |row: &Row| row.next_at.is_some_and(|at| self.0.later().is_due(at, now));
        let found = ids.iter().filter_map(|id| self.0.journal().operations().find(id).transpose());
        found.filter(move |row| row.as_ref().ok().is_none_or(is_due))
    }

    /// Makes a check of its own for each of the first rows that are due.
    async fn check_singly(&self, ids: &[OperationId]) -> Result<(), OperationError> {
        let mut checks: JoinSet<()> = JoinSet::new();
        for row in self.due_rows(ids).take(SINGLY) {
            let (own, plan) = (self.0.clone(), Planned::of(&row?));
            while checks.len() >= PARALLEL {
                checks.join_next().await;
            }
            checks.spawn(async move {
                if let Err(error) = own.checks().check_once(&plan.id, Some(&plan)).await {
                    tracing::warn!(%error, "a row of a bulk cannot be checked");
                }
            });
        }
        while checks.join_next().await.is_some() {}
        Ok(())
    }

    /// Commits for every row that is due that nothing could be read.
    fn postpone(&self, ids: &[OperationId]) -> Result<(), OperationError> {
        for row in self.due_rows(ids) {
            let unread = Seen { finding: Finding::Unreadable, ..Seen::default() };
            if let Err(error) = self.commit(&row?, &unread, false) {
                tracing::warn!(%error, "a row of a bulk cannot be postponed");
            }
        }
        Ok(())
    }
}
