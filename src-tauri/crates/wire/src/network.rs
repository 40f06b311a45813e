//! A network segment, IPv4 or IPv6.

use std::net::IpAddr;

/// An address and the number of its leading bits that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    length: u32,
}

impl Network {
    /// Reads `203.0.113.0/24` or `2001:db8::/32`.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, length) = text.split_once('/')?;
        let first: IpAddr = first.parse().ok()?;
        let length: u32 = length.parse().ok()?;
        (length <= bits(first).1).then_some(Self { first, length })
    }

    /// Whether an address lies in the segment.
    pub fn holds(self, ip: IpAddr) -> bool {
        let ((own, width), (other, other_width)) = (bits(self.first), bits(ip));
        let behind = width - self.length;
        width == other_width && own.checked_shr(behind).unwrap_or(0) == other.checked_shr(behind).unwrap_or(0)
    }
}

/// The address as a number, and its number of bits.
fn bits(ip: IpAddr) -> (u128, u32) {
    match ip {
        IpAddr::V4(ip) => (u128::from(ip.to_bits()), 32),
        IpAddr::V6(ip) => (ip.to_bits(), 128),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_what_begins_as_it_does() {
        let cases = [
            ("203.0.113.0/24", "203.0.113.200", true),
            ("203.0.113.0/24", "203.0.114.1", false),
            ("203.0.113.16/28", "203.0.113.31", true),
            ("203.0.113.16/28", "203.0.113.32", false),
            ("0.0.0.0/0", "192.0.2.1", true),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("::/0", "192.0.2.1", false),
            ("192.0.2.1/32", "192.0.2.1", true),
        ];
        for (network, ip, holds) in cases {
            assert_eq!(Network::parse(network).unwrap().holds(ip.parse().unwrap()), holds, "{network} {ip}");
        }
    }

    #[test]
    fn what_is_no_network_is_not_read() {
        for text in ["203.0.113.0", "203.0.113.0/33", "2001:db8::/129", "x/8", "203.0.113/24", "203.0.113.0/-1", ""] {
            assert_eq!(Network::parse(text), None, "{text}");
        }
    }
}
