//! `/open/dynamic/…` records and `/api/agent/…` totals, consumption, recharge, deduction.

use wire::Day;
use wire::customers::Page;
use wire::ids::CustomerId;
use wire::traffic::{ConsumptionDay, NniDay, TrafficRecord, TrafficTotals};

use crate::call::Call;
use crate::request::{Area, Request};

/// `type` of `myRechargeFlowList`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordType {
    /// 0: traffic given.
    #[default]
    Recharge,
    /// 1: traffic used or taken back; the rows are negative.
    Consumption,
}

/// A page of the records, a filter and a span of days.
#[derive(Clone, Debug)]
pub struct RecordsQuery {
    /// From 1.
    pub page: u32,
    /// Rows per page; the contract states no maximum.
    pub page_size: u32,
    /// Filter by account: the target of given records, the source of received ones.
    pub account: Option<String>,
    /// First day.
    pub from: Option<Day>,
    /// Last day, included.
    pub to: Option<Day>,
}

impl Default for RecordsQuery {
    fn default() -> Self {
        Self { page: 1, page_size: 100, account: None, from: None, to: None }
    }
}

fn records(path: &str, query: &RecordsQuery) -> Request {
    Request::get(Area::Agent, path)
        .query("pageNum", query.page)
        .query("pageSize", query.page_size)
        .maybe("account", query.account.as_ref())
        .maybe("startDate", query.from)
        .maybe("endDate", query.to)
}

/// Records that the caller gave.
pub fn records_given(kind: RecordType, query: &RecordsQuery) -> Call<Page<TrafficRecord>> {
    let kind = match kind {
        RecordType::Recharge => 0,
        RecordType::Consumption => 1,
    };
    Call::new(records("/open/dynamic/myRechargeFlowList", query).query("type", kind))
}

/// Records in which the caller is the recipient. This list takes no type.
pub fn records_received(query: &RecordsQuery) -> Call<Page<TrafficRecord>> {
    Call::new(records("/open/dynamic/rechargeFlowListForMe", query))
}

/// Traffic recharged, consumed and left on both accounts.
pub fn totals() -> Call<TrafficTotals> {
    Call::new(Request::get(Area::Agent, "/api/agent/getFlowTotalFull"))
}

fn days(path: &str, from: Option<Day>, to: Option<Day>) -> Request {
    Request::get(Area::Agent, path).maybe("startDate", from).maybe("endDate", to)
}

/// General consumption by day, both days included.
pub fn consumption(from: Option<Day>, to: Option<Day>) -> Call<Vec<ConsumptionDay>> {
    Call::new(days("/api/agent/getFlowConsumeDetail", from, to))
}

/// NNI consumption by day, both days included.
pub fn nni_consumption(from: Option<Day>, to: Option<Day>) -> Call<Vec<NniDay>> {
    Call::new(days("/api/agent/getNNIFlowConsumeDetail", from, to))
}

/// Gives a customer traffic. `gb` is plain decimal text, in GB. A bare [`Request`]: only `operations` can send
/// it. The vendor carries out an order id once.
pub fn recharge(customer: &CustomerId, order_id: &str, gb: &str) -> Request {
    Request::get(Area::Agent, "/api/agent/rechargeTrafficCount")
        .query("customerId", customer)
        .query("orderId", order_id)
        .query("trafficCount", gb)
}

/// Takes traffic back. `gb` is plain decimal text, in GB. Nothing protects this from being done twice.
pub fn deduct(customer: &CustomerId, gb: &str) -> Request {
    Request::get(Area::Agent, "/api/agent/deductionFlow").query("customerId", customer).query("trafficCount", gb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Address;

    fn url(request: &Request) -> String {
        Address::parse("https://v.example", "/api", "/prod-api").unwrap().url(request).to_string()
    }

    #[test]
    fn every_request_of_the_area_is_built_to_the_byte() {
        let day = |text: &str| Some(text.parse().unwrap());
        let query = RecordsQuery {
            page: 2,
            page_size: 50,
            account: Some("a+b@x.com".into()),
            from: day("2026-01-01"),
            to: day("2026-01-31"),
        };
        let span = "startDate=2026-01-01&endDate=2026-01-31";
        let cases = [
            (
                records_given(RecordType::Consumption, &query).request,
                format!("open/dynamic/myRechargeFlowList?pageNum=2&pageSize=50&account=a%2Bb%40x.com&{span}&type=1"),
            ),
            (
                records_given(RecordType::Recharge, &RecordsQuery::default()).request,
                "open/dynamic/myRechargeFlowList?pageNum=1&pageSize=100&type=0".into(),
            ),
            (
                records_received(&query).request,
                format!("open/dynamic/rechargeFlowListForMe?pageNum=2&pageSize=50&account=a%2Bb%40x.com&{span}"),
            ),
            (totals().request, "api/agent/getFlowTotalFull".into()),
            (consumption(query.from, query.to).request, format!("api/agent/getFlowConsumeDetail?{span}")),
            (nni_consumption(None, query.to).request, "api/agent/getNNIFlowConsumeDetail?endDate=2026-01-31".into()),
            (
                recharge(&CustomerId::new("100001"), "o-1", "0.5"),
                "api/agent/rechargeTrafficCount?customerId=100001&orderId=o-1&trafficCount=0.5".into(),
            ),
            (
                deduct(&CustomerId::new("100001"), "12"),
                "api/agent/deductionFlow?customerId=100001&trafficCount=12".into(),
            ),
        ];
        for (request, expected) in cases {
            assert_eq!(url(&request), format!("https://v.example/prod-api/{expected}"));
        }
    }
}
