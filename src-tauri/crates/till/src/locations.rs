//! The four levels of places: from the dictionary stored here; from the vendor until there is one.

mod places;

use catalog::Hit;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::{CityId, ContinentId, CountryCode, StateId};
use wire::locations::{CitiesQuery, City, Continent, CountriesQuery, Country, State, StatesQuery};

use crate::Till;
use crate::error::CommandError;

pub(crate) use places::Places;

/// Countries of one continent, or all.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CountriesOf {
    /// The continent; `None` for all.
    pub continent_id: Option<ContinentId>,
}

/// States or cities of a country, or of one of its states.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlacesOf {
    /// The country.
    pub country_code: CountryCode,
    /// The state; `None` for all.
    pub state_id: Option<StateId>,
}

/// Places whose names are wanted.
#[derive(Debug, Deserialize, TS)]
pub struct Unnamed {
    /// Continents.
    pub continents: Vec<ContinentId>,
    /// Countries.
    pub countries: Vec<CountryCode>,
    /// Cities.
    pub cities: Vec<CityId>,
}

/// Places with their names.
#[derive(Debug, Default, Serialize, TS)]
pub struct NamedPlaces {
    /// Continents.
    pub continents: Vec<Continent>,
    /// Countries.
    pub countries: Vec<Country>,
    /// Cities.
    pub cities: Vec<City>,
    /// Whether there is a dictionary, so that a place without a name is not one of the vendor's.
    pub complete: bool,
}

/// Returns the places that the dictionary knows. Does not ask the vendor.
pub async fn place_names(till: &Till, of: Unnamed) -> Result<NamedPlaces, CommandError> {
    let session = till.session().await?;
    let Some(catalog) = session.places.kept().await else { return Ok(NamedPlaces::default()) };
    let known = catalog.dictionary();
    Ok(NamedPlaces {
        continents: known.continents.iter().filter(|one| of.continents.contains(&one.continent_id)).cloned().collect(),
        countries: known.countries.iter().filter(|one| of.countries.contains(&one.country_code)).cloned().collect(),
        cities: known.cities.iter().filter(|one| of.cities.contains(&one.city_id)).cloned().collect(),
        complete: true,
    })
}

/// Lists the continents.
pub async fn list_continents(till: &Till, (): ()) -> Result<Vec<Continent>, CommandError> {
    let session = till.session().await?;
    match session.places.kept().await {
        Some(catalog) => Ok(catalog.dictionary().continents.clone()),
        None => Ok(session.client.call(client::locations::continents()).await?.data),
    }
}

/// Lists the countries of one continent, or all.
pub async fn list_countries(till: &Till, of: CountriesOf) -> Result<Vec<Country>, CommandError> {
    let session = till.session().await?;
    if let Some(catalog) = session.places.kept().await {
        return Ok(catalog.countries_of(of.continent_id.as_ref()).into_iter().cloned().collect());
    }
    let query = CountriesQuery { continent_id: of.continent_id, keyword: None };
    Ok(session.client.call(client::locations::countries(&query)).await?.data)
}

/// Lists the states of a country.
pub async fn list_states(till: &Till, of: PlacesOf) -> Result<Vec<State>, CommandError> {
    let session = till.session().await?;
    if let Some(catalog) = session.places.kept().await {
        return Ok(catalog.states_of(&of.country_code).into_iter().cloned().collect());
    }
    let query = StatesQuery { country_code: Some(of.country_code), ..StatesQuery::default() };
    Ok(session.client.call(client::locations::states(&query)).await?.data)
}

/// Lists the cities of a country or of one of its states.
pub async fn list_cities(till: &Till, of: PlacesOf) -> Result<Vec<City>, CommandError> {
    let session = till.session().await?;
    if let Some(catalog) = session.places.kept().await {
        return Ok(catalog.cities_of(&of.country_code, of.state_id.as_ref()).into_iter().cloned().collect());
    }
    let query = match of.state_id {
        Some(state) => CitiesQuery { state_id: Some(state), ..CitiesQuery::default() },
        None => CitiesQuery { country_code: Some(of.country_code), ..CitiesQuery::default() },
    };
    Ok(session.client.call(client::locations::cities(&query)).await?.data)
}

/// The number of matches to show while typing.
const SHOWN: usize = 50;

/// Returns the best matches in the dictionary, best first.
pub async fn search_places(till: &Till, text: String) -> Result<Vec<Hit>, CommandError> {
    let session = till.session().await?;
    let catalog = session.places.get(&session.client).await?;
    Ok(catalog.search(&text, SHOWN, &session.places.stock()))
}

/// Searches at the vendor, for places that the dictionary here does not have (yet). What it finds is added to the
/// dictionary, so that the pickers know it too.
pub async fn search_vendor_places(till: &Till, keyword: String) -> Result<Vec<Hit>, CommandError> {
    let session = till.session().await?;
    let found = session.places.search_at_vendor(&session.client, keyword.trim()).await?;
    Ok(found)
}

/// Reads all places from the vendor again. Returns the number of cities.
pub async fn refresh_places(till: &Till, (): ()) -> Result<usize, CommandError> {
    let session = till.session().await?;
    let catalog = session.places.refresh(&session.client).await?;
    Ok(catalog.dictionary().cities.len())
}
