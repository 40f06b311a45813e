//! Ids as newtypes, so that a city cannot be passed where a country is meant.
//!
//! "Identifier rule (static-IP area)": ids are strings in both directions; they run past 2^53. Answers may
//! carry them as strings or as integers; both are read.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::loose;

macro_rules! text_ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS)]
        #[serde(transparent)]
        #[ts(type = "string")]
        pub struct $name(String);

        impl $name {
            /// Wraps an id as written in the interface.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the id as it is sent.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                loose::text(deserializer).map(Self)
            }
        }
    )+};
}

text_ids! {
    /// `continentId` of "Location records".
    ContinentId,
    /// `countryId` of "Location records".
    CountryId,
    /// `countryCode`: ISO 3166 alpha-2, the form that orders and inventory use.
    CountryCode,
    /// `stateId` of "Location records"; empty on a city when the country has no states.
    StateId,
    /// `cityId`; "cityCode in inventory and order interfaces is the string form of cityId".
    CityId,
    /// `cidrId`: the vendor's id of a segment.
    CidrId,
    /// `proxyId` of a given IP: "resource pool id".
    ProxyId,
    /// `id` of an IP in the vendor's own list, and `resourceIds` of a renewal.
    IpId,
    /// `businessId` of "Purchase config".
    BusinessId,
    /// `quoteId` of "Quote".
    QuoteId,
    /// `quoteVersion` of "Quote".
    QuoteVersion,
    /// `orderNo` of "Placed order".
    OrderNo,
    /// `orderId` of "Placed order".
    OrderId,
    /// `customerId` of the traffic and customer areas (a Long there; text here, because it is never calculated with).
    CustomerId,
    /// `createId` of a traffic record: the operator who wrote it.
    OperatorId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_strings_and_integers_and_written_as_strings() {
        for json in ["\"2059463641505337345\"", "2059463641505337345"] {
            let id: CityId = serde_json::from_str(json).unwrap();
            assert_eq!(id.as_str(), "2059463641505337345", "no digit may be lost past 2^53");
            assert_eq!(serde_json::to_string(&id).unwrap(), "\"2059463641505337345\"");
        }
    }

    #[test]
    fn an_id_is_not_read_from_a_fraction_or_an_object() {
        for json in ["1.5", "{}", "[]", "true"] {
            assert!(serde_json::from_str::<CityId>(json).is_err(), "{json}");
        }
    }
}
