//! Activity: every operation, and what a person can do about an open one.

use operations::{Activity, ActivityQuery, OperationId, OperationView, State, Touches, Verdict};
use serde::Deserialize;
use ts_rs::TS;

use crate::Till;
use crate::error::CommandError;
use crate::{moves, renewals};

/// The number of operations to list, besides the open ones.
const SHOWN: usize = 300;

/// A person's finding in the vendor's console.
#[derive(Debug, Deserialize, TS)]
pub struct Judgement {
    /// The operation.
    pub id: OperationId,
    /// Whether it is there.
    pub verdict: Verdict,
}

/// Lists the open operations and the newest of the rest.
pub async fn list_operations(till: &Till, (): ()) -> Result<Vec<OperationView>, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.history().recent(SHOWN)?)
}

/// Returns the operations that match, in the order of the query; a bulk is one entry.
pub async fn list_activity(till: &Till, query: ActivityQuery) -> Result<Activity, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.history().activity(&query)?)
}

/// Returns what happened after an event of the journal. A `since` below zero only asks for the position.
pub async fn operations_touched(till: &Till, since: i64) -> Result<Touches, CommandError> {
    let session = till.session().await?;
    let since = if since < 0 { session.operations.history().position()? } else { since };
    Ok(session.operations.history().touches(since)?)
}

/// Returns operations by their ids, for example rows of a bulk: the first 300.
pub async fn operations_of(till: &Till, ids: Vec<OperationId>) -> Result<Vec<OperationView>, CommandError> {
    let session = till.session().await?;
    ids.iter().take(SHOWN).map(|id| Ok(session.operations.get(id)?)).collect()
}

/// Sends an operation again that may be sent again, under the same key.
pub async fn resend_operation(till: &Till, id: OperationId) -> Result<OperationView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    let state = session.operations.get(&id)?.state;
    // What may have been carried out is repeated under its key, whatever its price is now.
    if matches!(state, State::NotSent | State::Rejected) {
        let intent = session.operations.intent(&id)?;
        // An operation that never left was not in any total so far.
        if state == State::NotSent {
            moves::within_limits(till, &session, &intent).await?;
        }
        renewals::check_price(&session, &intent).await?;
    }
    session.operations.resend(&id).await.map_err(CommandError::of_customer)
}

/// Checks an operation at the vendor now.
pub async fn check_operation(till: &Till, id: OperationId) -> Result<OperationView, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.check(&id).await?)
}

/// Records what a person found in the vendor's console.
pub async fn judge_operation(till: &Till, judgement: Judgement) -> Result<OperationView, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.judge(&judgement.id, judgement.verdict)?)
}
