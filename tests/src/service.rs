//! The practice service, inside the test's process or as a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use client::account::StaticCredentials;
use client::{Account, Address, Client, Patience, Pauses};
use sandbox::{Credentials, Fault, FaultRule, Ledger, Options, Service};

use crate::built;

/// Starts the service with control on a free port.
pub async fn start() -> Service {
    start_with(Options::default()).await
}

/// Starts the service with control and these options.
pub async fn start_with(options: Options) -> Service {
    sandbox::start(Options { control: true, ..options }).await.expect("the practice service starts")
}

/// Returns the account that the service knows.
pub fn account(base_url: &str) -> Account {
    let who = Credentials::well_known();
    Account {
        address: Address::parse(base_url, "/api", "/prod-api").expect("a loopback address"),
        static_area: Some(StaticCredentials { user_id: who.user_id, token: who.static_token.into() }),
        agent_token: Some(who.agent_token.into()),
    }
}

/// The unit of a read's waits in these tests, when the vendor asks it to wait.
pub const WAIT_UNIT: Duration = Duration::from_millis(30);
/// The time within which a strict service in these tests refuses a repeated request, in ms. Much less than the six
/// units that a read waits, so that even a delayed request comes late enough after the last one.
pub const SAME: u64 = 100;

/// Makes a reading client of the service.
pub fn client(service: &Service) -> Client {
    let patience = Patience { pauses: Pauses::of(WAIT_UNIT), ..Patience::default() };
    Client::new(Arc::new(account(&service.base_url())), patience).expect("a client")
}

/// Makes a service strict with reads: pages of ten rows, every ninth request refused as one too many, a repeated
/// request refused for `same` ms.
pub fn be_strict(service: &Service, same: u64) {
    for endpoint in ["customer/list", "FlowList", "flowReport", "rechargeFlowListForMe", "getFlowTotalFull"] {
        for way in [Fault::EveryNinth429, Fault::SameGetRefused { ms: same }, Fault::PagesOfTen] {
            always(service, endpoint, way);
        }
    }
}

/// Makes one request to an endpoint go wrong.
pub fn fault(service: &Service, endpoint: &str, fault: Fault) {
    service.world.add_fault(FaultRule { endpoint: endpoint.into(), fault, times: 1 });
}

/// Makes every request to an endpoint go wrong from now on.
pub fn always(service: &Service, endpoint: &str, fault: Fault) {
    service.world.add_fault(FaultRule { endpoint: endpoint.into(), fault, times: u32::MAX });
}

/// Returns the number of requests so far whose path ends like this.
pub fn requests(service: &Service, path: &str) -> usize {
    let all = service.world.ledger().expect("a ledger").requests;
    all.iter().filter(|request| request.path.ends_with(path)).count()
}

/// The service as a process of its own, for tests that use only HTTP.
pub struct Process {
    /// The base address.
    pub base_url: String,
    child: Child,
}

impl Process {
    /// Starts the process with control on a free port.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the process with more options.
    pub fn start_with(options: &[&str]) -> Self {
        let mut command = Command::new(built("sandbox"));
        command.args(["--port", "0", "--control"]).args(options).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the practice service starts");
        let mut first = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut first).expect("it says where it listens");
        let base_url = first.split_whitespace().find(|word| word.starts_with("http")).expect("an address").to_owned();
        Self { base_url, child }
    }

    /// Reads the service's ledger.
    pub async fn ledger(&self) -> Ledger {
        http()
            .get(format!("{}/_control/ledger", self.base_url))
            .send()
            .await
            .expect("an answer")
            .json()
            .await
            .expect("a ledger")
    }

    /// Changes something through `/_control/`.
    pub async fn control(&self, what: &str, body: serde_json::Value) {
        let answer =
            http().post(format!("{}/_control/{what}", self.base_url)).json(&body).send().await.expect("an answer");
        assert!(answer.status().is_success(), "control {what}: {}", answer.status());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves on loopback until the test ends. Returns the base address.
pub async fn serve(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let router = router.clone();
            let answer = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                tower::ServiceExt::oneshot(router.clone(), request.map(axum::body::Body::new))
            });
            let stream = hyper_util::rt::TokioIo::new(stream);
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(stream, answer));
        }
    });
    base
}

/// Makes a bare HTTP client, which calls the service as curl would.
pub fn http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    #[allow(clippy::disallowed_methods, reason = "looks at the service as curl would, with well-known credentials")]
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client")
}
