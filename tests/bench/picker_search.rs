//! Searching 144,563 cities while typing, compared with a raw pass over the same bytes and with nucleo-matcher over
//! the same rows, key by key in one run.
//!
//! Goal: p95 over 500 keystrokes at most 1.5 x the raw pass and at most 0.5 x nucleo-matcher.

mod cities;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use catalog::{Catalog, Dictionary, Stock};
use memchr::memmem;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32String};

const KEYSTROKES: usize = 500;
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let cities = cities::cities();
    println!("{} cities", cities.len());
    let begun = Instant::now();
    let catalog = Catalog::new(Dictionary { cities, ..Dictionary::default() });
    println!("index ready after {:.0} ms, {} bytes", begun.elapsed().as_secs_f64() * 1e3, catalog.text().len());
    let rows: Vec<Utf32String> =
        std::str::from_utf8(catalog.text()).expect("text").lines().map(Utf32String::from).collect();
    let keys = keystrokes(&catalog);
    assert_eq!(keys.len(), KEYSTROKES);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let (mut over_raw, mut over_nucleo) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (mut ours, mut raw, mut nucleo) = (Vec::new(), Vec::new(), Vec::new());
        for key in &keys {
            ours.push(timed(|| catalog.search(key, 50, &Stock::default()).len()));
            raw.push(timed(|| memmem::find_iter(catalog.text(), key.as_bytes()).count()));
            nucleo.push(timed(|| {
                let pattern = Pattern::parse(key, CaseMatching::Ignore, Normalization::Smart);
                rows.iter().filter(|row| pattern.score(row.slice(..), &mut matcher).is_some()).count()
            }));
        }
        let (ours, raw, nucleo) = (p95(ours), p95(raw), p95(nucleo));
        println!("p95: ours {ours:?}, raw pass {raw:?}, nucleo-matcher {nucleo:?}");
        over_raw.push(ours.as_secs_f64() / raw.as_secs_f64());
        over_nucleo.push(ours.as_secs_f64() / nucleo.as_secs_f64());
    }
    let (over_raw, over_nucleo) = (median(over_raw), median(over_nucleo));
    println!(
        "median of {ROUNDS}: {over_raw:.3} x the raw pass (goal 1.5), {over_nucleo:.3} x nucleo-matcher (goal 0.5)"
    );
    if over_raw <= 1.5 && over_nucleo <= 0.5 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The words that people type, key by key: names of about every seven thousandth place, in all four ways.
fn keystrokes(catalog: &Catalog) -> Vec<String> {
    let text = std::str::from_utf8(catalog.text()).expect("text");
    let rows: Vec<&str> = text.lines().collect();
    let mut keys = Vec::new();
    for at in 0.. {
        let fields: Vec<&str> = rows[(at * 7_919) % rows.len()].split('\u{1f}').collect();
        let field = fields[at % fields.len()];
        let mut typed = String::new();
        for letter in field.chars().take(8) {
            typed.push(letter);
            if !typed.trim().is_empty() {
                keys.push(typed.trim().to_owned());
            }
            if keys.len() == KEYSTROKES {
                return keys;
            }
        }
    }
    keys
}

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let begun = Instant::now();
    std::hint::black_box(work());
    begun.elapsed()
}

fn p95(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 95 / 100]
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
