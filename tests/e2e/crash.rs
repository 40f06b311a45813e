//! Hazard 4: the program is killed between `sending` and the answer.

use serde_json::json;
use tests::order::ENDPOINT;
use tests::service::Process;
use tests::window::{Window, testid};

#[tokio::test]
async fn an_order_in_flight_at_a_power_cut_is_resent_by_the_person_and_charged_once() {
    let service = Process::start();
    let mut window = Window::open().await;
    window.connect_to(&service.base_url).await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    service.control("faults", json!({"endpoint": ENDPOINT, "fault": "delay", "ms": 600_000})).await;
    window.pay().await;
    tests::until("the order is in the ledger, its answer is not here", async || {
        (service.ledger().await.orders.len() == 1).then_some(())
    })
    .await;
    window.kill().await;
    window.start_again().await;
    window.press("nav-activity").await;
    window.see_state("activity-row", "unknown").await;
    assert_eq!(requests(&service).await, 1, "nothing is repeated by itself after a start");
    window.see(&testid("unconfirmed-badge")).await;
    window.press("operation-resend").await;
    window.see_state("activity-row", "applied").await;
    let ledger = service.ledger().await;
    assert_eq!((ledger.orders.len(), ledger.wallet.to_string().as_str()), (1, "991.45"));
    assert_eq!(requests(&service).await, 2);
}

async fn requests(service: &Process) -> usize {
    service.ledger().await.requests.iter().filter(|seen| seen.path.ends_with(ENDPOINT)).count()
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn a_crash_would_leave_no_image_of_the_memory() {
    let window = Window::open().await;
    window.practise().await;
    let processes = window.processes();
    assert!(!processes.is_empty());
    for process in processes {
        let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).expect("its limits");
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).expect("a limit");
        assert_eq!(core.split_whitespace().collect::<Vec<_>>()[4..6], ["0", "0"], "{core}");
    }
}
