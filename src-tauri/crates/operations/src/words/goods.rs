//! Names of delivered proxies and of those they are for.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ts_rs::TS;
use wire::ids::OrderNo;

/// Names one proxy of one order. Written `order host port`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, TS)]
#[ts(type = "string")]
pub struct GoodsKey {
    /// The order that delivered it; empty if the vendor's list alone shows it, without an order.
    pub order_no: OrderNo,
    /// IP address without brackets.
    pub host: String,
    /// TCP port; 0 if it is not known.
    pub port: u16,
}

/// The text names no proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an order, a host and a port")]
pub struct NoGoodsKey;

impl fmt::Display for GoodsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.order_no, self.host, self.port)
    }
}

impl FromStr for GoodsKey {
    type Err = NoGoodsKey;

    fn from_str(text: &str) -> Result<Self, NoGoodsKey> {
        // A vendor's order number may hold a blank, a host and a port never do.
        let mut parts = text.rsplitn(3, ' ');
        let (port, host, order) = (parts.next(), parts.next(), parts.next());
        let port = port.and_then(|port| port.parse().ok()).ok_or(NoGoodsKey)?;
        let (host, order) = host.zip(order).ok_or(NoGoodsKey)?;
        Ok(Self { order_no: OrderNo::new(order), host: host.to_owned(), port })
    }
}

impl Serialize for GoodsKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GoodsKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Names a buyer. Never used again, even if the buyer is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "number")]
pub struct BuyerId(pub i64);

words! {
    /// How proxies were handed to a buyer.
    SentHow as "SentHow" {
        /// The message was copied.
        Copied = "copied",
        /// The message was saved as a file.
        File = "file",
        /// A picture with a QR code was saved.
        Picture = "picture",
        /// A person says so.
        ByHand = "by-hand",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written_whatever_the_order_is_called() {
        for (order, host) in [("SO1", "192.0.2.1"), ("a b c", "2001:db8::1"), ("", "192.0.2.1")] {
            let key = GoodsKey { order_no: OrderNo::new(order), host: host.into(), port: 1080 };
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for wrong in ["", "SO1", "192.0.2.1 1080", "SO1 192.0.2.1 70000", "SO1 192.0.2.1 x"] {
            assert_eq!(wrong.parse::<GoodsKey>(), Err(NoGoodsKey), "{wrong}");
        }
    }
}
