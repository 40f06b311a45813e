//! "Purchase options".

use serde_json::json;
use tests::caller::Caller;

#[tokio::test]
async fn the_options_have_seven_lists_and_purposes_in_three_groups() {
    let caller = Caller::new().await;
    let said = caller.get("purchase/options").await;
    let options = said.data();
    for list in [
        "exclusivityOptions",
        "qualityOptions",
        "udpOptions",
        "bandwidthOptions",
        "connLimitOptions",
        "durationOptions",
    ] {
        let first = &options[list][0];
        assert!(first["value"] != json!(null) && first["nameZh"].is_string() && first["nameEn"].is_string(), "{list}");
    }
    for group in ["common", "hot", "all"] {
        let purpose = &options["businessOptions"][group][0]["children"][0];
        assert!(purpose["value"].is_string() && purpose["nameEn"].is_string(), "{group}: a tree of two levels");
    }
}

#[tokio::test]
async fn every_option_that_is_offered_can_be_priced() {
    let caller = Caller::new().await;
    let said = caller.get("purchase/options").await;
    let lists = [
        ("exclusivityOptions", "sellMode"),
        ("qualityOptions", "lineType"),
        ("udpOptions", "isUdp"),
        ("bandwidthOptions", "bandwidthLimit"),
        ("connLimitOptions", "connLimit"),
        ("durationOptions", "days"),
    ];
    for (list, field) in lists {
        for option in said.data()[list].as_array().expect("a list") {
            let order = caller.order_for(json!({field: option["value"]})).await;
            assert!(order["quoteId"].is_string(), "{field} {option}");
        }
    }
}

#[tokio::test]
async fn options_of_any_shape_are_read() {
    let caller = Caller::new().await;
    let client = tests::service::client(&caller.service);
    let shapes = tests::option_shapes::all();
    assert!(shapes.len() >= 30);
    for (name, data) in shapes {
        caller.service.world.answer_options_with(Some(data));
        let read = client.call(client::purchase::options()).await;
        assert!(read.is_ok(), "{name}: {read:?}");
    }
}
