//! Connections: list, test, save, remove, open; practice.

use client::account::StaticCredentials;
use client::{Account, Address, Patience};
use secrecy::{ExposeSecret, SecretString};

use super::Context;
use super::app::{Boot, state};
use crate::connections::{self, ConnectionDraft, ConnectionView, ProbeResults, token_accounts};
use crate::error::CommandError;
use crate::{events, practice};

pub(crate) async fn list_connections(context: &Context, (): ()) -> Result<Vec<ConnectionView>, CommandError> {
    Ok(context.app.store.connections()?)
}

fn given(secret: &SecretString) -> bool {
    !secret.expose_secret().is_empty()
}

/// Checks what can be checked without the network.
fn check(draft: &ConnectionDraft) -> Result<Address, CommandError> {
    if draft.name.trim().is_empty() {
        return Err(CommandError::invalid("name", "empty"));
    }
    Address::parse(&draft.base_url, &draft.static_prefix, "").map_err(CommandError::from)?;
    let address = Address::parse(&draft.base_url, &draft.static_prefix, &draft.agent_prefix);
    address.map_err(|_| CommandError::invalid("agent-prefix", "bad-prefix"))
}

/// The typed token, or the saved one when the field was left empty.
async fn token(context: &Context, typed: &SecretString, draft: &ConnectionDraft, which: usize) -> Option<SecretString> {
    if given(typed) {
        return Some(typed.clone());
    }
    let id = draft.id.as_ref()?;
    context.app.vault.read(&token_accounts(id)[which]).await.ok().flatten()
}

pub(crate) async fn test_connection(context: &Context, draft: ConnectionDraft) -> Result<ProbeResults, CommandError> {
    let address = check(&draft)?;
    let static_token = token(context, &draft.static_token, &draft, 0).await;
    let agent_token = token(context, &draft.agent_token, &draft, 1).await;
    if static_token.is_some() && draft.user_id.trim().is_empty() {
        return Err(CommandError::invalid("user-id", "empty"));
    }
    let static_area = static_token.map(|token| StaticCredentials { user_id: draft.user_id.trim().into(), token });
    if static_area.is_none() && agent_token.is_none() {
        return Err(CommandError::invalid("static-token", "no-token"));
    }
    Ok(connections::probe(Account { address, static_area, agent_token }, Patience::default()).await)
}

pub(crate) async fn save_connection(context: &Context, draft: ConnectionDraft) -> Result<ConnectionView, CommandError> {
    check(&draft)?;
    let before = draft.id.as_deref().map(|id| context.app.connection(id)).transpose()?;
    let had = |tokens: fn(&ConnectionView) -> bool| before.as_ref().is_some_and(tokens);
    let connection = ConnectionView {
        id: draft.id.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string()),
        name: draft.name.trim().into(),
        base_url: draft.base_url.trim().into(),
        static_prefix: draft.static_prefix.trim().into(),
        agent_prefix: draft.agent_prefix.trim().into(),
        user_id: draft.user_id.trim().into(),
        has_static_token: given(&draft.static_token) || had(|old| old.has_static_token),
        has_agent_token: given(&draft.agent_token) || had(|old| old.has_agent_token),
        session_only: draft.session_only,
    };
    if !connection.has_static_token && !connection.has_agent_token {
        return Err(CommandError::invalid("static-token", "no-token"));
    }
    if connection.has_static_token && connection.user_id.is_empty() {
        return Err(CommandError::invalid("user-id", "empty"));
    }
    // Secrets first: a connection that is listed has its tokens.
    for (account, secret) in token_accounts(&connection.id).iter().zip([&draft.static_token, &draft.agent_token]) {
        if !given(secret) {
            continue;
        }
        if connection.session_only {
            context.app.vault.keep_for_session(account, secret.clone());
        } else {
            context.app.vault.save(account, secret.clone()).await.map_err(CommandError::keychain)?;
        }
    }
    context.app.store.save_connection(&connection)?;
    Ok(connection)
}

pub(crate) async fn remove_connection(context: &Context, id: String) -> Result<(), CommandError> {
    let connection = context.app.connection(&id)?;
    let open = context.app.session_if_open().await;
    if open.is_some_and(|session| session.id == id) {
        context.app.close_connection().await?;
    }
    for account in token_accounts(&connection.id) {
        let removed = context.app.vault.remove(&account).await;
        if !connection.session_only {
            removed.map_err(CommandError::keychain)?;
        }
    }
    // Its journal stays: what was once sent is never forgotten.
    Ok(context.app.store.remove_connection(&id)?)
}

pub(crate) async fn open_connection(context: &Context, id: String) -> Result<Boot, CommandError> {
    let session = context.app.open_connection(&id).await?;
    events::follow(&context.handle, &session);
    state(context).await
}

pub(crate) async fn start_practice(context: &Context, (): ()) -> Result<Boot, CommandError> {
    open_connection(context, practice::ID.into()).await
}

/// Back to the first saved connection, or to Welcome.
pub(crate) async fn leave_practice(context: &Context, (): ()) -> Result<Boot, CommandError> {
    match context.app.store.connections()?.first() {
        Some(connection) => open_connection(context, connection.id.clone()).await,
        None => {
            context.app.close_connection().await?;
            state(context).await
        }
    }
}
