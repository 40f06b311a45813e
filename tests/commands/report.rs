//! "Report a problem": shown before it is saved, and without secrets.

use sandbox::Credentials;
use tests::agent::Agent;
use till::report::{preview_report, save_report};

#[tokio::test]
async fn a_report_says_what_happened_without_saying_to_whom() {
    let agent = Agent::connected().await;
    let moved = agent.recharge("1").await;
    let text = preview_report(&agent.till, ()).await.expect("a report");
    assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("recharge applied"), "{text}");
    let who = Credentials::well_known();
    for secret in [&who.agent_token, &who.static_token, &moved.user_name, &agent.service.base_url()] {
        assert!(!text.contains(secret), "{secret} is in it");
    }
    let path = save_report(&agent.till, ()).await.expect("a file");
    assert!(std::fs::read(&path).expect("a file").starts_with(b"PK"));
    assert!(path.starts_with(&*agent.downloads().to_string_lossy()));
}
