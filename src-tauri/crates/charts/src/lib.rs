//! Turns plain data into SVG by plotters, with the geometry that the page needs for its crosshair and brush.
//!
//! Amounts come in as millionths of a MB; floats only place points. Colours are the page's own variables;
//! [`paint::for_file`] replaces them by real ones. Absent on purpose: text measured by fonts (the page draws it),
//! anything interactive.

mod area;
mod scale;
mod svg;

pub mod bars;
pub mod paint;
pub mod thin;
pub mod time;

use serde::Serialize;
use ts_rs::TS;

pub use bars::bars;
pub use time::{Unit, time};

/// Size in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// CSS pixels.
    pub width: u32,
    /// CSS pixels.
    pub height: u32,
}

/// The area of the values, in CSS pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct Plot {
    /// Distance from the left edge.
    pub left: f32,
    /// Distance from the upper edge.
    pub top: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// A drawn chart.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Drawing {
    /// The picture, with variables as colours.
    pub svg: String,
    /// The area of its values.
    pub plot: Plot,
    /// Whether values follow one another downwards rather than to the right.
    pub downwards: bool,
    /// Indexes of the given values that became points of the picture, in order.
    #[serde(skip)]
    #[ts(skip)]
    pub kept: Vec<usize>,
    /// Position of each point: distance from the left edge, or from the upper edge when `downwards`.
    pub at: Vec<f32>,
}

/// The picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart cannot be drawn: {0}")]
pub struct DrawError(String);

/// Most points per series.
pub const MOST_POINTS: usize = 400;
