//! The record of one connection: in memory, and in a small file. The file may be deleted at any time; then everything is
//! learned again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use client::Signs;
use parking_lot::Mutex;

use super::capability::{Capability, Finding};
use super::record::{Changed, ClockSource, Record, Token};
use crate::clock::wall_clock;
use crate::connections::Polarity;
use crate::last_answers;

/// The name of a connection's record.
pub(crate) const FILE: &str = "health.json";

/// Values that change all the time, such as the latency, are stored at most this often.
const STORED_EVERY: Duration = Duration::from_secs(60);

pub(crate) struct Known {
    file: PathBuf,
    record: Mutex<Record>,
    /// Held while the vendor is probed, so that it is asked once even if the connection is opened twice.
    pub(crate) probing: tokio::sync::Mutex<()>,
    /// Held while the file is written; the time of the last write.
    writing: tokio::sync::Mutex<Option<Instant>>,
}

/// What a person sees of a record at a glance.
type Glance = ([Option<bool>; 3], Vec<(Capability, Finding)>, Vec<Changed>, Option<i64>, Option<i32>, Option<Polarity>);

fn glance(record: &Record) -> Glance {
    let accepted = |token: Option<super::record::TokenSeen>| token.map(|seen| seen.accepted);
    let signs = [record.reach.map(|reach| reach.reached), accepted(record.static_token), accepted(record.agent_token)];
    let capabilities = record.capabilities.iter().map(|(capability, seen)| (*capability, seen.finding)).collect();
    let changes = record.changes.iter().map(|change| change.changed.clone()).collect();
    let (rows, zone) = (record.page_size.map(|page| page.rows), record.zone.as_ref().map(|zone| zone.minutes));
    (signs, capabilities, changes, rows, zone, record.polarity.as_ref().map(|seen| seen.polarity))
}

impl Known {
    pub(crate) fn open(file: PathBuf) -> Self {
        let record = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let record = Mutex::new(record.unwrap_or_default());
        Self { file, record, probing: tokio::sync::Mutex::default(), writing: tokio::sync::Mutex::default() }
    }

    pub(crate) fn record(&self) -> Record {
        self.record.lock().clone()
    }

    pub(crate) fn finding(&self, capability: Capability) -> Option<Finding> {
        self.record.lock().finding(capability)
    }

    pub(crate) fn has(&self, capability: Capability) -> bool {
        self.finding(capability) == Some(Finding::Present)
    }

    /// Changes the record and stores it. Returns whether something changed that a person sees at a glance.
    pub(crate) async fn change(&self, work: impl FnOnce(&mut Record)) -> bool {
        let (changed, is_news) = {
            let mut record = self.record.lock();
            let before = record.clone();
            work(&mut record);
            (*record != before, glance(&record) != glance(&before))
        };
        if changed {
            let mut last = self.writing.lock().await;
            if is_news || last.is_none_or(|last| last.elapsed() >= STORED_EVERY) {
                *last = Some(Instant::now());
                last_answers::write(self.file.clone(), self.record()).await;
            }
        }
        is_news
    }

    /// Takes the signs that are not among those taken before. Returns whether something changed that a person sees at
    /// a glance.
    pub(crate) async fn hear(&self, signs: Signs, taken: Signs) -> bool {
        let areas =
            [(Token::Static, signs.static_area, taken.static_area), (Token::Agent, signs.agent_area, taken.agent_area)];
        let fresh = areas.into_iter().filter(|(_, now, before)| now != before);
        let mut all: Vec<_> = fresh.filter_map(|(token, now, _)| Some((token, now?))).collect();
        all.sort_by_key(|(_, sign)| sign.at);
        if all.is_empty() {
            return false;
        }
        self.change(|record| {
            for (token, sign) in all {
                let at = wall_clock() - sign.at.elapsed().as_millis() as i64;
                record.hear(token, sign.heard, sign.took, at);
                if let Some((vendor, took)) = sign.server_time.zip(sign.took) {
                    record.compare_clocks(ClockSource::Answer, vendor, took, at);
                }
            }
        })
        .await
    }
}
