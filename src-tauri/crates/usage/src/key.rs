//! The key of a stored row: day, customer and a number, packed, so that rows lie in the order in which they are
//! written and queried.

use wire::Day;

use crate::window::Window;

pub(crate) const CUSTOMER_BITS: u32 = 24;
pub(crate) const NUMBER_BITS: u32 = 16;

/// Days are counted backwards from here: the newest are read first, and storing rows in the order of their keys is
/// several times as fast.
const LAST_DAY: i64 = 1 << 22;

/// Smallest key of a day.
pub(crate) fn first_key(day: Day) -> i64 {
    (LAST_DAY - i64::from(day.days())) << (CUSTOMER_BITS + NUMBER_BITS)
}

/// The keys of a span: the first, and the one after the last.
pub(crate) fn keys(span: Window) -> (i64, i64) {
    (first_key(span.to), first_key(span.from.plus(-1)))
}

/// Splits a key into day and customer.
pub(crate) fn unpack(key: i64) -> (Day, i64) {
    let day = Day::new((LAST_DAY - (key >> (CUSTOMER_BITS + NUMBER_BITS))) as i32);
    (day, key >> NUMBER_BITS & ((1 << CUSTOMER_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_days_come_first_and_a_span_holds_both_of_its_ends() {
        let (from, to) = (Day::new(20_000), Day::new(20_030));
        assert!(first_key(to) < first_key(from));
        let (first, behind) = keys(Window { from, to });
        let last_of_day = |day: Day| first_key(day) + (1 << (CUSTOMER_BITS + NUMBER_BITS)) - 1;
        assert!(first <= first_key(to) && last_of_day(from) < behind);
        assert!(last_of_day(to.plus(1)) < first && behind <= first_key(from.plus(-1)));
        assert_eq!(unpack(first_key(from) | 77 << NUMBER_BITS | 3), (from, 77));
    }
}
