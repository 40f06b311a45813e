//! Every screen and dialog of a customer and of bulks, for axe and for pictures.

use fantoccini::key::Key;
use sandbox::Fault;
use tests::service;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

use crate::accessibility::clean;

/// Create, page, password, status; a bulk from its lines to its result. Some names are long.
pub(crate) async fn customer_screens(window: &Window, service: &sandbox::Service) {
    let long = format!("{}@{}.example.com", "a-very-long-name".repeat(3), "a-very-long-host".repeat(3));
    window.see_customers().await;
    window.press("customer-create").await;
    window.fill("create-username", "no address").await;
    window.press("create-confirm").await;
    window.see(&testid("create-username-error")).await;
    clean(window, "create dialog").await;
    window.fill("create-username", &long).await;
    window.press("create-confirm").await;
    window.see(&testid("created-token")).await;
    clean(window, "created").await;
    window.press("created-open").await;
    window.see(&testid("customer-page")).await;
    clean(window, "customer page").await;
    window.press("customer-reveal").await;
    window.see_state("customer-token", "revealed").await;
    window.press("customer-template").await;
    window.see(&testid("template-save")).await;
    clean(window, "message dialog").await;
    window.type_keys("template-body", &Key::Escape.to_string()).await;
    window.see_gone(&testid("template-save")).await;
    window.run("document.querySelector('[data-testid=customer-note]').scrollIntoView()").await;
    clean(window, "customer page below").await;
    window.fill("customer-tags", "wholesale, pays on Fridays, 上海").await;
    window.fill("customer-note", &"Pays late, and asks twice. ".repeat(12)).await;
    window.press("customer-note-save").await;
    window.see(&testid("toast")).await;
    clean(window, "customer page with a long note").await;
    window.run("document.querySelector('[data-testid=customer-password]').scrollIntoView()").await;
    window.press("customer-password").await;
    window.fill("password-new", "a b").await;
    window.press("password-confirm").await;
    window.see(&testid("password-new-error")).await;
    clean(window, "password dialog").await;
    window.type_keys("password-new", &Key::Escape.to_string()).await;
    window.see_gone(&testid("password-confirm")).await;
    service::fault(service, "changeStatus", Fault::DropBefore);
    window.press("customer-disable").await;
    window.see(&testid("status-confirm")).await;
    clean(window, "disable dialog").await;
    window.press("status-confirm").await;
    window.see_gone(&testid("status-confirm")).await;
    clean(window, "customer page with a question").await;
    window.press("customer-back").await;
    window.press("bulk-select-all").await;
    window.see(&testid("bulk-selected")).await;
    clean(window, "customers chosen").await;
    window.press("customers-choose-none").await;
    // The card gives way to the list.
    window.press("operation-close").await;
    window.see_gone(&testid("operation-card")).await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 1g, 100002 512\nnobody 3g\ngita 1g\n100003 -5g\n100004 1,5g\n100005").await;
    clean(window, "bulk").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-question-unit")).await;
    window.see(&testid("bulk-question-each")).await;
    clean(window, "bulk preview").await;
    window.press("bulk-row-edit").await;
    window.see(&testid("bulk-row-text")).await;
    clean(window, "bulk preview with a row that is edited").await;
    window.keys(&Key::Escape.to_string()).await;
    window.press("bulk-unit-mb").await;
    window.see_state("bulk-question-unit", "answered").await;
    window.press("bulk-start").await;
    window.see(&testid("bulk-result")).await;
    clean(window, "bulk result").await;
    window.press("bulk-row-open").await;
    window.see(&format!("{} {}", testid("bulk-panel"), testid("operation-card"))).await;
    clean(window, "row of a bulk").await;
    window.press("operation-close").await;
    window.see_gone(&format!("{} {}", testid("bulk-panel"), testid("operation-card"))).await;
    window.press("bulk-only-not-done").await;
    window.press("bulk-back").await;
    activity_screens(window).await;
    window.press("bulk-paste").await;
    window.see(&testid("bulk-earlier")).await;
    window.press("bulk-create").await;
    clean(window, "bulk with earlier ones").await;
}

/// A bulk among other operations, and lists that filters leave empty; then back to the customers.
async fn activity_screens(window: &Window) {
    window.press("nav-activity").await;
    window.press("activity-bulk-turn").await;
    window.see(&testid("bulk-row")).await;
    window.run("document.querySelector('[data-testid=activity-bulk]').scrollIntoView()").await;
    clean(window, "activity with an open bulk").await;
    window.choose("activity-kind", "password").await;
    window.see(&testid("outside-filters")).await;
    clean(window, "activity behind a filter").await;
    window.see_customers().await;
    window.fill("customers-search", CUSTOMER).await;
    window.choose("customers-status", "active").await;
    window.see(&testid("outside-filters")).await;
    clean(window, "customers behind a filter").await;
    window.press("outside-show").await;
    window.press("bulk-paste").await;
    window.press("bulk-disable").await;
    window.fill("bulk-text", "100005\n100006").await;
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see(&testid("bulk-result")).await;
    window.press("bulk-back").await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100005 1g\n100006 1g\n100007 1g").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-disabled")).await;
    clean(window, "bulk preview with disabled ones").await;
    window.press("bulk-disabled-leave").await;
    window.see(&testid("bulk-without-disabled")).await;
    clean(window, "bulk preview without disabled ones").await;
    window.press("bulk-edit").await;
    window.press("bulk-back").await;
    window.see_state("customers-table", "ready").await;
}
