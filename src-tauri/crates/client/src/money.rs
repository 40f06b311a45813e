//! The sender for everything that changes the world. For the `operations` crate alone.
//!
//! Own connections, HTTP/1.1, nothing kept alive, nothing repeated.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use wire::Accepted;
use wire::Answer;

use crate::account::Account;
use crate::call;
use crate::error::Error;
use crate::request::Request;
use crate::transport::{self, Patience, Purpose};

/// Sends a stored request exactly once for each call.
#[derive(Clone, Debug)]
pub struct MoneySender {
    http: reqwest::Client,
    account: Arc<Account>,
}

impl MoneySender {
    /// A sender for one account.
    ///
    /// # Errors
    /// [`Error::NotSent`] when this computer's network settings can not be read.
    pub fn new(account: Arc<Account>, patience: Patience) -> Result<Self, Error> {
        Ok(Self { http: transport::build(Purpose::Money, &account, patience)?, account })
    }

    /// Sends and reads the answer.
    ///
    /// # Errors
    /// Every class of [`Error`]; only [`Error::NotSent`] proves that nothing happened.
    pub async fn send<T: DeserializeOwned>(&self, request: &Request) -> Result<Answer<T>, Error> {
        let raw = transport::exchange(&self.http, &self.account, request).await?;
        call::read(request.area, &raw)
    }

    /// Sends a write of the traffic or customer area, which is answered with code and message only.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn write(&self, request: &Request) -> Result<Answer<Accepted>, Error> {
        let raw = transport::exchange(&self.http, &self.account, request).await?;
        Ok(wire::read_agent_write(raw.status, &raw.body)?)
    }
}
