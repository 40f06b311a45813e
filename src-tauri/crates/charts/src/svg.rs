//! Adapts the SVG of plotters to the page.

use crate::{Size, paint};

/// Factor by which charts are drawn larger, because plotters places points on whole pixels.
pub(crate) const SCALE: u32 = 2;

/// Drops the picture's own size, because the page stretches it, and turns colours into variables.
pub(crate) fn for_window(drawn: &str, size: Size) -> String {
    let (width, height) = (size.width * SCALE, size.height * SCALE);
    let fixed = format!("width=\"{width}\" height=\"{height}\" ");
    paint::as_variables(&drawn.replacen(&fixed, "", 1))
        .replace(" opacity=\"1\"", "")
        .replace(" font-family=\"sans-serif\"", "")
        .replacen("<svg ", "<svg font-family=\"system-ui, sans-serif\" ", 1)
}
