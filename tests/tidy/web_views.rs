//! The built page runs in the oldest web view that the program meets: Safari 16, which macOS 13 came with.

use std::path::Path;

/// Words that newer web views alone understand, with the version of Safari that brought each. Where a library asks for
/// one before it uses it, or does without it, the word is not listed.
const NEWER: [(&str, &[&str]); 2] = [
    (
        "css",
        &[
            "light-dark(",         // 17.5
            "@starting-style",     // 17.5
            "text-wrap:balance",   // 17.5
            "@property",           // 16.4
            "@scope",              // 17.4
            "position-anchor",     // 26
            "anchor-name",         // 26
            "view-transition",     // 18
            "interpolate-size",    // none
            "field-sizing",        // 26.2
            ":popover-open",       // 17
            ":user-invalid",       // 16.5
            "content-visibility:", // 18
            "(from ",              // 16.4: relative colours
            "linear(0",            // 17.2
        ],
    ),
    (
        "js",
        &[
            "(?<=",                   // 16.4
            "(?<!",                   // 16.4
            "static{",                // 16.4
            "Object.groupBy(",        // 17.4
            "Map.groupBy(",           // 17.4
            "Promise.withResolvers(", // 17.4
            "Promise.try(",           // 18.2
            "Array.fromAsync(",       // 16.4
            "AbortSignal.any(",       // 17.4
            "URL.canParse(",          // 17
            "Iterator.from(",         // 18.4
            ".isSubsetOf(",           // 17
            ".symmetricDifference(",  // 17
            ".isWellFormed(",         // 16.4
            "startViewTransition(",   // 18
            "requestIdleCallback(",   // none
            "Intl.DurationFormat(",   // 16.4
            "RegExp.escape(",         // 18.2
            "Temporal.",              // none
        ],
    ),
];

/// Files of the built page with this extension, with their text.
fn built(extension: &str) -> Vec<(String, String)> {
    let folder = tests::root().join("ui/dist/assets");
    let entries = std::fs::read_dir(&folder).expect("the page is built: cargo xtask build");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text");
    let of_kind = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    of_kind.map(|path| (path.display().to_string(), read(&path))).collect()
}

#[test]
fn the_built_page_uses_nothing_that_the_web_view_of_macos_13_lacks() {
    for (extension, words) in NEWER {
        let files = built(extension);
        assert!(files.len() > 10, "only {} files end with .{extension}", files.len());
        for (name, text) in files {
            let found: Vec<_> = words.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "{name} uses {found:?}");
        }
    }
}

/// Otherwise the test above would hold for a page that never used these colours.
#[test]
fn colours_for_light_and_dark_are_written_once_and_lowered_by_the_build() {
    let source = crate::text("ui/src/tokens.css".as_ref());
    assert!(source.contains("light-dark(oklch("));
    let lowered = built("css").iter().any(|(_, text)| text.contains("--lightningcss-light"));
    assert!(lowered, "no file has the colours of both appearances");
}
