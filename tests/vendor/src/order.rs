//! Orders: booked, delivered in one part or two, and reported (area A, Placed order; orders/detail).

use crate::choices::Beyond;
use crate::json::{Json, list, object};
use crate::ledger::{Actor, What};
use crate::price::Price;
use crate::spelling::{figure, moment};
use crate::world::{Late, World};
use rust_decimal::Decimal;
use serde_json::Value;

/// One order.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// `orderNo`.
    pub no: String,
    /// `orderId`.
    pub id: String,
    /// The idempotency key it was placed with.
    pub key: Option<String>,
    /// Amount paid.
    pub amount: Decimal,
    /// Number of addresses bought.
    pub count: u32,
    /// Number delivered.
    pub delivered: u32,
    /// Time of payment, in milliseconds since 1970.
    pub paid_ms: i64,
}

impl World {
    /// Books a paid order and delivers its first part. Returns the order's index.
    pub(crate) fn book(&mut self, price: &Price, key: Option<&str>, who: &Actor, at_ms: i64) -> usize {
        let at = self.orders.len();
        let deeds = &self.choices.deeds;
        let (percent, rest_ms) = (deeds.delivered_at_once.min(100), deeds.rest_after_ms);
        let delivered = price.count * percent / 100;
        let no = format!("IP{}-{:05}", at_ms / 1000, at + 1);
        let id = format!("90072{:08}{:06}", self.dice.below(100_000_000), at);
        let key_text = key.map(str::to_owned);
        let (amount, count) = (price.amount, price.count);
        self.push(at_ms, who.clone(), What::Charged { order_no: no.clone(), key: key_text.clone(), amount });
        if delivered > 0 {
            self.push(at_ms, Actor::console(), What::Delivered { order_no: no.clone(), count: delivered });
        }
        if delivered < count {
            self.later(at_ms + rest_ms, Late::Deliver(at));
        }
        self.orders.push(Order { no, id, key: key_text, amount, count, delivered, paid_ms: at_ms });
        if let Some(key) = key {
            self.keys.insert(key.to_owned(), (at_ms, at));
        }
        at
    }

    pub(crate) fn deliver_rest(&mut self, order: usize, at_ms: i64) {
        let Some(order) = self.orders.get_mut(order) else { return };
        order.delivered = order.count;
        let what = What::Delivered { order_no: order.no.clone(), count: order.count };
        self.push(at_ms, Actor::console(), what);
    }

    fn status(&self, order: &Order) -> Json {
        let complete = order.delivered == order.count;
        if self.choices.writing.status_words {
            return if complete { "COMPLETED" } else { "DELIVERING" }.into();
        }
        Json::from(if complete { 20 } else { 3 })
    }

    /// The answer of place-and-pay.
    pub(crate) fn placed(&self, order: &Order) -> Json {
        object([
            ("orderNo", order.no.as_str().into()),
            ("orderId", order.id.as_str().into()),
            ("status", self.status(order)),
            ("amount", figure(order.amount, self.choices.writing.amounts)),
            ("currency", "USD".into()),
            ("deliverIpCount", i64::from(order.delivered).into()),
        ])
    }

    /// The answer of orders/status.
    pub(crate) fn standing(&self, order: &Order) -> Json {
        object([("orderNo", order.no.as_str().into()), ("status", self.status(order))])
    }

    /// The answer of ips/page: every delivered address, in order of payment, the number of pages in a text.
    pub(crate) fn ips(&self, body: &Value) -> Json {
        let number = |name: &str| body.get(name).and_then(Value::as_u64).filter(|n| *n > 0).unwrap_or(1) as usize;
        let all: Vec<Json> = self.orders.iter().enumerate().flat_map(|(at, order)| self.listed(at, order)).collect();
        let size = number("pageSize").min(self.choices.lists.largest_page.max(1) as usize);
        let last = all.len().div_ceil(size).max(1);
        let page = match self.choices.lists.beyond {
            Beyond::LastAgain => number("pageIndex").min(last),
            Beyond::Empty => number("pageIndex"),
        };
        let total = all.len().to_string();
        let records = list(all.into_iter().skip((page - 1) * size).take(size));
        object([("totalCount", total.as_str().into()), ("current", Json::from(page as i64)), ("records", records)])
    }

    fn listed(&self, at: usize, order: &Order) -> Vec<Json> {
        let writing = &self.choices.writing;
        let order_no = order.no.clone();
        let one = |number: u32| {
            let id = ip_id(at, number);
            let added = self.days_added.get(&id).copied().unwrap_or_default();
            let expires = order.paid_ms + i64::from(30 + added) * 86_400_000;
            object([
                ("ipId", id.into()),
                ("ip", format!("198.51.{}.{}", 100 + number / 250, 1 + number % 250).into()),
                ("port", i64::from(20_000 + number).into()),
                ("countryCode", "JP".into()),
                ("country", "日本".into()),
                ("expireTime", moment(expires, writing.moments, writing.zone_hours)),
                ("state", if writing.status_words { "ACTIVE".into() } else { Json::from(1) }),
                ("orderNo", order_no.as_str().into()),
            ])
        };
        (0..order.delivered).map(one).collect()
    }

    /// Whether an IP of this id was delivered.
    pub(crate) fn is_delivered(&self, id: &str) -> bool {
        let all = self.orders.iter().enumerate();
        all.flat_map(|(at, order)| (0..order.delivered).map(move |number| ip_id(at, number))).any(|known| known == id)
    }

    /// The answer of orders/detail.
    pub(crate) fn detail(&self, order: &Order) -> Json {
        let writing = &self.choices.writing;
        let at = moment(order.paid_ms, writing.moments, writing.zone_hours);
        object([
            ("orderNo", order.no.as_str().into()),
            ("status", self.status(order)),
            ("productName", "静态住宅代理".into()),
            ("amount", figure(order.amount, writing.amounts)),
            ("discountAmount", figure(Decimal::ZERO, writing.amounts)),
            ("currency", "USD".into()),
            ("createTime", at.clone()),
            ("payTime", at),
            ("purchaseIpCount", i64::from(order.count).into()),
            ("deliverIpCount", i64::from(order.delivered).into()),
            ("details", list([object([("spec", "standard".into()), ("ipList", list(order.addresses()))])])),
            ("refundSummary", Json::Null),
        ])
    }
}

/// The id of an address of an order.
fn ip_id(order: usize, number: u32) -> String {
    format!("9600{:08}{number:07}", order + 1)
}

impl Order {
    fn addresses(&self) -> impl Iterator<Item = Json> + '_ {
        (0..self.delivered).map(|number| {
            let port = 20_000 + i64::from(number);
            object([
                ("proxyIp", format!("198.51.{}.{}", 100 + number / 250, 1 + number % 250).into()),
                ("proxyPort", port.into()),
                ("proxyUser", format!("u{}x{number}", self.no.to_lowercase()).into()),
                ("proxyPassword", format!("P:{port}/{}", self.id).into()),
                ("countryCode", "JP".into()),
            ])
        })
    }
}
