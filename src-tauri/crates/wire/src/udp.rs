//! `udpOptions`: whether the vendor offers UDP on, off or both, in whatever shape.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::choice::{Choice, Choices};
use crate::facts::folded;

/// The UDP choices. When none is offered, the contract's own two values apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UdpOptions {
    /// At most one choice each for on and off, in the vendor's order.
    pub offered: Vec<UdpChoice>,
    /// Elements that could not be read, as they came, for display.
    pub unread: Vec<String>,
}

/// On or off, with the vendor's names for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UdpChoice {
    /// The value of `isUdp`.
    pub on: bool,
    /// Chinese name; empty when not reported.
    pub name_zh: String,
    /// English name; empty when not reported.
    pub name_en: String,
}

const ON: [&str; 14] =
    ["true", "1", "on", "yes", "y", "enable", "enabled", "open", "udp", "开启", "开", "启用", "是", "支持"];
const OFF: [&str; 15] = [
    "false",
    "0",
    "off",
    "no",
    "n",
    "disable",
    "disabled",
    "close",
    "closed",
    "关闭",
    "关",
    "禁用",
    "否",
    "不支持",
    "none",
];

/// Reads the choices of the list.
pub fn udp(list: Choices) -> UdpOptions {
    let mut read = UdpOptions { offered: Vec::new(), unread: list.unread };
    for choice in list.known {
        add(choice, &mut read);
    }
    read
}

fn add(choice: Choice, read: &mut UdpOptions) {
    if choice.value.is_empty() && !choice.children.is_empty() {
        choice.children.into_iter().for_each(|below| add(below, read));
        return;
    }
    match means(&choice) {
        Some(on) if read.offered.iter().any(|one| one.on == on) => {}
        Some(on) => read.offered.push(UdpChoice { on, name_zh: choice.name_zh, name_en: choice.name_en }),
        None => read.unread.push(as_text(&choice)),
    }
}

/// Reads on or off from the value, or from the names if the value says nothing. `None` when unclear or contradictory.
fn means(choice: &Choice) -> Option<bool> {
    let (named, value) = (word(&choice.name_en).or_else(|| word(&choice.name_zh)), word(&choice.value));
    match (value, named) {
        (Some(value), Some(named)) if value != named => None,
        (value, named) => value.or(named),
    }
}

fn word(text: &str) -> Option<bool> {
    let text = folded(text.trim());
    let text = text.strip_prefix("udp").filter(|rest| !rest.is_empty()).unwrap_or(&text);
    if ON.contains(&text) { Some(true) } else { OFF.contains(&text).then_some(false) }
}

fn as_text(choice: &Choice) -> String {
    let told = [&choice.value, &choice.name_en, &choice.name_zh];
    let mut texts: Vec<&str> = told.into_iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    texts.dedup();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::choices;
    use serde_json::json;

    #[test]
    fn only_what_is_offered_is_offered() {
        let cases = [
            (json!([false]), "off"),
            (json!([true]), "on"),
            (json!([{"value": false, "nameZh": "关闭", "nameEn": "Off"}]), "off"),
            (json!([{"value": 0, "label": "关闭"}, {"value": 1, "label": "开启"}]), "off on"),
            (json!(["ON", "Off"]), "on off"),
            (json!([{"code": "A", "name": "UDP off"}]), "off"),
            (json!([1, "true", {"value": true, "label": "On"}]), "on"),
            (json!(false), "off"),
            (json!({"all": [{"value": true}]}), "on"),
            (json!(null), ""),
            (json!([]), ""),
        ];
        for (list, expected) in cases {
            let read = udp(choices(&list));
            let offered: Vec<&str> = read.offered.iter().map(|one| if one.on { "on" } else { "off" }).collect();
            assert_eq!((offered.join(" ").as_str(), read.unread.len()), (expected, 0), "{list}");
        }
    }

    #[test]
    fn what_is_neither_on_nor_off_is_kept_as_it_came_and_never_guessed() {
        let list = json!([2, {"value": true, "label": "关闭"}, {"tier": {"from": 1}}, {"value": false}]);
        let read = udp(choices(&list));
        assert_eq!(read.offered.len(), 1);
        assert_eq!(read.unread, [r#"{"tier":{"from":1}}"#, "2", "true 关闭"]);
    }
}
