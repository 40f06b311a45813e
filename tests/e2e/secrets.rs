//! Sends canaries through every flow that carries a secret, then searches for them where none must be.

use fantoccini::key::Key;
use sandbox::{Credentials, Fault, FaultRule, Options, Service};
use tests::canary::{found_in, processes};
use tests::desk::Desk;
use tests::window::{Window, testid};
use tests::{files, service};

use crate::trace;

const STATIC_TOKEN: &str = "canary+static/9d1c=";
const AGENT_TOKEN: &str = "canary+agent/4be7=";
const WRONG_STATIC_TOKEN: &str = "canary+wrong-static/20bb=";
const WRONG_AGENT_TOKEN: &str = "canary+wrong-agent/77c5=";
const TYPED: &str = "canary-typed_51fa=";
const LOST: &str = "canary-lost_88d2=";
const REFUSED: &str = "canary-refused_0e6b=";
const EXPOSED: &str = "canary-exposed_a94f=";
const CANCELLED: &str = "canary-cancelled_31d7=";
const PANICKED: &str = "canary-panicked_6d02=";
/// Number of passwords to paste.
const PASTED: usize = 28;

/// Commands that may carry a secret: those where it is typed or asked for.
const MAY_CARRY: [&str; 5] = [
    "draft_bulk asked",
    "offer_change asked",
    "reveal_customer answered",
    "save_connection asked",
    "test_connection asked",
];

fn pasted(number: usize) -> String {
    format!("canary-pasted_{number:02}_c03e=")
}

#[tokio::test]
async fn no_secret_lies_in_files_logs_exports_arguments_or_environment() {
    let credentials =
        Credentials { static_token: STATIC_TOKEN.into(), agent_token: AGENT_TOKEN.into(), ..Credentials::well_known() };
    let service = service::start_with(Options { credentials, customers: 60, ..Options::default() }).await;
    let window = Window::open_at(Desk::with_full_log(), &["--lang", "en"]).await;
    trace::begin(&window).await;
    connect(&window, &service).await;
    // The secrets of a created customer are canaries too.
    window.press("customer-create").await;
    window.fill("create-username", "one@x.com").await;
    window.press("create-confirm").await;
    window.see(&testid("created-token")).await;
    window.press("customer-reveal").await;
    window.see_state("created-password", "revealed").await;
    let (token, password) = (window.text("created-token").await, window.text("created-password").await);
    window.press("created-done").await;
    window.see_gone(&testid("created-done")).await;
    set_passwords(&window, &service).await;
    paste_passwords(&window, &service).await;
    panic_with_a_password(&window).await;
    // A refused token, with its error and a report of all that.
    service.world.rotate_agent_token("another");
    window.press("customers-refresh").await;
    window.see_error("200").await;
    window.press("nav-settings").await;
    window.press("settings-report").await;
    window.see("[role='dialog'] pre").await;

    let tokens = [STATIC_TOKEN, AGENT_TOKEN, WRONG_STATIC_TOKEN, WRONG_AGENT_TOKEN, &token];
    let typed = [TYPED, LOST, REFUSED, EXPOSED, CANCELLED, PANICKED, &password];
    let canaries: Vec<String> =
        tokens.into_iter().chain(typed).map(str::to_owned).chain((0..PASTED).map(pasted)).collect();
    assert_eq!(canaries.len(), 40);
    let exports = files(&window.home().join("Downloads"));
    assert!(!exports.is_empty(), "a result was exported");
    let all = files(window.data_dir()).into_iter().chain(exports).chain([window.desk().said()]);
    let mut seen = 0;
    for file in all {
        let bytes = std::fs::read(&file).unwrap_or_default();
        seen += bytes.len();
        let hits = found_in(&bytes, &canaries);
        assert!(hits.is_empty(), "{}: {hits:?}", file.display());
    }
    assert!(seen > 100_000, "only {seen} bytes were looked at");
    for told in [" TRACE hyper", "a part of the program ended unexpectedly"] {
        assert!(was_logged(window.data_dir(), told), "the log has {told}");
    }
    let calls = trace::calls(&window).await;
    let changes = calls.iter().filter(|[event, ..]| event == "operation-changed").count();
    // Simultaneous changes are announced once.
    assert!(changes > 3, "only {changes} changes of operations were told");
    assert_eq!(trace::those_with(&calls, &canaries), MAY_CARRY);
    let mut copies = Vec::new();
    for process in processes(window.home()) {
        assert!(found_in(&process.started_with, &canaries).is_empty(), "{}", process.name);
        let name = process.name.split(' ').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        if name == "proxytill" || name.starts_with("WebKit") {
            let found = process.copies_of("canary-").expect("its memory can be read");
            copies.push(format!("{name} {found}"));
        }
    }
    assert!(copies.iter().any(|one| one.starts_with("proxytill ")), "the program is among them: {copies:?}");
    // A program that reads another's memory can read the keychain too, so this is reported, not judged.
    println!("copies of what was typed left in memory: {}", copies.join(", "));
    println!("{} canaries from seed 0", canaries.len());
}

fn was_logged(data_dir: &std::path::Path, words: &str) -> bool {
    let logs = files(&data_dir.join("logs"));
    logs.iter().any(|log| std::fs::read_to_string(log).is_ok_and(|log| log.contains(words)))
}

/// Connects with wrong tokens first, then with the right ones.
async fn connect(window: &Window, service: &Service) {
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    let tokens = [(WRONG_STATIC_TOKEN, WRONG_AGENT_TOKEN, "auth-failed"), (STATIC_TOKEN, AGENT_TOKEN, "ok")];
    for (static_token, agent_token, result) in tokens {
        window.fill("connection-static-token", static_token).await;
        window.fill("connection-agent-token", agent_token).await;
        window.press("connection-test").await;
        window.see_state("connection-static-result", result).await;
        window.see_state("connection-agent-result", result).await;
    }
    window.press("connection-save").await;
    window.see_customers().await;
}

/// Sets one password, loses the answer to another, has one refused, redirects one with its secret, and leaves one
/// unsent.
async fn set_passwords(window: &Window, service: &Service) {
    let refuse = Fault::Refuse { code: Some("500".into()) };
    let all = [
        ("100001", TYPED, None, "applied"),
        ("100002", LOST, Some(Fault::Html), "unknown"),
        ("100003", REFUSED, Some(refuse), "refused"),
        ("100004", EXPOSED, Some(Fault::Redirect), "needs-you"),
    ];
    for (customer, secret, fault, state) in all {
        if let Some(fault) = fault {
            service::fault(service, "updatePwd", fault);
        }
        type_password(window, customer, secret).await;
        window.press("password-confirm").await;
        window.see_gone(&testid("password-confirm")).await;
        window.see_operation(state).await;
        window.press("nav-customers").await;
    }
    type_password(window, "100005", CANCELLED).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("password-confirm")).await;
    window.press("customer-back").await;
}

/// Sets many at once, some of them refused, and exports the result.
async fn paste_passwords(window: &Window, service: &Service) {
    let refuse = Fault::Refuse { code: Some("500".into()) };
    service.world.add_fault(FaultRule { endpoint: "updatePwd".into(), fault: refuse, times: 3 });
    window.press("nav-customers").await;
    window.press("bulk-paste").await;
    window.press("bulk-password").await;
    let lines: Vec<String> = (0..PASTED).map(|number| format!("{} {}", 100_006 + number, pasted(number))).collect();
    window.fill("bulk-text", &lines.join("\n")).await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='{}']", testid("bulk-result"), PASTED - 3)).await;
    window.press("bulk-export").await;
    window.see(&testid("toast")).await;
}

/// Makes a part of the program panic while it holds a secret, with the secret in the message.
async fn panic_with_a_password(window: &Window) {
    window.press("bulk-back").await;
    type_password(window, "100050", PANICKED).await;
    window.desk().panic_at("Saved", PANICKED);
    window.press("password-confirm").await;
    window.see_error("stopped").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("password-confirm")).await;
    window.press("customer-back").await;
}

async fn type_password(window: &Window, customer: &str, password: &str) {
    window.fill("customers-search", customer).await;
    window.see(&format!("{}[data-key='{customer}']", testid("customer-row"))).await;
    window.press("customer-open").await;
    window.press("customer-password").await;
    window.fill("password-new", password).await;
}
