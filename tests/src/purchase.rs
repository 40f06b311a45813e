//! A purchase on the practice service, as a person makes it from the first screen on.

use std::path::{Path, PathBuf};

use crate::window::{Window, testid};

/// Buys three proxies at a new desk whose keychain is in this state, with a picture of each step. Returns the order's
/// text.
pub async fn in_practice(window: &Window, pictures: &Path, theme: &str, keychain: &str) -> String {
    let step = |name: &str| -> PathBuf { pictures.join(format!("{name}.png")) };
    window.see(&testid("welcome-practice")).await;
    window.picture(&step("1-welcome")).await;
    window.press("welcome-practice").await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.see_state("keychain-state", keychain).await;
    window.picture(&step("2-settings")).await;
    window.press("nav-buy").await;
    window.pick("buy-country", "japan").await;
    window.fill("buy-quantity", "3").await;
    window.see(&format!("{}:not([data-value=''])", testid("buy-stock"))).await;
    window.picture(&step("3-buy")).await;
    window.pick("buy-business", "own shops").await;
    window.press("buy-get-price").await;
    window.see(&testid("pay-open")).await;
    window.picture(&step("4-price")).await;
    window.press("pay-open").await;
    window.see(&testid("pay-confirm")).await;
    window.picture(&step("5-pay")).await;
    window.press("pay-confirm").await;
    window.see_state("order-proxies", "ready").await;
    window.picture(&step("6-bought")).await;
    let value = async |id: &str| {
        let value = window.attribute(id, "data-value").await;
        assert!(!value.is_empty(), "{id} is empty");
        value
    };
    let bought = format!(
        "order {}: paid {} USD, ordered {}, delivered {} (proxies concealed)",
        value("order-no").await,
        value("order-paid").await,
        value("order-ordered").await,
        value("order-delivered").await,
    );
    window.press("nav-activity").await;
    window.see_state("activity-row", "applied").await;
    window.picture(&step("7-activity")).await;
    bought
}
