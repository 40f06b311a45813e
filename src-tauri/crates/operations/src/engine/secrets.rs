//! Where the secrets of customers are: in the keychain, under the connection's own names.

use std::sync::Arc;

use secrecy::SecretString;
use vault::{KeychainState, Vault};
use wire::accounts::CreatedAccount;
use wire::ids::CustomerId;

use crate::words::fingerprint::Fingerprint;
use crate::words::secret::{Owner, SecretKind};
use crate::words::state::OperationId;

/// The secrets of one connection.
#[derive(Clone)]
pub struct Secrets {
    vault: Arc<Vault>,
    connection: String,
    /// Without a keychain, memory is as good: practice, or a connection that the person keeps in memory.
    memory_will_do: bool,
    memory_only: bool,
    /// Whose they are: what is kept for another account is none of this one.
    fingerprint: Option<Fingerprint>,
}

impl Secrets {
    /// The secrets of a connection. `memory_only`: nothing goes into the keychain; `memory_will_do`: a
    /// keychain that does not answer is no reason to ask.
    pub fn new(vault: Arc<Vault>, connection: &str, memory_only: bool, memory_will_do: bool) -> Self {
        let (connection, memory_will_do) = (connection.into(), memory_will_do || memory_only);
        Self { vault, connection, memory_will_do, memory_only, fingerprint: None }
    }

    /// The same, of one account: what is kept from now on carries its fingerprint, and what carries another one is
    /// not given out.
    pub fn of_account(self, fingerprint: Fingerprint) -> Self {
        Self { fingerprint: Some(fingerprint), ..self }
    }

    /// A name for a new password.
    pub fn new_reference() -> String {
        format!("password/{}", uuid::Uuid::new_v4())
    }

    /// Nothing goes into the keychain: what is here is gone when the program ends.
    pub fn is_memory_only(&self) -> bool {
        self.memory_only
    }

    fn account(&self, reference: &str) -> String {
        format!("{}/{reference}", self.connection)
    }

    /// Keeps in memory until the program ends.
    pub fn hold(&self, reference: &str, secret: SecretString) {
        let bound = match &self.fingerprint {
            Some(own) => vault::bound::bind(&secret, own.as_str()),
            None => secret,
        };
        self.vault.keep_for_session(&self.account(reference), bound);
    }

    /// Moves what is held into the keychain.
    ///
    /// # Errors
    /// The state that is in the way; it is still held.
    pub async fn keep(&self, reference: &str) -> Result<(), KeychainState> {
        if self.memory_only {
            return Ok(());
        }
        let kept = self.vault.move_to_keychain(&self.account(reference)).await;
        if self.memory_will_do { Ok(()) } else { kept }
    }

    /// Reads one.
    ///
    /// # Errors
    /// The state that is in the way.
    pub async fn read(&self, reference: &str) -> Result<Option<SecretString>, KeychainState> {
        let kept = self.vault.read(&self.account(reference)).await?;
        let own = self.fingerprint.as_ref().map(Fingerprint::as_str);
        kept.map(|kept| vault::bound::unbind(kept, own)).transpose()
    }

    /// Reads one of a created customer.
    ///
    /// # Errors
    /// The state that is in the way.
    pub async fn of(&self, owner: &Owner, kind: SecretKind) -> Result<Option<SecretString>, KeychainState> {
        self.read(&owner.reference(kind)).await
    }

    /// Forgets one that was replaced. What cannot be removed stays: it opens nothing any more.
    pub async fn forget(&self, reference: &str) {
        if let Err(state) = self.vault.remove(&self.account(reference)).await {
            tracing::info!(%state, "an old secret stays in the keychain");
        }
    }

    /// Keeps what an answer of `addUser` carried, as much as could be read.
    ///
    /// # Errors
    /// The state that is in the way; everything is held in memory.
    pub async fn keep_account(&self, owner: &Owner, account: &CreatedAccount) -> Result<(), KeychainState> {
        let mut kept = Ok(());
        for (kind, secret) in [(SecretKind::Token, &account.token), (SecretKind::Password, &account.password)] {
            if let Some(secret) = secret {
                self.hold(&owner.reference(kind), secret.clone());
                kept = kept.and(self.keep(&owner.reference(kind)).await);
            }
        }
        kept
    }

    /// Whether a secret of a created customer is known: of a cut answer only the first part was read.
    pub(crate) async fn has_any(&self, owner: &Owner) -> bool {
        let mut any = false;
        for kind in SecretKind::ALL {
            any |= matches!(self.of(owner, kind).await, Ok(Some(_)));
        }
        any
    }

    /// Moves into the keychain what is still held of a created customer.
    ///
    /// # Errors
    /// The state that is in the way; it is still held.
    pub async fn keep_held(&self, owner: &Owner) -> Result<(), KeychainState> {
        for kind in SecretKind::ALL {
            self.keep(&owner.reference(kind)).await?;
        }
        Ok(())
    }

    /// The customer that an operation created is known: its secrets get their names.
    pub async fn adopt(&self, operation: &OperationId, customer: &CustomerId) {
        let (from, to) = (Owner::Operation(operation.clone()), Owner::Customer(customer.clone()));
        for kind in SecretKind::ALL {
            if let Ok(Some(secret)) = self.of(&from, kind).await {
                self.hold(&to.reference(kind), secret);
                if self.keep(&to.reference(kind)).await.is_ok() {
                    self.forget(&from.reference(kind)).await;
                }
            }
        }
    }
}
