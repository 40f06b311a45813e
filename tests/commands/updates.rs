//! Newer versions: checked for, postponed, and installed while nothing is being sent.

use std::collections::HashMap;

use ::updates::Error;
use serde_json::json;
use tests::agent::{Agent, code};
use tests::desk::Keychain;
use tests::release::{Release, consent};
use tests::tls::Authority;
use tests::update_server::{Answer, UpdateServer};
use till::Code;
use till::updates::{Step, check_daily, check_update, install_update, postpone_update, start_again, update_state};

use crate::keychain::is_at;

/// A version that is newer than any other.
const NEWER: &str = "97.1.2";

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

// A shell script stands in for the system's installer.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_newer_version_is_found_put_off_and_installed_as_it_was_seen() {
    let name = "updates::a_newer_version_is_found_put_off_and_installed_as_it_was_seen";
    let (release, authority) = (Release::of(NEWER), Authority::new());
    let folder = tempfile::tempdir().expect("a folder");
    let files =
        UpdateServer::start(&authority, HashMap::from([("file".into(), Answer::Says(200, release.file.clone()))]));
    let feed = release.feed.to_string().replace("@/", &files.url(""));
    let feeds = UpdateServer::start(&authority, HashMap::from([("feed".into(), Answer::Says(200, feed.into_bytes()))]));
    let (script, installed) = consent(folder.path(), 0);
    let told = json!({
        "feeds": [feeds.url("feed")], "key": release.public(), "trusted": [authority.pem()], "consent": script, "kind": "deb",
    });
    let file = folder.path().join("told.json");
    std::fs::write(&file, told.to_string()).expect("a file");
    if !is_at(Keychain::NoBus, name, &[("PROXYTILL_UPDATES", &file.to_string_lossy())]) {
        assert_eq!(std::fs::read(installed).expect("it was installed"), release.file);
        return;
    }
    let agent = Agent::new().await;
    let found = check_update(&agent.till, ()).await.expect("a state");
    assert_eq!(found.newer.map(|newer| (newer.version, newer.postponed)), Some((NEWER.into(), false)));
    let later = postpone_update(&agent.till, NEWER.into()).await.expect("a state");
    assert!(later.newer.is_some_and(|newer| newer.postponed));
    assert_eq!(
        code(install_update(&agent.till, "97.0.0".into()).await),
        Code::Update(Error::Changed),
        "another one than was seen"
    );
    let done = install_update(&agent.till, NEWER.into()).await.expect("it is installed");
    assert_eq!(done.step, Step::Installed);
    assert!(agent.host.heard("update-changed") >= 3);
}
