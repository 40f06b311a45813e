//! Saved configurations: places and options of a purchase under a name.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::purchase::PurchaseConfig;

use crate::Till;
use crate::error::CommandError;
use crate::field::SavedName;
use crate::remembered::What;
use crate::session::Session;

/// A purchase that was saved under a name. It is priced again whenever it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedPurchase {
    /// Its number on this connection.
    pub id: u32,
    /// The person's name for it.
    pub name: String,
    /// What it buys.
    pub config: PurchaseConfig,
}

/// A purchase to save.
#[derive(Debug, Deserialize, TS)]
pub struct SavedDraft {
    /// The name.
    pub name: String,
    /// What it buys.
    pub config: PurchaseConfig,
    /// Whether it replaces the one with the same name.
    pub replace: bool,
}

/// Another name for a saved purchase.
#[derive(Debug, Deserialize, TS)]
pub struct SavedRename {
    /// Its number.
    pub id: u32,
    /// The new name.
    pub name: String,
}

/// The most characters of a name.
const LONGEST: usize = 60;
/// The most that can be saved.
const MOST: usize = 200;

/// Lists the saved purchases, oldest first.
pub async fn saved_purchases(till: &Till, (): ()) -> Result<Vec<SavedPurchase>, CommandError> {
    let session = till.session().await?;
    read(till, &session)
}

/// Saves a purchase under a name.
pub async fn save_purchase(till: &Till, draft: SavedDraft) -> Result<Vec<SavedPurchase>, CommandError> {
    let session = till.session().await?;
    let mut all = read(till, &session)?;
    let name = checked(&draft.name)?;
    let is_full = all.len() >= MOST;
    match all.iter_mut().find(|one| is_same(&one.name, &name)) {
        Some(_) if !draft.replace => return Err(CommandError::invalid(SavedName::Taken)),
        Some(one) => (one.name, one.config) = (name, draft.config),
        None if is_full => return Err(CommandError::invalid(SavedName::TooMany)),
        None => {
            let id = all.iter().map(|one| one.id).max().unwrap_or(0).saturating_add(1);
            all.push(SavedPurchase { id, name, config: draft.config });
        }
    }
    write(till, &session, all)
}

/// Gives a saved purchase another name.
pub async fn rename_purchase(till: &Till, to: SavedRename) -> Result<Vec<SavedPurchase>, CommandError> {
    let session = till.session().await?;
    let mut all = read(till, &session)?;
    let name = checked(&to.name)?;
    if all.iter().any(|one| one.id != to.id && is_same(&one.name, &name)) {
        return Err(CommandError::invalid(SavedName::Taken));
    }
    let Some(one) = all.iter_mut().find(|one| one.id == to.id) else { return Err(CommandError::changed()) };
    one.name = name;
    write(till, &session, all)
}

/// Deletes a saved purchase.
pub async fn delete_purchase(till: &Till, id: u32) -> Result<Vec<SavedPurchase>, CommandError> {
    let session = till.session().await?;
    let mut all = read(till, &session)?;
    all.retain(|one| one.id != id);
    write(till, &session, all)
}

fn read(till: &Till, session: &Session) -> Result<Vec<SavedPurchase>, CommandError> {
    Ok(till.recall(session, What::Saved)?.unwrap_or_default())
}

fn write(till: &Till, session: &Session, all: Vec<SavedPurchase>) -> Result<Vec<SavedPurchase>, CommandError> {
    till.remember(session, What::Saved, &all)?;
    Ok(all)
}

fn checked(name: &str) -> Result<String, CommandError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(CommandError::invalid(SavedName::Empty));
    }
    if name.chars().count() > LONGEST {
        return Err(CommandError::invalid(SavedName::TooLong));
    }
    Ok(name)
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}
