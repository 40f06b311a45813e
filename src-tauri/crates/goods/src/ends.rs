//! When proxies run out: for the calendar, and for the daily notice.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use ts_rs::TS;

use crate::row::{EndState, GoodsRow};

/// ms of a day.
pub const DAY: i64 = 86_400_000;
/// "Runs out soon": within a week, in ms.
pub const SOON: i64 = 7 * DAY;

/// Proxies that run out at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct GoodsEnd {
    /// The moment, ms since 1970.
    pub at: i64,
    /// Number of proxies; one that several orders name counts once.
    pub count: usize,
}

/// The moments at which proxies run out, in order. The page gathers them by its own days. `now`: ms since 1970.
pub fn ends<'a>(rows: impl Iterator<Item = &'a GoodsRow>, now: i64) -> Vec<GoodsEnd> {
    let mut moments = BTreeMap::<i64, usize>::new();
    for row in once_each(rows, now) {
        if let Some(ends) = row.item.ends {
            *moments.entry(ends).or_default() += 1;
        }
    }
    moments.into_iter().map(|(at, count)| GoodsEnd { at, count }).collect()
}

/// Number of proxies that run out within this many days from now.
pub fn due(rows: &[GoodsRow], now: i64, days: u32) -> usize {
    let until = now.saturating_add(i64::from(days) * DAY);
    once_each(rows.iter(), now).filter(|row| row.item.ends.is_some_and(|ends| ends > now && ends <= until)).count()
}

/// The first row of each address. What is no longer listed has no end to wait for.
fn once_each<'a>(rows: impl Iterator<Item = &'a GoodsRow>, now: i64) -> impl Iterator<Item = &'a GoodsRow> {
    let mut seen = HashSet::new();
    rows.filter(move |row| row.state(now) != EndState::Unlisted && !row.item.is_gone())
        .filter(move |row| seen.insert((row.item.key.host.as_str(), row.item.key.port)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stock::Stock;
    use crate::stock::tests::delivered;
    use operations::Marks;
    use wire::ids::OrderNo;
    use wire::orders::Delivered;

    #[test]
    fn a_proxy_that_two_orders_name_runs_out_once_at_the_later_end() {
        let orders = vec![
            (OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", "1000000000"), delivered("192.0.2.2", "JP", "x")]),
            (
                OrderNo::new("B"),
                vec![delivered("192.0.2.1", "JP", "1000172800"), delivered("192.0.2.3", "JP", "1000172800")],
            ),
        ];
        let rows = Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default());
        let end = 1_000_172_800_000;
        assert_eq!(ends(rows.iter(), 0), [GoodsEnd { at: end, count: 2 }]);
        let within = |now: i64, days: u32| due(&rows, now, days);
        assert_eq!((within(end - DAY, 1), within(end - DAY - 1, 1), within(end, 1)), (2, 0, 0));
    }

    #[test]
    fn what_its_order_no_longer_lists_does_not_run_out_unless_another_order_lists_it() {
        let gone = |host: &str| Delivered { no_longer_listed: true, ..delivered(host, "JP", "1000172800") };
        let orders = vec![
            (OrderNo::new("A"), vec![gone("192.0.2.1"), gone("192.0.2.2")]),
            (OrderNo::new("B"), vec![delivered("192.0.2.1", "JP", "1000172800")]),
        ];
        let rows = Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default());
        let end = 1_000_172_800_000;
        assert_eq!(ends(rows.iter(), end - 1), [GoodsEnd { at: end, count: 1 }]);
        assert_eq!(due(&rows, end - 1, 1), 1);
        assert_eq!(ends(rows.iter(), end), [GoodsEnd { at: end, count: 2 }], "over is over");
    }
}
