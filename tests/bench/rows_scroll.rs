//! Scrolling a million rows in the real window, compared with an empty loop of frames in the same window.
//!
//! Goal: a p95 of the gap between frames at most 1.25 x that of the empty loop, at each of three speeds.

use std::process::ExitCode;

use serde_json::json;
use tests::service;
use tests::window::{Window, testid};

const ROUNDS: usize = 5;
const STEPS: u32 = 240;
/// Rows per step: by the wheel, by screens, by dragging the thumb.
const SPEEDS: [(&str, u32); 3] = [("3 rows", 3), ("3 screens", 40), ("thumb", 4200)];
const GOAL: f64 = 1.25;

/// Scrolls by this many rows per frame; `0` only watches. Returns the gaps in ms, and the number of frames with a
/// blank row.
const SCROLL: &str = "
    const [rows, steps] = arguments, done = arguments[arguments.length - 1];
    const table = document.querySelector('[data-testid=usage-rows-table]');
    const real = table.dataset.count * 36, view = table.clientHeight - 32;
    const pixels = rows * 36 / (real - view) * (table.scrollHeight - 32 - view);
    const gaps = []; let blank = 0, last = performance.now(), step = 0, at = 0;
    table.scrollTop = 0;
    const frame = () => {
        const now = performance.now();
        gaps.push(now - last); last = now;
        if (rows && step > 2) {
            const first = document.elementFromPoint(table.getBoundingClientRect().left + 30, Math.min(innerHeight - 60, table.getBoundingClientRect().top + 120));
            if (first?.closest('[data-state=loading]')) blank++;
        }
        if (++step > steps) return done({ gaps: gaps.slice(2), blank });
        if (rows) { at += pixels; table.scrollTop = at; }
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);";

#[tokio::main]
async fn main() -> ExitCode {
    let options = sandbox::Options { customers: 3600, speed: 0.0, ..sandbox::Options::default() };
    let service = service::start_with(options).await;
    let window = Window::open().await;
    window.resize(1400, 900).await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.see_usage_read().await;
    window.press("usage-last-365").await;
    window.press("usage-by-row").await;
    window.see(&format!("{}[data-state='ready']", testid("usage-rows-table-row"))).await;
    window.run("document.querySelector('[data-testid=usage-rows-table]').scrollIntoView({ block: 'center' })").await;
    println!("{} rows in the table", window.attribute("usage-rows-table", "data-count").await);
    let mut reached = true;
    for (name, rows) in SPEEDS {
        let (mut ratios, mut blanks) = (Vec::new(), 0);
        for _ in 0..ROUNDS {
            let (empty, _) = scroll(&window, 0).await;
            let (moving, blank) = scroll(&window, rows).await;
            ratios.push(moving / empty);
            blanks += blank;
        }
        ratios.sort_by(f64::total_cmp);
        let (ratio, shown) = (ratios[ROUNDS / 2], f64::from(STEPS) * ROUNDS as f64);
        println!(
            "{name} a frame: p95 of the gaps {ratio:.2} x an empty loop (goal {GOAL}); {:.1} % of the frames had a blank row",
            f64::from(blanks) / shown * 100.0
        );
        reached &= ratio <= GOAL;
    }
    if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The p95 of the gaps in ms, and the number of frames with a blank row.
async fn scroll(window: &Window, rows: u32) -> (f64, u32) {
    let arguments = vec![json!(rows), json!(STEPS)];
    let told = window.driver.execute_async(SCROLL, arguments).await.expect("the script ends");
    let mut gaps: Vec<f64> = serde_json::from_value(told["gaps"].clone()).expect("gaps");
    gaps.sort_by(f64::total_cmp);
    let blank = told["blank"].as_u64().unwrap_or_default() as u32;
    (gaps[gaps.len() * 95 / 100], blank)
}
