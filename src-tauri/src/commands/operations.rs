//! Activity: every operation, and the two things a person can do about an open one.

use operations::{Activity, ActivityQuery, OperationId, OperationView, State, Touches, Verdict};
use serde::Deserialize;
use ts_rs::TS;

use super::Context;
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

pub(crate) async fn list_operations(context: &Context, (): ()) -> Result<Vec<OperationView>, CommandError> {
    let session = context.app.session().await?;
    Ok(session.operations.recent(SHOWN)?)
}

/// Everything that was done and fits, newest first; a bulk is one entry.
pub(crate) async fn list_activity(context: &Context, query: ActivityQuery) -> Result<Activity, CommandError> {
    let session = context.app.session().await?;
    Ok(session.operations.activity(&query)?)
}

/// What happened behind an event of the journal; below zero asks only where it stands.
pub(crate) async fn operations_touched(context: &Context, since: i64) -> Result<Touches, CommandError> {
    let session = context.app.session().await?;
    let since = if since < 0 { session.operations.position()? } else { since };
    Ok(session.operations.touches(since)?)
}

/// Some operations by their names: rows of a bulk, for example.
pub(crate) async fn operations_of(
    context: &Context,
    ids: Vec<OperationId>,
) -> Result<Vec<OperationView>, CommandError> {
    let session = context.app.session().await?;
    ids.iter().take(SHOWN).map(|id| Ok(session.operations.get(id)?)).collect()
}

pub(crate) async fn resend_operation(context: &Context, id: OperationId) -> Result<OperationView, CommandError> {
    let _sending = context.app.gate.send()?;
    let session = context.app.session().await?;
    // What never left was in no sum so far.
    if session.operations.get(&id)?.state == State::NotSent {
        super::moves::within_limits(context, &session, &session.operations.intent(&id)?).await?;
    }
    session.operations.resend(&id).await.map_err(CommandError::of_customer)
}

/// Looks at the vendor's ledger now.
pub(crate) async fn look_operation(context: &Context, id: OperationId) -> Result<OperationView, CommandError> {
    let session = context.app.session().await?;
    Ok(session.operations.look(&id).await?)
}

pub(crate) async fn judge_operation(context: &Context, judgement: Judgement) -> Result<OperationView, CommandError> {
    let session = context.app.session().await?;
    Ok(session.operations.judge(&judgement.id, judgement.verdict)?)
}
