//! Lasting behaviour of a service that is strict with its callers: few rows on a page, not too many requests, not
//! the same one twice. Also usage that goes on while it is read.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use parking_lot::Mutex;

use crate::envelope;
use crate::faults::Fault;
use crate::traffic;
use crate::world::World;

/// State of a strict service.
#[derive(Default)]
pub(crate) struct Manners {
    requests: AtomicU32,
    last: Mutex<HashMap<String, Instant>>,
}

/// Number of customers who use traffic while it is read.
const USERS: u32 = 3;

/// Returns the request if it is admitted, or the answer if it is not.
#[allow(clippy::result_large_err, reason = "an answer is what a turned away request is for")]
pub(crate) fn keep(way: &Fault, world: &World, request: Request<Body>) -> Result<Request<Body>, Response<Body>> {
    let (path, now) = (request.uri().path(), world.clock.now());
    match way {
        Fault::EveryNinth429 if (world.manners.requests.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(9) => {
            Err(busy(path, None, now))
        }
        Fault::SameGetRefused { ms } if world.manners.is_repeated(&request, Duration::from_millis(*ms)) => {
            Err(envelope::said(path, StatusCode::OK, "500", "不允许重复提交，请稍候再试", now))
        }
        Fault::PagesOfTen => Ok(of_ten(request)),
        Fault::GrowingUse | Fault::StreamingUse if request.uri().query().unwrap_or_default().contains("type=1") => {
            let ledger = world.ledger.lock();
            for at in 0..USERS {
                // If the ledger cannot be written, the customer just uses nothing.
                let _ = traffic::use_more(&ledger, at, now, *way == Fault::GrowingUse);
            }
            drop(ledger);
            Ok(request)
        }
        _ => Ok(request),
    }
}

/// "Too many requests", in the envelope of the path's area.
pub(crate) fn busy(path: &str, retry_after: Option<u64>, now: i64) -> Response<Body> {
    let mut answer = envelope::said(path, StatusCode::TOO_MANY_REQUESTS, "429", "请求过于频繁，请稍候再试", now);
    if let Some(seconds) = retry_after {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    answer
}

impl Manners {
    /// Refused requests count too: asking again and again is refused again and again.
    fn is_repeated(&self, request: &Request<Body>, within: Duration) -> bool {
        let (name, now) = (format!("{} {}", request.method(), request.uri()), Instant::now());
        let mut last = self.last.lock();
        last.insert(name, now).is_some_and(|before| now.duration_since(before) < within)
    }
}

fn of_ten(mut request: Request<Body>) -> Request<Body> {
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let few = |pair: &str| match pair.strip_prefix("pageSize=").and_then(|size| size.parse::<u32>().ok()) {
        Some(size) => format!("pageSize={}", size.min(10)),
        None => pair.to_owned(),
    };
    let query: Vec<String> = query.split('&').map(few).collect();
    if let Ok(uri) = format!("{path}?{}", query.join("&")).parse::<Uri>() {
        *request.uri_mut() = uri;
    }
    request
}
