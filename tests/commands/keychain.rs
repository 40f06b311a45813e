//! Tokens in a real keychain. A keychain belongs to a person's session, and a process has one for its life: each story
//! plays in a process of its own, at a desk of its own.

use std::process::Command;

use serde_json::json;
use tests::agent::{Agent, page};
use tests::desk::{Desk, Keychain};
use till::connections::{open_connection, remove_connection, save_connection};
use till::settings::keychain_state;
use vault::KeychainState;

/// The variable that tells a test that it is already at a desk.
const AT_DESK: &str = "PROXYTILL_TEST_AT_DESK";

/// Runs this test again at a desk with this keychain, in a process of its own. Returns `true` in that process. Under Wine
/// the variable says that the whole system is such a desk.
pub(crate) fn is_at(keychain: Keychain, test: &str, environment: &[(&str, &str)]) -> bool {
    if std::env::var_os(AT_DESK).is_some() {
        return true;
    }
    let desk = Desk::without_display(keychain);
    let mut again: Command = desk.command(std::env::current_exe().expect("a program has a path"));
    again.args(["--exact", test, "--nocapture"]).env(AT_DESK, "1").envs(environment.iter().copied());
    let output = again.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{told}");
    false
}

/// Saves a connection with its tokens in the keychain.
pub(crate) async fn kept(agent: &Agent) -> Result<till::connections::ConnectionView, till::CommandError> {
    let mut draft = agent.draft();
    draft["sessionOnly"] = json!(false);
    save_connection(&agent.till, page(draft)).await
}

#[tokio::test]
async fn saved_tokens_outlive_the_program_and_go_with_their_connection() {
    let name = "keychain::saved_tokens_outlive_the_program_and_go_with_their_connection";
    if !is_at(Keychain::Unlocked, name, &[]) {
        return;
    }
    let mut agent = Agent::new().await;
    assert_eq!(keychain_state(&agent.till, ()).await.expect("a state"), KeychainState::Available);
    let saved = kept(&agent).await.expect("it is saved");
    agent.start_again();
    open_connection(&agent.till, saved.id.clone()).await.expect("it opens");
    till::traffic::traffic_totals(&agent.till, ()).await.expect("its token was kept");
    assert_eq!(keychain_state(&agent.till, ()).await.expect("a state"), KeychainState::Available);
    remove_connection(&agent.till, saved.id.clone()).await.expect("it is removed");
    let vault = vault::Vault::new(till::IDENTIFIER, vault::Patience::default());
    for token in ["static-token", "agent-token"] {
        assert!(vault.read(&format!("{}/{token}", saved.id)).await.expect("the keychain answers").is_none(), "{token}");
    }
}
