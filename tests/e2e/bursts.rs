//! T9: repeated clicks or presses of Enter confirm once.

use dice::Dice;
use fantoccini::key::Key;
use operations::Direction;
use sandbox::Service;
use tests::number;
use tests::service::requests;
use tests::steps::at_customers;
use tests::traffic_move::endpoint;
use tests::window::{Window, testid};

/// Bursts per test run; `cargo xtask prove` does more.
const BURSTS: u64 = 12;

/// Clicks like a trembling hand, with these gaps in ms, timed by the page's own clock.
pub(crate) async fn click(window: &Window, id: &str, gaps: &[u64]) {
    let script = "const [selector, gaps, done] = arguments;
        const button = document.querySelector(selector);
        let at = 0;
        const next = () => { button.click(); at < gaps.length ? setTimeout(next, gaps[at++]) : done(null) };
        next();";
    let arguments = vec![serde_json::json!(testid(id)), serde_json::json!(gaps)];
    window.driver.execute_async(script, arguments).await.expect("the page clicks");
}

fn moves_of(service: &Service, customer: &str) -> usize {
    let ledger = service.world.ledger().expect("a ledger");
    ledger.moves.iter().filter(|one| one.customer_id.to_string() == customer).count()
}

fn sends(service: &Service) -> usize {
    requests(service, endpoint(Direction::Recharge))
}

#[tokio::test]
async fn a_burst_of_clicks_or_enters_is_one_operation() {
    let (bursts, from) = (number("PROXYTILL_BURSTS", BURSTS), number("PROXYTILL_FROM", 0));
    let (service, window) = at_customers().await;
    for burst in from..from + bursts {
        let mut dice = Dice::of(burst);
        let customer = (100_001 + burst % 50).to_string();
        let (before, sent) = (moves_of(&service, &customer), sends(&service));
        window.see_customers().await;
        window.begin_move(&customer, "customer-recharge", "0.5").await;
        tests::until("it can be confirmed", async || window.is_enabled("amount-confirm").await.then_some(())).await;
        if dice.roll(3) == 0 {
            let enters = Key::Enter.to_string().repeat(2 + dice.roll(3) as usize);
            window.run("document.querySelector('[data-testid=amount-confirm]').focus()").await;
            window.keys(&enters).await;
        } else {
            let gaps: Vec<u64> = (0..=dice.roll(3)).map(|_| dice.roll(301)).collect();
            click(&window, "amount-confirm", &gaps).await;
        }
        tests::until("it is done", async || (moves_of(&service, &customer) > before).then_some(())).await;
        window.press("nav-activity").await;
        window.see(&format!("{}[data-target='{customer}'][data-state='applied']", testid("activity-row"))).await;
        assert_eq!(moves_of(&service, &customer), before + 1, "burst {burst}");
        assert_eq!(sends(&service), sent + 1, "burst {burst}: one intent, one send");
    }
    println!("{bursts} bursts from seed {from}");
}

#[tokio::test]
async fn one_more_enter_does_not_open_the_dialog_again_that_enter_closed() {
    let (_service, window) = at_customers().await;
    window.press("wallet-open").await;
    window.see(&testid("wallet-amount")).await;
    // An Enter at the very moment at which the button behind the dialog gets the focus again.
    let once_more = "document.addEventListener('focusin', ({ target }) => {
        if (target.dataset.testid !== 'wallet-open') return;
        const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
        window.isIgnored = !target.dispatchEvent(enter);
    })";
    window.run(once_more).await;
    let is_ignored = async || window.run("return window.isIgnored ?? null").await.as_bool();
    window.type_keys("wallet-close", &Key::Escape.to_string()).await;
    assert!(!tests::until("the focus is back", is_ignored).await, "only Enter is followed by more of them");
    window.press("wallet-open").await;
    window.run("delete window.isIgnored").await;
    window.type_keys("wallet-close", &Key::Enter.to_string()).await;
    assert!(tests::until("the focus is back", is_ignored).await);
}
