//! The list: searched while typing, filtered, sorted. A query returns indexes; the page fetches rows by the visible
//! range. With them come the counts of each filter, so that a filter says what it would show.

use operations::BuyerId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::OrderNo;

use crate::ends::DAY;
use crate::facts::{Fact, Facts};
use crate::row::{EndState, GoodsBuyer};
use crate::rows::Rows;
use crate::sort::sort;

/// The sort order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum GoodsOrder {
    /// As the orders joined the book.
    #[default]
    Added,
    /// By IP address, as numbers.
    Address,
    /// By protocol.
    Protocol,
    /// By country, then city.
    Place,
    /// By the time it runs out.
    Ends,
    /// By order number.
    Order,
    /// By the buyer's name.
    Buyer,
    /// By the time it was handed over.
    Sent,
}

/// A choice by the time of running out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "GoodsEndsChoice")]
pub enum Ends {
    /// Within 3 days from now.
    Within3,
    /// Within 7 days from now.
    Within7,
    /// Within 30 days from now.
    Within30,
    /// Already.
    Expired,
    /// Not reported, or it cannot be read.
    Unknown,
    /// Its order no longer lists it, and it is not known to have run out.
    Unlisted,
}

impl Ends {
    /// All of them, in the order of the counts.
    pub const ALL: [Self; 6] =
        [Self::Within3, Self::Within7, Self::Within30, Self::Expired, Self::Unknown, Self::Unlisted];

    /// Whether this choice shows a proxy with this end and state.
    fn holds(self, ends: Option<i64>, state: EndState, now: i64) -> bool {
        let is_to_come = matches!(state, EndState::Active | EndState::Soon);
        let within = |days: i64| is_to_come && ends.is_some_and(|ends| ends - now <= days * DAY);
        match self {
            Self::Within3 => within(3),
            Self::Within7 => within(7),
            Self::Within30 => within(30),
            Self::Expired => state == EndState::Expired,
            Self::Unknown => state == EndState::Unknown,
            Self::Unlisted => state == EndState::Unlisted,
        }
    }
}

/// A choice by buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "of", content = "id", rename_all = "kebab-case")]
pub enum OfBuyer {
    /// Assigned to nobody.
    Nobody,
    /// For this buyer.
    One(BuyerId),
}

/// The rows to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct GoodsFilter {
    /// By the time of running out.
    pub ends: Option<Ends>,
    /// By buyer.
    pub buyer: Option<OfBuyer>,
    /// By country: its code, or a name where there is none.
    pub country: Option<String>,
    /// By order.
    pub order: Option<OrderNo>,
    /// Only those that no order known here delivered.
    pub elsewhere: bool,
    /// Only those that run out from the first moment on and before the second, ms since 1970.
    pub between: Option<(i64, i64)>,
}

/// A query of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoodsQuery {
    /// Words that must all occur in the address, order, place, protocol, buyer or note.
    pub search: String,
    /// The sort order.
    pub order: GoodsOrder,
    /// Whether to sort in descending order.
    pub down: bool,
    /// The rows to show.
    pub filter: GoodsFilter,
    /// Whether the list is that of the filter's buyer, as on a buyer's page: the buyer then hides nothing.
    #[serde(default)]
    pub within_buyer: bool,
}

impl GoodsQuery {
    /// Whether a filter hides anything.
    pub fn is_filtered(&self) -> bool {
        let buyer = if self.within_buyer { self.filter.buyer } else { None };
        self.filter != GoodsFilter { buyer, ..GoodsFilter::default() }
    }
}

/// Rows of one country.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CountryCount {
    /// Its code, or a name where there is none; empty if none was reported.
    pub country: String,
    /// Chinese name; empty when not reported.
    pub name_zh: String,
    /// English name; empty when not reported.
    pub name_en: String,
    /// Number of rows.
    pub count: usize,
}

/// Rows of one buyer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct BuyerCount {
    /// The buyer.
    pub buyer: GoodsBuyer,
    /// Number of rows.
    pub count: usize,
}

/// Rows of one order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OrderCount {
    /// The order.
    pub order_no: OrderNo,
    /// Number of rows.
    pub count: usize,
}

/// For each filter, the number of rows that each of its choices would show beside the other filters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GoodsCounts {
    /// By the time of running out, as in [`Ends::ALL`].
    pub ends: [usize; 6],
    /// Assigned to nobody.
    pub nobody: usize,
    /// By buyer, in the order of their ids.
    pub buyers: Vec<BuyerCount>,
    /// By country, most first.
    pub countries: Vec<CountryCount>,
    /// By order, the newest first; the first [`ORDERS`] only.
    pub orders: Vec<OrderCount>,
    /// Whether there are more orders than these.
    pub more_orders: bool,
    /// Shown by the vendor's list alone.
    pub elsewhere: usize,
}

/// The most orders that are counted one by one; any other is found by typing its number.
pub const ORDERS: usize = 300;

/// A filter with the numbers of what it names.
struct Wanted<'a> {
    filter: &'a GoodsFilter,
    /// `None`: any buyer or none; `Some(None)`: not assigned.
    buyer: Option<Option<u32>>,
    country: Option<u32>,
    order: Option<u32>,
}

/// The number of what no row has.
const ABSENT: u32 = u32::MAX;

fn number_of<T>(all: &[T], is_it: impl Fn(&T) -> bool) -> u32 {
    all.iter().position(is_it).and_then(|at| u32::try_from(at).ok()).unwrap_or(ABSENT)
}

impl<'a> Wanted<'a> {
    fn of(facts: &Facts, filter: &'a GoodsFilter) -> Self {
        let country = filter.country.as_ref();
        Self {
            filter,
            buyer: filter.buyer.map(|of| numbered(facts, of)),
            country: country.map(|name| number_of(&facts.countries, |place| place.country() == name)),
            order: filter.order.as_ref().map(|order| number_of(&facts.orders, |one| one == order)),
        }
    }
}

/// A choice of buyer as rows have it.
fn numbered(facts: &Facts, of: OfBuyer) -> Option<u32> {
    match of {
        OfBuyer::Nobody => None,
        OfBuyer::One(id) => Some(number_of(&facts.buyers, |buyer| buyer.id == id)),
    }
}

/// Which filters let a row through.
struct Fit {
    between: bool,
    ends: bool,
    buyer: bool,
    country: bool,
    order: bool,
}

impl Fit {
    fn of(fact: &Fact, state: EndState, wanted: &Wanted, now: i64) -> Self {
        // As the calendar counts them.
        let is_between = |(from, to): (i64, i64)| {
            state != EndState::Unlisted && fact.ends.is_some_and(|ends| ends >= from && ends < to)
        };
        let Wanted { filter, buyer, country, order } = wanted;
        Self {
            between: filter.between.is_none_or(is_between),
            ends: filter.ends.is_none_or(|ends| ends.holds(fact.ends, state, now)),
            buyer: buyer.is_none_or(|buyer| buyer == fact.buyer),
            country: country.is_none_or(|country| country == fact.country),
            order: order.is_none_or(|order| order == fact.order) && (!filter.elsewhere || fact.elsewhere),
        }
    }
}

/// The counts as they are collected.
struct Counting<'a> {
    facts: &'a Facts,
    counts: GoodsCounts,
    /// By their numbers.
    buyers: Vec<usize>,
    countries: Vec<usize>,
    orders: Vec<usize>,
}

impl<'a> Counting<'a> {
    fn of(facts: &'a Facts) -> Self {
        Self {
            facts,
            counts: GoodsCounts::default(),
            buyers: vec![0; facts.buyers.len()],
            countries: vec![0; facts.countries.len()],
            orders: vec![0; facts.orders.len()],
        }
    }

    fn count(&mut self, fact: &Fact, state: EndState, fit: &Fit, now: i64) {
        let Fit { ends, buyer, country, order, .. } = *fit;
        if buyer && country && order {
            for (count, choice) in self.counts.ends.iter_mut().zip(Ends::ALL) {
                *count += usize::from(choice.holds(fact.ends, state, now));
            }
        }
        if ends && country && order {
            match fact.buyer {
                None => self.counts.nobody += 1,
                Some(buyer) => self.buyers[buyer as usize] += 1,
            }
        }
        if ends && buyer && order {
            self.countries[fact.country as usize] += 1;
        }
        if ends && buyer && country {
            self.counts.elsewhere += usize::from(fact.elsewhere);
            self.orders[fact.order as usize] += 1;
        }
    }

    fn done(self) -> GoodsCounts {
        let countries = self.facts.countries.iter().zip(self.countries).filter(|(_, count)| *count > 0);
        let mut countries: Vec<CountryCount> = countries
            .map(|(place, count)| CountryCount {
                country: place.country().to_owned(),
                name_zh: place.country_zh.clone(),
                name_en: place.country_en.clone(),
                count,
            })
            .collect();
        countries.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.country.cmp(&other.country)));
        let orders = self.facts.orders.iter().zip(self.orders);
        let mut orders = orders.filter(|(order, count)| *count > 0 && !order.as_str().is_empty()).rev();
        let newest = orders.by_ref().take(ORDERS);
        let newest = newest.map(|(order_no, count)| OrderCount { order_no: order_no.clone(), count }).collect();
        let buyers = self.facts.buyers.iter().zip(self.buyers).filter(|(_, count)| *count > 0);
        let mut buyers: Vec<BuyerCount> =
            buyers.map(|(buyer, count)| BuyerCount { buyer: buyer.clone(), count }).collect();
        buyers.sort_by_key(|one| one.buyer.id);
        GoodsCounts { buyers, countries, orders: newest, more_orders: orders.next().is_some(), ..self.counts }
    }
}

/// Marks the rows that the search finds, whatever the filters hide.
fn found(rows: &Rows, search: &str) -> Vec<bool> {
    let wanted = search.to_lowercase();
    rows.holding(&wanted.split_whitespace().collect::<Vec<_>>())
}

/// Returns the number of rows that the search finds, whatever the filters hide.
pub fn count_found(rows: &Rows, query: &GoodsQuery) -> usize {
    let of = if query.within_buyer { query.filter.buyer } else { None };
    let buyer = of.map(|of| numbered(&rows.facts, of));
    let found = found(rows, &query.search);
    rows.facts
        .each
        .iter()
        .zip(found)
        .filter(|(fact, found)| *found && buyer.is_none_or(|one| one == fact.buyer))
        .count()
}

/// Returns the indexes of the rows that a query shows, in its order, and the counts of each filter. `now` is the
/// vendor's clock, ms since 1970. What is unknown comes last in either direction.
pub fn select(rows: &Rows, query: &GoodsQuery, now: i64) -> (Vec<u32>, GoodsCounts) {
    let (wanted, mut counting) = (Wanted::of(&rows.facts, &query.filter), Counting::of(&rows.facts));
    let mut places: Vec<u32> = Vec::new();
    let found = found(rows, &query.search);
    for ((at, fact), _) in (0u32..).zip(&rows.facts.each).zip(found).filter(|(_, found)| *found) {
        let state = fact.state(now);
        let fit = Fit::of(fact, state, &wanted, now);
        if fit.between && fit.ends && fit.buyer && fit.country && fit.order {
            places.push(at);
        }
        if fit.between {
            counting.count(fact, state, &fit, now);
        }
    }
    sort(rows, &mut places, query.order, query.down);
    (places, counting.done())
}

#[cfg(test)]
mod tests;
