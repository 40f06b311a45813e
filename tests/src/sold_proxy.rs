//! A proxy as a vendor sells it, on loopback, and a site to ask for through it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::service::serve;

/// The user of every proxy.
pub const USER: &str = "canary-user@7:f";
/// Its password.
pub const PASSWORD: &str = "canary-pass/9c+2=";

/// What a proxy speaks, and how it treats who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// SOCKS5; connects.
    Socks5,
    /// HTTP; connects.
    Http,
    /// SOCKS5; connects to nothing.
    ForbidsSocks5,
    /// HTTP; connects to nothing.
    ForbidsHttp,
    /// Never answers.
    Silent,
    /// Closes every connection.
    Closes,
    /// Greets like a program that is no proxy.
    Banner,
}

/// The connections of some proxies.
#[derive(Clone, Default)]
pub struct Traffic {
    /// The first bytes of each request, as text.
    heard: Arc<Mutex<Vec<String>>>,
    open: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Traffic {
    /// Returns the heads of the HTTP requests, and `SOCKS5 host:port` for each request by SOCKS5.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().clone()
    }

    /// Returns the number of connections now, and the most at a time.
    pub fn open(&self) -> (usize, usize) {
        (self.open.load(Ordering::SeqCst), self.most.load(Ordering::SeqCst))
    }

    fn begins(&self) -> Connection {
        let now = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        Connection(self.open.clone())
    }
}

struct Connection(Arc<AtomicUsize>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Starts a proxy, which ends with the test's runtime. Returns its port.
pub async fn sell(manner: Manner, traffic: &Traffic) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
    let port = listener.local_addr().expect("a bound address").port();
    let traffic = traffic.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let traffic = traffic.clone();
            tokio::spawn(async move {
                let _connection = traffic.begins();
                treat(client, manner, &traffic).await
            });
        }
    });
    port
}

/// A port at which nobody listens, as long as this lives: it is taken.
pub struct ClosedPort(TcpSocket);

impl ClosedPort {
    /// Takes a port.
    pub fn take() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(([127, 0, 0, 1], 0).into()).expect("loopback");
        Self(socket)
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.0.local_addr().expect("a bound address").port()
    }
}

/// One proxy in an order's answer.
pub fn sold(port: u16, protocol: &str, country: &str) -> Value {
    json!({
        "proxyIp": "127.0.0.1", "proxyPort": port, "proxyUser": USER, "proxyPassword": PASSWORD, "protocol": protocol,
        "countryCode": country,
    })
}

/// The members of an order's answer that holds these proxies.
pub fn order_of(proxies: &[Value]) -> Value {
    json!({ "purchaseIpCount": proxies.len(), "deliverIpCount": proxies.len(), "details": { "ips": proxies } })
}

async fn treat(mut client: TcpStream, manner: Manner, traffic: &Traffic) -> io::Result<()> {
    let mut first = [0];
    match manner {
        Manner::Closes => return Ok(()),
        Manner::Silent => return tokio::io::copy(&mut client, &mut tokio::io::sink()).await.map(drop),
        Manner::Banner => {
            client.write_all(b"SSH-2.0-OpenSSH_9.6\r\n").await?;
            return tokio::io::copy(&mut client, &mut tokio::io::sink()).await.map(drop);
        }
        _ => {}
    }
    client.peek(&mut first).await?;
    match (manner, first[0] == 5) {
        (Manner::Socks5 | Manner::ForbidsSocks5, true) => socks5(client, manner, traffic).await,
        (Manner::Http | Manner::ForbidsHttp, false) => http(client, manner, traffic).await,
        (Manner::Http | Manner::ForbidsHttp, true) => client.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await,
        _ => Ok(()),
    }
}

/// RFC 1928 and 1929.
async fn socks5(mut client: TcpStream, manner: Manner, traffic: &Traffic) -> io::Result<()> {
    let methods = [client.read_u8().await?, client.read_u8().await?][1];
    let offered = bytes(&mut client, methods).await?;
    if !offered.contains(&2) {
        return client.write_all(&[5, 0xff]).await;
    }
    client.write_all(&[5, 2]).await?;
    client.read_u8().await?;
    let mut told = Vec::new();
    for _ in 0..2 {
        let length = client.read_u8().await?;
        told.push(bytes(&mut client, length).await?);
    }
    if told != [USER.as_bytes(), PASSWORD.as_bytes()] {
        return client.write_all(&[1, 1]).await;
    }
    client.write_all(&[1, 0]).await?;
    let head = bytes(&mut client, 4).await?;
    let host = match head[3] {
        1 => std::net::Ipv4Addr::from_bits(client.read_u32().await?).to_string(),
        3 => {
            let length = client.read_u8().await?;
            String::from_utf8_lossy(&bytes(&mut client, length).await?).into_owned()
        }
        other => panic!("an address of kind {other}"),
    };
    let address = format!("{host}:{}", client.read_u16().await?);
    traffic.heard.lock().push(format!("SOCKS5 {address}"));
    let reply = |code: u8| [5, code, 0, 1, 0, 0, 0, 0, 0, 0];
    if manner == Manner::ForbidsSocks5 {
        return client.write_all(&reply(2)).await;
    }
    let mut site = TcpStream::connect(address).await?;
    client.write_all(&reply(0)).await?;
    tokio::io::copy_bidirectional(&mut client, &mut site).await.map(drop)
}

async fn bytes(client: &mut TcpStream, length: u8) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::from(length)];
    client.read_exact(&mut bytes).await?;
    Ok(bytes)
}

async fn http(mut client: TcpStream, manner: Manner, traffic: &Traffic) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    traffic.heard.lock().push(head.clone());
    let expected = format!("proxy-authorization: Basic {}", BASE64_STANDARD.encode(format!("{USER}:{PASSWORD}")));
    if !head.lines().any(|line| line.eq_ignore_ascii_case(&expected) && line.ends_with(&expected[27..])) {
        return client.write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n").await;
    }
    if manner == Manner::ForbidsHttp {
        return client.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n").await;
    }
    let mut words = head.split(' ');
    let (method, asked) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method == "CONNECT" {
        let mut site = TcpStream::connect(asked).await?;
        client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
        return tokio::io::copy_bidirectional(&mut client, &mut site).await.map(drop);
    }
    let url = url::Url::parse(asked).map_err(io::Error::other)?;
    let mut site = TcpStream::connect(url.socket_addrs(|| None)?[0]).await?;
    let kept = head.lines().skip(1).filter(|line| !line.to_ascii_lowercase().starts_with("proxy-"));
    let rest: Vec<&str> = kept.collect();
    site.write_all(format!("GET {} HTTP/1.1\r\n{}\r\n", url.path(), rest.join("\r\n")).as_bytes()).await?;
    tokio::io::copy_bidirectional(&mut client, &mut site).await.map(drop)
}

/// A site that tells who asks where they are.
pub struct Site {
    /// Its address.
    pub url: String,
    heard: Arc<Mutex<Vec<HeaderMap>>>,
}

impl Site {
    /// Starts a site with this answer. It ends with the test's runtime.
    pub async fn saying(answer: &'static str) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let all = heard.clone();
        let answer = async move |headers: HeaderMap| {
            all.lock().push(headers);
            answer
        };
        Self { url: format!("{}/", serve(Router::new().route("/", get(answer))).await), heard }
    }

    /// Returns the headers of each request so far.
    pub fn heard(&self) -> Vec<HeaderMap> {
        self.heard.lock().clone()
    }
}
