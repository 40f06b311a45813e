//! Only on Linux can a session have no keychain.

use tests::agent::{Agent, code};
use tests::desk::Keychain;
use till::Code;
use till::settings::keychain_state;
use till::start::{boot, connection_problem};
use vault::KeychainState;

use crate::keychain::{is_at, kept};

#[tokio::test]
async fn without_a_keychain_a_connection_that_needs_one_is_not_saved_by_halves() {
    let name = "linux::no_keychain::without_a_keychain_a_connection_that_needs_one_is_not_saved_by_halves";
    if !is_at(Keychain::None, name, &[]) {
        return;
    }
    let agent = Agent::new().await;
    assert_eq!(keychain_state(&agent.till, ()).await.expect("a state"), KeychainState::Missing);
    let error = kept(&agent).await.expect_err("nothing keeps its tokens");
    assert_eq!(error.code, Code::Keychain(KeychainState::Missing));
    let screen = boot(&agent.till, "en".into()).await.expect("a screen");
    assert!(screen.connections.is_empty());
    agent.connect().await;
}

#[tokio::test]
async fn the_next_start_opens_the_connection_that_was_open_and_says_that_its_tokens_are_gone() {
    let name =
        "linux::no_keychain::the_next_start_opens_the_connection_that_was_open_and_says_that_its_tokens_are_gone";
    if !is_at(Keychain::NoBus, name, &[]) {
        return;
    }
    let mut agent = Agent::connected().await;
    let first = boot(&agent.till, "en".into()).await.expect("a screen").active;
    agent.start_again();
    let screen = boot(&agent.till, "en".into()).await.expect("a screen");
    assert!(screen.active.is_some() && screen.active == first);
    let problem = connection_problem(&agent.till, ()).await.expect("an answer").expect("its tokens were in memory");
    assert_eq!(problem.code, Code::Tokens(KeychainState::Missing));
    assert_eq!(code(till::traffic::traffic_totals(&agent.till, ()).await), Code::NoCredentials);
}
