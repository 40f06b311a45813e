//! Actions with their object, typed in the palette: each opens its form filled, and sends nothing.

use fantoccini::key::Key;
use tests::steps::at_customers;
use tests::window::testid;

/// The id of the last customer of the list, and the name up to its host.
async fn last_customer(service: &sandbox::Service) -> (String, String) {
    let all = client::customers::all(&tests::service::client(service), None).await.expect("a list");
    let last = all.last().expect("a customer");
    (last.customer_id.to_string(), last.user_name.split('@').next().expect("a name").to_owned())
}

#[tokio::test]
async fn a_phrase_opens_its_form_filled_and_sends_nothing() {
    let (service, window) = at_customers().await;
    let (id, short) = last_customer(&service).await;
    window.keys(&format!("{}k{}", Key::Control, Key::Null)).await;
    window.fill("palette", &format!("add 5 to {short}")).await;
    window.see(&format!("{}[data-value='said-recharge-{id}'][data-selected]", testid("palette-option"))).await;
    assert_eq!(window.axe().await, [""; 0]);
    window.type_keys("palette", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='5120']", testid("amount-mb"))).await;
    assert_eq!(window.value("amount-gb").await, "5");
    window.press("amount-cancel").await;
    window.say(&format!("从 {short} 扣 512mb"), &format!("said-deduction-{id}")).await;
    window.see(&format!("{}[data-value='512']", testid("amount-mb"))).await;
    window.press("amount-cancel").await;
    window.say(&format!("reset password of {short}"), &format!("said-password-{id}")).await;
    window.see(&testid("password-new")).await;
    window.press("password-cancel").await;
    window.say(&format!("停用 {short}"), &format!("said-disable-{id}")).await;
    window.see(&testid("status-confirm")).await;
    window.press("status-cancel").await;
    window.keys(&format!("{}k{}", Key::Control, Key::Null)).await;
    window.fill("palette", "buy 5 germany").await;
    window.see(&format!("{}[data-selected]", testid("palette-option"))).await;
    tests::until("germany is the first", async || {
        let label =
            window.run("return document.querySelector('[data-testid=palette-option]')?.textContent ?? ''").await;
        label.as_str()?.contains("Buy 5 IPs in Germany").then_some(())
    })
    .await;
    window.type_keys("palette", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='DE']", testid("buy-country"))).await;
    assert_eq!(window.value("buy-quantity").await, "5");
    window.say("limits", "action-settings-limits").await;
    window.see(&testid("limit-save")).await;
    // Without words it offers what was opened last.
    window.keys(&format!("{}k{}", Key::Control, Key::Null)).await;
    window.see(&format!("{}[data-value='customer-{id}']", testid("palette-option"))).await;
    window.type_keys("palette", &Key::Escape.to_string()).await;
    let ledger = service.world.ledger().expect("a ledger");
    assert!(ledger.moves.is_empty() && ledger.orders.is_empty() && ledger.accounts.is_empty());
}

#[tokio::test]
async fn a_phrase_with_its_amount_is_carried_out_by_the_next_enter() {
    let (service, window) = at_customers().await;
    let (id, short) = last_customer(&service).await;
    window.say(&format!("add 5 to {short}"), &format!("said-recharge-{id}")).await;
    // The key that chose the entry confirms nothing, and neither does a second press of it.
    window.see_focus_on(&testid("amount-confirm")).await;
    window.see(&format!("{}[data-seen='true']", testid("amount-confirm"))).await;
    assert!(service.world.ledger().expect("a ledger").moves.is_empty());
    window.keys(&Key::Enter.to_string()).await;
    tests::until("it is sent", async || (service.world.ledger().expect("a ledger").moves.len() == 1).then_some(()))
        .await;
}

#[tokio::test]
async fn a_phrase_whose_amount_is_refused_leaves_every_control_to_the_keyboard() {
    let (service, window) = at_customers().await;
    let (id, short) = last_customer(&service).await;
    window.say(&format!("add 90000000 to {short}"), &format!("said-recharge-{id}")).await;
    window.see(&testid("amount-gb-error")).await;
    for next in ["amount-preset-1", "amount-preset-5", "amount-preset-10"] {
        window.keys(&Key::Tab.to_string()).await;
        window.see_focus(next).await;
    }
}
