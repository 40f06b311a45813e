//! Customers' secrets, and a real keychain that accepts them or does not.

use sandbox::{Fault, Service};
use tempfile::TempDir;
use tests::desk::{Desk, Keychain};
use tests::listener::Listener;
use tests::service::{always, fault, start};
use tests::{built, until};

/// A service, a desk with a keychain, and a folder for the journal.
struct Scene {
    service: Service,
    desk: Desk,
    folder: TempDir,
}

impl Scene {
    async fn with(keychain: Keychain) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { service: start().await, desk: Desk::without_display(keychain), folder }
    }

    /// Starts the headless core at this desk.
    fn saver(&self, words: &[&str]) -> Listener {
        let mut saver = self.desk.command(built("saver"));
        saver.arg(self.folder.path().join("journal.db")).arg(self.service.base_url()).args(words);
        Listener::start(&mut saver)
    }

    /// Number of customers that were created or changed.
    fn accounts(&self) -> usize {
        self.service.world.ledger().expect("a ledger").accounts.len()
    }
}

const UNSAVED: &str = "needs-you unsaved-secret";
const NOT_POSSIBLE: &str = "not possible in this state";
const LOCKED: &str = "a secret cannot be saved: the keychain is locked";

#[tokio::test(flavor = "multi_thread")]
async fn secrets_that_the_keychain_does_not_take_are_a_question_until_they_are_saved() {
    let mut scene = Scene::with(Keychain::Unlocked).await;
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("create one@x.com"), "applied -");
    assert_eq!(scene.desk.keychain_entries(), 2, "a token and a password");
    scene.desk.lock_keychain();
    assert_eq!(saver.ask("create two@x.com"), UNSAVED);
    assert_eq!(saver.ask("save"), LOCKED);
    assert_eq!(saver.ask("see"), UNSAVED, "it is still held");
    scene.desk.unlock_keychain();
    assert_eq!(saver.ask("save"), "applied -");
    assert_eq!(saver.ask("events"), "secrets-saved applied");
    assert_eq!(scene.desk.keychain_entries(), 4);
    scene.desk.lock_keychain();
    assert_eq!(saver.ask("create three@x.com"), UNSAVED);
    drop(saver);
    scene.desk.unlock_keychain();
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("see"), "needs-you lost-secret", "they were in memory alone");
    assert_eq!(saver.ask("save"), NOT_POSSIBLE);
    assert_eq!(scene.desk.keychain_entries(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_that_are_gone_are_never_called_saved() {
    let scene = Scene::with(Keychain::Locked).await;
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("create one@x.com"), UNSAVED);
    assert_eq!(saver.ask("forget"), UNSAVED);
    assert_eq!(saver.ask("save"), NOT_POSSIBLE);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_cut_answer_left_in_memory_alone_is_a_question_until_it_is_saved() {
    let mut scene = Scene::with(Keychain::Locked).await;
    // The first part holds code, message and the token, but not the password.
    fault(&scene.service, "addUser", Fault::Cut { at: 110 });
    let mut saver = scene.saver(&[]);
    let created = saver.ask("create one@x.com");
    assert!(["unknown -", UNSAVED].contains(&created.as_str()), "{created}");
    until("it is found in the list", async || (saver.ask("see") == UNSAVED).then_some(())).await;
    assert_eq!(saver.ask("save"), LOCKED);
    scene.desk.unlock_keychain();
    assert_eq!(saver.ask("save"), "applied -");
    assert_eq!(scene.desk.keychain_entries(), 1, "the token, under its customer's name");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_takes_nothing_pauses_a_bulk_before_more_is_lost() {
    let scene = Scene::with(Keychain::Locked).await;
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("passwords 3"), LOCKED, "nothing is committed");
    assert_eq!(saver.ask("generated 40"), "Paused keychain, the last waiting -");
    assert_eq!(scene.accounts(), 0, "saved first, or not sent");
    assert_eq!(saver.ask("creations 40"), "Paused keychain, the last waiting -");
    let made = scene.accounts();
    assert!((1..=8).contains(&made), "those that were under way: {made}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_was_replaced_leaves_the_keychain() {
    let scene = Scene::with(Keychain::Unlocked).await;
    let mut saver = scene.saver(&[]);
    for secret in ["first-1-ONE", "second-2-TWO"] {
        assert_eq!(saver.ask(&format!("password {secret}")), "applied -");
        assert_eq!(scene.desk.keychain_entries(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_was_started_again_is_asked_again() {
    let mut scene = Scene::with(Keychain::Unlocked).await;
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("password first-1-ONE"), "applied -");
    scene.desk.unlock_keychain();
    assert_eq!(saver.ask("password second-2-TWO"), "applied -");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_password_that_is_gone_when_its_turn_comes_is_left_out_and_no_other_takes_its_place() {
    let scene = Scene::with(Keychain::Unlocked).await;
    always(&scene.service, "updatePwd", Fault::Delay { ms: 100 });
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("gone 30"), "Finished -, the last skipped secret-gone");
    assert_eq!(scene.accounts(), 29);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_keeps_its_old_name_until_it_is_saved_under_its_new_one() {
    let mut scene = Scene::with(Keychain::Locked).await;
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("adopt"), "under its old name, under its new one");
    scene.desk.unlock_keychain();
    assert_eq!(saver.ask("adopt"), "under its new one");
    assert_eq!(scene.desk.keychain_entries(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_practice_a_keychain_that_takes_nothing_is_no_reason_to_ask() {
    let scene = Scene::with(Keychain::Locked).await;
    let mut saver = scene.saver(&["practice"]);
    assert_eq!(saver.ask("create one@x.com"), "applied -");
    for secret in ["first-1-ONE", "second-2-TWO"] {
        assert_eq!(saver.ask(&format!("password {secret}")), "applied -", "the old one stays where it is");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_dies_pauses_its_bulk_and_nothing_more_is_sent() {
    let scene = Scene::with(Keychain::Unlocked).await;
    scene.desk.panic_at("Turned", "in the middle");
    let mut saver = scene.saver(&[]);
    assert_eq!(saver.ask("generated 40"), "Paused journal, the last waiting -");
    assert_eq!(saver.ask("create one@x.com"), "the journal stopped; nothing more is sent");
    let set = scene.accounts();
    assert!(set < 8, "those that were under way, but one: {set}");
}
