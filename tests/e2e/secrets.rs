//! Canaries through every flow that carries a secret, then a search for them where none may be.

use sandbox::{Credentials, Fault, Options};
use tests::canary::{found_in, processes};
use tests::window::{Window, testid};
use tests::{files, service};

const STATIC_TOKEN: &str = "canary+static/9d1c=";
const AGENT_TOKEN: &str = "canary+agent/4be7=";
const TYPED: &str = "canary-typed_51fa=";
const PASTED: &str = "canary-pasted_c03e=";
const LOST: &str = "canary-lost_88d2=";

#[tokio::test]
async fn no_secret_lies_in_files_logs_exports_arguments_or_environment() {
    let credentials =
        Credentials { static_token: STATIC_TOKEN.into(), agent_token: AGENT_TOKEN.into(), ..Credentials::well_known() };
    let service = service::start_with(Options { credentials, ..Options::default() }).await;
    let window = Window::open().await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.fill("connection-static-token", STATIC_TOKEN).await;
    window.fill("connection-agent-token", AGENT_TOKEN).await;
    window.press("connection-test").await;
    window.see_state("connection-agent-result", "ok").await;
    window.press("connection-save").await;
    window.see_customers().await;
    // A created customer's own secrets are canaries too.
    window.press("customer-create").await;
    window.fill("create-username", "one@x.com").await;
    window.press("create-confirm").await;
    window.see(&testid("created-token")).await;
    window.press("customer-reveal").await;
    window.see_state("created-password", "revealed").await;
    let (token, password) = (window.text("created-token").await, window.text("created-password").await);
    window.press("created-done").await;
    window.see_gone(&testid("created-done")).await;
    // A typed password, and one whose answer is lost.
    set_password(&window, "100001", TYPED).await;
    window.see(&format!("{}[data-state='applied']", testid("customer-operation"))).await;
    window.press("customer-back").await;
    service::fault(&service, "updatePwd", Fault::Html);
    set_password(&window, "100002", LOST).await;
    window.see_operation("unknown").await;
    // A pasted one, and an export of the result.
    window.press("nav-customers").await;
    window.press("bulk-paste").await;
    window.press("bulk-password").await;
    window.fill("bulk-text", &format!("100003 {PASTED}")).await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-result"))).await;
    window.press("bulk-export").await;
    window.see(&testid("toast")).await;
    // A refused token, with its error and a report of it all.
    service.world.rotate_agent_token("another");
    window.press("bulk-back").await;
    window.press("customers-refresh").await;
    window.see_error("200").await;
    window.press("nav-settings").await;
    window.press("settings-report").await;
    window.see("[role='dialog'] pre").await;

    let canaries = [STATIC_TOKEN, AGENT_TOKEN, TYPED, PASTED, LOST, &token, &password].map(str::to_owned);
    let exports = files(&window.home().join("Downloads"));
    assert!(!exports.is_empty(), "a result was exported");
    let all = files(window.data_dir()).into_iter().chain(exports);
    let mut seen = 0;
    for file in all {
        let bytes = std::fs::read(&file).unwrap_or_default();
        seen += bytes.len();
        let hits = found_in(&bytes, &canaries);
        assert!(hits.is_empty(), "{}: {hits:?}", file.display());
    }
    assert!(seen > 100_000, "only {seen} bytes were looked at");
    let processes = processes(window.home());
    assert!(processes.iter().any(|(name, _)| name.contains("proxytill")), "the program is among them");
    for (name, bytes) in processes {
        assert!(found_in(&bytes, &canaries).is_empty(), "{name}");
    }
    // The one export that is warned of holds what it says.
    assert_eq!(window.desk().keychain_entries(), 2 + 2 + 3, "tokens, a created customer, three passwords");
    println!("{} canaries from seed 0", canaries.len());
}

async fn set_password(window: &Window, customer: &str, password: &str) {
    window.fill("customers-search", customer).await;
    window.see(&format!("{}[data-key='{customer}']", testid("customer-row"))).await;
    window.press("customer-open").await;
    window.press("customer-password").await;
    window.fill("password-new", password).await;
    window.press("password-confirm").await;
    window.see_gone(&testid("password-confirm")).await;
}
