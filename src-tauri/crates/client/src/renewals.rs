//! `POST /open/staticip/renewals/quote`. A deployment without this endpoint answers HTTP 404.

use wire::ids::IpId;
use wire::renewals::{RenewalPrice, RenewalQuery};

use crate::call::Call;
use crate::request::Request;

/// The price of renewing these IPs for a number of days: 30, 60, 90, 180 or 365. Renews nothing.
pub fn quote(ids: &[IpId], period_days: i64) -> Call<RenewalPrice> {
    let query = RenewalQuery { resource_ids: ids.to_vec(), period_days };
    Call::new(Request::post("/open/staticip/renewals/quote", &query))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_asked_for_ids_and_days() {
        let request = quote(&[IpId::new("2059463641505337345")], 30).request;
        assert_eq!(request.body.unwrap(), r#"{"resourceIds":["2059463641505337345"],"periodDays":30}"#);
        assert_eq!(request.path, "/open/staticip/renewals/quote");
    }
}
