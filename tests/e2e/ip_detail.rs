//! One IP of My IPs, beside the list.

use fantoccini::key::Key;
use tests::window::testid;

use crate::ips::{see_ips, sold, with_order};
use crate::keyboard::press;
use crate::tables::{reach_row, see_row};

#[tokio::test]
async fn an_ip_opens_beside_the_list_is_assigned_there_and_leads_to_its_buyer_and_its_order() {
    let (service, window) = with_order(0).await;
    let number = window.attribute("order-no", "data-value").await;
    let sold = sold(&service, &number).await;
    see_ips(&window).await;
    reach_row(&window, "ips-row").await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&format!("{}[data-state='active']", testid("ip-detail"))).await;
    window.see(&format!("{}[data-value='']", testid("ip-buyer"))).await;
    window.see(&format!("{}[aria-current='true'][data-row='0']", testid("ips-row"))).await;
    // The vendor's list comes a little later.
    assert_eq!(window.text("ip-vendor-status").await, "1");
    press(&window, "ip-assign").await;
    window.pick("assign-buyer", "eve").await;
    window.press("assign-save").await;
    window.see(&format!("{}[data-value='eve']", testid("ip-buyer"))).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("ip-detail")).await;
    see_row(&window, 0).await;
    // The cell of the place does nothing of its own.
    let other = format!("{}[data-row='1']", testid("ips-row"));
    window.run(&format!("document.querySelector(\"{other} [role=cell]:nth-child(3)\").click()")).await;
    window.see(&format!("{other}[aria-current='true']")).await;
    window.see(&format!("{}[data-value='']", testid("ip-buyer"))).await;
    let told = window.text("ip-detail").await;
    assert!(sold.iter().all(|one| !told.contains(&one.password)), "credentials are on screen: {told}");
    window.press("ip-open-order").await;
    window.see(&format!("{}[data-key='{number}']", testid("order-detail"))).await;
    // An IP of the order is shown in My IPs, with the others of the order.
    let key = format!("{number} {} {}", sold[2].host, sold[2].port);
    // A row opens once it is known what was recorded of its IP.
    let in_order = format!("{}.open:nth-of-type(3)", testid("order-goods-row"));
    window.see(&in_order).await;
    window.run(&format!("document.querySelector(\"{in_order}\").click()")).await;
    window.see(&format!("{}[data-key='{key}']", testid("ip-detail"))).await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    window.press("go-back").await;
    window.see(&testid("order-goods")).await;
    // So are all of them, and the buyer of one leads to their page.
    window.press("order-goods-list").await;
    window.see_gone(&testid("ip-detail")).await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    window.press("go-back").await;
    window.press("order-goods-open-buyer").await;
    window.see(&testid("buyer-page")).await;
    window.press("go-back").await;
    window.see(&testid("order-goods")).await;
    window.press("go-back").await;
    window.see(&format!("{}:not([data-key='{key}'])", testid("ip-detail"))).await;
    window
        .run(&format!(
            "document.querySelector(\"{}[data-row='0'] [role=cell]:nth-child(3)\").click()",
            testid("ips-row")
        ))
        .await;
    window.press("ip-open-buyer").await;
    window.see(&format!("{}[data-value='1']", testid("buyer-ips"))).await;
}

#[tokio::test]
async fn a_search_says_how_many_more_it_finds_outside_the_filters_and_shows_them() {
    let (_service, window) = with_order(0).await;
    let number = window.attribute("order-no", "data-value").await;
    see_ips(&window).await;
    window.press("ips-choose").await;
    window.press("ips-assign").await;
    window.pick("assign-buyer", "eve").await;
    window.press("assign-save").await;
    window.see_gone(&testid("assign-save")).await;
    window.pick("ips-buyer", "Not assigned").await;
    window.see(&format!("{}[data-count='2']", testid("ips-rows"))).await;
    window.see_gone(&testid("outside-show")).await;
    window.fill("ips-search", &number).await;
    window.see(&format!("{}[data-value='1']", testid("more-outside"))).await;
    window.press("outside-show").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    window.see_gone(&testid("outside-show")).await;
}

/// Whether the list scrolls across or lies under the details.
const CUT: &str = "const [list, panel] = ['ips-rows', 'ip-panel'].map(id => document.querySelector(`[data-testid=${id}]`));
    return list.scrollWidth > list.clientWidth || list.getBoundingClientRect().right > panel.getBoundingClientRect().left";

#[tokio::test]
async fn details_of_an_ip_follow_the_arrow_keys_and_leave_the_list_in_sight_in_the_smallest_window() {
    let (_service, window) = with_order(0).await;
    see_ips(&window).await;
    window.press("ips-select-all").await;
    window.press("ips-assign").await;
    window.pick("assign-buyer", "eve").await;
    window.press("assign-save").await;
    window.see_gone(&testid("assign-save")).await;
    window.resize(900, 600).await;
    let fits = async || (window.run("return innerWidth").await == 900 && window.run(CUT).await == false).then_some(());
    for place in ["all IPs", "a buyer's page"] {
        reach_row(&window, "ips-row").await;
        window.keys(&Key::Enter.to_string()).await;
        window.see(&format!("{}[aria-current='true'][data-row='0']", testid("ips-row"))).await;
        window.see(&format!("{}[data-value='eve']", testid("ip-buyer"))).await;
        window.keys(&Key::Down.to_string()).await;
        window.see(&format!("{}[aria-current='true'][data-row='1']", testid("ips-row"))).await;
        tests::until(&format!("both are in sight on {place}"), fits).await;
        let findings = window.axe().await;
        assert!(findings.is_empty(), "{place}: {findings:?}");
        if place == "all IPs" {
            window.press("ip-open-buyer").await;
            window.see(&format!("{}[data-value='3']", testid("buyer-ips"))).await;
        }
    }
    window.see_gone(&testid("ip-open-buyer")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("ip-detail")).await;
    see_row(&window, 1).await;
}
