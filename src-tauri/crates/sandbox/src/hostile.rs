//! Answers in which every text carries a hostile payload.

use serde_json::Value;

/// Endings of names whose values are not free text: numbers in quotes, words of the contract, secrets.
const NO_TEXT: [&str; 16] = [
    "id", "no", "code", "version", "type", "status", "currency", "token", "password", "protocol", "time", "date", "ip",
    "mode", "strategy", "key",
];

/// Appends a payload to each text of a value, in turn, beginning with number `next`.
pub(crate) fn poison(value: &mut Value, name: &str, payloads: &[String], next: &mut usize) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(name, value)| poison(value, name, payloads, next)),
        Value::Array(values) => values.iter_mut().for_each(|value| poison(value, name, payloads, next)),
        Value::String(text) if is_text(name, text) => {
            text.push_str(&payloads[*next % payloads.len()]);
            *next += 1;
        }
        _ => {}
    }
}

fn is_text(name: &str, text: &str) -> bool {
    let name = name.to_ascii_lowercase();
    text.chars().any(char::is_alphabetic) && !NO_TEXT.iter().any(|end| name.ends_with(end))
}
