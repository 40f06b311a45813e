//! Readers for values that arrive in more than one JSON type.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::amount::Amount;

/// Text given as a string or as an integer.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    struct Text;
    impl Visitor<'_> for Text {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string or an integer")
        }
        fn visit_str<E: Error>(self, v: &str) -> Result<String, E> {
            Ok(v.to_owned())
        }
        fn visit_string<E: Error>(self, v: String) -> Result<String, E> {
            Ok(v)
        }
        fn visit_u64<E: Error>(self, v: u64) -> Result<String, E> {
            Ok(v.to_string())
        }
        fn visit_i64<E: Error>(self, v: i64) -> Result<String, E> {
            Ok(v.to_string())
        }
    }
    deserializer.deserialize_any(Text)
}

/// An integer given as a number or as a string of digits.
pub(crate) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let written = text(deserializer)?;
    written.trim().parse().map_err(|_| D::Error::custom("expected an integer"))
}

/// An optional integer; absent, null and unreadable all mean "not reported".
pub(crate) fn maybe_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| match value {
        serde_json::Value::Number(number) => number.as_i64(),
        serde_json::Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }))
}

/// Text that may be absent or null: both are the empty string. Any other value becomes its JSON.
pub(crate) fn maybe_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    /// Accepts strings directly: names are by far the most frequent values.
    struct MaybeText;
    impl<'de> Visitor<'de> for MaybeText {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("text or nothing")
        }
        fn visit_str<E: Error>(self, v: &str) -> Result<String, E> {
            Ok(v.to_owned())
        }
        fn visit_string<E: Error>(self, v: String) -> Result<String, E> {
            Ok(v)
        }
        fn visit_unit<E: Error>(self) -> Result<String, E> {
            Ok(String::new())
        }
        fn visit_bool<E: Error>(self, v: bool) -> Result<String, E> {
            Ok(v.to_string())
        }
        fn visit_u64<E: Error>(self, v: u64) -> Result<String, E> {
            Ok(v.to_string())
        }
        fn visit_i64<E: Error>(self, v: i64) -> Result<String, E> {
            Ok(v.to_string())
        }
        fn visit_f64<E: Error>(self, v: f64) -> Result<String, E> {
            Ok(v.to_string())
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<String, A::Error> {
            Value::deserialize(MapAccessDeserializer::new(map)).map(|value| value.to_string())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<String, A::Error> {
            Value::deserialize(SeqAccessDeserializer::new(seq)).map(|value| value.to_string())
        }
    }
    deserializer.deserialize_any(MaybeText)
}

/// An id that may be absent or null: both are the empty id.
pub(crate) fn maybe_id<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// An amount that may be absent, null, empty or unreadable: all mean "not reported".
pub(crate) fn maybe_amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Amount>, D::Error> {
    let raw = Option::<Box<RawValue>>::deserialize(deserializer)?;
    Ok(raw.and_then(|raw| serde_json::from_str(raw.get()).ok()))
}

/// A list that may be absent or null: both are empty.
pub(crate) fn maybe_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}
