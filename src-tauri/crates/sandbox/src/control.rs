//! `/_control/…`: levers for tests and demos. Served only when the service was started with control.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use wire::Amount;

use crate::capabilities::Capability;
use crate::faults::FaultRule;
use crate::ledger::Ledger;
use crate::world::World;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/ledger", get(ledger))
        .route("/wallet", post(wallet))
        .route("/clock", post(clock))
        .route("/reset", post(reset))
        .route("/prices", post(prices))
        .route("/capabilities", post(capabilities))
        .route("/snapshot", post(snapshot))
        .route("/restore", post(restore))
        .route("/faults", post(add_fault).delete(clear_faults))
}

type Done = Result<StatusCode, (StatusCode, String)>;

fn failed(error: rusqlite::Error) -> (StatusCode, String) {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

async fn ledger(State(world): State<Arc<World>>) -> Result<Json<Ledger>, (StatusCode, String)> {
    world.ledger().map(Json).map_err(failed)
}

#[derive(Deserialize)]
struct Wallet {
    amount: Amount,
}

async fn wallet(State(world): State<Arc<World>>, Json(wanted): Json<Wallet>) -> Done {
    world.set_wallet(wanted.amount).map(|()| StatusCode::NO_CONTENT).map_err(failed)
}

#[derive(Deserialize)]
struct ClockChange {
    #[serde(default)]
    advance_ms: i64,
    set: Option<i64>,
}

async fn clock(State(world): State<Arc<World>>, Json(change): Json<ClockChange>) -> StatusCode {
    if let Some(millis) = change.set {
        world.clock.set(millis);
    }
    world.clock.advance(change.advance_ms);
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
struct Seed {
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

async fn reset(State(world): State<Arc<World>>, Json(wanted): Json<Seed>) -> Done {
    world.reset(wanted.seed).map(|()| StatusCode::NO_CONTENT).map_err(failed)
}

#[derive(Deserialize)]
struct Prices {
    percent: u32,
}

async fn prices(State(world): State<Arc<World>>, Json(wanted): Json<Prices>) -> StatusCode {
    world.set_prices(wanted.percent);
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
struct Capabilities {
    #[serde(default)]
    without: Vec<Capability>,
}

async fn capabilities(State(world): State<Arc<World>>, Json(wanted): Json<Capabilities>) -> StatusCode {
    world.offer_all_but(wanted.without);
    StatusCode::NO_CONTENT
}

async fn snapshot(State(world): State<Arc<World>>) -> Done {
    world.snapshot().map(|()| StatusCode::NO_CONTENT).map_err(failed)
}

async fn restore(State(world): State<Arc<World>>) -> Done {
    match world.restore().map_err(failed)? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err((StatusCode::CONFLICT, "nothing was kept: /_control/snapshot first".into())),
    }
}

async fn add_fault(State(world): State<Arc<World>>, Json(rule): Json<FaultRule>) -> StatusCode {
    world.add_fault(rule);
    StatusCode::NO_CONTENT
}

async fn clear_faults(State(world): State<Arc<World>>) -> StatusCode {
    world.clear_faults();
    StatusCode::NO_CONTENT
}
