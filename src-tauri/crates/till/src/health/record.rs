//! Everything that was learned about one vendor, and what of it has changed. Pure: times are parameters, ms since 1970
//! by this computer's clock.

use std::collections::BTreeMap;
use std::time::Duration;

use client::Heard;
use operations::{GbFactor, Learned};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;
use wire::ids::OrderNo;
use wire::time::WrittenTime;

use super::capability::{Capability, Finding};

/// Whether the service answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Reach {
    /// Whether it did the last time.
    pub reached: bool,
    /// Since when this is so.
    pub since: i64,
    /// When it was last seen.
    pub at: i64,
}

/// Time from a request to its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Latency {
    /// Milliseconds.
    pub ms: i64,
    /// When it was measured.
    pub at: i64,
}

/// Where the vendor's time was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ClockSource {
    /// `main/ping`.
    Ping,
    /// The time that every answer of the static-IP area carries.
    Answer,
}

/// The vendor's clock, compared with this computer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClockSeen {
    /// Vendor minus computer, ms.
    pub difference: i64,
    /// Where it was read.
    pub source: ClockSource,
    /// When it was compared.
    pub at: i64,
}

/// How a token is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenSeen {
    /// Whether the vendor took it the last time.
    pub accepted: bool,
    /// Since when this is so.
    pub since: i64,
    /// When it was last seen.
    pub at: i64,
}

/// How many rows the vendor puts on a page of the list of customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PageSize {
    /// Rows that came.
    pub rows: i64,
    /// Rows that were asked for.
    pub asked: i64,
    /// Whether more rows follow, so that this is the vendor's limit.
    pub limited: bool,
    /// When it was seen.
    pub at: i64,
}

/// The zone of the vendor's times, from an order whose moment is known here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ZoneSeen {
    /// Minutes east of UTC.
    pub minutes: i32,
    /// The order.
    pub order_no: OrderNo,
    /// When it was learned.
    pub at: i64,
}

/// What is known of a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CapabilitySeen {
    pub(crate) finding: Finding,
    pub(crate) at: i64,
    /// The vendor's day of the probe.
    pub(crate) day: Day,
}

/// A learned value that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Changed {
    /// A capability came, went or changed its shape.
    Capability {
        /// Which.
        capability: Capability,
        /// Before.
        from: Finding,
        /// Now.
        to: Finding,
    },
    /// The rows of a page.
    PageSize {
        /// Before.
        from: i64,
        /// Now.
        to: i64,
    },
    /// The zone of its times, minutes east of UTC.
    Zone {
        /// Before.
        from: i32,
        /// Now.
        to: i32,
    },
    /// MB of one GB.
    GbFactor {
        /// Before.
        from: GbFactor,
        /// Now.
        to: GbFactor,
    },
    /// Its word for a recharge.
    Word {
        /// Before.
        from: String,
        /// Now.
        to: String,
    },
}

/// A change, and when it was noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Change {
    /// When.
    pub at: i64,
    /// What.
    pub changed: Changed,
}

/// What moves of traffic have taught, as far as it can change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Taught {
    factor: GbFactor,
    word: String,
}

/// Which of the two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Static,
    Agent,
}

/// Everything that was learned about one vendor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Record {
    pub(crate) reach: Option<Reach>,
    pub(crate) latency: Option<Latency>,
    pub(crate) clock: Option<ClockSeen>,
    pub(crate) static_token: Option<TokenSeen>,
    pub(crate) agent_token: Option<TokenSeen>,
    pub(crate) page_size: Option<PageSize>,
    pub(crate) zone: Option<ZoneSeen>,
    pub(crate) taught: Option<Taught>,
    pub(crate) capabilities: BTreeMap<Capability, CapabilitySeen>,
    /// Changes that nobody has read yet, oldest first.
    pub(crate) changes: Vec<Change>,
}

/// Changes beyond this many are dropped, the oldest first.
const CHANGES_KEPT: usize = 50;
/// For this long, in ms, a comparison by ping is better than one by an answer.
const PING_HOLDS: i64 = 24 * 3_600_000;

impl Record {
    /// Takes a sign of life, or of none.
    pub(crate) fn hear(&mut self, token: Token, heard: Heard, took: Option<Duration>, at: i64) {
        let reached = heard != Heard::Nothing;
        let since = self.reach.filter(|before| before.reached == reached).map_or(at, |before| before.since);
        self.reach = Some(Reach { reached, since, at });
        if let Some(took) = took {
            self.latency = Some(Latency { ms: took.as_millis() as i64, at });
        }
        let accepted = match heard {
            Heard::Answered => true,
            Heard::TurnedAway => false,
            Heard::Something | Heard::Nothing => return,
        };
        let seen = match token {
            Token::Static => &mut self.static_token,
            Token::Agent => &mut self.agent_token,
        };
        let since = seen.filter(|before| before.accepted == accepted).map_or(at, |before| before.since);
        *seen = Some(TokenSeen { accepted, since, at });
    }

    /// Compares the vendor's time (ms since 1970) with the moment when it came, after `took`.
    pub(crate) fn compare_clocks(&mut self, source: ClockSource, vendor: i64, took: Duration, at: i64) {
        let by_ping = self.clock.filter(|clock| clock.source == ClockSource::Ping && at - clock.at < PING_HOLDS);
        if source == ClockSource::Ping || by_ping.is_none() {
            let halfway = at - took.as_millis() as i64 / 2;
            self.clock = Some(ClockSeen { difference: vendor - halfway, source, at });
        }
    }

    /// Takes what a probe found. What was decided before stays when nothing is decided now.
    pub(crate) fn find(&mut self, capability: Capability, finding: Finding, day: Day, at: i64) {
        let before = self.capabilities.get(&capability).copied();
        if before.is_some_and(|before| before.finding.is_decided()) && !finding.is_decided() {
            return;
        }
        if let Some(before) = before.filter(|before| before.finding.is_decided() && before.finding != finding) {
            self.change(Changed::Capability { capability, from: before.finding, to: finding }, at);
        }
        self.capabilities.insert(capability, CapabilitySeen { finding, at, day });
    }

    /// Whether to probe a capability: once a day. One without an answer is tried again, and one that there was nothing
    /// to try with once there is (`has_sample`).
    pub(crate) fn is_due(&self, capability: Capability, day: Day, has_sample: bool) -> bool {
        self.capabilities.get(&capability).is_none_or(|seen| match seen.finding {
            Finding::Unanswered => true,
            Finding::Untried => has_sample || seen.day != day,
            _ => seen.day != day,
        })
    }

    pub(crate) fn finding(&self, capability: Capability) -> Option<Finding> {
        self.capabilities.get(&capability).map(|seen| seen.finding)
    }

    /// Takes the length of a page. A short list says nothing against a limit that was met before.
    pub(crate) fn see_page(&mut self, seen: PageSize) {
        let before = self.page_size;
        if before.is_some_and(|before| before.limited && !seen.limited && seen.rows <= before.rows) {
            return;
        }
        if let Some(before) = before.filter(|before| before.limited && before.rows != seen.rows) {
            self.change(Changed::PageSize { from: before.rows, to: seen.rows }, seen.at);
        }
        self.page_size = Some(seen);
    }

    pub(crate) fn see_zone(&mut self, seen: ZoneSeen) {
        let before = self.zone.clone();
        if let Some(before) = before.filter(|before| before.minutes != seen.minutes) {
            self.change(Changed::Zone { from: before.minutes, to: seen.minutes }, seen.at);
        } else if self.zone.is_some() {
            return;
        }
        self.zone = Some(seen);
    }

    /// Takes what moves of traffic have taught.
    pub(crate) fn see_taught(&mut self, learned: &Learned, at: i64) {
        let now = Taught { factor: learned.factor, word: learned.word.clone() };
        if let Some(before) = self.taught.replace(now.clone()).filter(|before| *before != now) {
            if before.factor != now.factor {
                self.change(Changed::GbFactor { from: before.factor, to: now.factor }, at);
            }
            if before.word != now.word {
                self.change(Changed::Word { from: before.word, to: now.word }, at);
            }
        }
    }

    fn change(&mut self, changed: Changed, at: i64) {
        self.changes.push(Change { at, changed });
        let excess = self.changes.len().saturating_sub(CHANGES_KEPT);
        self.changes.drain(..excess);
    }
}

/// How far, in minutes, the vendor's clock and the time of delivery may be apart when a zone is read from them.
const SLACK: i64 = 6;

/// The zone in which the vendor wrote a time without one, from the moment that it means (ms since 1970). `None` if the
/// two do not fit any zone.
pub(crate) fn zone_of(written: &str, moment: i64) -> Option<i32> {
    let text = written.trim();
    // A count, or a time with a zone of its own, tells nothing.
    let is_civil =
        text.len() >= 19 && text.contains([' ', 'T']) && !text.ends_with('Z') && !text[19..].contains(['+', '-']);
    let as_utc = WrittenTime(text.to_owned()).millis(0).filter(|_| is_civil)?;
    let minutes = (as_utc - moment).div_euclid(60_000);
    let nearest = (minutes + 7).div_euclid(15) * 15;
    let fits = (minutes - nearest).abs() <= SLACK && (-720..=840).contains(&nearest);
    i32::try_from(nearest).ok().filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Finding::{Absent, OtherShape, Present, Unanswered, Untried};

    const DAY: Day = Day::new(20_000);

    fn found(findings: &[Finding]) -> Record {
        let mut record = Record::default();
        for (at, finding) in (0..).zip(findings) {
            record.find(Capability::IpList, *finding, DAY, at);
        }
        record
    }

    #[test]
    fn a_failed_network_never_changes_what_is_known_and_a_change_is_told() {
        let cases: [(&[Finding], Finding, usize); 7] = [
            (&[Unanswered], Unanswered, 0),
            (&[Unanswered, Present], Present, 0),
            (&[Present, Unanswered, Untried, Present], Present, 0),
            (&[Absent, Unanswered], Absent, 0),
            (&[Absent, Present], Present, 1),
            (&[Present, Absent, Present], Present, 2),
            (&[Present, OtherShape], OtherShape, 1),
        ];
        for (findings, expected, changes) in cases {
            let record = found(findings);
            assert_eq!(record.finding(Capability::IpList), Some(expected), "{findings:?}");
            assert_eq!(record.changes.len(), changes, "{findings:?}");
        }
    }

    #[test]
    fn a_capability_is_due_once_a_day_or_when_it_could_not_be_told() {
        let tomorrow = DAY.plus(1);
        let due = |finding: Finding, day, sample| found(&[finding]).is_due(Capability::IpList, day, sample);
        assert!(Record::default().is_due(Capability::Ping, DAY, false));
        for decided in [Present, Absent, OtherShape] {
            assert!(!due(decided, DAY, true) && due(decided, tomorrow, false), "{decided:?}");
        }
        assert!(due(Unanswered, DAY, false));
        assert!(!due(Untried, DAY, false) && due(Untried, DAY, true) && due(Untried, tomorrow, false));
    }

    #[test]
    fn since_when_stays_until_it_changes() {
        let mut record = Record::default();
        let took = Some(Duration::from_millis(40));
        for (heard, at) in [(Heard::Answered, 1), (Heard::Answered, 2), (Heard::Something, 3), (Heard::Nothing, 4)] {
            record.hear(Token::Agent, heard, took.filter(|_| heard != Heard::Nothing), at);
        }
        assert_eq!(record.agent_token, Some(TokenSeen { accepted: true, since: 1, at: 2 }));
        assert_eq!(record.reach, Some(Reach { reached: false, since: 4, at: 4 }));
        assert_eq!((record.latency, record.static_token), (Some(Latency { ms: 40, at: 3 }), None));
        record.hear(Token::Agent, Heard::TurnedAway, took, 5);
        assert_eq!(record.agent_token, Some(TokenSeen { accepted: false, since: 5, at: 5 }));
    }

    #[test]
    fn the_way_of_the_answer_is_not_taken_for_a_wrong_clock_and_a_ping_counts_more() {
        let mut record = Record::default();
        record.compare_clocks(ClockSource::Answer, 10_000, Duration::from_millis(400), 10_200);
        assert_eq!(record.clock.unwrap().difference, 0);
        record.compare_clocks(ClockSource::Ping, 13_000, Duration::ZERO, 10_000);
        record.compare_clocks(ClockSource::Answer, 10_000, Duration::ZERO, 10_001);
        assert_eq!((record.clock.unwrap().difference, record.clock.unwrap().source), (3_000, ClockSource::Ping));
        record.compare_clocks(ClockSource::Answer, PING_HOLDS * 2, Duration::ZERO, PING_HOLDS * 2);
        assert_eq!(record.clock.unwrap().source, ClockSource::Answer, "an old ping no longer counts");
    }

    #[test]
    fn a_page_limit_that_was_met_stays_until_another_one_is_met_or_more_rows_come() {
        let page = |rows, limited| PageSize { rows, asked: 100, limited, at: 0 };
        let mut record = Record::default();
        record.see_page(page(7, false));
        record.see_page(page(10, true));
        assert!(record.changes.is_empty(), "a first limit is no change");
        record.see_page(page(8, false));
        assert_eq!(record.page_size, Some(page(10, true)));
        record.see_page(page(50, true));
        record.see_page(page(60, false));
        let told: Vec<Changed> = record.changes.into_iter().map(|change| change.changed).collect();
        assert_eq!(told, [Changed::PageSize { from: 10, to: 50 }, Changed::PageSize { from: 50, to: 60 }]);
    }

    #[test]
    fn a_zone_is_read_from_a_time_without_one_and_a_known_moment() {
        // 2026-07-13T09:24:21Z
        let moment = 1_783_934_661_000;
        for (written, expected) in [
            ("2026-07-13 17:24:21", Some(480)),
            ("2026-07-13T17:26:30", Some(480)),
            ("2026-07-13 09:22:00", Some(0)),
            ("2026-07-13 06:24:21", Some(-180)),
            ("2026-07-13 14:54:21", Some(330)),
            ("2026-07-13 17:32:00", None),
            ("2026-07-14 17:24:21", None),
            ("2026-07-13T17:24:21+08:00", None),
            ("2026-07-13T09:24:21Z", None),
            ("1783934661000", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(zone_of(written, moment), expected, "{written}");
        }
    }

    #[test]
    fn what_moves_teach_anew_is_told() {
        let learned = |factor, word: &str| Learned {
            factor,
            word: word.into(),
            lag: 0,
            operation: operations::OperationId("1".into()),
            at: 0,
        };
        let mut record = Record::default();
        record.see_taught(&learned(GbFactor::Binary, "充值"), 1);
        record.see_taught(&learned(GbFactor::Binary, "充值"), 2);
        assert!(record.changes.is_empty());
        record.see_taught(&learned(GbFactor::Thousand, "Top-up"), 3);
        assert_eq!(record.changes.len(), 2);
    }

    #[test]
    fn a_record_is_the_same_when_read_again_and_an_older_one_can_be_read() {
        let mut record = found(&[Absent, Present]);
        record.hear(Token::Static, Heard::Answered, None, 7);
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
        assert_eq!(serde_json::from_str::<Record>("{}").unwrap(), Record::default());
    }
}
