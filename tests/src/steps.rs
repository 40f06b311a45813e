//! Steps that many stories share.

use fantoccini::key::Key;
use sandbox::{Credentials, Service};

use crate::service;
use crate::window::{Window, testid};

/// Starts a service, and a window that shows its customers.
pub async fn at_customers() -> (Service, Window) {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.see_customers().await;
    (service, window)
}

impl Window {
    /// Goes from Welcome to practice.
    pub async fn practise(&self) {
        self.press("welcome-practice").await;
        self.see(&testid("buy-country")).await;
    }

    /// Fills the connection form for a practice service at this address.
    pub async fn describe_connection(&self, base_url: &str) {
        let who = Credentials::well_known();
        for (field, text) in [
            ("connection-name", "My account"),
            ("connection-base-url", base_url),
            ("connection-user-id", &who.user_id),
            ("connection-static-token", &who.static_token),
            ("connection-agent-token", &who.agent_token),
        ] {
            self.fill(field, text).await;
        }
    }

    /// Goes from Welcome to a saved connection and Buy.
    pub async fn connect_to(&self, base_url: &str) {
        self.press("welcome-connect").await;
        self.describe_connection(base_url).await;
        self.press("connection-save").await;
        self.press("nav-buy").await;
        self.see(&testid("buy-country")).await;
    }

    /// Chooses three IPs in Japan for 30 days: 8.55 USD.
    pub async fn choose_three_in_japan(&self) {
        self.pick("buy-country", "japan").await;
        self.fill("buy-quantity", "3").await;
        self.pick("buy-business", "own shops").await;
    }

    /// Chooses and buys three IPs in Japan: 8.55 USD.
    pub async fn buy_three_in_japan(&self) {
        self.choose_three_in_japan().await;
        self.get_price().await;
        self.pay().await;
        self.see_state("order-result", "applied").await;
    }

    /// Asks for the price of the selection.
    pub async fn get_price(&self) {
        self.press("buy-get-price").await;
        self.see(&testid("price-amount")).await;
    }

    /// Opens the dialog and pays.
    pub async fn pay(&self) {
        self.press("pay-open").await;
        self.press("pay-confirm").await;
    }
}

impl Window {
    /// Goes to the customers, and waits until they are read.
    pub async fn see_customers(&self) {
        self.press("nav-customers").await;
        self.see_state("customers-table", "ready").await;
    }

    /// Finds a customer by number, opens its dialog (`customer-recharge`, `customer-deduct`) and types an amount in GB.
    pub async fn begin_move(&self, customer: &str, act: &str, gb: &str) {
        self.fill("customers-search", customer).await;
        self.see(&format!("{}[data-key='{customer}']", testid("customer-row"))).await;
        self.press(act).await;
        self.fill("amount-gb", gb).await;
    }

    /// Opens the palette, types a phrase and runs the entry that is chosen for it.
    pub async fn say(&self, phrase: &str, entry: &str) {
        self.keys(&format!("{}k{}", Key::Control, Key::Null)).await;
        self.see_focus("palette").await;
        self.fill("palette", phrase).await;
        self.see(&format!("{}[data-value='{entry}'][data-selected]", testid("palette-option"))).await;
        self.type_keys("palette", &Key::Enter.to_string()).await;
        self.see_gone(&testid("palette")).await;
    }

    /// Waits until the whole report is read, in Traffic, however long that takes while rows arrive.
    pub async fn see_usage_read(&self) {
        let rows = async || self.attribute("usage-rows", "data-value").await.parse::<i64>().unwrap_or_default();
        let mut before = -1;
        while before != rows().await {
            before = rows().await;
            crate::within(async || (rows().await > before).then_some(())).await;
        }
        self.see_gone(&testid("usage-progress")).await;
    }

    /// Opens the newest operation in Activity by its time: its name leads to the customer.
    pub async fn open_operation(&self) {
        let first = "const cell = document.querySelector('[data-testid=activity-row] [role=cell]'); cell?.click(); return !!cell";
        crate::until("the newest operation opens", async || (self.run(first).await == true).then_some(())).await;
    }

    /// Waits until the newest operation has a card in this state.
    pub async fn see_operation(&self, state: &str) {
        self.press("nav-activity").await;
        self.see(&format!("{}[data-state='{state}']", testid("activity-row"))).await;
    }
}
