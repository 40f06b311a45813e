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
    let manifest = std::fs::read(dist.join(".vite/manifest.json")).expect("the front end is built");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    let mut loaded = BTreeSet::new();
    let mut waiting = vec!["index.html".to_owned()];
    while let Some(name) = waiting.pop() {
        let imports = manifest[&name]["imports"].as_array().cloned().unwrap_or_default();
        waiting.extend(imports.iter().filter_map(|import| import.as_str()).map(str::to_owned));
        assert!(manifest[&name]["file"].is_string(), "{name} is in the manifest");
        loaded.insert(name);
    }
    let zipped: usize = loaded
        .iter()
        .map(|name| {
            let file = dist.join(manifest[name]["file"].as_str().expect("a file"));
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&std::fs::read(file).expect("a file")).expect("memory");
            gzip.finish().expect("memory").len()
        })
        .sum();
    assert!(zipped <= MOST, "{zipped} bytes in {loaded:?}");
    assert!(!loaded.iter().any(|name| name.contains("views/")), "a view is loaded at the start: {loaded:?}");
}
