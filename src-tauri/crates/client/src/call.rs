//! A request together with the type of its answer, and the client that reads.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use wire::Answer;

use crate::account::Account;
use crate::error::Error;
use crate::gate::Gate;
use crate::pauses::{Asking, Pauses};
use crate::pulse::Pulse;
use crate::request::{Area, Request};
use crate::transport::{self, Patience, Purpose, RawAnswer};
use crate::waits::Waits;

/// A request that knows the type of its answer. The functions of the endpoint modules make these.
pub struct Call<T> {
    /// The request to send.
    pub request: Request,
    answer: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Call<T> {
    pub(crate) fn new(request: Request) -> Self {
        Self { request, answer: PhantomData }
    }
}

fn read_for<T: DeserializeOwned>(request: &Request, raw: &RawAnswer) -> Result<Answer<T>, Error> {
    match request.public {
        true => Ok(wire::read_public(raw.head.status, &raw.body)?),
        false => read(request.area, raw),
    }
}

pub(crate) fn read<T: DeserializeOwned>(area: Area, raw: &RawAnswer) -> Result<Answer<T>, Error> {
    let answer = match area {
        Area::Static => wire::read_static(raw.head.status, &raw.body),
        Area::Agent => wire::read_agent(raw.head.status, &raw.body),
    };
    Ok(answer?)
}

/// The sender for reads (asking for a price is a read too: it "creates no order").
///
/// Reads are harmless, so a read is repeated when the vendor asks to wait, or may have refused it as a repetition. At
/// most four are under way at once, over all clones.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    account: Arc<Account>,
    pauses: Pauses,
    pub(crate) gate: Arc<Gate>,
    waits: Waits,
    pulse: Pulse,
}

impl Client {
    /// Makes a client for one account.
    ///
    /// # Errors
    /// [`Error::NotSent`] when this computer has no certificates to verify the vendor with.
    pub fn new(account: Arc<Account>, patience: Patience) -> Result<Self, Error> {
        let http = transport::build(Purpose::Reads, &account, patience)?;
        let gate = Arc::new(Gate::new(patience.pauses.same));
        Ok(Self { http, account, pauses: patience.pauses, gate, waits: Waits::default(), pulse: Pulse::default() })
    }

    /// What this client and its clones last learned about the service.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Returns the same client with its waits reported to `waits`, next to those of other clients.
    pub fn shown_by(self, waits: Waits) -> Self {
        Self { waits, ..self }
    }

    /// Sends the request and reads the answer. Repeats it after a pause when the vendor asks for one, or may have
    /// refused it as a repetition, as long as [`Pauses`] allow and the wait is not stopped.
    ///
    /// # Errors
    /// [`Error`] when the last attempt has no typed answer.
    pub async fn call<T: DeserializeOwned>(&self, call: Call<T>) -> Result<Answer<T>, Error> {
        let request = &call.request;
        let _turn = self.gate.turn().await;
        let mut asking = Asking::new(self.pauses);
        loop {
            let is_repeat = self.gate.note(request);
            let raw = transport::exchange(&self.http, &self.account, request).await;
            // The vendor may count from the request or from its answer, so note both.
            self.gate.note(request);
            let named = raw.as_ref().ok().and_then(|raw| raw.head.retry_after);
            let head = raw.as_ref().ok().map(|raw| raw.head);
            let answered = raw.and_then(|raw| read_for(request, &raw));
            self.pulse.note(request, head, &answered);
            let Err(error) = &answered else { return answered };
            let Some(wait) = asking.again_after(error, named, is_repeat) else { return answered };
            tracing::info!(path = %request.path, ?wait, "the vendor asks to wait");
            if !self.waits.wait(wait).await {
                return answered;
            }
        }
    }
}
