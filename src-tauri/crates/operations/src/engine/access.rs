//! The vendor's account that is open now, and whether a row belongs to it.

use client::money::MoneySender;
use client::{Error, NotSent};
use parking_lot::RwLock;

use crate::engine::NotConfirmed;
use crate::engine::OperationError;
use crate::engine::secrets::Secrets;
use crate::evidence::reader::{Reader, SnapshotError};
use crate::journal::row::Row;
use crate::words::fingerprint::{Fingerprint, Fingerprints};
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;

/// The access to the vendor: one part sends, another reads.
#[derive(Clone)]
pub struct AccountAccess {
    /// Sends confirmed intents.
    pub sender: MoneySender,
    /// Reads whether they were carried out.
    pub reader: Reader,
    /// Stores the customers' secrets.
    pub secrets: Secrets,
    /// The values of `customerState` that currently mean active and disabled, in this order.
    pub states: [u8; 2],
    /// The account that sender, reader and secrets belong to, one fingerprint for each area.
    pub whose: Fingerprints,
}

impl AccountAccess {
    /// Whether this is the account that a row was prepared for.
    pub(crate) fn is_for(&self, row: &Row) -> bool {
        self.whose.fit(row.fingerprint.as_ref(), row.intent.area())
    }
}

/// The account that is open; none before a token is known.
#[derive(Default)]
pub(crate) struct Access(RwLock<Option<AccountAccess>>);

impl Access {
    pub(super) fn replace(&self, account: Option<AccountAccess>) {
        *self.0.write() = account;
    }

    pub(crate) fn get(&self) -> Option<AccountAccess> {
        self.0.read().clone()
    }

    /// # Errors
    /// [`SnapshotError`] when no account is open.
    pub(crate) fn reader(&self) -> Result<Reader, SnapshotError> {
        Ok(self.opened()?.reader)
    }

    /// # Errors
    /// [`OperationError`] when no account is open.
    pub(crate) fn secrets(&self) -> Result<Secrets, OperationError> {
        Ok(self.opened()?.secrets)
    }

    fn opened(&self) -> Result<AccountAccess, SnapshotError> {
        self.get().ok_or(SnapshotError::Vendor(Error::NotSent(NotSent::NoCredentials)))
    }

    /// The account that an intent prepared now belongs to; `None` without an account.
    pub(crate) fn fingerprint(&self, intent: &Intent) -> Option<Fingerprint> {
        self.0.read().as_ref().map(|account| account.whose.area(intent.area()).clone())
    }

    /// Fails if another account is open than the one that an intent was prepared for: the connection was edited since,
    /// or an older file of connections came back. A key, a name and a customer's number mean nothing to another
    /// account.
    pub(crate) fn ensure_same(&self, own: Option<&Fingerprint>, intent: &Intent) -> Result<(), NotConfirmed> {
        let is_same = self.0.read().as_ref().is_none_or(|account| account.whose.fit(own, intent.area()));
        if is_same { Ok(()) } else { Err(NotConfirmed::OtherAccount) }
    }

    /// Fails if the meaning of 0 and 1 was swapped in the settings since: the old number would do the opposite.
    pub(crate) fn ensure_as_meant(&self, intent: &Intent) -> Result<(), NotConfirmed> {
        let Some(AccountChange::Status { active, customer_state, .. }) = intent.account() else { return Ok(()) };
        let states = self.0.read().as_ref().map(|account| account.states);
        let is_as_meant = states.is_none_or(|states| states[usize::from(!active)] == *customer_state);
        if is_as_meant { Ok(()) } else { Err(NotConfirmed::Turned) }
    }
}
