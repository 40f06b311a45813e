//! The order book: what an order reports, and its proxies in the form that a person chooses.

use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, seen_by_page, wrong};
use till::Code;
use till::orders::{
    copy_proxies, export_proxies, list_orders, order_detail, order_particulars, proxy_template, reveal_proxies,
    save_order_note,
};

/// Makes an agent with one order. Returns the order's number too.
async fn with_order() -> (Agent, Value) {
    let agent = Agent::connected().await;
    let bought = agent.buy().await;
    let number = seen_by_page(&bought.order.expect("an order").order_no);
    (agent, number)
}

fn in_form(order: &Value, format: &str, template: &str) -> Value {
    json!({ "orderNo": order, "layout": { "format": format, "template": template } })
}

#[tokio::test]
async fn an_order_that_was_bought_is_in_the_book_with_its_proxies() {
    let (agent, order) = with_order().await;
    let book = list_orders(&agent.till, ()).await.expect("a book");
    assert_eq!(book.len(), 1);
    assert_eq!(seen_by_page(&book[0].order_no), order);
    let view = order_detail(&agent.till, page(order.clone())).await.expect("an order");
    assert_eq!((view.ordered, view.delivered, view.addresses.len()), (Some(3), Some(3), 3));
    assert!(view.raw_details.is_none());
    let kept = order_particulars(&agent.till, page(order)).await.expect("what it says").expect("it was read");
    assert_eq!(kept.proxies.len(), 3);
    assert!(order_particulars(&agent.till, page(json!("other"))).await.expect("an answer").is_none());
}

#[tokio::test]
async fn the_vendors_list_says_when_it_was_read_and_an_order_also_after_a_start() {
    let mut agent = Agent::connected().await;
    let order = agent.buy().await.order.expect("an order").order_no;
    let read_at = async |agent: &Agent| list_orders(&agent.till, ()).await.expect("a book")[0].read_at;
    assert_eq!(read_at(&agent).await, None);
    let before = tests::wall();
    order_detail(&agent.till, order).await.expect("an order");
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    till::health::check_vendor(&agent.till, id).await.expect("it is checked");
    till::goods::read_goods(&agent.till, true).await.expect("it is read");
    let after = tests::wall();
    let query = json!({ "search": "", "order": "added", "down": false, "filter": {} });
    let found = till::goods::find_goods(&agent.till, page(query)).await.expect("a list");
    agent.start_again();
    till::start::boot(&agent.till, "en".into()).await.expect("the connection");
    let order_read = read_at(&agent).await;
    for (what, at) in [("the order", order_read), ("the list", found.read_at)] {
        assert!(at.is_some_and(|at| (before..=after).contains(&at)), "{what}: {before} {at:?} {after}");
    }
}

#[tokio::test]
async fn a_note_on_an_order_is_there_after_a_start_until_it_is_emptied() {
    let (mut agent, order) = with_order().await;
    let note = async |agent: &Agent| list_orders(&agent.till, ()).await.expect("a book").remove(0).note;
    assert_eq!(note(&agent).await, "");
    for text in ["for Anna", " for Bob, “paid” \n"] {
        save_order_note(&agent.till, page(json!({ "orderNo": order, "note": text }))).await.expect("it is kept");
    }
    agent.start_again();
    till::start::boot(&agent.till, "en".into()).await.expect("the connection");
    assert_eq!(note(&agent).await, "for Bob, “paid”");
    save_order_note(&agent.till, page(json!({ "orderNo": order, "note": "  " }))).await.expect("it is removed");
    assert_eq!(note(&agent).await, "");
}

#[tokio::test]
async fn an_order_is_added_by_its_number_with_blanks_around_it_and_nothing_is_no_number() {
    let (agent, order) = with_order().await;
    let pasted = json!(format!("  {}\n", order.as_str().expect("a number")));
    assert_eq!(seen_by_page(&order_detail(&agent.till, page(pasted)).await.expect("an order").order_no), order);
    assert_eq!(field(order_detail(&agent.till, page(json!("  "))).await), wrong("order-no", "empty"));
    assert_eq!(code(order_detail(&agent.till, page(json!("NONE"))).await), Code::Refused);
    assert_eq!(list_orders(&agent.till, ()).await.expect("a book").len(), 1, "what is not there is not kept");
}

#[tokio::test]
async fn proxies_are_revealed_copied_and_saved_in_the_form_that_was_chosen() {
    let (agent, order) = with_order().await;
    let lines = reveal_proxies(&agent.till, page(in_form(&order, "at", ""))).await.expect("lines");
    assert!(lines.len() == 3 && lines.iter().all(|line| line.contains('@')), "{lines:?}");
    copy_proxies(&agent.till, page(in_form(&order, "at", ""))).await.expect("they are copied");
    assert_eq!(agent.host.clipboard(), (Some(lines.join("\n")), false));
    let mut asked = in_form(&order, "at", "");
    asked["kind"] = json!("txt");
    let first = export_proxies(&agent.till, page(asked.clone())).await.expect("a file");
    let second = export_proxies(&agent.till, page(asked)).await.expect("another file");
    assert_eq!((first.count, first.path == second.path), (3, false), "nothing is written over");
    assert!(first.path.starts_with(&*agent.downloads().to_string_lossy()));
    let saved = std::fs::read_to_string(&first.path).expect("a file");
    assert_eq!(saved.lines().collect::<Vec<_>>(), lines);
}

#[tokio::test]
async fn a_template_with_an_unknown_word_is_refused_and_a_good_one_is_remembered() {
    let (agent, order) = with_order().await;
    let usual = proxy_template(&agent.till, ()).await.expect("a template");
    assert!(usual.contains("%ip%"));
    for template in ["", "%ip%:%secret%"] {
        let asked = page(in_form(&order, "own", template));
        assert_eq!(field(reveal_proxies(&agent.till, asked).await), wrong("template", "unknown-word"));
    }
    assert_eq!(proxy_template(&agent.till, ()).await.expect("a template"), usual);
    let lines = reveal_proxies(&agent.till, page(in_form(&order, "own", "%port%|%ip%"))).await.expect("lines");
    assert!(lines.iter().all(|line| line.contains('|')), "{lines:?}");
    assert_eq!(proxy_template(&agent.till, ()).await.expect("a template"), "%port%|%ip%");
}

#[tokio::test]
async fn an_order_that_needs_a_decision_is_said_once() {
    let agent = Agent::connected().await;
    tests::service::fault(&agent.service, "place-and-pay", sandbox::Fault::DropAfter);
    tests::service::fault(&agent.service, "place-and-pay", sandbox::Fault::Refuse { code: Some("60308".into()) });
    agent.buy().await;
    tests::until_at_last("it is said", async || (!agent.host.notifications().is_empty()).then_some(())).await;
    assert_eq!(
        agent.host.notifications(),
        [["Your decision is needed", "An operation is waiting for your decision. Open Activity."]]
    );
}

#[tokio::test]
async fn a_late_order_is_followed_until_it_is_complete_and_said_once() {
    let agent = Agent::connected_to(sandbox::Options { speed: 60.0, ..Default::default() }).await;
    tests::service::fault(&agent.service, "place-and-pay", sandbox::Fault::Partial);
    let bought = agent.buy().await;
    let number = seen_by_page(&bought.order.expect("an order").order_no);
    tests::until("it is complete", async || {
        agent.host.events().contains(&("order-changed".to_owned(), number.clone())).then_some(())
    })
    .await;
    tests::until("it is said", async || (agent.host.notifications().len() == 1).then_some(())).await;
    assert!(agent.host.notifications()[0][1].contains(number.as_str().expect("a number")));
    assert!(tests::service::requests(&agent.service, "orders/status") > 0, "its status is asked first");
}

#[tokio::test]
async fn where_the_status_alone_is_absent_or_odd_a_late_order_is_read_whole() {
    for without in [vec![sandbox::Capability::OrderStatus], vec![]] {
        let options = sandbox::Options { speed: 60.0, without: without.clone(), ..Default::default() };
        let agent = Agent::connected_to(options).await;
        agent.service.world.answer_whole_with("orders/status", serde_json::json!({ "moved": true }));
        tests::service::fault(&agent.service, "place-and-pay", sandbox::Fault::Partial);
        let number = seen_by_page(&agent.buy().await.order.expect("an order").order_no);
        let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
        till::health::check_vendor(&agent.till, id).await.expect("it is checked");
        let asked = tests::service::requests(&agent.service, "orders/status");
        tests::until("it is complete", async || {
            agent.host.events().contains(&("order-changed".to_owned(), number.clone())).then_some(())
        })
        .await;
        let again = tests::service::requests(&agent.service, "orders/status");
        assert!(asked > 0 && again == asked, "{without:?}: nobody asks for it again: {asked}, {again}");
    }
}
