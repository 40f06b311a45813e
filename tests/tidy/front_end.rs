//! The page: what it may use, and what its tests can find.

use std::collections::{BTreeMap, BTreeSet};

use crate::{files, text, with_any};

#[test]
fn only_one_file_talks_to_the_program() {
    assert_eq!(with_any(&["ui/src"], &[".ts", ".svelte"], &["@tauri-apps"]), ["ui/src/lib/ipc.ts: @tauri-apps"]);
}

#[test]
fn no_text_of_the_vendor_can_become_markup_or_code() {
    let ways = ["{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "document.write"];
    assert_eq!(with_any(&["ui/src"], &[".ts", ".svelte", ".html"], &ways), [""; 0]);
    assert_eq!(
        with_any(&["ui/src"], &[".ts", ".svelte"], &["localStorage", "sessionStorage", "indexedDB", "fetch("]),
        [""; 0]
    );
}

/// Files of the page with these endings, with their text.
fn page(endings: &[&str]) -> Vec<(String, String)> {
    let page = files(endings).into_iter().filter(|file| file.starts_with("ui/src"));
    page.map(|file| (file.display().to_string(), text(&file))).collect()
}

/// What two views need lies in `lib`: views import each other one way, and nothing below imports a view.
#[test]
fn views_import_each_other_one_way() {
    let is_test = |name: &str| name.ends_with(".test.ts");
    let mut uses = BTreeMap::<String, BTreeSet<String>>::new();
    for (name, text) in page(&[".ts", ".svelte"]).into_iter().filter(|(name, _)| !is_test(name)) {
        let parts: Vec<_> = name.split('/').collect();
        let folders = &parts[2..parts.len() - 1];
        let imports = [" from '", "import('"].into_iter().flat_map(|begin| text.split(begin).skip(1));
        for path in imports.filter_map(|rest| rest.split('\'').next()) {
            let up = path.split('/').filter(|part| *part == "..").count();
            let down = path.split('/').filter(|part| *part != ".." && *part != ".");
            let at: Vec<_> = folders[..folders.len().saturating_sub(up)].iter().copied().chain(down).collect();
            if let (["views", to, _, ..], true) = (&at[..], path.starts_with('.')) {
                assert!(
                    folders.first().is_none_or(|own| !["lib", "components"].contains(own)),
                    "{name} imports a view"
                );
                if let ["views", from, ..] = folders {
                    uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
                }
            }
        }
    }
    for (view, others) in &mut uses {
        others.remove(view);
    }
    assert!(uses.values().any(|others| !others.is_empty()), "no import was read");
    // Takes away views that import none of those that are left, until there is none: what stays is a circle.
    while !uses.is_empty() {
        let left: BTreeSet<_> = uses.keys().cloned().collect();
        uses.retain(|_, others| others.iter().any(|other| left.contains(other)));
        assert!(uses.len() < left.len(), "views that import each other in a circle: {uses:?}");
    }
}

/// Lines of the page's styles for which `is_wrong` holds; the tokens themselves may be anything.
fn styles(is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let styles = page(&[".css", ".svelte"]).into_iter().filter(|(name, _)| name != "ui/src/tokens.css");
    let lines = styles.flat_map(|(name, text)| {
        let wrong = text.lines().map(str::trim).filter(|line| is_wrong(line));
        wrong.map(|line| format!("{name}: {line}")).collect::<Vec<_>>()
    });
    lines.collect()
}

/// A command belongs to a class of state, which has a test; a view hands `call` over and calls nothing.
#[test]
fn no_view_asks_the_program_itself() {
    let asks = |text: &str| {
        let before = |at: usize| text[..at].chars().next_back();
        let is_own = |at: usize| before(at).is_none_or(|one| !one.is_alphanumeric() && !"._".contains(one));
        text.match_indices("call(").any(|(at, _)| is_own(at))
    };
    let wrong: Vec<_> = page(&[".svelte"]).into_iter().filter(|(_, text)| asks(text)).map(|(name, _)| name).collect();
    assert_eq!(wrong, [""; 0]);
}

/// `x.svelte.ts` has its `x.test.ts` beside it.
#[test]
fn every_class_of_state_has_its_test() {
    let all: Vec<_> = page(&[".ts"]).into_iter().map(|(name, _)| name).collect();
    let states = all.iter().filter_map(|name| name.strip_suffix(".svelte.ts"));
    let tested = |name: &str| [".test.ts", ".svelte.test.ts"].iter().any(|end| all.contains(&format!("{name}{end}")));
    let untested: Vec<_> = states.filter(|name| !tested(name)).collect();
    assert_eq!(untested, [""; 0]);
}

/// A language that is read from right to left turns the whole window around.
#[test]
fn styles_know_no_left_and_no_right() {
    let sides = ["left", "right"];
    let wrong = styles(|line| {
        sides.iter().any(|side| {
            let edges = ["margin", "padding", "border", "scroll-margin", "scroll-padding"];
            line.starts_with(&format!("{side}:"))
                || edges.iter().any(|edge| line.starts_with(&format!("{edge}-{side}")))
                || ["text-align", "float", "clear"].iter().any(|name| line.starts_with(&format!("{name}: {side}")))
                || ["top", "bottom"].iter().any(|end| line.starts_with(&format!("border-{end}-{side}")))
                || line.contains(&format!("style:{side}"))
        })
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn sizes_of_type_spaces_and_layers_come_from_the_tokens() {
    let is_bare = |line: &str, name: &str| {
        line.strip_prefix(name).is_some_and(|value| value.trim_start().starts_with(|one: char| one.is_ascii_digit()))
    };
    let tokens = text(std::path::Path::new("ui/src/tokens.css"));
    let spaces: Vec<_> = tokens.split("--space-").skip(1).filter_map(|rest| rest.split(':').next()).collect();
    assert!(!spaces.is_empty(), "there are no spaces among the tokens");
    let is_space = |line: &str| {
        let names = ["gap:", "row-gap:", "column-gap:", "padding", "margin"];
        let words = |line: &str| line.split([' ', ';', '(', ')', '-']).map(str::to_owned).collect::<Vec<_>>();
        names.iter().any(|name| line.starts_with(name))
            && words(line).iter().any(|word| spaces.iter().any(|space| *word == format!("{space}px")))
    };
    let wrong = styles(|line| is_bare(line, "font-size:") || is_bare(line, "z-index:") || is_space(line));
    assert_eq!(wrong, [""; 0]);
}

/// A declaration that uses a property that nothing defines is dropped without a word.
#[test]
fn every_custom_property_that_is_used_is_defined() {
    let name =
        |rest: &str| rest.split(|one: char| !one.is_ascii_alphanumeric() && one != '-').next().map(str::to_owned);
    let (mut defined, mut used) = (BTreeSet::new(), BTreeMap::new());
    for (file, text) in page(&[".css", ".svelte"]) {
        // Those with a default may be undefined.
        let uses = text
            .split("var(")
            .skip(1)
            .filter_map(|rest| name(rest).filter(|name| !rest[name.len()..].starts_with(',')));
        used.extend(uses.map(|name| (name, file.clone())));
        let lines = text.lines().map(|line| line.trim_start()).filter(|line| line.starts_with("--"));
        defined.extend(lines.filter_map(name));
        defined.extend(text.split("style:").skip(1).filter_map(name));
    }
    // Those of the library of controls.
    used.retain(|name, _| !defined.contains(name) && !name.starts_with("--bits-"));
    assert_eq!(used, BTreeMap::new());
}
