//! What passes between page and program.

use std::collections::BTreeSet;

use tests::canary::found_in;
use tests::window::Window;

/// A call or an event: its name, what was asked, what was answered or told.
pub(crate) type Call = [String; 3];

/// Records every call: command, request, answer.
const CALLS: &str = "const real = window.fetch; window.trace = [];
    window.fetch = async (url, options) => {
        const answer = await real(url, options);
        const body = options?.body ?? '';
        const asked = typeof body === 'string' ? body : new TextDecoder().decode(body);
        window.trace.push([String(url).split('/').pop(), asked, await answer.clone().text()]);
        return answer;
    }";
/// Records everything that the program tells the page by itself.
const EVENTS: &str = "const done = arguments[arguments.length - 1];
    const told = (event) => window.trace.push([event.event, '', JSON.stringify(event)]);
    const { invoke, transformCallback } = window.__TAURI_INTERNALS__;
    const all = ['operation-changed', 'order-changed', 'ips-changed', 'vendor-changed', 'usage-progress',
        'export-progress', 'proxy-tested', 'reads-waiting'];
    const listen = (event) => invoke('plugin:event|listen', { event, target: { kind: 'Any' }, handler: transformCallback(told) });
    Promise.all(all.map(listen)).then(() => done(all.length), (error) => done(String(error)))";

/// Begins to record, until the page is loaded again.
pub(crate) async fn begin(window: &Window) {
    window.run(CALLS).await;
    assert_eq!(window.wait_for(EVENTS).await, 8);
}

/// Returns what was recorded.
pub(crate) async fn calls(window: &Window) -> Vec<Call> {
    serde_json::from_value(window.run("return trace").await).expect("calls")
}

/// Commands that carried a secret into the program, and commands or events that carried one back.
pub(crate) fn those_with(calls: &[Call], secrets: &[String]) -> Vec<String> {
    assert!(calls.len() > 20, "only {} calls were traced", calls.len());
    let has_secret = |text: &String| !found_in(text.as_bytes(), secrets).is_empty();
    let of = |[command, asked, answered]: &Call| {
        let ways = [("asked", asked), ("answered", answered)].into_iter().filter(|(_, text)| has_secret(text));
        ways.map(|(way, _)| format!("{command} {way}")).collect::<Vec<_>>()
    };
    let all: BTreeSet<String> = calls.iter().flat_map(of).collect();
    all.into_iter().collect()
}
