//! A (?) explains a word that the vendor uses: by press, by keyboard, and while the pointer or the focus is on it.

use std::path::Path;
use std::time::Duration;

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::key::Key;
use fantoccini::{Locator, elements::Element};
use tests::desk::PICTURES;
use tests::window::{Window, testid};

const MARK: &str = "total-primary-explain";
const TEXT: &str = "total-primary-explain-text";

async fn mark(window: &Window) -> Element {
    window.driver.find(Locator::Css(&testid(MARK))).await.expect("it is there")
}

/// Moves the pointer to the middle of an element.
async fn point_at(window: &Window, element: Element) {
    let there = PointerAction::MoveToElement { element, duration: Some(Duration::ZERO), x: 0.0, y: 0.0 };
    window.driver.perform_actions(MouseActions::new("mouse".into()).then(there)).await.expect("the pointer moves");
}

#[tokio::test]
async fn a_word_is_explained_in_every_way_and_is_never_covered() {
    let window = Window::open().await;
    window.practise().await;
    window.press("nav-traffic").await;
    window.press(MARK).await;
    let text = window.text(TEXT).await;
    assert!(text.contains("two accounts"), "{text}");
    let covers = "const [text, mark] = ['-text', ''].map(end => document.querySelector(`[data-testid='total-primary-explain${end}']`).getBoundingClientRect());
        return text.top < mark.bottom && mark.top < text.bottom && text.left < mark.right && mark.left < text.right";
    assert_eq!(window.run(covers).await.as_bool(), Some(false));
    if let Some(folder) = std::env::var_os(PICTURES) {
        window.picture(&Path::new(&folder).join("explain-accounts.png")).await;
    }
    assert_eq!(window.axe().await, [""; 0]);
    window.keys(&Key::Escape.to_string()).await;
    window.see_gone(&testid(TEXT)).await;
    // The second press closes what the first one opened.
    window.press(MARK).await;
    window.see(&testid(TEXT)).await;
    window.press(MARK).await;
    window.see_gone(&testid(TEXT)).await;
    // By keyboard: the focus shows it, and leaving takes it away.
    window.run("document.querySelector('[data-testid=total-primary-explain]').blur()").await;
    let backwards = format!("{}{}{}", Key::Shift, Key::Tab, Key::Null);
    window.run("document.querySelector('[data-testid=total-secondary-explain]').focus()").await;
    window.keys(&backwards).await;
    window.see_focus(MARK).await;
    window.see(&testid(TEXT)).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see(&testid(TEXT)).await;
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid(TEXT)).await;
    window.keys(&Key::Tab.to_string()).await;
    window.see_gone(&testid(TEXT)).await;
    // A pointer that rests on it shows it, and one that leaves takes it away.
    let elsewhere = async || window.driver.find(Locator::Css(&testid("nav-traffic"))).await.expect("it is there");
    point_at(&window, elsewhere().await).await;
    point_at(&window, mark(&window).await).await;
    window.see(&testid(TEXT)).await;
    point_at(&window, elsewhere().await).await;
    window.see_gone(&testid(TEXT)).await;
}

#[tokio::test]
async fn each_word_of_the_vendor_is_explained_where_it_stands() {
    let window = Window::open().await;
    window.practise().await;
    window.press("buy-strategy-2").await;
    window.see(&testid("buy-cidr-explain")).await;
    window.press("nav-traffic").await;
    window.press("traffic-part-consumption").await;
    for word in ["total-secondary-explain", "consumption-explain"] {
        window.see(&testid(word)).await;
    }
    window.see_customers().await;
    for word in ["customers-status-explain", "customers-set-here-explain"] {
        window.see(&testid(word)).await;
    }
    window.press("customer-row").await;
    window.see(&testid("customer-status-explain")).await;
    window.press("nav-settings").await;
    window.see(&testid("keychain-explain")).await;
    window.press("connection-add").await;
    for word in ["connection-static-token-explain", "connection-agent-token-explain"] {
        window.see(&testid(word)).await;
    }
}
