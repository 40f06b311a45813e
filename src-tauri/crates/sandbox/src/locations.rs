//! `location/…`: the four levels.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use wire::ids::{CountryCode, CountryId};
use wire::locations::{CitiesQuery, CountriesQuery, StatesQuery};

use crate::body;
use crate::places::{PLACES, matches};
use crate::server::answer;
use crate::world::World;

pub(crate) fn router() -> Router<Arc<World>> {
    Router::new()
        .route("/location/continents", get(continents))
        .route("/location/countries", post(countries))
        .route("/location/states", post(states))
        .route("/location/cities", post(cities))
}

async fn continents(State(world): State<Arc<World>>) -> Response {
    answer(&world, Ok(&PLACES.continents))
}

async fn countries(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    let found = body::optional(&sent).map(|query: CountriesQuery| {
        let on_continent = |id| query.continent_id.as_ref().is_none_or(|wanted| wanted == id);
        let named = |zh: &str, en: &str| matches(query.keyword.as_deref(), zh, en);
        let fits =
            PLACES.countries.iter().filter(move |c| on_continent(&c.continent_id) && named(&c.name_zh, &c.name_en));
        fits.collect::<Vec<_>>()
    });
    answer(&world, found)
}

fn in_country(id: &Option<CountryId>, code: &Option<CountryCode>, of_id: &CountryId, of_code: &CountryCode) -> bool {
    id.as_ref().is_none_or(|wanted| wanted == of_id) && code.as_ref().is_none_or(|wanted| wanted == of_code)
}

async fn states(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    let found = body::optional(&sent).map(|query: StatesQuery| {
        let fits = PLACES.states.iter().filter(|state| {
            in_country(&query.country_id, &query.country_code, &state.country_id, &state.country_code)
                && matches(query.keyword.as_deref(), &state.name_zh, &state.name_en)
        });
        fits.collect::<Vec<_>>()
    });
    answer(&world, found)
}

async fn cities(State(world): State<Arc<World>>, sent: Bytes) -> Response {
    let found = body::optional(&sent).map(|query: CitiesQuery| {
        let fits = PLACES.cities.iter().filter(|city| {
            in_country(&query.country_id, &query.country_code, &city.country_id, &city.country_code)
                && query.state_id.as_ref().is_none_or(|wanted| *wanted == city.state_id)
                && matches(query.keyword.as_deref(), &city.name_zh, &city.name_en)
        });
        fits.collect::<Vec<_>>()
    });
    answer(&world, found)
}
