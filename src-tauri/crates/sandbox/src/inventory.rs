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
use crate::places::{PLACES, matches};
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
    let named = |zh: &str, en: &str| matches(query.keyword.as_deref(), zh, en);
    let counted = query.need_inventory.unwrap_or(true);
    let stock = Stock::read(&world.ledger_lock(), world.seed())?;
    let mut cities: HashMap<&str, Vec<CityStock>> = HashMap::new();
    for city in PLACES.cities.iter().filter(|city| wanted.is_none_or(|code| *code == city.country_code)) {
        cities.entry(city.country_code.as_str()).or_default().push(CityStock {
            city_id: city.city_id.clone(),
            name_zh: city.name_zh.clone(),
            name_en: city.name_en.clone(),
            available: counted.then(|| stock.available(city)),
        });
    }
    let listed = PLACES.countries.iter().filter(|country| wanted.is_none_or(|code| *code == country.country_code));
    let all = listed.map(|country| {
        let mut here = cities.remove(country.country_code.as_str()).unwrap_or_default();
        // A country that is named is told whole, else those of its cities that are named.
        if !named(&country.name_zh, &country.name_en) {
            here.retain(|city| named(&city.name_zh, &city.name_en));
        }
        of_country(country, here)
    });
    Ok(all.filter(|country| !country.cities.is_empty() || named(&country.name_zh, &country.name_en)).collect())
}

fn of_country(country: &Country, cities: Vec<CityStock>) -> CountryStock {
    CountryStock {
        continent_id: country.continent_id.clone(),
        country_id: country.country_id.clone(),
        country_code: country.country_code.clone(),
        name_zh: country.name_zh.clone(),
        name_en: country.name_en.clone(),
        available: cities.iter().map(|city| city.available).sum(),
        cities,
    }
}
