//! The code that the window loads before it can be used.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// "Entry JavaScript with its static imports at most 90 KB gzip."
const MOST: usize = 90 * 1000;

#[test]
fn the_entry_with_its_static_imports_is_light_and_every_view_is_loaded_when_opened() {
    let dist = tests::root().join("ui/dist");
    let read = |name: &str| std::fs::read(dist.join(name)).expect("the front end is built");
    let page = String::from_utf8(read("index.html")).expect("text");
    let manifest: Value = serde_json::from_slice(&read(".vite/manifest.json")).expect("JSON");
    let parts = manifest.as_object().expect("parts");
    let file = |name: &str| manifest[name]["file"].as_str().expect("a file").to_owned();
    // The page's own script, and what it cannot run without.
    let script = page.split("src=\"/").nth(1).and_then(|rest| rest.split('"').next()).expect("a script");
    let mut waiting: Vec<String> = parts.keys().filter(|name| file(name) == script).cloned().collect();
    assert_eq!(waiting.len(), 1, "{script}");
    let mut loaded = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let imports = manifest[&name]["imports"].as_array().cloned().unwrap_or_default();
        waiting.extend(imports.iter().filter_map(|import| import.as_str()).map(str::to_owned));
        loaded.insert(file(&name));
    }
    let zipped: usize = loaded
        .iter()
        .map(|file| {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&read(file)).expect("memory");
            gzip.finish().expect("memory").len()
        })
        .sum();
    assert!(zipped <= MOST, "{zipped} bytes in {loaded:?}");
    let app = super::text("ui/src/App.svelte".as_ref());
    let views: Vec<&str> = app.split("'./").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
    let views: Vec<&str> = views.into_iter().filter(|path| path.starts_with("views/")).collect();
    assert!(views.len() > 8, "{views:?}");
    for view in views {
        let name = format!("src/{view}");
        let apart = manifest[&name]["isDynamicEntry"] == true && !loaded.contains(&file(&name));
        assert!(apart, "{view} is loaded at the start");
    }
}
