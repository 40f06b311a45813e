//! T15: whatever the vendor sends, nothing in it runs, and the page can call only our commands.

use std::collections::HashSet;

use sandbox::{Fault, FaultRule};
use serde_json::{Value, json};
use tests::service;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

/// Scripts that would run if the page let them. `#` is replaced by a number to identify each.
const SCRIPTS: [&str; 20] = [
    "<script>window.hit=#</script>",
    "<img src=x onerror=window.hit=#>",
    "<svg onload=window.hit=#>",
    "<svg><animate onbegin=window.hit=# attributeName=x dur=1s>",
    "<iframe srcdoc='<script>parent.hit=#</script>'></iframe>",
    "<details open ontoggle=window.hit=#>x</details>",
    "<input autofocus onfocus=window.hit=#>",
    "<video><source onerror=window.hit=#></video>",
    "<body onload=window.hit=#>",
    "<a href=javascript:window.hit=#>x</a>",
    "<object data=javascript:window.hit=#></object>",
    "<style>@import 'javascript:window.hit=#'</style>",
    "<meta http-equiv=refresh content='0;url=javascript:window.hit=#'>",
    "<base href='https://elsewhere.example/#/'>",
    "<math><mi xlink:href=javascript:window.hit=#>x</mi></math>",
    "<template><script>window.hit=#</script></template>",
    "{{constructor.constructor('window.hit=#')()}}",
    "${window.hit=#}",
    "{@html '<img src=x onerror=window.hit=#>'}",
    "<marquee onstart=window.hit=#>x</marquee>",
];
/// Ways to break out of the place where a text is shown.
const ENDS: [&str; 10] =
    ["", "\">", "'>", "</title>", "</text></svg>", "]]>", "-->", "\u{202e}", "\\\">", "</td></tr>"];

/// Calls that our page must not make: plugins that other programs have, and entry points of Tauri itself.
const FORBIDDEN: [&str; 50] = [
    "plugin:shell|execute",
    "plugin:shell|spawn",
    "plugin:shell|open",
    "plugin:shell|kill",
    "plugin:opener|open_url",
    "plugin:opener|open_path",
    "plugin:fs|read_file",
    "plugin:fs|read_text_file",
    "plugin:fs|write_file",
    "plugin:fs|remove",
    "plugin:fs|read_dir",
    "plugin:fs|rename",
    "plugin:fs|mkdir",
    "plugin:http|fetch",
    "plugin:http|fetch_send",
    "plugin:process|exit",
    "plugin:process|restart",
    "plugin:os|platform",
    "plugin:os|hostname",
    "plugin:updater|check",
    "plugin:updater|download",
    "plugin:store|load",
    "plugin:sql|load",
    "plugin:sql|execute",
    "plugin:sql|select",
    "plugin:websocket|connect",
    "plugin:global-shortcut|register",
    "plugin:autostart|enable",
    "plugin:deep-link|register",
    "plugin:clipboard-manager|read_text",
    "plugin:clipboard-manager|write_text",
    "plugin:clipboard-manager|read_image",
    "plugin:dialog|open",
    "plugin:dialog|save",
    "plugin:dialog|message",
    "plugin:notification|notify",
    "plugin:notification|request_permission",
    "plugin:webview|create_webview",
    "plugin:webview|create_webview_window",
    "plugin:webview|internal_toggle_devtools",
    "plugin:webview|clear_all_browsing_data",
    "plugin:window|create",
    "plugin:window|close",
    "plugin:window|destroy",
    "plugin:window|set_title",
    "plugin:event|emit",
    "plugin:event|emit_to",
    "plugin:path|resolve_directory",
    "plugin:resources|close",
    "plugin:app|version",
];

fn payloads() -> Vec<String> {
    let all = ENDS.iter().flat_map(|end| SCRIPTS.iter().map(move |script| format!("{end}{script}")));
    all.enumerate().map(|(number, text)| text.replace('#', &format!("{}", 7000 + number))).collect()
}

/// Checks that nothing ran and no text became an element. Remembers the payloads on the page.
async fn look(window: &Window, place: &str, payloads: &[String], seen: &mut HashSet<String>) {
    let found = window
        .run(
            "const made = document.querySelectorAll('img, iframe, object, embed, base, video, marquee, math, template, animate, \
             body script, [onerror], [onload], [onfocus], [ontoggle], [onbegin], [onstart], a[href^=\"javascript:\" i], \
             meta[http-equiv=refresh], body style');
             const values = [...document.querySelectorAll('input, textarea')].map(one => one.value);
             const said = [...document.querySelectorAll('[title], [aria-label]')].map(one => one.title + one.ariaLabel);
             return [window.hit ?? null, [...made].map(one => one.outerHTML.slice(0, 200)),
                 [document.body.textContent, ...values, ...said].join('\\n')]",
        )
        .await;
    assert_eq!(found[0], Value::Null, "{place}: it ran");
    assert_eq!(found[1], json!([]), "{place}: a text became an element");
    let text = found[2].as_str().expect("text");
    seen.extend(payloads.iter().filter(|payload| text.contains(payload.as_str())).cloned());
}

#[tokio::test]
async fn no_text_of_the_vendor_runs_on_any_screen() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    let (payloads, mut seen) = (payloads(), HashSet::new());
    let fault = Fault::Hostile { payloads: payloads.clone() };
    service.world.add_fault(FaultRule { endpoint: String::new(), fault, times: 1_000_000 });
    let all = &payloads;
    window.press("nav-settings").await;
    window.press("connection-edit").await;
    window.press("connection-test").await;
    window.see_state("connection-agent-result", "ok").await;
    look(&window, "connection", all, &mut seen).await;
    window.press("nav-buy").await;
    window.press("buy-places-refresh").await;
    window.choose_three_in_japan().await;
    window.fill("buy-search", "tok").await;
    window.see(&testid("buy-search-option")).await;
    look(&window, "places", all, &mut seen).await;
    window.fill("buy-search", "").await;
    window.get_price().await;
    look(&window, "price", all, &mut seen).await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
    look(&window, "order", all, &mut seen).await;
    for (nav, ready) in [("nav-orders", "orders-table"), ("nav-ips", "ips-table"), ("nav-customers", "customers-table")]
    {
        window.press(nav).await;
        window.see_state(ready, "ready").await;
        look(&window, nav, all, &mut seen).await;
    }
    for customer in (0..6).map(|number| (100_001 + number).to_string()) {
        window.fill("customers-search", &customer).await;
        window.see(&format!("{}[data-key='{customer}']", testid("customer-row"))).await;
        look(&window, "customers", all, &mut seen).await;
    }
    window.fill("customers-search", "").await;
    window.fill("customers-search", CUSTOMER).await;
    window.press("customer-recharge").await;
    // The vendor has no customer of this name.
    window.see(&testid("error-panel")).await;
    look(&window, "amount", all, &mut seen).await;
    window.press("amount-cancel").await;
    // The vendor's own text about a refusal.
    service.world.set_wallet(wire::Amount::ZERO).expect("a ledger");
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    look(&window, "refusal", all, &mut seen).await;
    window.press("nav-activity").await;
    window.see(&testid("activity-row")).await;
    look(&window, "activity", all, &mut seen).await;
    window.press("nav-traffic").await;
    window.see_state("usage-table", "ready").await;
    window.press("usage-by-customer").await;
    window.press("usage-last-365").await;
    window.see_usage_read().await;
    look(&window, "usage", all, &mut seen).await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    look(&window, "records", all, &mut seen).await;
    // Each reading brings other payloads, until every one has been on a screen.
    for kind in ["records-type-1", "records-type-0"].into_iter().cycle().take(40) {
        if seen.len() == payloads.len() {
            break;
        }
        let before = window.text("records-table").await;
        window.press(kind).await;
        tests::until("another page is there", async || (window.text("records-table").await != before).then_some(()))
            .await;
        window.see_state("records-table", "ready").await;
        look(&window, "records", all, &mut seen).await;
    }
    window.press("nav-overview").await;
    window.see_state("overview-runs-out", "ready").await;
    look(&window, "overview", all, &mut seen).await;
    window.press("palette-open").await;
    window.fill("palette", "1").await;
    window.see(&testid("palette-option")).await;
    look(&window, "palette", all, &mut seen).await;
    let missing: Vec<&String> = payloads.iter().filter(|payload| !seen.contains(*payload)).collect();
    assert!(missing.is_empty(), "{} of {} were never on a screen: {missing:?}", missing.len(), payloads.len());
    println!("{} payloads from seed 0", payloads.len());
}

#[tokio::test]
async fn the_page_may_call_nothing_but_our_commands() {
    let window = Window::open().await;
    window.practise().await;
    for name in FORBIDDEN {
        window
            .run(&format!(
                "window.said = null; window.__TAURI_INTERNALS__.invoke('{name}', {{}})
                     .then(() => window.said = 'allowed', error => window.said = String(error)); return null"
            ))
            .await;
        let said =
            tests::until("it is answered", async || window.run("return window.said").await.as_str().map(str::to_owned))
                .await;
        assert!(said.contains("not allowed") || said.contains("not found"), "{name}: {said}");
    }
    let doors = "return [window.__TAURI__ === undefined, Object.isFrozen(Object.prototype)]";
    assert_eq!(window.run(doors).await, json!([true, true]));
}
