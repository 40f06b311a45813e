//! Locations and purchase options (area A): a small world of its own, with ids beyond 2^53.

use crate::choices::{Elements, Figures, Writing};
use crate::json::{Json, list, object};
use crate::spelling::figure;
use rust_decimal::Decimal;
use serde_json::Value;

/// Id, Chinese and English name.
type Continent = (&'static str, &'static str, &'static str);
/// Id, continent, code, Chinese and English name.
type Country = (&'static str, &'static str, &'static str, &'static str, &'static str);
/// Id, country, Chinese and English name.
type State = (&'static str, &'static str, &'static str, &'static str);
/// Id, country, state (may be empty), Chinese and English name.
type City = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CONTINENTS: [Continent; 3] = [
    ("9100000000000000001", "亚洲", "Asia"),
    ("9100000000000000002", "北美洲", "North America"),
    ("9100000000000000003", "欧洲", "Europe"),
];
const COUNTRIES: [Country; 5] = [
    ("9200000000000000011", "9100000000000000001", "JP", "日本", "Japan"),
    ("9200000000000000012", "9100000000000000001", "SG", "新加坡", "Singapore"),
    ("9200000000000000013", "9100000000000000002", "US", "美国", "United States"),
    ("9200000000000000014", "9100000000000000002", "CA", "加拿大", "Canada"),
    ("9200000000000000015", "9100000000000000003", "DE", "德国", "Germany"),
];
const STATES: [State; 3] = [
    ("9300000000000000021", "9200000000000000013", "加利福尼亚州", "California"),
    ("9300000000000000022", "9200000000000000013", "得克萨斯州", "Texas"),
    ("9300000000000000023", "9200000000000000014", "安大略省", "Ontario"),
];
const CITIES: [City; 9] = [
    ("9400000000000000031", "9200000000000000011", "", "东京", "Tokyo"),
    ("9400000000000000032", "9200000000000000011", "", "大阪", "Osaka"),
    ("9400000000000000033", "9200000000000000012", "", "新加坡", "Singapore"),
    ("9400000000000000034", "9200000000000000013", "9300000000000000021", "洛杉矶", "Los Angeles"),
    ("9400000000000000035", "9200000000000000013", "9300000000000000021", "圣何塞", "San José"),
    ("9400000000000000036", "9200000000000000013", "9300000000000000022", "达拉斯", "Dallas"),
    ("9400000000000000037", "9200000000000000014", "9300000000000000023", "多伦多", "Toronto"),
    ("9400000000000000038", "9200000000000000015", "", "柏林", "Berlin"),
    ("9400000000000000039", "9200000000000000015", "", "法兰克福", "Frankfurt am Main"),
];
/// Id, Chinese and English name.
pub(crate) const BUSINESSES: [Continent; 4] = [
    ("9500000000000000041", "跨境电商", "Online shops"),
    ("9500000000000000042", "社交媒体", "Social media"),
    ("9500000000000000043", "数据采集", "Data collection"),
    ("9500000000000000044", "游戏", "Games"),
];

/// The body of a location or inventory request.
pub(crate) struct Wanted<'a>(pub(crate) &'a Value);

impl Wanted<'_> {
    fn word(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|word| !word.is_empty())
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.word(name).is_none_or(|wanted| wanted.eq_ignore_ascii_case(value))
    }

    fn names(&self, zh: &str, en: &str) -> bool {
        self.word("keyword").is_none_or(|word| zh.contains(word) || en.to_lowercase().contains(&word.to_lowercase()))
    }
}

fn country(id: &str) -> Country {
    COUNTRIES.into_iter().find(|country| country.0 == id).unwrap_or_default()
}

pub(crate) fn continents() -> Json {
    list(
        CONTINENTS
            .map(|(id, zh, en)| object([("continentId", id.into()), ("nameZh", zh.into()), ("nameEn", en.into())])),
    )
}

pub(crate) fn countries(wanted: &Wanted<'_>) -> Json {
    let fit = |c: &Country| wanted.is("continentId", c.1) && wanted.names(c.3, c.4);
    let shown = |(id, of, code, zh, en): Country| {
        let continent = CONTINENTS.into_iter().find(|known| known.0 == of).unwrap_or_default();
        object([
            ("countryId", id.into()),
            ("continentId", of.into()),
            ("countryCode", code.into()),
            ("nameZh", zh.into()),
            ("nameEn", en.into()),
            ("continentName", continent.1.into()),
        ])
    };
    list(COUNTRIES.into_iter().filter(fit).map(shown))
}

pub(crate) fn states(wanted: &Wanted<'_>) -> Json {
    let fit = |(_, of, zh, en): &State| {
        wanted.is("countryId", of) && wanted.is("countryCode", country(of).2) && wanted.names(zh, en)
    };
    let shown = |(id, of, zh, en): State| {
        object([
            ("stateId", id.into()),
            ("countryId", of.into()),
            ("countryCode", country(of).2.into()),
            ("nameZh", zh.into()),
            ("nameEn", en.into()),
            ("countryName", country(of).3.into()),
        ])
    };
    list(STATES.into_iter().filter(fit).map(shown))
}

pub(crate) fn cities(wanted: &Wanted<'_>, writing: &Writing) -> Json {
    let fit = |(_, of, state, zh, en): &City| {
        wanted.is("stateId", state)
            && wanted.is("countryId", of)
            && wanted.is("countryCode", country(of).2)
            && wanted.names(zh, en)
    };
    let shown = |(id, of, state, zh, en): City| {
        let known = STATES.into_iter().find(|known| known.0 == state).unwrap_or_default();
        let empty = state.is_empty() && writing.empty_state_is_null;
        object([
            ("cityId", id.into()),
            ("countryId", of.into()),
            ("stateId", if empty { Json::Null } else { state.into() }),
            ("countryCode", country(of).2.into()),
            ("nameZh", zh.into()),
            ("nameEn", en.into()),
            ("countryName", country(of).3.into()),
            ("stateName", known.2.into()),
            ("stateNameEn", known.3.into()),
        ])
    };
    list(CITIES.into_iter().filter(fit).map(shown))
}

/// The stock. Its shape is "not shown", so it follows the public notes, with 17 addresses in each city.
pub(crate) fn stock(wanted: &Wanted<'_>) -> Json {
    let any = wanted.word("countryCode") == Some("ALL");
    let counted = wanted.0.get("needInventory").and_then(Value::as_bool).unwrap_or(true);
    let available = |cities: usize| {
        if counted { Json::from(17 * i64::try_from(cities).unwrap_or_default()) } else { Json::Null }
    };
    let shown = |(id, of, code, zh, en): Country| {
        let own: Vec<City> = CITIES.into_iter().filter(|city| city.1 == id).collect();
        object([
            ("continentId", of.into()),
            ("countryId", id.into()),
            ("countryCode", code.into()),
            ("nameZh", zh.into()),
            ("nameEn", en.into()),
            ("available", available(own.len())),
            (
                "cities",
                list(own.into_iter().map(|(id, _, _, zh, en)| {
                    let names = [("cityId", id.into()), ("nameZh", zh.into()), ("nameEn", en.into())];
                    object(names).with([("available", available(1))])
                })),
            ),
        ])
    };
    let fit = |c: &Country| (any || wanted.is("countryCode", c.2)) && wanted.names(c.3, c.4);
    list(COUNTRIES.into_iter().filter(fit).map(shown))
}

/// The stock by segment, one for each city. Keyword and sort are ignored.
pub(crate) fn segments(wanted: &Wanted<'_>, amounts: Figures) -> Json {
    let fit = |(_, (id, of, ..)): &(usize, City)| wanted.is("countryCode", country(of).2) && wanted.is("cityCode", id);
    let shown = |(at, (id, of, _, zh, en)): (usize, City)| {
        let at = i64::try_from(at).unwrap_or_default();
        object([
            ("cidrId", format!("9700000000000000{at:03}").into()),
            ("cidr", format!("203.0.113.{}/28", at * 16).into()),
            ("countryCode", country(of).2.into()),
            ("cityId", id.into()),
            ("nameZh", zh.into()),
            ("nameEn", en.into()),
            ("available", (3 + at).into()),
            ("unitPrice", figure(Decimal::new(11 + at, 2), amounts)),
            ("currency", "USD".into()),
        ])
    };
    list(CITIES.into_iter().enumerate().filter(fit).map(shown))
}

/// The purchase options, with the contract's names and this service's elements.
pub(crate) fn options(elements: Elements) -> Json {
    let one = |value: Json, zh: &str, en: &str| element(elements, value, zh, en);
    let days = |days: i64| one(days.into(), &format!("{days}天"), &format!("{days} days"));
    let limit = |limit: i64| one(limit.into(), &format!("{limit}"), &format!("{limit}"));
    let business = |from: usize, to: usize| {
        list(BUSINESSES.iter().take(to).skip(from).map(|(id, zh, en)| one((*id).into(), zh, en)))
    };
    object([
        ("exclusivityOptions", list([one(Json::from(1), "独享", "Exclusive"), one(Json::from(2), "共享", "Shared")])),
        (
            "qualityOptions",
            list([
                one("basic".into(), "基础", "Basic"),
                one("standard".into(), "标准", "Standard"),
                one("premium".into(), "高级", "Premium"),
            ]),
        ),
        ("udpOptions", list([one(true.into(), "开启", "On"), one(false.into(), "关闭", "Off")])),
        ("bandwidthOptions", list([0, 5, 20, 80].map(limit))),
        ("connLimitOptions", list([64, 256, 1024].map(limit))),
        ("businessOptions", object([("common", business(0, 2)), ("hot", business(2, 3)), ("all", business(0, 4))])),
        ("durationOptions", list([7, 30, 90, 365].map(days))),
    ])
}

fn element(elements: Elements, value: Json, zh: &str, en: &str) -> Json {
    match elements {
        Elements::Plain => value,
        Elements::CodeName => object([("code", value), ("name", zh.into())]),
        Elements::ValueLabel => object([("value", value), ("label", en.into())]),
        Elements::IdNames => {
            let id = match value {
                Json::Number(text) | Json::Text(text) => text.into(),
                other => other,
            };
            object([("id", id), ("nameZh", zh.into()), ("nameEn", en.into())])
        }
    }
}
