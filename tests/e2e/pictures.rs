use tests::window::Window;

#[tokio::test]
async fn look() {
    let window = Window::open().await;
    let to = tests::root().join("target/look");
    window.see("[data-testid='welcome-practice']").await;
    window.picture(&to.join("welcome.png")).await;
    window.press("welcome-practice").await;
    window.see("[data-testid='buy-country']").await;
    window.picture(&to.join("buy.png")).await;
    window.pick("buy-country", "jap").await;
    window.picture(&to.join("buy-picked.png")).await;
    window.fill("buy-quantity", "3").await;
    window.pick("buy-business", "own").await;
    window.press("buy-get-price").await;
    window.see("[data-testid='pay-open']").await;
    window.picture(&to.join("price.png")).await;
    window.press("pay-open").await;
    window.see("[data-testid='pay-confirm']").await;
    window.picture(&to.join("pay.png")).await;
    window.press("pay-confirm").await;
    window.see_state("order-proxies", "ready").await;
    window.picture(&to.join("bought.png")).await;
    window.press("nav-activity").await;
    window.see("[data-testid='activity-row']").await;
    window.picture(&to.join("activity.png")).await;
    window.press("nav-settings").await;
    window.see_state("keychain-state", "available").await;
    window.picture(&to.join("settings.png")).await;
}
