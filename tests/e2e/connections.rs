//! The connection form, its test, and the places where tokens are stored.

use sandbox::{Credentials, Fault};
use tests::desk::Desk;
use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn the_test_tells_what_is_wrong_with_each_area() {
    let service = service::start().await;
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    let results = async |static_area: &str, agent_area: &str| {
        window.press("connection-test").await;
        window.see_state("connection-static-result", static_area).await;
        window.see_state("connection-agent-result", agent_area).await;
    };
    results("ok", "ok").await;
    window.fill("connection-static-token", "rotated").await;
    window.fill("connection-agent-token", "rotated").await;
    results("auth-failed", "auth-failed").await;
    window.describe_connection(&service.base_url()).await;
    service::fault(&service, "location/continents", Fault::Html);
    service::fault(&service, "customer/list", Fault::Redirect);
    results("not-this-service", "not-this-service").await;
    service::fault(&service, "location/continents", Fault::NullData);
    results("unexpected", "ok").await;
    window.fill("connection-agent-token", "").await;
    window.fill("connection-base-url", "http://127.0.0.1:9").await;
    results("unreachable", "none").await;
}

#[tokio::test]
async fn without_certificates_practice_works_and_a_vendor_is_not_asked() {
    let nowhere = [("SSL_CERT_FILE", "/nowhere/file"), ("SSL_CERT_DIR", "/nowhere")];
    let window = Window::open_at(Desk::with(&nowhere), &[]).await;
    window.practise().await;
    window.pick("buy-country", "japan").await;
    window.press("nav-settings").await;
    window.press("connection-add").await;
    window.describe_connection("https://127.0.0.1:9").await;
    window.press("connection-test").await;
    window.see_state("connection-static-result", "no-certificates").await;
    window.see_state("connection-agent-result", "no-certificates").await;
    let scrolled = async || window.run("return document.querySelector('main').scrollTop").await;
    assert_ne!(scrolled().await, 0, "the button is far below");
    window.press("connection-save").await;
    window.see_gone(&testid("connection-save")).await;
    window.see_error("no-certificates").await;
    assert_eq!(scrolled().await, 0, "the error is in sight");
    window.press("error-retry").await;
    window.see_error("no-certificates").await;
    window.run("document.querySelector('main').scrollTo(0, 9999)").await;
    assert_ne!(scrolled().await, 0);
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
    assert_eq!(scrolled().await, 0, "another place begins at its top");
    window.pick("buy-country", "germany").await;
    window.see(&format!("{}:not([data-value=''])", testid("buy-stock"))).await;
}

#[tokio::test]
async fn a_wrong_entry_is_named_beside_its_field_and_nothing_is_saved() {
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.press("connection-save").await;
    window.see(&testid("connection-name-error")).await;
    window.describe_connection("http://vendor.example").await;
    window.press("connection-save").await;
    window.see(&testid("connection-base-url-error")).await;
    assert_eq!(window.attribute("connection-base-url", "aria-invalid").await, "true");
    assert_eq!(window.value("connection-name").await, "My account", "what was typed stays");
    // What is rarely changed is closed, and opens where it is wrong.
    let is_open = async || window.run("return document.querySelector('details').open").await;
    assert_eq!(is_open().await, false);
    window.describe_connection("https://vendor.example").await;
    window.press("connection-advanced").await;
    window.fill("connection-static-prefix", "no path").await;
    window.press("connection-advanced").await;
    window.press("connection-save").await;
    window.see(&testid("connection-static-prefix-error")).await;
    assert_eq!(is_open().await, true);
}

#[tokio::test]
async fn tokens_are_kept_in_the_keychain_alone_and_found_again_after_a_restart() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    assert_eq!(files_holding(window.data_dir(), "practice-static-token"), 0);
    assert_eq!(files_holding(window.data_dir(), "practice-agent-token"), 0);
    window.kill().await;
    window.start_again().await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
    assert_eq!(files_holding(window.data_dir(), "practice-static-token"), 0);
}

#[tokio::test]
async fn without_a_keychain_tokens_can_be_kept_for_the_session_and_practice_needs_none() {
    let service = service::start().await;
    let window = Window::open_at(Desk::without_bus(), &["--lang", "en"]).await;
    window.practise().await;
    window.press("nav-settings").await;
    window.see_state("keychain-state", "missing").await;
    window.press("connection-add").await;
    window.describe_connection(&service.base_url()).await;
    window.press("connection-save").await;
    window.see(&testid("error-panel")).await;
    window.press("connection-session-only").await;
    window.press("connection-save").await;
    window.see_gone(&testid("practice-band")).await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
}

#[tokio::test]
async fn a_connection_whose_order_is_not_confirmed_keeps_its_address_and_stays() {
    let service = service::start().await;
    let elsewhere = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    for _ in 0..9 {
        service::fault(&service, "place-and-pay", Fault::DropAfter);
    }
    window.pay().await;
    window.see_state("order-result", "unknown").await;
    window.press("nav-settings").await;
    window.press("connection-edit").await;
    window.describe_connection(&elsewhere.base_url()).await;
    window.press("connection-save").await;
    let said = window.see_error("connection-in-use").await;
    assert!(said.contains("Nothing was changed"), "{said}");
    // What was typed is there again, except tokens.
    window.press("nav-buy").await;
    window.press("nav-settings").await;
    let typed = [window.value("connection-base-url").await, window.value("connection-agent-token").await];
    assert_eq!(typed, [elsewhere.base_url(), String::new()]);
    window.press("connection-cancel").await;
    window.press("connection-delete").await;
    window.press("connection-delete-confirm").await;
    window.see_error("connection-in-use").await;
    assert!(elsewhere.world.ledger().expect("a ledger").requests.iter().all(|seen| !seen.path.ends_with("and-pay")));
}

#[tokio::test]
async fn of_two_connections_each_keeps_its_own_and_a_deleted_one_leaves_nothing_in_the_keychain() {
    let (first, second) = (service::start().await, service::start().await);
    let window = Window::open().await;
    window.connect_to(&first.base_url()).await;
    assert_eq!(window.desk().keychain_entries(), 2);
    window.press("nav-settings").await;
    window.press("connection-add").await;
    window.describe_connection(&second.base_url()).await;
    window.fill("connection-name", "The other").await;
    // Half an account is enough.
    window.fill("connection-agent-token", "").await;
    window.press("connection-save").await;
    window.see_gone(&testid("connection-name")).await;
    assert_eq!(window.desk().keychain_entries(), 3);
    window.press("nav-buy").await;
    window.buy_three_in_japan().await;
    let orders = |service: &sandbox::Service| service.world.ledger().expect("a ledger").orders.len();
    assert_eq!((orders(&first), orders(&second)), (0, 1));
    window.press("nav-settings").await;
    window.press("connection-delete").await;
    window.press("connection-delete-confirm").await;
    tests::until("its entries are gone", async || (window.desk().keychain_entries() < 3).then_some(())).await;
}

/// D10 of the second review: operations that wait in a connection whose record cannot be read were not shown.
#[tokio::test]
async fn a_connection_whose_record_cannot_be_read_is_named_while_another_one_is_open() {
    let (first, second) = (service::start().await, service::start().await);
    let mut window = Window::open().await;
    window.connect_to(&first.base_url()).await;
    let folders = || std::fs::read_dir(window.data_dir().join("connections")).expect("a folder").flatten();
    let journal = folders().next().expect("a connection").path().join("journal.db");
    window.press("nav-settings").await;
    window.press("connection-add").await;
    window.describe_connection(&second.base_url()).await;
    window.fill("connection-name", "The other").await;
    window.press("connection-save").await;
    window.see_gone(&testid("connection-name")).await;
    window.press("nav-overview").await;
    window.see(&format!("{}[data-value='0']", testid("overview-unconfirmed"))).await;
    assert!(!window.text("overview-unconfirmed").await.contains("My account"));
    window.kill().await;
    let newer = rusqlite::Connection::open(&journal).expect("a journal");
    newer.execute_batch("CREATE TABLE later (x INTEGER) STRICT; PRAGMA user_version = 9999").expect("it is written");
    drop(newer);
    window.start_again().await;
    window.press("nav-overview").await;
    window.see(&testid("overview-unreadable")).await;
    assert!(window.text("overview-unreadable").await.contains("My account"));
}

/// D2 of the second review: a second connection to an account cannot tell its moves from those of the first.
#[tokio::test]
async fn a_second_connection_to_the_same_account_is_refused_beside_the_field() {
    let (service, elsewhere) = (service::start().await, service::start().await);
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-settings").await;
    window.press("connection-add").await;
    window.describe_connection(&service.base_url()).await;
    window.press("connection-save").await;
    window.see(&testid("connection-user-id-error")).await;
    // Half an account is the same account, whatever was pasted around its token.
    window.fill("connection-static-token", "").await;
    window.fill("connection-user-id", "").await;
    window.fill("connection-agent-token", &format!(" {} ", Credentials::well_known().agent_token)).await;
    window.press("connection-save").await;
    window.see(&testid("connection-agent-token-error")).await;
    assert_eq!(window.desk().keychain_entries(), 2, "nothing was kept of it");
    // Another operator of the same service is another account, and so are the same names elsewhere.
    window.fill("connection-agent-token", "another-operators-token").await;
    window.press("connection-save").await;
    window.see_gone(&testid("connection-name")).await;
    window.press("nav-settings").await;
    window.press("connection-add").await;
    window.describe_connection(&elsewhere.base_url()).await;
    window.press("connection-save").await;
    window.see_gone(&testid("connection-name")).await;
}

#[tokio::test]
async fn without_customers_or_static_token_the_test_says_so() {
    let service = service::start_with(sandbox::Options { customers: 0, ..sandbox::Options::default() }).await;
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.fill("connection-user-id", "").await;
    window.fill("connection-static-token", "").await;
    window.press("connection-test").await;
    window.see_state("connection-agent-result", "empty").await;
    window.see_state("connection-static-result", "none").await;
    window.press("connection-save").await;
    window.see_gone(&testid("connection-name")).await;
    window.press("nav-buy").await;
    window.see_error("no-credentials").await;
}

#[tokio::test]
async fn a_report_is_read_before_it_is_saved_and_holds_no_secret_and_no_address() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.press("nav-settings").await;
    window.press("settings-report").await;
    let shown = window.text("report-text").await;
    assert!(shown.contains("place-and-pay applied") && shown.contains("location/continents"), "{shown}");
    window.press("report-save").await;
    let file = window.home().join("Downloads/proxytill-report.zip");
    let zip = tests::until("it is saved", async || std::fs::read(&file).ok().filter(|bytes| !bytes.is_empty())).await;
    let port = service.address.port().to_string();
    for secret in ["practice-static-token", "practice-agent-token", "practice-agent", &port, "203.0.113", "JP"] {
        assert!(!shown.contains(secret), "{secret} is shown");
        assert!(!zip.windows(secret.len()).any(|part| part == secret.as_bytes()), "{secret} is saved");
    }
    // The toast takes presses, and covers these buttons until they are scrolled above it.
    window.see(&testid("toast-show")).await;
    window.press("settings-notices").await;
    assert!(window.text("notices-text").await.contains("GeoNames"));
}

/// Number of files below a folder that contain this text.
fn files_holding(folder: &std::path::Path, text: &str) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries
        .map(|path| {
            if path.is_dir() {
                return files_holding(&path, text);
            }
            let bytes = std::fs::read(&path).unwrap_or_default();
            usize::from(bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        })
        .sum()
}
