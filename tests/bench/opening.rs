//! How long a place takes to open, as the page sees it: the way through the driver is no part of it.

use tests::window::Window;

/// Presses a place in the side bar. Returns the milliseconds until its table is painted.
const OPENED: &str = "
    const [nav, table] = arguments, done = arguments[arguments.length - 1];
    const start = performance.now();
    document.querySelector(`[data-testid=${nav}]`).click();
    const look = () => {
        const state = document.querySelector(`[data-testid=${table}]`)?.dataset.state;
        if (state !== 'ready' && state !== 'empty') return requestAnimationFrame(look);
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - start);
        channel.port2.postMessage(null);
    };
    requestAnimationFrame(look);";

/// Opens the place with this test id. Returns the milliseconds from the press until the table with the other test id is
/// painted, with rows or without any.
pub async fn opened(window: &Window, nav: &str, table: &str) -> f64 {
    let told = window.driver.execute_async(OPENED, vec![nav.into(), table.into()]).await.expect("the script ends");
    told.as_f64().expect("ms")
}
