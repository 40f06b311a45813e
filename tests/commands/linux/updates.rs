//! A newer version is installed: a shell script stands in for the system's installer.

use std::collections::HashMap;

use ::updates::Error;
use serde_json::json;
use tests::agent::{Agent, code};
use tests::desk::Keychain;
use tests::release::{Release, consent};
use tests::tls::Authority;
use tests::update_server::{Answer, UpdateServer};
use till::Code;
use till::updates::{Step, check_update, install_update, postpone_update};

use crate::keychain::is_at;
use crate::updates::NEWER;

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_version_is_found_put_off_and_installed_as_it_was_seen() {
    let name = "linux::updates::a_newer_version_is_found_put_off_and_installed_as_it_was_seen";
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
