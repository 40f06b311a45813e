//! The index: one flat text, and its words in order.

use std::collections::HashMap;

use wire::ids::{ContinentId, CountryCode, StateId};
use wire::locations::{City, Country, State};

use crate::dictionary::Dictionary;
use crate::fold::{fold, readings};
use crate::search::Level;

/// Separates the fields of a row.
pub(crate) const FIELD: u8 = 0x1f;
/// Ends a row.
pub(crate) const ROW: u8 = b'\n';

/// A place of the dictionary: its level, and its index in that level's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) level: Level,
    pub(crate) at: u32,
}

/// The start of a word in the text, and its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) offset: u32,
    pub(crate) row: u32,
    /// Whether it begins its field, and so a name rather than a later word of one.
    pub(crate) begins_field: bool,
}

/// The dictionary with its index.
#[derive(Debug, Default)]
pub struct Catalog {
    dictionary: Dictionary,
    pub(crate) rows: Vec<Row>,
    /// The start of each row in the text.
    pub(crate) starts: Vec<u32>,
    pub(crate) text: Vec<u8>,
    /// Every word of the text, in byte order.
    pub(crate) words: Vec<Word>,
    continent_of: HashMap<CountryCode, ContinentId>,
    countries: HashMap<CountryCode, u32>,
    states: HashMap<StateId, u32>,
}

impl Catalog {
    /// Indexes a dictionary.
    pub fn new(dictionary: Dictionary) -> Self {
        let mut catalog = Self {
            continent_of: dictionary
                .countries
                .iter()
                .map(|country| (country.country_code.clone(), country.continent_id.clone()))
                .collect(),
            countries: numbered(dictionary.countries.iter().map(|country| &country.country_code)),
            states: numbered(dictionary.states.iter().map(|state| &state.state_id)),
            ..Self::default()
        };
        let names = |en: &str, zh: &str| (en.to_owned(), zh.to_owned());
        for (at, one) in dictionary.continents.iter().enumerate() {
            catalog.add(Level::Continent, at, names(&one.name_en, &one.name_zh));
        }
        for (at, one) in dictionary.countries.iter().enumerate() {
            catalog.add(Level::Country, at, names(&one.name_en, &one.name_zh));
        }
        for (at, one) in dictionary.states.iter().enumerate() {
            catalog.add(Level::State, at, names(&one.name_en, &one.name_zh));
        }
        for (at, one) in dictionary.cities.iter().enumerate() {
            catalog.add(Level::City, at, names(&one.name_en, &one.name_zh));
        }
        let text = &catalog.text;
        catalog.words.sort_unstable_by(|one, other| tail(text, one.offset).cmp(tail(text, other.offset)));
        catalog.dictionary = dictionary;
        catalog
    }

    /// Returns the indexed dictionary.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// The text that is searched: folded names, pinyin and initials, one row per place.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The countries of a continent, or all countries.
    pub fn countries_of(&self, continent: Option<&ContinentId>) -> Vec<&Country> {
        let fits = |country: &&Country| continent.is_none_or(|id| *id == country.continent_id);
        self.dictionary.countries.iter().filter(fits).collect()
    }

    /// The states of a country.
    pub fn states_of(&self, country: &CountryCode) -> Vec<&State> {
        self.dictionary.states.iter().filter(|state| state.country_code == *country).collect()
    }

    /// The cities of a state, or of a whole country.
    pub fn cities_of(&self, country: &CountryCode, state: Option<&StateId>) -> Vec<&City> {
        let fits = |city: &&City| city.country_code == *country && state.is_none_or(|state| city.state_id == *state);
        self.dictionary.cities.iter().filter(fits).collect()
    }

    pub(crate) fn continent_of(&self, country: &CountryCode) -> Option<&ContinentId> {
        self.continent_of.get(country)
    }

    pub(crate) fn country(&self, code: &CountryCode) -> Option<&Country> {
        self.countries.get(code).map(|at| &self.dictionary.countries[*at as usize])
    }

    pub(crate) fn state(&self, id: &StateId) -> Option<&State> {
        self.states.get(id).map(|at| &self.dictionary.states[*at as usize])
    }

    fn add(&mut self, level: Level, at: usize, (en, zh): (String, String)) {
        let row = self.rows.len() as u32;
        self.rows.push(Row { level, at: at as u32 });
        self.starts.push(self.text.len() as u32);
        self.add_field(row, &fold(&en));
        self.add_field(row, &fold(&zh));
        for (whole, initials) in readings(&zh) {
            self.add_field(row, &whole);
            self.add_field(row, &initials);
        }
        self.text.push(ROW);
    }

    fn add_field(&mut self, row: u32, folded: &str) {
        if folded.is_empty() {
            return;
        }
        let begin = self.text.len();
        if self.starts[row as usize] as usize != begin {
            self.text.push(FIELD);
        }
        let begin = self.text.len();
        let mut at_word = true;
        for (offset, byte) in folded.bytes().enumerate() {
            if at_word && byte != b' ' && byte != b'-' {
                self.words.push(Word { offset: (begin + offset) as u32, row, begins_field: offset == 0 });
            }
            at_word = matches!(byte, b' ' | b'-' | b'(' | b',' | b'/' | b'.');
        }
        self.text.extend_from_slice(folded.as_bytes());
    }
}

fn numbered<'a, K: Clone + Eq + std::hash::Hash + 'a>(keys: impl Iterator<Item = &'a K>) -> HashMap<K, u32> {
    keys.enumerate().map(|(at, key)| (key.clone(), at as u32)).collect()
}

/// Returns the text from an offset to the end of its field.
pub(crate) fn tail(text: &[u8], offset: u32) -> &[u8] {
    let rest = &text[offset as usize..];
    let end = memchr::memchr2(FIELD, ROW, rest).unwrap_or(rest.len());
    &rest[..end]
}
