//! `POST /open/staticip/inventory/countries` and `…/cidrs`.

use wire::inventory::{CountryStock, InventoryQuery, SegmentStock, SegmentsQuery};

use crate::call::Call;
use crate::request::Request;

/// IPs in stock by country and city.
pub fn countries(query: &InventoryQuery) -> Call<Vec<CountryStock>> {
    Call::new(Request::post("/open/staticip/inventory/countries", query).large_answer())
}

/// IPs in stock by network segment. A deployment without this endpoint answers HTTP 404.
pub fn segments(query: &SegmentsQuery) -> Call<Vec<SegmentStock>> {
    Call::new(Request::post("/open/staticip/inventory/cidrs", query).large_answer())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::ids::CountryCode;

    #[test]
    fn stock_is_asked_by_country_code() {
        let request =
            countries(&InventoryQuery { country_code: Some(CountryCode::new("DE")), ..Default::default() }).request;
        assert_eq!(request.body.unwrap(), r#"{"countryCode":"DE"}"#);
        assert_eq!(request.path, "/open/staticip/inventory/countries");
    }
}
