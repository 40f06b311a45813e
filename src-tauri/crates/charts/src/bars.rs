//! Amounts of a few items: one bar each, with its series end to end.

use plotters::prelude::*;

use crate::area::{HPos, VPos, failed, line, plot, px, words};
use crate::scale::Scale;
use crate::svg::{SCALE, for_window};
use crate::{DrawError, Drawing, Size, paint};

/// Half-width characters of a name that fit beside its bar.
const NAME: usize = 24;

/// Draws a bar for each name, the first on top. Values are in millionths of a MB, one list per series.
///
/// # Errors
/// [`DrawError`] when the chart cannot be drawn.
pub fn bars(size: Size, names: &[String], series: &[Vec<i64>], mb_of_gb: u32) -> Result<Drawing, DrawError> {
    let place = plot(size, 176.0, 6.0, 14.0, 26.0);
    let together = |at: usize| series.iter().map(|values| values[at]).fold(0, i64::saturating_add);
    let most = (0..names.len()).map(together).max().unwrap_or_default();
    let scale = Scale::new(most, mb_of_gb, 5.0);
    let row = place.height / names.len().max(1) as f32;
    let x = |units: f64| place.left + place.width * (units / scale.top) as f32;
    let middle = |at: usize| place.top + row * (at as f32 + 0.5);
    let mut drawn = String::new();
    {
        let root = SVGBackend::with_string(&mut drawn, (size.width * SCALE, size.height * SCALE)).into_drawing_area();
        for (at, text) in scale.lines() {
            line(&root, (x(at), place.top), (x(at), place.top + place.height))?;
            let anchor = if at == 0.0 { HPos::Left } else { HPos::Right };
            words(&root, &text, (x(at), place.top + place.height + 8.0), (anchor, VPos::Top))?;
        }
        for (at, name) in names.iter().enumerate() {
            words(&root, &shortened(name), (place.left - 8.0, middle(at)), (HPos::Right, VPos::Center))?;
            let half = (row * 0.32).min(14.0);
            let mut before = 0;
            for (number, values) in series.iter().enumerate() {
                let behind = values[at].saturating_add(before);
                let (from, to) = (px(x(scale.units(before))), px(x(scale.units(behind))));
                let corners = [(from, px(middle(at) - half)), (to, px(middle(at) + half))];
                root.draw(&Rectangle::new(corners, paint::SERIES[number % paint::SERIES.len()].filled()))
                    .map_err(failed)?;
                before = behind;
            }
        }
        root.present().map_err(failed)?;
    }
    let at = (0..names.len()).map(middle).collect();
    let kept = (0..names.len()).collect();
    Ok(Drawing { svg: for_window(&drawn, size), plot: place, downwards: true, kept, at })
}

fn shortened(name: &str) -> String {
    // East Asian letters are twice as wide; control characters would spoil the picture.
    let width = |letter: char| if letter >= '\u{1100}' { 2 } else { 1 };
    let plain = name.chars().filter(|letter| !letter.is_control());
    let mut left = NAME;
    let fits: String =
        plain.clone().take_while(|letter| left.checked_sub(width(*letter)).map(|rest| left = rest).is_some()).collect();
    if fits.len() == plain.map(char::len_utf8).sum::<usize>() { fits } else { fits + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_a_bar_and_hostile_names_stay_text() {
        let names: Vec<String> =
            ["ali@x.com", "<script>alert(1)</script>", "一个很长很长很长很长很长很长很长很长的名字啊啊啊"]
                .map(str::to_owned)
                .to_vec();
        let size = Size { width: 900, height: 300 };
        let drawing = bars(size, &names, &[vec![5_000_000, 3, 0], vec![1, 2, 0]], 1024).unwrap();
        assert_eq!((drawing.at.len(), drawing.downwards), (3, true));
        assert!(drawing.at.is_sorted() && !drawing.svg.contains("<script"), "{}", drawing.svg);
        assert!(drawing.svg.contains("ali@x.com") && drawing.svg.contains('…'));
    }
}
