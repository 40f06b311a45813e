//! Listens, authenticates, routes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower::ServiceExt;

use crate::envelope::{self, Refusal};
use crate::world::{Options, StartError, World};
use crate::{
    accounts, capabilities, control, customers, faults, inventory, ips, locations, orders, purchase, renewals, traffic,
    usage,
};

/// A running practice service. Dropping it stops it.
pub struct Service {
    /// The address it listens on.
    pub address: SocketAddr,
    /// Its state, for the practice menu and for tests.
    pub world: Arc<World>,
    listening: JoinHandle<()>,
}

impl Service {
    /// The base address for a connection.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// The practice service without a network: takes a request, returns its answer. For many thousands of schedules that
/// play the network themselves.
pub struct Offline {
    /// Its state.
    pub world: Arc<World>,
    router: Router,
}

impl Offline {
    /// Opens the ledger.
    ///
    /// # Errors
    /// [`StartError`] when the ledger cannot be opened.
    pub fn new(options: Options) -> Result<Self, StartError> {
        let world = Arc::new(World::new(options)?);
        let router = router(&world);
        Ok(Self { world, router })
    }

    /// Returns status and body. `path` includes the query.
    pub async fn answer(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, Vec<u8>) {
        let request = headers
            .iter()
            .fold(Request::builder().method(method).uri(path), |request, (name, value)| request.header(*name, *value));
        let Ok(request) = request.body(Body::from(body.to_owned())) else { return (400, Vec::new()) };
        let Ok(answer) = self.router.clone().oneshot(request).await;
        let status = answer.status().as_u16();
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await;
        (status, body.map(Vec::from).unwrap_or_default())
    }
}

/// Starts the service on loopback.
///
/// # Errors
/// [`StartError`] when the port is taken or the ledger cannot be opened.
pub async fn start(options: Options) -> Result<Service, StartError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await?;
    let address = listener.local_addr()?;
    let world = Arc::new(World::new(options)?);
    let router = router(&world);
    let listening = tokio::spawn(listen(listener, world.clone(), router));
    Ok(Service { address, world, listening })
}

async fn listen(listener: TcpListener, world: Arc<World>, router: Router) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let _ = stream.set_nodelay(true);
        let (world, router) = (world.clone(), router.clone());
        let answer = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            faults::serve(world.clone(), router.clone(), request.map(Body::new))
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}

const LARGEST_BODY: usize = 1024 * 1024;

fn router(world: &Arc<World>) -> Router {
    let static_area = Router::new()
        .merge(locations::router())
        .merge(purchase::router())
        .merge(inventory::router())
        .merge(orders::router())
        .merge(ips::router())
        .merge(renewals::router())
        .layer(middleware::from_fn_with_state(world.clone(), static_credentials));
    let agent_area = customers::router()
        .merge(accounts::router())
        .merge(traffic::router())
        .merge(usage::router())
        .layer(middleware::from_fn_with_state(world.clone(), agent_credentials));
    let mut all = Router::new()
        .nest("/api/open/staticip", static_area)
        .nest("/prod-api", agent_area)
        .nest("/api", capabilities::ping_router())
        .layer(middleware::from_fn_with_state(world.clone(), capabilities::only_offered));
    if world.options.control {
        all = all.nest("/_control", control::router());
    }
    all.fallback(unknown_path).layer(DefaultBodyLimit::max(LARGEST_BODY)).with_state(world.clone())
}

async fn unknown_path(State(world): State<Arc<World>>, uri: Uri) -> Response {
    envelope::not_found(uri.path(), world.clock.now())
}

async fn static_credentials(
    State(world): State<Arc<World>>,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Response {
    let expected = world.credentials();
    let sent = |name: &str| headers.get(name).map(|value| value.as_bytes().to_vec());
    let refusal = match (sent("userid"), sent("token")) {
        (None, _) => Refusal::credentials("20010", "UserId header missing"),
        (_, None) => Refusal::credentials("20011", "Token header missing"),
        (Some(id), Some(token)) if id == expected.user_id.as_bytes() && token == expected.static_token.as_bytes() => {
            return next.run(request).await;
        }
        _ => Refusal::credentials("20000", "developer credentials invalid or disabled"),
    };
    refusal.respond(world.clock.now())
}

async fn agent_credentials(
    State(world): State<Arc<World>>,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Response {
    let sent = headers.get("token").map(|token| token.as_bytes());
    if sent == Some(world.credentials().agent_token.as_bytes()) {
        next.run(request).await
    } else {
        envelope::agent_not_authenticated()
    }
}

/// Wraps a handler's result in its envelope, with the current time.
pub(crate) fn answer<T: serde::Serialize>(world: &World, result: Result<T, Refusal>) -> Response {
    let now = world.clock.now();
    match result {
        Ok(data) => envelope::Success(now, data).into_response(),
        Err(refusal) => refusal.respond(now),
    }
}
