//! `POST orders/detail`. The contract shows no shapes; these are the answers of one live deployment.

use std::collections::HashSet;

use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::amount::Amount;
use crate::facts::folded;
pub use crate::goods::Proxy;
use crate::goods::{About, goods};
use crate::ids::OrderNo;
use crate::loose::maybe_text;
use crate::parts::Part;
use crate::secrets::concealed;
use crate::tree::Tree;

/// `status` of an order as written: "not shown" by the contract, a number on one live deployment. Unknown
/// values are kept and shown as they are, never guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct OrderStatus(pub String);

impl OrderStatus {
    /// Whether an order of this status has delivered all that it ever will: 0 cancelled, 4 payment failed, 5 expired, 10
    /// refunded, on the one live deployment that shows its numbers. Any other status promises nothing either way.
    pub fn delivers_no_more(&self) -> bool {
        matches!(self.0.as_str(), "0" | "4" | "5" | "10")
    }
}

impl<'de> Deserialize<'de> for OrderStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        maybe_text(deserializer).map(Self)
    }
}

/// Body of `POST orders/detail`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderDetailQuery {
    /// The order to look up.
    pub order_no: OrderNo,
}

/// Data of `POST orders/status`: how an order stands, without anything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Tree", rename_all = "camelCase")]
pub struct OrderStanding {
    /// The order's number; empty when the answer does not repeat it.
    pub order_no: OrderNo,
    /// Its status.
    pub status: OrderStatus,
}

impl TryFrom<Tree> for OrderStanding {
    type Error = NoOrder;

    fn try_from(data: Tree) -> Result<Self, NoOrder> {
        let told = |name: &str| data.members().iter().find(|(key, _)| folded(key) == name)?.1.plain();
        let status = told("status").or_else(|| told("orderstatus")).map(OrderStatus).ok_or(NoOrder)?;
        Ok(Self { order_no: OrderNo::new(told("orderno").unwrap_or_default()), status })
    }
}

/// Data of `POST orders/detail`. No odd member makes it unreadable; an object without any known member is not an order.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Tree")]
pub struct OrderDetail {
    /// The order's number; empty when the answer does not repeat it: see [`OrderDetail::asked_by`].
    pub order_no: OrderNo,
    /// Its status.
    pub status: Option<OrderStatus>,
    /// The product, in the vendor's words.
    pub product_name: String,
    /// The amount paid, in `currency`.
    pub amount: Option<Amount>,
    /// The discount, in `currency`.
    pub discount_amount: Option<Amount>,
    /// Currency code.
    pub currency: String,
    /// Time of placing, in the vendor's form; its zone is not documented.
    pub create_time: String,
    /// Time of payment, in the vendor's form; its zone is not documented.
    pub pay_time: String,
    /// IPs ordered.
    pub purchase_ip_count: Option<i64>,
    /// IPs delivered so far.
    pub deliver_ip_count: Option<i64>,
    /// Specification and IPs with credentials; "element shape not published".
    pub details: Tree,
    /// The refund; its shape is not published.
    pub refund_summary: Tree,
    /// Unknown members.
    pub other: Tree,
}

/// Details of an order beyond its number, status and amounts. Holds no credentials, so it may be stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Particulars {
    /// The product, in the vendor's words.
    pub product_name: String,
    /// The discount, in the order's currency.
    pub discount_amount: Option<Amount>,
    /// Time of placing, as it came; its zone is not documented.
    pub create_time: String,
    /// Time of payment, as it came; its zone is not documented.
    pub pay_time: String,
    /// Line, days, bandwidth, purpose … as far as reported, and everything else next to the proxies.
    pub specification: Vec<Part>,
    /// The refund.
    pub refund: Vec<Part>,
    /// The proxies, without user and password.
    pub proxies: Vec<Delivered>,
}

/// One delivered proxy without its credentials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Delivered {
    /// IP address without brackets.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// socks5 or http; empty when not reported.
    pub protocol: String,
    /// Location and expiry.
    pub about: About,
    /// Whether the order listed it before, and does not in its last answer.
    #[serde(default)]
    pub no_longer_listed: bool,
}

/// The value is not an order: not an object, or one without any member of an order.
#[derive(Debug, thiserror::Error)]
#[error("expected an order")]
pub struct NoOrder;

const KNOWN: [&str; 12] = [
    "orderno",
    "status",
    "productname",
    "amount",
    "discountamount",
    "currency",
    "createtime",
    "paytime",
    "purchaseipcount",
    "deliveripcount",
    "details",
    "refundsummary",
];

impl TryFrom<Tree> for OrderDetail {
    type Error = NoOrder;

    fn try_from(data: Tree) -> Result<Self, NoOrder> {
        let data = match &data {
            Tree::List(orders) if orders.len() == 1 => &orders[0],
            other => other,
        };
        let known = |name: &str| KNOWN.contains(&name);
        if !data.members().iter().any(|(key, value)| known(&folded(key)) && !value.is_empty()) {
            return Err(NoOrder);
        }
        let told = |name: &str| data.members().iter().find(|(key, _)| folded(key) == name).map(|(_, value)| value);
        let text = |name: &str| told(name).and_then(Tree::plain).unwrap_or_default();
        let count = |name: &str| told(name).and_then(Tree::amount).and_then(|count| count.to_string().parse().ok());
        let whole = |name: &str| told(name).cloned().unwrap_or_default();
        let other = data.members().iter().filter(|(key, _)| !known(&folded(key))).cloned().collect();
        Ok(Self {
            order_no: OrderNo::new(text("orderno")),
            status: told("status").and_then(Tree::plain).map(OrderStatus),
            product_name: text("productname"),
            amount: told("amount").and_then(Tree::amount),
            discount_amount: told("discountamount").and_then(Tree::amount),
            currency: text("currency"),
            create_time: text("createtime"),
            pay_time: text("paytime"),
            purchase_ip_count: count("purchaseipcount"),
            deliver_ip_count: count("deliveripcount"),
            details: whole("details"),
            refund_summary: whole("refundsummary"),
            other: Tree::Object(other),
        })
    }
}

impl OrderDetail {
    /// Fills in the number that was asked for if the answer does not repeat it.
    pub fn asked_by(self, number: &OrderNo) -> Self {
        let order_no = if self.order_no.as_str().is_empty() { number.clone() } else { self.order_no };
        Self { order_no, ..self }
    }

    /// Returns the proxies in `details`, at any depth.
    pub fn proxies(&self) -> Vec<Proxy> {
        goods(&self.details).0
    }

    /// Returns the details that may be stored and shown without asking.
    pub fn particulars(&self) -> Particulars {
        let (proxies, mut specification, secrets) = goods(&self.details);
        specification.extend(concealed(&self.other, &secrets));
        let delivered = |one: Proxy| Delivered {
            host: one.host,
            port: one.port,
            protocol: one.protocol,
            about: one.about,
            no_longer_listed: false,
        };
        Particulars {
            product_name: self.product_name.clone(),
            discount_amount: self.discount_amount,
            create_time: self.create_time.clone(),
            pay_time: self.pay_time.clone(),
            specification,
            refund: concealed(&self.refund_summary, &secrets),
            proxies: proxies.into_iter().map(delivered).collect(),
        }
    }
}

impl OrderDetail {
    /// Returns the details that may be stored, with whatever this answer does not report from `before`.
    pub fn particulars_over(&self, before: Particulars) -> Particulars {
        let now = self.particulars();
        let text = |now: String, before: String| if now.is_empty() { before } else { now };
        let list = |now: Vec<Part>, before: Vec<Part>| if now.is_empty() { before } else { now };
        // An empty list says that there are none; anything else without proxies says nothing about them.
        let lists_proxies = !now.proxies.is_empty() || matches!(&self.details, Tree::List(all) if all.is_empty());
        Particulars {
            product_name: text(now.product_name, before.product_name),
            discount_amount: now.discount_amount.or(before.discount_amount),
            create_time: text(now.create_time, before.create_time),
            pay_time: text(now.pay_time, before.pay_time),
            specification: list(now.specification, before.specification),
            refund: list(now.refund, before.refund),
            proxies: if lists_proxies { with_unlisted(now.proxies, before.proxies) } else { before.proxies },
        }
    }
}

/// The proxies that an order lists, and after them those that it listed before: what was delivered stays known.
fn with_unlisted(now: Vec<Delivered>, before: Vec<Delivered>) -> Vec<Delivered> {
    let listed: HashSet<(&str, u16)> = now.iter().map(|one| (one.host.as_str(), one.port)).collect();
    let unlisted = before.into_iter().filter(|one| !listed.contains(&(one.host.as_str(), one.port)));
    let unlisted: Vec<Delivered> = unlisted.map(|one| Delivered { no_longer_listed: true, ..one }).collect();
    now.into_iter().chain(unlisted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<OrderDetail, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn an_order_that_does_not_repeat_its_number_is_the_one_that_was_asked_for() {
        let asked = OrderNo::new("SO1");
        for json in [r#"{"status":20}"#, r#"{"orderNo":null,"status":20}"#, r#"[{"orderNo":{},"status":"20"}]"#] {
            let order = read(json).unwrap().asked_by(&asked);
            assert_eq!((order.order_no, order.status), (asked.clone(), Some(OrderStatus("20".into()))), "{json}");
        }
        assert_eq!(
            read(r#"{"orderNo":2059463641505337345}"#).unwrap().asked_by(&asked).order_no.as_str(),
            "2059463641505337345"
        );
    }

    #[test]
    fn what_tells_nothing_of_an_order_is_none() {
        for json in [
            "null",
            "[]",
            "{}",
            "\"SO1\"",
            r#"{"x":1}"#,
            r#"{"status":null,"details":[]}"#,
            "[{\"status\":1},{\"status\":2}]",
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    #[test]
    fn no_member_of_another_shape_makes_the_order_unreadable() {
        let odd = r#"{"orderNo":"1","status":{"a":1},"amount":[],"discountAmount":"none","purchaseIpCount":"3","deliverIpCount":2.0,"currency":7,"createTime":1783934661000,"details":5,"refundSummary":"all of it"}"#;
        let order = read(odd).unwrap();
        assert_eq!((order.status.clone(), order.amount, order.discount_amount), (None, None, None));
        assert_eq!((order.purchase_ip_count, order.deliver_ip_count), (Some(3), Some(2)));
        let kept = order.particulars();
        assert_eq!((kept.create_time.as_str(), kept.refund[0].facts[0].value.as_str()), ("1783934661000", "all of it"));
        assert_eq!(kept.specification[0].facts[0].value, "5");
    }

    #[test]
    fn a_specification_beside_the_known_members_is_kept_and_what_is_not_told_again_stays() {
        let order = read(r#"{"orderNo":"1","productName":"Static ISP","lineType":"premium","days":30,"details":[{"ip":"192.0.2.1","port":1}]}"#).unwrap();
        let kept = order.particulars();
        assert_eq!(kept.specification[0].facts.len(), 2);
        assert_eq!(read(r#"{"orderNo":"1","status":20}"#).unwrap().particulars_over(kept.clone()), kept);
    }

    #[test]
    fn an_ip_that_a_later_answer_leaves_out_stays_known_as_no_longer_listed() {
        let detail = |details: &str| read(&format!(r#"{{"orderNo":"1","status":20,"details":{details}}}"#)).unwrap();
        let proxies = |of: &Particulars| -> Vec<(String, String, bool)> {
            let told = |one: &Delivered| (one.host.clone(), one.about.expires.clone(), one.no_longer_listed);
            of.proxies.iter().map(told).collect()
        };
        let expected = |of: &[(&str, &str, bool)]| -> Vec<(String, String, bool)> {
            of.iter().map(|(host, expires, gone)| ((*host).into(), (*expires).into(), *gone)).collect()
        };
        let whole =
            r#"[{"ip":"192.0.2.1","port":1,"expireTime":"may"},{"ip":"192.0.2.2","port":1,"expireTime":"may"}]"#;
        let first = detail(whole).particulars_over(Particulars::default());
        let part = detail(r#"[{"ip":"192.0.2.2","port":1,"expireTime":"june"}]"#).particulars_over(first.clone());
        assert_eq!(proxies(&part), expected(&[("192.0.2.2", "june", false), ("192.0.2.1", "may", true)]));
        // Another port is another proxy, and what is listed again is listed.
        let other = detail(r#"[{"ip":"192.0.2.1","port":2,"expireTime":"june"}]"#).particulars_over(part.clone());
        assert_eq!(other.proxies.iter().map(|one| one.no_longer_listed).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!(detail(whole).particulars_over(part).proxies, first.proxies);
        for nothing in ["null", "5", r#"{"lineType":"premium"}"#] {
            assert_eq!(detail(nothing).particulars_over(first.clone()).proxies, first.proxies, "{nothing}");
        }
        let none = detail("[]").particulars_over(first);
        assert_eq!(proxies(&none), expected(&[("192.0.2.1", "may", true), ("192.0.2.2", "may", true)]));
    }

    #[test]
    fn what_an_earlier_version_stored_is_listed() {
        let stored = r#"{"host":"192.0.2.1","port":1,"protocol":"","about":{}}"#;
        assert!(!serde_json::from_str::<Delivered>(stored).unwrap().no_longer_listed);
    }
}
