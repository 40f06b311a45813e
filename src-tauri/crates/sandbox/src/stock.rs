//! The IPs that exist: each city has 2-6 blocks of addresses that are never in use, their sizes from the seed.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use rusqlite::{Connection, params};
use wire::locations::City;

use crate::random::mix;

/// Orders here are delivered in part at first and completed a minute later.
pub(crate) const PARTIAL_CITY: &str = "Lisbon";

/// A block of addresses, with the number for sale.
struct Block {
    first: IpAddr,
    for_sale: i64,
}

impl Block {
    /// The network around the block: sixteen addresses in IPv4, a /64 in IPv6.
    fn network(&self) -> String {
        match self.first {
            IpAddr::V4(ip) => format!("{}/28", Ipv4Addr::from_bits(ip.to_bits() & !15)),
            IpAddr::V6(ip) => format!("{}/64", Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
        }
    }
}

fn blocks(seed: u64, city: &City) -> Vec<Block> {
    let id = city.city_id.as_str();
    // A few cities are sold out from the start.
    if city.name_en != PARTIAL_CITY && mix(seed, &format!("empty {id}")).is_multiple_of(37) {
        return Vec::new();
    }
    let count = 2 + mix(seed, &format!("blocks {id}")) % 5;
    let block = |at: u64| {
        let dice = mix(seed, &format!("block {id} {at}"));
        if dice.is_multiple_of(4) {
            let low = 0x2001_0db8_0000_0000_u128 << 64;
            let network = u128::from(dice & 0xffff_ffff) << 64;
            Block {
                first: IpAddr::V6(Ipv6Addr::from_bits(low | network | 1)),
                for_sale: 20 + (dice >> 32) as i64 % 180,
            }
        } else {
            // Three small networks for documentation, and the large one for benchmarks, so that few blocks meet.
            let (net, rooms) = [([192, 0, 2], 16), ([198, 51, 100], 16), ([203, 0, 113], 16), ([198, 18, 0], 8192)]
                [(dice >> 8) as usize % 4];
            let first = Ipv4Addr::new(net[0], net[1], net[2], 1).to_bits() + (dice >> 16) as u32 % rooms * 16;
            Block { first: IpAddr::V4(Ipv4Addr::from_bits(first)), for_sale: 4 + (dice >> 32) as i64 % 11 }
        }
    };
    // Blocks begin at multiples of their room, so any two are either identical or disjoint.
    let mut first = HashSet::new();
    (0..count).map(block).filter(|block| first.insert(block.first)).collect()
}

fn address(first: IpAddr, offset: i64) -> IpAddr {
    match first {
        IpAddr::V4(ip) => IpAddr::V4(Ipv4Addr::from_bits(ip.to_bits().wrapping_add(offset as u32))),
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits().wrapping_add(offset as u128))),
    }
}

/// The stock. Read once per request, in one query.
pub(crate) struct Stock {
    seed: u64,
    sold: HashMap<String, HashSet<IpAddr>>,
}

impl Stock {
    pub(crate) fn read(ledger: &Connection, seed: u64) -> rusqlite::Result<Self> {
        let mut query = ledger.prepare_cached("SELECT city_id, address FROM sold_ip")?;
        let mut rows = query.query([])?;
        let mut sold: HashMap<String, HashSet<IpAddr>> = HashMap::new();
        while let Some(row) = rows.next()? {
            let address: String = row.get(1)?;
            if let Ok(address) = address.parse() {
                sold.entry(row.get(0)?).or_default().insert(address);
            }
        }
        Ok(Self { seed, sold })
    }

    /// Number of IPs left in a city for an order of any IPs: IPv4 only.
    pub(crate) fn available(&self, city: &City) -> i64 {
        let blocks = blocks(self.seed, city);
        blocks.iter().filter(|block| block.first.is_ipv4()).map(|block| self.left(city, block)).sum()
    }

    fn left(&self, city: &City, block: &Block) -> i64 {
        let Some(sold) = self.sold.get(city.city_id.as_str()) else { return block.for_sale };
        (0..block.for_sale).filter(|at| !sold.contains(&address(block.first, *at))).count() as i64
    }

    /// The free IPs of a city, in the order of sale.
    pub(crate) fn free(&self, city: &City) -> impl Iterator<Item = IpAddr> {
        let sold = self.sold.get(city.city_id.as_str()).cloned().unwrap_or_default();
        // Blocks of different cities may be the same because documentation networks are small.
        let blocks = blocks(self.seed, city).into_iter();
        blocks
            .flat_map(|block| (0..block.for_sale).map(move |at| address(block.first, at)))
            .filter(move |address| !sold.contains(address))
    }

    /// The segments of a city: network and number of free IPs.
    pub(crate) fn segments(&self, city: &City) -> Vec<(String, i64)> {
        blocks(self.seed, city).iter().map(|block| (block.network(), self.left(city, block))).collect()
    }

    /// Books an IP as sold.
    pub(crate) fn book(&mut self, ledger: &Connection, city: &City, address: IpAddr) -> rusqlite::Result<()> {
        let mut insert = ledger.prepare_cached("INSERT INTO sold_ip VALUES (?1, ?2)")?;
        insert.execute(params![city.city_id.as_str(), address.to_string()])?;
        self.sold.entry(city.city_id.as_str().to_owned()).or_default().insert(address);
        Ok(())
    }
}
