//! `inventory/countries`: stock by country and city; `inventory/cidrs`: by segment.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wire::Amount;
use wire::inventory::{CityStock, CountryStock, Direction, InventoryQuery, SegmentField, SegmentSort, SegmentsQuery};
use wire::locations::{City, Country};

use crate::body;
use crate::capabilities::Capability;
use crate::envelope::Refusal;
use crate::places::{PLACES, matches};
use crate::pricing::{self, CURRENCY};
use crate::random::mix;
use crate::server::answer;
use crate::stock::Stock;
use crate::world::World;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new().route("/inventory/countries", post(countries)).route("/inventory/cidrs", post(segments))
}

async fn countries(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::optional(&sent).and_then(|query| in_stock(&world, &query)))
}

/// Not part of the contract.
async fn segments(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    answer(&world, body::required(&sent).and_then(|query| segments_in_stock(&world, &query)))
}

fn segments_in_stock(world: &World, query: &SegmentsQuery) -> Result<Value, Refusal> {
    let stock = Stock::read(&world.ledger.lock(), world.seed())?;
    let here = |city: &&City| {
        city.country_code == query.country_code && query.city_code.as_ref().is_none_or(|id| *id == city.city_id)
    };
    let of_city = |city: &'static City| {
        let found = stock.segments(city).into_iter();
        found.map(move |(cidr, available)| Segment { city, cidr, available })
    };
    let keyword = query.keyword.as_deref().filter(|_| world.offers(Capability::CidrKeyword));
    let fits = |segment: &Segment| {
        let city = segment.city;
        keyword
            .is_none_or(|word| segment.cidr.contains(word.trim()) || matches(Some(word), &city.name_zh, &city.name_en))
    };
    let mut found: Vec<Segment> = PLACES.cities.iter().filter(here).flat_map(of_city).filter(fits).collect();
    // All segments have one price, so an order by price leaves them as they are.
    let sort = query.sort.filter(|_| world.offers(Capability::CidrSort));
    if let Some(SegmentSort { field: SegmentField::Stock, direction }) = sort {
        found.sort_by_key(|segment| if direction == Direction::Desc { -segment.available } else { segment.available });
    }
    let price = pricing::unit(&query.condition, world.price_list());
    Ok(world.shaped("inventory/cidrs", found.iter().map(|segment| segment.told(world.seed(), price)).collect()))
}

struct Segment {
    city: &'static City,
    cidr: String,
    available: i64,
}

impl Segment {
    fn told(&self, seed: u64, price: Option<Decimal>) -> Value {
        let id = mix(seed, &self.cidr) >> 2;
        json!({
            "cidrId": id.to_string(), "cidr": self.cidr, "countryCode": self.city.country_code,
            "cityId": self.city.city_id, "nameZh": self.city.name_zh, "nameEn": self.city.name_en,
            "available": self.available, "unitPrice": price.map(Amount::new), "currency": CURRENCY,
            "ipCount": self.available, "cidrKey": format!("{id:x}"), "availableBitmap": null,
        })
    }
}

fn in_stock(world: &World, query: &InventoryQuery) -> Result<Vec<CountryStock>, Refusal> {
    let wanted = query.country_code.as_ref().filter(|code| code.as_str() != "ALL" && !code.as_str().is_empty());
    let named = |zh: &str, en: &str| matches(query.keyword.as_deref(), zh, en);
    let counted = query.need_inventory.unwrap_or(true);
    let stock = Stock::read(&world.ledger.lock(), world.seed())?;
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
        // If the keyword matches the country, show all its cities, otherwise only those that match.
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
