//! Everything that was learned about one vendor, and what of it has changed. Pure: times are parameters, ms since 1970
//! by this computer's clock.

use std::collections::BTreeMap;
use std::time::Duration;

use client::Heard;
use operations::{GbFactor, Learned, OperationId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;
use wire::ids::OrderNo;
use wire::time::WrittenTime;

use super::capability::{Capability, Finding};
use crate::connections::Polarity;

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

/// What a person's check of a disabled customer's proxies showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PolaritySeen {
    /// The meaning of 0 and 1.
    pub polarity: Polarity,
    /// The operation that disabled the customer.
    pub operation: OperationId,
    /// When the person answered.
    pub at: i64,
}

/// What is known of a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CapabilitySeen {
    pub(crate) finding: Finding,
    pub(crate) at: i64,
    /// The vendor's day of the probe.
    pub(crate) day: Day,
    /// The last probe, also if it decided nothing.
    #[serde(default)]
    tried: Option<Tried>,
}

/// A probe, and how often the same was probed on its day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tried {
    day: Day,
    at: i64,
    times: u32,
}

impl Tried {
    /// Whether the next one has to wait: the third time of a day for half an hour, then twice as long each time, up to
    /// six hours.
    fn rests(self, day: Day, at: i64) -> bool {
        const FIRST: i64 = 30 * 60_000;
        const LONGEST: i64 = 6 * 3_600_000;
        let pause = match self.times {
            ..=1 => 0,
            times => (FIRST << (times - 2).min(4)).min(LONGEST),
        };
        // A clock that was set back makes no pause last for longer.
        self.day == day && (0..pause).contains(&(at - self.at))
    }
}

/// A learned value that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Changed {
    /// A capability came, went or changed its shape.
    Capability {
        /// The capability.
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
    /// The meaning of 0 and 1.
    Polarity {
        /// Before.
        from: Polarity,
        /// Now.
        to: Polarity,
    },
}

/// A change, and when it was noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Change {
    /// When, wall clock, ms since 1970.
    pub at: i64,
    /// The change.
    pub changed: Changed,
}

/// What was learned from moves of traffic, as far as it can change. Not how soon a record shows: that grows with our
/// own pauses, so a change of it says nothing about the vendor.
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
    pub(crate) polarity: Option<PolaritySeen>,
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
        let earlier = before.and_then(|before| before.tried).filter(|tried| tried.day == day);
        // A network that is down says nothing of the vendor.
        let counts = u32::from(self.reach.is_none_or(|reach| reach.reached));
        let times = earlier.map_or(0, |tried| tried.times).saturating_add(counts);
        let tried = Some(Tried { day, at, times });
        let decided = before.filter(|before| before.finding.is_decided());
        if let Some(decided) = decided.filter(|_| !finding.is_decided()) {
            self.capabilities.insert(capability, CapabilitySeen { tried, ..decided });
            return;
        }
        if let Some(before) = decided.filter(|before| before.finding != finding) {
            self.change(Changed::Capability { capability, from: before.finding, to: finding }, at);
        }
        self.capabilities.insert(capability, CapabilitySeen { finding, at, day, tried });
    }

    /// Whether to probe a capability: once a day, or sooner if it got no answer or if something to try it with has
    /// turned up (`has_sample`). The pauses between such tries grow. `at`: now, ms since 1970.
    pub(crate) fn is_due(&self, capability: Capability, day: Day, has_sample: bool, at: i64) -> bool {
        self.capabilities.get(&capability).is_none_or(|seen| {
            let is_open = match seen.finding {
                Finding::Unanswered => true,
                Finding::Untried => has_sample,
                _ => false,
            };
            (is_open || seen.day != day) && !seen.tried.is_some_and(|tried| tried.rests(day, at))
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

    /// Takes what was learned from moves of traffic.
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

    /// Takes what a person's check showed.
    pub(crate) fn see_polarity(&mut self, seen: PolaritySeen) {
        if let Some(before) = self.polarity.replace(seen.clone()).filter(|before| before.polarity != seen.polarity) {
            self.change(Changed::Polarity { from: before.polarity, to: seen.polarity }, seen.at);
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
    // A number, or a time with a zone of its own, shows no zone.
    let is_civil =
        text.len() >= 19 && text.contains([' ', 'T']) && !text.ends_with('Z') && !text[19..].contains(['+', '-']);
    let as_utc = WrittenTime(text.to_owned()).millis(0).filter(|_| is_civil)?;
    let minutes = (as_utc - moment).div_euclid(60_000);
    let nearest = (minutes + 7).div_euclid(15) * 15;
    let fits = (minutes - nearest).abs() <= SLACK && (-720..=840).contains(&nearest);
    i32::try_from(nearest).ok().filter(|_| fits)
}

#[cfg(test)]
mod tests;
