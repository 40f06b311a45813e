//! The clicks and keys that the tasks of a working day take from the overview, counted while they are done. A chord is
//! one key; words and amounts are not counted.

use fantoccini::key::Key;
use sandbox::{Fault, Options, Service};
use tests::order::ENDPOINT;
use tests::service;
use tests::window::{Window, testid};

/// The hand of an agent, which counts.
struct Hand<'a> {
    window: &'a Window,
    clicks: u32,
    keys: u32,
}

impl Hand<'_> {
    async fn click(&mut self, id: &str) {
        self.window.press(id).await;
        self.clicks += 1;
    }

    async fn enter(&mut self) {
        self.window.keys(&Key::Enter.to_string()).await;
        self.keys += 1;
    }

    /// Clicks a field and types into it.
    async fn words(&mut self, id: &str, words: &str) {
        self.window.fill(id, words).await;
        self.clicks += 1;
    }

    /// Types into a field that has the focus by itself.
    async fn types(&mut self, id: &str, words: &str) {
        self.window.see_focus(id).await;
        self.window.fill(id, words).await;
    }

    /// Takes what a picker suggests first.
    async fn takes_first(&mut self, id: &str) {
        let option = testid(&format!("{id}-option"));
        self.window.see(&option).await;
        self.enter().await;
        self.window.see_gone(&option).await;
    }

    /// Runs a phrase in the palette: one chord opens it, Enter runs it.
    async fn say(&mut self, phrase: &str, entry: &str) {
        self.window.say(phrase, entry).await;
        self.keys += 2;
    }

    /// Ends a task that may take this many clicks and keys, and goes back to the overview.
    async fn ends(&mut self, task: &str, clicks: u32, keys: u32) {
        println!("{task:<32} {} clicks, {} keys", self.clicks, self.keys);
        assert!(self.clicks <= clicks && self.keys <= keys, "{task}: {} clicks, {} keys", self.clicks, self.keys);
        (self.clicks, self.keys) = (0, 0);
        self.window.press("nav-overview").await;
        self.window.see_state("overview-chart", "ready").await;
    }
}

/// At the overview of an agent with 200 customers.
async fn at_overview() -> (Service, Window) {
    let service = service::start_with(Options { customers: 200, ..Options::default() }).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-overview").await;
    window.see_state("overview-chart", "ready").await;
    (service, window)
}

#[tokio::test]
async fn buying_finding_and_handing_over_take_no_more_clicks_and_keys_than_counted() {
    let (service, window) = at_overview().await;
    let mut hand = Hand { window: &window, clicks: 0, keys: 0 };
    hand.click("nav-buy").await;
    hand.words("buy-country", "japan").await;
    hand.takes_first("buy-country").await;
    hand.words("buy-quantity", "3").await;
    hand.words("buy-business", "own shops").await;
    hand.takes_first("buy-business").await;
    hand.click("buy-get-price").await;
    hand.click("pay-open").await;
    hand.click("pay-confirm").await;
    window.see_state("order-result", "applied").await;
    hand.ends("a first order", 7, 2).await;

    hand.click("overview-again").await;
    window.see_focus("pay-open").await;
    hand.click("pay-open").await;
    hand.click("pay-confirm").await;
    window.see_state("order-result", "applied").await;
    hand.ends("the same again", 3, 0).await;

    let number = service.world.ledger().expect("a ledger").orders[0].order_no.clone();
    hand.say(&number, &format!("order-{number}")).await;
    window.see_state("order-proxies", "ready").await;
    assert_eq!((hand.clicks, hand.keys), (0, 2), "an order is found");
    (hand.clicks, hand.keys) = (0, 0);
    hand.click("order-hand-over").await;
    hand.types("hand-buyer", "ali from the chat").await;
    hand.takes_first("hand-buyer").await;
    hand.click("hand-copy").await;
    window.see(&format!("{}[data-value='copied']", testid("hand-sent"))).await;
    hand.click("hand-close").await;
    hand.ends("handing over", 3, 1).await;

    service::always(&service, ENDPOINT, Fault::DropBefore);
    window.press("overview-again").await;
    window.press("pay-open").await;
    window.press("pay-confirm").await;
    window.see_state("order-result", "unknown").await;
    window.press("nav-overview").await;
    hand.click("unconfirmed-badge").await;
    hand.click("operation-mark-not-done").await;
    hand.click("judge-confirm").await;
    window.see_state("activity-row", "resolved-not").await;
    hand.ends("answering what is not confirmed", 3, 0).await;
}

#[tokio::test]
async fn work_on_customers_takes_no_more_clicks_and_keys_than_counted() {
    let (service, window) = at_overview().await;
    let mut hand = Hand { window: &window, clicks: 0, keys: 0 };
    let all = client::customers::all(&service::client(&service), None).await.expect("a list");
    let [.., other, last] = &all[..] else { panic!("two customers") };
    let short = |one: &wire::customers::Customer| one.user_name.split('@').next().expect("a name").to_owned();
    let moves = || service.world.ledger().expect("a ledger").moves.len();
    let phrases = [
        (last, "recharge", format!("add 1 to {}", short(last))),
        (other, "deduction", format!("从 {} 扣 512mb", short(other))),
    ];
    for (done, (one, way, phrase)) in phrases.into_iter().enumerate() {
        hand.say(&phrase, &format!("said-{way}-{}", one.customer_id)).await;
        window.see_focus_on(&format!("{}[data-seen='true']", testid("amount-confirm"))).await;
        hand.enter().await;
        tests::until("it is sent", async || (moves() == done + 1).then_some(())).await;
        window.see_gone(&testid("amount-confirm")).await;
        hand.ends(way, 0, 3).await;
    }

    let lines: Vec<String> = all.iter().map(|one| format!("{} 0.1g", one.user_name)).collect();
    hand.click("nav-customers").await;
    hand.click("bulk-paste").await;
    hand.words("bulk-text", &lines.join("\n")).await;
    hand.click("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    hand.click("bulk-start").await;
    window.see(&format!("{}[data-value='{}']", testid("bulk-result"), lines.len())).await;
    assert_eq!(lines.len(), 200);
    hand.ends("200 topped up", 5, 0).await;

    window.see_state("overview-runs-out", "ready").await;
    hand.click("runs-out-until").await;
    tests::until("a day is suggested", async || (window.value("bulk-until").await.len() == 10).then_some(())).await;
    hand.click("bulk-preview").await;
    window.see(&testid("bulk-total")).await;
    hand.click("bulk-start").await;
    window.see(&testid("bulk-result")).await;
    hand.ends("those who run out, topped up", 3, 0).await;

    hand.click("nav-customers").await;
    hand.click("customer-create").await;
    hand.types("create-username", "new.one@x.com").await;
    hand.enter().await;
    window.see_state("created-token", "concealed").await;
    hand.click("created-done").await;
    hand.ends("a customer created", 3, 1).await;

    hand.say(&short(last), &format!("customer-{}", last.customer_id)).await;
    hand.click("customer-password").await;
    hand.click("password-generate").await;
    hand.click("password-confirm").await;
    window.see_gone(&testid("password-confirm")).await;
    hand.ends("a password reset", 3, 2).await;

    hand.click("chart-as-table").await;
    window.see(&testid("chart-row")).await;
    hand.ends("a chart read", 1, 0).await;
}
