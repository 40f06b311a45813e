//! T20 in the window: files that are damaged while the program is closed.

use tests::letters;
use tests::service::Process;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_damaged_journal_is_restored_and_the_person_is_told_until_it_is_read() {
    let service = Process::start();
    let mut window = Window::open().await;
    window.connect_to(&service.base_url).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    window.kill().await;
    letters(window.data_dir(), &["journal.db"]);
    window.start_again().await;
    window.see(&testid("restored-notice")).await;
    window.press("nav-activity").await;
    window.see_state("activity-row", "unknown").await;
    let told = window.text("restored-notice").await;
    assert!(told.contains("One operation that was sent later") && told.contains("damaged/journal-"), "{told}");
    window.press("operation-resend").await;
    window.see_state("activity-row", "applied").await;
    assert_eq!(service.ledger().await.orders.len(), 1, "the same key: nothing is bought twice");
    window.press("restored-seen").await;
    window.see_gone(&testid("restored-notice")).await;
    window.kill().await;
    window.start_again().await;
    window.press("nav-activity").await;
    window.see_state("activity-row", "applied").await;
    window.see_gone(&testid("restored-notice")).await;
}

#[tokio::test]
async fn damaged_connections_and_settings_come_back_and_the_person_is_told_until_it_is_read() {
    let service = Process::start();
    let mut window = Window::open().await;
    window.connect_to(&service.base_url).await;
    window.kill().await;
    letters(window.data_dir(), &["app.db"]);
    window.start_again().await;
    let told = window.text("restored-notice").await;
    assert!(told.contains("connections and settings was damaged") && told.contains("damaged/app-"), "{told}");
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
    window.press("restored-seen").await;
    window.see_gone(&testid("restored-notice")).await;
    window.kill().await;
    window.start_again().await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
    window.see_gone(&testid("restored-notice")).await;
}
