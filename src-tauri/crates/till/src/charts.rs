//! Charts: drawn here from the rows of a view, saved as files.

use charts::{Drawing, Size, Unit};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::{Amount, Day, MicroMb};

use crate::Till;
use crate::downloads;
use crate::error::CommandError;
use crate::saved_files::SavedKind;

/// The amounts of a day, or of one customer.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ChartRow {
    /// The day, or the customer's id.
    pub key: String,
    /// The last day that the row covers; empty for a row that is not about a time.
    #[serde(default)]
    pub last: String,
    /// The name; empty for a day.
    pub name: String,
    /// One amount per series, MB.
    pub values: Vec<Amount>,
}

/// A chart to draw.
#[derive(Debug, Deserialize, TS)]
pub struct ChartRequest {
    /// The time that one point covers; `None` draws a bar for each row.
    pub unit: Option<Unit>,
    /// Days, in any order; or bars, the largest first.
    pub rows: Vec<ChartRow>,
    /// The first and the last day, drawn as zero where there is no row. `None` takes them from the rows.
    pub span: Option<(Day, Day)>,
    /// Number of series.
    pub series: usize,
    /// The name of the bar that the smaller rows share.
    pub rest: String,
    /// The width, in CSS pixels.
    pub width: u32,
    /// The height, in CSS pixels.
    pub height: u32,
}

/// A chart with the rows that it shows.
#[derive(Debug, Serialize, TS)]
pub struct ChartView {
    /// The picture and its geometry.
    pub drawing: Drawing,
    /// All rows of the chart, in its order: its table.
    pub rows: Vec<ChartRow>,
    /// The places of the rows that are points of the picture, in order.
    pub points: Vec<usize>,
    /// Whether the last row is about a time that is not over yet, in the vendor's zone.
    pub unfinished: bool,
}

/// Millionths of a MB; 0 for an amount that they cannot express.
fn micro(amount: Amount) -> i64 {
    amount.to_string().parse::<MicroMb>().unwrap_or_default().micro
}

/// The number of bars before the one that the rest shares.
const BARS: usize = 10;
/// The longest span: a hundred years would be a typing error.
const MOST_DAYS: i32 = 36_600;
const MOST_PIXELS: u32 = 4000;

/// Draws a chart, with its table.
pub async fn draw_chart(till: &Till, asked: ChartRequest) -> Result<ChartView, CommandError> {
    let session = till.session().await?;
    let factor = session.gb_factor()?.into();
    let size = Size { width: asked.width.clamp(200, MOST_PIXELS), height: asked.height.clamp(120, MOST_PIXELS) };
    let drawn = match asked.unit {
        Some(unit) => over_time(asked, unit, size, factor, session.today()),
        None => by_name(asked, size, factor),
    };
    drawn.map_err(|error| CommandError::internal(&error))
}

fn over_time(
    asked: ChartRequest,
    unit: Unit,
    size: Size,
    factor: u32,
    today: Day,
) -> Result<ChartView, charts::DrawError> {
    let series = asked.series.max(1);
    let rows: Vec<(Day, ChartRow)> =
        asked.rows.into_iter().filter_map(|row| Some((row.key.parse().ok()?, row))).collect();
    let days = rows.iter().map(|row| row.0);
    let (from, to) = asked.span.or(days.clone().min().zip(days.max())).unwrap_or_default();
    let mut starts = Vec::new();
    let mut at = unit.start(from);
    while at <= to && at.days() - from.days() <= MOST_DAYS {
        starts.push(at);
        at = unit.next(at);
    }
    let mut sums = vec![vec![0i64; starts.len()]; series];
    for (day, row) in &rows {
        let Ok(place) = starts.binary_search(&unit.start(*day)) else { continue };
        for (sum, value) in sums.iter_mut().zip(&row.values) {
            sum[place] = sum[place].saturating_add(micro(*value));
        }
    }
    let unfinished = starts.last().is_some_and(|last| (*last..unit.next(*last)).contains(&today));
    let drawing = charts::time(size, unit, &starts, &sums, factor, unfinished)?;
    let row = |(at, start): (usize, &Day)| ChartRow {
        key: start.to_string(),
        last: unit.next(*start).plus(-1).min(to).to_string(),
        name: String::new(),
        values: sums.iter().map(|sum| MicroMb::new(sum[at]).amount()).collect(),
    };
    let rows = starts.iter().enumerate().map(row).collect();
    Ok(ChartView { points: drawing.kept.clone(), drawing, rows, unfinished })
}

/// Draws the ten largest and the rest as one bar; up to eleven rows get a bar each.
fn by_name(asked: ChartRequest, size: Size, factor: u32) -> Result<ChartView, charts::DrawError> {
    let series = asked.series.max(1);
    let mut points = asked.rows;
    if points.len() > BARS + 1 {
        let rest = points.split_off(BARS);
        let sum = |at: usize| {
            let values = rest.iter().filter_map(|row| row.values.get(at));
            MicroMb::new(values.fold(0i64, |sum, value| sum.saturating_add(micro(*value)))).amount()
        };
        let values = (0..series).map(sum).collect();
        points.push(ChartRow { key: String::new(), last: String::new(), name: asked.rest, values });
    }
    let names: Vec<String> = points.iter().map(|row| row.name.clone()).collect();
    let of = |at: usize| points.iter().map(|row| row.values.get(at).map_or(0, |value| micro(*value))).collect();
    let sums: Vec<Vec<i64>> = (0..series).map(of).collect();
    let drawing = charts::bars(size, &names, &sums, factor)?;
    Ok(ChartView { points: drawing.kept.clone(), drawing, rows: points, unfinished: false })
}

/// A chart to save.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ChartFile {
    /// The picture as it was drawn.
    Svg {
        /// The name of the file, without its ending.
        name: String,
        /// The picture, as `draw_chart` returned it.
        svg: String,
    },
    /// The picture, painted by the window.
    Png {
        /// The name of the file, without its ending.
        name: String,
        /// The file's bytes.
        bytes: Vec<u8>,
    },
}

/// Saves a chart. Returns the path of the file.
pub async fn save_chart(till: &Till, file: ChartFile) -> Result<String, CommandError> {
    match file {
        ChartFile::Svg { name, svg } => {
            downloads::save(till, SavedKind::Chart, &name, "svg", charts::paint::for_file(&svg).as_bytes())
        }
        ChartFile::Png { name, bytes } => downloads::save(till, SavedKind::Chart, &name, "png", &bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &str, up: i64, down: i64) -> ChartRow {
        ChartRow {
            key: key.into(),
            last: String::new(),
            name: key.into(),
            values: [up, down].map(|one| MicroMb::new(one).amount()).to_vec(),
        }
    }

    fn asked(unit: Option<Unit>, rows: Vec<ChartRow>, span: Option<(&str, &str)>) -> ChartRequest {
        let span = span.map(|(from, to)| (from.parse().unwrap(), to.parse().unwrap()));
        ChartRequest { unit, rows, span, series: 2, rest: "The rest".into(), width: 900, height: 260 }
    }

    const SIZE: Size = Size { width: 900, height: 260 };
    /// 2026-11-23
    const TODAY: Day = Day::new(20_780);

    #[test]
    fn a_chart_is_unfinished_while_today_is_in_its_last_unit() {
        let unfinished = |unit: Unit, to: &str| {
            let asked = asked(Some(unit), Vec::new(), Some(("2026-09-01", to)));
            over_time(asked, unit, SIZE, 1024, TODAY).unwrap().unfinished
        };
        for unit in [Unit::Day, Unit::Week, Unit::Month] {
            assert!(unfinished(unit, "2026-11-23"));
            assert!(!unfinished(unit, "2026-10-31") && !unfinished(unit, "2026-12-31"));
        }
        assert!(!unfinished(Unit::Day, "2026-11-22"));
    }

    #[test]
    fn days_are_summed_into_their_weeks_and_days_without_rows_are_zero() {
        let rows = vec![row("2026-11-17", 1, 10), row("2026-11-22", 2, 20), row("2026-11-23", 4, 40)];
        let week = asked(Some(Unit::Week), rows.clone(), Some(("2026-11-16", "2026-12-01")));
        let view = over_time(week, Unit::Week, SIZE, 1024, TODAY).unwrap();
        let told: Vec<_> = view.rows.iter().map(|one| (one.key.as_str(), micro(one.values[1]))).collect();
        assert_eq!(told, [("2026-11-16", 30), ("2026-11-23", 40), ("2026-11-30", 0)]);
        let last: Vec<_> = view.rows.iter().map(|one| one.last.as_str()).collect();
        assert_eq!(last, ["2026-11-22", "2026-11-29", "2026-12-01"], "the last one ends with the span");
        let day = asked(Some(Unit::Day), rows, None);
        assert_eq!(over_time(day, Unit::Day, SIZE, 1024, TODAY).unwrap().rows.len(), 7);
    }

    #[test]
    fn the_table_of_a_chart_holds_every_day_even_where_the_picture_does_not() {
        let first = "2020-01-01".parse::<Day>().unwrap();
        let rows = (0..1500).map(|day| row(&first.plus(day).to_string(), i64::from(day % 17), i64::from(day % 5)));
        let view = over_time(asked(Some(Unit::Day), rows.collect(), None), Unit::Day, SIZE, 1024, TODAY).unwrap();
        assert_eq!(view.rows.len(), 1500);
        assert!(view.points.len() <= 800 && view.points.len() == view.drawing.at.len());
    }

    #[test]
    fn the_eleventh_customer_and_those_behind_share_a_bar() {
        let rows = (0..25).map(|at| row(&format!("c{at}"), 1, 100 - at)).collect();
        let view = by_name(asked(None, rows, None), SIZE, 1024).unwrap();
        assert_eq!(view.rows.len(), 11);
        let rest = &view.rows[10];
        assert_eq!((rest.name.as_str(), micro(rest.values[0])), ("The rest", 15));
        assert_eq!(micro(rest.values[1]), (10..25).map(|at| 100 - at).sum::<i64>());
    }
}
