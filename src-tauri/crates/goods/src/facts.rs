//! What filters look at, of all rows in one piece: to go from row to row through memory takes several times longer than to
//! read it from end to end. Buyers, countries and orders are numbered, so that counting them compares no texts.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use wire::ids::OrderNo;

use crate::row::{EndState, GoodsBuyer, GoodsPlace, GoodsRow};

/// The facts of every row, and what their numbers stand for.
#[derive(Debug)]
pub(crate) struct Facts {
    /// In the order of the rows.
    pub(crate) each: Vec<Fact>,
    /// Each in the order of its first row; a country by the first place in it.
    pub(crate) buyers: Vec<GoodsBuyer>,
    pub(crate) countries: Vec<Arc<GoodsPlace>>,
    pub(crate) orders: Vec<OrderNo>,
}

/// The facts of one row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    /// When it runs out, ms since 1970.
    pub(crate) ends: Option<i64>,
    /// The numbers of its buyer, country and order.
    pub(crate) buyer: Option<u32>,
    pub(crate) country: u32,
    pub(crate) order: u32,
    /// As in its item.
    pub(crate) no_longer_listed: bool,
    pub(crate) elsewhere: bool,
}

impl Fact {
    /// How long it lasts. `now` is the vendor's clock, ms since 1970.
    pub(crate) fn state(&self, now: i64) -> EndState {
        EndState::of(self.ends, self.no_longer_listed, now)
    }
}

impl Facts {
    pub(crate) fn of(rows: &[GoodsRow]) -> Self {
        let (mut buyers, mut countries, mut orders) = (Numbers::new(), Numbers::new(), Numbers::new());
        let mut each = Vec::with_capacity(rows.len());
        for GoodsRow { item, buyer, .. } in rows {
            each.push(Fact {
                ends: item.ends,
                buyer: buyer.as_ref().map(|buyer| buyers.of(buyer.id, buyer)),
                country: countries.of(item.place.country(), &item.place),
                order: orders.of(item.key.order_no.as_str(), &item.key.order_no),
                no_longer_listed: item.no_longer_listed,
                elsewhere: item.elsewhere,
            });
        }
        Self { each, buyers: buyers.values, countries: countries.values, orders: orders.values }
    }
}

/// The different values of a column.
struct Numbers<K, T> {
    known: HashMap<K, u32>,
    values: Vec<T>,
}

impl<K: Eq + Hash, T: Clone> Numbers<K, T> {
    fn new() -> Self {
        Self { known: HashMap::new(), values: Vec::new() }
    }

    /// The number of a value; values with the same key share one.
    fn of(&mut self, key: K, value: &T) -> u32 {
        *self.known.entry(key).or_insert_with(|| {
            self.values.push(value.clone());
            // Memory ends before there are as many rows.
            u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)
        })
    }
}
