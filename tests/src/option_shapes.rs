//! Shapes in which a vendor may list its options. The contract shows none.

use serde_json::{Value, json};

/// Returns the name of each shape, and its data of `purchase/options`.
pub fn all() -> Vec<(&'static str, Value)> {
    let lists = |list: Value| {
        json!({"exclusivityOptions": list, "qualityOptions": list, "udpOptions": list, "bandwidthOptions": list,
            "connLimitOptions": list, "businessOptions": list, "durationOptions": list})
    };
    let named = |key: &str, zh: &str, en: &str| json!([{key: 1, zh: "一", en: "One"}, {key: 2, zh: "二", en: "Two"}]);
    let deep = (0..40).fold(json!([1]), |inner, _| json!([{"id": 7, "name": "n", "children": inner}]));
    let mut all = vec![
        ("nothing at all", json!({})),
        ("null", Value::Null),
        ("a list where an object belongs", json!([])),
        ("a word where an object belongs", json!("none")),
        ("new lists beside the known", json!({"futureOptions": [1], "durationOptions": [30]})),
        ("UDP off alone", json!({"udpOptions": [{"value": false, "nameZh": "关闭", "nameEn": "Off"}]})),
        ("UDP in words", json!({"udpOptions": ["on", "off", "sometimes"]})),
        ("numbers", lists(json!([1, 2, 30]))),
        ("numbers as text", lists(json!(["1", "2", "30"]))),
        ("words", lists(json!(["basic", "standard"]))),
        ("booleans", lists(json!([true, false]))),
        ("fractions", lists(json!([0.5, 1.5]))),
        ("exponents", lists(json!([1e3, 1.2E7]))),
        ("ids past 2^53", lists(json!(["2059463641505337345", 2_059_463_641_505_337_346_u64]))),
        ("value and label", lists(named("value", "label", "label"))),
        ("code and name", lists(named("code", "name", "name"))),
        ("id, nameZh, nameEn", lists(named("id", "nameZh", "nameEn"))),
        ("key and title", lists(named("key", "title", "title"))),
        ("days and desc", lists(named("days", "desc", "desc"))),
        ("value without a name", lists(json!([{"value": 30}, {"value": 60}]))),
        ("a name without a value", lists(json!([{"name": "thirty"}]))),
        ("one object instead of a list", lists(json!({"value": 30, "label": "30 days"}))),
        ("one number instead of a list", lists(json!(30))),
        ("groups by name", lists(json!({"common": [1, 2], "hot": [], "all": [3]}))),
        ("groups of objects", lists(json!({"common": [{"id": "1", "nameEn": "One"}], "all": [{"id": "2"}]}))),
        ("a tree of two levels", lists(json!([{"id": 1, "nameEn": "A", "children": [{"id": 2, "nameEn": "B"}]}]))),
        ("a tree under items", lists(json!([{"name": "A", "items": [{"code": "b", "name": "B"}]}]))),
        ("a tree of forty levels", lists(deep)),
        ("the same value twice", lists(json!([{"value": 30, "label": "a"}, {"value": 30, "label": "b"}, 30]))),
        ("nulls among them", lists(json!([null, 30, null]))),
        ("lists within lists", lists(json!([[1, 2], [3]]))),
        ("empty objects", lists(json!([{}, {}]))),
        ("empty text", lists(json!(["", {"value": ""}]))),
        ("an object nobody knows", lists(json!([{"tier": {"from": 1, "to": 9}}]))),
        ("known and unknown mixed", lists(json!([30, {"tier": {"from": 1}}, "60"]))),
        ("very long names", lists(json!([{"value": 1, "label": "x".repeat(600)}]))),
        ("names that look like markup", lists(json!([{"value": 1, "label": "<img src=x onerror=alert(1)>"}]))),
        ("right to left and emoji", lists(json!([{"value": 1, "label": "\u{202e}abc \u{1f600}"}]))),
        ("null in every list", lists(Value::Null)),
    ];
    all.push((
        "five hundred of them",
        lists((0..500).map(|at| json!({"value": at, "nameEn": format!("No. {at}")})).collect()),
    ));
    all
}
