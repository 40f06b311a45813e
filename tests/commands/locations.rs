//! Places: listed, searched, refreshed.

use serde_json::{Value, json};
use tests::agent::{Agent, page};
use tests::service::requests;
use till::locations::{
    list_cities, list_continents, list_countries, list_states, place_names, refresh_places, search_places,
    search_vendor_places,
};

fn of(country: &str, state: Value) -> Value {
    json!({ "countryCode": country, "stateId": state })
}

#[tokio::test]
async fn each_level_lists_what_lies_in_the_one_above() {
    let agent = Agent::connected().await;
    let continents = list_continents(&agent.till, ()).await.expect("continents");
    let all = list_countries(&agent.till, page(json!({ "continentId": null }))).await.expect("countries");
    let asked = json!({ "continentId": continents[0].continent_id });
    let some = list_countries(&agent.till, page(asked)).await.expect("countries");
    assert!(!some.is_empty() && some.len() < all.len());
    assert!(some.iter().all(|country| country.continent_id == continents[0].continent_id));
    let states = list_states(&agent.till, page(of("US", Value::Null))).await.expect("states");
    let cities = list_cities(&agent.till, page(of("US", Value::Null))).await.expect("cities");
    let state = &states[0].state_id;
    let inside = list_cities(&agent.till, page(of("US", json!(state)))).await.expect("cities");
    assert!(inside.len() < cities.len() && inside.iter().all(|city| city.state_id == *state));
}

#[tokio::test]
async fn names_are_those_of_the_dictionary_and_no_request() {
    let agent = Agent::connected().await;
    refresh_places(&agent.till, ()).await.expect("places");
    let asked = requests(&agent.service, "cities");
    let countries = json!({ "continents": [], "countries": ["JP", "none"], "cities": [] });
    let named = place_names(&agent.till, page(countries)).await.expect("names");
    assert_eq!(named.countries.iter().map(|one| one.name_en.as_str()).collect::<Vec<_>>(), ["Japan"]);
    let city = list_cities(&agent.till, page(of("JP", Value::Null))).await.expect("cities").swap_remove(0);
    let cities = json!({ "continents": [], "countries": [], "cities": [city.city_id] });
    assert_eq!(place_names(&agent.till, page(cities)).await.expect("names").cities, [city]);
    assert_eq!(requests(&agent.service, "cities"), asked, "the vendor was not asked");
}

#[tokio::test]
async fn places_are_found_by_both_names_and_kept_for_the_next_time() {
    let agent = Agent::connected().await;
    let best = |hits: Vec<catalog::Hit>| hits.first().map(|hit| hit.country_code.to_string());
    assert_eq!(best(search_places(&agent.till, "japan".into()).await.expect("hits")).as_deref(), Some("JP"));
    assert_eq!(best(search_places(&agent.till, "日本".into()).await.expect("hits")).as_deref(), Some("JP"));
    assert!(search_places(&agent.till, "qqqqqq".into()).await.expect("hits").is_empty());
    let before = requests(&agent.service, "cities");
    search_places(&agent.till, "osaka".into()).await.expect("hits");
    assert_eq!(requests(&agent.service, "cities"), before, "typing asks for nothing");
}

#[tokio::test]
async fn the_vendors_own_search_and_a_refresh_ask_the_vendor() {
    let agent = Agent::connected().await;
    let cities = refresh_places(&agent.till, ()).await.expect("they are read");
    assert!(cities > 0);
    let before = requests(&agent.service, "countries");
    let found = search_vendor_places(&agent.till, " Japan ".into()).await.expect("hits");
    assert!(found.iter().any(|hit| hit.country_code.as_str() == "JP"), "{} hits", found.len());
    assert_eq!(requests(&agent.service, "countries"), before + 1);
}
