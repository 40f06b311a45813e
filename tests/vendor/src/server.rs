//! The service over HTTP on this machine.

use crate::request::{Answer, Delivery, Request};
use crate::{Clock, Vendor};
use bytes::Bytes;
use http_body_util::{BodyExt, Either, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

/// A running server. Dropping it stops it.
#[derive(Debug)]
pub struct Served {
    /// The address it listens on.
    pub address: SocketAddr,
    task: JoinHandle<()>,
}

impl Served {
    /// The URL without a path, as a base address of the contract.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves the vendor on `127.0.0.1`, on this port (0 picks a free one) and with this clock.
///
/// # Errors
/// When the port is not available.
pub async fn serve(vendor: Arc<Vendor>, clock: Clock, port: u16) -> io::Result<Served> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let address = listener.local_addr()?;
    let task = tokio::spawn(async move {
        let mut open = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let (vendor, clock) = (Arc::clone(&vendor), Arc::clone(&clock));
            open.spawn(async move {
                let service = service_fn(move |request| one(Arc::clone(&vendor), Arc::clone(&clock), request));
                // Connections that end badly are part of the game.
                let _ =
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
            while open.try_join_next().is_some() {}
        }
    });
    Ok(Served { address, task })
}

async fn one(
    vendor: Arc<Vendor>,
    clock: Clock,
    request: hyper::Request<Incoming>,
) -> Result<hyper::Response<Sent>, io::Error> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes().to_vec();
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let request = Request {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers.iter().map(header).collect(),
        body,
    };
    let answer = vendor.answer(&request, clock());
    if answer.delay_ms > 0 {
        tokio::time::sleep(Duration::from_millis(answer.delay_ms)).await;
    }
    response(answer)
}

fn response(answer: Answer) -> Result<hyper::Response<Sent>, io::Error> {
    let mut response = hyper::Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    let body = Bytes::from(answer.body);
    let sent = match answer.delivery {
        Delivery::Lost => return Err(io::ErrorKind::ConnectionAborted.into()),
        Delivery::Whole => Either::Left(Full::new(body)),
        Delivery::Cut => {
            response = response.header("Content-Length", body.len());
            Either::Right(Half(Some(body.slice(..body.len() / 2))))
        }
    };
    response.body(sent).map_err(io::Error::other)
}

/// A body, or the first half of one.
type Sent = Either<Full<Bytes>, Half>;

/// Half of a body, followed by the end of the connection.
struct Half(Option<Bytes>);

impl Body for Half {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let half = self.0.take().map(Frame::data);
        Poll::Ready(Some(half.ok_or_else(|| io::ErrorKind::ConnectionAborted.into())))
    }
}
