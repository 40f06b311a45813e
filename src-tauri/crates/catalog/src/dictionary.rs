//! The vendor's four lists of places, and their file.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wire::ids::{CityId, CountryCode, StateId};
use wire::locations::{City, Continent, Country, State};

/// All "Location records".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dictionary {
    /// Every enabled continent.
    pub continents: Vec<Continent>,
    /// Every country.
    pub countries: Vec<Country>,
    /// Every state of the countries that have states.
    pub states: Vec<State>,
    /// Every enabled city.
    pub cities: Vec<City>,
}

/// The file cannot be read or written. It may be deleted at any time: the vendor has all of it.
#[derive(Debug, thiserror::Error)]
pub enum DictionaryError {
    /// The file system reports an error.
    #[error("the places cannot be stored: {0}")]
    Storage(#[from] std::io::Error),
    /// The file does not hold a dictionary.
    #[error("the stored places cannot be read: {0}")]
    Json(#[from] serde_json::Error),
}

impl Dictionary {
    /// Whether every place of `others` is known already.
    pub fn holds(&self, others: &Self) -> bool {
        let (countries, states, cities) = self.ids();
        others.countries.iter().all(|one| countries.contains(&one.country_code))
            && others.states.iter().all(|one| states.contains(&one.state_id))
            && others.cities.iter().all(|one| cities.contains(&one.city_id))
    }

    /// Adds the places that are missing here.
    pub fn learn(&mut self, mut others: Self) {
        let (countries, states, cities) = self.ids();
        others.countries.retain(|one| !countries.contains(&one.country_code));
        others.states.retain(|one| !states.contains(&one.state_id));
        others.cities.retain(|one| !cities.contains(&one.city_id));
        self.countries.extend(others.countries);
        self.states.extend(others.states);
        self.cities.extend(others.cities);
    }

    fn ids(&self) -> (HashSet<CountryCode>, HashSet<StateId>, HashSet<CityId>) {
        (
            self.countries.iter().map(|one| one.country_code.clone()).collect(),
            self.states.iter().map(|one| one.state_id.clone()).collect(),
            self.cities.iter().map(|one| one.city_id.clone()).collect(),
        )
    }

    /// Reads the file.
    ///
    /// # Errors
    /// [`DictionaryError`] when the file cannot be read or is not a dictionary.
    pub fn load(file: &Path) -> Result<Self, DictionaryError> {
        Ok(serde_json::from_slice(&std::fs::read(file)?)?)
    }

    /// Replaces the file atomically: a crash leaves the old one.
    ///
    /// # Errors
    /// [`DictionaryError`] when the file cannot be written; the old one stays.
    pub fn save(&self, file: &Path) -> Result<(), DictionaryError> {
        let fresh = file.with_extension("new");
        std::fs::write(&fresh, serde_json::to_vec(self)?)?;
        Ok(files::rename(&fresh, file)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::ids::ContinentId;

    #[test]
    fn what_is_saved_is_read_again_and_a_torn_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("places.json");
        let asia = Continent { continent_id: ContinentId::new("3"), name_zh: "亚洲".into(), name_en: "Asia".into() };
        let kept = Dictionary { continents: vec![asia], ..Dictionary::default() };
        assert!(matches!(Dictionary::load(&file), Err(DictionaryError::Storage(_))));
        kept.save(&file).unwrap();
        assert_eq!(Dictionary::load(&file).unwrap(), kept);
        std::fs::write(&file, b"{\"continents\":[").unwrap();
        assert!(matches!(Dictionary::load(&file), Err(DictionaryError::Json(_))));
    }
}
