//! T3: the window is killed at each marked point of a write (`operations`, `kill_points.rs`), is restarted, and shows what
//! the ledger holds.

use std::collections::BTreeMap;

use sandbox::Service;
use serde_json::Value;
use tests::agent::buy_elsewhere;
use tests::steps::at_customers;
use tests::window::{Window, testid};
use tests::{number, until};

/// Kills per test run: each case once. `cargo xtask prove` does more.
const KILLS: u64 = CASES.len() as u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    Order,
    Renew,
    Recharge,
    Deduction,
    Create,
    Password,
    Status,
    Bulk,
}

/// The write, the point where the program dies, and the state after the restart; empty when nothing was begun.
const CASES: [(Write, &str, &str); 26] = [
    (Write::Order, "Confirmed", ""),
    (Write::Order, "Prepared", "not-sent"),
    (Write::Order, "Sending", "unknown"),
    (Write::Order, "Recorded", "unknown"),
    (Write::Order, "Answered", "unknown"),
    (Write::Order, "Saved", "unknown"),
    (Write::Order, "Settled", "applied"),
    (Write::Order, "Told", "applied"),
    (Write::Renew, "Prepared", "not-sent"),
    (Write::Renew, "Sending", "unknown"),
    (Write::Renew, "Answered", "unknown"),
    (Write::Renew, "Told", "applied"),
    (Write::Recharge, "Answered", "resolved-applied"),
    (Write::Recharge, "Checked", "applied"),
    (Write::Recharge, "Decided", "applied"),
    (Write::Deduction, "Prepared", "not-sent"),
    (Write::Deduction, "Answered", "resolved-applied"),
    (Write::Deduction, "Decided", "applied"),
    (Write::Create, "Saved", "resolved-applied"),
    (Write::Password, "Prepared", "not-sent"),
    (Write::Password, "Answered", "needs-you"),
    (Write::Password, "Told", "applied"),
    (Write::Status, "Recorded", "needs-you"),
    (Write::Status, "Settled", "applied"),
    (Write::Bulk, "Bulk", ""),
    (Write::Bulk, "Turned", ""),
];

/// Number of times each thing was done, from the ledger.
fn done(service: &Service) -> BTreeMap<String, usize> {
    let ledger = service.world.ledger().expect("a ledger");
    let mut all =
        BTreeMap::from([("orders".to_owned(), ledger.orders.len()), ("renewals".to_owned(), ledger.renewals.len())]);
    for one in &ledger.moves {
        *all.entry(format!("move of {}", one.customer_id)).or_default() += 1;
    }
    for one in &ledger.accounts {
        all.insert(format!("account {}", one.user_name), usize::from(one.created));
        all.insert(format!("password of {}", one.customer_id), one.password_hashes.len());
        all.insert(format!("status of {}", one.customer_id), one.statuses.len());
    }
    all
}

/// Begins a write without waiting for it. Returns what it would add to the ledger.
async fn begin(window: &Window, write: Write, kill: usize) -> Vec<String> {
    let customer = (100_001 + kill % 40).to_string();
    match write {
        Write::Order => {
            window.press("nav-buy").await;
            window.see(&testid("buy-country")).await;
            window.choose_three_in_japan().await;
            window.get_price().await;
            window.press("pay-open").await;
            window.press_last("pay-confirm").await;
            vec!["orders".into()]
        }
        Write::Renew => {
            window.press("nav-ips").await;
            window.see_state("ips-table", "ready").await;
            window.press("ips-choose").await;
            window.press("ips-renew").await;
            window.see_state("renew-price", "ready").await;
            window.press("renew-next").await;
            window.press_last("renew-pay").await;
            vec!["renewals".into()]
        }
        Write::Recharge | Write::Deduction => {
            let (act, gb) =
                if write == Write::Recharge { ("customer-recharge", "1") } else { ("customer-deduct", "0.01") };
            window.see_customers().await;
            window.begin_move(&customer, act, gb).await;
            window.press_last("amount-confirm").await;
            vec![format!("move of {customer}")]
        }
        Write::Password => {
            open_customer(window, &customer).await;
            window.press("customer-password").await;
            window.fill("password-new", &format!("typed-{kill}-here")).await;
            window.press_last("password-confirm").await;
            vec![format!("password of {customer}")]
        }
        Write::Status => {
            open_customer(window, &customer).await;
            window.press("customer-disable").await;
            window.press_last("status-confirm").await;
            vec![format!("status of {customer}")]
        }
        Write::Create => {
            let name = format!("kill{kill}@x.com");
            window.see_customers().await;
            window.press("customer-create").await;
            window.fill("create-username", &name).await;
            window.press_last("create-confirm").await;
            vec![format!("account {name}")]
        }
        Write::Bulk => {
            let customers = [100_050, 100_051, 100_052];
            window.see_customers().await;
            window.press("bulk-paste").await;
            window.press("bulk-recharge").await;
            window.fill("bulk-text", &customers.map(|one| format!("{one} 256m\n")).concat()).await;
            window.press("bulk-preview").await;
            window.see(&format!("{}[data-value='0.75']", testid("bulk-total"))).await;
            window.press_last("bulk-start").await;
            customers.map(|one| format!("move of {one}")).to_vec()
        }
    }
}

async fn open_customer(window: &Window, customer: &str) {
    window.see_customers().await;
    window.fill("customers-search", customer).await;
    window.see(&format!("{}[data-key='{customer}']", testid("customer-row"))).await;
    window.press("customer-open").await;
}

/// State and id of every operation in Activity, newest first.
async fn shown(window: &Window) -> Vec<[String; 2]> {
    let rows = "return [...document.querySelectorAll('[data-testid=activity-row]')].map(row => [row.dataset.state, row.dataset.key])";
    serde_json::from_value(window.run(rows).await).expect("rows")
}

async fn activity(window: &Window, before: usize, expected: &str) {
    window.press("nav-activity").await;
    let ready =
        "return ['ready', 'empty'].includes(document.querySelector('[data-testid=activity-table]')?.dataset.state)";
    until("Activity is there", async || (window.run(ready).await == Value::Bool(true)).then_some(())).await;
    let state = if expected.is_empty() { "nothing more" } else { expected };
    until(&format!("the operation is shown as {state}"), async || {
        let rows = shown(window).await;
        let right =
            if expected.is_empty() { rows.len() == before } else { rows.len() > before && rows[0][0] == expected };
        right.then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_window_that_is_killed_at_any_marked_point_shows_afterwards_what_is_true() {
    let kills = number("PROXYTILL_WINDOW_KILLS", KILLS) as usize;
    let (service, mut window) = at_customers().await;
    service.world.set_wallet("1000000".parse().expect("an amount")).expect("a ledger");
    // IPs to renew.
    buy_elsewhere(&service.base_url()).await;
    for kill in 0..kills {
        let (write, point, expected) = CASES[kill % CASES.len()];
        let (before, rows) = (done(&service), shown_before(&window).await);
        window.desk().kill_at(point);
        let wanted = begin(&window, write, kill).await;
        window.see_end().await;
        window.start_again().await;
        if write == Write::Bulk {
            bulk_goes_on(&service, &window, &before, &wanted).await;
            continue;
        }
        activity(&window, rows, expected).await;
        let times = |what: &String| done(&service).get(what).copied().unwrap_or_default();
        let was = before.get(&wanted[0]).copied().unwrap_or_default();
        let added = times(&wanted[0]) - was;
        match expected {
            "" | "not-sent" => assert_eq!(added, 0, "{write:?} at {point}"),
            "unknown" | "needs-you" => {
                let was_answered = matches!(point, "Answered" | "Saved");
                assert_eq!(added, usize::from(was_answered), "{write:?} at {point}");
            }
            _ => assert_eq!(added, 1, "{write:?} at {point}"),
        }
        if write == Write::Renew && expected == "unknown" {
            // After a start nobody knows how old its key is, so a person says how it ended.
            let (verdict, end) = if added == 1 { ("done", "resolved-applied") } else { ("not-done", "resolved-not") };
            window.open_operation().await;
            window.see(&testid(&format!("operation-mark-{verdict}"))).await;
            window.see_gone(&testid("operation-resend")).await;
            window.press(&format!("operation-mark-{verdict}")).await;
            window.press("judge-confirm").await;
            activity(&window, rows, end).await;
            assert_eq!(times(&wanted[0]) - was, added, "{write:?} at {point}: it is not sent again");
        } else if matches!(expected, "not-sent" | "unknown" | "needs-you") {
            window.open_operation().await;
            window.press("operation-resend").await;
            if expected == "not-sent" {
                window.press("operation-resend-confirm").await;
            }
            activity(&window, rows, "applied").await;
            // The same value may be set again.
            let again = usize::from(expected == "needs-you" && added == 1);
            assert_eq!(times(&wanted[0]) - was, 1 + again, "{write:?} at {point}: the same one, once");
        }
    }
    println!("{kills} window kills from seed {}", number("PROXYTILL_FROM", 0));
}

async fn shown_before(window: &Window) -> usize {
    window.press("nav-activity").await;
    let ready =
        "return ['ready', 'empty'].includes(document.querySelector('[data-testid=activity-table]')?.dataset.state)";
    until("Activity is there", async || (window.run(ready).await == Value::Bool(true)).then_some(())).await;
    shown(window).await.len()
}

/// Checks that the bulk waits for a person, that its sends are known, and that nothing is sent twice.
async fn bulk_goes_on(service: &Service, window: &Window, before: &BTreeMap<String, usize>, wanted: &[String]) {
    window.see_customers().await;
    window.see_state("bulk-open", "paused").await;
    window.run("document.querySelector('[data-testid=bulk-open] button').click()").await;
    window.press("bulk-resume").await;
    until("every row is sent once", async || {
        let all = done(service);
        let added =
            |what: &String| all.get(what).copied().unwrap_or_default() - before.get(what).copied().unwrap_or_default();
        assert!(wanted.iter().all(|what| added(what) <= 1), "{all:?}");
        // The outcome of the row that died in `sending` is checked before any resend.
        (wanted.iter().filter(|what| added(what) == 1).count() >= wanted.len() - 1).then_some(())
    })
    .await;
    window.press("bulk-back").await;
}
