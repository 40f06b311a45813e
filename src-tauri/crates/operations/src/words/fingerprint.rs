//! Identifies the account of an operation or a secret: a short digest of the service's address and the user there,
//! never of a token.

use client::{Account, Address, Area};
use database::stamp;

/// Hexadecimal digits: enough to tell the accounts of one person apart.
const DIGITS: usize = 16;

/// One account at one service. A rotated token is still the same account; so is another path to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Digests what "Authentication" names: scheme, host and port; in the static-IP area the developer ID too.
    pub fn of(address: &Address, area: Area, user_id: &str) -> Self {
        let who = match area {
            Area::Static => format!("static {}", user_id.trim()),
            Area::Agent => "agent".to_owned(),
        };
        let mut digest = stamp::digest(&format!("{}\n{who}", address.origin()));
        digest.truncate(DIGITS);
        Self(digest)
    }

    pub(crate) fn read(text: String) -> Self {
        Self(text)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The fingerprints of both areas of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Static IPs.
    pub static_area: Fingerprint,
    /// Traffic and customers.
    pub agent_area: Fingerprint,
}

impl Fingerprints {
    /// The fingerprints of an address and a developer ID, whether or not the tokens can be read.
    pub fn at(address: &Address, user_id: &str) -> Self {
        let of = |area| Fingerprint::of(address, area, user_id);
        Self { static_area: of(Area::Static), agent_area: of(Area::Agent) }
    }

    /// The fingerprints of the practice service, whose address changes at each start.
    pub fn of_practice() -> Self {
        let practice = || Fingerprint("practice".to_owned());
        Self { static_area: practice(), agent_area: practice() }
    }

    /// The fingerprints of an account whose tokens are there.
    pub fn of(account: &Account) -> Self {
        Self::at(&account.address, account.static_area.as_ref().map_or("", |area| area.user_id.as_str()))
    }

    /// The fingerprint of one area.
    pub fn area(&self, area: Area) -> &Fingerprint {
        match area {
            Area::Static => &self.static_area,
            Area::Agent => &self.agent_area,
        }
    }

    /// Whether these match what something was prepared for. Rows of earlier versions carry no fingerprint and match
    /// any.
    pub(crate) fn fit(&self, own: Option<&Fingerprint>, area: Area) -> bool {
        own.is_none_or(|own| own == self.area(area))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(base: &str, area: Area, user_id: &str) -> Fingerprint {
        Fingerprint::of(&Address::parse(base, "/api", "/prod-api").unwrap(), area, user_id)
    }

    #[test]
    fn an_account_is_an_origin_and_in_the_static_area_a_developer_too() {
        let one = of("https://v.example", Area::Static, "dev");
        assert_eq!(one, of("https://v.example:443/base", Area::Static, " dev "));
        for (base, user_id) in
            [("https://v.example:444", "dev"), ("https://w.example", "dev"), ("https://v.example", "two")]
        {
            assert_ne!(one, of(base, Area::Static, user_id), "{base} {user_id}");
        }
        let agent = of("https://v.example", Area::Agent, "dev");
        assert_ne!(one, agent);
        assert_eq!(agent, of("https://v.example", Area::Agent, "two"), "no developer ID goes with its token");
        assert_eq!(agent.as_str().len(), DIGITS);
    }

    #[test]
    fn what_carries_none_belongs_to_whoever_is_there() {
        let whose = Fingerprints::at(&Address::parse("https://v.example", "", "").unwrap(), "dev");
        let own = [None, Some(&whose.static_area), Some(&whose.agent_area)];
        assert_eq!(own.map(|own| whose.fit(own, Area::Static)), [true, true, false]);
        assert_eq!(own.map(|own| whose.fit(own, Area::Agent)), [true, false, true]);
    }
}
