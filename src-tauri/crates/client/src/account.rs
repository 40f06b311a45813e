//! The service's address and our credentials there.

use secrecy::SecretString;
use url::{Host, Url};

use crate::request::{Area, Request};

/// The base address and the two path prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    base: Url,
    loopback: bool,
    static_prefix: String,
    agent_prefix: String,
}

/// Why an address cannot be used. The page has a sentence for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not an address at all.
    #[error("not a web address")]
    NotAnAddress,
    /// Plain HTTP to another computer would show the tokens to everyone on the way.
    #[error("not https")]
    NotHttps,
    /// It contains a user name, password, query or fragment.
    #[error("more than host and path")]
    TooMuch,
    /// A prefix is not a plain path.
    #[error("prefix is not a path")]
    BadPrefix,
}

impl Address {
    /// Checks and joins the parts. Only HTTPS is allowed, unless the host is literally this computer.
    ///
    /// # Errors
    /// [`AddressError`] names the first rule that is broken.
    pub fn parse(base: &str, static_prefix: &str, agent_prefix: &str) -> Result<Self, AddressError> {
        let base = Url::parse(base.trim()).map_err(|_| AddressError::NotAnAddress)?;
        let loopback = match base.host() {
            Some(Host::Ipv4(ip)) => ip == std::net::Ipv4Addr::LOCALHOST,
            Some(Host::Ipv6(ip)) => ip == std::net::Ipv6Addr::LOCALHOST,
            Some(Host::Domain(name)) => name == "localhost",
            None => return Err(AddressError::NotAnAddress),
        };
        match base.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => return Err(AddressError::NotHttps),
            _ => return Err(AddressError::NotAnAddress),
        }
        let has_credentials = !base.username().is_empty() || base.password().is_some();
        if has_credentials || base.query().is_some() || base.fragment().is_some() {
            return Err(AddressError::TooMuch);
        }
        Ok(Self { base, loopback, static_prefix: prefix(static_prefix)?, agent_prefix: prefix(agent_prefix)? })
    }

    /// Whether the host is literally this computer.
    pub(crate) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// Whether the connection is encrypted.
    pub(crate) fn is_https(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Base and prefix of the traffic and customer areas; identifies what was read there.
    pub fn agent_base(&self) -> String {
        format!("{}{}", self.base, self.agent_prefix)
    }

    /// Scheme, host and port as text.
    pub fn origin(&self) -> String {
        self.base.origin().ascii_serialization()
    }

    /// Whether scheme, host and port are the same, so that the token stays with the service it was entrusted to.
    pub fn same_origin(&self, other: &Self) -> bool {
        self.base.origin() == other.base.origin()
    }

    /// The URL of a request, without its secret.
    pub(crate) fn url(&self, request: &Request) -> Url {
        let prefix = match request.area {
            Area::Static => &self.static_prefix,
            Area::Agent => &self.agent_prefix,
        };
        let mut url = self.base.clone();
        url.set_path(&format!("{}{prefix}{}", self.base.path().trim_end_matches('/'), request.path));
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        url
    }
}

fn prefix(text: &str) -> Result<String, AddressError> {
    let bare = text.trim().trim_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    if !bare.chars().all(plain) || bare.split('/').any(|part| matches!(part, "." | "..")) {
        return Err(AddressError::BadPrefix);
    }
    Ok(if bare.is_empty() { String::new() } else { format!("/{bare}") })
}

/// An address with the credentials of one or both areas. "Half an account is enough."
#[derive(Clone, Debug)]
pub struct Account {
    /// Where the service is.
    pub address: Address,
    /// Credentials of the static-IP area, if any.
    pub static_area: Option<StaticCredentials>,
    /// Token of the traffic and customer areas, if any.
    pub agent_token: Option<SecretString>,
}

/// Credentials of "Authentication, Static-IP area": the two headers.
#[derive(Clone, Debug)]
pub struct StaticCredentials {
    /// Header `UserId`: the developer ID, not the account number.
    pub user_id: String,
    /// Header `Token`.
    pub token: SecretString,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_https_or_this_computer() {
        for good in [
            "https://vendor.example",
            "https://vendor.example/base/",
            "http://127.0.0.1:8787",
            "http://[::1]:1",
            "http://localhost:80",
        ] {
            assert!(Address::parse(good, "/api", "/prod-api").is_ok(), "{good}");
        }
        let bad = [
            ("http://vendor.example", AddressError::NotHttps),
            ("http://127.0.0.2", AddressError::NotHttps),
            ("http://localhost.evil.example", AddressError::NotHttps),
            ("ftp://vendor.example", AddressError::NotAnAddress),
            ("vendor.example", AddressError::NotAnAddress),
            ("", AddressError::NotAnAddress),
            ("https://me:secret@vendor.example", AddressError::TooMuch),
            ("https://vendor.example/?token=x", AddressError::TooMuch),
        ];
        for (address, error) in bad {
            assert_eq!(Address::parse(address, "", "").unwrap_err(), error, "{address}");
        }
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let address = |base| Address::parse(base, "", "").unwrap();
        let saved = address("https://v.example/a");
        for (base, same) in [
            ("https://v.example/b", true),
            ("https://v.example:443", true),
            ("https://v.example:444", false),
            ("https://w.example/a", false),
        ] {
            assert_eq!(saved.same_origin(&address(base)), same, "{base}");
        }
    }

    #[test]
    fn prefixes_may_be_empty_and_may_not_leave_the_path() {
        for good in ["", "/", "api", "/api/", " /prod-api "] {
            assert!(Address::parse("https://v.example", good, good).is_ok(), "{good}");
        }
        for bad in ["/api?x", "/../admin", "a b", "#"] {
            assert_eq!(Address::parse("https://v.example", bad, "").unwrap_err(), AddressError::BadPrefix, "{bad}");
        }
    }

    #[test]
    fn an_account_shows_no_token_when_printed() {
        let account = Account {
            address: Address::parse("https://v.example", "", "").unwrap(),
            static_area: Some(StaticCredentials { user_id: "dev".into(), token: "hunter2".into() }),
            agent_token: Some("hunter3".into()),
        };
        let printed = format!("{account:?}");
        assert!(!printed.contains("hunter"), "{printed}");
    }
}
