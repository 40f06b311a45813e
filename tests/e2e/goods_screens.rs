//! What is not certain about goods, for axe and for pictures: IPs whose credentials the vendor does not show, a renewal in
//! part and in doubt, new IPs beside an order in doubt.

use sandbox::{Capability, Fault, Service};
use tests::agent::buy_elsewhere;
use tests::service;
use tests::window::{Window, testid};

use crate::accessibility::clean;
use crate::renewals::{PAYING, list_one_that_is_not_renewed};

/// Goes through them with the IPs that are there, of which some came from an order here.
pub(crate) async fn goods_screens(window: &Window, service: &Service) {
    buy_elsewhere(&service.base_url()).await;
    left_out(window, service).await;
    renewals(window, service).await;
    service::always(service, "place-and-pay", Fault::DropAfter);
    window.press("nav-buy").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "unknown").await;
    window.see_state("new-ips", "ready").await;
    window.run("document.querySelector('[data-testid=new-ips]').scrollIntoView()").await;
    clean(window, "new IPs beside an order in doubt").await;
    service.world.clear_faults();
    window.press("operation-resend").await;
    window.see_state("order-result", "applied").await;
}

/// Hands over IPs of which the vendor shows no credentials of those from elsewhere.
async fn left_out(window: &Window, service: &Service) {
    window.press("nav-ips").await;
    window.see(&testid("ips-ends")).await;
    window
        .run("const ends = document.querySelector('[data-testid=ips-ends]'); ends.selectedIndex = 0; ends.dispatchEvent(new Event('change', { bubbles: true }))")
        .await;
    window.press("ips-refresh").await;
    window.see(&format!("{}[data-count='9']", testid("ips-rows"))).await;
    service.world.offer(Capability::IpDetail, false);
    window.press("health-open").await;
    window.press("health-check").await;
    let absent = "[data-key='ip-detail'][data-state='absent']";
    window.see(&format!("{}{absent}", testid("health-capability"))).await;
    window.press("health-close").await;
    window.press("ips-select-all").await;
    window.press("ips-hand-over").await;
    window.see(&format!("{}[data-value='3']", testid("hand-unreadable"))).await;
    clean(window, "hand-over dialog with IPs that cannot be read").await;
    window.press("hand-leave-out").await;
    window.see_gone(&testid("hand-unreadable")).await;
    clean(window, "hand-over dialog with IPs left out").await;
    window.press("hand-close").await;
    window.press("ips-select-none").await;
    window.press("vendor-changes-seen").await;
    service.world.offer(Capability::IpDetail, true);
}

/// A renewal that leaves an IP out, and one whose answer is lost.
async fn renewals(window: &Window, service: &Service) {
    list_one_that_is_not_renewed(service).await;
    window.press("ips-refresh").await;
    window.see("[data-testid=ips-row] [title*='2041']").await;
    offer(window).await;
    window.press("renew-pay").await;
    window.see_state("operation-card", "applied").await;
    window.see(&format!("{}[data-renewed='false']", testid("renewal-ip"))).await;
    clean(window, "renewal in part").await;
    window.press("renew-close").await;
    window.press("ips-select-none").await;
    service.world.answer_with("ips/page", None);
    window.press("ips-refresh").await;
    offer(window).await;
    service::always(service, PAYING, Fault::DropAfter);
    window.press("renew-pay").await;
    window.see_state("operation-card", "unknown").await;
    clean(window, "renewal in doubt").await;
    service.world.clear_faults();
    window.press("operation-resend").await;
    window.see_state("operation-card", "applied").await;
    window.press("renew-close").await;
}

/// Opens the dialog and goes on to its payment.
async fn offer(window: &Window) {
    window.press("ips-select-all").await;
    window.press("ips-renew").await;
    window.see_state("renew-price", "ready").await;
    window.press("renew-next").await;
    window.see(&testid("renew-pay")).await;
}
