//! What was chosen last on each connection. It is only offered again: nothing is sent without being seen.

use export::{FileKind, Format};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::choice::Choice;
use wire::purchase::PurchaseConfig;

use crate::Till;
use crate::error::CommandError;
use crate::session::Session;

/// How proxies were copied or saved last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LastHandOver {
    /// The format of each line.
    #[ts(as = "Format")]
    pub format: Format,
    /// The kind of file.
    pub kind: FileKind,
}

impl Default for LastHandOver {
    fn default() -> Self {
        Self { format: Format::default(), kind: FileKind::Txt }
    }
}

/// The kinds of things that are remembered. Their words are stored.
#[derive(Clone, Copy)]
pub(crate) enum What {
    Choices,
    HandOver,
    Purposes,
    Saved,
}

impl What {
    const ALL: [Self; 4] = [Self::Choices, Self::HandOver, Self::Purposes, Self::Saved];

    fn word(self) -> &'static str {
        match self {
            Self::Choices => "choices",
            Self::HandOver => "hand-over",
            Self::Purposes => "purposes",
            Self::Saved => "saved",
        }
    }

    /// The name of the setting for a connection.
    fn setting(self, connection: &str) -> String {
        format!("last {} {connection}", self.word())
    }
}

/// The most business purposes whose names are remembered.
const PURPOSES: usize = 1_000;

impl Till {
    pub(crate) fn recall<T: DeserializeOwned>(&self, of: &Session, what: What) -> Result<Option<T>, CommandError> {
        Ok(self.store.setting(&what.setting(&of.id))?)
    }

    pub(crate) fn remember(&self, of: &Session, what: What, value: &impl Serialize) -> Result<(), CommandError> {
        Ok(self.store.set_setting(&what.setting(&of.id), value)?)
    }

    /// Remembers something that is only a help: whatever was asked for is done even if this fails.
    pub(crate) fn remember_if_possible(&self, of: &Session, what: What, value: &impl Serialize) {
        if let Err(error) = self.remember(of, what, value) {
            tracing::warn!(?error, "a choice was not remembered");
        }
    }

    /// Forgets everything that was chosen on a connection.
    pub(crate) fn forget_choices(&self, connection: &str) -> Result<(), CommandError> {
        for what in What::ALL {
            self.store.remove_setting(&what.setting(connection))?;
        }
        Ok(())
    }

    /// Remembers the choices of a purchase, without its lines.
    pub(crate) fn remember_choices(&self, of: &Session, config: &PurchaseConfig) {
        let choices = PurchaseConfig {
            purchase_ip_count: 0,
            quota_items: Vec::new(),
            segment_items: Vec::new(),
            specific_ip_items: Vec::new(),
            ..config.clone()
        };
        self.remember_if_possible(of, What::Choices, &choices);
    }

    /// Remembers the vendor's names of business purposes. Those that it no longer offers stay: orders mention them.
    pub(crate) fn remember_purposes(&self, of: &Session, offered: &[Choice]) {
        let mut all = Vec::new();
        leaves(offered, &mut all);
        let earlier: Vec<Choice> = self.recall(of, What::Purposes).ok().flatten().unwrap_or_default();
        for one in &earlier {
            if all.iter().all(|other| other.value != one.value) {
                all.push(one.clone());
            }
        }
        all.truncate(PURPOSES);
        if all != earlier {
            self.remember_if_possible(of, What::Purposes, &all);
        }
    }
}

/// The choices of a tree that can be chosen, each once.
fn leaves(choices: &[Choice], into: &mut Vec<Choice>) {
    for one in choices {
        if !one.children.is_empty() {
            leaves(&one.children, into);
        } else if !one.value.is_empty() && into.iter().all(|other| other.value != one.value) {
            into.push(one.clone());
        }
    }
}

/// Remembers how proxies were copied; with a kind, how they were saved.
pub(crate) fn remember_hand_over(till: &Till, of: &Session, format: Format, kind: Option<FileKind>) {
    let earlier: LastHandOver = till.recall(of, What::HandOver).ok().flatten().unwrap_or_default();
    let now = LastHandOver { format, kind: kind.unwrap_or(earlier.kind) };
    if now != earlier {
        till.remember_if_possible(of, What::HandOver, &now);
    }
}

/// Returns the choices of the last purchase that was priced here; its lines are left out. `None` if there was none.
pub async fn last_choices(till: &Till, (): ()) -> Result<Option<PurchaseConfig>, CommandError> {
    let session = till.session().await?;
    till.recall(&session, What::Choices)
}

/// Returns how proxies were copied or saved last.
pub async fn last_hand_over(till: &Till, (): ()) -> Result<LastHandOver, CommandError> {
    let session = till.session().await?;
    Ok(till.recall(&session, What::HandOver)?.unwrap_or_default())
}

/// Returns the business purposes with the vendor's names. Asks the vendor if none was read on this connection yet.
pub async fn purposes(till: &Till, (): ()) -> Result<Vec<Choice>, CommandError> {
    let session = till.session().await?;
    if let Some(known) = till.recall(&session, What::Purposes)? {
        return Ok(known);
    }
    crate::purchase::purchase_options(till, ()).await?;
    Ok(till.recall(&session, What::Purposes)?.unwrap_or_default())
}
