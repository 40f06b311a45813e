//! JSON of any shape, as it came: members in order, numbers with their own digits.
//!
//! For answers whose shape the contract does not show. `serde_json::Value` would hold numbers as binary floats.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::amount::Amount;

/// One value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tree {
    /// JSON null.
    #[default]
    Null,
    /// True or false.
    Flag(bool),
    /// A number as it was written.
    Number(String),
    /// Text; also a value nested too deeply, as its JSON.
    Text(String),
    /// Elements in the vendor's order.
    List(Vec<Tree>),
    /// Members in the vendor's order; a name may come twice.
    Object(Vec<(String, Tree)>),
}

/// Values below this depth stay JSON: a table with so many levels is unreadable.
const DEEPEST: usize = 12;

impl Tree {
    /// Returns the first member of this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Returns the members of an object; empty for anything else.
    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the text of a plain value. `None` when it is empty or not plain.
    pub fn plain(&self) -> Option<String> {
        match self {
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Number(text) => Some(text.clone()),
            Self::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns the exact number, given as a number or as text.
    pub fn amount(&self) -> Option<Amount> {
        match self {
            Self::Number(text) | Self::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Flag(_) | Self::Number(_) => false,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(elements) => elements.iter().all(Self::is_empty),
            Self::Object(members) => members.iter().all(|(_, value)| value.is_empty()),
        }
    }
}

fn read(json: &str, depth: usize) -> Tree {
    let json = json.trim();
    let kept = || Tree::Text(json.to_owned());
    match json.as_bytes().first() {
        Some(b'{' | b'[') if depth >= DEEPEST => kept(),
        Some(b'{') => serde_json::from_str::<Members<'_>>(json).map_or_else(
            |_| kept(),
            |Members(members)| {
                Tree::Object(members.into_iter().map(|(name, value)| (name, read(value.get(), depth + 1))).collect())
            },
        ),
        Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(json).map_or_else(
            |_| kept(),
            |elements| Tree::List(elements.into_iter().map(|one| read(one.get(), depth + 1)).collect()),
        ),
        Some(b'"') => serde_json::from_str::<String>(json).map_or_else(|_| kept(), |text| opened(text, depth)),
        Some(b'n') => Tree::Null,
        Some(b't' | b'f') => Tree::Flag(json == "true"),
        _ => Tree::Number(json.to_owned()),
    }
}

/// Opens a text that itself holds a JSON list or object.
fn opened(text: String, depth: usize) -> Tree {
    let within = text.trim();
    let is_json = within.starts_with(['{', '[']) && serde_json::from_str::<&RawValue>(within).is_ok();
    if is_json { read(within, depth + 1) } else { Tree::Text(text) }
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Listed;
        impl<'de> Visitor<'de> for Listed {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Listed)
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(read(Box::<RawValue>::deserialize(deserializer)?.get(), 0))
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Number(text) => RawValue::from_string(text.clone()).map_err(S::Error::custom)?.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(elements) => serializer.collect_seq(elements),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(json: &str) -> Tree {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_shape_is_written_as_it_was_read() {
        for json in [
            "null",
            "true",
            "12345678901234567890.123456789012345678901234567890",
            "1.2E7",
            "0.10",
            r#""a\"b""#,
            "[]",
            r#"{"b":[1,{"a":null}],"a":0.30,"b":"twice"}"#,
        ] {
            assert_eq!(serde_json::to_string(&tree(json)).unwrap(), json);
        }
    }

    #[test]
    fn json_within_a_text_is_read_and_half_of_it_stays_text() {
        assert_eq!(tree(r#""[{\"a\":1.50}]""#), tree(r#"[{"a":1.50}]"#));
        assert_eq!(tree(r#""[1, 2""#), Tree::Text("[1, 2".into()));
    }

    #[test]
    fn no_depth_and_no_half_sign_makes_an_answer_unreadable() {
        let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
        assert!(!tree(&deep).is_empty());
        assert_eq!(tree(r#"{"a":"\ud800"}"#).get("a"), Some(&Tree::Text(r#""\ud800""#.into())));
    }

    #[test]
    fn what_holds_nothing_is_empty() {
        for json in ["null", "\"\"", "\" \"", "[]", "{}", r#"[null,{"a":[]}]"#] {
            assert!(tree(json).is_empty(), "{json}");
        }
        for json in ["0", "false", r#"[{"a":"x"}]"#] {
            assert!(!tree(json).is_empty(), "{json}");
        }
    }
}
