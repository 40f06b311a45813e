//! One line for each proxy. Passwords are written verbatim; IPv6 hosts in brackets.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::orders::Proxy;

/// How buyers want proxies handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ProxyFormat")]
pub enum Format {
    /// `host:port:user:pass`
    #[default]
    HostFirst,
    /// `user:pass:host:port`
    UserFirst,
    /// `user:pass@host:port`
    At,
    /// `socks5://user:pass@host:port`
    Socks5,
    /// `http://user:pass@host:port`
    Http,
    /// `host:port`
    HostOnly,
}

/// A proxy in a format.
pub fn line(proxy: &Proxy, format: Format) -> String {
    let host = if proxy.host.contains(':') { format!("[{}]", proxy.host) } else { proxy.host.clone() };
    let Proxy { port, user, password, .. } = proxy;
    match format {
        Format::HostOnly => format!("{host}:{port}"),
        Format::HostFirst => format!("{host}:{port}:{user}:{password}"),
        Format::UserFirst => format!("{user}:{password}:{host}:{port}"),
        Format::At => format!("{user}:{password}@{host}:{port}"),
        Format::Socks5 => format!("socks5://{user}:{password}@{host}:{port}"),
        Format::Http => format!("http://{user}:{password}@{host}:{port}"),
    }
}

/// A colon in user or password makes a line that can not be taken apart again.
pub fn colons_break(proxy: &Proxy, format: Format) -> bool {
    let has_colon = proxy.user.contains(':') || proxy.password.contains(':');
    format != Format::HostOnly && has_colon
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(host: &str, password: &str) -> Proxy {
        Proxy { host: host.into(), port: 1080, user: "u".into(), password: password.into(), protocol: String::new() }
    }

    #[test]
    fn each_format_is_written_as_buyers_know_it() {
        let cases = [
            (Format::HostFirst, "192.0.2.1:1080:u:p"),
            (Format::UserFirst, "u:p:192.0.2.1:1080"),
            (Format::At, "u:p@192.0.2.1:1080"),
            (Format::Socks5, "socks5://u:p@192.0.2.1:1080"),
            (Format::Http, "http://u:p@192.0.2.1:1080"),
            (Format::HostOnly, "192.0.2.1:1080"),
        ];
        for (format, expected) in cases {
            assert_eq!(line(&proxy("192.0.2.1", "p"), format), expected);
        }
    }

    #[test]
    fn ipv6_hosts_stand_in_brackets() {
        assert_eq!(line(&proxy("2001:db8::1", "p"), Format::HostFirst), "[2001:db8::1]:1080:u:p");
    }

    #[test]
    fn a_colon_that_would_break_the_line_is_told() {
        assert!(colons_break(&proxy("h", "a:b"), Format::HostFirst));
        assert!(!colons_break(&proxy("h", "ab"), Format::HostFirst));
        assert!(!colons_break(&proxy("h", "a:b"), Format::HostOnly));
    }
}
