//! `inventory/countries`: stock by country and city.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use wire::inventory::{CityStock, CountryStock, InventoryQuery};
use wire::locations::Country;

use crate::body;
use crate::envelope::Refusal;
use crate::places::PLACES;
use crate::server::answer;
use crate::stock::Stock;
use crate::world::World;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/inventory/countries", post(countries))
}

async fn countries(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::optional(&sent).and_then(|query| in_stock(&world, &query)))
}

fn in_stock(world: &World, query: &InventoryQuery) -> Result<Vec<CountryStock>, Refusal> {
    let wanted = query.country_code.as_ref().filter(|code| code.as_str() != "ALL" && !code.as_str().is_empty());
    let stock = Stock::read(&world.ledger_lock(), world.seed())?;
    let mut cities: HashMap<&str, Vec<CityStock>> = HashMap::new();
    for city in PLACES.cities.iter().filter(|city| wanted.is_none_or(|code| *code == city.country_code)) {
        cities.entry(city.country_code.as_str()).or_default().push(CityStock {
            city_id: city.city_id.clone(),
            name_zh: city.name_zh.clone(),
            name_en: city.name_en.clone(),
            available: Some(stock.available(city)),
        });
    }
    let listed = PLACES.countries.iter().filter(|country| wanted.is_none_or(|code| *code == country.country_code));
    Ok(listed
        .map(|country| of_country(country, cities.remove(country.country_code.as_str()).unwrap_or_default()))
        .collect())
}

fn of_country(country: &Country, cities: Vec<CityStock>) -> CountryStock {
    CountryStock {
        continent_id: country.continent_id.clone(),
        country_id: country.country_id.clone(),
        country_code: country.country_code.clone(),
        name_zh: country.name_zh.clone(),
        name_en: country.name_en.clone(),
        available: Some(cities.iter().filter_map(|city| city.available).sum()),
        cities,
    }
}
