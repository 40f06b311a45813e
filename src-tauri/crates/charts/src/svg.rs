//! What plotters writes, made to fit the window.

use crate::{Size, paint};

/// Drawn so much larger: plotters places points on whole pixels.
pub(crate) const SCALE: u32 = 2;

/// The picture's own size goes, for the window stretches it; colours become variables.
pub(crate) fn for_window(drawn: &str, size: Size) -> String {
    let (width, height) = (size.width * SCALE, size.height * SCALE);
    let fixed = format!("width=\"{width}\" height=\"{height}\" ");
    paint::as_variables(&drawn.replacen(&fixed, "", 1))
        .replace(" opacity=\"1\"", "")
        .replace(" font-family=\"sans-serif\"", "")
        .replacen("<svg ", "<svg font-family=\"system-ui, sans-serif\" ", 1)
}
