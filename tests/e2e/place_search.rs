//! One search box finds every place, in four ways of typing.

use fantoccini::key::Key;
use sandbox::Fault;
use tests::service;
use tests::window::{Window, testid};

#[tokio::test]
async fn a_place_typed_in_any_way_fills_all_four_pickers() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    for typed in ["los ang", "洛杉矶", "luoshanji", "lsj"] {
        search(&window, typed, "Los Angeles").await;
        for picker in ["buy-continent", "buy-country", "buy-state", "buy-city"] {
            window.see(&format!("{}[data-value]:not([data-value=''])", testid(picker))).await;
        }
        assert_eq!(window.attribute("buy-country", "data-value").await, "US", "{typed}");
        window.fill("buy-country", "").await;
        window.see(&format!("{}[data-value='']", testid("buy-country"))).await;
    }
    search(&window, "japan", "Japan").await;
    window.see(&format!("{}[data-value='JP']", testid("buy-country"))).await;
    // The same again, pasted: no key could highlight it.
    window.fill("buy-country", "").await;
    window.see(&format!("{}[data-value='']", testid("buy-country"))).await;
    window.run("document.querySelector('[data-testid=buy-search]').focus(); document.execCommand('insertText', false, 'japan')").await;
    take_first(&window, "japan", "Japan").await;
    window.see(&format!("{}[data-value='JP']", testid("buy-country"))).await;
    // The dictionary is stored on disk: after a restart the vendor does not have to answer.
    window.kill().await;
    for endpoint in ["location/cities", "location/countries", "location/continents", "location/states"] {
        for _ in 0..9 {
            service::fault(&service, endpoint, Fault::DropBefore);
        }
    }
    window.start_again().await;
    window.press("nav-buy").await;
    search(&window, "reykjavik", "Reykjav").await;
    window.see(&format!("{}[data-value='IS']", testid("buy-country"))).await;
}

#[tokio::test]
async fn what_the_dictionary_lacks_is_found_at_the_vendor_and_fills_the_pickers_too() {
    let service = service::start().await;
    let mut window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    search(&window, "los ang", "Los Angeles").await;
    window.kill().await;
    forget(window.data_dir(), "Los Angeles");
    service::fault(&service, "location/cities", Fault::DropBefore);
    window.start_again().await;
    window.press("nav-buy").await;
    window.fill("buy-search", "los angeles").await;
    window.press("buy-search-vendor").await;
    take_first(&window, "the vendor's search", "Los Angeles").await;
    for picker in ["buy-continent", "buy-country", "buy-state", "buy-city"] {
        window.see(&format!("{}[data-value]:not([data-value=''])", testid(picker))).await;
    }
    search(&window, "los ang", "Los Angeles").await;
    window.press("buy-places-refresh").await;
    tests::until("it says how many", async || window.text("toast").await.contains("cities loaded").then_some(())).await;
}

#[tokio::test]
async fn the_place_that_is_chosen_already_is_not_chosen_again() {
    let service = service::start().await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    search(&window, "los ang", "Los Angeles").await;
    window.see(&format!("{}:not([data-value=''])", testid("buy-city"))).await;
    // Typed over rather than emptied first: an emptied field is an emptied choice.
    window.run("document.querySelector('[data-testid=buy-country]').select()").await;
    window.type_keys("buy-country", "united states").await;
    window.see(&testid("buy-country-option")).await;
    window.type_keys("buy-country", &Key::Enter.to_string()).await;
    window.see_gone(&testid("buy-country-option")).await;
    assert_ne!(window.attribute("buy-city", "data-value").await, "");
}

#[tokio::test]
async fn a_click_anywhere_in_a_list_opens_it_with_its_text_selected_and_a_group_is_found_by_its_name() {
    let window = Window::open().await;
    window.practise().await;
    window.pick("buy-country", "japan").await;
    window.press("buy-country").await;
    window.see(&testid("buy-country-option")).await;
    let selected =
        "const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd)";
    tests::until("its text is selected", async || (window.run(selected).await == "Japan").then_some(())).await;
    // Without a choice, the one before stays.
    window.keys(&Key::Enter.to_string()).await;
    window.see_gone(&testid("buy-country-option")).await;
    assert_eq!(window.attribute("buy-country", "data-value").await, "JP");
    window.press("buy-business").await;
    window.see(&testid("buy-business-option")).await;
    window.keys("social").await;
    tests::until("only its group is found", async || {
        let found = "return document.querySelectorAll('[data-testid=buy-business-option]').length";
        (window.run(found).await == 2).then_some(())
    })
    .await;
}

/// Removes the cities of this name from the stored dictionaries below a folder.
fn forget(folder: &std::path::Path, name: &str) {
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            forget(&path, name);
        } else if path.ends_with("places.json") {
            let mut places: serde_json::Value =
                serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
            places["cities"].as_array_mut().expect("cities").retain(|city| city["nameEn"] != name);
            std::fs::write(&path, places.to_string()).expect("a file");
        }
    }
}

/// Types, waits until the first suggestion is the right one, and takes it.
async fn search(window: &Window, typed: &str, first: &str) {
    window.fill("buy-search", typed).await;
    take_first(window, typed, first).await;
}

async fn take_first(window: &Window, typed: &str, first: &str) {
    tests::until(&format!("{typed} finds {first}"), async || {
        let found = window.run("return document.querySelector('[data-testid=buy-search-option]')?.textContent").await;
        found.as_str()?.contains(first).then_some(())
    })
    .await;
    window.type_keys("buy-search", &Key::Enter.to_string()).await;
    window.see_gone(&testid("buy-search-option")).await;
}
