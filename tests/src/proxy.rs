//! A proxy that treats one write as networks, servers and other proxies might. One request per connection.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use dice::Dice;

/// A fault of a request or of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFault {
    /// Connection reset; nothing is passed on.
    ResetBefore,
    /// Connection closed; nothing is passed on.
    ClosedBefore,
    /// Passed on, then the connection is reset.
    ResetAfter,
    /// Passed on, then the connection is closed.
    ClosedAfter,
    /// Not passed on and never answered.
    HangBefore,
    /// Passed on but never answered.
    HangAfter,
    /// Passed on after the caller has given up.
    Late,
    /// The answer comes byte by byte.
    Drip,
    /// The answer ends within its head.
    CutHead,
    /// The answer ends within its body.
    CutBody,
    /// The answer announces more bytes than it has.
    Longer,
    /// Another program's web page; nothing is passed on.
    Page,
    /// A redirect; nothing is passed on.
    Redirect,
    /// "Bad gateway", although the request is passed on.
    BadGateway,
    /// "Too many requests" from another program; nothing is passed on.
    TooMany,
    /// Not HTTP at all.
    Garbage,
}

impl WireFault {
    /// All faults.
    pub const ALL: [Self; 16] = [
        Self::ResetBefore,
        Self::ClosedBefore,
        Self::ResetAfter,
        Self::ClosedAfter,
        Self::HangBefore,
        Self::HangAfter,
        Self::Late,
        Self::Drip,
        Self::CutHead,
        Self::CutBody,
        Self::Longer,
        Self::Page,
        Self::Redirect,
        Self::BadGateway,
        Self::TooMany,
        Self::Garbage,
    ];
}

/// The faults to come.
#[derive(Default)]
struct Plan {
    /// The end of a path, its fault, and how often it is still to happen.
    fault: Option<(String, WireFault, u32)>,
    /// Whether a fault has happened.
    hit: bool,
    /// The number of requests that still pass with their own token; `None` for all.
    passing: Option<usize>,
    dice: Option<Dice>,
}

/// The proxy. It ends with the test's runtime.
pub struct Proxy {
    port: u16,
    plan: Arc<Mutex<Plan>>,
}

/// Longer than any caller in these tests waits.
const TOO_LONG: Duration = Duration::from_millis(700);

impl Proxy {
    /// Starts a proxy in front of a service (`http://host:port`).
    pub async fn before(service: &str, seed: u64) -> Self {
        let service = service.strip_prefix("http://").expect("an address").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
        let port = listener.local_addr().expect("a bound address").port();
        let plan = Arc::new(Mutex::new(Plan { dice: Some(Dice::of(seed)), ..Plan::default() }));
        let shared = plan.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, service.clone(), shared.clone()));
            }
        });
        Self { port, plan }
    }

    /// Returns the proxy's address.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Makes the next `times` requests whose path ends like this go wrong.
    pub fn fault(&self, path: &str, fault: WireFault, times: u32) {
        self.plan.lock().fault = Some((path.to_owned(), fault, times));
    }

    /// Returns whether a planned fault has happened.
    pub fn has_hit(&self) -> bool {
        self.plan.lock().hit
    }

    /// Replaces every token by an old one after this many requests; `None` lets them pass again.
    pub fn rotate_after(&self, requests: Option<usize>) {
        self.plan.lock().passing = requests;
    }
}

impl Plan {
    fn of(&mut self, head: &str) -> Option<WireFault> {
        let (path, fault, times) = self.fault.as_mut()?;
        let asked = head.split_whitespace().nth(1)?.split('?').next()?;
        if *times == 0 || !asked.ends_with(path.as_str()) {
            return None;
        }
        *times -= 1;
        self.hit = true;
        Some(*fault)
    }

    fn is_rotated(&mut self) -> bool {
        match &mut self.passing {
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }
}

async fn serve(mut client: TcpStream, service: String, plan: Arc<Mutex<Plan>>) -> std::io::Result<()> {
    let Some((head, body)) = request(&mut client).await? else { return Ok(()) };
    let (fault, rotated, at) = {
        let mut plan = plan.lock();
        let at = plan.dice.as_mut().map_or(0, |dice| dice.roll(1_000)) as usize;
        (plan.of(&head), plan.is_rotated(), at)
    };
    let head = if rotated {
        head.replace("practice-static-token", "old").replace("practice-agent-token", "old")
    } else {
        head
    };
    let pass = || async {
        let mut server = TcpStream::connect(&service).await?;
        server.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).await?;
        server.write_all(&body).await?;
        let mut answer = Vec::new();
        server.read_to_end(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    let say = |status: &str, more: &str| {
        format!(
            "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: 2\r\n{more}\r\nhi"
        )
        .into_bytes()
    };
    let answer = match fault {
        None => pass().await?,
        Some(WireFault::ClosedBefore) => return Ok(()),
        Some(WireFault::ResetBefore) => return client.set_zero_linger(),
        Some(WireFault::ClosedAfter) => return pass().await.map(|_| ()),
        Some(WireFault::ResetAfter) => {
            pass().await?;
            return client.set_zero_linger();
        }
        Some(WireFault::HangBefore) => {
            tokio::time::sleep(TOO_LONG).await;
            return Ok(());
        }
        Some(WireFault::HangAfter) => {
            pass().await?;
            tokio::time::sleep(TOO_LONG).await;
            return Ok(());
        }
        Some(WireFault::Late) => {
            tokio::time::sleep(TOO_LONG).await;
            return pass().await.map(|_| ());
        }
        Some(WireFault::Drip) => {
            for byte in pass().await? {
                client.write_all(&[byte]).await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            return Ok(());
        }
        Some(WireFault::CutHead) => part(pass().await?, |head, _| at % head),
        Some(WireFault::CutBody) => part(pass().await?, |head, all| head + at % (all - head)),
        Some(WireFault::Longer) => {
            let answer = String::from_utf8_lossy(&pass().await?).into_owned();
            answer.replacen("content-length: ", "content-length: 9", 1).into_bytes()
        }
        Some(WireFault::Page) => say("200 OK", ""),
        Some(WireFault::Redirect) => say("307 Temporary Redirect", "Location: http://127.0.0.1:9/there\r\n"),
        Some(WireFault::BadGateway) => {
            pass().await?;
            say("502 Bad Gateway", "")
        }
        Some(WireFault::TooMany) => say("429 Too Many Requests", "Retry-After: 1\r\n"),
        Some(WireFault::Garbage) => b"\x16\x03\x01\x00\x05hello, this is no HTTP\r\n\r\n".to_vec(),
    };
    client.write_all(&answer).await
}

/// Cuts an answer; `most` gets the lengths of its head and of the whole.
fn part(mut answer: Vec<u8>, most: impl Fn(usize, usize) -> usize) -> Vec<u8> {
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(1, |at| at + 4);
    answer.truncate(most(head, answer.len().max(head + 1)));
    answer
}

/// Reads the head (without its empty line) and the body of a request; `None` if the client is gone.
async fn request(client: &mut TcpStream) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 8192]);
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return Ok(Some((head, bytes[end + 4..].to_vec())));
            }
        }
        match client.read(&mut piece).await? {
            0 => return Ok(None),
            read => bytes.extend_from_slice(&piece[..read]),
        }
    }
}
