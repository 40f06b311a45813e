//! T10: many starts at the same moment give one program, with a session bus and without.

use std::process::{Child, Stdio};

use tests::desk::Desk;
use tests::window::{Window, testid};
use tests::{built, number, until};

/// Starts per test run at each desk; `cargo xtask prove` does more.
const STARTS: u64 = 20;
/// Starts at the same moment.
const AT_ONCE: u64 = 10;

fn start(desk: &Desk) -> Child {
    let mut program = desk.command(built("proxytill"));
    program.arg("--data-dir").arg(desk.home().join("proxytill"));
    program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

#[tokio::test]
async fn of_many_starts_at_the_same_moment_one_program_stays() {
    let (starts, from) = (number("PROXYTILL_STARTS", STARTS), number("PROXYTILL_FROM", 0));
    for desk in [Desk::new(), Desk::without_bus()] {
        for _ in 0..starts / AT_ONCE {
            let mut all: Vec<Child> = (0..AT_ONCE).map(|_| start(&desk)).collect();
            until("all but one have ended", async || {
                all.retain_mut(|child| match child.try_wait().expect("a child") {
                    Some(ended) => {
                        assert!(ended.success(), "a second start ends without a complaint: {ended}");
                        false
                    }
                    None => true,
                });
                assert!(!all.is_empty(), "one stays");
                (all.len() == 1).then_some(())
            })
            .await;
            // This one writes the data.
            let journal = desk.home().join("proxytill/app.db");
            until("it has opened its files", async || journal.is_file().then_some(())).await;
            assert!(all[0].try_wait().expect("a child").is_none(), "it stays");
            all[0].kill().expect("it is ended");
            all[0].wait().expect("it ends");
        }
    }
    println!("{starts} starts from seed {from}");
}

#[tokio::test]
async fn a_start_behind_an_open_window_ends_and_leaves_the_first_alone() {
    for desk in [Desk::new(), Desk::without_bus()] {
        let window = Window::open_at(desk, &[]).await;
        window.practise().await;
        let first = window.processes();
        for _ in 0..3 {
            let mut second = start(window.desk());
            let ended = until("the second start ends", async || second.try_wait().expect("a child")).await;
            assert!(ended.success(), "{ended}");
            assert_eq!(window.processes(), first);
        }
        window.press("nav-orders").await;
        window.see(&testid("order-add")).await;
    }
}
