//! The second service (`tests/vendor`), used by the program's own client and operations.

use std::sync::Arc;

use client::account::StaticCredentials;
use client::{Account, Address, Call, Client, Error, Patience};
use operations::{
    AccountChange, Direction, Gb, GbFactor, Intent, OperationError, OperationView, Operations, PlaceAndPay, Renewal,
    Schedule, Secrets, SnapshotError, State, TrafficMove,
};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tempfile::TempDir;
use vendor::{Choices, Clock, Entry, Extras, FOUR_IN_JAPAN, Mishap, Request, Served, Vendor, What, Write};
use wire::Amount;
use wire::ids::CustomerId;
use wire::purchase::{PlaceAndPayBody, PlacedOrder, Quote};

use crate::order::{access_to, at_once, renewal_of};
use crate::proxy::Proxy;
use crate::{until, wall};

/// The user name of a customer to create.
pub const NEW: &str = "brand.new@resale.example";

/// The second service over HTTP, in this process.
pub struct Foreign {
    /// The service: its ledger is the truth.
    pub vendor: Arc<Vendor>,
    served: Served,
}

impl Foreign {
    /// Starts a service with these choices and this clock.
    pub async fn new(choices: Choices, clock: Clock) -> Self {
        let vendor = Arc::new(Vendor::new(choices, 7));
        let served = vendor::serve(vendor.clone(), clock, 0).await.expect("the service starts");
        Self { vendor, served }
    }

    /// Returns the base address.
    pub fn base(&self) -> String {
        self.served.base()
    }

    /// Returns the account that the service knows.
    pub fn account(&self) -> Account {
        self.account_at(&self.base())
    }

    /// Returns the same account at another address, such as a proxy's.
    pub fn account_at(&self, base_url: &str) -> Account {
        let who = self.vendor.choices().start;
        Account {
            address: Address::parse(base_url, "/api", "/prod-api").expect("a loopback address"),
            static_area: Some(StaticCredentials { user_id: who.developer, token: who.developer_token.into() }),
            agent_token: Some(who.agent_token.into()),
        }
    }

    /// Makes a reading client.
    pub fn client(&self) -> Client {
        Client::new(Arc::new(self.account()), Patience::default()).expect("a client")
    }

    /// Repeats a read while the service is busy: 429 is the only refusal that passes.
    pub async fn read<T: DeserializeOwned>(&self, call: impl Fn() -> Call<T>) -> T {
        let client = self.client();
        until("the service has time", async || match client.call(call()).await {
            Err(Error::Refused(no)) if no.status == 429 => None,
            answer => Some(answer.expect("an answer that can be read").data),
        })
        .await
    }
}

/// The program's operations with the second service.
pub struct Stranger {
    /// The service.
    pub foreign: Foreign,
    /// The operations, with a journal on disk.
    pub operations: Operations,
    /// The length of the ledger at the start.
    before: usize,
    _folder: TempDir,
}

impl Stranger {
    /// Makes operations with a service of these choices, both on this computer's clock.
    pub async fn new(choices: Choices) -> Self {
        Self::by(choices, at_once(2)).await
    }

    /// Makes the same with a schedule.
    pub async fn by(mut choices: Choices, schedule: Schedule) -> Self {
        choices.start.founded_ms = wall() - 6 * 86_400_000;
        // Every preset renews here, so that every write can be tried with each.
        choices.extras = Extras::default();
        let foreign = Foreign::new(choices, vendor::wall_clock()).await;
        let folder = tempfile::tempdir().expect("a folder");
        let operations = Operations::open(&folder.path().join("journal.db"), schedule, Arc::new(wall));
        let operations = operations.expect("a journal");
        operations.use_account(Some(access_to(foreign.account(), wall)));
        let before = foreign.vendor.ledger().len();
        Self { foreign, operations, before, _folder: folder }
    }

    /// Makes the same with a proxy in between. `seed` is the seed of its dice.
    pub async fn behind_a_proxy(choices: Choices, schedule: Schedule, seed: u64) -> (Self, Proxy) {
        let stranger = Self::by(choices, schedule).await;
        let proxy = Proxy::before(&stranger.foreign.base(), seed).await;
        let account = stranger.foreign.account_at(&proxy.base_url());
        stranger.operations.use_account(Some(access_to(account, wall)));
        (stranger, proxy)
    }

    /// Confirms a write, sends it through a mishap and waits until it is decided or a person is asked.
    pub async fn does(&self, write: Write, mishap: Option<Mishap>) -> OperationView {
        if let Some(mishap) = mishap {
            self.foreign.vendor.arrange(write, mishap);
        }
        self.sends(write).await;
        until("it is decided", async || {
            let newest = self.operations.history().list().expect("a journal").into_iter().next()?;
            let open = matches!(newest.state, State::Prepared | State::Sending | State::Verifying | State::Unknown);
            let is_watched = newest.state == State::Refused && newest.next_at.is_some();
            (!open && !is_watched).then_some(newest)
        })
        .await
    }

    /// Confirms a write and sends it.
    pub async fn sends(&self, write: Write) -> OperationView {
        let intent = self.intent(write).await;
        until("it is sent", async || {
            let token = self.operations.offer(intent.clone(), None).expect("nothing else is open").token;
            match self.operations.confirm(&token).await {
                Err(OperationError::NotRead(SnapshotError::Vendor(_))) => None,
                sent => Some(sent.expect("it is sent")),
            }
        })
        .await
    }

    /// Waits until everything scheduled has happened.
    pub async fn is_settled(&self) {
        until("what is late has happened", async || {
            self.foreign.vendor.settle(wall());
            self.foreign.vendor.next_due().is_none().then_some(())
        })
        .await;
    }

    /// Makes the write as a person would confirm it.
    pub async fn intent(&self, write: Write) -> Intent {
        let customer = self.foreign.vendor.customers()[4].clone();
        let (customer_id, user_name) = (CustomerId::new(customer.id.to_string()), customer.name.clone());
        match write {
            Write::Order => self.order().await.into(),
            Write::Renewal => self.renewal().await.into(),
            Write::Recharge => self.moving(Direction::Recharge, customer).into(),
            Write::Deduction => self.moving(Direction::Deduction, customer).into(),
            Write::AddUser => AccountChange::Create { user_name: NEW.into() }.into(),
            Write::Password => {
                let reference = Secrets::new_reference();
                self.operations.secrets().expect("an account").hold(&reference, "Typed-by-hand-9".into());
                AccountChange::Password { customer_id, user_name, reference, typed: true }.into()
            }
            Write::Status => AccountChange::Status { customer_id, user_name, active: false, customer_state: 0 }.into(),
        }
    }

    fn moving(&self, direction: Direction, customer: vendor::Customer) -> TrafficMove {
        let choices = self.foreign.vendor.choices();
        let factor = GbFactor::try_from(choices.deeds.mb_per_gb).expect("a factor");
        TrafficMove {
            direction,
            customer_id: CustomerId::new(customer.id.to_string()),
            user_name: customer.name,
            gb: Gb::parse("2.5", factor).expect("an amount"),
            factor,
            shown_recharged: Some(Amount::new(customer.recharged)),
            counter_of: None,
        }
    }

    async fn order(&self) -> PlaceAndPay {
        let config = RawValue::from_string(FOUR_IN_JAPAN.into()).expect("JSON");
        let quote = self.foreign.read(|| client::purchase::quote(&config, None)).await;
        let (quote_id, quote_version) = (quote.quote_id, quote.quote_version);
        PlaceAndPay { quote_id, quote_version, config, amount: quote.amount, currency: quote.currency }
    }

    /// Prices the renewal of two IPs that were bought yesterday.
    async fn renewal(&self) -> Renewal {
        let yesterday = wall() - 86_400_000;
        let asked = format!(r#"{{"config":{FOUR_IN_JAPAN}}}"#);
        let quote: Quote = self.told("purchase/quote", &asked, "", yesterday);
        let order = PlaceAndPayBody {
            quote_id: &quote.quote_id,
            quote_version: &quote.quote_version,
            config: &RawValue::from_string(FOUR_IN_JAPAN.into()).expect("JSON"),
        };
        let order = serde_json::to_string(&order).expect("JSON");
        let _: PlacedOrder = self.told("purchase/orders/place-and-pay", &order, "bought yesterday", yesterday);
        self.foreign.vendor.settle(wall());
        until("the service has time", async || match renewal_of(&self.foreign.client()).await {
            Err(Error::Refused(no)) if no.status == 429 => None,
            priced => Some(priced.expect("a price").expect("IPs")),
        })
        .await
    }

    /// The service's answer to a request that did not come over the network.
    fn told<T: DeserializeOwned>(&self, path: &str, body: &str, key: &str, at: i64) -> T {
        let who = self.foreign.vendor.choices().start;
        let request = Request::post(&format!("/api/open/staticip/{path}"), body)
            .with("UserId", &who.developer)
            .with("Token", &who.developer_token)
            .with("X-Idempotency-Key", key);
        let answer = self.foreign.vendor.answer(&request, at);
        wire::read_static(answer.status, &answer.body).expect("an answer").data
    }

    /// Returns how often this write occurs in the ledger since the start.
    pub fn times(&self, write: Write) -> usize {
        let is = |entry: &Entry| match (&entry.what, write) {
            (What::Charged { .. }, Write::Order)
            | (What::Renewed { .. }, Write::Renewal)
            | (What::Recharged { .. }, Write::Recharge)
            | (What::Deducted { .. }, Write::Deduction)
            | (What::StatusSet { active: false, .. }, Write::Status) => true,
            (What::Created { name, .. }, Write::AddUser) => name == NEW,
            (What::PasswordSet { password, .. }, Write::Password) => password == "Typed-by-hand-9",
            _ => false,
        };
        self.foreign.vendor.ledger().iter().skip(self.before).filter(|entry| is(entry)).count()
    }
}
