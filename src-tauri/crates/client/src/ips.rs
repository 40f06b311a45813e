//! `POST /open/staticip/ips/page` and `…/detail`. A deployment without these endpoints answers HTTP 404.

use wire::ids::IpId;
use wire::ips::{IpDetail, IpQuery, IpsPage, IpsQuery};

use crate::call::Call;
use crate::request::Request;

/// Number of rows to ask a page for: no maximum is documented, so fewer may come.
pub const PAGE: u32 = 100;

/// A page, from 1, of every IP that the account has at the vendor.
pub fn page(page_index: u32, page_size: u32) -> Call<IpsPage> {
    let query = IpsQuery { page_index, page_size, criteria: None };
    Call::new(Request::post("/open/staticip/ips/page", &query))
}

/// One IP with its credentials.
pub fn detail(id: &IpId) -> Call<IpDetail> {
    Call::new(Request::post("/open/staticip/ips/detail", &IpQuery { id: id.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_asked_by_number_and_size_and_a_detail_by_id() {
        assert_eq!(page(2, 50).request.body.unwrap(), r#"{"pageIndex":2,"pageSize":50}"#);
        assert_eq!(detail(&IpId::new("7")).request.body.unwrap(), r#"{"id":"7"}"#);
    }
}
