//! `GET /open/main/ping`. Not in the contract: the answer of a live deployment.

use serde::{Deserialize, Serialize};

use crate::facts::folded;
use crate::time::WrittenTime;
use crate::tree::Tree;

/// The service's clock and its own name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Tree", rename_all = "camelCase")]
pub struct Ping {
    /// Its time, in a form that is not documented.
    pub server_time: WrittenTime,
    /// The name of the service; empty when not reported.
    pub service: String,
}

/// The value reports no time.
#[derive(Debug, thiserror::Error)]
#[error("expected a server time")]
pub struct NoTime;

const TIME: [&str; 4] = ["servertime", "time", "timestamp", "now"];
const SERVICE: [&str; 3] = ["service", "name", "app"];

impl TryFrom<Tree> for Ping {
    type Error = NoTime;

    fn try_from(data: Tree) -> Result<Self, NoTime> {
        let told = |names: &[&str]| {
            let member = |name: &&str| data.members().iter().find(|(key, _)| folded(key) == **name)?.1.plain();
            names.iter().find_map(member)
        };
        let server_time = WrittenTime(told(&TIME).ok_or(NoTime)?);
        Ok(Self { server_time, service: told(&SERVICE).unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_read_as_number_or_text_and_an_answer_without_one_is_none() {
        let at = |json: &str| serde_json::from_str::<Ping>(json).ok().map(|ping| ping.server_time.0);
        for (json, expected) in [
            (r#"{"serverTime":1783934661982,"service":"open"}"#, Some("1783934661982")),
            (r#"{"server_time":"2026-07-13 17:24:21"}"#, Some("2026-07-13 17:24:21")),
            (r#"{"service":"open"}"#, None),
            (r#"{"serverTime":null}"#, None),
            (r#""pong""#, None),
            ("null", None),
        ] {
            assert_eq!(at(json).as_deref(), expected, "{json}");
        }
    }
}
