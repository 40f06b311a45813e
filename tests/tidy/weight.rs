//! The code that the window loads before it can be used.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// "Entry JavaScript with its static imports at most 90 KB gzip."
const MOST: usize = 90 * 1000;

/// The parts that a part cannot run without, and itself, by their names in the manifest.
fn closure(manifest: &Value, name: &str) -> BTreeSet<String> {
    let (mut all, mut waiting) = (BTreeSet::new(), vec![name.to_owned()]);
    while let Some(name) = waiting.pop() {
        let imports = manifest[&name]["imports"].as_array().cloned().unwrap_or_default();
        if all.insert(name) {
            waiting.extend(imports.iter().filter_map(|import| import.as_str()).map(str::to_owned));
        }
    }
    all
}

#[test]
fn the_window_starts_with_one_light_file_and_every_view_is_loaded_when_opened() {
    let dist = tests::root().join("ui/dist");
    let read = |name: &str| std::fs::read(dist.join(name)).expect("the page is built: cargo xtask build");
    let page = String::from_utf8(read("index.html")).expect("text");
    let manifest: Value = serde_json::from_slice(&read(".vite/manifest.json")).expect("JSON");
    let file = |name: &str| manifest[name]["file"].as_str().expect("a file").to_owned();
    let script = page.split("src=\"/").nth(1).and_then(|rest| rest.split('"').next()).expect("a script");
    let zipped = {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&read(script)).expect("memory");
        gzip.finish().expect("memory").len()
    };
    assert!(zipped <= MOST, "{zipped} bytes");
    let parts = manifest.as_object().expect("parts");
    let start = parts.keys().find(|name| file(name) == script).expect("the script is a part");
    assert_eq!(closure(&manifest, start).len(), 1, "the web view asks for more before the first screen");
    let app = super::text("ui/src/App.svelte".as_ref());
    let views: Vec<&str> = app.split("'./").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
    let views: Vec<&str> = views.into_iter().filter(|path| path.starts_with("views/")).collect();
    assert!(views.len() > 8, "{views:?}");
    for view in views {
        let name = format!("src/{view}");
        assert!(manifest[&name]["isDynamicEntry"] == true && file(&name) != script, "{view} is loaded at the start");
    }
    let called = |name: &String| manifest[name]["name"].as_str().unwrap_or_default().to_owned();
    let first: Vec<String> = closure(&manifest, "src/views/overview/OverviewView.svelte").iter().map(called).collect();
    for part in ["Chart", "MoveDialog"] {
        assert!(parts.keys().any(|name| called(name) == part), "there is no {part}");
        assert!(!first.iter().any(|name| name == part), "the first screen waits for {part}");
    }
}

#[test]
fn no_part_of_the_page_waits_for_the_end_of_its_entry() {
    let main = super::text("ui/src/main.ts".as_ref());
    assert!(main.contains("session.start("));
    assert!(!main.contains("await "), "every part that is loaded later would wait too");
}
