//! T14: whatever a server says about another place, nothing is sent there.

use std::process::Command;

use tests::tls::{Authority, TlsServer};

/// Number of requests that `caller` sends.
const CALLS: usize = 8;
const WRITES: [&str; 6] = ["order", "recharge", "deduction", "password", "status", "create"];

/// Every way in HTTP to point elsewhere. `{port}` is that of a listening server.
const WAYS: [(&str, &str, &str); 15] = [
    ("moved for ever", "301 Moved Permanently", "Location: https://localhost:{port}/there"),
    ("found", "302 Found", "Location: https://localhost:{port}/there"),
    ("see other", "303 See Other", "Location: https://localhost:{port}/there"),
    ("the same method", "307 Temporary Redirect", "Location: https://localhost:{port}/there"),
    ("the same method for ever", "308 Permanent Redirect", "Location: https://localhost:{port}/there"),
    ("without a scheme", "302 Found", "Location: //localhost:{port}/there"),
    ("without TLS", "302 Found", "Location: http://localhost:{port}/there"),
    ("with a password", "302 Found", "Location: https://me:secret@localhost:{port}/there"),
    ("to itself", "302 Found", "Location: /again"),
    ("many", "300 Multiple Choices", "Location: https://localhost:{port}/there"),
    ("a proxy", "305 Use Proxy", "Location: https://localhost:{port}/"),
    ("refresh", "200 OK", "Refresh: 0; url=https://localhost:{port}/there"),
    ("created", "201 Created", "Location: https://localhost:{port}/there"),
    ("another service", "200 OK", "Alt-Svc: http/1.1=\"localhost:{port}\"; ma=999"),
    (
        "a resource",
        "200 OK",
        "Link: <https://localhost:{port}/there>; rel=preload\r\nContent-Location: https://localhost:{port}/",
    ),
];

fn answer(status: &str, header: &str, port: u16) -> String {
    let page = format!(r#"<meta http-equiv="refresh" content="0; url=https://localhost:{port}/there">"#);
    let header = header.replace("{port}", &port.to_string());
    let length = page.len();
    format!(
        "HTTP/1.1 {status}\r\n{header}\r\nSet-Cookie: canary-cookie=1\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n{page}"
    )
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().skip(1).find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

#[test]
fn whatever_points_elsewhere_gets_no_byte_and_every_request_leaves_once() {
    let authority = Authority::new();
    for (way, status, points) in WAYS {
        let there = TlsServer::listen();
        let here = TlsServer::start(&authority, answer(status, points, there.port()));
        let mut caller = Command::new(env!("CARGO_BIN_EXE_caller"));
        let said = caller.arg(here.base_url()).env("SSL_CERT_FILE", authority.file()).output().expect("it runs");
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        assert_eq!(there.heard(), Vec::<String>::new(), "{way}: somebody else was called");
        assert_eq!(said.lines().count(), CALLS, "{way}: {said}");
        for write in WRITES {
            let line = said.lines().find(|line| line.starts_with(write)).expect("it is told");
            // "Not sent" would be wrong too: it was sent.
            assert!(!line.ends_with("done") && !line.contains("NotSent"), "{way}: {line}");
        }
        let heard = here.heard();
        assert_eq!(heard.len(), CALLS, "{way}: {heard:#?}");
        for head in heard {
            for forbidden in ["referer", "cookie", "authorization", "origin"] {
                assert_eq!(header(&head, forbidden), None, "{way}: {head}");
            }
            let is_static = head.contains("/open/staticip/");
            let token = if is_static { "practice-static-token" } else { "practice-agent-token" };
            assert_eq!(header(&head, "token"), Some(token), "{way}: {head}");
            assert_eq!(header(&head, "userid").is_some(), is_static, "{way}: {head}");
            assert_eq!(header(&head, "host"), Some(format!("localhost:{}", here.port()).as_str()));
            let has_key = head.contains("place-and-pay");
            assert_eq!(header(&head, "x-idempotency-key").is_some(), has_key, "{way}: {head}");
            let is_password = head.contains("updatePwd");
            assert_eq!(head.contains("canary-password"), is_password, "{way}: {head}");
        }
    }
    println!("{} ways from seed 0", WAYS.len());
}

#[test]
fn a_server_whose_certificate_nobody_vouches_for_hears_no_request() {
    let server = TlsServer::start(&Authority::new(), answer("200 OK", "X: y", 1));
    let other = Authority::new();
    let mut caller = Command::new(env!("CARGO_BIN_EXE_caller"));
    let said = caller.arg(server.base_url()).env("SSL_CERT_FILE", other.file()).output().expect("it runs");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert_eq!(server.heard(), Vec::<String>::new());
    assert_eq!(said.lines().filter(|line| line.contains("NotSent(NoConnection)")).count(), CALLS, "{said}");
}
