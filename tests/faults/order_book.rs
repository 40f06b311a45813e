//! The order book: orders placed here and orders added by number, as last seen.

use operations::BookedOrder;
use sandbox::Fault;
use tests::order::Buyer;
use tests::service::client;
use wire::ids::OrderNo;
use wire::orders::{OrderDetail, OrderStatus};

#[tokio::test]
async fn an_order_is_shown_as_last_seen_and_what_is_not_told_stays() {
    let mut buyer = Buyer::new(0).await;
    buyer.fault(Fault::Partial);
    let placed = buyer.buy().await.order.expect("an order");
    let booked = |buyer: &Buyer| buyer.operations.orders().all().expect("a journal");
    let first = booked(&buyer).remove(0);
    assert_eq!((first.ordered, first.operation.is_some()), (Some(3), true));
    let seen = client(&buyer.service).call(client::orders::detail(&placed.order_no)).await.expect("the order").data;
    assert!(seen.deliver_ip_count < Some(3), "a part of it");
    let silent = OrderDetail {
        status: None,
        amount: None,
        currency: String::new(),
        purchase_ip_count: None,
        deliver_ip_count: None,
        ..seen.clone()
    };
    buyer.operations.orders().remember(&silent).expect("a journal");
    let after = booked(&buyer).remove(0);
    assert!(after.read_at.is_some() && first.read_at.is_none());
    assert_eq!(after, BookedOrder { read_at: after.read_at, ..first.clone() }, "as it was placed");
    buyer.operations.orders().remember(&seen).expect("a journal");
    assert!(booked(&buyer)[0].is_late());
    let whole = OrderDetail { deliver_ip_count: Some(3), ..seen.clone() };
    buyer.operations.orders().remember(&whole).expect("a journal");
    buyer.operations.orders().remember(&silent).expect("a journal");
    buyer.restart();
    let all = booked(&buyer);
    let [order] = all.as_slice() else { panic!("one order: {all:?}") };
    assert!(!order.is_late());
    assert_eq!((order.delivered, order.ordered, &order.status), (Some(3), Some(3), &seen.status));
    assert_eq!((order.amount, order.currency.as_str()), (seen.amount, "USD"));
    assert_eq!(order.operation, first.operation);
}

#[tokio::test]
async fn an_order_is_late_until_it_is_complete_or_will_deliver_no_more() {
    let buyer = Buyer::new(0).await;
    let placed = buyer.buy().await.order.expect("an order");
    let seen = client(&buyer.service).call(client::orders::detail(&placed.order_no)).await.expect("the order").data;
    let cases = [
        ("3", None, true),
        ("3", Some(2), true),
        ("3", Some(3), false),
        ("20", Some(2), true),
        ("0", None, false),
        ("4", None, false),
        ("5", Some(1), false),
        ("10", Some(2), false),
    ];
    for (at, (status, delivered, is_late)) in cases.into_iter().enumerate() {
        let order_no = OrderNo::new(format!("elsewhere-{at}"));
        let status = Some(OrderStatus(status.into()));
        let detail = OrderDetail { order_no, status, deliver_ip_count: delivered, ..seen.clone() };
        buyer.operations.orders().remember(&detail).expect("a journal");
        let booked = buyer.operations.orders().all().expect("a journal");
        let order = booked.iter().find(|order| order.order_no == detail.order_no).expect("it joins the book");
        assert_eq!(order.is_late(), is_late, "{:?} {delivered:?}", detail.status);
    }
}

#[tokio::test]
async fn an_order_that_is_added_by_number_joins_the_book() {
    let buyer = Buyer::new(0).await;
    let placed = buyer.buy().await.order.expect("an order");
    let seen = client(&buyer.service).call(client::orders::detail(&placed.order_no)).await.expect("the order").data;
    let other = OrderDetail { order_no: OrderNo::new("elsewhere-1"), currency: "CNY".into(), ..seen };
    buyer.operations.orders().remember(&other).expect("a journal");
    let all = buyer.operations.orders().all().expect("a journal");
    assert_eq!(all.len(), 2, "newest first: {all:?}");
    assert_eq!((all[0].order_no.as_str(), all[0].operation.is_none()), ("elsewhere-1", true));
    assert_eq!((all[0].currency.as_str(), all[1].currency.as_str()), ("CNY", "USD"));
}

#[tokio::test]
async fn what_an_order_tells_of_itself_is_kept_without_its_credentials() {
    let mut buyer = Buyer::new(0).await;
    let placed = buyer.buy().await.order.expect("an order");
    assert!(buyer.operations.orders().particulars(&placed.order_no).expect("a journal").is_none(), "it was never read");
    let seen = client(&buyer.service).call(client::orders::detail(&placed.order_no)).await.expect("the order").data;
    buyer.operations.orders().remember(&seen).expect("a journal");
    let silent = OrderDetail { order_no: placed.order_no.clone(), ..OrderDetail::default() };
    buyer.operations.orders().remember(&silent).expect("a journal");
    buyer.restart();
    let kept = buyer.operations.orders().particulars(&placed.order_no).expect("a journal").expect("it was read");
    assert_eq!(kept, seen.particulars(), "what is not told again stays");
    assert_eq!((kept.proxies.len(), kept.discount_amount), (3, "0.45".parse().ok()));
    let about = &kept.proxies[0].about;
    assert_eq!(
        (about.country_en.as_str(), about.country_zh.as_str(), about.country_code.as_str()),
        ("Japan", "日本", "JP")
    );
    assert!(!about.expires.is_empty() && !kept.specification.is_empty());
    let secrets: Vec<String> = seen.proxies().into_iter().flat_map(|one| [one.user, one.password]).collect();
    for part in ["journal.db", "journal.db-wal"] {
        let bytes = std::fs::read(buyer.journal().with_file_name(part)).unwrap_or_default();
        assert_eq!(tests::canary::found_in(&bytes, &secrets), [""; 0], "{part}");
    }
}
