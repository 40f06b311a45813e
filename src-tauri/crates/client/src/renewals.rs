//! `/open/staticip/renewals/…`: quote, place-and-pay. A deployment without these endpoints answers HTTP 404.

use wire::ids::IpId;
use wire::renewals::{RenewalPrice, RenewalQuery};

use crate::call::Call;
use crate::request::Request;

/// The price of renewing these IPs for a number of days: 30, 60, 90, 180 or 365. Renews nothing.
pub fn quote(ids: &[IpId], period_days: i64) -> Call<RenewalPrice> {
    let query = RenewalQuery { resource_ids: ids.to_vec(), period_days };
    Call::new(Request::post("/open/staticip/renewals/quote", &query))
}

/// Renews and pays from the wallet in one step. A bare [`Request`]: only `operations` can send it.
pub fn place_and_pay(ids: &[IpId], period_days: i64, key: &str) -> Request {
    let query = RenewalQuery { resource_ids: ids.to_vec(), period_days };
    Request {
        idempotency_key: Some(key.to_owned()),
        ..Request::post("/open/staticip/renewals/orders/place-and-pay", &query)
    }
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

    #[test]
    fn a_renewal_is_paid_with_the_body_of_its_price_and_a_key() {
        let ids = [IpId::new("7"), IpId::new("8")];
        let paid = place_and_pay(&ids, 90, "key-1");
        assert_eq!(paid.body, quote(&ids, 90).request.body);
        assert_eq!(paid.idempotency_key.as_deref(), Some("key-1"));
        assert_eq!(paid.path, "/open/staticip/renewals/orders/place-and-pay");
    }
}
