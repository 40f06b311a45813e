//! The menu of practice: wallet, clock and a fresh start.

use tests::window::Window;

#[tokio::test]
async fn the_practice_wallet_is_set_spent_and_given_back() {
    let window = Window::open().await;
    window.practise().await;
    window.press("practice-menu").await;
    window.fill("practice-wallet", "-5").await;
    window.see(&tests::window::testid("practice-wallet-error")).await;
    window.fill("practice-wallet", "5").await;
    window.press("practice-wallet-set").await;
    window.press("practice-speed-10").await;
    window.see("[data-testid='practice-speed-10'][aria-checked='true']").await;
    window.press("practice-speed-1").await;
    window.press("practice-close").await;
    window.choose_three_in_japan().await;
    window.get_price().await;
    window.pay().await;
    window.see_state("order-result", "rejected").await;
    window.press("practice-menu").await;
    window.press("practice-reset").await;
    tests::until("the wallet is full again", async || {
        window
            .run("return document.querySelector('label[for=practice-wallet]').textContent")
            .await
            .as_str()?
            .contains("1,000")
            .then_some(())
    })
    .await;
    window.press("practice-close").await;
    window.press("buy-get-price").await;
    window.pay().await;
    window.see_state("order-result", "applied").await;
}
