//! One choice of an option list, whatever its shape.
//!
//! "Element shapes of the option arrays …: not shown." So plain values, `value`/`label`, `code`/`name`,
//! `id`/`nameZh`/`nameEn` and nesting are all read; anything else is kept as text.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::amount::Amount;

/// A value that can be chosen, with its names and, in a tree, its children.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// The text that goes into the purchase config. Empty when the choice is only a heading.
    pub value: String,
    /// Chinese name; empty when not reported.
    pub name_zh: String,
    /// English name; empty when not reported.
    pub name_en: String,
    /// Choices below this one.
    pub children: Vec<Choice>,
}

/// A list of choices, as far as it could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Choices {
    /// The choices that could be read, in the vendor's order.
    pub known: Vec<Choice>,
    /// Raw JSON of each element of unknown shape: it is shown, and the value is typed by hand.
    pub unread: Vec<String>,
}

const VALUE_KEYS: [&str; 8] = ["value", "code", "id", "businessId", "key", "days", "limit", "type"];
const CHINESE_KEYS: [&str; 4] = ["nameZh", "labelZh", "zh", "nameCn"];
const ENGLISH_KEYS: [&str; 4] = ["nameEn", "labelEn", "en", "nameUs"];
const ANY_NAME_KEYS: [&str; 5] = ["label", "name", "title", "text", "desc"];
const CHILD_KEYS: [&str; 4] = ["children", "items", "options", "list"];

/// Reads a list of choices. An object is read as named groups ("common, hot, all").
pub fn choices(value: &Value) -> Choices {
    match value {
        Value::Array(elements) => list(elements),
        Value::Object(groups) if !groups.is_empty() && choice(value, &mut Vec::new()).is_none() => {
            let mut read = Choices::default();
            for (name, members) in groups {
                let Value::Array(members) = members else {
                    read.unread.push(format!("{{\"{name}\":{members}}}"));
                    continue;
                };
                let inner = list(members);
                read.unread.extend(inner.unread);
                read.known.push(Choice {
                    name_zh: name.clone(),
                    name_en: name.clone(),
                    children: inner.known,
                    ..Choice::default()
                });
            }
            read
        }
        Value::Null => Choices::default(),
        other => list(std::slice::from_ref(other)),
    }
}

fn list(elements: &[Value]) -> Choices {
    let mut read = Choices::default();
    for element in elements {
        match choice(element, &mut read.unread) {
            Some(choice) => read.known.push(choice),
            None if element.is_null() => {}
            None => read.unread.push(element.to_string()),
        }
    }
    read
}

/// Reads one choice. Children of unknown shape go to `unread`.
fn choice(element: &Value, unread: &mut Vec<String>) -> Option<Choice> {
    if let Some(value) = scalar(element) {
        return Some(Choice { value, ..Choice::default() });
    }
    let object = element.as_object()?;
    let first = |keys: &[&str]| keys.iter().find_map(|key| object.get(*key).and_then(scalar));
    let any_name = first(&ANY_NAME_KEYS);
    let below = CHILD_KEYS.iter().find_map(|key| object.get(*key).and_then(Value::as_array));
    let Choices { known: children, unread: odd } = below.map(|below| list(below)).unwrap_or_default();
    let read = Choice {
        value: first(&VALUE_KEYS).unwrap_or_default(),
        name_zh: first(&CHINESE_KEYS).or_else(|| any_name.clone()).unwrap_or_default(),
        name_en: first(&ENGLISH_KEYS).or(any_name).unwrap_or_default(),
        children,
    };
    if read.value.is_empty() && read.children.is_empty() {
        return None;
    }
    unread.extend(odd);
    Some(read)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        // `1.2E7` is the same choice as 12000000, and the config takes whole numbers.
        Value::Number(number) => {
            let written = number.to_string();
            Some(written.parse::<Amount>().map_or(written, |exact| exact.to_string()))
        }
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(read: &Choices) -> Vec<&str> {
        read.known.iter().map(|choice| choice.value.as_str()).collect()
    }

    #[test]
    fn every_documented_guess_at_a_shape_gives_its_values() {
        let cases = [
            (json!([7, 30]), vec!["7", "30"]),
            (json!(["basic", "premium"]), vec!["basic", "premium"]),
            (json!([true, false]), vec!["true", "false"]),
            (json!([{"value": 1, "label": "Exclusive"}]), vec!["1"]),
            (json!([{"code": "basic", "name": "Basic"}]), vec!["basic"]),
            (json!([{"id": "2059463641505337345", "nameZh": "a", "nameEn": "b"}]), vec!["2059463641505337345"]),
            (json!({"value": 5, "label": "one alone"}), vec!["5"]),
            (json!(30), vec!["30"]),
            (Value::Null, vec![]),
            (json!([]), vec![]),
            (json!([null, 7]), vec!["7"]),
        ];
        for (shape, expected) in cases {
            assert_eq!(values(&choices(&shape)), expected, "{shape}");
        }
    }

    #[test]
    fn groups_become_headings_with_their_choices_below() {
        let read = choices(&json!({"common": [{"id": "1", "nameEn": "Shop", "nameZh": "店"}], "hot": [], "all": []}));
        assert_eq!(read.known.len(), 3);
        assert_eq!(read.known[0].name_en, "common");
        assert_eq!(read.known[0].children[0].name_zh, "店");
    }

    #[test]
    fn an_unknown_shape_is_kept_word_for_word() {
        let read = choices(&json!([[1, 2], {"odd": {"deep": 1}}, 7]));
        assert_eq!(values(&read), ["7"]);
        assert_eq!(read.unread, ["[1,2]", r#"{"odd":{"deep":1}}"#]);
        let below = choices(&json!([{"id": 1, "children": [{"id": 2}, {"odd": {"deep": 1}}]}]));
        assert_eq!((below.known[0].children.len(), below.unread.len()), (1, 1));
    }
}
