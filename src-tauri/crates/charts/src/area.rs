//! The drawing area, shared by both kinds of chart.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::svg::SCALE;
use crate::{DrawError, Plot, Size, paint};

pub(crate) type Root<'a> = DrawingArea<SVGBackend<'a>, Shift>;

pub(crate) fn failed(error: impl std::fmt::Display) -> DrawError {
    DrawError(error.to_string())
}

/// Converts CSS pixels to the picture's own pixels.
pub(crate) fn px(css: f32) -> i32 {
    (css * SCALE as f32).round() as i32
}

/// The area that remains for values.
pub(crate) fn plot(size: Size, left: f32, top: f32, right: f32, bottom: f32) -> Plot {
    Plot { left, top, width: size.width as f32 - left - right, height: size.height as f32 - top - bottom }
}

/// Draws text beside the values, 12 CSS pixels high.
pub(crate) fn words(root: &Root<'_>, text: &str, at: (f32, f32), anchor: (HPos, VPos)) -> Result<(), DrawError> {
    // plotters writes a font's size divided by 1.24.
    let font = ("sans-serif", 12.0 * f64::from(SCALE) * 1.24).into_font().color(&paint::TEXT);
    let style = font.pos(Pos::new(anchor.0, anchor.1));
    root.draw(&Text::new(text.to_owned(), (px(at.0), px(at.1)), style)).map_err(failed)
}

pub(crate) fn line(root: &Root<'_>, from: (f32, f32), to: (f32, f32)) -> Result<(), DrawError> {
    let style = paint::LINE.stroke_width(SCALE);
    root.draw(&PathElement::new(vec![(px(from.0), px(from.1)), (px(to.0), px(to.1))], style)).map_err(failed)
}

pub(crate) use plotters::style::text_anchor::{HPos, Pos, VPos};
