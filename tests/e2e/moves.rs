//! Recharge and deduction as the agent does them: both units, before and after, proved by reading.

use fantoccini::key::Key;
use operations::Direction;
use sandbox::{Fault, Service};
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::testid;

/// The moves in MB with sign, and the number of times they were sent.
fn moved(service: &Service, direction: Direction) -> (Vec<String>, usize) {
    let ledger = service.world.ledger().expect("a ledger");
    let sends = ledger.requests.iter().filter(|seen| seen.path.ends_with(endpoint(direction))).count();
    (ledger.moves.iter().map(|one| one.mb.to_string()).collect(), sends)
}

#[tokio::test]
async fn a_recharge_shows_both_units_before_and_after_and_is_confirmed_by_a_read() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.see(&format!("{}[data-value='512']", testid("amount-mb"))).await;
    let figure = async |id: &str| window.attribute(id, "data-value").await.parse::<f64>().expect("MB");
    let (before, after) = (figure("recharged-before").await, figure("recharged-after").await);
    assert!((after - before - 512.0).abs() < 0.001, "{before} {after}");
    assert!((figure("amount-after").await - figure("amount-before").await - 512.0).abs() < 0.001);
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    assert_eq!(moved(&service, Direction::Recharge), (vec!["512".into()], 1));
    window.open_operation().await;
    window.see(&format!("{}[data-value='512']", testid("evidence-record"))).await;
    // Limited to the unused traffic, and linked to the first move.
    window.press("operation-take-back").await;
    window.see(&format!("{}[data-value='512']", testid("amount-mb"))).await;
    assert_eq!(window.value("amount-gb").await, "0.5");
    window.press("amount-confirm").await;
    window.see_gone(&testid("amount-confirm")).await;
    let taken = format!("{}[data-kind='deduction'][data-state='applied']", testid("activity-row"));
    window.see(&taken).await;
    assert_eq!(moved(&service, Direction::Deduction), (vec!["512".into(), "-512".into()], 1));
    window.see_gone(&testid("operation-take-back")).await;
}

#[tokio::test]
async fn an_amount_is_typed_at_once_and_the_second_enter_confirms() {
    let (service, window) = at_customers().await;
    window.fill("customers-search", CUSTOMER).await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
    window.press("customer-recharge").await;
    let focus = async |id: &str| {
        let focused = "return document.activeElement.dataset.testid ?? ''";
        tests::until(&format!("{id} has the focus"), async || (window.run(focused).await == id).then_some(())).await;
    };
    focus("amount-gb").await;
    window.keys("0.5").await;
    window.keys(&Key::Enter.to_string()).await;
    focus("amount-confirm").await;
    assert_eq!(moved(&service, Direction::Recharge), (vec![], 0), "the first Enter ends the amount");
    window.press("amount-preset-1").await;
    window.see(&format!("{}[data-value='1024']", testid("amount-mb"))).await;
    focus("amount-confirm").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("amount-confirm")).await;
    window.see_operation("applied").await;
    assert_eq!(moved(&service, Direction::Recharge), (vec!["1024".into()], 1));
}

#[tokio::test]
async fn a_lost_answer_is_checked_and_neither_move_is_done_twice() {
    for (act, direction, mb) in
        [("customer-recharge", Direction::Recharge, "512"), ("customer-deduct", Direction::Deduction, "-512")]
    {
        let (service, window) = at_customers().await;
        window.begin_move(CUSTOMER, act, "0.5").await;
        service::fault(&service, endpoint(direction), Fault::DropAfter);
        window.press("amount-confirm").await;
        window.see_gone(&testid("amount-confirm")).await;
        window.see(&testid("unconfirmed-badge")).await;
        window.see_operation("resolved-applied").await;
        window.see_gone(&testid("unconfirmed-badge")).await;
        assert_eq!(moved(&service, direction), (vec![mb.into()], 1), "{act}");
    }
}

#[tokio::test]
async fn a_doubled_deduction_is_told_and_the_second_one_taken_back() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    service::fault(&service, endpoint(Direction::Deduction), Fault::Twice);
    window.press("amount-confirm").await;
    window.see_operation("needs-you").await;
    assert_eq!(window.attribute("activity-row", "data-reason").await, "doubled");
    assert_eq!(moved(&service, Direction::Deduction), (vec!["-512".into(), "-512".into()], 1), "sent once");
    window.press("operation-take-back").await;
    window.see(&format!("{}[data-value='512']", testid("amount-mb"))).await;
    window.press("amount-confirm").await;
    let back = format!("{}[data-kind='recharge'][data-state='applied']", testid("activity-row"));
    window.see(&back).await;
    let (moves, sends) = moved(&service, Direction::Recharge);
    assert_eq!((moves.as_slice(), sends), (["-512".to_owned(), "-512".into(), "512".into()].as_slice(), 1));
    window.see(&format!("{}[data-kind='deduction'][data-state='resolved-applied']", testid("activity-row"))).await;
}

#[tokio::test]
async fn a_code_200_with_null_data_is_no_success() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    service::fault(&service, endpoint(Direction::Deduction), Fault::NullData);
    window.press("amount-confirm").await;
    window.see_operation("unknown").await;
    let card = async || window.text("operation-evidence").await;
    tests::until("it was looked for", async || card().await.contains("nothing found").then_some(())).await;
    window.see_state("activity-row", "unknown").await;
    window.press("operation-mark-not-done").await;
    let asked = window.text_of("[role='dialog']").await;
    assert!(asked.contains("0.5 GB (512 MB)") && asked.contains("deducting it again doubles it"), "{asked}");
    window.press("judge-confirm").await;
    window.see_state("activity-row", "resolved-not").await;
    assert_eq!(moved(&service, Direction::Deduction), (vec![], 1));
}

#[tokio::test]
async fn a_wrong_amount_gets_a_sentence_beside_it_and_nothing_is_sent() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-deduct", "").await;
    for (typed, sentence) in [
        ("five", "plain number"),
        ("1,5", "two ways"),
        ("5 tb", "GB or MB"),
        ("0", "above zero"),
        ("-5", "above zero"),
        ("0.00001", "four decimals"),
        ("999999", "more than the customer has left"),
    ] {
        window.fill("amount-gb", typed).await;
        let said = async || window.text("amount-gb-error").await.contains(sentence).then_some(());
        tests::until(&format!("{typed}: {sentence}"), said).await;
        assert!(!window.is_enabled("amount-confirm").await, "{typed}");
    }
    window.type_keys("amount-gb", &Key::Escape.to_string()).await;
    window.see_gone(&testid("amount-gb")).await;
    window.begin_move(CUSTOMER, "customer-recharge", "500000.1").await;
    let said = async || window.text("amount-gb-error").await.contains("500000.125").then_some(());
    tests::until("the nearest amount is named", said).await;
    window.fill("amount-gb", "9000000").await;
    let said = async || window.text("amount-gb-error").await.contains("more than you have left").then_some(());
    tests::until("one's own traffic is the limit", said).await;
    assert_eq!(moved(&service, Direction::Deduction), (vec![], 0));
    assert_eq!(moved(&service, Direction::Recharge), (vec![], 0));
}

#[tokio::test]
async fn a_refusal_is_told_with_the_vendors_words_and_nothing_was_moved() {
    let (service, window) = at_customers().await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    service::fault(&service, endpoint(Direction::Recharge), Fault::Refuse { code: Some("204".into()) });
    window.press("amount-confirm").await;
    window.see_operation("rejected").await;
    window.open_operation().await;
    let card = window.text_of("section.operation").await;
    assert!(card.contains("refused it. Nothing was transferred"), "{card}");
    assert_eq!(moved(&service, Direction::Recharge), (vec![], 1));
}
