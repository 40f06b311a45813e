//! What the contract lacks and a live deployment has (field notes). Each can be switched off: then its path is unknown,
//! or its field is ignored.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::get;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::envelope;
use crate::server::answer;
use crate::world::World;

/// Something that the contract lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// `GET /open/main/ping`.
    Ping,
    /// `POST inventory/cidrs`.
    Cidrs,
    /// The field `keyword` of `inventory/cidrs`.
    CidrKeyword,
    /// The field `sort` of `inventory/cidrs`.
    CidrSort,
    /// `POST orders/status`.
    OrderStatus,
    /// `POST ips/page`.
    Ips,
    /// `POST ips/detail`.
    IpDetail,
    /// `POST renewals/quote` and `renewals/orders/place-and-pay`.
    Renewals,
}

impl Capability {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Ping,
        Self::Cidrs,
        Self::CidrKeyword,
        Self::CidrSort,
        Self::OrderStatus,
        Self::Ips,
        Self::IpDetail,
        Self::Renewals,
    ];

    /// The word of `--without` and of `/_control/capabilities`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Cidrs => "cidrs",
            Self::CidrKeyword => "cidr-keyword",
            Self::CidrSort => "cidr-sort",
            Self::OrderStatus => "order-status",
            Self::Ips => "ips",
            Self::IpDetail => "ip-detail",
            Self::Renewals => "renewals",
        }
    }

    /// The endpoint with this path.
    fn of(path: &str) -> Option<Self> {
        let ends = [
            ("/open/main/ping", Self::Ping),
            ("/inventory/cidrs", Self::Cidrs),
            ("/orders/status", Self::OrderStatus),
            ("/ips/page", Self::Ips),
            ("/ips/detail", Self::IpDetail),
            ("/renewals/quote", Self::Renewals),
            ("/renewals/orders/place-and-pay", Self::Renewals),
        ];
        ends.into_iter().find(|(end, _)| path.ends_with(end)).map(|(_, capability)| capability)
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::word).join(", ");
        Self::ALL.into_iter().find(|one| one.word() == word).ok_or_else(|| format!("{word}: not one of {}", known()))
    }
}

impl World {
    /// Switches something that the contract lacks on or off.
    pub fn offer(&self, capability: Capability, offered: bool) {
        let mut without = self.without.lock();
        match offered {
            true => without.remove(&capability),
            false => without.insert(capability),
        };
    }

    /// Offers everything that the contract lacks, but those.
    pub(crate) fn offer_all_but(&self, without: impl IntoIterator<Item = Capability>) {
        *self.without.lock() = without.into_iter().collect::<BTreeSet<_>>();
    }

    /// Whether it is switched on.
    pub(crate) fn offers(&self, capability: Capability) -> bool {
        !self.without.lock().contains(&capability)
    }
}

/// Answers for an endpoint that is switched off.
pub(crate) async fn only_offered(State(world): State<Arc<World>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    match Capability::of(path).filter(|capability| !world.offers(*capability)) {
        Some(_) => envelope::not_found(path, world.clock.now()),
        None => next.run(request).await,
    }
}

/// Needs no credentials.
pub(crate) fn ping_router() -> Router<Arc<World>> {
    Router::new().route("/open/main/ping", get(ping))
}

async fn ping(State(world): State<Arc<World>>) -> Response {
    let data = json!({"serverTime": world.clock.now(), "service": "sandbox"});
    answer(&world, Ok(world.shaped("main/ping", data)))
}
