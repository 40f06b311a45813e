//! A vendor that asks us to wait: everything is still read and resolved, and a person sees the wait and can end it.

use fantoccini::key::Key;
use sandbox::Fault;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_strict_vendor_shows_every_customer_and_settles_a_recharge_and_a_deduction() {
    let service = service::start().await;
    service::be_strict(&service, 500);
    // A read waits 600 ms before it repeats the same request.
    let window = Window::open_with(&["--lang", "en", "--wait-unit", "100"]).await;
    window.connect_to(&service.base_url()).await;
    window.see_customers().await;
    window.press("bulk-select-all").await;
    window.see(&format!("{}[data-value='60']", testid("customers-chosen"))).await;
    window.press("customers-choose-none").await;
    for (act, kind) in [("customer-recharge", "recharge"), ("customer-deduct", "deduction")] {
        window.press("nav-customers").await;
        window.begin_move(CUSTOMER, act, "0.5").await;
        window.press("amount-confirm").await;
        window.see_gone(&testid("amount-confirm")).await;
        window.press("nav-activity").await;
        window.see(&format!("{}[data-kind='{kind}'][data-state='applied']", testid("activity-row"))).await;
    }
    let ledger = service.world.ledger().expect("a ledger");
    let moves: Vec<_> = ledger.moves.iter().map(|one| one.mb.to_string()).collect();
    assert_eq!(moves, ["512", "-512"]);
    for write in ["rechargeTrafficCount", "deductionFlow"] {
        assert_eq!(service::requests(&service, write), 1, "{write} is sent once");
    }
}

#[tokio::test]
async fn a_wait_that_the_vendor_asks_for_is_told_and_can_be_stopped_over_a_dialog_too() {
    let (service, window) = at_customers().await;
    service::always(&service, "customer/list", Fault::Busy { retry_after: Some(30) });
    window.press("customers-refresh").await;
    let told = window.text("reads-waiting").await;
    assert!(told.contains("The vendor asks us to wait.") && told.contains("Trying again in"), "{told}");
    assert!(window.axe().await.is_empty(), "{:?}", window.axe().await);
    window.press("reads-waiting-stop").await;
    window.see_gone(&testid("reads-waiting")).await;
    window.see(&format!("{}[data-code='429']", testid("error-panel"))).await;
    let said = window.text("error-panel").await;
    assert!(said.contains("too many requests"), "{said}");
    service.world.clear_faults();
    window.press("error-retry").await;
    window.see_gone(&testid("error-panel")).await;
    window.fill("customers-search", CUSTOMER).await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
    service::always(&service, "customer/list", Fault::Busy { retry_after: Some(30) });
    window.press("customer-recharge").await;
    window.see(&format!(".dialog {}", testid("reads-waiting"))).await;
    window.type_keys("reads-waiting-stop", &Key::Enter.to_string()).await;
    window.see_gone(&testid("reads-waiting")).await;
    window.see(&format!(".dialog {}[data-code='429']", testid("error-panel"))).await;
    // The vendor behaves normally again.
    service.world.clear_faults();
    window.press("error-retry").await;
    window.fill("amount-gb", "0.5").await;
    window.see(&format!("{}[data-value='512']", testid("amount-mb"))).await;
}
