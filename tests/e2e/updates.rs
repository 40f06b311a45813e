//! A newer version of the program, as a person sees it: announced, put off, installed, and used after a restart.

use std::collections::HashMap;
use std::path::PathBuf;

use sandbox::{Fault, FaultRule};
use serde_json::json;
use tempfile::TempDir;
use tests::desk::Desk;
use tests::release::Release;
use tests::tls::Authority;
use tests::traffic_move::CUSTOMER;
use tests::update_server::{Answer, UpdateServer};
use tests::window::{Window, testid};
use tests::{number, service, until};

/// A version newer than any real one.
const NEWER: &str = "97.1.2";

/// A server with a newer version, and the settings that make the program at the desk use it.
struct Newer {
    release: Release,
    _folder: TempDir,
    installed: PathBuf,
    told: String,
}

impl Newer {
    /// A release; the system's dialog exits with this code.
    fn given_out(consent: i32) -> Self {
        Self::served(consent, |_| {})
    }

    fn served(consent: i32, change: impl Fn(&mut HashMap<String, Answer>)) -> Self {
        let (release, authority) = (Release::of(NEWER), Authority::new());
        let folder = tempfile::tempdir().expect("a folder");
        let mut answers = HashMap::from([("file".into(), Answer::Says(200, release.file.clone()))]);
        change(&mut answers);
        let files = UpdateServer::start(&authority, answers);
        let feed = release.feed.to_string().replace("@/", &files.url(""));
        let feeds =
            UpdateServer::start(&authority, HashMap::from([("feed".into(), Answer::Says(200, feed.into_bytes()))]));
        let (script, installed) = tests::release::consent(folder.path(), consent);
        let told = json!({
            "feeds": [feeds.url("feed")],
            "key": release.public(),
            "trusted": [authority.pem()],
            "consent": script,
            "kind": "deb",
        });
        let file = folder.path().join("told.json");
        std::fs::write(&file, told.to_string()).expect("a file");
        Self { release, _folder: folder, installed, told: file.display().to_string() }
    }

    async fn window(&self, language: &str) -> Window {
        let window = Window::open_at(Desk::with(&[("PROXYTILL_UPDATES", &self.told)]), &["--lang", language]).await;
        window.practise().await;
        window.press("nav-settings").await;
        window
    }
}

#[tokio::test]
async fn a_newer_version_is_told_of_put_off_installed_and_used_behind_a_restart() {
    let newer = Newer::given_out(0);
    let mut window = newer.window("zh-CN").await;
    window.see_state("update-state", "unknown").await;
    window.press("update-check").await;
    window.see_state("update-newer", "idle").await;
    assert!(window.text("update-newer").await.contains("修复内容"), "the notes are in the window's language");
    window.see(&testid("update-news")).await;
    window.press("update-later").await;
    window.see_gone(&testid("update-news")).await;
    // An update that was put off is not announced again, even after a restart, until a person checks.
    window.kill().await;
    window.start_again().await;
    window.press("nav-settings").await;
    window.see_state("update-newer", "idle").await;
    window.see_gone(&testid("update-news")).await;
    window.press("update-install").await;
    window.see_state("update-newer", "installed").await;
    assert_eq!(std::fs::read(&newer.installed).expect("it was installed"), newer.release.file);
    assert!(!window.data_dir().join("updates").exists(), "nothing of it is kept");
    let before = window.processes();
    window.press_last("update-restart").await;
    see_another(&window, &before).await;
    window.kill().await;
}

/// Waits until a different program runs, alone, and shows its page.
async fn see_another(window: &Window, before: &[u32]) {
    until("another program runs, alone, with a page", async || {
        let now = window.processes();
        let [one] = now[..] else { return None };
        // A program that still waits for its predecessor to end has no page yet.
        let pages = std::fs::read_to_string(format!("/proc/{one}/task/{one}/children")).ok()?;
        (!before.contains(&one) && !pages.trim().is_empty()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_is_not_genuine_or_not_permitted_is_not_installed_and_says_so() {
    let newer = Newer::served(0, |answers| {
        answers.insert("file".into(), Answer::Says(200, b"another".to_vec()));
    });
    let window = newer.window("en").await;
    window.press("update-check").await;
    window.press("update-install").await;
    let told = window.see_error("not-genuine").await;
    assert!(told.contains("not signed as this version"), "{told}");
    assert!(!newer.installed.exists());
    window.see_state("update-newer", "idle").await;
    drop(window);
    let newer = Newer::given_out(126);
    let window = newer.window("en").await;
    window.press("update-check").await;
    window.press("update-install").await;
    window.see_error("not-permitted").await;
    assert!(window.is_enabled("update-install").await, "it can be tried again");
}

#[tokio::test]
async fn nothing_is_installed_or_restarted_while_a_bulk_runs() {
    let newer = Newer::given_out(0);
    let service = service::start().await;
    let window = Window::open_at(Desk::with(&[("PROXYTILL_UPDATES", &newer.told)]), &["--lang", "en"]).await;
    window.connect_to(&service.base_url()).await;
    service.world.add_fault(FaultRule {
        endpoint: "rechargeTrafficCount".into(),
        fault: Fault::Delay { ms: 600_000 },
        times: 1000,
    });
    window.press("nav-customers").await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 1g\n100002 1g").await;
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see_state("bulk-progress", "running").await;
    window.press("nav-settings").await;
    window.press("update-check").await;
    window.press("update-install").await;
    window.see_error("busy").await;
    assert!(!newer.installed.exists());
    assert_eq!(says(&window, "start_again", "null").await, json!("busy"));
}

/// The answer of a command: "done", or the code of its error.
async fn says(window: &Window, command: &str, request: &str) -> serde_json::Value {
    let asked = format!(
        "const done = arguments[arguments.length - 1];
         window.__TAURI_INTERNALS__.invoke('{command}', {{ request: {request} }})
           .then(() => done('done'), (error) => done(error.code))"
    );
    window.wait_for(&asked).await
}

#[tokio::test]
async fn nothing_is_installed_while_a_move_is_read_for_or_sent() {
    for endpoint in ["customer/list", "rechargeTrafficCount"] {
        let newer = Newer::given_out(0);
        let service = service::start().await;
        let window = Window::open_at(Desk::with(&[("PROXYTILL_UPDATES", &newer.told)]), &["--lang", "en"]).await;
        window.connect_to(&service.base_url()).await;
        window.press("nav-settings").await;
        window.press("update-check").await;
        window.see_state("update-newer", "idle").await;
        window.see_customers().await;
        window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
        service::always(&service, endpoint, Fault::Delay { ms: 600_000 });
        let before = service::requests(&service, endpoint);
        window.press("amount-confirm").await;
        until("it is on its way", async || (service::requests(&service, endpoint) > before).then_some(())).await;
        assert_eq!(says(&window, "install_update", &format!("'{NEWER}'")).await, json!("busy"), "{endpoint}");
        assert_eq!(says(&window, "start_again", "null").await, json!("busy"), "{endpoint}");
        assert!(!newer.installed.exists());
    }
}

#[tokio::test]
async fn nothing_is_sent_while_the_installer_works() {
    let newer = Newer::given_out(0);
    // The system's dialog stays open until a file ends it, and is then dismissed.
    let (asked, answered) = (newer.installed.with_file_name("asked"), newer.installed.with_file_name("answered"));
    let wait = format!("touch {}; until [ -e {} ]; do :; done; exit 126", asked.display(), answered.display());
    std::fs::write(newer.installed.with_file_name("consent"), format!("#!/bin/sh\n{wait}\n")).expect("a script");
    let window = newer.window("en").await;
    window.press("update-check").await;
    window.press("update-install").await;
    until("the system asks", async || asked.exists().then_some(())).await;
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_error("installing").await;
    std::fs::write(answered, "").expect("a file");
    window.press("nav-settings").await;
    window.see_state("update-newer", "idle").await;
    // Nothing was spent: the same price is paid now.
    window.press("nav-buy").await;
    window.pay().await;
    window.see_state("order-proxies", "ready").await;
}

#[tokio::test]
async fn each_restart_leaves_one_program() {
    let restarts = number("PROXYTILL_RESTARTS", 20);
    let mut window = Window::open().await;
    for _ in 0..restarts {
        window.see(&testid("welcome-practice")).await;
        let before = window.processes();
        let script = "window.__TAURI_INTERNALS__.invoke('start_again', { request: null })";
        let _ = window.driver.execute(script, Vec::new()).await;
        see_another(&window, &before).await;
        window.kill().await;
        window.start_again().await;
    }
    println!("{restarts} restarts");
}

#[tokio::test]
async fn nothing_is_installed_while_a_dialog_asks_whether_to_pay() {
    let newer = Newer::given_out(0);
    let window = newer.window("en").await;
    window.press("update-check").await;
    window.see_state("update-newer", "idle").await;
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.press("pay-open").await;
    window.see(&testid("pay-confirm")).await;
    assert_eq!(says(&window, "install_update", &format!("'{NEWER}'")).await, json!("busy"));
    assert!(!newer.installed.exists());
    // The dialog is unchanged.
    window.press("pay-confirm").await;
    window.see_state("order-proxies", "ready").await;
}
