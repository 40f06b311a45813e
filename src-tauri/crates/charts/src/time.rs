//! Amounts over time: a line and its area for each series.

use plotters::element::DashedPathElement;
use plotters::prelude::*;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;

use crate::area::{HPos, VPos, failed, line, plot, px, words};
use crate::scale::Scale;
use crate::svg::{SCALE, for_window};
use crate::thin::thin;
use crate::{DrawError, Drawing, MOST_POINTS, Plot, Size, paint};

/// The time that one value covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ChartUnit")]
pub enum Unit {
    /// A day.
    Day,
    /// A week, starting on Monday.
    Week,
    /// A month, starting on its first day.
    Month,
}

impl Unit {
    /// The first day of the unit that contains a day.
    pub fn start(self, day: Day) -> Day {
        match self {
            Self::Day => day,
            Self::Week => day.plus(-i32::from(day.weekday())),
            Self::Month => day.month_start(),
        }
    }

    /// The first day of the next unit.
    pub fn next(self, start: Day) -> Day {
        match self {
            Self::Day => start.plus(1),
            Self::Week => start.plus(7),
            // No month is longer than 31 days.
            Self::Month => start.plus(31).month_start(),
        }
    }

    fn label(self, start: Day) -> String {
        let text = start.to_string();
        match self {
            Self::Month => text[..7].to_owned(),
            _ => text[5..].to_owned(),
        }
    }
}

/// Pixels needed by a label.
const LABEL: f32 = 64.0;
/// Pixels between the last label and the edge of the picture.
const EDGE: f32 = 4.0;
/// Pixels of a dash and of the gap after it.
const DASH: (u32, u32) = (4, 3);

/// Draws series over the same units, oldest first, with one value per start. Values are in millionths of a MB.
/// `unfinished`: the last unit is not over yet, so the line to it is dashed.
///
/// # Errors
/// [`DrawError`] when the chart cannot be drawn.
pub fn time(
    size: Size,
    unit: Unit,
    starts: &[Day],
    series: &[Vec<i64>],
    mb_of_gb: u32,
    unfinished: bool,
) -> Result<Drawing, DrawError> {
    let place = plot(size, 72.0, 10.0, 14.0, 26.0);
    let most = series.iter().flatten().copied().max().unwrap_or_default();
    let scale = Scale::new(most, mb_of_gb, 4.0);
    let each: Vec<Vec<usize>> = series.iter().map(|values| thin(values, MOST_POINTS)).collect();
    let x = |at: usize| place.left + place.width * share(at, starts.len());
    let y = |units: f64| place.top + place.height * (1.0 - (units / scale.top) as f32);
    let mut drawn = String::new();
    {
        let root = SVGBackend::with_string(&mut drawn, (size.width * SCALE, size.height * SCALE)).into_drawing_area();
        for (at, text) in scale.lines() {
            line(&root, (place.left, y(at)), (place.left + place.width, y(at)))?;
            words(&root, &text, (place.left - 8.0, y(at)), (HPos::Right, VPos::Center))?;
        }
        for at in label_places(starts.len(), place) {
            let (x, anchor) = label_x(x(at), size);
            words(&root, &unit.label(starts[at]), (x, place.top + place.height + 8.0), (anchor, VPos::Top))?;
        }
        for (number, (values, kept)) in series.iter().zip(&each).enumerate() {
            let colour = paint::SERIES[number % paint::SERIES.len()];
            let points: Vec<(i32, i32)> = kept.iter().map(|at| (px(x(*at)), px(y(scale.units(values[*at]))))).collect();
            let ground = px(y(0.0));
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let outline = [(first.0, ground)].into_iter().chain(points.iter().copied()).chain([(last.0, ground)]);
            root.draw(&Polygon::new(outline.collect::<Vec<_>>(), colour.mix(0.12).filled())).map_err(failed)?;
            let style = colour.stroke_width(2 * SCALE);
            // The last two points share the dashed line.
            let (solid, dashed) = match points.len() {
                count @ 2.. if unfinished => (&points[..count - 1], &points[count - 2..]),
                _ => (points.as_slice(), &points[..0]),
            };
            root.draw(&PathElement::new(solid, style)).map_err(failed)?;
            let dashes = DashedPathElement::new(dashed.iter().copied(), DASH.0 * SCALE, DASH.1 * SCALE, style);
            root.draw(&dashes).map_err(failed)?;
            if points.len() == 1 {
                root.draw(&Circle::new(points[0], 3 * SCALE, colour.filled())).map_err(failed)?;
            }
        }
        root.present().map_err(failed)?;
    }
    let mut kept: Vec<usize> = each.into_iter().flatten().collect();
    kept.sort_unstable();
    kept.dedup();
    let at = kept.iter().map(|at| x(*at)).collect();
    Ok(Drawing { svg: for_window(&drawn, size), plot: place, downwards: false, kept, at })
}

/// The position of a value as a share of the width; a single value is in the middle.
fn share(at: usize, count: usize) -> f32 {
    if count < 2 { 0.5 } else { at as f32 / (count - 1) as f32 }
}

/// The place of a label, which is centred below its value. One that the edge of the picture would cut ends there.
fn label_x(x: f32, size: Size) -> (f32, HPos) {
    let edge = size.width as f32 - EDGE;
    if x + LABEL / 2.0 > edge { (edge, HPos::Right) } else { (x, HPos::Center) }
}

/// Indexes of the starts that get a label.
fn label_places(count: usize, place: Plot) -> impl Iterator<Item = usize> {
    let room = ((place.width / LABEL) as usize).max(1);
    (0..count).step_by(count.div_ceil(room).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 900, height: 260 };

    fn days(count: i32) -> Vec<Day> {
        (0..count).map(|day| Day::new(20_000 + day)).collect()
    }

    #[test]
    fn weeks_begin_on_monday_and_months_on_their_first_day() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert_eq!(Unit::Week.start(day("2026-11-22")), day("2026-11-16"));
        assert_eq!(Unit::Week.next(day("2026-11-16")), day("2026-11-23"));
        assert_eq!(Unit::Month.start(day("2026-11-22")), day("2026-11-01"));
        for (month, next) in [("2026-01-01", "2026-02-01"), ("2026-02-01", "2026-03-01"), ("2026-12-01", "2027-01-01")]
        {
            assert_eq!(Unit::Month.next(day(month)), day(next));
        }
    }

    #[test]
    fn every_point_has_its_place_inside_the_plot() {
        for count in [1, 2, 30, 366, 3000] {
            let values: Vec<i64> = (0..i64::from(count)).map(|at| at * 7_000_000 % 90_000_000_000).collect();
            let drawing = time(SIZE, Unit::Day, &days(count), &[values.clone(), values], 1024, true).unwrap();
            assert_eq!(drawing.at.len(), drawing.kept.len());
            let plot = drawing.plot;
            assert!(drawing.at.iter().all(|x| (plot.left..=plot.left + plot.width + 0.01).contains(x)), "{count}");
            assert!(drawing.kept.len() <= 2 * MOST_POINTS);
            assert!(drawing.svg.len() <= 40 * 1024, "{count}: {} bytes", drawing.svg.len());
        }
    }

    #[test]
    fn the_line_to_a_unit_that_is_not_over_is_dashed() {
        let drawn = |count: i32, unfinished: bool| {
            let values = (0..i64::from(count)).map(|at| at * 1_000_000).collect();
            let svg = time(SIZE, Unit::Day, &days(count), &[values], 1024, unfinished).unwrap().svg;
            svg.matches("<polyline").count()
        };
        assert_eq!(drawn(1, true), drawn(1, false), "one value has no line");
        for count in [2, 30] {
            assert!(drawn(count, true) > drawn(count, false) + 1, "{count} days");
        }
    }

    #[test]
    fn no_label_reaches_over_the_edge() {
        assert!(matches!(label_x(400.0, SIZE), (400.0, HPos::Center)));
        assert!(matches!(label_x(880.0, SIZE), (896.0, HPos::Right)));
    }

    #[test]
    fn nothing_is_drawn_as_an_empty_frame() {
        let drawing = time(SIZE, Unit::Day, &[], &[vec![], vec![]], 1024, true).unwrap();
        assert!(drawing.at.is_empty() && drawing.svg.starts_with("<svg"));
    }

    #[test]
    fn the_picture_has_no_colour_of_its_own_and_no_style_until_it_is_a_file() {
        let drawing = time(SIZE, Unit::Week, &days(9), &[vec![5; 9], vec![7; 9]], 1024, true).unwrap();
        assert!(!drawing.svg.contains('#') && !drawing.svg.contains("style"), "{}", drawing.svg);
        let file = paint::for_file(&drawing.svg);
        assert!(!file.contains("var(") && file.contains("xmlns"), "{file}");
    }
}
