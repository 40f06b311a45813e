//! The `details` of an order: proxies with their credentials, at any depth, next to the specification. "Element
//! shape not published": every name here is a candidate.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::facts::{Fact, Word, folded};
use crate::parts::{Part, parts, place};
use crate::secrets::{Secrets, conceal_in, conceal_others};
use crate::tree::Tree;

/// One delivered proxy with everything a buyer needs to use it.
///
/// The password is goods, not a secret of this program, but it must not reach a log: so there is no `Debug`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxy {
    /// IP address without brackets.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// User name; empty when none is needed.
    pub user: String,
    /// Password; empty when none is needed.
    pub password: String,
    /// socks5 or http; empty when not reported.
    pub protocol: String,
    /// Location and expiry.
    pub about: About,
}

/// Details of a proxy beyond how to reach it. Holds no credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(rename = "ProxyAbout")]
pub struct About {
    /// Chinese name of the country; empty when not reported.
    pub country_zh: String,
    /// English name of the country; empty when not reported.
    pub country_en: String,
    /// Country code; empty when not reported.
    pub country_code: String,
    /// Chinese name of the city; empty when not reported.
    pub city_zh: String,
    /// English name of the city; empty when not reported.
    pub city_en: String,
    /// When it expires, as it came; empty when not reported.
    pub expires: String,
    /// Everything else that was reported, as it came; values that may be credentials are concealed.
    pub other: Vec<Fact>,
}

pub(crate) const HOST: [&str; 5] = ["proxyip", "ip", "host", "proxyhost", "ipaddress"];
pub(crate) const PORT: [&str; 2] = ["proxyport", "port"];
const USER: [&str; 5] = ["proxyuser", "user", "username", "account", "proxyusername"];
const PASSWORD: [&str; 4] = ["proxypassword", "password", "pass", "proxypass"];
const PROTOCOL: [&str; 2] = ["protocol", "proxytype"];
const COUNTRY_CODE: [&str; 2] = ["countrycode", "countryiso"];
/// Words that a proxy inherits from the enclosing object unless it has its own.
const PLACE: [Word; 3] = [Word::Country, Word::CountryCode, Word::City];

/// Separates the proxies from the parts around them, and returns the credentials of them all.
pub(crate) fn goods(details: &Tree) -> (Vec<Proxy>, Vec<Part>, Secrets) {
    let mut found = Vec::new();
    let rest = without_proxies(details, &Proxy::default(), &mut found);
    let mut specification = rest.as_ref().map(parts).map(lifted).unwrap_or_default();
    let secrets = conceal_others(&mut found);
    specification.iter_mut().for_each(|part| conceal_in(part, &secrets));
    (found, specification, secrets)
}

/// Unwraps objects that only hold others, and drops the heading "specification".
fn lifted(read: Vec<Part>) -> Vec<Part> {
    let is_box = |part: &Part| Part { parts: Vec::new(), ..part.clone() } == Part::default();
    let mut all: Vec<Part> =
        read.into_iter().flat_map(|part| if is_box(&part) { part.parts } else { vec![part] }).collect();
    for part in &mut all {
        let below = part.parts.iter_mut().filter(|part| part.word == Some(Word::Specification));
        below.for_each(|part| (part.key, part.word) = (String::new(), None));
        if part.word == Some(Word::Specification) {
            (part.key, part.word) = (String::new(), None);
        }
    }
    all
}

/// Moves the proxies out of a value into `found`. `None`: nothing else is left.
fn without_proxies(value: &Tree, around: &Proxy, found: &mut Vec<Proxy>) -> Option<Tree> {
    match value {
        Tree::List(elements) => {
            let left: Vec<Tree> =
                elements.iter().filter_map(|element| without_proxies(element, around, found)).collect();
            (!left.is_empty()).then_some(Tree::List(left))
        }
        Tree::Object(members) => {
            if let Some(proxy) = proxy(members, around) {
                found.push(proxy);
                return None;
            }
            let around = lent(members, around);
            let left: Vec<(String, Tree)> = members
                .iter()
                .filter_map(|(key, value)| Some((key.clone(), without_proxies(value, &around, found)?)))
                .collect();
            (!left.is_empty()).then_some(Tree::Object(left))
        }
        Tree::Text(text) => match line(text, around) {
            Some(proxy) => {
                found.push(proxy);
                None
            }
            None => Some(value.clone()),
        },
        plain => Some(plain.clone()),
    }
}

pub(crate) fn first(members: &[(String, Tree)], names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| members.iter().find(|(key, _)| folded(key) == *name)?.1.plain())
}

/// A proxy with everything else that is reported of it, in which nothing is concealed yet.
pub(crate) fn proxy(members: &[(String, Tree)], around: &Proxy) -> Option<Proxy> {
    let host = first(members, &HOST)?;
    let port = first(members, &PORT)?.trim().parse().ok()?;
    let own = lent(members, around);
    let (user, password) = (first(members, &USER), first(members, &PASSWORD));
    // Never mix a user with a password from elsewhere: half of a pair is useless.
    let (user, password) = match (user, password) {
        (None, None) => (own.user.clone(), own.password.clone()),
        (user, password) => (user.unwrap_or_default(), password.unwrap_or_default()),
    };
    let used = [&HOST[..], &PORT, &USER, &PASSWORD, &PROTOCOL].concat();
    let is_other = |key: &str| {
        let of_place = Word::of(key).is_some_and(|word| PLACE.contains(&word) || word == Word::Expires);
        !of_place && !used.contains(&folded(key).as_str())
    };
    let told = members.iter().filter(|(key, value)| is_other(key) || value.plain().is_none());
    let other: Vec<Fact> = told.filter_map(|(key, value)| Fact::of_any(key, value)).collect();
    Some(Proxy { host: host.trim().to_owned(), port, user, password, about: About { other, ..own.about }, ..own })
}

/// Values that a proxy inherits: from this object or, where it has none, from those around it.
pub(crate) fn lent(members: &[(String, Tree)], around: &Proxy) -> Proxy {
    let told = |own: Option<String>, around: &String| own.unwrap_or_else(|| around.clone());
    let [country_zh, country_en, city_zh, city_en] = place(members);
    let country_code = first(members, &COUNTRY_CODE);
    // An object with a place of its own inherits nothing of the place around it.
    let place_around = if [&country_zh, &city_zh].iter().all(|name| name.is_empty()) && country_code.is_none() {
        around.about.clone()
    } else {
        let country_code = country_code.unwrap_or_default();
        About { country_zh, country_en, country_code, city_zh, city_en, ..About::default() }
    };
    let expires =
        members.iter().find(|(key, _)| Word::of(key) == Some(Word::Expires)).and_then(|(_, value)| value.plain());
    let credentials = first(members, &["proxyuser", "username", "user"]).zip(first(members, &PASSWORD));
    let (user, password) = credentials.unwrap_or_else(|| (around.user.clone(), around.password.clone()));
    Proxy {
        protocol: told(first(members, &PROTOCOL), &around.protocol),
        about: About { expires: told(expires, &around.about.expires), other: Vec::new(), ..place_around },
        user,
        password,
        ..Proxy::default()
    }
}

/// Reads a proxy from one line: `ip:port`, `ip:port:user:pass` or `scheme://user:pass@ip:port`.
fn line(text: &str, around: &Proxy) -> Option<Proxy> {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let (credentials, address) = rest.rsplit_once('@').map_or((None, rest), |(own, address)| (Some(own), address));
    let (host, behind) = match address.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once("]:")?,
        None => address.split_once(':')?,
    };
    host.parse::<IpAddr>().ok()?;
    let (port, more) = behind.split_once(':').map_or((behind, None), |(port, more)| (port, Some(more)));
    let port = port.parse().ok()?;
    let (user, password) = match credentials.or(more) {
        Some(own) => own.split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))?,
        None => (around.user.clone(), around.password.clone()),
    };
    let protocol = if scheme.is_empty() { around.protocol.clone() } else { scheme.to_owned() };
    Some(Proxy { host: host.to_owned(), port, user, password, protocol, about: around.about.clone() })
}

#[cfg(test)]
mod tests;
