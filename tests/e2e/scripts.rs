//! T15: a script runs in the page after all. It can call our commands, but anything that matters needs a person's
//! answer in the system's own dialog, and nothing leaves the program.

use std::io::Read;
use std::net::TcpListener;

use serde_json::{Value, json};
use tests::service;
use tests::window::Window;

/// Starts a call as a script does.
async fn begin(window: &Window, name: &str, request: &Value) {
    let script = format!(
        "window.said = null; window.__TAURI_INTERNALS__.invoke('{name}', {{ request: {request} }})
             .then(value => window.said = {{ done: value }}, error => window.said = {{ error }}); return null"
    );
    window.run(&script).await;
}

/// The outcome of the last call.
async fn said(window: &Window) -> Value {
    tests::until("the script is answered", async || {
        let said = window.run("return window.said").await;
        (!said.is_null()).then_some(said)
    })
    .await
}

/// Returns the answer of a command that nothing blocks.
async fn call(window: &Window, name: &str, request: Value) -> Value {
    begin(window, name, &request).await;
    let said = said(window).await;
    assert!(said["error"].is_null(), "{name}: {said}");
    said["done"].clone()
}

/// The script makes a call, the system's dialog asks a person, and the person refuses.
async fn is_asked_and_refused(window: &Window, title: &str, name: &str, request: Value) {
    begin(window, name, &request).await;
    window.see_dialog(title).await;
    assert_eq!(window.run("return window.said").await, Value::Null, "{name}: before any answer");
    // While one dialog is open no other can open, so a script cannot wear a person down.
    begin(window, name, &request).await;
    assert_eq!(said(window).await["error"]["code"], "declined", "{name}: behind an open dialog");
    window.run("window.said = null; return null").await;
    window.answer(title, "Escape").await;
    assert_eq!(said(window).await["error"]["code"], "declined", "{name}: after a no");
    assert!(window.dialog(title).is_none(), "{name}: asked once");
}

fn bulk(gb: &str) -> Value {
    let text = format!("100001 {gb}g\n100002 {gb}g");
    json!({ "kind": "recharge", "active": false, "source": { "from": "text", "text": text } })
}

/// Drafts a bulk, and returns the offer to start it.
async fn offered(window: &Window, gb: &str) -> Value {
    let draft = call(window, "draft_bulk", bulk(gb)).await["draft"].clone();
    call(window, "offer_bulk", draft).await["token"].clone()
}

#[tokio::test]
async fn a_script_raises_no_limit_starts_no_bulk_above_one_and_exports_no_secrets() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    let settings = async |limit: Value| {
        let mut settings = call(&window, "boot", json!("en")).await["settings"].clone();
        settings["limits"]["operation"] = limit;
        settings
    };
    let limit = async || call(&window, "boot", json!("en")).await["settings"]["limits"]["operation"].clone();
    // Setting or lowering a limit asks nothing.
    call(&window, "save_settings", settings(json!("5")).await).await;
    call(&window, "save_settings", settings(json!("1")).await).await;
    for raised in [json!("1.5"), Value::Null] {
        is_asked_and_refused(&window, "Raise your limits", "save_settings", settings(raised).await).await;
        assert_eq!(limit().await, json!("1"));
    }
    let token = offered(&window, "2").await;
    let confirmed = json!({ "token": token, "typed": "4" });
    is_asked_and_refused(&window, "Above your limit", "confirm_bulk", confirmed).await;
    assert_eq!(call(&window, "list_bulks", Value::Null).await, json!([]));
    assert!(service.world.ledger().expect("a ledger").moves.is_empty(), "nothing is sent without a person");
    // A bulk within the limit needs no dialog; exporting its secrets does.
    let token = offered(&window, "0.25").await;
    let view = call(&window, "confirm_bulk", json!({ "token": token, "typed": "" })).await;
    let export =
        json!({ "id": view["id"], "kind": "csv", "columns": [], "states": {}, "reasons": {}, "credentials": true });
    is_asked_and_refused(&window, "Export credentials", "export_bulk", export).await;
    let files = |folder| std::fs::read_dir(window.home().join(folder)).into_iter().flatten().flatten();
    let saved: Vec<_> = files("").chain(files("Downloads")).map(|file| file.file_name()).collect();
    assert!(saved.iter().all(|name| !name.to_string_lossy().contains("credentials")), "{saved:?}");
}

#[tokio::test]
async fn nothing_in_the_page_leads_out_of_the_program() {
    let outside = TcpListener::bind("127.0.0.1:0").expect("a port");
    outside.set_nonblocking(true).expect("a socket");
    let address = format!("http://{}/", outside.local_addr().expect("an address"));
    let mut window = Window::open().await;
    window.practise().await;
    window.run("window.marker = 'here'; return null").await;
    for way in [
        "location = URL",
        "location.href = URL",
        "location.assign(URL)",
        "location.replace(URL)",
        "window.open(URL)",
        "window.open(URL, '_self')",
        "window.open('about:blank', '_blank', 'noopener')",
        "click('a', { href: URL })",
        "click('a', { href: URL, target: '_blank' })",
        "click('a', { href: URL, target: '_top', rel: 'noopener' })",
        "click('a', { href: URL, download: 'x' })",
        "click('a', { href: 'data:text/html,x' })",
        "click('a', { href: 'data:text/plain,x', download: 'x.txt' })",
        "click('a', { href: 'file:///etc/passwd' })",
        "location = 'data:text/html,x'",
        "location = 'file:///etc/passwd'",
        "location = 'about:blank'",
        "make('form', { action: URL }).submit()",
        "make('form', { action: URL, method: 'post', target: '_blank' }).submit()",
        "make('meta', { httpEquiv: 'refresh', content: '0;url=' + URL })",
        "make('iframe', { src: URL })",
    ] {
        let script = format!(
            "const make = (name, of) => document.body.appendChild(Object.assign(document.createElement(name), of));
             const click = (name, of) => make(name, of).click();
             try {{ {} }} catch {{ }}
             return null",
            way.replace("URL", &format!("'{address}'"))
        );
        window.run(&script).await;
        // A full round trip through the program, so that everything begun before has been decided.
        call(&window, "boot", json!("en")).await;
        let here = window.run("return [window.marker ?? null, location.protocol]").await;
        assert_eq!(here, json!(["here", "tauri:"]), "{way}");
        assert_eq!(window.driver.windows().await.expect("windows").len(), 1, "{way}");
    }
    // The program still works.
    window.press("nav-orders").await;
    window.see_state("orders-table", "empty").await;
    // The web view may connect to the address of a pressed link, but must send nothing.
    window.kill().await;
    while let Ok((mut visitor, _)) = outside.accept() {
        visitor.set_nonblocking(false).expect("a socket");
        let mut asked = String::new();
        let _ = visitor.read_to_string(&mut asked);
        assert_eq!(asked, "", "something was asked outside");
    }
}
