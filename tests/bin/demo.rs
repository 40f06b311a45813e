//! The whole purchase on the practice service, through the real window, with a picture of each step.

use std::path::{Path, PathBuf};

use tests::window::{Window, testid};

#[tokio::main]
async fn main() {
    let pictures = tests::root().join("target/demo");
    // What an earlier run left is no proof of this one.
    let _ = std::fs::remove_dir_all(&pictures);
    for (language, theme) in [("en", "light"), ("zh-CN", "dark"), ("en", "dark"), ("zh-CN", "light")] {
        buy(&pictures.join(format!("{language}-{theme}")), language, theme).await;
    }
    println!("pictures: target/demo");
}

async fn buy(folder: &Path, language: &str, theme: &str) {
    let step = |name: &str| -> PathBuf { folder.join(format!("{name}.png")) };
    let window = Window::open_with(&["--lang", language]).await;
    window.see(&testid("welcome-practice")).await;
    window.picture(&step("1-welcome")).await;
    window.press("welcome-practice").await;
    window.press("nav-settings").await;
    window.press(&format!("settings-theme-{theme}")).await;
    window.see_state("keychain-state", "available").await;
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
    println!(
        "order {}: paid {} USD, ordered {}, delivered {} (proxies concealed) - {language}, {theme}",
        value("order-no").await,
        value("order-paid").await,
        value("order-ordered").await,
        value("order-delivered").await,
    );
    window.press("nav-activity").await;
    window.see_state("activity-row", "applied").await;
    window.picture(&step("7-activity")).await;
}
