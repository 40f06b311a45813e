//! The four levels of places: from the dictionary kept here, from the vendor until it is there.

use catalog::Hit;
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
    match session.places.kept().await {
        Some(catalog) => Ok(catalog.dictionary().continents.clone()),
        None => Ok(session.client.call(client::locations::continents()).await?.data),
    }
}

pub(crate) async fn list_countries(context: &Context, of: CountriesOf) -> Result<Vec<Country>, CommandError> {
    let session = context.app.session().await?;
    if let Some(catalog) = session.places.kept().await {
        return Ok(catalog.countries_of(of.continent_id.as_ref()).into_iter().cloned().collect());
    }
    let query = CountriesQuery { continent_id: of.continent_id, keyword: None };
    Ok(session.client.call(client::locations::countries(&query)).await?.data)
}

pub(crate) async fn list_states(context: &Context, of: PlacesOf) -> Result<Vec<State>, CommandError> {
    let session = context.app.session().await?;
    if let Some(catalog) = session.places.kept().await {
        return Ok(catalog.states_of(&of.country_code).into_iter().cloned().collect());
    }
    let query = StatesQuery { country_code: Some(of.country_code), ..StatesQuery::default() };
    Ok(session.client.call(client::locations::states(&query)).await?.data)
}

pub(crate) async fn list_cities(context: &Context, of: PlacesOf) -> Result<Vec<City>, CommandError> {
    let session = context.app.session().await?;
    if let Some(catalog) = session.places.kept().await {
        return Ok(catalog.cities_of(&of.country_code, of.state_id.as_ref()).into_iter().cloned().collect());
    }
    let query = match of.state_id {
        Some(state) => CitiesQuery { state_id: Some(state), ..CitiesQuery::default() },
        None => CitiesQuery { country_code: Some(of.country_code), ..CitiesQuery::default() },
    };
    Ok(session.client.call(client::locations::cities(&query)).await?.data)
}

/// Rows of a list that is shown while typing.
const SHOWN: usize = 50;

/// The best matches of the dictionary, best first.
pub(crate) async fn search_places(context: &Context, text: String) -> Result<Vec<Hit>, CommandError> {
    let session = context.app.session().await?;
    let catalog = session.places.get(&session.client).await?;
    Ok(catalog.search(&text, SHOWN, &session.places.stock()))
}

/// The vendor's own search, for what the dictionary here does not have (yet). What it finds joins the
/// dictionary, so that the pickers know it too.
pub(crate) async fn search_vendor_places(context: &Context, keyword: String) -> Result<Vec<Hit>, CommandError> {
    let session = context.app.session().await?;
    let found = session.places.search_at_vendor(&session.client, keyword.trim()).await?;
    Ok(found)
}

/// Reads every place from the vendor again. Returns how many cities there are.
pub(crate) async fn refresh_places(context: &Context, (): ()) -> Result<usize, CommandError> {
    let session = context.app.session().await?;
    let catalog = session.places.refresh(&session.client).await?;
    Ok(catalog.dictionary().cities.len())
}
