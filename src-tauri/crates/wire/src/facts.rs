//! Named values of answers whose shape is not shown: known names get a word of the program, others stay as they came.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::tree::Tree;

/// The meaning of a value, whatever the vendor calls its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "FactWord")]
pub enum Word {
    /// Country, by name.
    Country,
    /// Country, by its code.
    CountryCode,
    /// Continent.
    Continent,
    /// State or province.
    State,
    /// City.
    City,
    /// Any other place.
    Region,
    /// Network segment.
    Segment,
    /// A count.
    Quantity,
    /// Price of one unit.
    UnitPrice,
    /// An amount of money.
    Amount,
    /// Price before discounts.
    Original,
    /// Price to pay.
    Payable,
    /// A discount: money or a share, as the vendor writes it.
    Discount,
    /// Discount for the duration.
    DurationDiscount,
    /// Discount for the quantity.
    QuantityDiscount,
    /// A share.
    Rate,
    /// Days.
    Duration,
    /// Currency code.
    Currency,
    /// Money refunded.
    Refund,
    /// A reason.
    Reason,
    /// Creation time.
    Created,
    /// Expiry time.
    Expires,
    /// Status.
    Status,
    /// Kind of line or discount.
    Kind,
    /// Product bought.
    Product,
    /// Line quality.
    LineType,
    /// Bandwidth in M/s; 0 is unlimited.
    Bandwidth,
    /// Connections per IP.
    Connections,
    /// Business purpose.
    Purpose,
    /// Proxy protocol: socks5 or http.
    Protocol,
    /// Exclusive or shared.
    SellMode,
    /// UDP.
    Udp,
    /// Remark.
    Note,
    /// Full specification of the purchase.
    Specification,
}

/// Member names in lower case, without `_`, `-` and blanks.
const NAMES: [(Word, &[&str]); 34] = [
    (Word::Country, &["country", "countryname", "countrynameen", "countrynamezh", "countryen", "countryzh"]),
    (Word::CountryCode, &["countrycode", "countryiso"]),
    (Word::Continent, &["continent", "continentname"]),
    (Word::State, &["state", "statename", "statenameen", "province", "provincename"]),
    (Word::City, &["city", "cityname", "citynameen", "citynamezh", "cityen", "cityzh"]),
    (Word::Region, &["region", "regionname", "area", "areaname", "location"]),
    (Word::Segment, &["cidr", "segment"]),
    (Word::Quantity, &["quantity", "count", "ipcount", "purchaseipcount", "num", "qty"]),
    (Word::UnitPrice, &["unitprice", "singleprice", "price"]),
    (Word::Amount, &["amount", "subtotal", "lineamount", "totalprice"]),
    (Word::Original, &["originalamount", "originamount", "totalamount", "beforediscount", "originalprice"]),
    (Word::Payable, &["payableamount", "payamount", "finalamount", "actualamount"]),
    (Word::Discount, &["discount", "discounts", "discountamount", "discountlist", "discountitems", "totaldiscount"]),
    (Word::DurationDiscount, &["durationdiscount", "durationdiscountamount"]),
    (Word::QuantityDiscount, &["quantitydiscount", "quantitydiscountamount", "countdiscount"]),
    (Word::Rate, &["rate", "discountrate"]),
    (Word::Duration, &["duration", "days", "perioddays", "purchasedays"]),
    (Word::Currency, &["currency", "currencycode"]),
    (Word::Refund, &["refund", "refundamount", "refundedamount"]),
    (Word::Reason, &["reason", "refundreason"]),
    (Word::Created, &["createtime", "createdat", "refundtime", "time"]),
    (Word::Expires, &EXPIRES),
    (Word::Status, &["status"]),
    (Word::Kind, &["type", "kind"]),
    (Word::Product, &["product", "productname"]),
    (Word::LineType, &["linetype", "line", "quality", "linequality"]),
    (Word::Bandwidth, &["bandwidth", "bandwidthlimit"]),
    (Word::Connections, &["connlimit", "connections", "connectionlimit"]),
    (Word::Purpose, &["purpose", "business", "businessname", "businessid", "scene"]),
    (Word::Protocol, &["protocol", "proxytype"]),
    (Word::SellMode, &["sellmode", "exclusivity"]),
    (Word::Udp, &["udp", "isudp"]),
    (Word::Note, &["remark", "note", "description", "desc"]),
    (Word::Specification, &["specification", "specifications", "spec", "specs", "config"]),
];

/// Names under which a proxy's expiry may appear.
const EXPIRES: [&str; 9] = [
    "expiretime",
    "expiresat",
    "expiredat",
    "expire",
    "expires",
    "expiry",
    "expirationtime",
    "expiretimestamp",
    "endtime",
];

impl Word {
    /// Looks up the meaning of a member's name.
    pub fn of(key: &str) -> Option<Self> {
        let name = folded(key);
        NAMES.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(word, _)| *word)
    }

    /// Whether the value is a time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Created | Self::Expires)
    }

    /// Whether the value is money in the answer's currency.
    pub fn is_money(self) -> bool {
        matches!(self, Self::UnitPrice | Self::Amount | Self::Original | Self::Payable | Self::Discount | Self::Refund)
    }
}

/// One value with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Fact {
    /// The meaning, if known.
    pub word: Option<Word>,
    /// The vendor's name for it; empty for a value without one.
    pub key: String,
    /// The value as it came; money as a plain decimal.
    pub value: String,
}

impl Fact {
    /// Makes a fact of a plain value.
    pub fn of(key: &str, value: &Tree) -> Option<Self> {
        let word = Word::of(key);
        let exact = value.amount().filter(|_| word.is_some_and(Word::is_money));
        let value = exact.map(|amount| amount.to_string()).or_else(|| value.plain())?;
        Some(Self { word, key: key.to_owned(), value })
    }

    /// Makes a fact of any value; one that is not plain becomes its JSON.
    pub fn of_any(key: &str, value: &Tree) -> Option<Self> {
        if value.is_empty() {
            return None;
        }
        let json = || serde_json::to_string(value).ok();
        Self::of(key, value).or_else(|| Some(Self { word: Word::of(key), key: key.to_owned(), value: json()? }))
    }
}

/// Spells a name as the tables of names do.
pub(crate) fn folded(key: &str) -> String {
    key.chars().filter(|sign| !matches!(sign, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(key: &str, json: &str) -> (Option<Word>, String) {
        let fact = Fact::of_any(key, &serde_json::from_str(json).unwrap()).unwrap();
        (fact.word, fact.value)
    }

    #[test]
    fn known_names_get_their_word_however_they_are_written() {
        for key in ["unitPrice", "unit_price", "UnitPrice", "unit-price"] {
            assert_eq!(Word::of(key), Some(Word::UnitPrice), "{key}");
        }
        assert_eq!(Word::of("priority"), None);
    }

    #[test]
    fn no_name_says_two_things() {
        let mut all: Vec<&str> = NAMES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn money_is_a_plain_decimal_and_everything_else_stays_as_it_came() {
        assert_eq!(fact("amount", "1.2E3"), (Some(Word::Amount), "1200".into()));
        assert_eq!(fact("amount", "\"8.55\""), (Some(Word::Amount), "8.55".into()));
        assert_eq!(fact("amount", "\"on request\""), (Some(Word::Amount), "on request".into()));
        assert_eq!(fact("resourceId", "2059463641505337345123456789"), (None, "2059463641505337345123456789".into()));
        assert_eq!(fact("tier", r#"{"from":1,"to":9.50}"#), (None, r#"{"from":1,"to":9.50}"#.into()));
    }
}
