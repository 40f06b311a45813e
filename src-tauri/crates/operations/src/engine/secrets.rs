//! The secrets of customers, in the keychain under names of the connection.

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
    /// Whether memory is good enough if the keychain does not answer: for practice, or for a connection whose secrets
    /// stay in memory.
    memory_will_do: bool,
    memory_only: bool,
    /// The account they belong to: secrets stored for another account are not given out.
    fingerprint: Option<Fingerprint>,
}

impl Secrets {
    /// The secrets of a connection. With `memory_only` nothing goes into the keychain; with `memory_will_do` a keychain
    /// that does not answer is no reason to ask the person.
    pub fn new(vault: Arc<Vault>, connection: &str, memory_only: bool, memory_will_do: bool) -> Self {
        let (connection, memory_will_do) = (connection.into(), memory_will_do || memory_only);
        Self { vault, connection, memory_will_do, memory_only, fingerprint: None }
    }

    /// The same secrets for one account: those stored from now on carry its fingerprint, and those with another
    /// fingerprint are not given out.
    pub fn of_account(self, fingerprint: Fingerprint) -> Self {
        Self { fingerprint: Some(fingerprint), ..self }
    }

    /// A name for a new password.
    pub fn new_reference() -> String {
        format!("password/{}", uuid::Uuid::new_v4())
    }

    /// Whether nothing goes into the keychain: then all secrets are gone when the program ends.
    pub fn is_memory_only(&self) -> bool {
        self.memory_only
    }

    fn account(&self, reference: &str) -> String {
        format!("{}/{reference}", self.connection)
    }

    /// Holds a secret in memory until the program ends.
    pub fn hold(&self, reference: &str, secret: SecretString) {
        let bound = match &self.fingerprint {
            Some(own) => vault::bound::bind(&secret, own.as_str()),
            None => secret,
        };
        self.vault.keep_for_session(&self.account(reference), bound);
    }

    /// Moves a held secret into the keychain, unless secrets stay in memory.
    ///
    /// # Errors
    /// [`KeychainState`] when the keychain does not take it, unless memory will do; it is still held.
    pub async fn keep(&self, reference: &str) -> Result<(), KeychainState> {
        if self.memory_only {
            return Ok(());
        }
        let kept = self.vault.move_to_keychain(&self.account(reference)).await;
        if self.memory_will_do { Ok(()) } else { kept }
    }

    /// Reads a secret; `None` if there is none of this name.
    ///
    /// # Errors
    /// [`KeychainState`] when the keychain does not give it, or it belongs to another account.
    pub async fn read(&self, reference: &str) -> Result<Option<SecretString>, KeychainState> {
        let kept = self.vault.read(&self.account(reference)).await?;
        let own = self.fingerprint.as_ref().map(Fingerprint::as_str);
        kept.map(|kept| vault::bound::unbind(kept, own)).transpose()
    }

    /// Reads a secret of a created customer; `None` if there is none.
    ///
    /// # Errors
    /// [`KeychainState`] when the keychain does not give it, or it belongs to another account.
    pub async fn of(&self, owner: &Owner, kind: SecretKind) -> Result<Option<SecretString>, KeychainState> {
        self.read(&owner.reference(kind)).await
    }

    /// Removes a secret that was replaced. One that cannot be removed stays, and opens nothing any more.
    pub async fn forget(&self, reference: &str) {
        if let Err(state) = self.vault.remove(&self.account(reference)).await {
            tracing::info!(%state, "an old secret stays in the keychain");
        }
    }

    /// Stores the secrets from an answer of `addUser`, as far as they could be read.
    ///
    /// # Errors
    /// [`KeychainState`] when the keychain does not take them; all are held in memory.
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

    /// Whether any secret of a created customer is known: a cut answer may have held only the first.
    pub(crate) async fn has_any(&self, owner: &Owner) -> bool {
        let mut any = false;
        for kind in SecretKind::ALL {
            any |= matches!(self.of(owner, kind).await, Ok(Some(_)));
        }
        any
    }

    /// Moves all held secrets of a created customer into the keychain.
    ///
    /// # Errors
    /// [`KeychainState`] when the keychain does not take one; it is still held.
    pub async fn keep_held(&self, owner: &Owner) -> Result<(), KeychainState> {
        for kind in SecretKind::ALL {
            self.keep(&owner.reference(kind)).await?;
        }
        Ok(())
    }

    /// Stores an operation's secrets under the customer it created, once that is known.
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
