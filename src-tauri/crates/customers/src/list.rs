//! The list: searched while typing, sorted, filtered. A query returns indexes; the page fetches rows by the visible
//! range.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;
use wire::customers::Customer;

/// A customer with everything that the list shows.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomerRow {
    /// The customer as the vendor lists it.
    #[serde(flatten)]
    pub customer: Customer,
    /// Days until the traffic runs out, at the earliest that is likely; `None` when not within a year, or unknown.
    pub days_left: Option<i32>,
    /// The last day with usage; `None` when none is known.
    pub last_use: Option<Day>,
    /// The status last set from here.
    pub status: Option<Status>,
    /// The agent's own note.
    pub note: String,
    /// The agent's own tags.
    pub tags: Vec<String>,
    /// State of the operation that holds the customer, if any.
    pub held: Option<operations::State>,
    /// All text that a search covers, in lower case.
    #[serde(skip)]
    pub haystack: String,
}

impl CustomerRow {
    /// Fills in the text that a search covers.
    pub fn indexed(mut self) -> Self {
        let parts = [self.customer.user_name.as_str(), self.customer.customer_id.as_str(), self.note.as_str()];
        self.haystack =
            parts.into_iter().chain(self.tags.iter().map(String::as_str)).collect::<Vec<_>>().join("\n").to_lowercase();
        self
    }
}

/// The status last set from here: "the interface tells none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "LastStatus")]
pub struct Status {
    /// Whether the customer is active.
    pub active: bool,
    /// Time of the change by the wall clock, ms since 1970.
    pub at: i64,
}

/// The sort order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ListOrder {
    /// The vendor's order.
    #[default]
    Vendor,
    /// By name.
    Name,
    /// By traffic recharged.
    Recharged,
    /// By traffic left.
    Left,
    /// By the day the traffic runs out.
    DaysLeft,
    /// By last use.
    LastUse,
}

/// The rows to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct ListFilter {
    /// Only those whose status was last set to this from here.
    pub active: Option<bool>,
    /// Only those with this tag.
    pub tag: Option<String>,
    /// Only those that run out within this many days, or already have. As in the forecast, customers that used nothing
    /// lately do not run out.
    pub within: Option<i32>,
}

/// A query of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ListQuery {
    /// Words that must all occur in the name, id, note or tags.
    pub search: String,
    /// The sort order.
    pub order: ListOrder,
    /// Whether to reverse the order.
    pub down: bool,
    /// The rows to show.
    pub filter: ListFilter,
}

/// Returns the number of rows that the search finds, whatever the filters hide.
pub fn count_found(rows: &[CustomerRow], query: &ListQuery) -> usize {
    let wanted = query.search.to_lowercase();
    let words: Vec<&str> = wanted.split_whitespace().collect();
    rows.iter().filter(|row| is_found(row, &words)).count()
}

fn is_found(row: &CustomerRow, words: &[&str]) -> bool {
    words.iter().all(|word| row.haystack.contains(word))
}

/// Returns the indexes of the rows that a query shows, in its order. Unknown values come last in either direction.
pub fn select(rows: &[CustomerRow], query: &ListQuery) -> Vec<u32> {
    let wanted = query.search.to_lowercase();
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let fits = |row: &&CustomerRow| {
        is_found(row, &words)
            && query.filter.active.is_none_or(|active| row.status.is_some_and(|status| status.active == active))
            && query.filter.tag.as_ref().is_none_or(|tag| row.tags.contains(tag))
            && query.filter.within.is_none_or(|most| row.days_left.is_some_and(|days| days <= most))
    };
    let mut places: Vec<u32> = (0u32..).zip(rows).filter(|(_, row)| fits(row)).map(|(at, _)| at).collect();
    let row = |at: u32| &rows[at as usize];
    match query.order {
        ListOrder::Vendor if query.down => places.reverse(),
        ListOrder::Vendor => {}
        ListOrder::Name => places.sort_by(|a, b| turned(row(*a).haystack.cmp(&row(*b).haystack), query.down)),
        ListOrder::Recharged => by(&mut places, query.down, |at| row(at).customer.traffic_count),
        ListOrder::Left => by(&mut places, query.down, |at| row(at).customer.residual_flow),
        ListOrder::DaysLeft => by(&mut places, query.down, |at| row(at).days_left),
        ListOrder::LastUse => by(&mut places, query.down, |at| row(at).last_use),
    }
    places
}

fn turned(order: Ordering, down: bool) -> Ordering {
    if down { order.reverse() } else { order }
}

fn by<T: Ord + Copy>(places: &mut [u32], down: bool, key: impl Fn(u32) -> Option<T>) {
    // Compute each key once, not for every comparison.
    let mut keyed: Vec<(Option<T>, u32)> = places.iter().map(|at| (key(*at), *at)).collect();
    keyed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) => turned(a.cmp(b), down),
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
    });
    for (place, (_, at)) in places.iter_mut().zip(keyed) {
        *place = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::ids::CustomerId;

    fn row(name: &str, left: Option<&str>, tags: &[&str]) -> CustomerRow {
        let customer = Customer {
            customer_id: CustomerId::new(format!("id-{name}")),
            user_name: name.into(),
            traffic_count: None,
            residual_flow: left.map(|left| left.parse().unwrap()),
        };
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        CustomerRow {
            customer,
            days_left: None,
            last_use: None,
            status: None,
            note: String::new(),
            tags,
            held: None,
            haystack: String::new(),
        }
        .indexed()
    }

    fn found(rows: &[CustomerRow], query: ListQuery) -> Vec<&str> {
        select(rows, &query).into_iter().map(|at| rows[at as usize].customer.user_name.as_str()).collect()
    }

    #[test]
    fn words_are_found_in_name_id_note_and_tags_whatever_their_case() {
        let rows =
            [row("Ali@x.com", None, &["VIP"]), row("bob@x.com", None, &[]), row("chen@y.com", None, &["vip", "上海"])];
        let search = |text: &str| found(&rows, ListQuery { search: text.into(), ..ListQuery::default() });
        assert_eq!(search(" vip "), ["Ali@x.com", "chen@y.com"]);
        assert_eq!(search("vip 上海"), ["chen@y.com"]);
        assert_eq!(search("ID-BOB"), ["bob@x.com"]);
        assert_eq!(search("").len(), 3);
    }

    #[test]
    fn who_runs_out_is_who_used_something_lately_with_the_empty_among_them() {
        let lasts = |name: &str, left: &str, days_left| CustomerRow { days_left, ..row(name, Some(left), &[]) };
        let rows = [
            lasts("empty", "0", Some(0)),
            lasts("week", "5", Some(7)),
            lasts("month", "9", Some(8)),
            lasts("never used", "0", None),
        ];
        let within = |days| {
            let filter = ListFilter { within: days, ..ListFilter::default() };
            found(&rows, ListQuery { filter, ..ListQuery::default() })
        };
        assert_eq!(within(Some(7)), ["empty", "week"]);
        assert_eq!(within(Some(60)), ["empty", "week", "month"]);
        assert_eq!(within(None).len(), 4);
    }

    #[test]
    fn what_is_not_told_comes_last_either_way() {
        let rows =
            [row("a", Some("5"), &[]), row("b", None, &[]), row("c", Some("1.2E7"), &[]), row("d", Some("0"), &[])];
        let sorted = |down| found(&rows, ListQuery { order: ListOrder::Left, down, ..ListQuery::default() });
        assert_eq!(sorted(false), ["d", "a", "c", "b"]);
        assert_eq!(sorted(true), ["c", "a", "d", "b"]);
    }
}
