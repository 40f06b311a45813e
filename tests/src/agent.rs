//! An agent at work without a window: a till in a folder of its own, and a host that records what it is asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use operations::{OperationView, State};
use sandbox::{Credentials, Options, Service, THREE_IN_JAPAN};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use till::connections::ConnectionView;
use till::purchase::Price;
use till::settings::Settings;
use till::{Code, CommandError, Opening, Till};

use crate::host::TestHost;
use crate::service::{WAIT_UNIT, start_with};
use crate::traffic_move::CUSTOMER;
use crate::until;

/// An agent: a till, its host and its service.
pub struct Agent {
    /// The service, in this process.
    pub service: Service,
    /// The agent's till.
    pub till: Arc<Till>,
    /// The front end.
    pub host: Arc<TestHost>,
    folder: TempDir,
}

impl Agent {
    /// Makes an agent at the first start.
    pub async fn new() -> Self {
        Self::at(Options::default()).await
    }

    /// Makes an agent with an open connection to the service.
    pub async fn connected() -> Self {
        Self::connected_to(Options::default()).await
    }

    /// Makes an agent with an open connection to a service with these options.
    pub async fn connected_to(options: Options) -> Self {
        let agent = Self::at(options).await;
        let saved = agent.connect().await;
        till::connections::open_connection(&agent.till, saved.id).await.expect("it opens");
        agent
    }

    async fn at(options: Options) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let host = TestHost::saving_in(&folder.path().join("downloads"));
        let service = start_with(options).await;
        Self { service, till: open(folder.path(), &host), host, folder }
    }

    /// Ends the program and starts it again.
    pub fn start_again(&mut self) {
        self.till = open(self.folder.path(), &self.host);
    }

    /// Saves a connection to the service, with its tokens in memory only.
    pub async fn connect(&self) -> ConnectionView {
        till::connections::save_connection(&self.till, page(self.draft())).await.expect("a connection")
    }

    /// Returns the form of a connection to the service, as the page sends it.
    pub fn draft(&self) -> Value {
        draft(&self.service.base_url())
    }

    /// Returns the path of a file in the data folder.
    pub fn data(&self, name: &str) -> PathBuf {
        self.folder.path().join("data").join(name)
    }

    /// Returns the folder of files for the user.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Prices [`THREE_IN_JAPAN`]: 8.55 USD.
    pub async fn price(&self) -> Price {
        price(&self.till).await
    }

    /// Prices, offers and pays [`THREE_IN_JAPAN`].
    pub async fn buy(&self) -> OperationView {
        buy(&self.till).await
    }

    /// Opens the dialog of a recharge of [`CUSTOMER`] and types an amount in GB. Returns the token of its button.
    pub async fn offer_recharge(&self, gb: &str) -> String {
        let of = json!({ "direction": "recharge", "customerId": CUSTOMER, "userName": "", "counterOf": null });
        till::moves::open_move(&self.till, page(of)).await.expect("figures");
        let draft = json!({ "direction": "recharge", "customerId": CUSTOMER, "gb": gb, "counterOf": null });
        till::moves::offer_move(&self.till, page(draft)).await.expect("an offer").token
    }

    /// Recharges [`CUSTOMER`] and waits until that is certainly done.
    pub async fn recharge(&self, gb: &str) -> OperationView {
        let token = self.offer_recharge(gb).await;
        self.applied(self.confirm_move(&token).await.expect("it is sent")).await
    }

    /// Waits until an operation is certainly done.
    pub async fn applied(&self, sent: OperationView) -> OperationView {
        until("it is applied", async || {
            let now = till::activity::operations_of(&self.till, vec![sent.id.clone()]).await.expect("it is there");
            now.into_iter().find(|operation| operation.state == State::Applied)
        })
        .await
    }

    /// Confirms an offer.
    pub async fn confirm_move(&self, token: &str) -> Result<OperationView, CommandError> {
        till::moves::confirm_move(&self.till, page(json!({ "token": token, "anyway": false }))).await
    }

    /// Sets the limits: of an order in its currency, of a move in GB, of a day in GB.
    pub async fn set_limits(&self, pay: Option<&str>, operation: Option<&str>, day: Option<&str>) {
        till::settings::save_settings(&self.till, settings(pay, operation, day)).await.expect("they are saved");
    }

    /// Returns the moves in the ledger in order, in MB with sign.
    pub fn moved(&self) -> Vec<String> {
        self.service.world.ledger().expect("a ledger").moves.iter().map(|one| one.mb.to_string()).collect()
    }

    /// Returns the number of orders in the ledger.
    pub fn orders(&self) -> usize {
        self.service.world.ledger().expect("a ledger").orders.len()
    }
}

/// The time for one try of a proxy's test.
const PROXY_LIMIT: Duration = Duration::from_secs(3);

fn open(folder: &Path, host: &Arc<TestHost>) -> Arc<Till> {
    open_in(&folder.join("data"), host)
}

/// Opens the files of a data folder.
pub fn open_in(data_dir: &Path, host: &Arc<TestHost>) -> Arc<Till> {
    let opening =
        Opening { data_dir: data_dir.to_owned(), language: None, wait_unit: WAIT_UNIT, proxy_limit: PROXY_LIMIT };
    Till::open(&opening, host.clone()).expect("it opens")
}

async fn price(till: &Till) -> Price {
    let config: Value = serde_json::from_str(THREE_IN_JAPAN).expect("JSON");
    let asked = page(json!({ "config": config, "lastVersion": null }));
    till::purchase::purchase_price(till, asked).await.expect("a price")
}

async fn buy(till: &Till) -> OperationView {
    let offered = till::purchase::offer_order(till, price(till).await.quote_id).await.expect("an offer");
    till::purchase::pay_order(till, offered.token).await.expect("it is paid")
}

/// Buys [`THREE_IN_JAPAN`] at a service with another program of the same account.
pub async fn buy_elsewhere(base_url: &str) -> OperationView {
    let folder = tempfile::tempdir().expect("a folder");
    let other = open_in(folder.path(), &TestHost::saving_in(folder.path()));
    let saved = till::connections::save_connection(&other, page(draft(base_url))).await.expect("a connection");
    till::connections::open_connection(&other, saved.id).await.expect("it opens");
    buy(&other).await
}

/// Returns the form of a connection to a practice service, with its tokens in memory only.
pub fn draft(base_url: &str) -> Value {
    let who = Credentials::well_known();
    json!({
        "id": null, "name": "My account", "baseUrl": base_url, "staticPrefix": "/api", "agentPrefix": "/prod-api",
        "userId": who.user_id, "staticToken": who.static_token, "agentToken": who.agent_token, "sessionOnly": true,
        "gbFactor": 1024, "timeZone": 480, "polarity": "one-is-active",
    })
}

/// Makes settings with these limits: of an order in its currency, of a move in GB, of a day in GB.
pub fn settings(pay: Option<&str>, operation: Option<&str>, day: Option<&str>) -> Settings {
    page(json!({
        "language": "en", "theme": "system", "limits": { "pay": pay, "operation": operation, "day": day },
        "notifications": { "delivered": true, "lowTraffic": null },
    }))
}

/// Parses a request as the page sends it.
pub fn page<T: DeserializeOwned>(request: Value) -> T {
    serde_json::from_value(request).unwrap_or_else(|error| panic!("no request of the page: {error}"))
}

/// Returns an answer as the page gets it.
pub fn seen_by_page(answer: &impl serde::Serialize) -> Value {
    serde_json::to_value(answer).expect("JSON")
}

/// Returns the code of an error.
pub fn code<T>(done: Result<T, CommandError>) -> Code {
    done.err().expect("it is refused").code
}

/// Returns the field that is wrong, and why.
pub fn field<T>(done: Result<T, CommandError>) -> (String, String) {
    let error = done.err().expect("it is refused");
    let Code::Invalid(field) = error.code else { panic!("no field: {error:?}") };
    let seen = seen_by_page(&field);
    let word = |key: &str| seen[key].as_str().expect("a word").to_owned();
    (word("field"), word("why"))
}

/// Makes a field and the reason why it is wrong, to compare with.
pub fn wrong(field: &str, why: &str) -> (String, String) {
    (field.to_owned(), why.to_owned())
}

/// Longer than any single request in these tests takes.
pub const LONG: Duration = Duration::from_secs(20);
