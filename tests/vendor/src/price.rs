//! Prices: the price of a basket, and the checks of an order against it (area A, Quote and Purchase config).

use crate::command::No;
use crate::json::{Json, list, object};
use crate::places;
use crate::spelling::{figure, moment};
use crate::world::World;
use rust_decimal::Decimal;
use serde_json::Value;

/// A quoted price.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Price {
    pub(crate) version: String,
    pub(crate) config: Value,
    pub(crate) amount: Decimal,
    pub(crate) count: u32,
    pub(crate) expires_ms: i64,
    pub(crate) percent: u32,
    pub(crate) used: bool,
}

impl World {
    /// Quotes a price.
    pub(crate) fn quote(&mut self, body: &Value, now_ms: i64) -> Result<Json, No> {
        let config = body.get("config").filter(|config| config.is_object()).cloned();
        let config = config.ok_or_else(|| self.order_no(None, "缺少 config"))?;
        let lines = lines(&config).ok_or_else(|| self.order_no(None, "config 有误"))?;
        let count = lines.iter().map(|(_, count)| count).sum();
        let each = each(&config).ok_or_else(|| self.order_no(None, "config 有误"))?;
        let each = each * Decimal::new(i64::from(self.price_percent), 2);
        let said = config.get("purchaseIpCount").and_then(Value::as_u64);
        if count == 0 || said != Some(u64::from(count)) {
            return Err(self.order_no(None, "购买数量与明细不符"));
        }
        let (id, version) = (format!("q-{}", self.dice.word()), format!("{}.{}", self.price_percent, now_ms));
        let amount = each * Decimal::from(count);
        let expires_ms = now_ms + self.choices.deeds.price_stands_ms;
        let writing = &self.choices.writing;
        let line = |(place, count): &(String, u32)| {
            object([
                ("area", place.as_str().into()),
                ("num", i64::from(*count).into()),
                ("price", figure(each, writing.amounts)),
                ("sum", figure(each * Decimal::from(*count), writing.amounts)),
            ])
        };
        let shown = object([
            ("quoteId", id.as_str().into()),
            ("quoteVersion", version.as_str().into()),
            ("amount", figure(amount, writing.amounts)),
            ("currency", "USD".into()),
            ("expiresAt", moment(expires_ms, writing.moments, writing.zone_hours)),
            ("regionLines", list(lines.iter().map(line))),
            ("orderSummary", list([object([("title", "时长折扣".into()), ("rate", Json::from(0))])])),
        ]);
        let price = Price { version, config, amount, count, expires_ms, percent: self.price_percent, used: false };
        self.prices.insert(id, price);
        Ok(shown)
    }

    /// Checks that an order may be placed at this price: known, of this version and basket, still valid, unchanged.
    pub(crate) fn order_of(&self, body: &Value, now_ms: i64) -> Result<String, No> {
        let word = |name| body.get(name).and_then(Value::as_str);
        let (Some(id), Some(version), Some(config)) = (word("quoteId"), word("quoteVersion"), body.get("config"))
        else {
            return Err(self.order_no(None, "缺少参数"));
        };
        let price = self.prices.get(id).ok_or_else(|| self.stale())?;
        let stands = price.version == version && now_ms < price.expires_ms && price.percent == self.price_percent;
        if !stands {
            return Err(self.stale());
        }
        if price.config != *config {
            return Err(self.order_no(None, "config 与报价不一致"));
        }
        Ok(id.to_owned())
    }
}

/// The lines of a basket: place and count. `None` if the contract does not allow such a basket.
fn lines(config: &Value) -> Option<Vec<(String, u32)>> {
    let word = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let number = |item: &Value, name: &str| u32::try_from(item.get(name)?.as_u64()?).ok();
    let place = |item: &Value| word(item, "cityId").or(word(item, "cityCode")).or(word(item, "countryCode"));
    let items = |name: &str| config.get(name).and_then(Value::as_array).filter(|items| !items.is_empty());
    match config.get("allocateStrategy")?.as_u64()? {
        1 => items("quotaItems")?
            .iter()
            .map(|item| {
                let kind = word(item, "type")?;
                let known = ["country_random", "city", "global_random", "continent_random"].contains(&kind.as_str());
                known.then_some((place(item).unwrap_or(kind), number(item, "quantity")?))
            })
            .collect(),
        2 => items("segmentItems")?
            .iter()
            .map(|item| Some((word(item, "cidr")?, number(item, "purchaseIpCount")?)))
            .collect(),
        3 => items("specificIpItems")?.iter().map(|item| Some((word(item, "proxyIp")?, 1))).collect(),
        _ => None,
    }
}

/// Price of one address. `None` if a required field is missing or of another type.
fn each(config: &Value) -> Option<Decimal> {
    let line = match config.get("lineType")?.as_str()? {
        "basic" => Decimal::new(31, 3),
        "standard" => Decimal::new(47, 3),
        "premium" => Decimal::new(88, 3),
        _ => return None,
    };
    let shared = match config.get("sellMode")?.as_u64()? {
        1 => Decimal::ONE,
        2 => Decimal::new(55, 2),
        _ => return None,
    };
    config.get("businessId")?.as_str().filter(|id| places::BUSINESSES.iter().any(|known| known.0 == *id))?;
    config.get("isUdp")?.as_bool()?;
    config.get("connLimit")?.as_u64()?;
    let days = config.get("days")?.as_u64().filter(|days| (1..=3650).contains(days))?;
    Some(line * shared * Decimal::from(days))
}
