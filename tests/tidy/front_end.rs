//! The page: what it may use, and what its tests can find.

use crate::{files, text, with_any};

#[test]
fn only_one_file_talks_to_the_program() {
    assert_eq!(with_any(&["ui/src"], &[".ts", ".svelte"], &["@tauri-apps"]), ["ui/src/lib/ipc.ts: @tauri-apps"]);
}

#[test]
fn no_text_of_the_vendor_can_become_markup_or_code() {
    let ways = ["{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "document.write"];
    assert_eq!(with_any(&["ui/src"], &[".ts", ".svelte", ".html"], &ways), [""; 0]);
    assert_eq!(
        with_any(&["ui/src"], &[".ts", ".svelte"], &["localStorage", "sessionStorage", "indexedDB", "fetch("]),
        [""; 0]
    );
}

/// Test ids that must exist, because the window stories and other tests use them.
const IDS: &[&str] = &[
    "nav-buy",
    "nav-activity",
    "nav-settings",
    "connection-switch",
    "practice-band",
    "practice-leave",
    "unconfirmed-badge",
    "toast",
    "error-panel",
    "welcome-language",
    "welcome-practice",
    "welcome-connect",
    "connection-add",
    "connection-edit",
    "connection-delete",
    "connection-name",
    "connection-base-url",
    "connection-static-prefix",
    "connection-agent-prefix",
    "connection-user-id",
    "connection-static-token",
    "connection-agent-token",
    "connection-test",
    "connection-save",
    "connection-session-only",
    "keychain-state",
    "keychain-retry",
    "connection-static-result",
    "connection-agent-result",
    "nav-orders",
    "palette",
    "buy-search",
    "buy-places-refresh",
    "orders-table",
    "order-row",
    "order-detail",
    "order-export",
    "order-add",
    "order-add-number",
    "order-add-confirm",
    "buy-strategy",
    "buy-cidr",
    "buy-cidr-quantity",
    "buy-ips",
    "buy-quota-type",
    "buy-continent",
    "buy-country",
    "buy-state",
    "buy-city",
    "buy-quantity",
    "buy-add-line",
    "buy-line",
    "buy-line-remove",
    "buy-sell-mode",
    "buy-line-type",
    "buy-business",
    "buy-udp",
    "buy-bandwidth",
    "buy-conn-limit",
    "buy-days",
    "buy-proxy-type",
    "buy-stock",
    "buy-get-price",
    "price-amount",
    "price-currency",
    "price-countdown",
    "price-lines",
    "price-discounts",
    "price-expired",
    "price-change",
    "pay-open",
    "pay-confirm",
    "pay-cancel",
    "order-result",
    "order-no",
    "order-status",
    "order-ordered",
    "order-delivered",
    "order-paid",
    "order-refresh",
    "order-proxies",
    "order-reveal",
    "order-format",
    "order-copy",
    "activity-table",
    "activity-row",
    "operation-evidence",
    "operation-resend",
    "operation-mark-done",
    "operation-mark-not-done",
    "judge-confirm",
    "judge-cancel",
    "activity-bulk",
    "activity-bulk-turn",
    "activity-bulk-rows",
    "activity-search",
    "activity-kind",
    "activity-standing",
    "buy-line-open",
    "buy-open",
    "buy-open-add",
    "buy-open-leave",
    "buy-elsewhere",
    "figure-old",
    "outside-filters",
    "outside-show",
    "bulk-disabled",
    "bulk-disabled-leave",
    "bulk-disabled-take",
    "bulk-without-disabled",
    "settings-language",
    "settings-theme",
    "settings-report",
];

#[test]
fn every_control_keeps_its_test_id() {
    let page: String =
        files(&[".svelte", ".ts"]).iter().filter(|file| file.starts_with("ui/src")).map(|file| text(file)).collect();
    let missing: Vec<_> = IDS
        .iter()
        .filter(|id| !["\"", "'"].iter().any(|quote| page.contains(&format!("{quote}{id}{quote}"))))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
