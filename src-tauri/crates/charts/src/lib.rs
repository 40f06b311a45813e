//! Plain data → SVG by plotters, with the geometry that the window needs for its crosshair and brush.
//!
//! Amounts come in as millionths of a MB; floats only place points. Colours are the window's own
//! variables; [`paint::for_file`] puts real ones in their place. Absent on purpose: text measured by
//! fonts (the window draws it), anything interactive.

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

/// How large, CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// Where the values are drawn, CSS pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct Plot {
    /// From the left edge.
    pub left: f32,
    /// From the upper edge.
    pub top: f32,
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
}

/// A drawn chart.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Drawing {
    /// The picture, colours as variables.
    pub svg: String,
    /// Where its values are.
    pub plot: Plot,
    /// The values follow one another downwards, not to the right.
    pub downwards: bool,
    /// Which of the given values are points of the picture, in their order.
    #[serde(skip)]
    #[ts(skip)]
    pub kept: Vec<usize>,
    /// Where each point lies: from the left edge, or from the upper edge when they go downwards.
    pub at: Vec<f32>,
}

/// The picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart cannot be drawn: {0}")]
pub struct DrawError(String);

/// Points of a series at most.
pub const MOST_POINTS: usize = 400;
