//! Those who run out, topped up to last until a day, through the preview of a bulk.

use tests::steps::at_customers;
use tests::window::testid;

#[tokio::test]
async fn those_who_run_out_are_drafted_until_a_day_and_sent_only_by_the_preview() {
    let (service, window) = at_customers().await;
    window.press("nav-overview").await;
    window.see_state("overview-runs-out", "ready").await;
    window.press("runs-out-until").await;
    window.see("[data-testid='bulk-by-until'][aria-checked='true']").await;
    tests::until("a day is suggested", async || (window.value("bulk-until").await.len() == 10).then_some(())).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.fill("bulk-until", "2020-01-01").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-until-error")).await;
    // The practice clock is this computer's: a year from now is after whatever is left.
    let today = wire::Day::of(tests::wall(), 480);
    window.fill("bulk-until", &today.plus(90).to_string()).await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    let row = format!("{}[data-state='ok']", testid("bulk-row"));
    let text = window.text_of(&row).await;
    assert!(text.contains("a day × 91 days −"), "{text}");
    assert_eq!(window.axe().await, [""; 0]);
    let moves = || service.world.ledger().expect("a ledger").moves.len();
    assert_eq!(moves(), 0, "a draft sends nothing");
    let good = window.run("return document.querySelectorAll('[data-testid=bulk-row][data-state=ok]').length").await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='{good}']", testid("bulk-result"))).await;
    assert_eq!(moves() as u64, good.as_u64().expect("a number"));
}
