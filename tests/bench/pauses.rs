//! How long something takes in the window, and how long the window stands still meanwhile, as the page sees it.

use tests::window::{Window, testid};

/// Presses a control. Returns the milliseconds until an element is there, or gone, and those of the longest frame until
/// then.
const DONE: &str = "
    const [press, awaited, gone] = arguments, done = arguments[arguments.length - 1];
    const start = performance.now();
    let last = start, longest = 0;
    document.querySelector(press).click();
    const look = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if ((document.querySelector(awaited) === null) !== gone) return requestAnimationFrame(look);
        done([now - start, longest]);
    };
    requestAnimationFrame(look);";

/// What ends the measurement.
pub enum Until<'a> {
    /// An element with this selector is there.
    There(&'a str),
    /// None is.
    Gone(&'a str),
}

/// Presses the control with this test id and prints how long it took.
pub async fn told(window: &Window, what: &str, press: &str, until: Until<'_>) {
    let (awaited, gone) = match until {
        Until::There(selector) => (selector, false),
        Until::Gone(selector) => (selector, true),
    };
    let words = vec![testid(press).into(), awaited.into(), gone.into()];
    let told = window.driver.execute_async(DONE, words).await.expect("the script ends");
    let ms = |at: usize| told[at].as_f64().expect("ms");
    println!("{what}: {:.0} ms, longest frame {:.0} ms", ms(0), ms(1));
}
