//! Answers of any shape as parts that a person can read: name, quantity, amount, and everything else.
//!
//! For `regionLines`, `orderSummary`, `details` and `refundSummary`. Nothing is left out; nothing that costs
//! money depends on it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::amount::Amount;
use crate::facts::{Fact, Word, folded};
use crate::tree::Tree;

/// One part, with its own parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The vendor's name of the list or object; empty within a list.
    pub key: String,
    /// The meaning of `key`, if known.
    pub word: Option<Word>,
    /// Chinese name; empty when not reported.
    pub name_zh: String,
    /// English name; empty when not reported.
    pub name_en: String,
    /// Quantity; `None` when not reported.
    pub quantity: Option<Amount>,
    /// Money in the answer's currency, negative for a discount; `None` when not reported.
    pub amount: Option<Amount>,
    /// Everything else that was reported.
    pub facts: Vec<Fact>,
    /// The parts of this one.
    pub parts: Vec<Part>,
}

const CHINESE: [&str; 3] = ["namezh", "labelzh", "namecn"];
const ENGLISH: [&str; 2] = ["nameen", "labelen"];
const EITHER: [&str; 3] = ["name", "label", "title"];
/// A part without a name is named after its place: country and city.
const COUNTRY_ZH: [&str; 2] = ["countrynamezh", "countryzh"];
const COUNTRY_EN: [&str; 2] = ["countrynameen", "countryen"];
const COUNTRY: [&str; 3] = ["countryname", "country", "countrycode"];
const CITY_ZH: [&str; 2] = ["citynamezh", "cityzh"];
const CITY_EN: [&str; 2] = ["citynameen", "cityen"];
const CITY: [&str; 2] = ["cityname", "city"];
const QUANTITY: [&str; 6] = ["quantity", "count", "ipcount", "purchaseipcount", "num", "qty"];
const AMOUNT: [&str; 5] = ["amount", "subtotal", "lineamount", "discountamount", "totalprice"];

/// Deeper parts are shown as JSON.
const DEEPEST: usize = 5;

/// Reads any shape. Empty only if there is nothing to show.
pub fn parts(of: &Tree) -> Vec<Part> {
    match of {
        _ if of.is_empty() => Vec::new(),
        Tree::List(elements) => listed(elements, 0),
        Tree::Object(members) => vec![object("", members, 0)],
        plain => vec![Part { facts: Fact::of("", plain).into_iter().collect(), ..Part::default() }],
    }
}

/// The place of an object: Chinese and English names of its country and city, as far as reported.
pub(crate) fn place(members: &[(String, Tree)]) -> [String; 4] {
    let mut all = Members(members, Vec::new());
    let (country_zh, country_en) = all.name(&COUNTRY_ZH, &COUNTRY_EN, &COUNTRY[..2]);
    let (city_zh, city_en) = all.name(&CITY_ZH, &CITY_EN, &CITY);
    [country_zh, country_en, city_zh, city_en]
}

fn listed(elements: &[Tree], depth: usize) -> Vec<Part> {
    elements.iter().filter(|element| !element.is_empty()).map(|element| element_of(element, depth)).collect()
}

fn element_of(element: &Tree, depth: usize) -> Part {
    match element {
        Tree::Object(members) => object("", members, depth),
        Tree::List(below) => list("", below, depth),
        plain => {
            let text = plain.plain().unwrap_or_default();
            Part { name_zh: text.clone(), name_en: text, ..Part::default() }
        }
    }
}

fn list(key: &str, elements: &[Tree], depth: usize) -> Part {
    Part { key: key.to_owned(), word: Word::of(key), parts: listed(elements, depth + 1), ..Part::default() }
}

fn object(key: &str, members: &[(String, Tree)], depth: usize) -> Part {
    let mut rest = Members(members, Vec::new());
    let (name_zh, name_en) = rest.title();
    let quantity = rest.number(&QUANTITY);
    let amount = rest.number(&AMOUNT);
    let mut part =
        Part { key: key.to_owned(), word: Word::of(key), name_zh, name_en, quantity, amount, ..Part::default() };
    for (key, value) in rest.left() {
        match value {
            Tree::Object(below) if depth < DEEPEST => part.parts.push(object(key, below, depth + 1)),
            Tree::List(below) if below.iter().all(|one| one.plain().is_some()) => {
                let values: Vec<String> = below.iter().filter_map(Tree::plain).collect();
                part.facts.push(Fact { word: Word::of(key), key: key.clone(), value: values.join(", ") });
            }
            Tree::List(below) if depth < DEEPEST => part.parts.push(list(key, below, depth)),
            other => part.facts.extend(Fact::of_any(key, other)),
        }
    }
    part
}

/// Members of an object, and the indexes of those already used.
struct Members<'a>(&'a [(String, Tree)], Vec<usize>);

impl<'a> Members<'a> {
    fn take<T>(&mut self, names: &[&str], read: impl Fn(&Tree) -> Option<T>) -> Option<T> {
        names.iter().find_map(|name| {
            let found = self.0.iter().position(|(key, value)| folded(key) == *name && read(value).is_some())?;
            self.1.push(found);
            read(&self.0[found].1)
        })
    }

    fn number(&mut self, names: &[&str]) -> Option<Amount> {
        self.take(names, Tree::amount)
    }

    /// Chinese and English name; where one is missing, the first of `either`.
    fn name(&mut self, zh: &[&str], en: &[&str], either: &[&str]) -> (String, String) {
        let (zh, en) = (self.take(zh, Tree::plain), self.take(en, Tree::plain));
        let any = if zh.is_some() && en.is_some() { None } else { self.take(either, Tree::plain) };
        let of = |own: &Option<String>, other: &Option<String>| {
            own.as_ref().or(any.as_ref()).or(other.as_ref()).cloned().unwrap_or_default()
        };
        (of(&zh, &en), of(&en, &zh))
    }

    fn title(&mut self) -> (String, String) {
        let own = self.name(&CHINESE, &ENGLISH, &EITHER);
        if !own.0.is_empty() {
            return own;
        }
        let country = self.name(&COUNTRY_ZH, &COUNTRY_EN, &COUNTRY);
        let city = self.name(&CITY_ZH, &CITY_EN, &CITY);
        let both = |country: &str, city: &str| {
            let told: Vec<&str> = [country, city].into_iter().filter(|name| !name.is_empty()).collect();
            told.join(" · ")
        };
        (both(&country.0, &city.0), both(&country.1, &city.1))
    }

    fn left(&self) -> impl Iterator<Item = &'a (String, Tree)> {
        let used = self.1.clone();
        self.0
            .iter()
            .enumerate()
            .filter(move |(at, (_, value))| !used.contains(at) && !value.is_empty())
            .map(|(_, one)| one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<Part> {
        parts(&serde_json::from_str(json).unwrap())
    }

    /// Everything that a person sees of it, in order.
    fn seen(part: &Part) -> String {
        let amount = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
        let facts = part.facts.iter().map(|fact| format!("{}={}", fact.key, fact.value));
        let own = [part.key.clone(), part.name_en.clone()]
            .into_iter()
            .chain(amount(part.quantity))
            .chain(amount(part.amount));
        let all: Vec<String> =
            own.chain(facts).chain(part.parts.iter().map(|part| format!("[{}]", seen(part)))).collect();
        all.into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn all_seen(json: &str) -> String {
        read(json).iter().map(seen).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn any_shape_is_shown_and_nothing_of_it_is_left_out() {
        let cases = [
            ("null", ""),
            ("[]", ""),
            ("\"three in Japan\"", "=three in Japan"),
            ("8.50", "=8.50"),
            (r#"["JP x 3", 7]"#, "JP x 3 | 7"),
            (r#"[{"countryCode":"JP","count":3}]"#, "JP 3"),
            (r#"{"durationDiscount":0.95}"#, "durationDiscount=0.95"),
            (
                r#"[{"countryName":"Japan","cityName":"Tokyo","qty":"3","unit_price":"0.10"}]"#,
                "Japan · Tokyo 3 unit_price=0.1",
            ),
            (r#"{"JP":{"quantity":3,"amount":9.0},"US":4}"#, "US=4 [JP 3 9]"),
            (r#"{"lines":[{"x":{"y":1}}],"ids":[1,2]}"#, "ids=1, 2 [lines [[x y=1]]]"),
            (r#"[[1,2],[{"a":true}]]"#, "[1] [2] | [a=true]"),
            (r#""{\"a\":\"json in a text\"}""#, "a=json in a text"),
        ];
        for (json, expected) in cases {
            assert_eq!(all_seen(json), expected, "{json}");
        }
    }

    #[test]
    fn a_number_that_cannot_be_read_stays_as_it_came() {
        assert_eq!(
            all_seen(r#"[{"name":"Japan","amount":"on request","quantity":"many"}]"#),
            "Japan amount=on request quantity=many"
        );
    }

    #[test]
    fn what_lies_too_deep_is_shown_as_its_json() {
        let deep = format!("{}{{\"end\":1.50}}{}", "{\"a\":".repeat(9), "}".repeat(9));
        assert!(all_seen(&deep).contains(r#"a={"a":{"a":{"a":{"end":1.50}}}}"#), "{}", all_seen(&deep));
    }

    #[test]
    fn names_are_kept_in_both_languages() {
        let part = &read(r#"[{"nameZh":"日本","nameEn":"Japan"},{"nameZh":"只有中文"}]"#);
        assert_eq!((part[0].name_zh.as_str(), part[0].name_en.as_str()), ("日本", "Japan"));
        assert_eq!(part[1].name_en, "只有中文");
    }
}
