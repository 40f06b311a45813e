//! The first screen, and the next start.

use operations::GbFactor;
use tests::agent::{Agent, code, open_in};
use tests::host::TestHost;
use tests::letters;
use till::Code;
use till::connections::open_connection;
use till::host::set_zoom;
use till::start::{boot, connection_problem, gb_factor, restorations, restorations_seen};

#[tokio::test]
async fn a_first_start_shows_nothing_and_nothing_is_open() {
    let agent = Agent::new().await;
    let screen = boot(&agent.till, "en".into()).await.expect("a screen");
    assert!(screen.connections.is_empty() && screen.active.is_none() && !screen.practice && screen.waiting.is_empty());
    assert_eq!(screen.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(code(gb_factor(&agent.till, ()).await), Code::NoConnection);
    assert!(connection_problem(&agent.till, ()).await.expect("an answer").is_none());
}

#[tokio::test]
async fn the_zoom_of_the_last_start_is_shown_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let first = open_in(&data, &TestHost::saving_in(folder.path()));
    assert_eq!(boot(&first, "en".into()).await.expect("a screen").zoom, 100);
    set_zoom(&first, 125).await.expect("it is shown");
    drop(first);
    let host = TestHost::saving_in(folder.path());
    let screen = boot(&open_in(&data, &host), "en".into()).await.expect("a screen");
    assert_eq!((screen.zoom, host.shown_in().1), (125, Some(125)));
}

#[tokio::test]
async fn what_waits_in_a_connection_that_is_not_open_is_counted() {
    let agent = Agent::connected().await;
    tests::service::always(&agent.service, "place-and-pay", sandbox::Fault::DropBefore);
    agent.buy().await;
    let waits_in = boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    let screen = till::connections::start_practice(&agent.till, ()).await.expect("practice");
    assert_eq!(screen.waiting.len(), 1);
    assert_eq!((screen.waiting[0].connection.as_str(), screen.waiting[0].count), (waits_in.as_str(), 1));
}

#[tokio::test]
async fn the_size_of_a_gb_is_the_one_that_was_set_until_a_move_shows_another() {
    let agent = Agent::connected().await;
    assert_eq!(gb_factor(&agent.till, ()).await.expect("a factor"), GbFactor::Binary);
    tests::service::fault(&agent.service, "rechargeTrafficCount", sandbox::Fault::Factor1000);
    let token = agent.offer_recharge("1").await;
    agent.confirm_move(&token).await.expect("sent");
    tests::until("it is learned", async || {
        (gb_factor(&agent.till, ()).await.expect("a factor") == GbFactor::Thousand).then_some(())
    })
    .await;
    assert_eq!(boot(&agent.till, "en".into()).await.expect("a screen").gb_factor, GbFactor::Thousand);
}

#[tokio::test]
async fn a_restored_file_is_reported_until_the_report_was_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, host) = (folder.path().join("data"), TestHost::saving_in(folder.path()));
    drop(open_in(&data, &host));
    letters(&data, &["app.db"]);
    let till = open_in(&data, &host);
    assert!(restorations(&till, ()).await.expect("an answer").app.is_some());
    restorations_seen(&till, ()).await.expect("it is noted");
    let after = restorations(&till, ()).await.expect("an answer");
    assert!(after.app.is_none() && after.journal.is_empty());
}

#[tokio::test]
async fn a_damaged_journal_is_restored_and_reported_when_its_connection_opens() {
    let mut agent = Agent::connected().await;
    agent.buy().await;
    let id = boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    let host = TestHost::saving_in(&agent.downloads());
    agent.till = open_in(tempfile::tempdir().expect("a folder").path(), &host);
    letters(&agent.data("connections"), &["journal.db"]);
    agent.start_again();
    open_connection(&agent.till, id).await.expect("it opens");
    assert_eq!(restorations(&agent.till, ()).await.expect("an answer").journal.len(), 1);
    restorations_seen(&agent.till, ()).await.expect("it is noted");
    assert!(restorations(&agent.till, ()).await.expect("an answer").journal.is_empty());
}
