//! Connections: test, save, replace a token, remove, open; practice.

mod saved;

use std::sync::Arc;

use client::account::StaticCredentials;
use client::{Account, Address};
use operations::{Fingerprint, Operations, anchor_account};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use ts_rs::TS;
use vault::{KeychainState, bound};

use crate::Till;
use crate::background::spawned;
use crate::error::CommandError;
use crate::field;
use crate::start::{Boot, state};
use crate::usage::UsageCache;
use crate::{following, practice};

pub use saved::{ConnectionDraft, ConnectionView, Polarity, Probe, ProbeResults};
pub(crate) use saved::{account, token_accounts, usual_zone};

fn given(secret: &SecretString) -> bool {
    !secret.expose_secret().is_empty()
}

/// The token without the blanks that were pasted with it.
fn trimmed(secret: &SecretString) -> SecretString {
    secret.expose_secret().trim().into()
}

fn without_blanks(draft: ConnectionDraft) -> ConnectionDraft {
    let (static_token, agent_token) = (trimmed(&draft.static_token), trimmed(&draft.agent_token));
    ConnectionDraft { static_token, agent_token, ..draft }
}

/// Checks what can be checked without the network. Returns the address.
fn check(draft: &ConnectionDraft) -> Result<Address, CommandError> {
    if draft.name.trim().is_empty() {
        return Err(CommandError::invalid(field::Name::Empty));
    }
    // From UTC-12 to UTC+14.
    if !(-720..=840).contains(&draft.time_zone) {
        return Err(CommandError::invalid(field::TimeZone::OutOfRange));
    }
    Address::parse(&draft.base_url, &draft.static_prefix, "").map_err(CommandError::from)?;
    let address = Address::parse(&draft.base_url, &draft.static_prefix, &draft.agent_prefix);
    address.map_err(|_| CommandError::invalid(field::AgentPrefix::BadPrefix))
}

/// The saved connection that is being edited; `None` for a new one. Its tokens are only sent to its own host: for
/// another host they have to be typed again.
fn edited(till: &Till, draft: &ConnectionDraft, address: &Address) -> Result<Option<ConnectionView>, CommandError> {
    let Some(id) = &draft.id else { return Ok(None) };
    let saved = till.connection(id)?;
    let old = Address::parse(&saved.base_url, &saved.static_prefix, &saved.agent_prefix)?;
    let missing =
        (saved.has_static_token && !given(&draft.static_token), saved.has_agent_token && !given(&draft.agent_token));
    match missing {
        _ if old.same_origin(address) => Ok(Some(saved)),
        (true, _) => Err(CommandError::invalid(field::StaticToken::NewAddress)),
        (_, true) => Err(CommandError::invalid(field::AgentToken::NewAddress)),
        _ => Ok(Some(saved)),
    }
}

/// The typed token, or the saved one when the field was left empty. `saved` is the token's entry in the keychain, and
/// the account that it belongs to.
async fn token(till: &Till, typed: &SecretString, saved: Option<(&str, &Fingerprint)>) -> Option<SecretString> {
    if given(typed) {
        return Some(typed.clone());
    }
    let (account, own) = saved?;
    let kept = till.vault.read(account).await.ok().flatten()?;
    bound::unbind(kept, Some(own.as_str())).ok()
}

/// The parts of a connection that identify its account, as far as they are about to change.
struct Claim<'a> {
    address: &'a Address,
    developer: Option<&'a str>,
    agent_token: Option<&'a SecretString>,
}

/// The area in which another connection already uses the same account; `None` if there is none. Two such connections
/// would each mistake the other's moves for somebody else's, or for its own.
///
/// A token that the keychain does not return now is not compared.
async fn taken(till: &Till, id: &str, claim: Claim<'_>) -> Result<Option<TokenArea>, CommandError> {
    for other in till.store.connections()?.into_iter().filter(|other| other.id != id) {
        let there = Address::parse(&other.base_url, &other.static_prefix, &other.agent_prefix);
        if !there.is_ok_and(|there| there.same_origin(claim.address)) {
            continue;
        }
        if other.has_static_token && claim.developer.is_some_and(|developer| developer == other.user_id) {
            return Ok(Some(TokenArea::Static));
        }
        let Some(agent_token) = claim.agent_token else { continue };
        let ([_, account], own) = (token_accounts(&other.id), other.fingerprints()?);
        let theirs = token(till, &SecretString::default(), Some((&account, &own.agent_area))).await;
        if theirs.is_some_and(|theirs| theirs.expose_secret().trim() == agent_token.expose_secret()) {
            return Ok(Some(TokenArea::Agent));
        }
    }
    Ok(None)
}

/// Makes a small request in each area that has a token. Saves nothing.
pub async fn test_connection(till: &Till, draft: ConnectionDraft) -> Result<ProbeResults, CommandError> {
    let draft = without_blanks(draft);
    let address = check(&draft)?;
    let before = edited(till, &draft, &address)?;
    let accounts = before.as_ref().map(|saved| token_accounts(&saved.id));
    let own = before.as_ref().map(ConnectionView::fingerprints).transpose()?;
    let saved = accounts.as_ref().zip(own.as_ref());
    let of_static = saved.map(|([account, _], own)| (account.as_str(), &own.static_area));
    let of_agent = saved.map(|([_, account], own)| (account.as_str(), &own.agent_area));
    let static_token = token(till, &draft.static_token, of_static).await;
    let agent_token = token(till, &draft.agent_token, of_agent).await;
    if static_token.is_some() && draft.user_id.trim().is_empty() {
        return Err(CommandError::invalid(field::UserId::Empty));
    }
    let static_area = static_token.map(|token| StaticCredentials { user_id: draft.user_id.trim().into(), token });
    if static_area.is_none() && agent_token.is_none() {
        return Err(CommandError::invalid(field::StaticToken::NoToken));
    }
    let (patience, waits) = (till.patience, till.waits.clone());
    Ok(saved::probe(Account { address, static_area, agent_token }, patience, waits).await)
}

/// Saves a connection, its tokens first.
pub async fn save_connection(till: &Till, draft: ConnectionDraft) -> Result<ConnectionView, CommandError> {
    let draft = without_blanks(draft);
    let address = check(&draft)?;
    let before = edited(till, &draft, &address)?;
    let connection = drafted(&draft, before.as_ref())?;
    let is_elsewhere = before.as_ref().is_none_or(|before| before.is_elsewhere(&connection));
    let had_static_token = before.as_ref().is_some_and(|before| before.has_static_token);
    let pays = connection.has_static_token && (is_elsewhere || !had_static_token);
    let claim = Claim {
        address: &address,
        developer: pays.then_some(connection.user_id.as_str()),
        agent_token: Some(&draft.agent_token).filter(|token| given(token)),
    };
    match taken(till, &connection.id, claim).await? {
        Some(TokenArea::Static) => return Err(CommandError::invalid(field::UserId::Connected)),
        Some(TokenArea::Agent) => return Err(CommandError::invalid(field::AgentToken::Connected)),
        None => {}
    }
    if let Some(before) = before.as_ref().filter(|_| is_elsewhere) {
        // The old key means nothing to another service or account: a repeat there would be a second order.
        let (operations, _) = till.operations(&before.id)?;
        if has_open(&operations)? || operations.may_resend_any()? {
            return Err(CommandError::connection_in_use());
        }
    }
    // Whoever sets the factor knows better than what was learned; the next move shows who is right.
    if let Some(before) = before.as_ref().filter(|old| is_elsewhere || old.gb_factor != connection.gb_factor) {
        till.operations(&before.id)?.0.lessons().forget_learned()?;
    }
    keep_tokens(till, &draft, &connection, before.as_ref()).await?;
    if is_elsewhere {
        till.forget_known(&connection.id);
    }
    if let Some(before) = before.filter(|_| given(&draft.agent_token)) {
        till.operations(&before.id)?.0.lessons().forget_creators()?;
    }
    till.store.save_connection(&connection)?;
    Ok(connection)
}

/// The connection as the form describes it. A field of a token that was left empty keeps the saved one.
fn drafted(draft: &ConnectionDraft, before: Option<&ConnectionView>) -> Result<ConnectionView, CommandError> {
    let had = |tokens: fn(&ConnectionView) -> bool| before.is_some_and(tokens);
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
        gb_factor: draft.gb_factor,
        time_zone: draft.time_zone,
        polarity: draft.polarity,
    };
    if !connection.has_static_token && !connection.has_agent_token {
        return Err(CommandError::invalid(field::StaticToken::NoToken));
    }
    if connection.has_static_token && connection.user_id.is_empty() {
        return Err(CommandError::invalid(field::UserId::Empty));
    }
    Ok(connection)
}

/// Whether a connection has an operation or a bulk that is not resolved.
fn has_open(operations: &Operations) -> Result<bool, CommandError> {
    Ok(!operations.held()?.is_empty() || operations.has_watched()? || operations.bulks().has_open()?)
}

/// Saves the tokens of a connection, before it is listed. If those of a new one cannot all be saved, none stays.
async fn keep_tokens(
    till: &Till,
    draft: &ConnectionDraft,
    connection: &ConnectionView,
    before: Option<&ConnectionView>,
) -> Result<(), CommandError> {
    let accounts = token_accounts(&connection.id);
    let own = connection.fingerprints()?;
    let were = before.map(ConnectionView::fingerprints).transpose()?;
    let kept = [
        (&draft.static_token, &own.static_area, were.as_ref().map(|were| &were.static_area)),
        (&draft.agent_token, &own.agent_area, were.as_ref().map(|were| &were.agent_area)),
    ];
    for (account, (typed, own, was)) in accounts.iter().zip(kept) {
        let whose = Whose { own, was: was.filter(|was| *was != own) };
        if let Err(state) = keep(till, account, typed, connection.session_only, whose).await {
            if before.is_none() {
                for account in &accounts {
                    let _ = till.vault.remove(account).await;
                }
            }
            return Err(CommandError::keychain(state));
        }
    }
    Ok(())
}

/// The area of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum TokenArea {
    /// Static IPs.
    Static,
    /// Traffic and customers.
    Agent,
}

/// A new token, on its way from the page into the vault.
#[derive(Debug, Deserialize, TS)]
pub struct NewToken {
    /// The area that it is for.
    pub area: TokenArea,
    /// The token, as typed.
    #[ts(type = "string")]
    pub token: SecretString,
}

/// Replaces a token of the open connection, for example after it was rotated. Everything else stays, even prices.
pub async fn replace_token(till: &Arc<Till>, new: NewToken) -> Result<Boot, CommandError> {
    let token = &new.token;
    if token.expose_secret().trim().is_empty() {
        return Err(CommandError::invalid(field::TokenNew::Empty));
    }
    let id = till.session().await?.id.clone();
    let connection = till.connection(&id)?;
    let [static_account, agent_account] = token_accounts(&id);
    let is_static = new.area == TokenArea::Static;
    let account = if is_static { static_account } else { agent_account };
    let trimmed = trimmed(token);
    let own = connection.fingerprints()?;
    let own = if is_static { &own.static_area } else { &own.agent_area };
    let claim = Claim {
        address: &Address::parse(&connection.base_url, &connection.static_prefix, &connection.agent_prefix)?,
        developer: (is_static && !connection.has_static_token).then_some(connection.user_id.as_str()),
        agent_token: (!is_static).then_some(&trimmed),
    };
    if taken(till, &id, claim).await?.is_some() {
        return Err(CommandError::invalid(field::TokenNew::Connected));
    }
    let whose = Whose { own, was: None };
    keep(till, &account, &trimmed, connection.session_only, whose).await.map_err(CommandError::keychain)?;
    if !is_static {
        // The new token may belong to another operator.
        till.operations(&id)?.0.lessons().forget_creators()?;
    }
    let has_static_token = is_static || connection.has_static_token;
    let has_agent_token = !is_static || connection.has_agent_token;
    till.store.save_connection(&ConnectionView { has_static_token, has_agent_token, ..connection })?;
    open_connection(till, id).await
}

/// The account that a token belongs to, and the one before the connection was edited.
struct Whose<'a> {
    own: &'a Fingerprint,
    was: Option<&'a Fingerprint>,
}

/// Saves one token where this connection keeps its tokens: in the keychain or in memory.
async fn keep(
    till: &Till,
    account: &str,
    typed: &SecretString,
    session_only: bool,
    whose: Whose<'_>,
) -> Result<(), KeychainState> {
    let vault = &till.vault;
    let saved = match whose.was.filter(|_| !given(typed)) {
        // The account was edited and the token was not: bind the saved token to the new account.
        Some(was) => match vault.read(account).await? {
            Some(kept) => Some(bound::unbind(kept, Some(was.as_str()))?),
            None => None,
        },
        None => given(typed).then(|| typed.clone()),
    };
    let bound = saved.map(|secret| bound::bind(&secret, whose.own.as_str()));
    match (session_only, bound) {
        (true, None) => vault.move_to_session(account).await,
        (false, None) => vault.move_to_keychain(account).await,
        (false, Some(bound)) => vault.save(account, bound).await,
        (true, Some(bound)) => {
            // Without a keychain there is no old entry to remove.
            let _ = vault.remove(account).await;
            vault.keep_for_session(account, bound);
            Ok(())
        }
    }
}

/// Removes a connection that has nothing open, with its secrets. Its journal stays.
pub async fn remove_connection(till: &Till, id: String) -> Result<(), CommandError> {
    let connection = till.connection(&id)?;
    // An order that is not confirmed could no longer be checked.
    let (operations, _) = till.operations(&id)?;
    if has_open(&operations)? {
        return Err(CommandError::connection_in_use());
    }
    // The connection's own tokens go last: if an entry cannot be removed, the connection stays and can be removed
    // again.
    let kept = if connection.session_only { Vec::new() } else { operations.secret_references()? };
    let of_customers = kept.iter().map(|reference| format!("{id}/{reference}"));
    operations.let_anchor_go();
    for account in of_customers.chain([anchor_account(&id)]).chain(token_accounts(&connection.id)) {
        match till.vault.remove(&account).await {
            Err(state) if !connection.session_only && state != KeychainState::Missing => {
                return Err(CommandError::keychain(state));
            }
            _ => {}
        }
    }
    if till.session_if_open().await.is_some_and(|session| session.id == id) {
        till.close_connection().await?;
    }
    till.forget_choices(&id)?;
    till.forget_known(&id);
    let cache = till.folder(&id)?.join(UsageCache::FILE);
    if let Err(error) = spawned(move || database::delete(&cache)).await? {
        tracing::warn!(%error, "the stored usage of a deleted connection stays");
    }
    // The journal's file stays: what was once sent is never forgotten.
    Ok(till.store.remove_connection(&id)?)
}

/// Opens a connection in place of the open one.
pub async fn open_connection(till: &Arc<Till>, id: String) -> Result<Boot, CommandError> {
    let session = till.open_connection(&id).await?;
    following::follow(till, &session);
    state(till).await
}

/// Opens practice in place of the open connection.
pub async fn start_practice(till: &Arc<Till>, (): ()) -> Result<Boot, CommandError> {
    open_connection(till, practice::ID.into()).await
}

/// Opens the first saved connection, or closes practice and shows Welcome.
pub async fn leave_practice(till: &Arc<Till>, (): ()) -> Result<Boot, CommandError> {
    match till.store.connections()?.first() {
        Some(connection) => open_connection(till, connection.id.clone()).await,
        None => {
            till.close_connection().await?;
            state(till).await
        }
    }
}
