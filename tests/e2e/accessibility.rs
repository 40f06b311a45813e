//! Runs axe-core on each screen and dialog, in both themes, in the smallest window.

use std::path::{Path, PathBuf};

use fantoccini::key::Key;
use operations::Direction;
use sandbox::{Fault, Service};
use tests::desk::{Desk, PICTURES};
use tests::letters;
use tests::order::ENDPOINT;
use tests::service;
use tests::traffic_move::{CUSTOMER, endpoint};
use tests::window::{Window, testid};

use crate::customer_screens::customer_screens;
use crate::edge_screens::edge_screens;
use crate::ips_screens::ips_screens;
use crate::passing_screens::passing_screens;

/// The sizes of the pictures.
const SIZES: [(u32, u32); 3] = [(900, 600), (1400, 900), (2560, 1440)];

/// Long, and nowhere to break it.
pub(crate) const LONG_NAME: &str = "shenzhen_agency_for_customers_from_osaka_kobe_and_nara_2026";

/// What does not fit: a place that scrolls across, and a text that is cut and cannot be read anywhere.
const CUT: &str = "
    const found = [];
    const name = one => one.dataset.testid ?? one.className;
    for (const one of document.querySelectorAll('main, [role=dialog], body *')) {
        if (!one.checkVisibility() || one.clientWidth < 4 || one.scrollWidth <= one.clientWidth + 1) continue;
        const { overflowX, textOverflow } = getComputedStyle(one);
        if (one.matches('main, [role=dialog]') && overflowX !== 'hidden' && overflowX !== 'clip')
            found.push(`${name(one)} scrolls across: ${one.scrollWidth} of ${one.clientWidth} px`);
        const text = [...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('').trim();
        if (!text || !['hidden', 'clip'].includes(overflowX)) continue;
        if (textOverflow !== 'ellipsis') found.push(`${name(one)} is cut without dots: ${text}`);
        if (!one.closest('[title]') && !one.querySelector('[title]')) found.push(`${name(one)} is cut and has no title: ${text}`);
    }
    return [...new Set(found)]";

/// Checks one place, and takes pictures of it if somebody wants them.
pub(crate) async fn clean(window: &Window, place: &str) {
    if let Some(album) = &window.album {
        pictures(window, album, place).await;
    }
    let found = window.axe().await;
    assert!(found.is_empty(), "{place}:\n{}", found.join("\n"));
    fits(window, place).await;
}

async fn fits(window: &Window, place: &str) {
    let cut: Vec<String> = serde_json::from_value(window.run(CUT).await).expect("a list");
    let (width, height) = window.size().await;
    assert!(cut.is_empty(), "{place} at {width}x{height}:\n{}", cut.join("\n"));
}

/// Takes a picture of a place in each size, and sees that it fits. Names are numbered in the order of the story.
async fn pictures(window: &Window, album: &Path, place: &str) {
    let before = window.size().await;
    for (width, height) in SIZES {
        let folder = album.join(format!("{width}x{height}"));
        let number = std::fs::read_dir(&folder).map_or(1, |taken| taken.count() + 1);
        window.resize(width, height).await;
        window.picture(&folder.join(format!("{number:02} {place}.png"))).await;
        fits(window, place).await;
    }
    window.resize(before.0, before.1).await;
}

#[tokio::test]
async fn no_screen_hinders_anybody_in_the_light_theme() {
    every_screen("light", "en").await;
}

#[tokio::test]
async fn no_screen_hinders_anybody_in_the_dark_theme() {
    every_screen("dark", "en").await;
}

#[tokio::test]
async fn no_screen_hinders_anybody_in_the_light_theme_in_chinese() {
    every_screen("light", "zh-CN").await;
}

#[tokio::test]
async fn no_screen_hinders_anybody_in_the_dark_theme_in_chinese() {
    every_screen("dark", "zh-CN").await;
}

#[tokio::test]
async fn who_wants_no_motion_gets_none() {
    let window = Window::open_at(Desk::without_animations(), &["--lang", "en"]).await;
    window.see(&testid("welcome-practice")).await;
    assert_eq!(window.run("return matchMedia('(prefers-reduced-motion: reduce)').matches").await, true);
    let longest = "return Math.max(...[...document.querySelectorAll('*')].map(one => getComputedStyle(one))
        .flatMap(style => [style.transitionDuration, style.animationDuration]).map(parseFloat))";
    let seconds = window.run(longest).await.as_f64().expect("a number");
    assert!(seconds <= 0.001, "{seconds} s");
}

/// The driver's web view does not support forced colours, so their rules are applied as if it did.
#[tokio::test]
async fn where_the_system_chooses_the_colours_what_is_chosen_has_an_outline() {
    let window = Window::open().await;
    window.practise().await;
    let applied = "const forced = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
            .filter(rule => rule.media && rule.conditionText.includes('forced-colors'));
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(forced.flatMap(rule => [...rule.cssRules].map(inner => inner.cssText)).join(' '));
        document.adoptedStyleSheets = [sheet];
        return ['buy-strategy-1', 'nav-buy', 'buy-strategy-2'].map(id => getComputedStyle(document.querySelector(`[data-testid=${id}]`)).outlineStyle)";
    assert_eq!(window.run(applied).await, serde_json::json!(["solid", "solid", "none"]));
}

/// The folder for pictures, if any are wanted.
pub(crate) fn album(theme: &str, language: &str) -> Option<PathBuf> {
    std::env::var_os(PICTURES).map(|all| Path::new(&all).join(format!("{theme}-{language}")))
}

/// A window of the smallest size in a look, connected to a service and at Settings.
pub(crate) async fn connected(service: &Service, theme: &str, language: &str) -> Window {
    let mut window = Window::open_with(&["--lang", language]).await;
    window.album = album(theme, language);
    window.resize(900, 600).await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.see(&format!("[data-theme='{theme}']")).await;
    window
}

async fn every_screen(theme: &str, language: &str) {
    let service = service::start().await;
    let mut window = Window::open_with(&["--lang", language]).await;
    window.album = album(theme, language);
    window.see(&testid("welcome-practice")).await;
    window.resize(900, 600).await;
    window.practise().await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.press("nav-activity").await;
    window.see_state("activity-table", "empty").await;
    clean(&window, "practice with nothing done").await;
    window.press("practice-menu").await;
    window.see(&testid("practice-wallet")).await;
    clean(&window, "practice menu").await;
    window.press("practice-reset").await;
    window.see(&testid("practice-reset-confirm")).await;
    clean(&window, "question before practice begins again").await;
    window.press("practice-reset-cancel").await;
    window.press("practice-close").await;
    window.see_gone(&testid("practice-wallet")).await;
    window.press("palette-open").await;
    window.see(&testid("palette-option")).await;
    clean(&window, "palette").await;
    window.type_keys("palette", &Key::Escape.to_string()).await;
    window.see_gone(&testid("palette")).await;
    window.press("practice-leave").await;
    window.see(&testid("welcome-practice")).await;
    clean(&window, "welcome").await;
    window.press("welcome-connect").await;
    window.describe_connection("http://vendor.example").await;
    window.press("connection-save").await;
    window.see(&testid("connection-base-url-error")).await;
    clean(&window, "connection form with an error").await;
    window.describe_connection(&service.base_url()).await;
    window.fill("connection-name", LONG_NAME).await;
    window.press("connection-test").await;
    window.see_state("connection-static-result", "ok").await;
    clean(&window, "connection form with its results").await;
    service::fault(&service, "purchase/options", Fault::Status { code: 503 });
    window.press("connection-save").await;
    window.press("nav-buy").await;
    window.see(&testid("error-panel")).await;
    clean(&window, "error").await;
    window.press("error-retry").await;
    window.press("buy-strategy-3").await;
    window.fill("buy-ips", "192.0.2.300").await;
    window.see(&testid("buy-ips-error")).await;
    clean(&window, "buy certain IPs with a wrong one").await;
    window.press("buy-strategy-1").await;
    window.press("buy-elsewhere-leave").await;
    window.fill("buy-country", "ja").await;
    window.see(&testid("buy-country-option")).await;
    clean(&window, "buy with an open list").await;
    window.pick("buy-country", "japan").await;
    window.fill("buy-quantity", "0").await;
    window.see(&testid("buy-quantity-error")).await;
    clean(&window, "buy with a wrong number").await;
    window.fill("buy-quantity", "3").await;
    window.pick("buy-business", "own shops").await;
    window.get_price().await;
    clean(&window, "price").await;
    window.press("pay-open").await;
    window.see(&testid("pay-confirm")).await;
    clean(&window, "paying dialog").await;
    service::fault(&service, ENDPOINT, Fault::DropAfter);
    window.press("pay-confirm").await;
    window.see_state("order-result", "unknown").await;
    clean(&window, "order that is not confirmed").await;
    window.see_state("order-proxies", "ready").await;
    clean(&window, "delivered order").await;
    window.press("nav-activity").await;
    window.see_state("activity-row", "applied").await;
    clean(&window, "activity").await;
    window.press("nav-orders").await;
    window.press("order-add").await;
    window.press("order-row").await;
    window.see_state("order-proxies", "ready").await;
    window.choose("order-format", "own").await;
    window.see(&testid("order-template")).await;
    clean(&window, "orders").await;
    ips_screens(&window).await;
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service.world.clock.advance(300_000);
    window.pay().await;
    window.see(&testid("price-expired")).await;
    clean(&window, "expired price").await;
    window.press("buy-quota-type-city").await;
    window.pick("buy-country", "japan").await;
    window.pick("buy-state", "osaka").await;
    window.press("buy-get-price").await;
    window.see(&testid("buy-city-error")).await;
    window.see(&testid("buy-line-open")).await;
    clean(&window, "half-chosen place").await;
    window.press("buy-open-leave").await;
    window.fill("buy-search", "osaka").await;
    window.see(&testid("buy-search-option")).await;
    clean(&window, "places with their kinds").await;
    window.fill("buy-search", "").await;
    window.see_gone(&testid("buy-search-option")).await;
    service::fault(&service, ENDPOINT, Fault::DropBefore);
    window.press("buy-get-price").await;
    window.see_gone(&testid("price-expired")).await;
    window.press("pay-open").await;
    service.world.set_wallet("1".parse().expect("an amount")).expect("a ledger");
    window.press("pay-confirm").await;
    window.see_state("order-result", "needs-you").await;
    clean(&window, "order that needs you").await;
    window.press("operation-mark-not-done").await;
    window.see(&testid("judge-confirm")).await;
    clean(&window, "last word dialog").await;
    window.press("judge-confirm").await;
    window.see_state("order-result", "resolved-not").await;
    window.press("nav-traffic").await;
    window.see_state("usage-table", "ready").await;
    window.see_gone(&testid("usage-progress")).await;
    window.see_state("usage-chart", "ready").await;
    clean(&window, "usage").await;
    window.run("document.querySelector('[data-testid=usage-chart]').scrollIntoView()").await;
    window.type_keys("chart-hand", &Key::End.to_string()).await;
    window.see(&testid("chart-tooltip")).await;
    clean(&window, "usage chart").await;
    window.press("chart-save").await;
    window.see(&testid("chart-save-csv")).await;
    clean(&window, "menu of a chart").await;
    window.type_keys("chart-save-csv", &Key::Escape.to_string()).await;
    window.see_gone(&testid("chart-save-csv")).await;
    window.press("chart-as-table").await;
    window.see(&testid("chart-row")).await;
    clean(&window, "usage chart as table").await;
    window.press("chart-as-table").await;
    window.press("usage-by-customer").await;
    window.see_state("usage-chart", "ready").await;
    window.run("document.querySelector('[data-testid=usage-chart]').scrollIntoView()").await;
    clean(&window, "usage by customer").await;
    window.press("usage-by-row").await;
    window.see(&format!("{}[data-state='ready']", testid("usage-rows-table-row"))).await;
    window.run("document.querySelector('[data-testid=usage-rows-table]').scrollIntoView()").await;
    clean(&window, "usage rows").await;
    window.fill("usage-from", "2026-02-30").await;
    window.see(&testid("usage-from-error")).await;
    clean(&window, "usage with a wrong day").await;
    window.press("usage-to-calendar").await;
    window.see(".calendar[role='dialog'] button").await;
    clean(&window, "calendar to choose a day").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(".calendar[role='dialog']").await;
    window.press("traffic-part-consumption").await;
    window.see_state("consumption-table", "ready").await;
    clean(&window, "consumption").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    clean(&window, "records").await;
    window.see_customers().await;
    clean(&window, "customers").await;
    window.begin_move(CUSTOMER, "customer-deduct", "0.5").await;
    window.see(&format!("{}[data-value='512']", testid("amount-mb"))).await;
    clean(&window, "deduct dialog").await;
    window.fill("amount-gb", "900000").await;
    window.see(&testid("amount-gb-error")).await;
    clean(&window, "deduct dialog with too much").await;
    window.fill("amount-gb", "0.5").await;
    service::fault(&service, endpoint(Direction::Deduction), Fault::Twice);
    window.press("amount-confirm").await;
    window.see_operation("needs-you").await;
    window.see(&testid("operation-take-back")).await;
    clean(&window, "doubled deduction").await;
    customer_screens(&window, &service).await;
    window.press("nav-overview").await;
    window.see_state("overview-chart", "ready").await;
    window.see_state("overview-runs-out", "ready").await;
    clean(&window, "overview").await;
    window.run("document.querySelector('[data-testid=overview-runs-out]').scrollIntoView()").await;
    clean(&window, "overview below").await;
    window.resize(1400, 900).await;
    clean(&window, "overview large").await;
    window.press("nav-traffic").await;
    // It is as it was left.
    window.press("traffic-part-usage").await;
    window.press("usage-by-day").await;
    window.press("usage-last-30").await;
    window.see_state("usage-chart", "ready").await;
    clean(&window, "usage large").await;
    window.resize(900, 600).await;
    window.press("nav-settings").await;
    window.see_state("keychain-state", "available").await;
    clean(&window, "settings").await;
    crate::health::screens(&window, &service).await;
    window.run("document.querySelector('[data-testid=limit-pay]').scrollIntoView()").await;
    clean(&window, "settings below").await;
    window.press("connection-delete").await;
    window.see("[role='alertdialog'], [role='dialog']").await;
    clean(&window, "delete dialog").await;
    behind_damage(window).await;
    edge_screens(theme, language).await;
    passing_screens(theme, language).await;
}

/// The report of damaged files, with a connection and without one.
async fn behind_damage(mut window: Window) {
    window.kill().await;
    letters(window.data_dir(), &["app.db", "journal.db"]);
    window.start_again().await;
    window.resize(900, 600).await;
    window.see(&testid("restored-notice")).await;
    clean(&window, "restored").await;
    window.press("restored-seen").await;
    window.see_gone(&testid("restored-notice")).await;
    window.kill().await;
    std::fs::remove_dir_all(window.data_dir().join("app.backups")).expect("backups");
    letters(window.data_dir(), &["app.db"]);
    window.start_again().await;
    window.resize(900, 600).await;
    window.see(&testid("restored-notice")).await;
    window.see(&testid("welcome-practice")).await;
    clean(&window, "restored without a connection").await;
}
