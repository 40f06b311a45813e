//! The sender for everything that changes something at the vendor. For the `operations` crate alone.
//!
//! It has its own connections, uses HTTP/1.1, keeps no connection alive and repeats nothing.

use std::sync::Arc;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use serde::de::DeserializeOwned;
use wire::accounts::CreatedAccount;
use wire::{Accepted, Answer};

use crate::account::Account;
use crate::call;
use crate::error::Error;
use crate::request::Request;
use crate::transport::{self, Patience, Purpose};

/// Sends a stored request exactly once per call.
#[derive(Clone, Debug)]
pub struct MoneySender {
    http: reqwest::Client,
    account: Arc<Account>,
}

impl MoneySender {
    /// Makes a sender for one account.
    ///
    /// # Errors
    /// [`Error::NotSent`] when this computer has no certificates to verify the vendor with.
    pub fn new(account: Arc<Account>, patience: Patience) -> Result<Self, Error> {
        Ok(Self { http: transport::build(Purpose::Money, &account, patience)?, account })
    }

    /// Sends the request and reads the answer.
    ///
    /// # Errors
    /// [`Error`] when there is no typed answer; only [`Error::NotSent`] proves that nothing happened.
    pub async fn send<T: DeserializeOwned>(&self, request: &Request) -> Result<Answer<T>, Error> {
        let raw = transport::exchange(&self.http, &self.account, request).await?;
        call::read(request.area, &raw)
    }

    /// Sends a write of the traffic or customer area, whose answer holds only a code and a message. `secret` is
    /// the value of the request's secret parameter, if it has one.
    ///
    /// # Errors
    /// As for [`Self::send`].
    pub async fn write(&self, request: &Request, secret: Option<&SecretString>) -> Result<Answer<Accepted>, Error> {
        let mut body = Vec::new();
        let head = transport::exchange_into(&mut body, &self.http, &self.account, request, secret).await?;
        Ok(wire::read_agent_write(head.status, &body)?)
    }

    /// Sends `addUser`. Returns the outcome, and whatever could be read of the new account either way.
    pub async fn create(&self, request: &Request) -> (Result<(), Error>, CreatedAccount) {
        let mut body = Zeroizing::new(Vec::new());
        match transport::exchange_into(&mut body, &self.http, &self.account, request, None).await {
            Ok(head) => {
                let (answer, account) = wire::accounts::read_created(head.status, &body);
                (answer.map_err(Error::from), account)
            }
            Err(error) => (Err(error), wire::accounts::rest_of(&body)),
        }
    }
}
