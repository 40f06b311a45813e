//! `/open/staticip/purchase/…`: options, quote, place-and-pay.

use serde_json::value::RawValue;
use wire::ids::{QuoteId, QuoteVersion};
use wire::purchase::{PlaceAndPayBody, PurchaseOptions, Quote, QuoteBody};

use crate::call::Call;
use crate::request::{Area, Request};

/// The options of a purchase.
pub fn options() -> Call<PurchaseOptions> {
    Call::new(Request::get(Area::Static, "/open/staticip/purchase/options"))
}

/// The price of a configuration. Creates no order.
pub fn quote(config: &RawValue, client_quote_version: Option<&QuoteVersion>) -> Call<Quote> {
    Call::new(Request::post("/open/staticip/purchase/quote", &QuoteBody { config, client_quote_version }))
}

/// Places an order and pays it from the wallet in one step. A bare [`Request`]: only `operations` can send it.
pub fn place_and_pay(quote_id: &QuoteId, quote_version: &QuoteVersion, config: &RawValue, key: &str) -> Request {
    let body = PlaceAndPayBody { quote_id, quote_version, config };
    Request {
        idempotency_key: Some(key.to_owned()),
        ..Request::post("/open/staticip/purchase/orders/place-and-pay", &body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quote_and_order_carry_the_same_bytes_of_the_config() {
        let config = RawValue::from_string(r#"{"days":30,  "sellMode":1}"#.into()).unwrap();
        let asked = quote(&config, None).request;
        let ordered = place_and_pay(&QuoteId::new("7"), &QuoteVersion::new("v1"), &config, "key-1");
        assert_eq!(asked.body.unwrap(), r#"{"config":{"days":30,  "sellMode":1}}"#);
        assert_eq!(ordered.body.unwrap(), r#"{"quoteId":"7","quoteVersion":"v1","config":{"days":30,  "sellMode":1}}"#);
        assert_eq!(ordered.idempotency_key.as_deref(), Some("key-1"));
        assert_eq!(ordered.path, "/open/staticip/purchase/orders/place-and-pay");
    }

    #[test]
    fn a_new_price_for_the_same_basket_names_the_last_version() {
        let config = RawValue::from_string("{}".into()).unwrap();
        let asked = quote(&config, Some(&QuoteVersion::new("v1"))).request;
        assert_eq!(asked.body.unwrap(), r#"{"config":{},"clientQuoteVersion":"v1"}"#);
    }
}
