//! Searches while somebody types, best match first.
//!
//! Names that begin with the typed text come from the sorted words, by bisection. Only if there are too few is the
//! whole text scanned for matches within words.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use memchr::memmem;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::{CityId, ContinentId, CountryCode, StateId};
use wire::inventory::CountryStock;

use crate::dictionary::Dictionary;
use crate::fold::fold;
use crate::index::{Catalog, FIELD, Row, tail};

/// The four levels, widest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "PlaceLevel")]
pub enum Level {
    /// A continent.
    Continent,
    /// A country or territory.
    Country,
    /// A state or province.
    State,
    /// A city.
    City,
}

/// A place that was found, with everything the four pickers need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "PlaceHit")]
pub struct Hit {
    /// The level of the place; ids of wider levels are filled, those of narrower levels are empty.
    pub level: Level,
    /// Continent.
    pub continent_id: ContinentId,
    /// Country.
    pub country_code: CountryCode,
    /// State; empty where the country has none.
    pub state_id: StateId,
    /// City.
    pub city_id: CityId,
    /// English name.
    pub name_en: String,
    /// Chinese name; may be empty.
    pub name_zh: String,
    /// The places around it, narrowest first, in English.
    pub within_en: String,
    /// The places around it, widest first, in Chinese.
    pub within_zh: String,
    /// IPs in stock; `None` when unknown.
    pub stock: Option<i64>,
}

/// IPs in stock, by row of one catalog.
#[derive(Debug, Default)]
pub struct Stock(HashMap<u32, i64>);

impl Stock {
    /// Assigns the stock that the vendor reported to the rows of a catalog.
    pub fn new(catalog: &Catalog, told: &[CountryStock]) -> Self {
        let countries: HashMap<_, _> = told.iter().map(|one| (&one.country_code, one.available)).collect();
        let cities: HashMap<_, _> =
            told.iter().flat_map(|one| &one.cities).map(|one| (&one.city_id, one.available)).collect();
        let dictionary = catalog.dictionary();
        let of = |row: &Row| match row.level {
            Level::Country => *countries.get(&dictionary.countries[row.at as usize].country_code)?,
            Level::City => *cities.get(&dictionary.cities[row.at as usize].city_id)?,
            Level::Continent | Level::State => None,
        };
        let known = catalog.rows.iter().enumerate().filter_map(|(at, row)| Some((at as u32, of(row)?)));
        Self(known.collect())
    }

    fn of(&self, row: u32) -> Option<i64> {
        self.0.get(&row).copied()
    }
}

/// Smaller is better: kind of match, level, stock, length of the name, row.
type Score = (u8, u8, Reverse<i64>, u32, u32);

impl Level {
    /// Sorts a city before the province of the same name: IPs are bought in cities, and a province has none.
    fn turn(self) -> u8 {
        match self {
            Self::Continent => 0,
            Self::Country => 1,
            Self::City => 2,
            Self::State => 3,
        }
    }
}

const WHOLE: u8 = 0;
const BEGINS_NAME: u8 = 1;
const BEGINS_WORD: u8 = 2;
const WITHIN: u8 = 3;

/// Most matches within words that are ranked: with more than this, people type on.
const MOST_WITHIN: usize = 2_000;

impl Catalog {
    /// Returns the best matches, best first. An empty query finds nothing.
    pub fn search(&self, query: &str, limit: usize, stock: &Stock) -> Vec<Hit> {
        let folded = fold(query);
        if folded.is_empty() || limit == 0 {
            return Vec::new();
        }
        let mut found = self.beginning_with(folded.as_bytes(), stock);
        // "bei jing": pinyin is indexed without blanks.
        let joined = folded.replace(' ', "");
        if joined != folded {
            found.extend(self.beginning_with(joined.as_bytes(), stock));
        }
        let distinct = found.iter().map(|score| score.4).take(4 * limit).collect::<HashSet<_>>().len();
        if distinct < limit {
            found.extend(self.holding(folded.as_bytes(), stock));
        }
        best(found, limit).into_iter().map(|row| self.hit(row, stock)).collect()
    }

    /// Finds the places of another list in this catalog, widest first.
    pub fn hits(&self, named: &Dictionary, stock: &Stock) -> Vec<Hit> {
        let countries: HashSet<_> = named.countries.iter().map(|one| &one.country_code).collect();
        let cities: HashSet<_> = named.cities.iter().map(|one| &one.city_id).collect();
        let is_named = |row: &Row| match row.level {
            Level::Country => countries.contains(&self.dictionary().countries[row.at as usize].country_code),
            Level::City => cities.contains(&self.dictionary().cities[row.at as usize].city_id),
            Level::Continent | Level::State => false,
        };
        let mut found: Vec<Hit> =
            (0u32..).zip(&self.rows).filter(|(_, row)| is_named(row)).map(|(at, _)| self.hit(at, stock)).collect();
        found.sort_by_key(|hit| hit.level);
        found
    }

    /// Countries with cities in `of` that name a state unknown here.
    pub fn without_states(&self, of: &Dictionary) -> Vec<CountryCode> {
        let known: HashSet<_> = self.dictionary().states.iter().map(|state| &state.state_id).collect();
        let lost =
            of.cities.iter().filter(|city| !city.state_id.as_str().is_empty() && !known.contains(&city.state_id));
        let countries: HashSet<_> = lost.map(|city| city.country_code.clone()).collect();
        countries.into_iter().collect()
    }

    fn score(&self, rank: u8, row: u32, length: usize, stock: &Stock) -> Score {
        let left = stock.of(row).unwrap_or(if stock.0.is_empty() { 0 } else { -1 });
        (rank, self.rows[row as usize].level.turn(), Reverse(left), length as u32, row)
    }

    fn beginning_with(&self, query: &[u8], stock: &Stock) -> Vec<Score> {
        let begins = |offset: u32| {
            let tail = tail(&self.text, offset);
            &tail[..tail.len().min(query.len())]
        };
        let first = self.words.partition_point(|word| begins(word.offset) < query);
        let behind = first + self.words[first..].partition_point(|word| begins(word.offset) == query);
        let score = |word: &crate::index::Word| {
            let length = tail(&self.text, word.offset).len();
            let rank = match (word.begins_field, length == query.len()) {
                (true, true) => WHOLE,
                (true, false) => BEGINS_NAME,
                (false, _) => BEGINS_WORD,
            };
            self.score(rank, word.row, length, stock)
        };
        self.words[first..behind].iter().map(score).collect()
    }

    fn holding(&self, query: &[u8], stock: &Stock) -> Vec<Score> {
        let mut found = Vec::new();
        let mut last = None;
        for offset in memmem::find_iter(&self.text, query) {
            let row = self.starts.partition_point(|start| *start as usize <= offset) as u32 - 1;
            if last == Some(row) {
                continue;
            }
            last = Some(row);
            let start = self.starts[row as usize] as usize;
            let before = memchr::memrchr(FIELD, &self.text[start..offset]).map_or(0, |at| at + 1);
            let length = tail(&self.text, (start + before) as u32).len();
            found.push(self.score(WITHIN, row, length, stock));
            if found.len() == MOST_WITHIN {
                break;
            }
        }
        found
    }

    fn hit(&self, row: u32, stock: &Stock) -> Hit {
        let Row { level, at } = self.rows[row as usize];
        let (dictionary, at) = (self.dictionary(), at as usize);
        let empty = Hit {
            level,
            continent_id: ContinentId::default(),
            country_code: CountryCode::default(),
            state_id: StateId::default(),
            city_id: CityId::default(),
            name_en: String::new(),
            name_zh: String::new(),
            within_en: String::new(),
            within_zh: String::new(),
            stock: stock.of(row),
        };
        let in_country = |hit: Hit, code: &CountryCode, state: Option<&StateId>| {
            let country = self.country(code);
            let state = state.and_then(|id| self.state(id));
            let en: Vec<&str> =
                [state.map(|one| &*one.name_en), country.map(|one| &*one.name_en)].into_iter().flatten().collect();
            let zh: Vec<&str> =
                [country.map(|one| &*one.name_zh), state.map(|one| &*one.name_zh)].into_iter().flatten().collect();
            Hit {
                continent_id: self.continent_of(code).cloned().unwrap_or_default(),
                country_code: code.clone(),
                within_en: en.join(", "),
                within_zh: zh.join(" "),
                ..hit
            }
        };
        match level {
            Level::Continent => {
                let one = &dictionary.continents[at];
                let continent_id = one.continent_id.clone();
                Hit { continent_id, name_en: one.name_en.clone(), name_zh: one.name_zh.clone(), ..empty }
            }
            Level::Country => {
                let one = &dictionary.countries[at];
                let (continent_id, country_code) = (one.continent_id.clone(), one.country_code.clone());
                let names = (one.name_en.clone(), one.name_zh.clone());
                Hit { continent_id, country_code, name_en: names.0, name_zh: names.1, ..empty }
            }
            Level::State => {
                let one = &dictionary.states[at];
                let hit = in_country(empty, &one.country_code, None);
                let state_id = one.state_id.clone();
                Hit { state_id, name_en: one.name_en.clone(), name_zh: one.name_zh.clone(), ..hit }
            }
            Level::City => {
                let one = &dictionary.cities[at];
                let hit = in_country(empty, &one.country_code, Some(&one.state_id));
                let (state_id, city_id) = (one.state_id.clone(), one.city_id.clone());
                Hit { state_id, city_id, name_en: one.name_en.clone(), name_zh: one.name_zh.clone(), ..hit }
            }
        }
    }
}

/// Returns the best rows, each once.
fn best(mut found: Vec<Score>, limit: usize) -> Vec<u32> {
    // A row may be found by each of its names, so leave room for those, and sort nothing beyond.
    let room = limit * 8;
    if found.len() > room {
        found.select_nth_unstable(room);
        found.truncate(room);
    }
    found.sort_unstable();
    let mut seen = HashSet::with_capacity(limit);
    found.into_iter().map(|score| score.4).filter(|row| seen.insert(*row)).take(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictionary::Dictionary;

    fn catalog() -> Catalog {
        let json = r#"{
            "continents":[{"continentId":"1","nameZh":"亚洲","nameEn":"Asia"},{"continentId":"2","nameZh":"北美洲","nameEn":"North America"}],
            "countries":[
                {"countryId":"10","continentId":"1","countryCode":"CN","nameZh":"中国","nameEn":"China"},
                {"countryId":"11","continentId":"2","countryCode":"US","nameZh":"美国","nameEn":"United States"}],
            "states":[{"stateId":"20","countryId":"11","countryCode":"US","nameZh":"加利福尼亚","nameEn":"California"}],
            "cities":[
                {"cityId":"30","countryCode":"CN","stateId":"","nameZh":"北京","nameEn":"Beijing"},
                {"cityId":"31","countryCode":"US","stateId":"20","nameZh":"圣迭戈","nameEn":"San Diego"},
                {"cityId":"32","countryCode":"US","stateId":"20","nameZh":"圣何塞","nameEn":"San José"},
                {"cityId":"33","countryCode":"US","stateId":"20","nameZh":"","nameEn":"West Sanford"},
                {"cityId":"34","countryCode":"CN","stateId":"","nameZh":"重庆","nameEn":"Chongqing"},
                {"cityId":"35","countryCode":"US","stateId":"20","nameZh":"","nameEn":"Chinatown"},
                {"cityId":"36","countryCode":"US","stateId":"20","nameZh":"加州","nameEn":"California"}]}"#;
        let dictionary: Dictionary = serde_json::from_str(json).unwrap();
        Catalog::new(dictionary)
    }

    fn names(query: &str) -> Vec<String> {
        catalog().search(query, 10, &Stock::default()).into_iter().map(|hit| hit.name_en).collect()
    }

    #[test]
    fn a_place_is_found_in_english_chinese_pinyin_and_initials() {
        for query in ["beijing", "BEIJ", "北京", "京", "bj", "bei jing", "Ｂｅｉｊｉｎｇ", "eijin"] {
            assert_eq!(names(query).first().map(String::as_str), Some("Beijing"), "{query}");
        }
        assert_eq!(names("chongqing"), ["Chongqing"]);
        assert_eq!(names("san jose"), ["San José"]);
        assert_eq!(names("nothing there"), [""; 0]);
        assert_eq!(names("  "), [""; 0]);
    }

    #[test]
    fn what_begins_with_the_query_comes_before_a_word_and_a_word_before_a_part() {
        assert_eq!(names("san"), ["San José", "San Diego", "West Sanford"]);
        assert_eq!(names("chin"), ["China", "Chinatown"], "a country before a city");
        assert_eq!(names("fornia"), ["California", "California"]);
        assert_eq!(names("america"), ["North America"]);
    }

    #[test]
    fn a_city_comes_before_the_province_of_its_name() {
        for query in ["california", "cal", "加", "fornia"] {
            let hits = catalog().search(query, 10, &Stock::default());
            let levels: Vec<_> = hits.iter().map(|hit| hit.level).collect();
            assert_eq!(levels, [Level::City, Level::State], "{query}");
        }
    }

    #[test]
    fn more_in_stock_comes_first_among_equals() {
        let catalog = catalog();
        let told = r#"[{"countryCode":"US","cities":[{"cityId":"31","available":9},{"cityId":"32","available":1}]}]"#;
        let told: Vec<CountryStock> = serde_json::from_str(told).unwrap();
        let hits = catalog.search("san", 10, &Stock::new(&catalog, &told));
        let found: Vec<_> = hits.iter().map(|hit| (hit.name_en.as_str(), hit.stock)).collect();
        assert_eq!(found, [("San Diego", Some(9)), ("San José", Some(1)), ("West Sanford", None)]);
    }

    #[test]
    fn a_hit_fills_all_four_pickers() {
        let catalog = catalog();
        let hit = catalog.search("san diego", 1, &Stock::default()).remove(0);
        let ids = (hit.continent_id.as_str(), hit.country_code.as_str(), hit.state_id.as_str(), hit.city_id.as_str());
        assert_eq!(ids, ("2", "US", "20", "31"));
        assert_eq!((hit.within_en.as_str(), hit.within_zh.as_str()), ("California, United States", "美国 加利福尼亚"));
    }

    #[test]
    fn every_row_that_holds_the_query_is_found_and_no_other() {
        let catalog = catalog();
        for query in ["a", "an", "s", "c", "st", "i", "圣", "g"] {
            let hits = catalog.search(query, 100, &Stock::default());
            let rows = String::from_utf8(catalog.text().to_vec()).unwrap();
            let expected = rows.lines().filter(|row| row.contains(query)).count();
            assert_eq!(hits.len(), expected, "{query}");
        }
    }
}
