//! The address that proxies are asked for.

use std::fmt;

use url::Url;

/// A web address without user and password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestAddress(Url);

/// Why a text is no address to test with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongAddress {
    /// It is not a web address.
    #[error("expected a web address")]
    NotAnAddress,
    /// It holds a user or a password.
    #[error("expected no user and no password")]
    Credentials,
}

impl TestAddress {
    /// Reads an address. Without a scheme it is `https`.
    ///
    /// # Errors
    /// See [`WrongAddress`].
    pub fn parse(text: &str) -> Result<Self, WrongAddress> {
        let text = text.trim();
        let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let mut url = Url::parse(&whole).map_err(|_| WrongAddress::NotAnAddress)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || text.contains(char::is_whitespace) {
            return Err(WrongAddress::NotAnAddress);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(WrongAddress::Credentials);
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }
}

impl fmt::Display for TestAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_https_unless_it_says_http() {
        let read = |text: &str| TestAddress::parse(text).map(|address| address.to_string());
        for (typed, read_as) in [
            (" ip.example.com ", "https://ip.example.com/"),
            ("ip.example.com:8080/trace?x=1#y", "https://ip.example.com:8080/trace?x=1"),
            ("http://192.0.2.1/", "http://192.0.2.1/"),
            ("HTTPS://[2001:db8::1]:7", "https://[2001:db8::1]:7/"),
        ] {
            assert_eq!(read(typed).as_deref(), Ok(read_as), "{typed}");
        }
        for typed in
            ["", "  ", "ftp://a.example", "file:///etc/passwd", "a b", "http://", "http://a:99999", "socks5://a"]
        {
            assert_eq!(read(typed), Err(WrongAddress::NotAnAddress), "{typed}");
        }
        for typed in ["http://me@a.example", "me:pass@a.example", "https://:pass@a.example/"] {
            assert_eq!(read(typed), Err(WrongAddress::Credentials), "{typed}");
        }
    }
}
