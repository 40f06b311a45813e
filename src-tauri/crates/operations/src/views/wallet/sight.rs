//! Whether something happened before or after a person saw the balance. The wall clock alone does not decide: it may
//! have been set since, and a time is typed to the minute. What was recorded after the balance was typed happened after
//! it was seen, whatever the clock says. Everything else is placed by the clock, and is unclear where the clock does
//! not tell.

use crate::journal::wallet::Entry;

/// In ms.
const MINUTE: i64 = 60_000;

/// When something was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// The number of its event.
    pub(super) number: i64,
    /// Wall clock, ms since 1970.
    pub(super) wall: i64,
}

/// Where a moment is, seen from the balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Before,
    /// It may be either.
    Unclear,
    After,
}

/// When the balance was seen.
pub(super) struct Sight {
    /// Not before this, wall clock, ms since 1970.
    from: i64,
    /// Not after this, wall clock, ms since 1970.
    until: i64,
    typed: i64,
    position: Option<i64>,
    /// For each event before the balance was typed, newest first, its number and the lowest wall time from it on.
    lowest: Vec<(i64, i64)>,
}

impl Sight {
    pub(super) fn of(balance: &Entry) -> Self {
        // An earlier version stored a time that was typed to the minute as the start of that minute.
        let earlier = || if balance.at % MINUTE == 0 { balance.at + MINUTE - 1 } else { balance.at };
        Self {
            from: balance.at,
            until: balance.until.unwrap_or_else(earlier).min(balance.typed),
            typed: balance.typed,
            position: balance.position,
            lowest: Vec::new(),
        }
    }

    /// The last moment at which the balance may have been seen, wall clock, ms since 1970.
    pub(super) fn until(&self) -> i64 {
        self.until
    }

    /// The events that tell whether the clock was set back between any of these moments and the balance: the numbers of
    /// the first and the last. `None`: the moments are placed without them.
    pub(super) fn needs(&self, moments: impl Iterator<Item = Moment>) -> Option<(i64, i64)> {
        let last = self.position?;
        let late = moments.filter(|moment| moment.number <= last && moment.wall > self.from);
        Some((late.map(|moment| moment.number).min()?, last))
    }

    /// Takes over the wall times of events, newest first.
    pub(super) fn with(mut self, walls: &[(i64, i64)]) -> Self {
        let mut lowest = self.typed;
        for (number, wall) in walls {
            lowest = lowest.min(*wall);
            self.lowest.push((*number, lowest));
        }
        self
    }

    /// Places what has an event.
    pub(super) fn place(&self, moment: Moment) -> Place {
        if self.position.is_some_and(|position| moment.number > position) {
            Place::After
        } else {
            self.place_recorded(moment)
        }
    }

    /// Places what was recorded before the balance was typed. If the clock was set back in between, by an unknown span,
    /// a late time proves nothing, but an early one does: by the new clock it would be earlier still.
    pub(super) fn place_recorded(&self, moment: Moment) -> Place {
        if moment.wall <= self.from {
            Place::Before
        } else if moment.wall > self.until && !self.was_set_back_since(moment) {
            Place::After
        } else {
            Place::Unclear
        }
    }

    /// Whether anything that was recorded later, up to the typing of the balance, has an earlier time.
    fn was_set_back_since(&self, moment: Moment) -> bool {
        let later = self.lowest.partition_point(|(number, _)| *number >= moment.number);
        let lowest = later.checked_sub(1).map_or(self.typed, |at| self.lowest[at].1);
        // Without a position the order of recording is not known, and the clock is believed.
        self.position.is_some() && lowest < moment.wall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::wallet::Typed;

    /// A balance that was seen from 100 to 159, and typed at 300 after event 30.
    fn balance() -> Entry {
        Entry {
            what: Typed::Balance,
            amount: "1".parse().unwrap(),
            at: 100,
            until: Some(159),
            typed: 300,
            position: Some(30),
            currency: String::new(),
            fingerprint: None,
        }
    }

    fn at(number: i64, wall: i64) -> Moment {
        Moment { number, wall }
    }

    #[test]
    fn what_was_recorded_before_is_placed_by_the_clock_and_is_unclear_within_the_typed_time() {
        let sight = Sight::of(&balance());
        let places = [99, 100, 101, 159, 160, 300].map(|wall| sight.place(at(5, wall)));
        use Place::{After, Before, Unclear};
        assert_eq!(places, [Before, Before, Unclear, Unclear, After, After]);
    }

    #[test]
    fn what_was_recorded_after_it_was_typed_came_after_whatever_the_clock_says() {
        let sight = Sight::of(&balance());
        assert_eq!([1, 120, 400].map(|wall| sight.place(at(31, wall))), [Place::After; 3]);
    }

    #[test]
    fn a_clock_that_was_set_back_before_the_balance_was_typed_makes_what_came_first_unclear() {
        let sight = Sight::of(&balance()).with(&[(9, 290), (7, 170), (6, 200), (5, 250)]);
        assert_eq!([at(5, 250), at(6, 200)].map(|of| sight.place(of)), [Place::Unclear; 2], "a later event is earlier");
        assert_eq!([at(7, 170), at(9, 290)].map(|of| sight.place(of)), [Place::After; 2], "nothing went back since");
        assert_eq!(sight.place(at(5, 99)), Place::Before, "it was even earlier by the new clock");
        assert_eq!(Sight::of(&balance()).place(at(5, 301)), Place::Unclear, "the typing itself shows it");
    }

    #[test]
    fn only_moments_that_the_clock_places_late_need_other_events() {
        let sight = Sight::of(&balance());
        let needs = |moments: &[Moment]| sight.needs(moments.iter().copied());
        assert_eq!(needs(&[at(3, 100), at(31, 400)]), None);
        assert_eq!(needs(&[at(3, 100), at(8, 200), at(6, 120)]), Some((6, 30)));
    }

    #[test]
    fn of_an_earlier_version_a_whole_minute_is_a_typed_time_and_the_clock_alone_tells() {
        let of = |at| Sight::of(&Entry { at, until: None, typed: 200_000, position: None, ..balance() });
        assert_eq!((of(60_000).until(), of(60_001).until()), (119_999, 60_001));
        assert_eq!(of(60_000).place(at(999, 59_000)), Place::Before);
        assert_eq!(of(60_000).place(at(1, 300_000)), Place::After);
    }
}
