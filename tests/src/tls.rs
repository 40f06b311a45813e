//! Web servers on loopback, with certificates of the test's own authority.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

/// An authority that signs for this computer only.
#[derive(Clone)]
pub struct Authority {
    issuer: Arc<CertifiedIssuer<'static, KeyPair>>,
    folder: Arc<TempDir>,
}

impl Authority {
    /// Makes an authority that is not trusted yet.
    pub fn new() -> Self {
        let mut params = CertificateParams::new([]).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate");
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("authority.pem"), issuer.pem()).expect("a file");
        Self { issuer: Arc::new(issuer), folder: Arc::new(folder) }
    }

    /// Returns the authority's certificate as text.
    pub fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// Returns the file of the authority's certificate: a program with this path in `SSL_CERT_FILE` trusts it.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    pub(crate) fn config(&self) -> ServerConfig {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(["localhost".to_owned()]).expect("parameters");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.expect("protocols").with_no_client_auth();
        builder.with_single_cert(vec![certificate.der().clone()], key).expect("a certificate with its key")
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// A server that gives every request the same answer and records the requests.
pub struct TlsServer {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl TlsServer {
    /// Starts a server over TLS.
    pub fn start(authority: &Authority, answer: String) -> Self {
        let config = Arc::new(authority.config());
        Self::serve(move |stream, heard| {
            let Ok(connection) = ServerConnection::new(config.clone()) else { return };
            converse(&mut StreamOwned::new(connection, stream), &answer, heard);
        })
    }

    /// Starts a server that records everything it receives and never answers.
    pub fn listen() -> Self {
        Self::serve(|mut stream, heard| {
            heard(String::new());
            let mut bytes = [0; 1024];
            while let Ok(1..) = stream.read(&mut bytes) {
                heard(String::from_utf8_lossy(&bytes).into_owned());
            }
        })
    }

    fn serve(talk: impl Fn(TcpStream, &dyn Fn(String)) + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback");
        let port = listener.local_addr().expect("a bound address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let all = heard.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                talk(stream, &|text| all.lock().unwrap_or_else(PoisonError::into_inner).push(text));
            }
        });
        Self { port, heard }
    }

    /// Returns the base address.
    pub fn base_url(&self) -> String {
        format!("https://localhost:{}", self.port)
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the heads of the requests so far.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Serves one request after another until the client closes the connection.
fn converse(stream: &mut (impl Read + Write), answer: &str, heard: &dyn Fn(String)) {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                heard(head.to_owned());
                bytes.clear();
                if stream.write_all(answer.as_bytes()).and_then(|()| stream.flush()).is_err() {
                    return;
                }
                continue;
            }
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}
