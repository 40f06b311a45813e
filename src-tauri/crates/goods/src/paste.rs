//! Pasted lines such as "1.2.3.4 → ali" or "1.2.3.4:8000 ali": which proxies are for whom. Whatever is unknown or has
//! two meanings is a question beside its line; nothing is guessed or left out.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use operations::{BuyerId, GoodsKey};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::CustomerId;

use crate::row::{GoodsRow, address};

/// Whom a name means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Who {
    /// Nobody any more.
    Nobody,
    /// A known buyer.
    Buyer {
        /// The buyer.
        id: BuyerId,
    },
    /// A customer of the list, who becomes a buyer.
    Customer {
        /// The customer.
        id: CustomerId,
        /// The customer's name.
        name: String,
    },
    /// A new buyer with this name.
    New {
        /// The name.
        name: String,
    },
}

/// Whom a name means, with the name to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WhoNamed {
    /// Whom.
    pub who: Who,
    /// The name.
    pub name: String,
}

/// What a name in a line means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "PastedMeant")]
pub struct Meant {
    /// Certainly this one; `None` leaves a question.
    pub one: Option<WhoNamed>,
    /// Perhaps one of these.
    pub perhaps: Vec<WhoNamed>,
}

/// An address in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PastedAddress {
    /// As it is written in lists: `host`, or `host:port`.
    pub text: String,
    /// What it may be, one entry for each port: one entry is certain, none is unknown, several are a question. An
    /// address that several orders name is one entry with several keys.
    pub meanings: Vec<AddressMeant>,
}

/// One meaning of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "PastedMeaning")]
pub struct AddressMeant {
    /// `host:port`.
    pub text: String,
    /// The proxies.
    pub keys: Vec<GoodsKey>,
    /// Whose they are now: the name of each buyer once.
    pub whose: Vec<String>,
}

/// One pasted line that is not empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PastedLine {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The addresses in it; none is a question.
    pub addresses: Vec<PastedAddress>,
    /// The name in it; empty if there is none.
    pub name: String,
    /// Whom the name means.
    pub meant: Meant,
}

/// The proxies by address, to look pasted ones up.
pub struct Addresses<'a>(HashMap<IpAddr, Vec<&'a GoodsRow>>);

impl<'a> Addresses<'a> {
    /// Indexes the rows of the list, without those that are gone: their addresses may be those of other IPs now.
    pub fn of(rows: &'a [GoodsRow]) -> Self {
        let mut all = HashMap::<IpAddr, Vec<&GoodsRow>>::new();
        for row in rows.iter().filter(|row| !row.item.is_gone()) {
            if let Ok(ip) = row.item.key.host.parse() {
                all.entry(ip).or_default().push(row);
            }
        }
        Self(all)
    }

    /// A proxy whose port the vendor's list does not report fits any port, unless another one on its host has that
    /// port.
    fn meanings(&self, ip: IpAddr, port: Option<u16>) -> Vec<AddressMeant> {
        let mut meanings: Vec<AddressMeant> = Vec::new();
        let of_host = || self.0.get(&ip).into_iter().flatten();
        let wanted = port.map(|port| if of_host().any(|row| row.item.key.port == port) { port } else { 0 });
        for row in of_host().filter(|row| wanted.is_none_or(|wanted| row.item.key.port == wanted)) {
            let text = address(&row.item.key.host, row.item.key.port);
            let at = meanings.iter().position(|one| one.text == text).unwrap_or_else(|| {
                meanings.push(AddressMeant { text, keys: Vec::new(), whose: Vec::new() });
                meanings.len() - 1
            });
            let Some(meaning) = meanings.get_mut(at) else { continue };
            meaning.keys.push(row.item.key.clone());
            let buyer = row.buyer.as_ref().map(|buyer| &buyer.name);
            if let Some(name) = buyer.filter(|name| !meaning.whose.contains(name)) {
                meaning.whose.push(name.clone());
            }
        }
        meanings
    }
}

/// Reads pasted text. `find` says whom a name means.
pub fn read(text: &str, addresses: &Addresses<'_>, find: impl Fn(&str) -> Meant) -> Vec<PastedLine> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| pasted(at + 1, line, addresses, &find)).collect()
}

fn pasted(number: usize, line: &str, addresses: &Addresses<'_>, find: &impl Fn(&str) -> Meant) -> PastedLine {
    let mut found: Vec<PastedAddress> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let line = line.replace("->", "→").replace("=>", "→").replace('：', ":");
    for tokens in line.split(['→', '=', '＝']).map(tokens) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            let Some((ip, port, rest)) = read_address(token) else {
                words.push((*token).to_owned());
                continue;
            };
            let columns = columns(tokens.get(at..).unwrap_or_default()).filter(|_| port.is_none() && rest.is_none());
            at += columns.map_or(0, |(_, used)| used);
            let port = port.or(columns.map(|(port, _)| port));
            let text = port.map_or_else(|| ip.to_string(), |port| address(&ip.to_string(), port));
            if !found.iter().any(|one| one.text == text) {
                found.push(PastedAddress { meanings: addresses.meanings(ip, port), text });
            }
            words.extend(rest);
        }
    }
    let name = name(&words);
    let meant = if name.is_empty() { Meant { one: None, perhaps: Vec::new() } } else { find(&name) };
    PastedLine { number, addresses: found, name, meant }
}

fn tokens(part: &str) -> Vec<&str> {
    let is_between = |one: char| one.is_whitespace() || ",;|，；、。\u{feff}".contains(one);
    part.split(is_between).filter(|token| !token.is_empty()).collect()
}

/// A port in a column of its own after an address, and the number of columns that belong to the address. User and
/// password may follow the port: they are left out, because they are no name.
fn columns(after: &[&str]) -> Option<(u16, usize)> {
    let (first, rest) = after.split_first()?;
    let port: u16 = first.parse().ok().filter(|port| *port > 0)?;
    let more = rest.iter().take_while(|token| read_address(token).is_none()).count();
    Some((port, if more >= 2 { 3 } else { 1 }))
}

/// Reads an address: alone, with a port, with credentials in any of the usual places, or with a name right after its
/// colon. Returns that name too.
fn read_address(token: &str) -> Option<(IpAddr, Option<u16>, Option<String>)> {
    let token = token.trim_matches(|one: char| "\"'`()<>（）“”".contains(one)).trim_end_matches(['.', ':']);
    let token = token.split_once("://").map_or(token, |(_, rest)| rest);
    let token = token.rsplit_once('@').map_or(token, |(before, rest)| match starts_with_ip(rest) {
        true => rest,
        false => before,
    });
    let token = token.split('/').next().unwrap_or(token);
    if let Some(bracketed) = token.strip_prefix('[') {
        let (host, behind) = bracketed.split_once(']')?;
        let ip: Ipv6Addr = host.parse().ok()?;
        let port = behind.strip_prefix(':').and_then(|behind| behind.split(':').next()?.parse().ok());
        return Some((ip.into(), port, None));
    }
    if let Ok(ip) = token.parse::<Ipv6Addr>() {
        return Some((ip.into(), None, None));
    }
    let parts: Vec<&str> = token.split(':').collect();
    let at = parts.iter().position(|part| part.parse::<Ipv4Addr>().is_ok())?;
    let ip: Ipv4Addr = parts.get(at)?.parse().ok()?;
    let behind = parts.get(at + 1).copied();
    let port = behind.and_then(|port| port.parse().ok());
    // "1.2.3.4:ali" and "ali:1.2.3.4" name somebody; what follows a port, or stands before one, are credentials.
    let rest = match (at, parts.len(), port) {
        (0, 2, None) => behind,
        (1, 2, _) => parts.first().copied(),
        _ => None,
    };
    Some((ip.into(), port, rest.map(str::to_owned)))
}

fn starts_with_ip(text: &str) -> bool {
    text.starts_with('[') || text.split(':').next().is_some_and(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// The name in the words of a line, without the signs and small words around it.
fn name(words: &[String]) -> String {
    const SMALL: [&str; 4] = ["for", "to", "给", "是"];
    let is_filler =
        |word: &&str| word.chars().all(|one| !one.is_alphanumeric()) || SMALL.contains(&word.to_lowercase().as_str());
    let mut words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    while words.first().is_some_and(is_filler) {
        words.remove(0);
    }
    while words.last().is_some_and(is_filler) {
        words.pop();
    }
    words.join(" ").trim_matches(|one: char| ":-–—".contains(one) || one.is_whitespace()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stock::Stock;
    use crate::stock::tests::{buyer, delivered, key};
    use operations::{Assignment, Marks};
    use proptest::prelude::*;
    use wire::ids::OrderNo;
    use wire::orders::Delivered;

    fn rows() -> crate::Rows {
        let other = Delivered { port: 8000, ..delivered("192.0.2.2", "JP", "") };
        let orders = vec![
            (OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", ""), other]),
            (OrderNo::new("B"), vec![delivered("192.0.2.1", "JP", ""), delivered("2001:db8::1", "JP", "")]),
        ];
        Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default())
    }

    fn nobody(name: &str) -> Meant {
        let one = (name == "ali").then(|| WhoNamed { who: Who::Buyer { id: BuyerId(1) }, name: "ali".into() });
        Meant { one, perhaps: Vec::new() }
    }

    fn lines(text: &str) -> Vec<PastedLine> {
        let rows = rows();
        read(text, &Addresses::of(&rows), nobody)
    }

    #[test]
    fn lines_are_read_as_people_write_them() {
        for line in [
            "192.0.2.1 → ali",
            "192.0.2.1->ali",
            "192.0.2.1 => ali",
            "192.0.2.1:1080 ali",
            "192.0.2.1:1080:user:pass ali",
            "user:pass@192.0.2.1:1080 ali",
            "socks5://user:pass@192.0.2.1:1080 - ali",
            "user:pass:192.0.2.1:1080\tali",
            "192.0.2.1,1080,user,pass → ali",
            "192.0.2.1\t1080\tuser\tpass\tali",
            "192.0.2.1 1080 ali",
            "192.0.2.1:ali",
            "192.0.2.1: ali",
            "ali: 192.0.2.1",
            "ali:192.0.2.1",
            "ali = 192.0.2.1",
            "ali, 192.0.2.1",
            "192.0.2.1 for ali",
            "192.0.2.1 给 ali",
            "  (192.0.2.1)；ali ",
        ] {
            let read = lines(line);
            assert_eq!((read.len(), read[0].name.as_str(), read[0].addresses.len()), (1, "ali", 1), "{line}");
            let [meaning] = &read[0].addresses[0].meanings[..] else { panic!("{line}: {read:?}") };
            assert_eq!((meaning.text.as_str(), meaning.keys.len()), ("192.0.2.1:1080", 2), "both orders that name it");
            assert!(read[0].meant.one.is_some(), "{line}");
        }
    }

    #[test]
    fn what_is_unknown_or_has_two_meanings_is_a_question_and_no_line_is_lost() {
        let read = lines("192.0.2.2 ali\n\n192.0.2.99 ali\nhello there\n[2001:db8::1]:1080 ali@x.com\n2001:db8::1");
        let numbers: Vec<_> = read.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [1, 3, 4, 5, 6]);
        assert_eq!(read[0].addresses[0].meanings.len(), 2, "two ports");
        assert!(read[1].addresses[0].meanings.is_empty());
        assert_eq!((read[2].addresses.len(), read[2].name.as_str()), (0, "hello there"));
        assert_eq!((read[3].name.as_str(), read[3].meant.one.is_none()), ("ali@x.com", true));
        assert_eq!(read[3].addresses[0].meanings[0].text, "[2001:db8::1]:1080");
        assert_eq!((read[4].name.as_str(), read[4].addresses[0].meanings.len()), ("", 1));
    }

    #[test]
    fn a_port_means_an_ip_whose_port_the_vendor_does_not_name_unless_another_of_its_host_has_it() {
        let at = |port: u16| Delivered { port, ..delivered("192.0.2.1", "JP", "") };
        let keys = |orders: Vec<(OrderNo, Vec<Delivered>)>, line: &str| -> Vec<String> {
            let rows = Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default());
            let read = read(line, &Addresses::of(&rows), nobody);
            read[0].addresses[0].meanings.iter().flat_map(|one| &one.keys).map(|key| key.port.to_string()).collect()
        };
        let order = |all: Vec<Delivered>| vec![(OrderNo::new("A"), all)];
        assert_eq!(keys(order(vec![at(0)]), "192.0.2.1:8000:user:pass → ali"), ["0"]);
        assert_eq!(keys(order(vec![at(0), at(8000)]), "192.0.2.1:8000 ali"), ["8000"]);
        assert_eq!(keys(order(vec![at(1080)]), "192.0.2.1:8000 ali"), [""; 0], "another port is another proxy");
    }

    #[test]
    fn a_line_says_whose_its_ips_are_now() {
        let orders =
            || vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", "")])];
        let assignments =
            ["192.0.2.1"].map(|host| Assignment { key: key("A", host), buyer: Some(BuyerId(1)), note: String::new() });
        let marks = Marks { assignments: assignments.into(), ..Marks::default() };
        let rows = Stock::of(orders(), Vec::new(), 0).rows(&[buyer(1, "bob")], &marks);
        let read = read("192.0.2.1 192.0.2.2 → ali", &Addresses::of(&rows), nobody);
        let whose: Vec<&[String]> = read[0].addresses.iter().map(|one| &*one.meanings[0].whose).collect();
        assert_eq!(whose, [&["bob".to_owned()][..], &[]]);
    }

    #[test]
    fn several_addresses_of_a_line_are_all_read_each_once() {
        let read = lines("192.0.2.1, 192.0.2.2:8000 192.0.2.1 → ali");
        let texts: Vec<_> = read[0].addresses.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["192.0.2.1", "192.0.2.2:8000"]);
    }

    proptest! {
        #[test]
        fn every_line_that_is_not_empty_comes_back(text in "[ -~→\n]{0,200}") {
            let expected = text.lines().filter(|line| !line.trim().is_empty()).count();
            prop_assert_eq!(lines(&text).len(), expected);
        }
    }
}
