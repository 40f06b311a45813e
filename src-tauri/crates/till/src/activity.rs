//! Activity: every operation, and the two things a person can do about an open one.

use operations::{Activity, ActivityQuery, OperationId, OperationView, State, Touches, Verdict};
use serde::Deserialize;
use ts_rs::TS;

use crate::Till;
use crate::error::CommandError;

/// Settled operations that are shown: the newest.
const SHOWN: usize = 300;

/// What a person found in the vendor's console.
#[derive(Debug, Deserialize, TS)]
pub struct Judgement {
    /// Which operation.
    pub id: OperationId,
    /// It is there, or it is not.
    pub verdict: Verdict,
}

/// Lists the newest operations; every open one is among them.
pub async fn list_operations(till: &Till, (): ()) -> Result<Vec<OperationView>, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.recent(SHOWN)?)
}

/// Everything that was done and fits, newest first; a bulk is one entry.
pub async fn list_activity(till: &Till, query: ActivityQuery) -> Result<Activity, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.activity(&query)?)
}

/// What happened behind an event of the journal; below zero asks only where it stands.
pub async fn operations_touched(till: &Till, since: i64) -> Result<Touches, CommandError> {
    let session = till.session().await?;
    let since = if since < 0 { session.operations.position()? } else { since };
    Ok(session.operations.touches(since)?)
}

/// Some operations by their names: rows of a bulk, for example.
pub async fn operations_of(till: &Till, ids: Vec<OperationId>) -> Result<Vec<OperationView>, CommandError> {
    let session = till.session().await?;
    ids.iter().take(SHOWN).map(|id| Ok(session.operations.get(id)?)).collect()
}

/// Sends an operation again that may be sent again, with the key it had.
pub async fn resend_operation(till: &Till, id: OperationId) -> Result<OperationView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    // What never left was in no sum so far.
    if session.operations.get(&id)?.state == State::NotSent {
        crate::moves::within_limits(till, &session, &session.operations.intent(&id)?).await?;
    }
    session.operations.resend(&id).await.map_err(CommandError::of_customer)
}

/// Looks at the vendor's ledger now.
pub async fn check_operation(till: &Till, id: OperationId) -> Result<OperationView, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.check(&id).await?)
}

/// Writes down what a person found in the vendor's console.
pub async fn judge_operation(till: &Till, judgement: Judgement) -> Result<OperationView, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.judge(&judgement.id, judgement.verdict)?)
}
