//! Misbehaviour on request: everything that networks, proxies and services do to answers.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use serde::{Deserialize, Serialize};
use tower::ServiceExt;

use crate::envelope::{self, Refusal};
use crate::hostile;
use crate::ledger::RequestSeen;
use crate::manners;
use crate::world::World;

/// One way for an answer to go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum Fault {
    /// The request is carried out at once and answered late.
    Delay {
        /// Milliseconds.
        ms: u64,
    },
    /// The connection ends; nothing is carried out.
    DropBefore,
    /// The request is carried out; the connection ends without an answer.
    DropAfter,
    /// The request is carried out only after the connection is gone.
    Late {
        /// Milliseconds.
        ms: u64,
    },
    /// The answer breaks off in the middle.
    Cut {
        /// Bytes of the body that still arrive.
        at: usize,
    },
    /// A web page instead of the answer; nothing is carried out.
    Html,
    /// A redirect; nothing is carried out.
    Redirect,
    /// Another HTTP status without an envelope; nothing is carried out.
    Status {
        /// The status.
        code: u16,
    },
    /// An answer far larger than any expected; nothing is carried out.
    Large {
        /// MiB.
        mib: usize,
    },
    /// The service refuses; nothing is carried out.
    Refuse {
        /// The code; when absent, a general one.
        #[serde(default)]
        code: Option<String>,
    },
    /// The service refuses but carries the request out later: a gateway gave up on it.
    LateNo {
        /// The code; when absent, a general one.
        #[serde(default)]
        code: Option<String>,
        /// Milliseconds.
        ms: u64,
    },
    /// The price has expired, however new it is; nothing is carried out.
    QuoteExpired,
    /// The stock is sold out; nothing is carried out.
    NoStock,
    /// The next order is delivered in part at first, in any city.
    Partial,
    /// A proxy on the way sends the request twice; the second answer comes back.
    Twice,
    /// "Already processed" is reported as 201, as in the contract's sample.
    #[serde(rename = "code-201")]
    Code201,
    /// The next move of traffic counts a GB as 1000 MB.
    #[serde(rename = "factor-1000")]
    Factor1000,
    /// The next `changeStatus` takes its value the other way round.
    Polarity,
    /// The next move of traffic appears in the records only later.
    LedgerLag {
        /// Milliseconds of the service's clock.
        ms: i64,
    },
    /// The first row of a list has no amount, in requests about all customers.
    BadRow,
    /// A list reports one row more than it shows, as when rows move between its pages.
    Short,
    /// Every text of the answer gets one of these appended.
    Hostile {
        /// Texts that must never be executed.
        payloads: Vec<String>,
    },
    /// `data` is null in an otherwise good answer; nothing is carried out.
    NullData,
    /// Too many requests; nothing is carried out.
    Busy {
        /// Seconds to name in `Retry-After`, if any.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// Lasting behaviour: a page holds at most ten rows, whatever is asked for.
    PagesOfTen,
    /// Lasting behaviour: every ninth request is one too many.
    #[serde(rename = "every-ninth-429")]
    EveryNinth429,
    /// Lasting behaviour: a request is refused if one of the same method and address came within this time.
    SameGetRefused {
        /// Milliseconds of the service's own steady clock.
        #[serde(default = "five_seconds")]
        ms: u64,
    },
    /// Lasting behaviour: a row of usage of the first three customers grows whenever rows of type 1 are read.
    GrowingUse,
    /// Lasting behaviour: the same, in a new row every second.
    StreamingUse,
}

fn five_seconds() -> u64 {
    5_000
}

impl Fault {
    /// Whether this is a lasting behaviour rather than a fault of one answer.
    pub(crate) fn is_way(&self) -> bool {
        use Fault::{EveryNinth429, GrowingUse, PagesOfTen, SameGetRefused, StreamingUse};
        matches!(self, PagesOfTen | EveryNinth429 | SameGetRefused { .. } | GrowingUse | StreamingUse)
    }
}

/// A fault, with its endpoint and count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRule {
    /// The end of the path, such as `purchase/quote`.
    pub endpoint: String,
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
    /// Number of requests it hits.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

/// The connection is to end without an answer.
#[derive(Debug, thiserror::Error)]
#[error("dropped on purpose")]
pub(crate) struct Dropped;

type Answer = Result<Response<Body>, Dropped>;

/// Passes a request on, through the fault that is set for it, if any.
pub(crate) async fn serve(world: Arc<World>, router: Router, request: Request<Body>) -> Answer {
    let path = request.uri().path().to_owned();
    if path.starts_with("/_control/") {
        return pass(router, request).await;
    }
    let key = request.headers().get("x-idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    world.saw(RequestSeen { method: request.method().to_string(), path: path.clone(), key, at: world.clock.now() });
    // Lasting behaviours add up, and come before any single fault.
    let mut request = request;
    for way in world.ways_for(&path) {
        match manners::keep(&way, &world, request) {
            Ok(admitted) => request = admitted,
            Err(answer) => return Ok(answer),
        }
    }
    match world.fault_for(&path) {
        None => pass(router, request).await,
        Some(fault) => misbehave(fault, &world, router, request).await,
    }
}

async fn pass(router: Router, request: Request<Body>) -> Answer {
    let Ok(answer) = router.oneshot(request).await;
    Ok(answer)
}

async fn misbehave(fault: Fault, world: &World, router: Router, request: Request<Body>) -> Answer {
    let now = world.clock.now();
    match fault {
        Fault::Delay { ms } => {
            let answer = pass(router, request).await;
            tokio::time::sleep(Duration::from_millis(ms)).await;
            answer
        }
        Fault::DropBefore => Err(Dropped),
        Fault::DropAfter => {
            pass(router, request).await?;
            Err(Dropped)
        }
        Fault::Late { ms } => {
            carry_out_later(router, request, ms).await?;
            Err(Dropped)
        }
        Fault::LateNo { code, ms } => {
            let no = envelope::refused(request.uri().path(), code.as_deref(), now);
            carry_out_later(router, request, ms).await?;
            Ok(no)
        }
        Fault::Cut { at } => cut(pass(router, request).await?, at).await,
        Fault::Html => {
            plain(StatusCode::OK, "text/html", "<!doctype html><title>Sign in</title><p>Welcome to the hotel network.")
        }
        Fault::Redirect => {
            let mut answer = plain(StatusCode::FOUND, "text/plain", "")?;
            answer
                .headers_mut()
                .insert(header::LOCATION, header::HeaderValue::from_static("http://127.0.0.1:9/elsewhere"));
            Ok(answer)
        }
        Fault::Status { code } => {
            plain(StatusCode::from_u16(code).map_err(|_| Dropped)?, "text/plain", "upstream trouble")
        }
        Fault::Large { mib } => {
            let text = format!("{{\"code\":\"0\",\"data\":\"{}\"}}", "x".repeat(mib * 1024 * 1024));
            Ok(Response::new(Body::from(text)))
        }
        Fault::Refuse { code } => Ok(envelope::refused(request.uri().path(), code.as_deref(), now)),
        Fault::QuoteExpired => Ok(Refusal::business("60306", "price expired").respond(now)),
        Fault::NoStock => Ok(Refusal::business("60310", "not enough stock").respond(now)),
        Fault::Partial => {
            world.deliver_next_in_part();
            pass(router, request).await
        }
        Fault::Code201 => {
            let (parts, bytes) = read(pass(router, request).await?).await?;
            let said: serde_json::Value = serde_json::from_slice(&bytes).map_err(|_| Dropped)?;
            if said["code"] == 203 {
                return Ok(envelope::agent_said(201, said["msg"].as_str().unwrap_or_default()));
            }
            Ok(Response::from_parts(parts, Body::from(bytes)))
        }
        Fault::Factor1000 => {
            world.count_next_short();
            pass(router, request).await
        }
        Fault::Polarity => {
            world.turn_next_round();
            pass(router, request).await
        }
        Fault::LedgerLag { ms } => {
            world.show_next_after(ms);
            pass(router, request).await
        }
        Fault::Twice => {
            let (one, other) = doubled(request).await?;
            pass(router.clone(), one).await?;
            pass(router, other).await
        }
        Fault::BadRow => {
            let of_everybody = !request.uri().query().unwrap_or_default().contains("account=");
            let answer = pass(router, request).await?;
            if of_everybody { without_amount(answer).await } else { Ok(answer) }
        }
        Fault::Short => one_missing(pass(router, request).await?).await,
        Fault::Hostile { payloads } => {
            hostile(pass(router, request).await?, &payloads, 37 * world.requests_seen()).await
        }
        Fault::NullData => Ok(envelope::null_data(request.uri().path(), now)),
        Fault::Busy { retry_after } => Ok(manners::busy(request.uri().path(), retry_after, now)),
        Fault::PagesOfTen
        | Fault::EveryNinth429
        | Fault::SameGetRefused { .. }
        | Fault::GrowingUse
        | Fault::StreamingUse => pass(router, request).await,
    }
}

async fn carry_out_later(router: Router, request: Request<Body>, ms: u64) -> Result<(), Dropped> {
    let request = whole(request).await?;
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        pass(router, request).await
    });
    Ok(())
}

async fn read(answer: Response<Body>) -> Result<(hyper::http::response::Parts, Bytes), Dropped> {
    let (parts, body) = answer.into_parts();
    Ok((parts, body.collect().await.map_err(|_| Dropped)?.to_bytes()))
}

async fn hostile(answer: Response<Body>, payloads: &[String], mut next: usize) -> Answer {
    let (mut parts, bytes) = read(answer).await?;
    parts.headers.remove(header::CONTENT_LENGTH);
    let mut said = serde_json::from_slice(&bytes).map_err(|_| Dropped)?;
    hostile::poison(&mut said, "", payloads, &mut next);
    Ok(Response::from_parts(parts, Body::from(said.to_string())))
}

async fn without_amount(answer: Response<Body>) -> Answer {
    let (mut parts, bytes) = read(answer).await?;
    parts.headers.remove(header::CONTENT_LENGTH);
    let text = String::from_utf8_lossy(&bytes).replacen("\"flowCount\"", "\"flow\"", 1);
    Ok(Response::from_parts(parts, Body::from(text)))
}

async fn one_missing(answer: Response<Body>) -> Answer {
    let (mut parts, bytes) = read(answer).await?;
    parts.headers.remove(header::CONTENT_LENGTH);
    let mut said: serde_json::Value = serde_json::from_slice(&bytes).map_err(|_| Dropped)?;
    if let Some(total) = said.pointer_mut("/data/total") {
        *total = (total.as_i64().unwrap_or_default() + 1).into();
    }
    Ok(Response::from_parts(parts, Body::from(said.to_string())))
}

/// Reads the whole body while the connection still exists.
async fn whole(request: Request<Body>) -> Result<Request<Body>, Dropped> {
    let (parts, body) = request.into_parts();
    let bytes = body.collect().await.map_err(|_| Dropped)?.to_bytes();
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Returns the request and a copy of it.
async fn doubled(request: Request<Body>) -> Result<(Request<Body>, Request<Body>), Dropped> {
    let (parts, body) = request.into_parts();
    let bytes = body.collect().await.map_err(|_| Dropped)?.to_bytes();
    let copy = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
    Ok((copy, Request::from_parts(parts, Body::from(bytes))))
}

/// Announces the whole length, sends a part, and ends the connection.
async fn cut(answer: Response<Body>, at: usize) -> Answer {
    let (mut parts, bytes) = read(answer).await?;
    parts.headers.insert(header::CONTENT_LENGTH, bytes.len().into());
    let first = bytes.slice(..at.min(bytes.len()));
    let (sender, receiver) = tokio::sync::mpsc::channel(2);
    tokio::spawn(async move {
        let _ = sender.send(Ok(first)).await;
        // Give the part time to leave: an immediate error would discard it.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let _ = sender.send(Err(Dropped)).await;
    });
    Ok(Response::from_parts(parts, Body::new(Pieces(receiver))))
}

struct Pieces(tokio::sync::mpsc::Receiver<Result<Bytes, Dropped>>);

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = Dropped;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Dropped>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| piece.map(hyper::body::Frame::data)))
    }
}

fn plain(status: StatusCode, kind: &str, text: &'static str) -> Answer {
    Response::builder().status(status).header(header::CONTENT_TYPE, kind).body(Body::from(text)).map_err(|_| Dropped)
}
