//! The price of a configuration. The price list is data; the arithmetic is exact and rounded once.

use rust_decimal::{Decimal, RoundingStrategy};
use wire::inventory::InventoryCondition;
use wire::purchase::PurchaseConfig;

use crate::envelope::Refusal;

/// The price level, in percent of the prices below. Part of every `quoteVersion`: a new list makes every older quote
/// stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PriceList(pub(crate) u32);

impl PriceList {
    fn level(self) -> Decimal {
        hundredths(i64::from(self.0))
    }
}

impl Default for PriceList {
    fn default() -> Self {
        Self(100)
    }
}

pub(crate) const CURRENCY: &str = "USD";

const LINE_TYPES: [(&str, i64); 3] = [("basic", 10), ("standard", 14), ("premium", 20)];
const SELL_MODES: [(i64, i64); 2] = [(1, 100), (2, 50)];
const UDP: Decimal = Decimal::from_parts(110, 0, 0, false, 2);
const CONN_LIMITS: [(i64, i64); 3] = [(100, 100), (500, 100), (1000, 120)];
const BANDWIDTHS: [(i64, i64); 3] = [(0, 130), (10, 100), (50, 115)];
const DAYS: [(i64, i64); 6] = [(7, 100), (30, 95), (60, 92), (90, 90), (180, 85), (365, 75)];
/// From this many IPs on, this percentage of the price.
const QUANTITIES: [(i64, i64); 4] = [(100, 90), (50, 94), (10, 97), (1, 100)];
const DEFAULT_BANDWIDTH: i64 = 10;

/// A price and how it was calculated. All amounts in [`CURRENCY`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Price {
    /// Price of one IP for one day, before discounts.
    pub(crate) unit: Decimal,
    /// Price before discounts.
    pub(crate) original: Decimal,
    /// Factor for the duration.
    pub(crate) duration_rate: Decimal,
    /// Factor for the quantity.
    pub(crate) quantity_rate: Decimal,
    /// Price to pay, in whole cents.
    pub(crate) amount: Decimal,
}

pub(crate) fn cents(value: Decimal) -> Decimal {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

fn hundredths(value: i64) -> Decimal {
    Decimal::new(value, 2)
}

fn factor(list: &[(i64, i64)], value: i64, field: &str) -> Result<Decimal, Refusal> {
    let found = list.iter().find(|(tier, _)| *tier == value);
    found.map(|(_, rate)| hundredths(*rate)).ok_or_else(|| Refusal::body(format!("config.{field}: no such choice")))
}

/// Price of one IP for one day, from the requirements that a stock query names.
pub(crate) fn unit(condition: &InventoryCondition, list: PriceList) -> Option<Decimal> {
    let line = condition.line_type.as_deref().unwrap_or(LINE_TYPES[0].0);
    let (_, base) = LINE_TYPES.iter().find(|(name, _)| *name == line)?;
    let mode = factor(&SELL_MODES, condition.sell_mode.unwrap_or(1), "sellMode").ok()?;
    let udp = if condition.is_udp == Some(true) { UDP } else { Decimal::ONE };
    Some((hundredths(*base) * list.level() * mode * udp).normalize())
}

/// Price of one IP for more days, not yet rounded: without the discounts of a purchase, and without its factors of
/// connections and bandwidth.
pub(crate) fn renewal(config: Option<&PurchaseConfig>, days: i64, list: PriceList) -> Decimal {
    let condition = InventoryCondition {
        sell_mode: config.map(|config| config.sell_mode),
        line_type: config.map(|config| config.line_type.clone()),
        is_udp: config.map(|config| config.is_udp),
        ..InventoryCondition::default()
    };
    unit(&condition, list).unwrap_or_default() * Decimal::from(days)
}

/// Prices a configuration whose lines have been checked.
pub(crate) fn price(config: &PurchaseConfig, list: PriceList) -> Result<Price, Refusal> {
    let line = LINE_TYPES.iter().find(|(name, _)| *name == config.line_type);
    let base =
        line.map(|(_, cents)| hundredths(*cents)).ok_or_else(|| Refusal::body("config.lineType: no such choice"))?;
    let udp = if config.is_udp { UDP } else { Decimal::ONE };
    let unit = base
        * list.level()
        * factor(&SELL_MODES, config.sell_mode, "sellMode")?
        * udp
        * factor(&CONN_LIMITS, config.conn_limit, "connLimit")?
        * factor(&BANDWIDTHS, config.bandwidth_limit.unwrap_or(DEFAULT_BANDWIDTH), "bandwidthLimit")?;
    let duration_rate = factor(&DAYS, config.days, "days")?;
    let tier = QUANTITIES.iter().find(|(from, _)| config.purchase_ip_count >= *from);
    let quantity_rate =
        tier.map(|(_, rate)| hundredths(*rate)).ok_or_else(|| Refusal::body("config.purchaseIpCount: at least 1"))?;
    let original = unit * Decimal::from(config.purchase_ip_count) * Decimal::from(config.days);
    Ok(Price { unit, original, duration_rate, quantity_rate, amount: cents(original * duration_rate * quantity_rate) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::ids::BusinessId;

    fn config(ips: i64, days: i64, line_type: &str, udp: bool) -> PurchaseConfig {
        PurchaseConfig {
            sell_mode: 1,
            line_type: line_type.into(),
            business_id: BusinessId::new("1"),
            is_udp: udp,
            bandwidth_limit: Some(10),
            conn_limit: 100,
            days,
            allocate_strategy: 1,
            purchase_ip_count: ips,
            proxy_type: None,
            quota_items: Vec::new(),
            segment_items: Vec::new(),
            specific_ip_items: Vec::new(),
        }
    }

    #[test]
    fn the_worked_examples_come_out_to_the_cent() {
        let cases = [
            (config(3, 30, "basic", false), "8.55"),
            (config(12, 90, "premium", true), "207.42"),
            (PurchaseConfig { sell_mode: 2, ..config(1, 7, "basic", false) }, "0.35"),
            (
                PurchaseConfig { conn_limit: 1000, bandwidth_limit: Some(0), ..config(100, 365, "standard", false) },
                "5380.83",
            ),
        ];
        for (config, expected) in cases {
            assert_eq!(price(&config, PriceList::default()).unwrap().amount.to_string(), expected);
        }
    }

    #[test]
    fn half_a_cent_is_rounded_up() {
        assert_eq!(cents(Decimal::new(5, 3)).to_string(), "0.01");
        assert_eq!(cents(Decimal::new(4999, 6)).to_string(), "0.00");
    }

    #[test]
    fn a_choice_that_is_not_offered_is_refused_by_its_name() {
        let cases = [
            (config(1, 8, "basic", false), "days"),
            (config(1, 7, "gold", false), "lineType"),
            (PurchaseConfig { sell_mode: 3, ..config(1, 7, "basic", false) }, "sellMode"),
            (PurchaseConfig { conn_limit: 1, ..config(1, 7, "basic", false) }, "connLimit"),
            (PurchaseConfig { bandwidth_limit: Some(1), ..config(1, 7, "basic", false) }, "bandwidthLimit"),
        ];
        for (config, field) in cases {
            assert!(format!("{:?}", price(&config, PriceList::default()).unwrap_err()).contains(field), "{field}");
        }
    }
}
