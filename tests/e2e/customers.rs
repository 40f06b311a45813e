//! Managing customers: create, password, status, notes - by keyboard, in both languages.

use fantoccini::key::Key;
use sandbox::{Fault, Service};
use tests::accounts::hash;
use tests::service;
use tests::steps::at_customers;
use tests::traffic_move::CUSTOMER;
use tests::window::{Window, testid};

use crate::back::alt;

const NEW: &str = "new.one@x.com";

/// Opens the page of [`CUSTOMER`].
async fn open_customer(window: &Window) {
    window.fill("customers-search", CUSTOMER).await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
    window.press("customer-open").await;
    window.see(&testid("customer-page")).await;
}

fn accounts(service: &Service) -> Vec<sandbox::LedgerAccount> {
    service.world.ledger().expect("a ledger").accounts
}

#[tokio::test]
async fn a_customer_is_created_by_keyboard_and_its_secrets_are_concealed_copied_and_found_again() {
    let (service, window) = at_customers().await;
    window.type_keys("customer-create", &Key::Enter.to_string()).await;
    window.see(&testid("create-username")).await;
    window.keys("not an address").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&testid("create-username-error")).await;
    assert!(accounts(&service).is_empty(), "nothing was sent");
    window.fill("create-username", NEW).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_state("created-token", "concealed").await;
    let account = accounts(&service).into_iter().next().expect("it is created");
    assert_eq!((account.user_name.as_str(), account.created), (NEW, true));
    let page = window.run("return document.body.innerHTML").await.to_string();
    assert!(page.contains("••••"), "concealed");
    window.press("customer-reveal").await;
    window.see_state("created-token", "revealed").await;
    assert_eq!(Some(hash(&window.text("created-token").await)), account.token_hash);
    window.press("created-password-copy").await;
    window.see(&testid("toast")).await;
    window.press("created-done").await;
    window.see_gone(&testid("created-done")).await;
    // Tokens of the connection, two secrets of the customer, and the newest send.
    tests::until("the newest send is there", async || (window.desk().keychain_entries() == 5).then_some(())).await;
    window.fill("customers-search", NEW).await;
    window.see(&format!("{}[data-key='{}']", testid("customer-row"), account.customer_id)).await;
    window.press("customer-open").await;
    window.press("customer-reveal").await;
    window.see_state("customer-token", "revealed").await;
    assert_eq!(Some(hash(&window.text("customer-token").await)), account.token_hash);
    window.press("nav-buy").await;
    let page = window.run("return document.documentElement.outerHTML").await.to_string();
    assert!(!page.contains("customer-token"), "secrets go with their view");
    window.press("nav-settings").await;
    window.press("connection-delete").await;
    window.press("connection-delete-confirm").await;
    tests::until("nothing is left", async || (window.desk().keychain_entries() == 0).then_some(())).await;
}

#[tokio::test]
async fn a_name_that_exists_is_said_beside_the_field_and_nothing_is_sent() {
    let (service, window) = at_customers().await;
    let name = window.text("customer-open").await;
    window.press("customer-create").await;
    window.fill("create-username", &name.to_uppercase()).await;
    window.press("create-confirm").await;
    window.see(&testid("create-username-error")).await;
    window.fill("create-username", "somebody@taken.example").await;
    window.press("create-confirm").await;
    window.see_gone(&testid("create-confirm")).await;
    window.see_operation("rejected").await;
    assert!(accounts(&service).is_empty());
}

#[tokio::test]
async fn a_lost_answer_to_a_creation_is_found_in_the_list_and_nothing_is_made_twice() {
    let (service, window) = at_customers().await;
    service::fault(&service, "addUser", Fault::DropAfter);
    window.press("customer-create").await;
    window.fill("create-username", NEW).await;
    window.press("create-confirm").await;
    window.see_operation("resolved-applied").await;
    assert_eq!(accounts(&service).len(), 1);
}

#[tokio::test]
async fn a_password_is_generated_and_set_by_keyboard_and_told_as_accepted() {
    let (service, window) = at_customers().await;
    open_customer(&window).await;
    window.type_keys("customer-password", &Key::Enter.to_string()).await;
    window.fill("password-new", "bad:pass").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&testid("password-new-error")).await;
    assert!(accounts(&service).is_empty(), "nothing was sent");
    window.press("password-generate").await;
    let typed = async || {
        let value = window.value("password-new").await;
        (value.len() == 20).then_some(value)
    };
    let typed = tests::until("a password is generated", typed).await;
    window.type_keys("password-new", &Key::Enter.to_string()).await;
    window.see_gone(&testid("password-confirm")).await;
    window.see_state("customer-outcome", "applied").await;
    window.see(&format!("{}[data-state='applied']", testid("customer-operation"))).await;
    assert_eq!(accounts(&service)[0].password_hashes, [hash(&typed)]);
    window.press("customer-reveal").await;
    window.see_state("customer-secret", "revealed").await;
    assert_eq!(window.text("customer-secret").await, typed);
    // Another value must not overtake this one.
    window.press("customer-password").await;
    window.fill("password-new", "another-one-1").await;
    window.press("password-confirm").await;
    window.see_error("too-soon").await;
    assert_eq!(accounts(&service)[0].password_hashes.len(), 1);
}

#[tokio::test]
async fn a_customer_is_disabled_with_the_way_out_focused_and_the_list_says_what_was_set_from_here() {
    let (service, window) = at_customers().await;
    open_customer(&window).await;
    window.press("customer-disable").await;
    window.see(&testid("status-confirm")).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("status-confirm")).await;
    assert!(accounts(&service).is_empty(), "the way out had the focus");
    window.press("customer-disable").await;
    window.see(&testid("status-confirm")).await;
    window.keys(&Key::Tab.to_string()).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("status-confirm")).await;
    let set = accounts(&service);
    assert_eq!((set[0].active, set[0].statuses.as_slice()), (false, &[false][..]));
    // The outcome is where the button was, the name is marked, and only the way back is offered.
    window.see_state("customer-outcome", "applied").await;
    window.see_state("customer-mark", "disabled").await;
    window.see(&testid("customer-enable")).await;
    window.see_gone(&testid("customer-disable")).await;
    window.see(&format!("{}[data-state='applied']", testid("customer-operation"))).await;
    window.press("customer-back").await;
    window.see(&format!("{} [data-state='disabled']", testid("customer-row"))).await;
}

#[tokio::test]
async fn a_row_opens_as_a_whole_and_a_name_leads_to_its_customer() {
    let (_service, window) = at_customers().await;
    window.fill("customers-search", CUSTOMER).await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
    // A check box in the row is for choosing.
    window.press("customer-choose").await;
    window.see(&format!("{}[data-value='1']", testid("customers-chosen"))).await;
    window.press("customers-choose-none").await;
    window.run("document.querySelector('[data-testid=customer-row] [role=cell]:nth-child(3)').click()").await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-page"))).await;
    window.press("customer-back").await;
    window.begin_move(CUSTOMER, "customer-recharge", "0.5").await;
    window.press("amount-confirm").await;
    window.see_operation("applied").await;
    window.open_operation().await;
    window.see(&testid("operation-evidence")).await;
    window.run("document.querySelector('[data-testid=activity-panel] [data-testid=customer-link]').click()").await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-page"))).await;
    window.keys(&alt(Key::Left)).await;
    window.see(&testid("operation-evidence")).await;
    // So does the name in the list.
    window.press("customer-link").await;
    window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-page"))).await;
    // All records of the customer are in Traffic, where they can be searched.
    let name = window.run("return document.querySelector('h1').textContent").await;
    window.press("customer-all-records").await;
    window.see_state("records-table", "ready").await;
    assert_eq!(window.value("records-account").await, name);
}

#[tokio::test]
async fn notes_and_tags_are_kept_and_found_again_after_a_restart() {
    let (_service, mut window) = at_customers().await;
    open_customer(&window).await;
    window.fill("customer-tags", "VIP，上海").await;
    window.fill("customer-note", "pays on Fridays").await;
    window.press("customer-note-save").await;
    window.see(&testid("toast")).await;
    window.kill().await;
    window.start_again().await;
    window.see_customers().await;
    for words in ["fridays", "上海 vip"] {
        window.fill("customers-search", words).await;
        window.see(&format!("{}[data-key='{CUSTOMER}']", testid("customer-row"))).await;
        window.see(&format!("{} [data-count='1']", testid("customers-table"))).await;
    }
}

#[tokio::test]
async fn the_polarity_is_found_out_with_a_customer_that_the_person_names() {
    let (service, window) = at_customers().await;
    let name = window.text("customer-open").await;
    service::fault(&service, "changeStatus", Fault::Polarity);
    window.press("nav-settings").await;
    window.press("connection-edit").await;
    window.press("connection-advanced").await;
    window.press("connection-polarity-check").await;
    window.fill("polarity-customer", &name).await;
    window.press("polarity-send").await;
    window.see(&testid("polarity-works")).await;
    assert!(accounts(&service)[0].active, "this vendor means it the other way round");
    window.press("polarity-works").await;
    window.see_state("polarity-result", "wrong").await;
    let saved = std::fs::read(window.data_dir().join("app.db")).expect("a file");
    let wal = std::fs::read(window.data_dir().join("app.db-wal")).unwrap_or_default();
    let holds = |bytes: &[u8]| bytes.windows(14).any(|part| part == b"zero-is-active");
    assert!(holds(&saved) || holds(&wal), "the setting is saved");
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("polarity-result")).await;
    window.press("nav-overview").await;
    window.press("health-open").await;
    window.press("health-details").await;
    window.see(&format!("{}[data-key='polarity'][data-state='learned']", testid("health-line"))).await;
}
