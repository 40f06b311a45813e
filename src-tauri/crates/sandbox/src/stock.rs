//! Which IPs exist: each city has 2-6 blocks of documentation addresses, their size from the seed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use rusqlite::{Connection, params};
use wire::locations::City;
use wire::purchase::{PurchaseConfig, QuotaItem, QuotaKind};

use crate::envelope::Refusal;
use crate::places::PLACES;
use crate::random::mix;

/// Orders here are delivered in part at first and completed a minute later.
pub(crate) const PARTIAL_CITY: &str = "Lisbon";

/// A block of addresses and how many of them are for sale.
struct Block {
    first: IpAddr,
    for_sale: i64,
}

/// IPs taken from one city for one order.
pub(crate) struct Taken {
    pub(crate) city: &'static City,
    pub(crate) addresses: Vec<IpAddr>,
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
            let net = [[192, 0, 2], [198, 51, 100], [203, 0, 113]][(dice >> 8) as usize % 3];
            let host = ((dice >> 16) % 16 * 16 + 1) as u8;
            Block {
                first: IpAddr::V4(Ipv4Addr::new(net[0], net[1], net[2], host)),
                for_sale: 4 + (dice >> 32) as i64 % 11,
            }
        }
    };
    (0..count).map(block).collect()
}

fn address(first: IpAddr, offset: i64) -> IpAddr {
    match first {
        IpAddr::V4(ip) => IpAddr::V4(Ipv4Addr::from_bits(ip.to_bits().wrapping_add(offset as u32))),
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits().wrapping_add(offset as u128))),
    }
}

fn sold(ledger: &Connection, city: &City) -> rusqlite::Result<i64> {
    let mut query = ledger.prepare_cached("SELECT coalesce((SELECT count FROM sold WHERE city_id = ?1), 0)")?;
    query.query_row([city.city_id.as_str()], |row| row.get(0))
}

/// IPs that can still be bought in a city.
pub(crate) fn available(ledger: &Connection, seed: u64, city: &City) -> rusqlite::Result<i64> {
    let all: i64 = blocks(seed, city).iter().map(|block| block.for_sale).sum();
    Ok((all - sold(ledger, city)?).max(0))
}

fn cities_of(line: &QuotaItem) -> Vec<&'static City> {
    let on_continent = |city: &City| {
        let country = PLACES.country(&city.country_code);
        country.map(|country| &country.continent_id) == line.continent_id.as_ref()
    };
    let fits = |city: &City| match line.kind {
        QuotaKind::GlobalRandom => true,
        QuotaKind::ContinentRandom => line.continent_id.is_none() || on_continent(city),
        QuotaKind::CountryRandom => Some(&city.country_code) == line.country_code.as_ref(),
        QuotaKind::City => Some(&city.city_id) == line.city_id.as_ref(),
    };
    PLACES.cities.iter().filter(|city| fits(city)).collect()
}

/// Checks the lines: their sum, and that each names a place that exists.
pub(crate) fn check_lines(config: &PurchaseConfig) -> Result<(), Refusal> {
    if config.allocate_strategy != 1 {
        return Err(Refusal::body("config.allocateStrategy: only 1 (random) is offered"));
    }
    if config.quota_items.is_empty() {
        return Err(Refusal::body("config.quotaItems: required when allocateStrategy=1"));
    }
    for (at, line) in config.quota_items.iter().enumerate() {
        let wrong = |field: &str, why: &str| Refusal::body(format!("config.quotaItems[{at}].{field}: {why}"));
        if !(1..=500).contains(&line.quantity) {
            return Err(wrong("quantity", "from 1 to 500"));
        }
        let country_known = line.country_code.as_ref().is_some_and(|code| PLACES.country(code).is_some());
        if matches!(line.kind, QuotaKind::CountryRandom) && !country_known {
            return Err(wrong("countryCode", "unknown country"));
        }
        if matches!(line.kind, QuotaKind::City) && line.city_id.as_ref().and_then(|id| PLACES.city(id)).is_none() {
            return Err(wrong("cityId", "unknown city"));
        }
    }
    if config.ips_in_lines() != config.purchase_ip_count {
        return Err(Refusal::body("config.purchaseIpCount: not the sum of the lines"));
    }
    Ok(())
}

/// Takes the IPs of every line, spread over the cities that have some, and books them as sold.
pub(crate) fn take(
    ledger: &Connection,
    seed: u64,
    config: &PurchaseConfig,
    order: &str,
) -> Result<Vec<Taken>, Refusal> {
    let mut taken = Vec::new();
    for line in &config.quota_items {
        let mut missing = line.quantity;
        let mut cities = cities_of(line);
        cities.sort_by_key(|city| mix(seed, &format!("{order} {}", city.city_id)));
        // Spread over several cities rather than emptying the first.
        let share = (line.quantity as usize).div_ceil(cities.len().clamp(1, 5)) as i64;
        for at_most in [share, i64::MAX] {
            for city in &cities {
                let free = available(ledger, seed, city)?.min(at_most).min(missing);
                if free > 0 {
                    taken.push(Taken { city, addresses: book(ledger, seed, city, free)? });
                    missing -= free;
                }
            }
        }
        if missing > 0 {
            return Err(Refusal::business("60310", "not enough stock"));
        }
    }
    Ok(taken)
}

fn book(ledger: &Connection, seed: u64, city: &City, count: i64) -> rusqlite::Result<Vec<IpAddr>> {
    let before = sold(ledger, city)?;
    let mut upsert = ledger.prepare_cached(
        "INSERT INTO sold (city_id, count) VALUES (?1, ?2) ON CONFLICT (city_id) DO UPDATE SET count = count + ?2",
    )?;
    upsert.execute(params![city.city_id.as_str(), count])?;
    let all =
        blocks(seed, city).into_iter().flat_map(|block| (0..block.for_sale).map(move |at| address(block.first, at)));
    Ok(all.skip(before as usize).take(count as usize).collect())
}
