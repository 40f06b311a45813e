//! `GET /open/dynamic/flowReport`.

use wire::Day;
use wire::customers::Page;
use wire::ids::CustomerId;
use wire::usage::{Readable, UsageRow};

use crate::call::Call;
use crate::request::{Area, Request};

/// "pageSize maximum, flowReport: 2000".
pub const LARGEST_PAGE: u32 = 2000;

/// A page of the report, a filter and a span of days.
#[derive(Clone, Debug)]
pub struct ReportQuery {
    /// From 1.
    pub page: u32,
    /// Rows per page, at most [`LARGEST_PAGE`].
    pub page_size: u32,
    /// `None` means all customers of the agent.
    pub customer_id: Option<CustomerId>,
    /// First day.
    pub from: Option<Day>,
    /// Last day, included.
    pub to: Option<Day>,
}

impl Default for ReportQuery {
    fn default() -> Self {
        Self { page: 1, page_size: LARGEST_PAGE, customer_id: None, from: None, to: None }
    }
}

/// One page of the usage report.
pub fn report(query: &ReportQuery) -> Call<Page<UsageRow>> {
    Call::new(request(query))
}

/// The same page, with `None` for each row that cannot be read. Slower; for pages that hold such a row.
pub fn report_readable(query: &ReportQuery) -> Call<Page<Readable<UsageRow>>> {
    Call::new(request(query))
}

fn request(query: &ReportQuery) -> Request {
    Request::get(Area::Agent, "/open/dynamic/flowReport")
        .query("pageNum", query.page)
        .query("pageSize", query.page_size)
        .maybe("customerId", query.customer_id.as_ref())
        .maybe("startDate", query.from)
        .maybe("endDate", query.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Address;

    #[test]
    fn the_report_is_asked_by_page_customer_and_days() {
        let address = Address::parse("https://v.example", "", "/prod-api").unwrap();
        let all = report(&ReportQuery::default()).request;
        assert_eq!(
            address.url(&all).as_str(),
            "https://v.example/prod-api/open/dynamic/flowReport?pageNum=1&pageSize=2000"
        );
        let one = report(&ReportQuery {
            page: 3,
            page_size: 100,
            customer_id: Some(CustomerId::new("77")),
            from: Some("2026-01-01".parse().unwrap()),
            to: Some("2026-01-31".parse().unwrap()),
        });
        assert_eq!(
            address.url(&one.request).query(),
            Some("pageNum=3&pageSize=100&customerId=77&startDate=2026-01-01&endDate=2026-01-31")
        );
    }
}
