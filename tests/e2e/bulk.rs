//! Bulks as the agent does them: pasted lines, questions about doubts, a preview, progress, retry.

use fantoccini::key::Key;
use sandbox::{Fault, FaultRule, Service};
use tests::service;
use tests::steps::at_customers;
use tests::until;
use tests::window::{Window, testid};
use wire::ids::CustomerId;

use crate::back::alt;

pub(crate) async fn at_bulk(lines: &str) -> (Service, Window) {
    let (service, window) = at_customers().await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", lines).await;
    (service, window)
}

fn moved(service: &Service) -> Vec<String> {
    service.world.ledger().expect("a ledger").moves.iter().map(|one| one.mb.to_string()).collect()
}

async fn name_of(service: &Service, at: usize) -> String {
    let all = client::customers::all(&service::client(service), None).await.expect("a list");
    all[at].user_name.clone()
}

#[tokio::test]
async fn lines_are_pasted_by_keyboard_doubts_are_asked_and_every_row_is_confirmed() {
    let (service, window) = at_bulk("").await;
    let (first, second) = (name_of(&service, 0).await, name_of(&service, 1).await);
    let short = second.split('@').next().expect("a name");
    let text = format!("{first} 1g, {short}@ 0.5\nnobody@x.com 3g\n{first} 2g\n100004 1,5\n＝A1");
    window.fill("bulk-text", &text).await;
    window.type_keys("bulk-preview", &Key::Enter.to_string()).await;
    window.see(&testid("bulk-total")).await;
    let reasons = async || {
        window.run("return [...document.querySelectorAll('[data-testid=bulk-row]')].map((row) => row.dataset.reason ?? '').join(' ')").await
    };
    assert_eq!(reasons().await, " which unknown duplicate ambiguous-number formula");
    assert!(moved(&service).is_empty(), "nothing is sent before the preview is confirmed");
    window.press("bulk-accept").await;
    window.see(&testid("bulk-question-unit")).await;
    window.press("bulk-unit-gb").await;
    window.see(&format!("{}[data-value='1.5']", testid("bulk-total"))).await;
    window.type_keys("bulk-start", &Key::Enter.to_string()).await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    let mut all = moved(&service);
    all.sort();
    assert_eq!(all, ["1024", "512"]);
    // The four rows that were left out are listed with their reasons, and offered again.
    window.press("bulk-only-not-done").await;
    window.see(&format!("{}[data-state='skipped'][data-reason='unknown']", testid("bulk-row"))).await;
    let see_reasons = async |expected: &str| {
        let is_so = async || (reasons().await == expected).then_some(());
        until(&format!("the rows are {expected:?}"), is_so).await;
    };
    let left_out = reasons().await.as_str().expect("text").to_owned();
    window.fill("bulk-search", "NOBODY").await;
    see_reasons("unknown").await;
    // What is done is hidden by the filter, and not called absent.
    window.fill("bulk-search", &format!("{short}@")).await;
    window.see(&format!("{}[data-value='1']", testid("outside-filters"))).await;
    window.fill("bulk-search", "nowhere").await;
    window.press("bulk-search-clear").await;
    see_reasons(&left_out).await;
    // Search and filter are there after a while elsewhere.
    window.fill("bulk-search", "nobody").await;
    window.press("nav-overview").await;
    window.see_gone(&testid("bulk-search")).await;
    window.keys(&alt(Key::Left)).await;
    window.see(&testid("bulk-search")).await;
    see_reasons("unknown").await;
    assert_eq!(window.value("bulk-search").await, "nobody");
    window.fill("bulk-search", "").await;
    see_reasons(&left_out).await;
    window.press("bulk-export").await;
    window.see(&testid("toast")).await;
    window.press("bulk-retry").await;
    window.see(&testid("bulk-total")).await;
    // All but the line that repeats another one, which was done.
    assert_eq!(window.attribute("bulk-left-out", "data-value").await, "3");
    assert_eq!(moved(&service).len(), 2);
}

#[tokio::test]
async fn lines_of_a_chat_are_read_what_is_missing_is_asked_once_and_a_row_is_edited_in_place() {
    let (service, window) = at_bulk("").await;
    let name = name_of(&service, 0).await;
    let short = name.split('@').next().expect("a name");
    window.fill("bulk-text", &format!("{short}: 500mb pls\n100002\n100003 = 1,5g\nnobdy - 1 GB, thanks!")).await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-question-comma")).await;
    assert_eq!(window.text("bulk-row-called").await, short);
    assert_eq!(window.text("bulk-nearest").await, "500 MB → 0.4883 GB (500.0192 MB)");
    let see_total = async |gb: &str| window.see(&format!("{}[data-value='{gb}']", testid("bulk-total"))).await;
    see_total("0.4883").await;
    window.press("bulk-comma-decimal").await;
    see_total("1.9883").await;
    window.fill("bulk-each", "1,5").await;
    window.press("bulk-each-take").await;
    window.see(&testid("bulk-each-error")).await;
    window.fill("bulk-each", "512mb").await;
    window.type_keys("bulk-each", &Key::Enter.to_string()).await;
    see_total("2.4883").await;
    window.see_state("bulk-question-each", "answered").await;
    // It can be answered again.
    window.press("bulk-comma-thousands").await;
    see_total("15.9883").await;
    window.press("bulk-comma-decimal").await;
    see_total("2.4883").await;
    let edit = "document.querySelector('[data-testid=bulk-row][data-key=\"3\"] [data-testid=bulk-row-edit]').click()";
    window.run(edit).await;
    assert_eq!(window.value("bulk-row-text").await, "nobdy 1 GB");
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("bulk-row-text")).await;
    // The focus is back on the button, which a key presses as well.
    window.keys(&Key::Enter.to_string()).await;
    window.fill("bulk-row-text", "100004 1g").await;
    window.type_keys("bulk-row-text", &Key::Enter.to_string()).await;
    see_total("3.4883").await;
    assert!(moved(&service).is_empty(), "nothing is sent before the preview is confirmed");
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='4']", testid("bulk-result"))).await;
    let all = moved(&service);
    assert!(all.len() == 4 && ["512", "1536", "1024"].iter().all(|mb| all.iter().any(|one| one == mb)), "{all:?}");
}

#[tokio::test]
async fn a_bulk_is_paused_survives_a_restart_and_goes_on_without_sending_anything_twice() {
    let (service, mut window) = at_bulk("").await;
    let all = client::customers::all(&service::client(&service), None).await.expect("a list");
    let lines: Vec<String> = all.iter().take(40).map(|one| format!("{} 256m", one.user_name)).collect();
    window.fill("bulk-text", &lines.join("\n")).await;
    service.world.add_fault(FaultRule {
        endpoint: "rechargeTrafficCount".into(),
        fault: Fault::Delay { ms: 300 },
        times: 1000,
    });
    window.press("bulk-preview").await;
    window.see(&format!("{}[data-value='10']", testid("bulk-total"))).await;
    window.press("bulk-start").await;
    window.press("bulk-pause").await;
    window.see_state("bulk-progress", "paused").await;
    window.kill().await;
    window.start_again().await;
    window.see_customers().await;
    window.see_state("bulk-open", "paused").await;
    let sent = moved(&service).len();
    assert!(sent < 40, "{sent} were sent");
    service.world.clear_faults();
    window.run("document.querySelector('[data-testid=bulk-open] button').click()").await;
    window.press("bulk-resume").await;
    window.see(&format!("{}[data-value='40']", testid("bulk-result"))).await;
    assert_eq!(moved(&service), vec!["256"; 40]);
}

#[tokio::test]
async fn above_a_limit_the_total_is_typed_and_a_wrong_one_sends_nothing() {
    let (service, window) = at_bulk("100001 2g\n100002 2g").await;
    window.press("nav-settings").await;
    window.fill("limit-operation", "3").await;
    window.press("limit-save").await;
    window.press("nav-customers").await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 2g\n100002 2g").await;
    window.press("bulk-preview").await;
    window.fill("bulk-typed", "3").await;
    window.press("bulk-start").await;
    window.see(&testid("bulk-typed-error")).await;
    assert!(moved(&service).is_empty());
    window.fill("bulk-typed", "4").await;
    window.press("bulk-start").await;
    window.answer("Above your limit", "Escape").await;
    window.see_error("declined").await;
    assert!(moved(&service).is_empty(), "a no sends nothing");
    window.press("bulk-start").await;
    window.answer("Above your limit", "Return").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    assert_eq!(moved(&service), ["2048", "2048"]);
}

#[tokio::test]
async fn selected_customers_are_disabled_together_and_a_file_creates_new_ones() {
    let (service, window) = at_bulk("").await;
    window.press("bulk-back").await;
    window.see_state("customers-table", "ready").await;
    window.press("bulk-select-all").await;
    window.see(&format!("{}[data-value='60']", testid("customers-chosen"))).await;
    window.press("bulk-selected").await;
    window.press("bulk-gb-preset-5").await;
    assert_eq!(window.value("bulk-gb").await, "5");
    window.press("bulk-disable").await;
    window.press("bulk-preview").await;
    window.see(&format!("{}[data-value='60']", testid("bulk-total"))).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='60']", testid("bulk-result"))).await;
    let accounts = service.world.ledger().expect("a ledger").accounts;
    assert!(accounts.len() == 60 && accounts.iter().all(|account| !account.active && account.statuses.len() == 1));
    window.press("bulk-back").await;
    window.press("bulk-paste").await;
    window.press("bulk-create").await;
    let file = window.home().join("new.csv");
    std::fs::write(&file, "\u{feff}E-mail\nx1@x.com\nx2@x.com\nnot an address\n").expect("a file");
    window.choose_file("bulk-file", &file).await;
    window.see(&format!("{}[data-value='2']", testid("bulk-total"))).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    assert_eq!(service.world.ledger().expect("a ledger").accounts.iter().filter(|one| one.created).count(), 2);
    window.press("bulk-credentials").await;
    window.press("bulk-credentials-confirm").await;
    window.answer("Export credentials", "Return").await;
    window.see(&testid("toast")).await;
}

#[tokio::test]
async fn a_preview_that_was_left_is_there_again_with_its_answers_and_the_figures_of_now() {
    let (service, window) = at_bulk("100001 1\n100002 2g\nnobody@x.com 3g").await;
    window.press("bulk-deduct").await;
    window.press("bulk-preview").await;
    window.press("bulk-unit-gb").await;
    let total = format!("{}[data-value='3']", testid("bulk-total"));
    window.see(&total).await;
    let title = window.text("bulk-total").await;
    let first = format!("{}[data-key='0']", testid("bulk-row"));
    let before = window.text_of(&first).await;
    window.press("bulk-only-problems").await;
    window.see_gone(&first).await;
    window.press("nav-customers").await;
    window.see_state("customers-table", "ready").await;
    service.world.move_in_console(&CustomerId::new("100001"), 2, true).expect("moved in the vendor's console");
    window.press("bulk-paste").await;
    window.see(&total).await;
    assert_eq!(window.text("bulk-total").await, title, "it is still a deduction");
    let shown = format!("return document.querySelector(\"{first}\") !== null");
    assert_eq!(window.run(&shown).await, false, "only what is left out is shown, as before");
    window.press("bulk-only-problems").await;
    assert_ne!(window.text_of(&first).await, before);
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    assert_eq!(moved(&service).len(), 3, "with the one in the console");
    window.press("bulk-back").await;
    window.press("bulk-paste").await;
    window.see(&testid("bulk-text")).await;
    assert_eq!(window.value("bulk-text").await, "");
}

#[tokio::test]
async fn who_is_disabled_is_marked_and_counted_before_anything_is_sent_and_left_out_by_one_press() {
    let (service, window) = at_bulk("100001\n100002").await;
    window.press("bulk-disable").await;
    window.press("bulk-preview").await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-result"))).await;
    window.press("bulk-back").await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100001 1g\n100002 1g\n100003 1g").await;
    window.press("bulk-preview").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-disabled"))).await;
    assert!(window.text("bulk-disabled").await.contains("2 of them are disabled, as last set here."));
    let marked = async |wanted: usize| {
        let rows = "return document.querySelectorAll('[data-testid=bulk-row-disabled]').length";
        tests::until(&format!("{wanted} are marked"), async || (window.run(rows).await == wanted).then_some(())).await;
    };
    marked(2).await;
    window.press("bulk-disabled-leave").await;
    window.see(&format!("{}[data-value='2']", testid("bulk-without-disabled"))).await;
    window.see(&format!("{}[data-value='1']", testid("bulk-total"))).await;
    window.see(&format!("{}[data-reason='disabled']", testid("bulk-row"))).await;
    marked(0).await;
    window.press("bulk-disabled-take").await;
    window.see(&format!("{}[data-value='3']", testid("bulk-total"))).await;
    window.press("bulk-disabled-leave").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-total"))).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-result"))).await;
    let moves = service.world.ledger().expect("a ledger").moves;
    let to: Vec<_> = moves.iter().map(|one| (one.customer_id, one.mb.to_string())).collect();
    assert_eq!(to, [(100_003, "1024".to_owned())]);
    // When a filter leaves the list empty, the list says how many rows are outside of it.
    window.press("bulk-back").await;
    window.press("bulk-paste").await;
    window.fill("bulk-text", "100003 1g").await;
    window.press("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    window.see_gone(&testid("bulk-disabled")).await;
    window.press("bulk-start").await;
    window.see(&format!("{}[data-value='1']", testid("bulk-result"))).await;
    window.press("bulk-only-not-done").await;
    window.see(&format!("{}[data-value='1']", testid("outside-filters"))).await;
    window.press("outside-show").await;
    window.see_state("bulk-row", "applied").await;
    // A row opens beside the list and closes by its button and by Escape.
    window.press("bulk-row-open").await;
    window.see_state("operation-card", "applied").await;
    window.press("operation-close").await;
    window.see_gone(&testid("operation-card")).await;
    window.press("bulk-row-open").await;
    window.see_state("operation-card", "applied").await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("operation-card")).await;
}
