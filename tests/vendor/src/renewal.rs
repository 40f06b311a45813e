//! Renewals: the price of more days, and paying for them. The contract lacks them; what the public notes leave open is
//! chosen differently from the practice service: counts in words, the IPs that failed as an object.

use crate::choices::SeenKey;
use crate::command::{Done, No};
use crate::json::{Json, object};
use crate::ledger::{Actor, What};
use crate::spelling::figure;
use crate::world::World;
use rust_decimal::Decimal;
use serde_json::Value;

/// One paid renewal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Renewal {
    no: String,
    amount: Decimal,
    renewed: Vec<String>,
    failed: Vec<String>,
}

/// The IPs and days that are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// `resourceIds`.
    pub ids: Vec<String>,
    /// `periodDays`.
    pub days: u32,
}

/// Price of one IP for a day.
const EACH: Decimal = Decimal::from_parts(41, 0, 0, false, 3);
/// The periods on offer.
const PERIODS: [u64; 5] = [30, 60, 90, 180, 365];

impl World {
    /// Reads the body of either request.
    pub(crate) fn renewal_of(&self, body: &Value) -> Result<Wanted, No> {
        let ids = body.get("resourceIds").and_then(Value::as_array);
        let ids: Vec<String> = ids.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        let days = body.get("periodDays").and_then(Value::as_u64).filter(|days| PERIODS.contains(days));
        match days.and_then(|days| u32::try_from(days).ok()) {
            Some(days) if !ids.is_empty() => Ok(Wanted { ids, days }),
            _ => Err(self.order_no(None, "续费参数有误")),
        }
    }

    fn renewal_price(&self, wanted: &Wanted) -> Decimal {
        let known = wanted.ids.iter().filter(|id| self.is_delivered(id)).count();
        let each = EACH * Decimal::from(wanted.days) * Decimal::new(i64::from(self.price_percent), 2);
        each * Decimal::from(known)
    }

    /// The answer of renewals/quote.
    pub(crate) fn renewal_quote(&self, body: &Value) -> Result<Json, No> {
        let amount = self.renewal_price(&self.renewal_of(body)?);
        Ok(object([("amount", figure(amount, self.choices.writing.amounts)), ("currency", "USD".into())]))
    }

    /// Pays and renews. Checks a known key before anything else.
    pub(crate) fn renew(&mut self, wanted: &Wanted, key: Option<&str>, who: &Actor, at_ms: i64) -> Result<Done, No> {
        if let Some((_, renewal)) = key.and_then(|key| self.renewal_keys.get(key)) {
            return match self.choices.deeds.seen_key {
                SeenKey::SameOrder => Ok(Done::Renewal(*renewal)),
                SeenKey::Refused(code) => Err(self.order_no(Some(code.to_string()), "请求重复")),
            };
        }
        let amount = self.renewal_price(wanted);
        let (renewed, failed): (Vec<String>, Vec<String>) =
            wanted.ids.iter().cloned().partition(|id| self.is_delivered(id));
        if renewed.is_empty() {
            return Err(self.order_no(Some("60404".into()), "资源不存在"));
        }
        if self.wallet < amount {
            return Err(self.order_no(Some("60004".into()), "钱包余额不足"));
        }
        self.wallet -= amount;
        for id in &renewed {
            *self.days_added.entry(id.clone()).or_default() += wanted.days;
        }
        let at = self.renewals.len();
        let no = format!("RN{}-{:05}", at_ms / 1000, at + 1);
        let (key, ips) = (key.map(str::to_owned), renewed.clone());
        self.push(at_ms, who.clone(), What::Renewed { order_no: no.clone(), key: key.clone(), amount, ips });
        self.renewals.push(Renewal { no, amount, renewed, failed });
        if let Some(key) = key {
            self.renewal_keys.insert(key, (at_ms, at));
        }
        Ok(Done::Renewal(at))
    }

    /// The answer of a paid renewal.
    pub(crate) fn renewed(&self, renewal: &Renewal) -> Json {
        let count = |ids: &[String]| Json::from(ids.len().to_string().as_str());
        let failed = renewal.failed.iter().map(|id| (id.clone(), Json::from("资源不存在"))).collect();
        object([
            ("orderNo", renewal.no.as_str().into()),
            ("orderId", format!("9007{}", renewal.no.len()).as_str().into()),
            ("status", if self.choices.writing.status_words { "COMPLETED".into() } else { Json::from(20) }),
            ("amount", figure(renewal.amount, self.choices.writing.amounts)),
            ("currency", "USD".into()),
            ("successCount", count(&renewal.renewed)),
            ("failCount", count(&renewal.failed)),
            ("errors", Json::Object(failed)),
        ])
    }
}
