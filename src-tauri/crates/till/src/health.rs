//! Knowing the vendor: how each connection fares, what its service can do, and how each of these is known. Learned by
//! reading alone; a learned value that changes is reported, never replaced silently.

mod capability;
mod check;
mod known;
mod record;

use std::sync::Arc;

use client::Client;
use operations::{AccountChange, GbFactor, Intent, Learned, OperationId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;

use crate::Till;
use crate::clock::wall_clock;
use crate::connections::{self, ConnectionView, Polarity};
use crate::error::CommandError;
use crate::locations::Places;
use crate::practice;

pub use capability::{Capability, Finding};
pub(crate) use check::{follow, tell};
pub(crate) use known::{FILE, Known};
use record::Record;
pub use record::{
    Change, Changed, ClockSeen, ClockSource, Latency, PageSize, PolaritySeen, Reach, TokenSeen, ZoneSeen,
};

/// How a connection fares, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "HealthMood")]
pub enum Mood {
    /// It answers and takes the tokens.
    Good,
    /// It works, and there is something to look at.
    Look,
    /// It does not answer, or does not take a token.
    Bad,
    /// Nothing was asked yet.
    Unknown,
}

/// What is known of one capability.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct CapabilityView {
    /// The capability.
    pub capability: Capability,
    /// What was found; `None`: it was not looked for yet.
    pub finding: Option<Finding>,
    /// When, wall clock, ms since 1970.
    pub at: Option<i64>,
}

/// Everything that is known of a connection's vendor.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HealthView {
    /// The id of the connection.
    pub connection: String,
    /// How it fares, in one word.
    pub mood: Mood,
    /// Whether the service answers.
    pub reach: Option<Reach>,
    /// How soon it answers.
    pub latency: Option<Latency>,
    /// Its clock, compared with this computer's.
    pub clock: Option<ClockSeen>,
    /// Whether a token of the static-IP area is saved.
    pub has_static_token: bool,
    /// How that token is taken.
    pub static_token: Option<TokenSeen>,
    /// Whether a token of the traffic and customer areas is saved.
    pub has_agent_token: bool,
    /// How that token is taken.
    pub agent_token: Option<TokenSeen>,
    /// Rows on a page of customers.
    pub page_size: Option<PageSize>,
    /// MB of one GB, as the connection is set.
    pub gb_factor: GbFactor,
    /// The zone of the vendor's times, as the connection is set, minutes east of UTC.
    pub zone: i32,
    /// The zone that an order showed.
    pub zone_seen: Option<ZoneSeen>,
    /// The meaning of 0 and 1, as the connection is set.
    pub polarity: Polarity,
    /// The meaning that a person's check showed.
    pub polarity_seen: Option<PolaritySeen>,
    /// What was learned from moves of traffic: MB of one GB, the vendor's word, how soon a record shows.
    pub learned: Option<Learned>,
    /// What the vendor can do beyond the contract.
    pub capabilities: Vec<CapabilityView>,
    /// Changes of learned values that nobody has read yet, oldest first.
    pub changes: Vec<Change>,
}

/// Clocks further apart than this, in ms, deserve a look.
const FAR: i64 = 120_000;

/// `zone` and `polarity`: as the connection is set.
fn mood(record: &Record, tokens: [bool; 2], zone: i32, polarity: Polarity) -> Mood {
    let refused = |token: Option<TokenSeen>, has: bool| has && token.is_some_and(|seen| !seen.accepted);
    let Some(reach) = record.reach else { return Mood::Unknown };
    if !reach.reached || refused(record.static_token, tokens[0]) || refused(record.agent_token, tokens[1]) {
        return Mood::Bad;
    }
    let is_off = record.clock.is_some_and(|clock| clock.difference.abs() > FAR);
    let is_elsewhere = record.zone.as_ref().is_some_and(|seen| seen.minutes != zone);
    let is_opposite = record.polarity.as_ref().is_some_and(|seen| seen.polarity != polarity);
    if is_off || is_elsewhere || is_opposite || !record.changes.is_empty() { Mood::Look } else { Mood::Good }
}

fn view(till: &Till, id: &str, record: Record) -> Result<HealthView, CommandError> {
    let saved = match id {
        practice::ID => None,
        id => Some(till.connection(id)?),
    };
    let set = saved.as_ref();
    let (has_static_token, has_agent_token) =
        set.map_or((true, true), |saved| (saved.has_static_token, saved.has_agent_token));
    let zone = set.map_or_else(connections::usual_zone, |saved| saved.time_zone);
    let polarity = set.map_or_else(Polarity::default, |saved| saved.polarity);
    let of = |capability: &Capability| {
        let seen = record.capabilities.get(capability);
        let (finding, at) = (seen.map(|seen| seen.finding), seen.map(|seen| seen.at));
        CapabilityView { capability: *capability, finding, at }
    };
    Ok(HealthView {
        connection: id.to_owned(),
        // The practice clock is its own: it is set and sped up on purpose.
        mood: if set.is_none() {
            mood(&Record { clock: None, ..record.clone() }, [true, true], zone, polarity)
        } else {
            mood(&record, [has_static_token, has_agent_token], zone, polarity)
        },
        has_static_token,
        has_agent_token,
        gb_factor: set.map_or_else(GbFactor::default, |saved| saved.gb_factor),
        zone,
        polarity,
        learned: till.operations(id)?.0.lessons().learned()?,
        capabilities: Capability::ALL.iter().map(of).collect(),
        reach: record.reach,
        latency: record.latency,
        clock: record.clock,
        static_token: record.static_token,
        agent_token: record.agent_token,
        page_size: record.page_size,
        zone_seen: record.zone,
        polarity_seen: record.polarity,
        changes: record.changes,
    })
}

/// The record of a connection: that of the open session, or the stored one.
async fn known(till: &Till, id: &str) -> Result<Arc<Known>, CommandError> {
    let open = till.session_if_open().await.filter(|session| session.id == id);
    Ok(match open {
        Some(session) => {
            if let Some(page) = check::met_limit(&session.client) {
                session.health.change(|record| record.see_page(page)).await;
            }
            session.health.clone()
        }
        None => Arc::new(Known::open(till.known_folder(id)?.join(FILE))),
    })
}

/// Returns what is known of a connection's vendor. Does not ask the vendor.
pub async fn vendor_health(till: &Till, id: String) -> Result<HealthView, CommandError> {
    let known = known(till, &id).await?;
    if id != practice::ID {
        let operations = till.operations(&id)?.0;
        known.change(|record| check::learn_from_journal(record, &operations, wall_clock())).await;
    }
    view(till, &id, known.record())
}

/// Checks now everything that reading can check: also of a connection that is not open.
pub async fn check_vendor(till: &Till, id: String) -> Result<HealthView, CommandError> {
    let known = known(till, &id).await?;
    let open = till.session_if_open().await.filter(|session| session.id == id);
    let is_news = match &open {
        Some(session) => {
            let samples = check::samples(&session.client, &session.places, &session.operations).await;
            check::check(&session.client, &known, &samples, session.vendor.zone, session.today()).await
        }
        None => {
            let connection = till.connection(&id)?;
            let client = client_of(till, &connection).await?;
            let places = Places::new(till.known_folder(&id)?.join(Places::FILE));
            let samples = check::samples(&client, &places, &till.operations(&id)?.0).await;
            let zone = connection.time_zone;
            check::check(&client, &known, &samples, zone, Day::of(wall_clock(), zone)).await
        }
    };
    if is_news {
        tell(till, &id);
    }
    vendor_health(till, id).await
}

async fn client_of(till: &Till, connection: &ConnectionView) -> Result<Client, CommandError> {
    let (account, keychain) = connections::account(connection, &till.vault).await?;
    match keychain {
        Some(state) => Err(CommandError::keychain(state)),
        None => Ok(Client::new(Arc::new(account), till.patience)?.shown_by(till.waits.clone())),
    }
}

/// Records that a person has read the changes.
pub async fn vendor_changes_seen(till: &Till, id: String) -> Result<HealthView, CommandError> {
    known(till, &id).await?.change(|record| record.changes.clear()).await;
    tell(till, &id);
    vendor_health(till, id).await
}

/// What a person saw after a customer was disabled to find out what 0 and 1 mean.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct PolarityChecked {
    /// The operation that disabled the customer.
    pub operation: OperationId,
    /// Whether the customer's proxies still work.
    pub works: bool,
}

/// Records what such a check showed of the open connection's vendor. Returns the meaning of 0 and 1.
pub async fn polarity_checked(till: &Till, checked: PolarityChecked) -> Result<Polarity, CommandError> {
    let session = till.session().await?;
    let PolarityChecked { operation, works } = checked;
    let is_done = session.operations.get(&operation)?.is_done;
    let polarity = match session.operations.intent(&operation)? {
        // The number that was sent to disable the customer is what the person saw.
        Intent::Account(AccountChange::Status { active: false, customer_state, .. }) if is_done => {
            if (customer_state == 1) == works { Polarity::OneIsActive } else { Polarity::ZeroIsActive }
        }
        _ => return Err(CommandError::changed()),
    };
    let seen = PolaritySeen { polarity, operation, at: wall_clock() };
    if session.health.change(|record| record.see_polarity(seen)).await {
        tell(till, &session.id);
    }
    Ok(polarity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use client::Heard;

    #[test]
    fn one_word_says_how_a_connection_fares() {
        let mut record = Record::default();
        let both = [true, true];
        let of = |record: &Record, tokens, zone| mood(record, tokens, zone, Polarity::OneIsActive);
        assert_eq!(of(&record, both, 480), Mood::Unknown);
        record.hear(record::Token::Static, Heard::Answered, None, 1);
        assert_eq!(of(&record, both, 480), Mood::Good);
        let zone = ZoneSeen { minutes: 0, order_no: wire::ids::OrderNo::new("A1"), at: 1 };
        record.zone = Some(zone);
        assert_eq!((of(&record, both, 480), of(&record, both, 0)), (Mood::Look, Mood::Good));
        let polarity = Polarity::ZeroIsActive;
        let seen = PolaritySeen { polarity, operation: OperationId("1".into()), at: 1 };
        record.polarity = Some(seen);
        assert_eq!((of(&record, both, 0), mood(&record, both, 0, polarity)), (Mood::Look, Mood::Good));
        record.polarity = None;
        record.hear(record::Token::Agent, Heard::TurnedAway, None, 2);
        assert_eq!(of(&record, both, 0), Mood::Bad);
        assert_eq!(of(&record, [true, false], 0), Mood::Good, "a token that was removed refuses nothing");
        record.hear(record::Token::Static, Heard::Nothing, None, 3);
        assert_eq!(of(&record, [true, false], 0), Mood::Bad);
    }
}
