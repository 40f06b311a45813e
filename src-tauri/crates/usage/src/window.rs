//! A span of days that is read as one: from its first page to the check of its count.

use serde::Serialize;
use ts_rs::TS;
use wire::Day;

/// First and last day, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(rename = "Days")]
pub struct Window {
    /// First day.
    pub from: Day,
    /// Last day.
    pub to: Day,
}

impl Window {
    /// The month that holds a day.
    pub fn month_of(day: Day) -> Self {
        let from = day.month_start();
        Self { from, to: from.plus(31).month_start().plus(-1) }
    }

    /// The month before this one.
    pub fn month_before(self) -> Self {
        Self::month_of(self.from.plus(-1))
    }

    /// Its two halves; of a single day the second is empty.
    pub fn halves(self) -> [Self; 2] {
        let middle = Day::new(self.from.days().midpoint(self.to.days()));
        [Self { to: middle, ..self }, Self { from: middle.plus(1), ..self }]
    }

    /// The months that it touches, by their first days.
    pub fn months(self) -> impl Iterator<Item = Day> {
        let last = self.to.month_start();
        std::iter::successors(Some(self.from.month_start()), |month| Some(month.plus(31).month_start()))
            .take_while(move |month| *month <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(from: &str, to: &str) -> Window {
        Window { from: from.parse().unwrap(), to: to.parse().unwrap() }
    }

    #[test]
    fn months_follow_one_another_backwards_without_gap() {
        let leap = Window::month_of("2024-02-11".parse().unwrap());
        assert_eq!(leap, window("2024-02-01", "2024-02-29"));
        assert_eq!(leap.month_before(), window("2024-01-01", "2024-01-31"));
        assert_eq!(leap.month_before().month_before(), window("2023-12-01", "2023-12-31"));
    }

    #[test]
    fn halves_are_the_whole() {
        let [first, second] = window("2026-01-01", "2026-01-31").halves();
        assert_eq!((first.from.to_string().as_str(), second.to.to_string().as_str()), ("2026-01-01", "2026-01-31"));
        assert_eq!(first.to.plus(1), second.from);
        let [first, second] = window("2026-01-01", "2026-01-02").halves();
        assert_eq!((first.from, second.from), (first.to, second.to));
    }

    #[test]
    fn a_window_tells_the_months_that_it_touches() {
        let months: Vec<_> = window("2025-12-30", "2026-02-01").months().map(|day| day.to_string()).collect();
        assert_eq!(months, ["2025-12-01", "2026-01-01", "2026-02-01"]);
    }
}
