//! A request together with the type of its answer, and the client that reads.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use wire::Answer;

use crate::account::Account;
use crate::error::Error;
use crate::request::{Area, Request};
use crate::transport::{self, Patience, Purpose, RawAnswer};

/// A request that knows what its answer holds. The functions of the endpoint modules make them.
pub struct Call<T> {
    /// What goes out.
    pub request: Request,
    answer: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Call<T> {
    pub(crate) fn new(request: Request) -> Self {
        Self { request, answer: PhantomData }
    }
}

pub(crate) fn read<T: DeserializeOwned>(area: Area, raw: &RawAnswer) -> Result<Answer<T>, Error> {
    let answer = match area {
        Area::Static => wire::read_static(raw.status, &raw.body),
        Area::Agent => wire::read_agent(raw.status, &raw.body),
    };
    Ok(answer?)
}

/// The sender for everything that only reads (a price is a read too: it "creates no order").
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    account: Arc<Account>,
}

impl Client {
    /// A client for one account.
    ///
    /// # Errors
    /// [`Error::NotSent`] when this computer's network settings can not be read.
    pub fn new(account: Arc<Account>, patience: Patience) -> Result<Self, Error> {
        Ok(Self { http: transport::build(Purpose::Reads, &account, patience)?, account })
    }

    /// Sends once and reads the answer.
    ///
    /// # Errors
    /// Every class of [`Error`].
    pub async fn call<T: DeserializeOwned>(&self, call: Call<T>) -> Result<Answer<T>, Error> {
        let raw = transport::exchange(&self.http, &self.account, &call.request).await?;
        read(call.request.area, &raw)
    }
}
