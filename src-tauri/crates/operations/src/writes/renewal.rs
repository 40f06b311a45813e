//! Renewing IPs: what the person confirmed, the bytes that are sent, what the answer means.
//!
//! It is paid like an order, under a key and from the wallet. Its price has no id and no version: a price that changed
//! since it was shown is noticed by the amount of the answer.

use client::{Error, Request};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::IpId;
use wire::ips::ListedIp;
use wire::purchase::PlacedOrder;

use crate::words::outcome::Outcome;
use crate::writes::order::paid;

/// A renewal as a person confirms it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Renewal {
    /// The IPs, in the order of the request.
    pub ips: Vec<RenewedIp>,
    /// Days to add: 30, 60, 90, 180 or 365.
    pub period_days: i64,
    /// The price shown, in `currency`.
    pub amount: Amount,
    /// Currency code; empty when not reported.
    pub currency: String,
}

/// One IP of a renewal, as it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenewedIp {
    /// The vendor's id of it.
    pub id: IpId,
    /// IP address without brackets.
    pub host: String,
    /// TCP port; `None` when not reported.
    pub port: Option<u16>,
    /// When it expired before the renewal, as the vendor writes it; empty when not reported. A later one proves the
    /// renewal to a person.
    pub expires: String,
}

impl From<ListedIp> for RenewedIp {
    fn from(listed: ListedIp) -> Self {
        Self { id: listed.id, host: listed.host, port: listed.port, expires: listed.about.expires }
    }
}

impl Renewal {
    fn ids(&self) -> Vec<IpId> {
        self.ips.iter().map(|ip| ip.id.clone()).collect()
    }

    /// The request under a key. The same renewal and key always give the same bytes.
    pub fn request(&self, key: &str) -> Request {
        client::renewals::place_and_pay(&self.ids(), self.period_days, key)
    }

    /// What is renewed and for how long, for the hash of a confirmation.
    pub(crate) fn scope(&self) -> String {
        let ids: Vec<&str> = self.ips.iter().map(|ip| ip.id.as_str()).collect();
        format!("{} {}", self.period_days, ids.join(" "))
    }

    /// The class of an answer. A renewal of some of the IPs is not what was confirmed.
    pub fn outcome(&self, answer: &Result<PlacedOrder, Error>) -> Outcome {
        match (paid(self.amount, &self.currency, answer), answer) {
            (Outcome::Success { as_confirmed }, Ok(order)) => {
                Outcome::Success { as_confirmed: as_confirmed && self.is_all_renewed(order) }
            }
            (outcome, _) => outcome,
        }
    }

    /// Whether nothing in the answer says that an IP was left out. Counts that are not reported say nothing.
    fn is_all_renewed(&self, order: &PlacedOrder) -> bool {
        let renewed = order.success_count.is_none_or(|count| usize::try_from(count) == Ok(self.ips.len()));
        renewed && order.fail_count.unwrap_or_default() == 0 && order.errors.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writes::answers::tests::{refused, turned_away};
    use client::{Lost, NotSent};
    use wire::ids::OrderNo;
    use wire::renewals::NotRenewed;

    fn renewal() -> Renewal {
        let ip = |id: &str| RenewedIp {
            id: IpId::new(id),
            host: format!("192.0.2.{id}"),
            port: Some(1080),
            expires: String::new(),
        };
        Renewal {
            ips: vec![ip("7"), ip("8")],
            period_days: 30,
            amount: "9.00".parse().unwrap(),
            currency: "USD".into(),
        }
    }

    fn order(amount: &str, renewed: Option<i64>, failed: Option<i64>) -> PlacedOrder {
        PlacedOrder {
            order_no: OrderNo::new("5"),
            amount: amount.parse().ok(),
            success_count: renewed,
            fail_count: failed,
            ..PlacedOrder::default()
        }
    }

    #[test]
    fn a_renewal_is_what_was_confirmed_only_if_the_sum_is_and_no_ip_is_left_out() {
        let named = PlacedOrder { errors: vec![NotRenewed::default()], ..order("9", None, None) };
        let cases = [
            (order("9", Some(2), Some(0)), true),
            (order("9.00", None, None), true),
            (order("4.5", Some(1), Some(1)), false),
            (order("9", Some(1), None), false),
            (order("9", None, Some(1)), false),
            (order("9.01", Some(2), Some(0)), false),
            (named, false),
        ];
        for (answer, as_confirmed) in cases {
            let outcome = renewal().outcome(&Ok(answer.clone()));
            assert_eq!(outcome, Outcome::Success { as_confirmed }, "{answer:?}");
        }
    }

    #[test]
    fn a_no_to_a_renewal_means_what_it_means_for_an_order() {
        let cases = [
            (Ok(PlacedOrder::default()), Outcome::Lost),
            (Err(Error::NotSent(NotSent::NoConnection)), Outcome::NotSent),
            (Err(Error::OutcomeUnknown(Lost::TimedOut)), Outcome::Lost),
            (Err(refused(200, "60004")), Outcome::Declined),
            (Err(refused(200, "60308")), Outcome::Refused),
            (Err(refused(200, "500")), Outcome::Lost),
            (Err(refused(502, "60004")), Outcome::Lost),
            (Err(turned_away(401)), Outcome::NotAuthenticated),
        ];
        for (answer, expected) in cases {
            assert_eq!(renewal().outcome(&answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn a_confirmation_is_about_these_ips_and_this_period() {
        let fewer = Renewal { ips: renewal().ips[..1].to_vec(), ..renewal() };
        let scopes = [renewal(), fewer, Renewal { period_days: 60, ..renewal() }].map(|one| one.scope());
        assert_eq!(scopes, ["30 7 8", "30 7", "60 7 8"]);
    }
}
