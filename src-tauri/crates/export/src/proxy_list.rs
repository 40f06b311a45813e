//! One line per proxy. Passwords are written verbatim, IPv6 hosts in brackets.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::orders::Proxy;
use wire::secrets::CONCEALED;

/// The formats in which buyers want proxies.
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
    /// The user's own template.
    Own,
}

/// A format, with the template for [`Format::Own`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "ProxyLayout")]
pub struct Layout {
    /// The format.
    #[ts(as = "Format")]
    pub format: Format,
    /// Such as `%login%:%password%@%ip%:%port%`; used by [`Format::Own`] only.
    pub template: String,
}

impl From<Format> for Layout {
    fn from(format: Format) -> Self {
        Self { format, template: String::new() }
    }
}

/// The value of a template's word. `None` for an unknown word.
fn word(proxy: &Proxy, host: &str, port: &str, name: &str) -> Option<String> {
    Some(match name {
        "ip" | "host" => host.to_owned(),
        "port" => port.to_owned(),
        "login" | "user" => proxy.user.clone(),
        "password" | "pass" => proxy.password.clone(),
        "protocol" => proxy.protocol.clone(),
        _ => return None,
    })
}

/// Fills a template. Its `%` signs delimit text, word, text, word …: a word is the text between two `%`.
fn filled(template: &str, mut with: impl FnMut(&str) -> Option<String>) -> String {
    let mut line = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('%') {
        line.push_str(before);
        match after.split_once('%').and_then(|(name, behind)| Some((with(name)?, behind))) {
            Some((value, behind)) => {
                line.push_str(&value);
                rest = behind;
            }
            None => {
                line.push('%');
                rest = after;
            }
        }
    }
    line + rest
}

/// Unknown words between `%` in a template: they must be typing errors.
pub fn unknown_words(template: &str) -> Vec<String> {
    let nobody = Proxy::default();
    let mut unknown = Vec::new();
    let _ = filled(template, |name| {
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if plain && word(&nobody, "", "", name).is_none() {
            unknown.push(name.to_owned());
        }
        word(&nobody, "", "", name)
    });
    unknown
}

/// Writes a proxy in a format.
pub fn line(proxy: &Proxy, layout: &Layout) -> String {
    written(proxy, &proxy.port.to_string(), layout)
}

/// Writes a proxy whose credentials were not read: they are concealed, and so is a port of 0, which means not known.
pub fn preview(proxy: &Proxy, layout: &Layout) -> String {
    let concealed = Proxy { user: CONCEALED.into(), password: CONCEALED.into(), ..proxy.clone() };
    let port = if proxy.port == 0 { CONCEALED.into() } else { proxy.port.to_string() };
    written(&concealed, &port, layout)
}

fn written(proxy: &Proxy, port: &str, layout: &Layout) -> String {
    let host = if proxy.host.contains(':') { format!("[{}]", proxy.host) } else { proxy.host.clone() };
    let Proxy { user, password, .. } = proxy;
    match layout.format {
        Format::Own => filled(&layout.template, |name| word(proxy, &host, port, name)),
        Format::HostOnly => format!("{host}:{port}"),
        Format::HostFirst => format!("{host}:{port}:{user}:{password}"),
        Format::UserFirst => format!("{user}:{password}:{host}:{port}"),
        Format::At => format!("{user}:{password}@{host}:{port}"),
        Format::Socks5 => format!("socks5://{user}:{password}@{host}:{port}"),
        Format::Http => format!("http://{user}:{password}@{host}:{port}"),
    }
}

/// Whether a colon in the user or password makes the line ambiguous. The user's own template is not checked.
pub fn colons_break(proxy: &Proxy, format: Format) -> bool {
    let has_colon = proxy.user.contains(':') || proxy.password.contains(':');
    !matches!(format, Format::HostOnly | Format::Own) && has_colon
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(host: &str, password: &str) -> Proxy {
        Proxy { host: host.into(), port: 1080, user: "u".into(), password: password.into(), ..Proxy::default() }
    }

    #[test]
    fn each_format_is_written_as_buyers_know_it() {
        let cases = [
            (Format::HostFirst, "192.0.2.1:1080:USER:PASS"),
            (Format::UserFirst, "USER:PASS:192.0.2.1:1080"),
            (Format::At, "USER:PASS@192.0.2.1:1080"),
            (Format::Socks5, "socks5://USER:PASS@192.0.2.1:1080"),
            (Format::Http, "http://USER:PASS@192.0.2.1:1080"),
            (Format::HostOnly, "192.0.2.1:1080"),
        ];
        for (format, form) in cases {
            let with = |user: &str, password: &str| form.replace("USER", user).replace("PASS", password);
            let (one, concealed) = (proxy("192.0.2.1", "p"), with(CONCEALED, CONCEALED));
            assert_eq!(line(&one, &format.into()), with("u", "p"));
            assert_eq!(preview(&one, &format.into()), concealed);
            let unread = Proxy { port: 0, ..one };
            assert_eq!(preview(&unread, &format.into()), concealed.replace("1080", CONCEALED));
        }
    }

    #[test]
    fn ipv6_hosts_stand_in_brackets() {
        assert_eq!(line(&proxy("2001:db8::1", "p"), &Format::HostFirst.into()), "[2001:db8::1]:1080:u:p");
    }

    #[test]
    fn a_colon_that_would_break_the_line_is_told() {
        assert!(colons_break(&proxy("h", "a:b"), Format::HostFirst));
        assert!(!colons_break(&proxy("h", "ab"), Format::HostFirst));
        assert!(!colons_break(&proxy("h", "a:b"), Format::HostOnly));
    }

    #[test]
    fn an_own_template_is_filled_word_by_word() {
        let own = |template: &str| Layout { format: Format::Own, template: template.into() };
        let cases = [
            ("%login%:%password%@%ip%:%port%", "u:p@192.0.2.1:1080"),
            ("%host%|%pass%", "192.0.2.1|p"),
            ("100% %ip%", "100% 192.0.2.1"),
            ("%nonsense%%port%", "%nonsense%1080"),
            ("plain", "plain"),
            ("%", "%"),
        ];
        for (template, expected) in cases {
            assert_eq!(line(&proxy("192.0.2.1", "p"), &own(template)), expected, "{template}");
        }
        assert_eq!(line(&proxy("h", "%ip%"), &own("%password%")), "%ip%", "a value is never filled again");
        assert_eq!(line(&proxy("2001:db8::1", "p"), &own("%ip%:%port%")), "[2001:db8::1]:1080");
    }

    #[test]
    fn a_slip_of_the_pen_in_a_template_is_told() {
        assert_eq!(unknown_words("%login%:%pasword%"), ["pasword"]);
        assert!(unknown_words("%login%:%password%@%ip%:%port% 100%").is_empty());
    }
}
