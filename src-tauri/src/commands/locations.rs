//! The four levels of places, as the vendor lists them.

use serde::Deserialize;
use ts_rs::TS;
use wire::ids::{ContinentId, CountryCode, StateId};
use wire::locations::{CitiesQuery, City, Continent, CountriesQuery, Country, State, StatesQuery};

use super::Context;
use crate::error::CommandError;

/// Countries of one continent, or all.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CountriesOf {
    /// `None` asks for all.
    pub continent_id: Option<ContinentId>,
}

/// States or cities of a country, or of one of its states.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlacesOf {
    /// The country.
    pub country_code: CountryCode,
    /// Only this state.
    pub state_id: Option<StateId>,
}

pub(crate) async fn list_continents(context: &Context, (): ()) -> Result<Vec<Continent>, CommandError> {
    let session = context.app.session().await?;
    Ok(session.client.call(client::locations::continents()).await?.data)
}

pub(crate) async fn list_countries(context: &Context, of: CountriesOf) -> Result<Vec<Country>, CommandError> {
    let session = context.app.session().await?;
    let query = CountriesQuery { continent_id: of.continent_id, keyword: None };
    Ok(session.client.call(client::locations::countries(&query)).await?.data)
}

pub(crate) async fn list_states(context: &Context, of: PlacesOf) -> Result<Vec<State>, CommandError> {
    let session = context.app.session().await?;
    let query = StatesQuery { country_code: Some(of.country_code), ..StatesQuery::default() };
    Ok(session.client.call(client::locations::states(&query)).await?.data)
}

pub(crate) async fn list_cities(context: &Context, of: PlacesOf) -> Result<Vec<City>, CommandError> {
    let session = context.app.session().await?;
    let query = match of.state_id {
        Some(state) => CitiesQuery { state_id: Some(state), ..CitiesQuery::default() },
        None => CitiesQuery { country_code: Some(of.country_code), ..CitiesQuery::default() },
    };
    Ok(session.client.call(client::locations::cities(&query)).await?.data)
}
