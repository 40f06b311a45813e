//! Keychain trouble: locked, and not answering.

use serde_json::Value;
use tests::desk::Desk;
use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_locked_keychain_is_named_nothing_is_saved_and_the_session_can_go_on_without() {
    let service = service::start().await;
    let window = Window::open_at(Desk::with_locked_keychain(), &["--lang", "en"]).await;
    window.press("welcome-connect").await;
    window.describe_connection(&service.base_url()).await;
    window.press("connection-save").await;
    let said = window.see_error("locked").await;
    assert!(said.contains("locked") && said.contains("Nothing was saved"), "{said}");
    window.press("connection-session-only").await;
    window.press("connection-save").await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
}

/// Calls the program again and again, and counts frames, until the state of the keychain is known. Returns that
/// state, the calls, the frames, and the longest time without a frame, in ms.
async fn beside_the_keychain(window: &Window) -> [Value; 4] {
    let script = r#"const done = arguments[arguments.length - 1];
        const word = () => document.querySelector('[data-testid="keychain-state"]')?.dataset.state ?? 'loading';
        let calls = 0, frames = 0, longest = 0, painted = performance.now();
        const frame = (now) => { longest = Math.max(longest, now - painted); painted = now; frames++; requestAnimationFrame(frame) };
        requestAnimationFrame(frame);
        const call = async () => {
            if (word() !== 'loading') return done([word(), calls, frames, Math.round(longest)]);
            const asked = performance.now();
            await window.__TAURI_INTERNALS__.invoke('gb_factor', { request: null });
            longest = Math.max(longest, performance.now() - asked);
            calls++;
            setTimeout(call);
        };
        void call()"#;
    serde_json::from_value(window.wait_for(script).await).expect("four values")
}

#[tokio::test]
async fn a_keychain_that_does_not_answer_is_said_so_while_the_window_goes_on_and_can_be_asked_again() {
    let window = Window::open().await;
    window.practise().await;
    window.desk().hang_keychain(true);
    window.press("nav-settings").await;
    window.press("nav-buy").await;
    window.see(&testid("buy-country")).await;
    window.press("nav-settings").await;
    let [state, calls, frames, longest] = beside_the_keychain(&window).await;
    assert_eq!(state, "not-answering");
    let count = |count: &Value| count.as_u64().unwrap_or_default();
    assert!(count(&calls) > 10 && count(&frames) > 10, "{calls} calls answered, {frames} frames painted meanwhile");
    println!("{calls} calls, {frames} frames while the keychain was asked; {longest} ms the longest of either");
    window.desk().hang_keychain(false);
    window.press("keychain-retry").await;
    window.see_state("keychain-state", "available").await;
}
