//! The start of the program and its memory, beside a bare Tauri window of the same profile, in turns: with nothing, and
//! with 2,000 customers and a year of use.
//!
//! Goals, as medians of pairs: usable within 1.15 x the bare window; with the first customers, pressed once, 1.30 x;
//! idle memory of the whole program at most 1.0 x; after everything was scrolled at most 1.5 x idle.

mod opening;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ExitCode, Stdio};
use std::time::Instant;

use tests::desk::Desk;
use tests::window::{Window, testid};
use tests::{built, memory, service, until_at_last};

const CUSTOMERS: u32 = 2_000;
/// Pairs that count; one more warms up.
const PAIRS: usize = 11;
const USABLE: f64 = 1.15;
const FIRST_CUSTOMERS: f64 = 1.30;
const IDLE: f64 = 1.0;
const SCROLLED: f64 = 1.5;

/// Scrolls a list on by two hundred frames: a screen a frame, or a thousandth of it where it is longer than a thousand
/// screens. Tells whether that was the end.
const SCROLL: &str = "
    const [id] = arguments, done = arguments[arguments.length - 1];
    const list = document.querySelector(`[data-testid=${id}]`);
    const step = Math.max(list.clientHeight, list.scrollHeight / 1000);
    let frames = 200;
    const frame = () => {
        const before = list.scrollTop;
        list.scrollTop += step;
        if (list.scrollTop === before) return done(true);
        if (--frames === 0) return done(false);
        requestAnimationFrame(frame);
    };
    frame();";

#[tokio::main]
async fn main() -> ExitCode {
    let options = sandbox::Options { customers: CUSTOMERS, speed: 0.0, ..sandbox::Options::default() };
    let service = service::start_with(options).await;
    let mut window = Window::open().await;
    let (first, idle, scrolled) = filled(&mut window, &service.base_url()).await;
    let (desk, full) = (window.desk(), window.data_dir().to_owned());
    let (mut bare, mut new, mut used) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..=PAIRS {
        bare.push(usable(desk, "bare", None));
        new.push(usable(desk, "proxytill", Some(tempfile::tempdir().expect("a folder").path())));
        used.push(usable(desk, "proxytill", Some(&full)));
    }
    for (name, all) in [("bare", &bare), ("first start", &new), ("with a year of use", &used)] {
        let times: Vec<_> = all[1..].iter().map(|one| format!("{:.0}", one.ms)).collect();
        println!("{name}: usable after {} ms", times.join(" "));
        println!("{name}: {}", profile(&all[1..]));
    }
    let of = |all: &[Start]| all[1..].iter().map(|one| one.ms).collect::<Vec<_>>();
    let ratio = |ours: &[Start]| median(of(ours).iter().zip(of(&bare)).map(|(ours, bare)| ours / bare).collect());
    let shown = (median(of(&used)) + first) / median(of(&bare));
    let bare_kb = idle_memory(desk, "bare", None).await as f64;
    let new_kb = idle_memory(desk, "proxytill", Some(desk.home())).await as f64;
    let used_kb = idle_memory(desk, "proxytill", Some(&full)).await as f64;
    println!(
        "the first customers {first:.0} ms after the press; idle: bare {bare_kb} kB, new {new_kb} kB, used {used_kb} kB; {scrolled} kB after everything was scrolled, {idle} kB before"
    );
    let goals = [
        ("usable at a first start", ratio(&new), USABLE),
        ("usable with a year of use", ratio(&used), USABLE),
        ("first customers with a year of use", shown, FIRST_CUSTOMERS),
        ("idle memory, first start", new_kb / bare_kb, IDLE),
        ("idle memory, a year of use", used_kb / bare_kb, IDLE),
        ("memory after everything was scrolled", scrolled as f64 / idle as f64, SCROLLED),
    ];
    for (what, measured, goal) in goals {
        println!("{what}: {measured:.2} x (goal {goal})");
    }
    if goals.iter().all(|(_, measured, goal)| measured <= goal) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Fills the data folder and scrolls everything. Returns the ms from the press to the first customers, and the memory in
/// kB before and after.
async fn filled(window: &mut Window, base_url: &str) -> (f64, u64, u64) {
    window.resize(1400, 900).await;
    window.connect_to(base_url).await;
    window.press("nav-traffic").await;
    window.see_usage_read().await;
    window.see_customers().await;
    window.kill().await;
    window.start_again().await;
    window.see(&testid("nav-customers")).await;
    let idle = at_rest(async || window.memory()).await;
    let first = opening::opened(window, "nav-customers", "customers-table").await;
    scroll(window, "customers-table").await;
    window.press("nav-traffic").await;
    window.press("usage-last-365").await;
    window.press("usage-by-row").await;
    window.see(&format!("{}[data-state='ready']", testid("usage-rows-table-row"))).await;
    scroll(window, "usage-rows-table").await;
    let scrolled = at_rest(async || window.memory()).await;
    window.kill().await;
    (first, idle, scrolled)
}

/// Scrolls a list from its first row to its last.
async fn scroll(window: &Window, id: &str) {
    while window.driver.execute_async(SCROLL, vec![id.into()]).await.expect("the script ends") != true {}
}

/// A start of a program until it can be used.
struct Start {
    /// How long it took, in ms.
    ms: f64,
    /// What it reached on the way, in ms since its start. The program counts from its `main`, whose mark `start` is the first.
    marks: Vec<(String, f64)>,
}

/// Starts a program and ends it when it can be used.
fn usable(desk: &Desk, name: &str, data_dir: Option<&Path>) -> Start {
    let begun = Instant::now();
    let (mut program, marks) = start(desk, name, data_dir, &["--perf-exit", "interactive"]);
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    program.wait().expect("it ends");
    let before = ms - marks.last().map_or(0.0, |(_, ms)| *ms);
    let marks = marks.into_iter().map(|(name, since)| (name, before + since)).collect();
    Start { ms, marks }
}

/// The medians of what was reached on the way: where the time goes.
fn profile(all: &[Start]) -> String {
    let mut reached: Vec<(&str, Vec<f64>)> = Vec::new();
    for (name, ms) in all.iter().flat_map(|one| &one.marks) {
        match reached.iter_mut().find(|(of, _)| of == name) {
            Some((_, times)) => times.push(*ms),
            None => reached.push((name, vec![*ms])),
        }
    }
    let words = reached.into_iter().map(|(name, times)| format!("{name} {:.0}", median(times)));
    words.collect::<Vec<_>>().join(", ")
}

/// The memory in kB as soon as it stands still: a hundred readings in a row, about five seconds, within a hundredth.
async fn at_rest(read: impl AsyncFn() -> u64) -> u64 {
    const STILL: usize = 100;
    let mut last = Vec::new();
    until_at_last("the memory stands still", async || {
        let now = read().await;
        if last.iter().any(|before: &u64| before.abs_diff(now) > now / 100) {
            last.clear();
        }
        last.push(now);
        (last.len() >= STILL).then_some(now)
    })
    .await
}

/// The memory of a program that does nothing, with all of its processes, in kB.
async fn idle_memory(desk: &Desk, name: &str, data_dir: Option<&Path>) -> u64 {
    let (mut program, _) = start(desk, name, data_dir, &["--perf"]);
    let held = at_rest(async || memory::of_family(&[program.id()])).await;
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    held
}

/// Starts a program and waits until it can be used. Returns what it reached on the way, in ms since its own beginning.
/// Each chooses its renderer itself.
fn start(desk: &Desk, name: &str, data_dir: Option<&Path>, words: &[&str]) -> (Child, Vec<(String, f64)>) {
    let mut command = desk.command(built(name));
    command.env_remove("WEBKIT_DISABLE_DMABUF_RENDERER");
    if let Some(folder) = data_dir {
        command.arg("--data-dir").arg(folder).args(["--lang", "en"]);
    }
    let mut program = command.args(words).stdout(Stdio::piped()).spawn().expect("it starts");
    let said = BufReader::new(program.stdout.take().expect("its output"));
    let mut marks: Vec<(String, f64)> = Vec::new();
    for line in said.lines().map_while(Result::ok) {
        let Some(told) = line.strip_prefix("PERF ") else { continue };
        // The bare window tells no time.
        let (mark, nanos) = told.split_once(' ').unwrap_or((told, "0"));
        marks.push((mark.to_owned(), nanos.parse::<f64>().expect("nanoseconds") / 1e6));
        if mark == "interactive" {
            break;
        }
    }
    let usable = marks.last().is_some_and(|(mark, _)| mark == "interactive");
    assert!(usable, "{name} ended before it could be used");
    (program, marks)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::INFINITY)
}
