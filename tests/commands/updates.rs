//! Newer versions: checked for, postponed, and installed while nothing is being sent.

use ::updates::Error;
use serde_json::json;
use tests::agent::{Agent, code, page};
use till::Code;
use till::updates::{check_daily, check_update, install_update, start_again, update_state};
use till::usage::{export_usage, usage_select, usage_sync};

/// A version that is newer than any other.
pub(crate) const NEWER: &str = "97.1.2";

#[tokio::test]
async fn a_copy_that_no_system_installed_has_no_updates_and_says_so() {
    let agent = Agent::new().await;
    let state = update_state(&agent.till, ()).await.expect("a state");
    assert!(state.kind.is_none() && !state.can_install && state.daily && state.newer.is_none());
    assert_eq!(code(check_update(&agent.till, ()).await), Code::Update(Error::NotInstalled));
    assert_eq!(code(install_update(&agent.till, NEWER.into()).await), Code::Update(Error::NotInstalled));
    assert!(!check_daily(&agent.till, false).await.expect("a state").daily);
    assert!(!update_state(&agent.till, ()).await.expect("a state").daily, "it stays so");
}

#[tokio::test]
async fn the_program_starts_again_unless_somebody_is_asked_whether_to_send() {
    let agent = Agent::connected().await;
    let token = agent.offer_recharge("1").await;
    assert_eq!(code(start_again(&agent.till, ()).await), Code::Busy);
    assert_eq!(agent.host.starts(), 0);
    agent.applied(agent.confirm_move(&token).await.expect("it is sent")).await;
    start_again(&agent.till, ()).await.expect("nothing is under way");
    assert_eq!(agent.host.starts(), 1);
    // The program is about to start again: nothing more is sent.
    let next = agent.offer_recharge("1").await;
    assert_eq!(code(agent.confirm_move(&next).await), Code::Installing);
    assert_eq!(agent.moved().len(), 1);
}

#[tokio::test]
async fn a_file_that_is_being_saved_when_the_program_starts_again_is_not_left_in_half() {
    let agent = Agent::connected_to(sandbox::Options { customers: 12, ..Default::default() }).await;
    let state = usage_sync(&agent.till, ()).await.expect("it is read");
    let wanted = json!({ "customerId": null, "from": state.oldest, "to": state.through, "order": "oldest" });
    let number = usage_select(&agent.till, page(wanted)).await.expect("rows").number;
    let columns = ["day", "customer", "number", "upload", "download"];
    let export = json!({ "number": number, "kind": "csv", "name": "use", "columns": columns });
    let mut saving = Box::pin(export_usage(&agent.till, page(export)));
    // It goes on step by step, and is left alone once the file is begun.
    while tests::files(&agent.downloads()).is_empty() {
        tokio::select! {
            biased;
            done = &mut saving => panic!("it is saved already: {done:?}"),
            () = tokio::task::yield_now() => {}
        }
    }
    start_again(&agent.till, ()).await.expect("nothing is being sent");
    assert_eq!(agent.host.starts(), 1);
    if cfg!(windows) {
        // There a deleted file is listed until it is closed.
        drop(saving);
    }
    assert_eq!(tests::files(&agent.downloads()), Vec::<std::path::PathBuf>::new());
}
