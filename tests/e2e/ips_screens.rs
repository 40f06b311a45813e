//! Every screen and dialog of My IPs, for axe and for pictures.

use fantoccini::key::Key;
use tests::window::{Window, testid};

use crate::accessibility::clean;

/// Goes through My IPs with the orders that are there.
pub(crate) async fn ips_screens(window: &Window) {
    window.press("nav-ips").await;
    window.see_state("ips-table", "ready").await;
    clean(window, "IPs").await;
    window.choose("ips-ends", "expired").await;
    window.see(&testid("outside-filters")).await;
    clean(window, "IPs behind a filter").await;
    window.press("outside-show").await;
    window.see_state("ips-table", "ready").await;
    window.press("ips-select-all").await;
    window.see(&testid("ips-chosen")).await;
    clean(window, "IPs selected").await;
    window.press("ips-assign").await;
    window.fill("assign-buyer", "a-very-long-name-of-a-buyer-in-a-chat").await;
    window.see(&testid("assign-buyer-option")).await;
    clean(window, "assign dialog").await;
    window.type_keys("assign-buyer", &Key::Enter.to_string()).await;
    window.press("assign-save").await;
    window.see_gone(&testid("assign-save")).await;
    window.press("ips-select-all").await;
    window.press("ips-hand-over").await;
    window.see(&testid("hand-copy")).await;
    clean(window, "hand-over dialog for nobody").await;
    window.pick("hand-buyer", "a-very-long-name").await;
    window.see(&testid("hand-message")).await;
    window.press("hand-copy").await;
    window.see(&testid("hand-sent")).await;
    clean(window, "hand-over dialog").await;
    window.press("hand-edit").await;
    window.fill("delivery-body", "{nmae}").await;
    window.press("delivery-save").await;
    window.see(&testid("delivery-body-error")).await;
    clean(window, "delivery message with an error").await;
    window.press("delivery-cancel").await;
    window.press("hand-close").await;
    window.press("ips-select-none").await;
    window.press("ips-paste").await;
    window.fill("paste-text", "192.0.2.1 ali\nhello").await;
    window.see(&testid("paste-line")).await;
    clean(window, "paste dialog").await;
    window.press("paste-cancel").await;
    window.press("ips-view-calendar").await;
    window.see_state("ips-calendar", "ready").await;
    window.press("calendar-later").await;
    window.see(&testid("calendar-open")).await;
    clean(window, "IPs calendar").await;
    window.press("ips-view-buyers").await;
    window.see_state("buyers-table", "ready").await;
    clean(window, "buyers").await;
    window.press("buyer-create").await;
    window.press("buyer-save").await;
    window.see(&testid("buyer-name-error")).await;
    clean(window, "buyer dialog with an error").await;
    window.press("buyer-cancel").await;
    window.press("buyer-row").await;
    window.see_state("ips-table", "ready").await;
    clean(window, "buyer page").await;
    window.press("buyer-delete").await;
    window.see(&testid("buyer-delete-confirm")).await;
    clean(window, "delete buyer dialog").await;
    window.press("buyer-delete-cancel").await;
}
