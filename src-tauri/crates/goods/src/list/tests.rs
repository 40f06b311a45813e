use super::*;
use crate::stock::Stock;
use crate::stock::tests::{buyer, delivered, key};
use operations::{Assignment, Delivery, Marks, SentHow};

const NOW: i64 = 1_800_000_000_000;

fn in_days(days: i64) -> String {
    (NOW + days * DAY).to_string()
}

fn rows() -> Rows {
    let orders = vec![
        (
            OrderNo::new("SO1"),
            vec![
                delivered("192.0.2.10", "JP", &in_days(2)),
                delivered("192.0.2.9", "JP", &in_days(20)),
                delivered("2001:db8::1", "DE", "soon"),
            ],
        ),
        (
            OrderNo::new("SO2"),
            vec![delivered("198.51.100.1", "DE", &in_days(-1)), delivered("192.0.2.100", "", &in_days(400))],
        ),
    ];
    let to = |order: &str, host: &str, note: &str| Assignment {
        key: key(order, host),
        buyer: Some(BuyerId(1)),
        note: note.into(),
    };
    let marks = Marks {
        assignments: vec![to("SO1", "192.0.2.10", ""), to("SO2", "198.51.100.1", "Shop in Köln")],
        deliveries: Vec::new(),
    };
    Stock::of(orders, Vec::new(), 0).rows(&[buyer(1, "Ali")], &marks)
}

fn hosts(query: &GoodsQuery) -> Vec<String> {
    let rows = rows();
    let (places, _) = select(&rows, query, NOW);
    places.into_iter().map(|at| rows[at as usize].item.key.host.clone()).collect()
}

fn filtered(filter: GoodsFilter) -> Vec<String> {
    hosts(&GoodsQuery { filter, ..GoodsQuery::default() })
}

#[test]
fn words_are_found_in_address_order_place_buyer_and_note() {
    let search = |text: &str| hosts(&GoodsQuery { search: text.into(), ..GoodsQuery::default() });
    assert_eq!(search("192.0.2.10"), ["192.0.2.10", "192.0.2.100"]);
    assert_eq!(search("192.0.2.10:"), ["192.0.2.10"]);
    assert_eq!(search("ali köln"), ["198.51.100.1"]);
    assert_eq!(search("so2 DE"), ["198.51.100.1"]);
    assert_eq!(search(" ").len(), 5);
}

#[test]
fn each_filter_shows_what_it_says_and_the_counts_of_each_are_those_beside_the_others() {
    let by = |ends: Ends| filtered(GoodsFilter { ends: Some(ends), ..GoodsFilter::default() });
    assert_eq!(by(Ends::Within3), ["192.0.2.10"]);
    assert_eq!(by(Ends::Within30), ["192.0.2.10", "192.0.2.9"]);
    assert_eq!(by(Ends::Expired), ["198.51.100.1"]);
    assert_eq!(by(Ends::Unknown), ["2001:db8::1"]);
    let nobody = GoodsFilter { buyer: Some(OfBuyer::Nobody), ..GoodsFilter::default() };
    assert_eq!(filtered(nobody.clone()).len(), 3);
    let country = |of: &str| filtered(GoodsFilter { country: Some(of.into()), ..GoodsFilter::default() });
    assert_eq!(country("DE"), ["2001:db8::1", "198.51.100.1"]);
    assert_eq!(country(""), ["192.0.2.100"], "those whose country is not known");
    let order = |of: &str| filtered(GoodsFilter { order: Some(OrderNo::new(of)), ..GoodsFilter::default() });
    assert_eq!(order("SO2"), ["198.51.100.1", "192.0.2.100"]);
    assert_eq!(order("SO9").len(), 0);
    assert_eq!(country("FR").len(), 0);
    assert_eq!(filtered(GoodsFilter { buyer: Some(OfBuyer::One(BuyerId(9))), ..GoodsFilter::default() }).len(), 0);
    let between = Some((NOW, NOW + 3 * DAY));
    assert_eq!(filtered(GoodsFilter { between, ..GoodsFilter::default() }), ["192.0.2.10"]);
    let (rows, query) = (rows(), GoodsQuery { filter: nobody, ..GoodsQuery::default() });
    let (_, counts) = select(&rows, &query, NOW);
    assert_eq!(counts.ends, [0, 0, 1, 0, 1, 0], "of those for nobody");
    assert_eq!((counts.nobody, counts.buyers[0].count), (3, 2), "its own filter does not count");
    let countries: Vec<_> = counts.countries.iter().map(|one| (one.country.as_str(), one.count)).collect();
    assert_eq!(countries, [("", 1), ("DE", 1), ("JP", 1)]);
    let orders: Vec<_> = counts.orders.iter().map(|one| (one.order_no.as_str(), one.count)).collect();
    assert_eq!(orders, [("SO2", 1), ("SO1", 2)], "the newest first");
}

#[test]
fn orders_beyond_those_counted_are_said_to_be_there() {
    let of = |count: usize| {
        let order = |at| (OrderNo::new(format!("SO{at}")), vec![delivered("192.0.2.1", "JP", "")]);
        let rows = Stock::of((0..count).map(order).collect(), Vec::new(), 0).rows(&[], &Marks::default());
        let (_, counts) = select(&rows, &GoodsQuery::default(), NOW);
        (counts.orders.len(), counts.more_orders)
    };
    assert_eq!([of(ORDERS), of(ORDERS + 1)], [(ORDERS, false), (ORDERS, true)]);
}

#[test]
fn addresses_are_sorted_as_numbers_and_what_cannot_be_read_comes_last_either_way() {
    let sorted = |order, down| hosts(&GoodsQuery { order, down, ..GoodsQuery::default() });
    assert_eq!(
        sorted(GoodsOrder::Address, false),
        ["192.0.2.9", "192.0.2.10", "192.0.2.100", "198.51.100.1", "2001:db8::1"]
    );
    for down in [false, true] {
        assert_eq!(sorted(GoodsOrder::Ends, down)[4], "2001:db8::1");
    }
    assert_eq!(sorted(GoodsOrder::Ends, false)[0], "198.51.100.1");
    assert_eq!(sorted(GoodsOrder::Added, true)[0], "192.0.2.100");
    assert_eq!(sorted(GoodsOrder::Buyer, true)[..2], ["192.0.2.10", "198.51.100.1"]);
    assert_eq!(sorted(GoodsOrder::Place, false)[4], "192.0.2.100");
    assert_eq!(sorted(GoodsOrder::Order, true)[..2], ["198.51.100.1", "192.0.2.100"]);
}

#[test]
fn protocols_and_times_of_sending_are_sorted_and_what_has_none_comes_last_either_way() {
    let protocols = ["socks5", "", "HTTP"].into_iter().zip(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
    let all = protocols
        .map(|(protocol, host)| wire::orders::Delivered { protocol: protocol.into(), ..delivered(host, "JP", "") });
    let sent = |host: &str, at: i64| Delivery { key: key("SO1", host), buyer: BuyerId(1), at, how: SentHow::Copied };
    let deliveries = vec![sent("192.0.2.2", 2), sent("192.0.2.3", 1)];
    let to = |host: &str| Assignment { key: key("SO1", host), buyer: Some(BuyerId(1)), note: String::new() };
    let marks = Marks { assignments: vec![to("192.0.2.2"), to("192.0.2.3")], deliveries };
    let rows = Stock::of(vec![(OrderNo::new("SO1"), all.collect())], Vec::new(), 0).rows(&[buyer(1, "Ali")], &marks);
    let last = |order, down| {
        let (places, _) = select(&rows, &GoodsQuery { order, down, ..GoodsQuery::default() }, NOW);
        places
            .into_iter()
            .map(|at| rows[at as usize].item.key.host.rsplit('.').next().unwrap().to_owned())
            .collect::<String>()
    };
    assert_eq!([last(GoodsOrder::Protocol, false), last(GoodsOrder::Protocol, true)], ["312", "132"]);
    assert_eq!([last(GoodsOrder::Sent, false), last(GoodsOrder::Sent, true)], ["321", "231"]);
}

#[test]
fn a_search_counts_what_any_filter_hides_but_no_other_buyers_on_the_page_of_one() {
    let rows = rows();
    let of_one = GoodsFilter { buyer: Some(OfBuyer::One(BuyerId(1))), ..GoodsFilter::default() };
    let filters = [
        GoodsFilter { between: Some((0, 1)), ..GoodsFilter::default() },
        GoodsFilter { country: Some("nowhere".into()), ..GoodsFilter::default() },
        GoodsFilter { elsewhere: true, ..GoodsFilter::default() },
        of_one.clone(),
    ];
    for filter in filters {
        let query = GoodsQuery { filter, ..GoodsQuery::default() };
        assert!(query.is_filtered());
        assert_eq!(count_found(&rows, &query), rows.len());
    }
    let page = GoodsQuery { filter: of_one, within_buyer: true, ..GoodsQuery::default() };
    assert!(!page.is_filtered());
    let own = rows.iter().filter(|row| row.buyer.as_ref().is_some_and(|buyer| buyer.id == BuyerId(1))).count();
    assert_eq!(count_found(&rows, &page), own);
    assert!(own > 0 && own < rows.len());
}
