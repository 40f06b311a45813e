//! Draws a million values as a chart, compared with plotters drawing all of them.
//!
//! Goal: at most 0.05 x the time, and at most 40 KB for the picture.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use charts::{Size, Unit};
use plotters::prelude::*;
use wire::Day;

const VALUES: usize = 1_000_000;
const ROUNDS: usize = 11;
const SIZE: Size = Size { width: 1200, height: 300 };
const MOST_BYTES: usize = 40 * 1024;

fn main() -> ExitCode {
    let starts: Vec<Day> = (0..VALUES as i32).map(Day::new).collect();
    let values = walk();
    let (mut ratios, mut bytes) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let series = [values.clone()];
        let (ours, drawn) = timed(|| charts::time(SIZE, Unit::Day, &starts, &series, 1024, true).expect("a chart").svg);
        let (all, _) = timed(|| every_point(&values));
        bytes = drawn.len();
        println!("ours {ours:?}, all points {all:?}");
        ratios.push(ours.as_secs_f64() / all.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ROUNDS / 2];
    println!("median of {ROUNDS}: {ratio:.4} x all points (goal 0.05), {bytes} bytes (goal {MOST_BYTES})");
    if ratio <= 0.05 && bytes <= MOST_BYTES { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A walk with a weekly rhythm, in millionths of a MB.
fn walk() -> Vec<i64> {
    let mut seed = 11u64;
    let mut level = 50_000_000_000i64;
    (0..VALUES)
        .map(|at| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            level = (level + (seed >> 34) as i64 - (1 << 29)).clamp(0, 1 << 40);
            level + (at as i64 % 7) * 1_000_000_000
        })
        .collect()
}

/// What plotters does alone: a line through every value.
fn every_point(values: &[i64]) -> String {
    let mut drawn = String::new();
    {
        let root = SVGBackend::with_string(&mut drawn, (SIZE.width, SIZE.height)).into_drawing_area();
        let most = values.iter().copied().max().unwrap_or(1) as f64;
        let mut chart =
            ChartBuilder::on(&root).build_cartesian_2d(0f64..values.len() as f64, 0f64..most).expect("a chart");
        let points = values.iter().enumerate().map(|(at, value)| (at as f64, *value as f64));
        chart.draw_series(LineSeries::new(points, &RED)).expect("a line");
        root.present().expect("a picture");
    }
    drawn
}

fn timed(work: impl FnOnce() -> String) -> (Duration, String) {
    let begun = Instant::now();
    let drawn = std::hint::black_box(work());
    (begun.elapsed(), drawn)
}
