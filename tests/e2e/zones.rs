//! Times of the vendor, which counts in UTC+8, at a computer in New York.

use serde_json::Value;
use tests::desk::Desk;
use tests::service;
use tests::window::{Window, testid};

use crate::ips::see_ips;

/// The times on screen whose vendor's text is known, with what each of them is in New York, to the second and to the
/// minute.
const TIMES: &str = r"return [...document.querySelectorAll('time[data-value], [role=cell][data-value], dd[data-value]')]
  .filter(({ dataset }) => /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(dataset.value))
  .map((shown) => [shown.textContent.trim(), shown.dataset.value, ...['medium', 'short'].map(timeStyle =>
    new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle, timeZone: 'America/New_York' })
      .format(new Date(shown.dataset.value.slice(0, 19).replace(' ', 'T') + '+08:00')))])";

/// Every time of the vendor that is on screen is a time of New York.
async fn see_times(window: &Window, place: &str) {
    let times = window.run(TIMES).await;
    let times = times.as_array().expect("times");
    assert!(!times.is_empty(), "no time of the vendor is shown in {place}");
    for time in times {
        let [Value::String(shown), Value::String(as_it_came), expected @ ..] = &time.as_array().expect("a time")[..]
        else {
            panic!("{time}");
        };
        let is_right = expected.iter().any(|one| one.as_str().is_some_and(|one| shown.contains(one)));
        assert!(is_right, "{place}: {as_it_came} is shown as {shown}, which is none of {expected:?}");
    }
}

#[tokio::test]
async fn every_time_of_the_vendor_is_shown_in_the_zone_of_the_computer_in_lists_and_details_alike() {
    let service = service::start().await;
    let window = Window::open_at(Desk::with(&[("TZ", "America/New_York")]), &["--lang", "en"]).await;
    window.connect_to(&service.base_url()).await;
    window.buy_three_in_japan().await;
    window.see_state("order-proxies", "ready").await;
    window.press("nav-orders").await;
    window.press("order-row").await;
    window.see(&testid("order-goods")).await;
    see_times(&window, "an order").await;
    see_ips(&window).await;
    see_times(&window, "My IPs").await;
    window.run("document.querySelector('[data-testid=ips-row] [role=cell]:nth-child(3)').click()").await;
    window.see(&testid("ip-buyer")).await;
    see_times(&window, "one IP").await;
    window.press("nav-traffic").await;
    window.press("traffic-part-records").await;
    window.see_state("records-table", "ready").await;
    see_times(&window, "the records").await;
}
