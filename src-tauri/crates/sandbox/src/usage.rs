//! Serves the usage report and the consumption of all customers together.

mod past;
mod statuses;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wire::Day;

pub(crate) use past::{Asked, SCHEMA, Usage, Used, ZONE, wanted};

use crate::paging::{Days, Paging, Wrong};
use crate::random::mix;
use crate::world::World;
use crate::{customers, envelope};

const MB: i64 = 1_000_000;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/open/dynamic/flowReport", get(report))
        .route("/api/agent/getFlowConsumeDetail", get(consumption))
        .route("/api/agent/getNNIFlowConsumeDetail", get(nni))
}

/// Writes MB as a double, with a point: `12.0`, and `1.2E7` from ten million on.
pub(crate) fn mb(micro: i64) -> Box<RawValue> {
    let (sign, all) = (if micro < 0 { "-" } else { "" }, micro.unsigned_abs());
    let digits = format!("{}.{:06}", all / MB.unsigned_abs(), all % MB.unsigned_abs());
    let plain = digits.trim_end_matches('0');
    let plain = if plain.ends_with('.') { format!("{plain}0") } else { plain.to_owned() };
    let text = if all < 10_000_000 * MB.unsigned_abs() { plain } else { exponent(&plain) };
    // Digits, a point, perhaps an E: always valid JSON.
    RawValue::from_string(format!("{sign}{text}")).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn exponent(plain: &str) -> String {
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let (first, rest) = whole.split_at(1);
    let behind = format!("{rest}{fraction}");
    let behind = behind.trim_end_matches('0');
    format!("{first}.{}E{}", if behind.is_empty() { "0" } else { behind }, whole.len() - 1)
}

/// "pageSize default 100, maximum 2000".
const PAGE: usize = 100;
const LARGEST_PAGE: usize = 2000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReportQuery {
    #[serde(default)]
    customer_id: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportRow<'a> {
    report_date: Day,
    customer_id: i64,
    user_name: &'a str,
    upload_flow: Box<RawValue>,
    download_flow: Box<RawValue>,
}

async fn report(
    State(world): State<Arc<World>>,
    Query(query): Query<ReportQuery>,
    Query(paging): Query<Paging>,
    Query(days): Query<Days>,
) -> Response {
    tell_report(&world, &query, &paging, &days).unwrap_or_else(Wrong::respond)
}

fn tell_report(world: &World, query: &ReportQuery, paging: &Paging, days: &Days) -> Result<Response, Wrong> {
    let page = paging.page(PAGE, LARGEST_PAGE)?;
    let (from, to) = days.span()?;
    let only = match query.customer_id.as_deref().unwrap_or_default() {
        "" => None,
        id => Some(customers::at(id.parse().map_err(|_| Wrong("customerId: a number".into()))?).unwrap_or(u32::MAX)),
    };
    let ledger = world.ledger.lock();
    let asked = Asked { page, from, to, only };
    let (now, recharged) = (world.clock.now(), world.recharged(&ledger)?);
    let (total, told) = world.with_usage(&ledger, |usage| usage.report(&recharged, now, &asked))?;
    let names = customers::names(&ledger)?;
    let rows: Vec<ReportRow<'_>> = told
        .iter()
        .map(|(day, row)| ReportRow {
            report_date: *day,
            customer_id: customers::id(row.customer),
            user_name: names.get(row.customer as usize).map_or("", String::as_str),
            upload_flow: mb(row.used.up),
            download_flow: mb(row.used.down),
        })
        .collect();
    Ok(envelope::page(total as i64, rows))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConsumptionRow {
    date: Day,
    upload_flow: Box<RawValue>,
    download_flow: Box<RawValue>,
}

#[derive(Serialize)]
struct NniRow {
    date: Day,
    flow: Box<RawValue>,
}

async fn consumption(State(world): State<Arc<World>>, Query(days): Query<Days>) -> Response {
    let row = |date, used: Used| ConsumptionRow { date, upload_flow: mb(used.up), download_flow: mb(used.down) };
    by_day(&world, &days, row).unwrap_or_else(Wrong::respond)
}

/// The share of traffic on the vendor's own network: a few percent of the total.
async fn nni(State(world): State<Arc<World>>, Query(days): Query<Days>) -> Response {
    let seed = world.seed();
    let part = |date: Day| 20 + (mix(seed, &format!("nni {date}")) % 40) as i64;
    let row = |date, used: Used| NniRow { date, flow: mb(used.part(part(date)).both()) };
    by_day(&world, &days, row).unwrap_or_else(Wrong::respond)
}

/// One row for each past day, oldest first.
fn by_day<T: Serialize>(world: &World, days: &Days, row: impl Fn(Day, Used) -> T) -> Result<Response, Wrong> {
    let (from, to) = days.span()?;
    let ledger = world.ledger.lock();
    let all = world.with_usage(&ledger, |usage| {
        let (begin, end) = usage.span(Day::of(world.clock.now(), ZONE));
        let (first, last) = (from.max(begin), to.min(end));
        (first.days()..=last.days()).map(Day::new).map(|day| row(day, usage.sum_of(day))).collect::<Vec<T>>()
    })?;
    Ok(envelope::agent_data(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_doubles_are() {
        let cases = [
            (0, "0.0"),
            (12_000_000, "12.0"),
            (596_900_000, "596.9"),
            (-5_500_000, "-5.5"),
            (12_000_000_000_000, "1.2E7"),
            (512_000_000_000_000, "5.12E8"),
            (205_587_097_600_000, "2.055870976E8"),
            (9_999_999_990_000, "9999999.99"),
        ];
        for (micro, text) in cases {
            assert_eq!(mb(micro).get(), text);
        }
    }
}
