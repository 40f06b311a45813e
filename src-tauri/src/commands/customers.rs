//! The agent's customers.

use super::Context;
use crate::customers::CustomersRead;
use crate::error::CommandError;

/// `true` reads them from the vendor again.
pub(crate) async fn list_customers(context: &Context, again: bool) -> Result<CustomersRead, CommandError> {
    let session = context.app.session().await?;
    Ok(session.customers.all(&session.client, again).await?)
}
