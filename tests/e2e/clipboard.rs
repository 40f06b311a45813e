//! A secret that was copied leaves the clipboard with the program, and nothing else does.

use serde_json::json;
use tests::built;
use tests::listener::Listener;
use tests::window::Window;

use crate::scripts::call;

/// A window with a secret in the clipboard, and the program that goes on offering it.
async fn copied() -> (Window, Listener, String) {
    let window = Window::open().await;
    window.practise().await;
    let create = json!({ "change": "create", "userName": "new@x.com" });
    let token = call(&window, "offer_change", create).await["token"].clone();
    let made = call(&window, "confirm_change", token).await;
    let mut clipper = Listener::start(&mut window.desk().command(built("clipper")));
    let customer = tests::until("the customer is there", async || {
        let found = call(&window, "operations_of", json!([made["id"]])).await;
        found[0]["customerId"].as_str().map(str::to_owned)
    })
    .await;
    let copy = json!({ "customerId": customer, "wanted": "token", "language": "en" });
    call(&window, "copy_secret", copy).await;
    let secret = clipper.ask("read");
    assert!(secret.len() > 8, "{} characters", secret.len());
    // A manager of the desktop keeps what was copied alive.
    assert_eq!(clipper.ask(&format!("put={secret}")), "put");
    (window, clipper, secret)
}

async fn quit(window: &Window) {
    // As the cross of its frame does.
    let close = ["search", "--onlyvisible", "--name", "^Proxytill$", "windowclose", "%@"];
    assert!(window.desk().command("xdotool").args(close).status().expect("xdotool").success());
    window.see_end().await;
}

#[tokio::test]
async fn a_copied_secret_leaves_the_clipboard_with_the_program_and_another_text_stays() {
    let (window, mut clipper, secret) = copied().await;
    quit(&window).await;
    assert_ne!(clipper.ask("read"), secret, "the secret is gone");
    let (window, mut clipper, _) = copied().await;
    assert_eq!(clipper.ask("put=something else"), "put");
    quit(&window).await;
    assert_eq!(clipper.ask("read"), "something else");
}
