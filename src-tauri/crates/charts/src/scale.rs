//! The scale of amounts: round steps, in MB or GB as elsewhere on the page.

const MILLION: f64 = 1_000_000.0;

/// A scale that starts at zero.
pub(crate) struct Scale {
    /// The largest value, in units.
    pub(crate) top: f64,
    /// Distance between two lines, in units.
    pub(crate) step: f64,
    /// MB in one unit.
    mb: f64,
    word: &'static str,
}

impl Scale {
    /// Makes a scale for values up to `most` millionths of a MB, in about `steps` steps.
    pub(crate) fn new(most: i64, mb_of_gb: u32, steps: f64) -> Self {
        let gb = f64::from(mb_of_gb);
        let most = (most.max(0) as f64 / MILLION).max(1.0);
        let (mb, word) = if most >= gb { (gb, "GB") } else { (1.0, "MB") };
        let step = round_up(most / mb / steps);
        Self { top: (most / mb / step).ceil() * step, step, mb, word }
    }

    /// Converts millionths of a MB to units.
    pub(crate) fn units(&self, micro: i64) -> f64 {
        micro as f64 / MILLION / self.mb
    }

    /// The lines with their labels.
    pub(crate) fn lines(&self) -> Vec<(f64, String)> {
        let count = (self.top / self.step).round() as u32;
        (0..=count)
            .map(|line| {
                let at = f64::from(line) * self.step;
                (at, format!("{} {}", plain(at, self.step), self.word))
            })
            .collect()
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_up(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|round| *round >= step * 0.999).unwrap_or(step)
}

fn plain(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_round_and_reach_over_the_largest_value() {
        let cases = [
            (0, 1024, "0.0 MB", "1.0 MB"),
            (900_000_000, 1024, "0 MB", "1000 MB"),
            (5 * 1024 * 1_000_000, 1024, "0 GB", "6 GB"),
            (5_000_000_000, 1000, "0 GB", "6 GB"),
            (1_800_000_000, 1024, "0.0 GB", "2.0 GB"),
            (3_500_000 * 1_000_000, 1024, "0 GB", "4000 GB"),
        ];
        for (most, mb_of_gb, first, last) in cases {
            let scale = Scale::new(most, mb_of_gb, 4.0);
            let lines = scale.lines();
            assert_eq!((lines[0].1.as_str(), lines.last().unwrap().1.as_str()), (first, last), "{most}");
            assert!(scale.top >= scale.units(most) && (3..=7).contains(&lines.len()), "{most}: {lines:?}");
        }
    }
}
