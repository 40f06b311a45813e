//! A list dropped on the window becomes the preview of a bulk.

use tests::steps::at_customers;
use tests::window::{Window, testid};

async fn dropped(window: &Window, name: &str, content: &[u8]) {
    let file = window.home().join(name);
    std::fs::write(&file, content).expect("a file");
    let dragged = window.drag(&file).await;
    window.see(&testid("drop-target")).await;
    dragged.drop_it().await;
    window.see_gone(&testid("drop-target")).await;
}

async fn see_total(window: &Window, gb: &str) {
    window.see(&format!("{}[data-value='{gb}']", testid("bulk-total"))).await;
}

#[tokio::test]
async fn a_dropped_list_is_read_from_anywhere_keeps_what_was_typed_and_replaces_no_preview_unasked() {
    let (service, window) = at_customers().await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100009 4g").await;
    window.press("nav-overview").await;
    // What is dragged away again changes nothing.
    std::fs::write(window.home().join("away.txt"), "100001 1g").expect("a file");
    window.drag(&window.home().join("away.txt")).await.leave();
    window.see_gone(&testid("drop-target")).await;
    window.see(&testid("overview-runs-out")).await;
    dropped(&window, "list one.txt", b"100001 2g, 100002 1g pls").await;
    see_total(&window, "3").await;
    assert!(window.text("bulk-from-file").await.contains("list one.txt"));
    assert_eq!(window.axe().await, [""; 0]);
    dropped(&window, "two.csv", b"customer,GB\n100003,5\n").await;
    window.see_focus("drop-keep").await;
    assert_eq!(window.axe().await, [""; 0]);
    window.press("drop-keep").await;
    see_total(&window, "3").await;
    dropped(&window, "two.csv", b"customer,GB\n100003,5\n").await;
    window.press("drop-take").await;
    see_total(&window, "5").await;
    window.press("bulk-edit").await;
    assert_eq!(window.value("bulk-text").await, "100009 4g", "what was typed stays");
    dropped(&window, "picture.png", b"\x89PNG").await;
    assert!(window.text("bulk-file-error").await.contains("TXT, CSV, TSV or XLSX"));
    assert_eq!(window.value("bulk-text").await, "100009 4g");
    assert!(service.world.ledger().expect("a ledger").moves.is_empty(), "nothing is sent");
}
