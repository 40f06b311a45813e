//! The practice service beside Prism, which answers the same page of ten customers from a file, in turns.
//!
//! Goal: at least 5 x as many answers a second.

use std::net::TcpListener;
use std::process::{Child, Command, ExitCode, Stdio};

use sandbox::Credentials;
use serde_json::json;
use tests::service::{Process, http};

const ROUNDS: usize = 3;
const GOAL: f64 = 5.0;
const LIST: &str = "/prod-api/open/customer/list";

#[tokio::main]
async fn main() -> ExitCode {
    let service = Process::start_with(&["--customers", "2000"]);
    let Credentials { user_id, static_token, agent_token: token } = Credentials::well_known();
    let ours = format!("{}{LIST}?pageNum=1&pageSize=10", service.base_url);
    let page = http().get(&ours).header("token", &token).send().await.expect("an answer").text().await.expect("a page");
    let prism = Prism::start(&page).await;
    let places = format!("{}/api/open/staticip/location/continents", service.base_url);
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let [a, b] = [&ours, &prism.page].map(|url| a_second(url, &[&format!("token: {token}")]));
        println!("page of ten customers: practice service {a:.0}, Prism {b:.0} a second");
        ratios.push(a / b);
    }
    println!(
        "continents: {:.0} a second",
        a_second(&places, &[&format!("UserId: {user_id}"), &format!("Token: {static_token}")])
    );
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ROUNDS / 2];
    println!("median of {ROUNDS}: {ratio:.1} x Prism (goal {GOAL})");
    if ratio >= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Answers a second, with 16 connections for ten seconds.
fn a_second(url: &str, headers: &[&str]) -> f64 {
    let headers = headers.iter().flat_map(|header| ["-H", header]);
    let output =
        Command::new("wrk").args(["-t1", "-c16", "-d10s"]).args(headers).arg(url).output().expect("wrk is installed");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("Non-2xx"), "{url}: {said}");
    let line = said.lines().find_map(|line| line.trim().strip_prefix("Requests/sec:"));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or_else(|| panic!("{url}: {said}"))
}

/// Prism, with a description of one endpoint.
struct Prism {
    process: Child,
    page: String,
    _folder: tempfile::TempDir,
}

impl Prism {
    async fn start(page: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("api.json");
        let example: serde_json::Value = serde_json::from_str(page).expect("JSON");
        let answer = json!({"200": {"description": "", "content": {"application/json": {"example": example}}}});
        let api = json!({"openapi": "3.0.0", "info": {"title": "list", "version": "1"}, "paths": {LIST: {"get": {"responses": answer}}}});
        std::fs::write(&file, api.to_string()).expect("a file");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let prism = tests::root().join("target/prism/node_modules/@stoplight/prism-cli/dist/index.js");
        let process = Command::new("node")
            .arg(prism)
            .args(["mock", "--port", &port.to_string()])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Prism is installed");
        let page = format!("http://127.0.0.1:{port}{LIST}");
        tests::until("Prism answers", async || http().get(&page).send().await.ok()).await;
        Self { process, page, _folder: folder }
    }
}

impl Drop for Prism {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
