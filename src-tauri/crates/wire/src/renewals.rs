//! `POST renewals/quote`, and what `POST renewals/orders/place-and-pay` says beside the order. Not in the contract: the
//! answers of a live deployment.

use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::amount::Amount;
use crate::facts::folded;
use crate::ids::IpId;
use crate::loose::maybe_text;
use crate::secrets::{Secrets, concealed};
use crate::tree::Tree;

/// Body of `POST renewals/quote` and of `POST renewals/orders/place-and-pay`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenewalQuery {
    /// The IPs to renew, by the ids of the vendor's list.
    pub resource_ids: Vec<IpId>,
    /// 30, 60, 90, 180 or 365.
    pub period_days: i64,
}

/// The price of a renewal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenewalPrice {
    /// The amount to pay, in `currency`.
    pub amount: Amount,
    /// Currency code; empty when not reported.
    #[serde(default, deserialize_with = "maybe_text")]
    pub currency: String,
}

/// One IP that was not renewed. The shape of an element of `errors` is not published, so any is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct NotRenewed {
    /// The IP, by its id; empty when not reported.
    pub resource_id: IpId,
    /// Its address; empty when not reported.
    pub proxy_ip: String,
    /// The vendor's reason; everything that was reported if none is recognised, with possible credentials concealed.
    pub message: String,
}

const ID: [&str; 4] = ["resourceid", "id", "ipid", "proxyid"];
const ADDRESS: [&str; 3] = ["proxyip", "ip", "host"];
const REASON: [&str; 6] = ["message", "msg", "errormessage", "errormsg", "error", "reason"];

impl NotRenewed {
    fn read(element: &Tree) -> Self {
        let named = |names: &[&str]| {
            let found = names.iter().find_map(|name| element.members().iter().find(|(key, _)| folded(key) == *name));
            found.and_then(|(_, value)| value.plain()).unwrap_or_default()
        };
        let (reason, resource_id, proxy_ip) = (named(&REASON), IpId::new(named(&ID)), named(&ADDRESS));
        let message = if reason.is_empty() { everything(element) } else { reason };
        Self { resource_id, proxy_ip, message }
    }
}

fn everything(element: &Tree) -> String {
    let facts = concealed(element, &Secrets::default()).into_iter().flat_map(|part| part.facts);
    let words =
        facts.map(|fact| if fact.key.is_empty() { fact.value } else { format!("{}: {}", fact.key, fact.value) });
    words.collect::<Vec<_>>().join(", ")
}

/// `errors` of a renewal: a list, an object from ids to reasons, or one text.
pub(crate) fn not_renewed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<NotRenewed>, D::Error> {
    let all = Tree::deserialize(deserializer)?;
    let is_one = |name: &str| ID.contains(&name) || ADDRESS.contains(&name) || REASON.contains(&name);
    Ok(match &all {
        empty if empty.is_empty() => Vec::new(),
        Tree::List(elements) => elements.iter().map(NotRenewed::read).collect(),
        Tree::Object(members) if !members.iter().any(|(key, _)| is_one(&folded(key))) => {
            let one =
                |(id, reason): &(String, Tree)| NotRenewed { resource_id: IpId::new(id), ..NotRenewed::read(reason) };
            members.iter().map(one).collect()
        }
        one => vec![NotRenewed::read(one)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ip_that_was_not_renewed_is_read_in_any_shape_and_again_from_what_is_stored() {
        #[derive(Serialize, Deserialize)]
        struct Held(#[serde(deserialize_with = "not_renewed")] Vec<NotRenewed>);
        let cases = [
            ("null", ""),
            ("[]", ""),
            (r#"[{"resourceId":2059463641505337345,"message":"unknown IP"}]"#, "2059463641505337345||unknown IP"),
            (r#"[{"proxyIp":"192.0.2.1","error_msg":"too old"}]"#, "|192.0.2.1|too old"),
            (r#"["7 is not yours"]"#, "||7 is not yours"),
            (r#"{"7":"too old","8":{"reason":"gone"}}"#, "7||too old / 8||gone"),
            (r#"{"id":"7","code":60402}"#, "7||id: 7, code: 60402"),
            (r#""none of them""#, "||none of them"),
            (r#"[{"id":"7","proxyPassword":"Hush-hush-1"}]"#, "7||id: 7, proxyPassword: ••••••••"),
        ];
        let seen = |Held(all): &Held| {
            let one = |one: &NotRenewed| format!("{}|{}|{}", one.resource_id, one.proxy_ip, one.message);
            all.iter().map(one).collect::<Vec<_>>().join(" / ")
        };
        for (json, expected) in cases {
            let read: Held = serde_json::from_str(json).unwrap();
            assert_eq!(seen(&read), expected, "{json}");
            let again: Held = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
            assert_eq!(seen(&again), expected, "{json}, stored");
        }
    }
}
