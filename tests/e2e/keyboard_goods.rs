//! What was bought is handed over, given to buyers, found, renewed and explained without a pointer.

use fantoccini::key::Key;
use sandbox::Capability;
use tests::window::{Window, testid};

use crate::ips::{sold, with_order};
use crate::keyboard::{choose, press, reach, type_into};
use crate::tables::{hide_column, reach_row, see_row};

/// Types into the picker that has the focus and takes the first suggestion.
async fn take_first(window: &Window, id: &str, typed: &str) {
    type_into(window, id, typed).await;
    window.see(&testid(&format!("{id}-option"))).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid(&format!("{id}-option"))).await;
}

/// Opens what is known of the vendor, and has it checked.
async fn check_vendor(window: &Window) {
    for id in ["health-open", "health-details", "health-check"] {
        press(window, id).await;
    }
}

#[tokio::test]
async fn an_order_is_handed_over_without_a_pointer() {
    let (_service, window) = with_order(0).await;
    press(&window, "order-hand-over").await;
    window.see_focus("hand-buyer").await;
    take_first(&window, "hand-buyer", "ali").await;
    window.see_state("hand-message", "concealed").await;
    choose(&window, "hand-format", "socks", "socks5").await;
    choose(&window, "hand-language", &Key::Down.to_string(), "zh-CN").await;
    press(&window, "hand-reveal").await;
    window.see_state("hand-message", "shown").await;
    press(&window, "hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    press(&window, "hand-unmark").await;
    window.see_gone(&testid("hand-sent")).await;
    press(&window, "hand-edit").await;
    type_into(&window, "delivery-body", "!").await;
    press(&window, "delivery-save").await;
    press(&window, "hand-save").await;
    window.see(&format!("{}[data-value='file']", testid("hand-sent"))).await;
    press(&window, "hand-picture").await;
    window.see(&format!("{}[data-value='picture']", testid("hand-sent"))).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("hand-message")).await;
    window.see_focus("order-hand-over").await;
    window.see_state("order-for", "sent").await;
}

#[tokio::test]
async fn ips_are_given_by_paste_filtered_and_found_in_the_calendar_without_a_pointer() {
    let (service, window) = with_order(0).await;
    let sold = sold(&service, &window.attribute("order-no", "data-value").await).await;
    press(&window, "nav-ips").await;
    window.see_state("ips-table", "ready").await;
    press(&window, "ips-paste").await;
    window.see_focus("paste-text").await;
    // Names that nobody has yet are asked for.
    window.keys(&format!("{} ali{}{} dora", sold[0].host, Key::Enter, sold[1].host)).await;
    for name in ["new ali", "new dora"] {
        window.see(&testid("paste-who")).await;
        window.keys(&Key::Tab.to_string()).await;
        reach(&window, "paste-who").await;
        window.keys("New").await;
        tests::until(&format!("{name} is chosen"), async || {
            (window.run("return document.activeElement.value").await == name).then_some(())
        })
        .await;
    }
    press(&window, "paste-save").await;
    window.see_gone(&testid("paste-save")).await;
    take_first(&window, "ips-buyer", "dora").await;
    window.see(&format!("{}[data-count='1']", testid("ips-rows"))).await;
    window.keys(&format!("{}a{}", Key::Control, Key::Null)).await;
    take_first(&window, "ips-buyer", "all").await;
    take_first(&window, "ips-country", "japan").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    choose(&window, "ips-ends", "Within 3 d", "within3").await;
    press(&window, "outside-show").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    press(&window, "ips-view-calendar").await;
    press(&window, "calendar-later").await;
    press(&window, "calendar-open").await;
    window.see(&format!("{}[data-count='3']", testid("ips-rows"))).await;
    press(&window, "ips-day-clear").await;
    window.see_gone(&testid("ips-day-clear")).await;
}

#[tokio::test]
async fn ips_are_renewed_without_a_pointer() {
    let (service, window) = with_order(0).await;
    press(&window, "nav-ips").await;
    window.see_state("ips-table", "ready").await;
    reach_row(&window, "ips-row").await;
    see_row(&window, 0).await;
    window.keys(" ").await;
    press(&window, "ips-renew").await;
    window.see_state("renew-price", "ready").await;
    reach(&window, "renew-period-30").await;
    window.keys(&Key::Right.to_string()).await;
    window.see(&format!("{}[data-state='checked']", testid("renew-period-60"))).await;
    window.see_state("renew-price", "ready").await;
    press(&window, "renew-next").await;
    window.see_focus("renew-back").await;
    press(&window, "renew-pay").await;
    window.see_state("operation-card", "applied").await;
    let paid = service.world.ledger().expect("a ledger").renewals;
    assert_eq!(paid.iter().map(|one| (one.ips.len(), one.days)).collect::<Vec<_>>(), [(1, 60)]);
    press(&window, "renew-close").await;
    window.see_gone(&testid("operation-card")).await;
}

#[tokio::test]
async fn the_vendor_is_checked_and_a_change_is_read_without_a_pointer() {
    let (service, window) = with_order(0).await;
    check_vendor(&window).await;
    let renewals = |state: &str| format!("{}[data-key='renewals'][data-state='{state}']", testid("health-capability"));
    window.see(&renewals("present")).await;
    service.world.offer(Capability::Renewals, false);
    press(&window, "health-check").await;
    window.see(&renewals("absent")).await;
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid("health-card")).await;
    window.see_focus("health-open").await;
    press(&window, "vendor-changes-seen").await;
    window.see_gone(&testid("vendor-changes")).await;
}

#[tokio::test]
async fn a_buyer_is_made_changed_and_deleted_without_a_pointer() {
    let (_service, window) = with_order(0).await;
    press(&window, "nav-ips").await;
    press(&window, "ips-view-buyers").await;
    press(&window, "buyer-create").await;
    window.see_focus("buyer-name").await;
    window.keys(&format!("ali{}", Key::Enter)).await;
    window.see_gone(&testid("buyer-save")).await;
    // The page of the new buyer opens.
    press(&window, "buyer-edit").await;
    window.see_focus("buyer-name").await;
    type_into(&window, "buyer-contact", "ali@chat").await;
    press(&window, "buyer-save").await;
    window.see_gone(&testid("buyer-save")).await;
    window.see_focus("buyer-edit").await;
    press(&window, "buyer-back").await;
    window.see_state("buyers-table", "ready").await;
    hide_column(&window, "buyers-table", "column-contact", 6).await;
    let id = window.attribute("buyer-row", "data-key").await;
    window.say("ali@chat", &format!("buyer-{id}")).await;
    window.see(&format!("{}[data-key='{id}']", testid("buyer-page"))).await;
    press(&window, "buyer-back").await;
    reach_row(&window, "buyer-row").await;
    window.keys(&Key::Enter.to_string()).await;
    press(&window, "buyer-delete").await;
    window.see_focus("buyer-delete-cancel").await;
    press(&window, "buyer-delete-confirm").await;
    window.see_state("buyers-table", "empty").await;
}

#[tokio::test]
async fn the_same_is_bought_again_for_one_of_three_ips_without_a_pointer() {
    let (service, window) = with_order(0).await;
    service.world.offer(Capability::Renewals, false);
    check_vendor(&window).await;
    window.see(&format!("{}[data-key='renewals'][data-state='absent']", testid("health-capability"))).await;
    window.keys(&Key::Escape.to_string()).await;
    press(&window, "nav-ips").await;
    window.see_state("ips-table", "ready").await;
    reach_row(&window, "ips-row").await;
    see_row(&window, 0).await;
    window.keys(" ").await;
    press(&window, "ips-again").await;
    window.see(&format!("{}[data-value='2.85']", testid("price-amount"))).await;
    press(&window, "pay-open").await;
    press(&window, "pay-confirm").await;
    window.see_state("order-result", "applied").await;
    let orders = service.world.ledger().expect("a ledger").orders;
    assert_eq!(orders.iter().map(|order| order.ordered).collect::<Vec<_>>(), [3, 1]);
}
