//! "Location records" and the four location endpoints.

use serde_json::{Value, json};
use tests::caller::{Caller, send};

fn names(rows: &Value) -> Vec<&str> {
    rows.as_array().expect("a list").iter().filter_map(|row| row["nameEn"].as_str()).collect()
}

fn has_fields(row: &Value, fields: &[&str]) {
    let found: Vec<&String> = row.as_object().expect("an object").keys().collect();
    assert_eq!(found, fields, "{row}");
    for field in fields {
        assert!(row[field].is_string(), "{field} is a string, ids too: {row}");
    }
}

#[tokio::test]
async fn each_level_has_the_fields_of_the_contract_and_ids_as_strings() {
    let caller = Caller::new().await;
    has_fields(&caller.get("location/continents").await.data()[0], &["continentId", "nameZh", "nameEn"]);
    has_fields(
        &caller.post("location/countries", json!({})).await.data()[0],
        &["countryId", "continentId", "countryCode", "nameZh", "nameEn", "continentName"],
    );
    has_fields(
        &caller.post("location/states", json!({})).await.data()[0],
        &["stateId", "countryId", "countryCode", "nameZh", "nameEn", "countryName"],
    );
    has_fields(
        &caller.post("location/cities", json!({})).await.data()[0],
        &[
            "cityId",
            "countryId",
            "stateId",
            "countryCode",
            "nameZh",
            "nameEn",
            "countryName",
            "stateName",
            "stateNameEn",
        ],
    );
}

#[tokio::test]
async fn a_body_may_be_left_out_or_empty() {
    let caller = Caller::new().await;
    for path in ["location/countries", "location/states", "location/cities"] {
        let all = caller.post(path, json!({})).await;
        let left_out = send(caller.to_static(reqwest::Method::POST, path)).await;
        assert!(!names(all.data()).is_empty(), "{path}");
        assert_eq!(all.data(), left_out.data(), "{path}");
    }
}

#[tokio::test]
async fn countries_are_filtered_by_continent_and_by_either_name() {
    let caller = Caller::new().await;
    let countries = async |query: Value| caller.post("location/countries", query).await.body["data"].clone();
    let europe = caller.get("location/continents").await;
    let europe = europe.data().as_array().expect("a list").iter().find(|one| one["nameEn"] == "Europe").cloned();
    let europe = europe.expect("Europe exists")["continentId"].clone();
    let found = countries(json!({"continentId": europe})).await;
    assert!(names(&found).contains(&"Germany") && !names(&found).contains(&"Japan"), "{found}");
    for keyword in ["japan", "日本"] {
        assert_eq!(names(&countries(json!({"keyword": keyword})).await), ["Japan"], "{keyword}");
    }
    assert_eq!(countries(json!({"continentId": europe, "keyword": "日本"})).await, json!([]));
}

#[tokio::test]
async fn states_are_filtered_by_country_id_or_code_and_by_name() {
    let caller = Caller::new().await;
    let states = async |query: Value| caller.post("location/states", query).await.body["data"].clone();
    let by_code = states(json!({"countryCode": "US"})).await;
    assert!(names(&by_code).contains(&"California"));
    assert_eq!(states(json!({"countryId": by_code[0]["countryId"]})).await, by_code);
    assert_eq!(names(&states(json!({"countryCode": "US", "keyword": "califor"})).await), ["California"]);
    assert_eq!(states(json!({"countryCode": "NL"})).await, json!([]), "a country without states");
}

#[tokio::test]
async fn cities_are_filtered_by_state_country_and_name_and_searched_everywhere_by_keyword_alone() {
    let caller = Caller::new().await;
    let cities = async |query: Value| caller.post("location/cities", query).await.body["data"].clone();
    let all = cities(json!({})).await;
    assert!(all.as_array().expect("a list").len() > 1000);
    let dutch = cities(json!({"countryCode": "NL"})).await;
    assert!(names(&dutch).contains(&"Amsterdam"));
    assert_eq!(dutch[0]["stateId"], "", "empty when the country has no states");
    let found = cities(json!({"countryCode": "US", "keyword": "san francisco"})).await;
    let of_state = cities(json!({"stateId": found[0]["stateId"]})).await;
    assert!(names(&of_state).contains(&"Los Angeles") && !names(&of_state).contains(&"New York City"));
    let of_country = cities(json!({"countryId": found[0]["countryId"], "keyword": "los angeles"})).await;
    assert_eq!(names(&of_country), ["Los Angeles"]);
}

#[tokio::test]
async fn ids_of_both_sizes_occur() {
    let caller = Caller::new().await;
    let said = caller.post("location/cities", json!({})).await;
    let lengths: Vec<usize> =
        said.data().as_array().expect("a list").iter().map(|row| row["cityId"].as_str().expect("text").len()).collect();
    assert!(
        lengths.iter().any(|length| *length < 10) && lengths.iter().any(|length| *length > 16),
        "small and past 2^53"
    );
}
