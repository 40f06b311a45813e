//! Serves the endpoints that change customers: `addUser`, `updatePwd`, `changeStatus`.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::paging::Wrong;
use crate::world::World;
use crate::{customers, envelope};

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS account (
        at INTEGER PRIMARY KEY, token TEXT, created INTEGER, active INTEGER NOT NULL DEFAULT 1) STRICT;
    CREATE TABLE IF NOT EXISTS password_set (
        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, hash TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS status_set (
        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, active INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
";

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/api/agent/addUser", get(create))
        .route("/api/agent/updatePwd", get(set_password))
        .route("/api/agent/changeStatus", get(set_status))
}

/// Names at this host belong to another agent's customers: 202.
pub const TAKEN: &str = "@taken.example";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Asked {
    user_name: String,
    customer_id: String,
    password: String,
    customer_state: String,
}

async fn create(State(world): State<Arc<World>>, Query(asked): Query<Asked>) -> Response {
    add(&world, &asked.user_name).unwrap_or_else(|wrong| envelope::agent_said(500, &wrong.0))
}

/// "userName: account name in e-mail format".
fn add(world: &World, name: &str) -> Result<Response, Wrong> {
    if !is_email(name) {
        return Err(Wrong("userName: an e-mail address".into()));
    }
    let mut ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let transaction = ledger.transaction()?;
    let known = "SELECT 1 FROM customer WHERE lower(user_name) = lower(?1)";
    if transaction.query_row(known, [name], |_| Ok(())).optional()?.is_some() {
        return Ok(envelope::agent_said(201, "用户名已存在，且为您的渠道客户"));
    }
    if name.to_lowercase().ends_with(TAKEN) {
        return Ok(envelope::agent_said(202, "用户名已存在，且不是您的渠道客户"));
    }
    let at = customers::add(&transaction, name)?;
    let (token, password) = (uuid::Uuid::new_v4().simple().to_string(), uuid::Uuid::new_v4().simple().to_string());
    let now = world.clock.now();
    transaction.execute("INSERT INTO account VALUES (?1, ?2, ?3, 1)", params![at, hash(&token), now])?;
    transaction.commit()?;
    let data = json!({"code": 200, "msg": "操作成功", "customerId": customers::id(at), "Token": token, "password": &password[..12]});
    Ok(envelope::agent_object(&data))
}

fn is_email(name: &str) -> bool {
    let Some((before, host)) = name.split_once('@') else { return false };
    let plain = |c: char| c.is_ascii_graphic() && c != '@';
    !before.is_empty() && host.contains('.') && name.chars().all(|c| c == '@' || plain(c)) && !host.contains('@')
}

async fn set_password(State(world): State<Arc<World>>, Query(asked): Query<Asked>) -> Response {
    tell(change_password(&world, &asked))
}

async fn set_status(State(world): State<Arc<World>>, Query(asked): Query<Asked>) -> Response {
    tell(change_status(&world, &asked))
}

enum Changed {
    Done,
    Refused,
    NotOurs,
}

fn tell(changed: Result<Changed, Wrong>) -> Response {
    match changed {
        Ok(Changed::Done) => envelope::agent_said(200, "操作成功"),
        // "stated as name exists, customer of the caller's channel": a refusal, whatever its text says.
        Ok(Changed::Refused) => envelope::agent_said(201, "用户名已存在，且为您的渠道客户"),
        Ok(Changed::NotOurs) => envelope::agent_said(204, "该客户不是您的渠道客户"),
        Err(wrong) => envelope::agent_said(500, &wrong.0),
    }
}

fn change_password(world: &World, asked: &Asked) -> Result<Changed, Wrong> {
    let ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let Some(at) = of(&ledger, asked)? else { return Ok(Changed::NotOurs) };
    if asked.password.len() < 6 || !asked.password.chars().all(|c| c.is_ascii_graphic() && c != ':') {
        return Ok(Changed::Refused);
    }
    let set = "INSERT INTO password_set (at, hash, created) VALUES (?1, ?2, ?3)";
    ledger.execute(set, params![at, hash(&asked.password), world.clock.now()])?;
    Ok(Changed::Done)
}

fn change_status(world: &World, asked: &Asked) -> Result<Changed, Wrong> {
    let ledger = world.ledger.lock();
    world.catch_up(&ledger)?;
    let Some(at) = of(&ledger, asked)? else { return Ok(Changed::NotOurs) };
    let wanted = match asked.customer_state.as_str() {
        "1" => true,
        "0" => false,
        _ => return Err(Wrong("customerState: 0 or 1".into())),
    };
    let active = wanted != world.is_turned_round();
    let upsert = "INSERT INTO account (at, active) VALUES (?1, ?2) ON CONFLICT (at) DO UPDATE SET active = ?2";
    ledger.execute(upsert, params![at, active])?;
    let set = "INSERT INTO status_set (at, active, created) VALUES (?1, ?2, ?3)";
    ledger.execute(set, params![at, active, world.clock.now()])?;
    Ok(Changed::Done)
}

fn of(ledger: &Connection, asked: &Asked) -> Result<Option<u32>, Wrong> {
    if asked.customer_id.is_empty() {
        return Err(Wrong("customerId: missing".into()));
    }
    let Some(at) = asked.customer_id.parse().ok().and_then(customers::at) else { return Ok(None) };
    Ok(customers::find(ledger, at)?.map(|_| at))
}

/// The form in which the ledger stores a secret.
fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret))
}

/// A customer that was created or changed by a request, as it is in the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LedgerAccount {
    /// The customer's id.
    pub customer_id: i64,
    /// User name.
    pub user_name: String,
    /// Created by `addUser`, not from the seed.
    pub created: bool,
    /// SHA-256 of the customer's Token, in hex.
    pub token_hash: Option<String>,
    /// Whether the customer may use its proxies.
    pub active: bool,
    /// SHA-256 of each password that was set, in hex, oldest first.
    pub password_hashes: Vec<String>,
    /// Each status that was set, oldest first; `true` is active.
    pub statuses: Vec<bool>,
}

/// Every customer that was created or changed, by id.
pub(crate) fn changed(ledger: &Connection) -> rusqlite::Result<Vec<LedgerAccount>> {
    let mut query = ledger.prepare(
        "SELECT customer.at, user_name, created, token, coalesce(active, 1) FROM customer LEFT JOIN account ON account.at = customer.at
         WHERE account.at IS NOT NULL OR EXISTS (SELECT 1 FROM password_set WHERE password_set.at = customer.at) ORDER BY customer.at",
    )?;
    let rows = query.query_map([], |row| {
        let at: u32 = row.get(0)?;
        let created: Option<i64> = row.get(2)?;
        Ok(LedgerAccount {
            customer_id: customers::id(at),
            user_name: row.get(1)?,
            created: created.is_some(),
            token_hash: row.get(3)?,
            active: row.get(4)?,
            password_hashes: column(ledger, "SELECT hash FROM password_set WHERE at = ?1 ORDER BY number", at)?,
            statuses: column(ledger, "SELECT active FROM status_set WHERE at = ?1 ORDER BY number", at)?,
        })
    })?;
    rows.collect()
}

fn column<T: rusqlite::types::FromSql>(ledger: &Connection, query: &str, at: u32) -> rusqlite::Result<Vec<T>> {
    ledger.prepare_cached(query)?.query_map([at], |row| row.get(0))?.collect()
}
