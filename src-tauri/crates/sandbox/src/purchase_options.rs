//! The choices of `GET purchase/options`: objects with `value`, `nameZh`, `nameEn`.

use serde_json::{Value, json};

fn choice(value: impl Into<Value>, name_zh: &str, name_en: &str) -> Value {
    json!({"value": value.into(), "nameZh": name_zh, "nameEn": name_en})
}

/// Id, Chinese and English name.
type Named = (&'static str, &'static str, &'static str);

/// Business purposes in their groups.
const PURPOSES: [(Named, &[Named]); 4] = [
    (
        ("10", "跨境电商", "E-commerce"),
        &[
            ("1001", "亚马逊店铺", "Amazon shops"),
            ("1002", "独立站", "Own shops"),
            ("1003", "价格监测", "Price monitoring"),
        ],
    ),
    (
        ("20", "社交媒体", "Social media"),
        &[("2001", "账号运营", "Account management"), ("2002", "广告投放", "Advertising")],
    ),
    (
        ("30", "数据采集", "Data collection"),
        &[("3001", "搜索结果", "Search results"), ("3002", "公开数据", "Public data")],
    ),
    (("40", "其他", "Other"), &[("4001", "游戏", "Games"), ("4002", "质量测试", "Quality testing")]),
];

/// Whether an order may name this purpose.
pub(crate) fn is_purpose(id: &str) -> bool {
    purpose(id).is_some()
}

/// Chinese and English name of a purpose.
pub(crate) fn purpose(id: &str) -> Option<(&'static str, &'static str)> {
    let all = PURPOSES.iter().flat_map(|(_, below)| below.iter());
    all.filter(|(purpose, ..)| *purpose == id).map(|(_, zh, en)| (*zh, *en)).next()
}

pub(crate) fn all() -> Value {
    let tree = |groups: &[&str]| -> Value {
        let chosen = PURPOSES.iter().filter(|((id, ..), _)| groups.is_empty() || groups.contains(id));
        let group = |((id, zh, en), below): &(Named, &[Named])| {
            let children: Vec<Value> = below.iter().map(|(id, zh, en)| choice(*id, zh, en)).collect();
            json!({"value": id, "nameZh": zh, "nameEn": en, "children": children})
        };
        chosen.map(group).collect()
    };
    json!({
        "exclusivityOptions": [choice(1, "独享", "Exclusive"), choice(2, "共享", "Shared")],
        "qualityOptions": [choice("basic", "基础", "Basic"), choice("standard", "标准", "Standard"), choice("premium", "优质", "Premium")],
        "udpOptions": [choice(false, "关闭", "Off"), choice(true, "开启", "On")],
        "bandwidthOptions": [choice(10, "10 M/s", "10 M/s"), choice(50, "50 M/s", "50 M/s"), choice(0, "不限", "Unlimited")],
        "connLimitOptions": [choice(100, "100", "100"), choice(500, "500", "500"), choice(1000, "1000", "1000")],
        "businessOptions": {"common": tree(&["10"]), "hot": tree(&["20", "30"]), "all": tree(&[])},
        "durationOptions": [choice(7, "7 天", "7 days"), choice(30, "30 天", "30 days"), choice(60, "60 天", "60 days"),
            choice(90, "90 天", "90 days"), choice(180, "180 天", "180 days"), choice(365, "365 天", "365 days")],
    })
}
