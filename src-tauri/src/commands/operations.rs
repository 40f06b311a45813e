//! Activity: every operation, and the two things a person can do about an open one.

use operations::{OperationId, OperationView, State, Verdict};
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

/// Some operations by their names: rows of a bulk, for example.
pub(crate) async fn operations_of(
    context: &Context,
    ids: Vec<OperationId>,
) -> Result<Vec<OperationView>, CommandError> {
    let session = context.app.session().await?;
    ids.iter().take(SHOWN).map(|id| Ok(session.operations.get(id)?)).collect()
}

pub(crate) async fn resend_operation(context: &Context, id: OperationId) -> Result<OperationView, CommandError> {
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
