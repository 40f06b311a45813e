//! `pictures`: every screen, dialog and state in both themes, both languages and three sizes, on one page to look at.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use xtask::{packages, run};

/// Folder of the pictures: a folder for each theme and language, with one for each size.
const FOLDER: &str = "target/pictures/screens";
/// The page with all of them.
const PAGE: &str = "target/pictures/index.html";
/// The columns of the page: the folders, as `tests/e2e/accessibility.rs` names them.
const LOOKS: [&str; 4] = ["light-en", "dark-en", "light-zh-CN", "dark-zh-CN"];

/// Plays the story of all screens with a picture of each, and writes the page.
pub(crate) fn all() -> Result<(), String> {
    packages::ensure(packages::WINDOW)?;
    crate::build(&["proxytill"])?;
    let folder = run::root().join(FOLDER);
    // Pictures of an earlier build say nothing about this one.
    let _ = fs::remove_dir_all(&folder);
    println!("taking pictures of every screen; this takes minutes");
    let words = ["test", "--workspace", "--exclude", "xtask", "--test", "e2e", "--", "--test-threads=2", "no_screen"];
    run::cargo(&words).env("PROXYTILL_PICTURES", &folder).captured()?;
    let page = run::root().join(PAGE);
    fs::write(&page, html(&folder)?).map_err(|error| format!("{PAGE}: {error}"))?;
    println!("{PAGE}");
    Ok(())
}

/// The page: a part for each size, a row for each place, a column for each look.
fn html(folder: &Path) -> Result<String, String> {
    let mut page = String::from(
        "<!doctype html><meta charset=utf-8><title>Proxytill</title><style>\
        body{font:13px system-ui;margin:16px;background:#888;color:#fff}\
        table{border-spacing:8px;width:100%}th{text-align:start}img{width:100%;display:block}td{width:25%}\
        </style>",
    );
    for size in sorted(&folder.join(LOOKS[0]))? {
        let _ = write!(page, "<h1>{size}</h1><table>");
        for place in sorted(&folder.join(LOOKS[0]).join(&size))? {
            let _ = write!(page, "<tr><th colspan=4>{}</th></tr><tr>", place.trim_end_matches(".png"));
            for look in LOOKS {
                let file = format!("{look}/{size}/{place}");
                if !folder.join(&file).exists() {
                    return Err(format!("{file} was not taken"));
                }
                let file = format!("screens/{file}");
                let _ =
                    write!(page, "<td><a href=\"{file}\"><img loading=lazy src=\"{file}\" alt=\"{look}\"></a></td>");
            }
            page += "</tr>";
        }
        page += "</table>";
    }
    Ok(page)
}

/// The names in a folder, in order.
fn sorted(folder: &Path) -> Result<Vec<String>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        read.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
    // 900x600 before 1400x900.
    names.sort_by_key(|name| (name.split(['x', ' ']).next().and_then(|first| first.parse::<u32>().ok()), name.clone()));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_every_place_in_every_size_and_look_and_names_what_is_missing() {
        let folder = std::env::temp_dir().join(format!("pictures-{}", std::process::id()));
        let touch = |size: &str, look: &str, place: &str| {
            let folder = folder.join(look).join(size);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(place), "").unwrap();
        };
        for size in ["1400x900", "900x600"] {
            for look in LOOKS {
                touch(size, look, "02 overview.png");
                touch(size, look, "01 welcome.png");
            }
        }
        let page = html(&folder).unwrap();
        assert_eq!(page.matches("<img").count(), 16);
        let order = ["<h1>900x600", "01 welcome", "02 overview", "<h1>1400x900"].map(|text| page.find(text).unwrap());
        assert!(order.is_sorted(), "{order:?}");
        fs::remove_file(folder.join("dark-en/900x600/02 overview.png")).unwrap();
        assert_eq!(html(&folder).unwrap_err(), "dark-en/900x600/02 overview.png was not taken");
        fs::remove_dir_all(&folder).unwrap();
    }
}
