//! The whole data folder is back in yesterday's state: by a snapshot, a file history, a roaming profile.

use std::path::Path;

use operations::NotConfirmed;
use operations::{Direction, OperationError, State};
use sandbox::Service;
use tempfile::TempDir;
use tests::desk::{Desk, Keychain};
use tests::listener::Listener;
use tests::order::Buyer;
use tests::service::{requests, start};
use tests::{built, until};

#[tokio::test]
async fn what_never_left_is_not_sent_when_the_customers_figures_are_no_longer_those_that_were_shown() {
    for direction in [Direction::Recharge, Direction::Deduction] {
        let buyer = Buyer::new(0).await;
        buyer.send_to_nobody();
        let kept = buyer.move_traffic(direction, "0.5", None).await;
        assert_eq!(kept.state, State::NotSent);
        buyer.use_account(tests::service::account(&buyer.service.base_url()));
        // The same deduction has been made since, without this journal.
        buyer.call_directly("/api/agent/deductionFlow?customerId=100001&trafficCount=0.5").await;
        let refused = buyer.operations.resend(&kept.id).await.expect_err("the figures have changed");
        assert!(matches!(refused, OperationError::NotConfirmed(NotConfirmed::Changed)), "{refused:?}");
        assert_eq!(buyer.operations.get(&kept.id).expect("a row").state, State::NotSent, "nothing was sent");
        assert_eq!(buyer.moves().len(), 1);
    }
}

/// A service, a desk with a keychain, and a data folder.
struct Scene {
    service: Service,
    desk: Desk,
    folder: TempDir,
}

impl Scene {
    async fn new() -> Self {
        let desk = Desk::without_display(Keychain::Unlocked);
        Self { service: start().await, desk, folder: tempfile::tempdir().expect("a folder") }
    }

    /// Starts the headless core at this desk.
    fn program(&self) -> Listener {
        let mut program = self.desk.command(built("saver"));
        program.arg(self.folder.path().join("journal.db")).arg(self.service.base_url()).arg("anchored");
        Listener::start(&mut program)
    }

    fn deductions(&self) -> usize {
        requests(&self.service, "deductionFlow")
    }
}

/// Copies every file of a folder into another folder, which is emptied first.
fn copy(from: &Path, to: &Path) {
    std::fs::remove_dir_all(to).expect("a folder");
    for file in tests::files(from) {
        let copied = to.join(file.strip_prefix(from).expect("it lies there"));
        std::fs::create_dir_all(copied.parent().expect("a folder")).expect("a folder");
        std::fs::copy(file, copied).expect("a file");
    }
}

/// Waits until the keychain has a newer send.
async fn anchored_after(program: &mut Listener, earlier: &str) -> String {
    until("the keychain knows it", async || Some(program.ask("anchor")).filter(|now| now != "-" && now != earlier))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_was_put_back_as_a_whole_is_told_and_nothing_of_it_is_sent_again() {
    let scene = Scene::new().await;
    let mut program = scene.program();
    program.ask("nobody");
    assert_eq!(program.ask("deduct"), "not-sent -");
    let yesterday = anchored_after(&mut program, "-").await;
    drop(program);
    let snapshot = tempfile::tempdir().expect("a folder");
    copy(scene.folder.path(), snapshot.path());
    // Today it is sent.
    let mut program = scene.program();
    assert_eq!(program.ask("restored"), "", "a journal that is as it was says nothing");
    program.ask("resend");
    until("it is done", async || (program.ask("see") == "applied -").then_some(())).await;
    anchored_after(&mut program, &yesterday).await;
    drop(program);
    let mut program = scene.program();
    assert_eq!(program.ask("restored"), "", "nor does one that went on");
    drop(program);
    copy(snapshot.path(), scene.folder.path());
    let mut program = scene.program();
    assert_eq!(program.ask("restored"), "true false", "it is older, and some may be missing");
    let asked = "needs-you contradiction";
    until("a person is asked", async || (program.ask("see") == asked).then_some(())).await;
    assert_eq!(program.ask("resend"), asked, "it is looked for, and not sent");
    assert_eq!(scene.deductions(), 1, "nothing left again");
    drop(program);
    // It is reported once.
    assert_eq!(scene.program().ask("restored"), "true false");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_hangs_delays_no_send_and_one_that_lags_behind_says_nothing() {
    let scene = Scene::new().await;
    let mut program = scene.program();
    scene.desk.hang_keychain(true);
    let sent = program.ask("deduct");
    assert!(["verifying -", "applied -"].contains(&sent.as_str()), "{sent}");
    until("it is done", async || (program.ask("see") == "applied -").then_some(())).await;
    assert_eq!(scene.deductions(), 1);
    // It ends before the keychain knows of it.
    drop(program);
    scene.desk.hang_keychain(false);
    let mut program = scene.program();
    assert_eq!(program.ask("restored"), "");
    anchored_after(&mut program, "-").await;
}
