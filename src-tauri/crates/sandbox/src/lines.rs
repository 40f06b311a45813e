//! The lines of an order: whether they are valid, and which IPs they get.

use std::collections::HashSet;
use std::net::IpAddr;

use ipnet::IpNet;
use rusqlite::Connection;
use wire::ids::{CityId, CountryCode};
use wire::locations::City;
use wire::purchase::{
    PurchaseConfig, QuotaItem, QuotaKind, STRATEGY_IP, STRATEGY_RANDOM, STRATEGY_SEGMENT, SegmentItem, SpecificIpItem,
};

use crate::envelope::Refusal;
use crate::places::PLACES;
use crate::random::mix;
use crate::stock::Stock;

/// An IP taken for an order.
pub(crate) struct Taken {
    pub(crate) city: &'static City,
    pub(crate) address: IpAddr,
}

/// Most IPs in a line.
const MOST: i64 = 500;

/// Checks the lines: they suit the strategy, each names something that exists, and their sum is right.
pub(crate) fn check(config: &PurchaseConfig) -> Result<(), Refusal> {
    let (list, lines) = match config.allocate_strategy {
        STRATEGY_RANDOM => ("quotaItems", config.quota_items.iter().map(check_quota).collect::<Vec<_>>()),
        STRATEGY_SEGMENT => ("segmentItems", config.segment_items.iter().map(check_segment).collect()),
        STRATEGY_IP => ("specificIpItems", config.specific_ip_items.iter().map(check_ip).collect()),
        _ => return Err(Refusal::body("config.allocateStrategy: 1, 2 or 3")),
    };
    if lines.is_empty() {
        let strategy = config.allocate_strategy;
        return Err(Refusal::body(format!("config.{list}: required when allocateStrategy={strategy}")));
    }
    for (at, line) in lines.into_iter().enumerate() {
        line.map_err(|wrong| Refusal::body(format!("config.{list}[{at}].{wrong}")))?;
    }
    if config.ips_in_lines() != Some(config.purchase_ip_count) {
        return Err(Refusal::body("config.purchaseIpCount: not the sum of the lines"));
    }
    Ok(())
}

type Checked = Result<(), &'static str>;

fn check_quota(line: &QuotaItem) -> Checked {
    let country = line.country_code.as_ref().and_then(|code| PLACES.country(code));
    let city = line.city_id.as_ref().and_then(|id| PLACES.city(id));
    match line.kind {
        _ if !(1..=MOST).contains(&line.quantity) => Err("quantity: from 1 to 500"),
        QuotaKind::CountryRandom if country.is_none() => Err("countryCode: unknown country"),
        QuotaKind::City if city.is_none() => Err("cityId: unknown city"),
        _ => Ok(()),
    }
}

fn check_segment(line: &SegmentItem) -> Checked {
    if line.cidr.parse::<IpNet>().is_err() {
        return Err("cidr: not a network");
    }
    if !(1..=MOST).contains(&line.purchase_ip_count) {
        return Err("purchaseIpCount: from 1 to 500");
    }
    check_region(line.country_code.as_ref(), line.city_id.as_ref())
}

fn check_ip(line: &SpecificIpItem) -> Checked {
    if line.proxy_ip.parse::<IpAddr>().is_err() {
        return Err("proxyIp: not an IP address");
    }
    check_region(line.country_code.as_ref(), line.city_id.as_ref())
}

fn check_region(country: Option<&CountryCode>, city: Option<&CityId>) -> Checked {
    match (country, city) {
        (Some(code), _) if PLACES.country(code).is_none() => Err("countryCode: unknown country"),
        (_, Some(id)) if PLACES.city(id).is_none() => Err("cityId: unknown city"),
        _ => Ok(()),
    }
}

/// Takes the IPs for every line and books them as sold.
pub(crate) fn take(
    ledger: &Connection,
    seed: u64,
    config: &PurchaseConfig,
    order: &str,
) -> Result<Vec<Taken>, Refusal> {
    let mut shop = Shop { stock: Stock::read(ledger, seed)?, ledger, taken: Vec::new() };
    for line in &config.quota_items {
        let mut cities = cities_of(line);
        cities.sort_by_key(|city| mix(seed, &format!("{order} {}", city.city_id)));
        // Spread over several cities rather than emptying the first.
        let share = (line.quantity as usize).div_ceil(cities.len().clamp(1, 5)) as i64;
        // An order of any IPs gets IPv4 only: IPv6 would be a surprise.
        let missing = shop.take(&cities, line.quantity, share, |ip| ip.is_ipv4())?;
        shop.take_all(&cities, missing, |ip| ip.is_ipv4())?;
    }
    for line in &config.segment_items {
        let network: Option<IpNet> = line.cidr.parse().ok();
        let cities = region(line.country_code.as_ref(), line.city_id.as_ref());
        shop.take_all(&cities, line.purchase_ip_count, |ip| network.is_some_and(|network| network.contains(&ip)))?;
    }
    for line in &config.specific_ip_items {
        let wanted = line.proxy_ip.parse().ok();
        shop.take_all(&region(line.country_code.as_ref(), line.city_id.as_ref()), 1, |ip| Some(ip) == wanted)?;
    }
    Ok(shop.taken)
}

struct Shop<'a> {
    stock: Stock,
    ledger: &'a Connection,
    taken: Vec<Taken>,
}

impl Shop<'_> {
    /// Takes up to `count` IPs that fit, at most `share` from each city. Cities may have the same IP, which an order
    /// gets once. Returns the number still missing.
    fn take(
        &mut self,
        cities: &[&'static City],
        count: i64,
        share: i64,
        fits: impl Fn(IpAddr) -> bool,
    ) -> rusqlite::Result<i64> {
        let mut missing = count;
        let mut taken: HashSet<IpAddr> = self.taken.iter().map(|taken| taken.address).collect();
        for city in cities {
            let most = share.min(missing).max(0) as usize;
            let found: Vec<IpAddr> =
                self.stock.free(city).filter(|ip| fits(*ip) && taken.insert(*ip)).take(most).collect();
            for address in found {
                self.stock.book(self.ledger, city, address)?;
                self.taken.push(Taken { city, address });
                missing -= 1;
            }
        }
        Ok(missing)
    }

    /// Takes exactly `count`, or refuses.
    fn take_all(&mut self, cities: &[&'static City], count: i64, fits: impl Fn(IpAddr) -> bool) -> Result<(), Refusal> {
        match self.take(cities, count, i64::MAX, fits)? {
            0 => Ok(()),
            _ => Err(Refusal::business("60310", "not enough stock")),
        }
    }
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

fn region(country: Option<&CountryCode>, city: Option<&CityId>) -> Vec<&'static City> {
    let fits =
        |one: &&City| country.is_none_or(|code| *code == one.country_code) && city.is_none_or(|id| *id == one.city_id);
    PLACES.cities.iter().filter(fits).collect()
}
