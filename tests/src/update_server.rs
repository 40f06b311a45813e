//! A TLS server for updates that can misbehave in every way that a server can.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::{ServerConnection, StreamOwned};

use crate::tls::Authority;

/// The answer of a path.
#[derive(Clone)]
pub enum Answer {
    /// Answers this status with this body.
    Says(u16, Vec<u8>),
    /// Redirects to another address.
    SendsOn(String),
    /// Sends less than it announces, and closes the connection.
    Short(Vec<u8>),
    /// Announces this many bytes, and sends zeros until the client closes the connection.
    Zeros(u64),
    /// Sends a byte now and then, forever.
    Drips,
    /// Sends nothing, forever.
    Hangs,
}

/// The time between two dripping bytes.
const DRIP: Duration = Duration::from_millis(40);

/// A server that runs until the test ends.
pub struct UpdateServer {
    /// The port.
    pub port: u16,
}

impl UpdateServer {
    /// Starts a server for these paths, with a certificate for `localhost`.
    pub fn start(authority: &Authority, answers: HashMap<String, Answer>) -> Self {
        let config = Arc::new(authority.config());
        Self::serve(move |stream| {
            let Ok(connection) = ServerConnection::new(config.clone()) else { return };
            let mut stream = StreamOwned::new(connection, stream);
            let _ = talk(&mut stream, &answers);
            stream.conn.send_close_notify();
            let _ = stream.flush();
        })
    }

    /// Starts a server for these paths without TLS.
    pub fn plain(answers: HashMap<String, Answer>) -> Self {
        Self::serve(move |mut stream| drop(talk(&mut stream, &answers)))
    }

    fn serve(talk: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback");
        let port = listener.local_addr().expect("a bound address").port();
        let talk = Arc::new(talk);
        std::thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                let talk = talk.clone();
                std::thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(DRIP));
                    talk(stream);
                });
            }
        });
        Self { port }
    }

    /// Returns the address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}/{path}", self.port)
    }
}

/// Serves one request and returns.
fn talk(stream: &mut (impl Read + Write), answers: &HashMap<String, Answer>) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => head.extend_from_slice(&piece[..read]),
            Err(error) if is_silence(&error) => {}
            Err(error) => return Err(error),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let begin = |status: u16, length: usize| {
        format!("HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n")
    };
    match answers.get(&path).cloned().unwrap_or(Answer::Says(404, Vec::new())) {
        Answer::Says(status, body) => {
            stream.write_all(format!("{}\r\n", begin(status, body.len())).as_bytes())?;
            stream.write_all(&body)?;
        }
        Answer::SendsOn(to) => stream.write_all(format!("{}location: {to}\r\n\r\n", begin(302, 0)).as_bytes())?,
        Answer::Short(body) => {
            stream.write_all(format!("{}\r\n", begin(200, body.len() + 1)).as_bytes())?;
            stream.write_all(&body)?;
        }
        Answer::Zeros(length) => {
            stream.write_all(format!("{}\r\n", begin(200, usize::try_from(length).unwrap_or_default())).as_bytes())?;
            for _ in 0..length / 65536 {
                stream.write_all(&[0; 65536])?;
            }
        }
        Answer::Drips => {
            stream.write_all(format!("{}\r\n", begin(200, 1 << 20)).as_bytes())?;
            while !is_gone(stream)? {
                stream.write_all(b" ")?;
                stream.flush()?;
            }
        }
        Answer::Hangs => while !is_gone(stream)? {},
    }
    stream.flush()
}

/// Whether the client has closed the connection. Waits a moment for that.
fn is_gone(stream: &mut impl Read) -> std::io::Result<bool> {
    match stream.read(&mut [0; 16]) {
        Ok(read) => Ok(read == 0),
        Err(error) if is_silence(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

fn is_silence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}
