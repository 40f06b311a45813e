//! The dictionary of places, from `data/places.tsv` (see `data/NOTICE.md`).

use std::collections::HashMap;
use std::sync::LazyLock;

use wire::ids::{CityId, ContinentId, CountryCode, CountryId, StateId};
use wire::locations::{City, Continent, Country, State};

/// All four levels, each in the file's order.
pub(crate) struct Places {
    pub(crate) continents: Vec<Continent>,
    pub(crate) countries: Vec<Country>,
    pub(crate) states: Vec<State>,
    pub(crate) cities: Vec<City>,
    city_by_id: HashMap<String, usize>,
    country_by_code: HashMap<String, usize>,
}

pub(crate) static PLACES: LazyLock<Places> = LazyLock::new(|| Places::read(include_str!("../data/places.tsv")));

impl Places {
    /// Reads the file. It is sorted by kind, so a parent always comes before its children.
    fn read(tsv: &str) -> Self {
        let mut places = Self {
            continents: Vec::new(),
            countries: Vec::new(),
            states: Vec::new(),
            cities: Vec::new(),
            city_by_id: HashMap::new(),
            country_by_code: HashMap::new(),
        };
        let mut country_by_id = HashMap::new();
        let mut state_by_id = HashMap::new();
        for line in tsv.lines().skip(1) {
            let mut cells = line.split('\t');
            let mut next = || cells.next().unwrap_or_default().to_owned();
            let (kind, id, parent, code, name_en, name_zh) = (next(), next(), next(), next(), next(), next());
            match kind.as_str() {
                "continent" => {
                    places.continents.push(Continent { continent_id: ContinentId::new(id), name_zh, name_en });
                }
                "country" => {
                    let continent = places.continents.iter().find(|c| c.continent_id.as_str() == parent);
                    let continent_name = continent.map(|c| c.name_en.clone()).unwrap_or_default();
                    country_by_id.insert(id.clone(), places.countries.len());
                    places.country_by_code.insert(code.clone(), places.countries.len());
                    places.countries.push(Country {
                        country_id: CountryId::new(id),
                        continent_id: ContinentId::new(parent),
                        country_code: CountryCode::new(code),
                        name_zh,
                        name_en,
                        continent_name,
                    });
                }
                "state" => {
                    let Some(country) = country_by_id.get(&parent).map(|at: &usize| &places.countries[*at]) else {
                        continue;
                    };
                    state_by_id.insert(id.clone(), places.states.len());
                    places.states.push(State {
                        state_id: StateId::new(id),
                        country_id: country.country_id.clone(),
                        country_code: country.country_code.clone(),
                        name_zh,
                        name_en,
                        country_name: country.name_en.clone(),
                    });
                }
                _ => {
                    let state = state_by_id.get(&parent).map(|at: &usize| &places.states[*at]);
                    let country_id = state.map_or(parent.as_str(), |state| state.country_id.as_str());
                    let Some(country) = country_by_id.get(country_id).map(|at| &places.countries[*at]) else {
                        continue;
                    };
                    places.city_by_id.insert(id.clone(), places.cities.len());
                    places.cities.push(City {
                        city_id: CityId::new(id),
                        country_id: country.country_id.clone(),
                        state_id: state.map(|state| state.state_id.clone()).unwrap_or_default(),
                        country_code: country.country_code.clone(),
                        name_zh,
                        name_en,
                        country_name: country.name_en.clone(),
                        state_name: state.map(|state| state.name_zh.clone()).unwrap_or_default(),
                        state_name_en: state.map(|state| state.name_en.clone()).unwrap_or_default(),
                    });
                }
            }
        }
        places
    }

    pub(crate) fn city(&self, id: &CityId) -> Option<&City> {
        self.city_by_id.get(id.as_str()).map(|at| &self.cities[*at])
    }

    pub(crate) fn country(&self, code: &CountryCode) -> Option<&Country> {
        self.country_by_code.get(code.as_str()).map(|at| &self.countries[*at])
    }
}

/// Whether a keyword occurs in one of the names, ignoring case.
pub(crate) fn matches(keyword: Option<&str>, name_zh: &str, name_en: &str) -> bool {
    let Some(keyword) = keyword.map(str::trim).filter(|keyword| !keyword.is_empty()) else { return true };
    name_zh.contains(keyword) || name_en.to_lowercase().contains(&keyword.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_becomes_a_place_with_its_parents() {
        let places = &*PLACES;
        assert_eq!((places.continents.len(), places.countries.len()), (7, 249));
        assert_eq!((places.states.len(), places.cities.len()), (286, 3586));
        let tokyo = places.cities.iter().find(|city| city.name_en == "Tokyo").unwrap();
        assert_eq!((tokyo.country_code.as_str(), tokyo.state_name_en.as_str()), ("JP", "Tokyo"));
        let lisbon = places.cities.iter().find(|city| city.name_en == "Lisbon").unwrap();
        assert_eq!((lisbon.country_code.as_str(), lisbon.state_id.as_str()), ("PT", ""));
    }
}
