//! A deduction that the vendor refuses, and carries out forty seconds later.

use operations::Direction;
use sandbox::Fault;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

/// The check after a minute finds what was done after forty seconds. Until then nothing is called rejected.
pub(crate) async fn see_late(window: &Window, found: &str, rejected: &str) {
    for _ in 0..3 {
        let look = async || {
            let all = window.driver.find_all(fantoccini::Locator::Css(rejected)).await.ok()?;
            assert!(all.is_empty(), "shown as rejected");
            let all = window.driver.find_all(fantoccini::Locator::Css(found)).await.ok()?;
            (!all.is_empty()).then_some(())
        };
        if tests::within(look).await.is_some() {
            break;
        }
    }
    window.see(found).await;
}

#[tokio::test]
async fn a_deduction_that_is_refused_and_carried_out_later_is_never_shown_as_rejected() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    let late = Fault::LateNo { code: Some("500".into()), ms: 40_000 };
    service::fault(&service, endpoint(Direction::Deduction), late);
    window.press("amount-confirm").await;
    window.see_operation("refused").await;
    window.open_operation().await;
    let card = window.text_of("section.operation").await;
    assert!(card.contains("not final") && card.contains("15 minutes"), "{card}");
    for word in ["Nothing was transferred", "Not sent", "Didn't go through", "didn't go through"] {
        assert!(!card.contains(word), "{card}");
    }
    window.see_gone(&testid("operation-resend")).await;
    // Nothing is blocked: the same move asks once more, and another amount does not.
    window.press("nav-customers").await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    window.press("amount-confirm").await;
    window.see_error("still-watched").await;
    assert!(!window.is_enabled("amount-confirm").await);
    window.see(&testid("confirm-anyway")).await;
    window.fill("amount-gb", "0.25").await;
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.press("nav-activity").await;
    let found = format!("{}[data-state='resolved-applied']", testid("activity-row"));
    let rejected = format!("{}[data-state='rejected']", testid("activity-row"));
    see_late(&window, &found, &rejected).await;
    let ledger = service.world.ledger().expect("a ledger");
    let mut moves: Vec<String> = ledger.moves.iter().map(|one| one.mb.to_string()).collect();
    moves.sort();
    assert_eq!(moves, ["-256", "-512"]);
}

#[tokio::test]
async fn a_row_of_a_bulk_that_is_refused_and_carried_out_later_is_never_offered_again() {
    let (service, window) = at_customers().await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 0.5g\n100002 0.5g").await;
    window.press("bulk-deduct").await;
    window.press("bulk-preview").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-total"))).await;
    let deduct = endpoint(Direction::Deduction);
    service::fault(&service, deduct, Fault::LateNo { code: Some("500".into()), ms: 40_000 });
    service::fault(&service, deduct, Fault::Refuse { code: Some("204".into()) });
    window.press("bulk-start").await;
    window.see_state("bulk-progress", "finished").await;
    let row = |state: &str| format!("{}[data-state='{state}']", testid("bulk-row"));
    window.see(&row("refused")).await;
    window.see(&row("rejected")).await;
    let late =
        window.run("return document.querySelector('[data-testid=bulk-row][data-state=refused]').dataset.key").await;
    let late = late.as_str().expect("its number").to_owned();
    // One of the two is certainly not done, and only this one is offered.
    window.press("bulk-retry").await;
    window.see(&format!("{}[data-value='0.5']", testid("bulk-total"))).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-result"))).await;
    window.press("nav-activity").await;
    window.see(&format!("{}:nth-of-type(2)", testid("activity-bulk"))).await;
    window.run("document.querySelectorAll('[data-testid=activity-bulk-turn]')[1].click()").await;
    let it = |state: &str| format!("{}[data-key='{late}'][data-state='{state}']", testid("bulk-row"));
    window.see(&it("refused")).await;
    see_late(&window, &it("resolved-applied"), &it("rejected")).await;
    let ledger = service.world.ledger().expect("a ledger");
    let mut moves: Vec<_> = ledger.moves.iter().map(|one| (one.customer_id, one.mb.to_string())).collect();
    moves.sort();
    assert_eq!(moves, [(100_001, "-512".to_owned()), (100_002, "-512".to_owned())]);
}
