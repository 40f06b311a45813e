//! `GET` and `POST /open/staticip/location/…`.

use wire::locations::{CitiesQuery, City, Continent, CountriesQuery, Country, State, StatesQuery};

use crate::call::Call;
use crate::request::{Area, Request};

/// Every enabled continent.
pub fn continents() -> Call<Vec<Continent>> {
    Call::new(Request::get(Area::Static, "/open/staticip/location/continents"))
}

/// Countries.
pub fn countries(query: &CountriesQuery) -> Call<Vec<Country>> {
    Call::new(Request::post("/open/staticip/location/countries", query).large_answer())
}

/// States or provinces.
pub fn states(query: &StatesQuery) -> Call<Vec<State>> {
    Call::new(Request::post("/open/staticip/location/states", query).large_answer())
}

/// Cities; an empty query asks for all.
pub fn cities(query: &CitiesQuery) -> Call<Vec<City>> {
    Call::new(Request::post("/open/staticip/location/cities", query).large_answer())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Method;
    use wire::ids::{ContinentId, CountryCode, StateId};

    #[test]
    fn each_request_is_the_contracts_to_the_byte() {
        let requests = [
            continents().request,
            countries(&CountriesQuery { continent_id: Some(ContinentId::new("3")), keyword: Some("中".into()) })
                .request,
            states(&StatesQuery { country_code: Some(CountryCode::new("US")), ..StatesQuery::default() }).request,
            cities(&CitiesQuery { state_id: Some(StateId::new("9")), ..CitiesQuery::default() }).request,
            cities(&CitiesQuery::default()).request,
        ];
        let expected = [
            (Method::Get, "continents", None),
            (Method::Post, "countries", Some(r#"{"continentId":"3","keyword":"中"}"#)),
            (Method::Post, "states", Some(r#"{"countryCode":"US"}"#)),
            (Method::Post, "cities", Some(r#"{"stateId":"9"}"#)),
            (Method::Post, "cities", Some("{}")),
        ];
        for (request, (method, last, body)) in requests.iter().zip(expected) {
            assert_eq!(request.method, method);
            assert_eq!(request.path, format!("/open/staticip/location/{last}"));
            assert_eq!(request.body.as_deref(), body);
            assert!(request.query.is_empty());
        }
    }
}
