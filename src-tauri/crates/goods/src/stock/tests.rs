use super::*;
use operations::{Assignment, Delivery, SentHow};

/// A delivered proxy in a country.
pub(crate) fn delivered(host: &str, country: &str, expires: &str) -> Delivered {
    let about = About { country_code: country.into(), expires: expires.into(), ..About::default() };
    Delivered { host: host.into(), port: 1080, protocol: "socks5".into(), about, no_longer_listed: false }
}

pub(crate) fn buyer(id: i64, name: &str) -> Buyer {
    Buyer {
        id: BuyerId(id),
        name: name.into(),
        customer: None,
        contact: String::new(),
        language: "en".into(),
        note: String::new(),
        format: String::new(),
        template: String::new(),
        deleted: false,
    }
}

pub(crate) fn key(order: &str, host: &str) -> GoodsKey {
    GoodsKey { order_no: OrderNo::new(order), host: host.into(), port: 1080 }
}

#[test]
fn of_two_orders_that_name_the_same_ip_both_are_rows_and_the_later_expiry_counts() {
    let orders = vec![
        (OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", "2026-11-01 00:00:00")]),
        (OrderNo::new("B"), vec![delivered("192.0.2.1", "JP", "2026-12-01 00:00:00")]),
        (OrderNo::new("C"), vec![delivered("192.0.2.1", "JP", "soon")]),
    ];
    let rows = Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default());
    let december = "2026-12-01T00:00:00Z";
    let end = WrittenTime(december.into()).millis(0);
    assert_eq!(rows.iter().map(|row| row.item.ends).collect::<Vec<_>>(), [end; 3]);
    assert_eq!(rows.iter().map(|row| row.item.extended).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(rows[2].item.expires, "soon", "what cannot be read is shown as it came");
}

fn listed(id: &str, host: &str, port: Option<u16>, order: &str, expires: &str) -> ListedIp {
    let about = About { expires: expires.into(), ..About::default() };
    let (id, order_no) = (IpId::new(id), OrderNo::new(order));
    let status = format!("status of {id}");
    ListedIp { id, host: host.into(), port, order_no, about, status, ..ListedIp::default() }
}

#[test]
fn the_vendors_list_names_ids_statuses_and_later_ends_and_what_no_order_here_delivered() {
    let orders = || {
        let one = |host: &str| delivered(host, "JP", "2026-11-01 00:00:00");
        vec![
            (OrderNo::new("A"), vec![one("192.0.2.1"), one("192.0.2.2")]),
            (OrderNo::new("B"), vec![one("192.0.2.1"), one("192.0.2.3")]),
        ]
    };
    let list = vec![
        listed("1", "192.0.2.1", Some(1080), "B", "2026-12-01 00:00:00"),
        listed("2", "192.0.2.2", None, "Z", "2026-10-01 00:00:00"),
        listed("3", "192.0.2.3", Some(9), "", ""),
        listed("", "192.0.2.4", None, "", "2026-11-05 00:00:00"),
    ];
    let rows = Stock::of(orders(), list, 0).rows(&[], &Marks::default());
    let seen: Vec<String> = rows
        .iter()
        .map(|row| {
            let Item { key, elsewhere, ip_id, extended, .. } = &*row.item;
            format!("{key} id={ip_id} elsewhere={elsewhere} extended={extended}")
        })
        .collect();
    let expected = [
        // Both orders name the address: it is one IP.
        "A 192.0.2.1 1080 id=1 elsewhere=false extended=true",
        // An earlier end in the list shortens nothing.
        "A 192.0.2.2 1080 id=2 elsewhere=false extended=false",
        "B 192.0.2.1 1080 id=1 elsewhere=false extended=true",
        "B 192.0.2.3 1080 id= elsewhere=false extended=false",
        " 192.0.2.3 9 id=3 elsewhere=true extended=false",
        " 192.0.2.4 0 id= elsewhere=true extended=false",
    ];
    assert_eq!(seen, expected);
    let statuses: Vec<_> = rows.iter().map(|row| row.item.vendor_status.as_str()).collect();
    let expected = ["status of 1", "status of 2", "status of 1", "", "status of 3", "status of "];
    assert_eq!(statuses, expected);
}

#[test]
fn what_an_order_of_bare_addresses_does_not_say_comes_from_the_vendors_list() {
    let bare = |host: &str| Delivered {
        host: host.into(),
        port: 1080,
        protocol: String::new(),
        about: About::default(),
        no_longer_listed: false,
    };
    let orders = vec![(OrderNo::new("A"), vec![bare("192.0.2.1"), delivered("192.0.2.2", "JP", "")])];
    let end = "2026-12-01 00:00:00";
    let list = ["192.0.2.1", "192.0.2.2"].map(|host| {
        let about = About { country_code: "US".into(), ..listed(host, host, None, "", end).about };
        ListedIp { protocol: "http".into(), about, ..listed(host, host, None, "", end) }
    });
    let rows = Stock::of(orders, list.into(), 0).rows(&[], &Marks::default());
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (&*row.item.protocol, &*row.item.place.country_code, row.item.ends.is_some(), row.item.extended))
        .collect();
    // Without an end of its own, nothing was extended; what the order says stays.
    assert_eq!(seen, [("http", "US", true, false), ("socks5", "JP", true, false)]);
    assert_eq!(rows.holding(&["http", "us"]), [true, false], "it is found by them");
}

#[test]
fn what_an_order_left_out_is_still_there_if_the_vendors_list_names_it_and_its_end_extends_no_other_order() {
    let (november, december) = ("2026-11-15 00:00:00", "2026-12-20 00:00:00");
    let gone = |host: &str| Delivered { no_longer_listed: true, ..delivered(host, "JP", december) };
    let orders = vec![
        (OrderNo::new("A"), vec![gone("192.0.2.1"), gone("192.0.2.2"), gone("192.0.2.3")]),
        (OrderNo::new("B"), vec![delivered("192.0.2.1", "JP", november)]),
    ];
    let list = ["192.0.2.1", "192.0.2.2"].map(|host| listed(host, host, Some(1080), "", november));
    let rows = Stock::of(orders, list.into(), 0).rows(&[], &Marks::default());
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.item.no_longer_listed, row.item.ends == WrittenTime(december.into()).millis(0)))
        .collect();
    // Sold again; named by the list; named by nobody; the order that sold the first one again.
    assert_eq!(seen, [(true, true), (false, true), (true, true), (false, false)]);
}

/// The ids of rows, with the port and the order of each.
fn ids(delivered: Vec<(OrderNo, Vec<Delivered>)>, list: Vec<ListedIp>) -> Vec<String> {
    let rows = Stock::of(delivered, list, 0).rows(&[], &Marks::default());
    rows.iter().map(|row| format!("{}={}", row.item.key, row.item.ip_id)).collect()
}

#[test]
fn an_id_that_may_be_that_of_another_ip_is_not_taken() {
    let at = |port: u16| Delivered { port, ..delivered("192.0.2.1", "JP", "") };
    let order = |name: &str, all: Vec<Delivered>| (OrderNo::new(name), all);
    let ip = |id: &str, port: Option<u16>, order: &str| listed(id, "192.0.2.1", port, order, "");
    // Two ports of one host, and a list that names no ports.
    let two = || vec![order("A", vec![at(1), at(2)])];
    let none = ["A 192.0.2.1 1=", "A 192.0.2.1 2="];
    assert_eq!(ids(two(), vec![ip("7", None, "A"), ip("8", None, "A")]), none);
    assert_eq!(ids(two(), vec![ip("7", None, "")]), none);
    assert_eq!(ids(two(), vec![ip("7", Some(1), ""), ip("8", Some(2), "")]), ["A 192.0.2.1 1=7", "A 192.0.2.1 2=8"]);
    // A lapsed and a current id of one address: the order decides, or nothing does.
    let both = || vec![ip("7", Some(1), "A"), ip("8", Some(1), "B")];
    assert_eq!(ids(vec![order("B", vec![at(1)])], both()), ["B 192.0.2.1 1=8"]);
    assert_eq!(ids(vec![order("C", vec![at(1)])], both()), ["C 192.0.2.1 1="]);
    // Two IPs from elsewhere that have one name.
    let doubles = vec![ip("7", None, ""), ip("8", None, "")];
    assert_eq!(ids(Vec::new(), doubles), [" 192.0.2.1 0=", " 192.0.2.1 0="]);
}

#[test]
fn what_was_recorded_of_an_ip_from_elsewhere_stays_when_its_order_becomes_known() {
    let orders = vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", "")])];
    let short = |host: &str, port: u16| GoodsKey { order_no: OrderNo::new(""), host: host.into(), port };
    let of = |key: GoodsKey| Assignment { key, buyer: Some(BuyerId(1)), note: "mine".into() };
    let marks = Marks {
        assignments: vec![of(short("192.0.2.1", 0)), of(short("192.0.2.2", 1081))],
        deliveries: vec![Delivery { key: short("192.0.2.1", 0), buyer: BuyerId(1), at: 5, how: SentHow::File }],
    };
    let stock = Stock::of(orders, Vec::new(), 0);
    let sent = Some(Sent { at: 5, how: SentHow::File });
    let rows = stock.rows(&[buyer(1, "ali")], &marks);
    assert!(rows[0].item.elsewhere && rows[0].item.key.port == 1081, "another port is another proxy");
    assert_eq!((rows[1].note.as_str(), rows[1].sent), ("mine", sent));
    assert!(rows[2].buyer.is_none());
    let marks = Marks { assignments: vec![of(key("A", "192.0.2.1"))], ..marks };
    assert_eq!(stock.rows(&[buyer(1, "ali")], &marks)[0].sent, sent, "it has a record of its own now");
}

#[test]
fn an_ip_that_the_vendors_list_shows_no_more_stays_with_whoever_had_it() {
    let may = "2026-05-01 00:00:00";
    let gone = || {
        let bare = listed("3", "192.0.2.3", None, "", may);
        vec![listed("1", "192.0.2.1", Some(1080), "A", may), listed("2", "192.0.2.2", Some(1080), "B", may), bare]
    };
    let of = |key: GoodsKey, buyer: Option<i64>, note: &str| Assignment {
        key,
        buyer: buyer.map(BuyerId),
        note: note.into(),
    };
    let rows = |stock: Stock, assignments: Vec<Assignment>| -> Vec<String> {
        let marks = Marks { assignments, deliveries: Vec::new() };
        let rows = stock.with_gone(gone(), 0).rows(&[buyer(1, "ali")], &marks);
        let told = |row: &GoodsRow| {
            let buyer = row.buyer.as_ref().map_or("-", |buyer| &buyer.name);
            let Item { key, ip_id, vendor_status, no_longer_listed, .. } = &*row.item;
            format!("{key} {buyer} {no_longer_listed} [{ip_id}{vendor_status}]")
        };
        rows.iter().map(told).collect()
    };
    let first = || of(key("A", "192.0.2.1"), Some(1), "");
    // Nobody had the second; a note keeps it.
    assert_eq!(rows(Stock::default(), vec![first()]), ["A 192.0.2.1 1080 ali true []"]);
    assert!(rows(Stock::default(), vec![of(key("B", "192.0.2.2"), None, "")]).is_empty());
    assert_eq!(rows(Stock::default(), vec![of(key("B", "192.0.2.2"), None, "mine")]), ["B 192.0.2.2 1080 - true []"]);
    // Listed again, or delivered by an order that became known, it is that one.
    let again = Stock::of(Vec::new(), vec![listed("1", "192.0.2.1", Some(1080), "A", may)], 0);
    assert_eq!(rows(again, vec![first()]), ["A 192.0.2.1 1080 ali false [1status of 1]"]);
    let order = |name: &str| Stock::of(vec![(OrderNo::new(name), vec![delivered("192.0.2.1", "JP", may)])], vec![], 0);
    assert_eq!(rows(order("A"), vec![first()]), ["A 192.0.2.1 1080 ali false []"]);
    // Sold again, it is another one, and the older of the two.
    let both = ["A 192.0.2.1 1080 ali true []", "C 192.0.2.1 1080 - false []"];
    assert_eq!(rows(order("C"), vec![first()]), both);
    // What was recorded under its address alone is that of an IP which has it now.
    assert_eq!(rows(order("C"), vec![of(key("", "192.0.2.1"), Some(1), "")]), ["C 192.0.2.1 1080 ali false []"]);
    let short = || GoodsKey { port: 0, ..key("", "192.0.2.3") };
    let third = || vec![of(short(), Some(1), "")];
    assert_eq!(rows(order("C"), third()), [" 192.0.2.3 0 ali true []", "C 192.0.2.1 1080 - false []"]);
    let has_it = Stock::of(vec![(OrderNo::new("D"), vec![delivered("192.0.2.3", "JP", may)])], vec![], 0);
    assert_eq!(rows(has_it, third()), ["D 192.0.2.3 1080 ali false []"]);
}

#[test]
fn an_ip_that_somebody_has_is_a_row_even_if_the_vendor_tells_nothing_of_it() {
    let of = |key: GoodsKey, buyer: Option<i64>, note: &str| Assignment {
        key,
        buyer: buyer.map(BuyerId),
        note: note.into(),
    };
    let assignments = vec![
        of(key("", "192.0.2.9"), Some(1), ""),
        of(key("X", "192.0.2.8"), None, "spare"),
        of(key("X", "192.0.2.7"), None, ""),
        // What was recorded under a shorter name is that of the delivered one.
        of(key("", "192.0.2.1"), Some(1), ""),
    ];
    let marks = Marks { assignments, deliveries: Vec::new() };
    let stock = || Stock::of(vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", "")])], Vec::new(), 0);
    let told = |stock: Stock| -> Vec<String> {
        let rows = stock.rows(&[buyer(1, "ali")], &marks);
        let told = |row: &GoodsRow| {
            let buyer = row.buyer.as_ref().map_or("-", |buyer| &buyer.name);
            format!("{} {buyer} {} {}", row.item.key, row.item.elsewhere, row.item.no_longer_listed)
        };
        rows.iter().map(told).collect()
    };
    let [delivered, nobody] = ["A 192.0.2.1 1080 ali false false", "X 192.0.2.8 1080 - true"];
    let (unread, read) = (told(stock()), told(stock().with_gone(Vec::new(), 0)));
    assert_eq!(unread, [" 192.0.2.9 1080 ali true false", &format!("{nobody} false"), delivered]);
    assert_eq!(read, [" 192.0.2.9 1080 ali true true", &format!("{nobody} true"), delivered], "its list is read");
}

#[test]
fn a_proxy_counts_as_sent_only_if_it_was_handed_to_the_buyer_it_is_for_now() {
    let orders = vec![(OrderNo::new("A"), vec![delivered("192.0.2.1", "JP", ""), delivered("192.0.2.2", "JP", "")])];
    let stock = Stock::of(orders, Vec::new(), 0);
    let buyers = [buyer(1, "ali"), Buyer { deleted: true, ..buyer(2, "bob") }];
    let to = |host: &str, id: i64| Assignment { key: key("A", host), buyer: Some(BuyerId(id)), note: "test".into() };
    let sent = |at: i64| Delivery { key: key("A", "192.0.2.1"), buyer: BuyerId(1), at, how: SentHow::Copied };
    let mut marks = Marks { assignments: vec![to("192.0.2.1", 1)], deliveries: vec![sent(5), sent(9)] };
    let rows = stock.rows(&buyers, &marks);
    assert_eq!(rows[0].sent, Some(Sent { at: 9, how: SentHow::Copied }), "the last time counts");
    assert!(rows[1].buyer.is_none() && rows[1].sent.is_none());
    marks.assignments = vec![to("192.0.2.1", 2)];
    let rows = stock.rows(&buyers, &marks);
    assert!(rows[0].sent.is_none());
    assert!(rows[0].buyer.as_ref().is_some_and(|buyer| buyer.deleted && buyer.name == "bob"), "{rows:?}");
}
