//! Closing the window while work is under way.

use fantoccini::key::Key;
use sandbox::{Fault, Service};
use tests::agent::LONG;
use tests::hung_page::HungPage;
use tests::service::always;
use tests::steps::at_customers;
use tests::until;
use tests::window::{Window, testid};

const RECHARGE: &str = "rechargeTrafficCount";
const ROWS: usize = 40;

fn moved(service: &Service) -> usize {
    service.world.ledger().expect("a ledger").moves.len()
}

/// A bulk of 40 rows that is sending slowly.
async fn at_a_bulk(ms: u64) -> (Service, Window) {
    let (service, window) = at_customers().await;
    always(&service, RECHARGE, Fault::Delay { ms });
    begin_bulk(&window).await;
    (service, window)
}

/// Begins a bulk of 40 rows at the list of customers.
pub(crate) async fn begin_bulk(window: &Window) {
    window.press("bulk-paste").await;
    let lines: Vec<String> = (100_001..).take(ROWS).map(|id| format!("{id} 256m")).collect();
    window.fill("bulk-text", &lines.join("\n")).await;
    window.press("bulk-preview").await;
    window.see(&format!("{}[data-value='10']", testid("bulk-total"))).await;
    window.press("bulk-start").await;
    window.see_state("bulk-progress", "running").await;
}

#[tokio::test]
async fn a_window_closes_at_once_when_nothing_is_under_way() {
    let window = Window::open().await;
    window.practise().await;
    window.press_close_button().await;
    window.see_end().await;
}

#[tokio::test]
async fn a_bulk_that_sends_is_asked_about_goes_on_and_waits_paused_after_the_window_was_closed_anyway() {
    let (service, mut window) = at_a_bulk(5000).await;
    let quit = format!("{}q{}", Key::Control, Key::Null);
    window.keys(&quit).await;
    window.see_focus("closing-keep").await;
    let waiting: usize = window.attribute("closing-bulks", "data-value").await.parse().expect("a number");
    assert!(waiting > 0 && waiting < ROWS, "{waiting}");
    assert_eq!(window.axe().await, [""; 0]);
    // However often it is asked, there is one question.
    window.press_close_button().await;
    window.keys(&quit).await;
    assert_eq!(window.run("return document.querySelectorAll('[data-testid=closing]').length").await, 1);
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("closing")).await;
    let before = moved(&service);
    until("the bulk goes on", async || (moved(&service) > before).then_some(())).await;
    window.press_close_button().await;
    window.press_last("closing-anyway").await;
    window.see_end().await;
    service.world.clear_faults();
    window.start_again().await;
    window.see_customers().await;
    window.see_state("bulk-open", "paused").await;
    assert!(moved(&service) < ROWS);
    window.run("document.querySelector('[data-testid=bulk-open] button').click()").await;
    window.press("bulk-resume").await;
    window.see(&format!("{}[data-value='{ROWS}']", testid("bulk-result"))).await;
    assert_eq!(moved(&service), ROWS, "nothing twice");
}

#[tokio::test]
async fn a_page_that_hangs_keeps_no_window_open() {
    let (_service, window) = at_a_bulk(LONG.as_millis() as u64).await;
    let _page = HungPage::of(&window);
    window.press_close_button().await;
    until("the program is gone", async || window.processes().is_empty().then_some(())).await;
}
