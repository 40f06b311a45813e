//! `/open/customer/list`: the agent's customers, made from the seed.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::envelope;
use crate::random::mix;
use crate::world::World;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/open/customer/list", get(list))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListQuery {
    #[serde(default = "first")]
    page_num: String,
    #[serde(default = "ten")]
    page_size: String,
    #[serde(default)]
    user_name: String,
}

fn first() -> String {
    "1".into()
}

fn ten() -> String {
    "10".into()
}

const NAMES: [&str; 12] = ["ali", "bob", "chen", "dina", "emil", "fang", "gita", "hugo", "ines", "jun", "kofi", "lena"];
const LARGEST_PAGE: usize = 1000;

async fn list(State(world): State<Arc<World>>, Query(query): Query<ListQuery>) -> Response {
    let wrong = |field: &str| {
        envelope::agent_wrapper(StatusCode::OK, 500, &format!("{field}: a whole number from 1"), Value::Null)
    };
    let Some(page) = query.page_num.parse::<usize>().ok().filter(|page| *page > 0) else { return wrong("pageNum") };
    let Some(size) = query.page_size.parse::<usize>().ok().filter(|size| *size > 0) else { return wrong("pageSize") };
    let size = size.min(LARGEST_PAGE);
    let all = (0..world.options.customers).map(|at| customer(world.seed(), at));
    let fits: Vec<Value> = all.filter(|row| name(row).contains(query.user_name.trim())).collect();
    let total = fits.len() as i64;
    let rows: Vec<Value> = fits.into_iter().skip((page - 1).saturating_mul(size)).take(size).collect();
    envelope::page(total, Value::Array(rows))
}

fn name(row: &Value) -> &str {
    row["userName"].as_str().unwrap_or_default()
}

fn customer(seed: u64, at: u32) -> Value {
    let dice = mix(seed, &format!("customer {at}"));
    let name = format!("{}{}@example.com", NAMES[dice as usize % NAMES.len()], at + 1);
    let recharged_gb = 5 + (dice >> 16) % 500;
    let used_mb = (recharged_gb * 1024) * ((dice >> 32) % 1000) / 1000;
    let mb = |value: u64| RawValue::from_string(format!("{value}.0")).ok();
    json!({
        "trafficCount": mb(recharged_gb * 1024), "residualFlow": mb(recharged_gb * 1024 - used_mb),
        "customerId": 100_000 + at, "userName": name,
    })
}
