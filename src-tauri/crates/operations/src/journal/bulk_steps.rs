//! The steps of a bulk that write more than its own table: it is confirmed with its rows, and a row has its turn.

use crate::evidence::snapshot::Snapshot;
use crate::journal::bulk_row::{self, Begun, Closed, Turn, becomes_operation, skip, still_waits};
use crate::journal::operation::commit::{self, New};
use crate::journal::{Journal, JournalError, bulk, event};
use crate::kill_points::{Point, reached};
use crate::words::bulk::BulkId;
use crate::words::fingerprint::Fingerprint;
use crate::words::left_out::LeftOut;
use crate::words::state::{Family, OperationId, State};
use crate::writes::bulk::BulkPlan;

impl Journal {
    /// Commits a confirmed bulk with all its rows. Rows that are done again are closed in the same commit, so that they
    /// cannot be sent again beside their successors.
    pub(crate) fn insert_bulk(
        &mut self,
        id: &BulkId,
        plan: &BulkPlan,
        hash: &str,
        fingerprint: Option<&Fingerprint>,
        closed: Closed,
        now: i64,
    ) -> Result<(), JournalError> {
        self.back_up_if_due(now);
        let started = self.started;
        let transaction = self.db.transaction()?;
        bulk::insert(&transaction, id, plan.kind, hash, fingerprint, now)?;
        bulk_row::insert(&transaction, started, id, &plan.rows, closed, now)?;
        Ok(transaction.commit()?)
    }

    /// Makes a waiting row an operation, `prepared` and `sending` in one commit, because its snapshot is already read.
    /// Durable before the first byte. `surveyed` is the number of the last event before that, `now` wall clock, ms since
    /// 1970.
    pub(crate) fn begin_turn(
        &mut self,
        id: &BulkId,
        turn: &Turn,
        baseline: Option<&Snapshot>,
        surveyed: i64,
        now: i64,
    ) -> Result<Begun, JournalError> {
        let started = self.started;
        let transaction = self.db.transaction()?;
        if !still_waits(&transaction, id, turn.number)? {
            return Ok(Begun::Skipped);
        }
        if baseline.is_some() && event::was_sent_since(&transaction, &turn.intent.target(), surveyed)? {
            // The snapshot is older than that send and does not show it: its records would be taken for this row's.
            skip(&transaction, id, turn.number, LeftOut::Changed)?;
            transaction.commit()?;
            return Ok(Begun::Skipped);
        }
        if turn.intent.kind().family() == Family::Setting && event::was_set_since(&transaction, &turn.intent, id)? {
            // The bulk waited meanwhile, and its value would come after a newer one.
            skip(&transaction, id, turn.number, LeftOut::SetSince)?;
            transaction.commit()?;
            return Ok(Begun::Skipped);
        }
        let nonce = format!("{} {}", id.0, turn.number);
        let inserted = commit::insert(
            &transaction,
            &New {
                nonce: &nonce,
                intent: &turn.intent,
                baseline,
                price_ends: None,
                bulk: Some(&id.0),
                fingerprint: bulk::fingerprint_of(&transaction, id)?.as_ref(),
                now,
            },
        )?;
        let Some(operation) = inserted else {
            skip(&transaction, id, turn.number, LeftOut::Held)?;
            transaction.commit()?;
            return Ok(Begun::Skipped);
        };
        commit::enter(&transaction, started, &operation, State::Prepared.word(), State::Sending, now)?;
        becomes_operation(&transaction, id, turn.number, &operation)?;
        transaction.commit()?;
        self.keep_send(&operation)?;
        reached(Point::Turned);
        let row = self.operations().find(&OperationId(operation))?.ok_or(JournalError::Unreadable)?;
        Ok(Begun::Sending(Box::new(row)))
    }
}
