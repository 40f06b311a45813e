//! From a fresh machine to delivered proxies, in practice.

use fantoccini::Locator;
use tests::desk::{Desk, Keychain};
use tests::window::{Window, testid};

#[tokio::test]
async fn a_new_agent_buys_and_copies_proxies_with_practice_money() {
    let window = Window::open().await;
    window.practise().await;
    assert!(window.text("practice-band").await.contains("Practice"), "practice is said in words");
    window.choose_three_in_japan().await;
    window.see(&format!("{}[data-value]:not([data-value=''])", testid("buy-stock"))).await;
    window.get_price().await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "8.55");
    window.press("pay-open").await;
    tests::until("Enter alone pays nothing: the focus is on Cancel", async || {
        (window.run("return document.activeElement.dataset.testid").await == "pay-cancel").then_some(())
    })
    .await;
    window.press("pay-confirm").await;
    window.see_state("order-proxies", "ready").await;
    for (id, value) in
        [("order-paid", "8.55"), ("order-ordered", "3"), ("order-delivered", "3"), ("order-status", "20")]
    {
        assert_eq!(window.attribute(id, "data-value").await, value, "{id}");
    }
    let proxies = async || window.text("order-proxies").await;
    assert!(proxies().await.contains("••••••••"), "concealed until asked for");
    window.press("order-reveal").await;
    window.see(&format!("{}[aria-pressed='true']", testid("order-reveal"))).await;
    assert!(!proxies().await.contains('•'));
    window.press("order-reveal").await;
    window.see(&format!("{}[aria-pressed='false']", testid("order-reveal"))).await;
    assert!(proxies().await.contains("••••••••"));
    window.press("order-copy").await;
    tests::until("it says what was copied", async || window.text("toast").await.contains('3').then_some(())).await;
    window.press("nav-activity").await;
    window.see_state("activity-row", "applied").await;
}

#[tokio::test]
async fn several_lines_of_every_kind_are_bought_at_once_in_chinese() {
    let window = Window::open_with(&["--lang", "zh-CN"]).await;
    window.practise().await;
    assert!(window.text("nav-buy").await.contains("购买"));
    window.pick("buy-country", "日本").await;
    window.press("buy-add-line").await;
    window.press("buy-quota-type-continent_random").await;
    window.pick("buy-continent", "欧洲").await;
    window.fill("buy-quantity", "2").await;
    window.press("buy-add-line").await;
    window.press("buy-quota-type-city").await;
    window.pick("buy-country", "美国").await;
    window.pick("buy-state", "加利福尼亚").await;
    window.pick("buy-city", "los angeles").await;
    window.press("buy-add-line").await;
    window.press("buy-quota-type-global_random").await;
    window.fill("buy-quantity", "6").await;
    window.press("buy-add-line").await;
    let lines = window.driver.find_all(Locator::Css(&testid("buy-line"))).await.expect("lines");
    assert_eq!(lines.len(), 4);
    window.pick("buy-business", "独立站").await;
    window.get_price().await;
    // 10 IPs × 30 days × 0.10 × 0.95 × 0.97
    assert_eq!(window.attribute("price-amount", "data-value").await, "27.65");
    window.pay().await;
    window.see_state("order-proxies", "ready").await;
    assert_eq!(window.attribute("order-delivered", "data-value").await, "10");
}

#[tokio::test]
async fn segments_and_certain_ips_are_pasted_checked_and_bought() {
    let window = Window::open().await;
    window.practise().await;
    window.press("buy-strategy-2").await;
    window.pick("buy-country", "japan").await;
    window.fill("buy-cidr", "203.0.113.0/24 2\nnonsense").await;
    let said = window.text("buy-cidr-error").await;
    assert!(said.contains("Line 2") && said.contains("nonsense"), "{said}");
    window.press("buy-get-price").await;
    assert!(window.driver.find_all(Locator::Css(&testid("price-amount"))).await.expect("none").is_empty());
    window.fill("buy-cidr", "203.0.113.0/24 2\n2001:db8::/32").await;
    window.press("buy-add-line").await;
    window.pick("buy-business", "own shops").await;
    window.get_price().await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "8.55");
    window.pay().await;
    window.see_state("order-proxies", "ready").await;
    let bought = window.text("order-proxies").await;
    assert!(bought.contains("203.0.113.") && bought.contains("[2001:db8:"), "{bought}");
    window.press("buy-strategy-3").await;
    window.fill("buy-ips", "192.0.2.300").await;
    window.see(&testid("buy-ips-error")).await;
    // These were sold a moment ago: the vendor refuses, and nothing is charged.
    let sold = &bought[bought.find("203.0.113.").expect("an IP")..];
    let sold = &sold[..sold.find(':').expect("a port")];
    window.pick("buy-country", "japan").await;
    window.fill("buy-ips", sold).await;
    window.press("buy-get-price").await;
    window.see(&testid("pay-open")).await;
    assert_eq!(window.attribute("price-amount", "data-value").await, "2.85");
}

#[tokio::test]
async fn without_a_display_the_program_says_that_it_has_no_window_and_ends() {
    let desk = Desk::without_display(Keychain::None);
    let mut program = desk.start_of_proxytill();
    program.env_remove("DISPLAY").arg("--data-dir").arg(desk.home().join("proxytill"));
    let ended = program.output().expect("it starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    for words in ["Proxytill cannot open its window:\n", "Proxytill 无法打开窗口：\n"] {
        let reason = said.split(words).nth(1).unwrap_or_default();
        assert!(reason.to_lowercase().starts_with("failed to initialize gtk"), "{said}");
    }
}
