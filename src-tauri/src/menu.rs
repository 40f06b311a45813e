//! The menu bar of macOS, in the language of the program. Other systems have none: there the keys of the page are
//! enough. A key that is pressed reaches the page first, which runs it; the menu then hears nothing of it. An item that
//! is clicked sends its id to the page, which runs the same key.

#[cfg(target_os = "macos")]
pub(crate) use bar::{chosen, show};

/// An item of a menu.
#[derive(Clone, Copy)]
pub(crate) enum Item {
    /// A key of the page (`ui/src/lib/keys.ts`): its id, and the accelerator that the menu shows.
    Key(&'static str, &'static str),
    /// Something that the system does. It has its own key.
    System(Does),
    /// Closes the window as its button does. The system's own item would end the program at once, with work under way
    /// and a copied secret still in the clipboard.
    Quit,
    /// A line between two groups.
    Line,
}

/// What the system does.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    About,
    Services,
    Hide,
    HideOthers,
    ShowAll,
    CloseWindow,
    Undo,
    Redo,
    Cut,
    Copy,
    Paste,
    SelectAll,
    FullScreen,
    Minimize,
    Zoom,
    AllToFront,
}

use Does::*;
use Item::{Key, Line, Quit, System};

/// The id of the item that ends the program.
const QUIT: &str = "quit";

/// A menu: the name of its words, and its items.
pub(crate) type Menu = (&'static str, &'static [Item]);

/// The menu bar, from its beginning.
pub(crate) const MENUS: [Menu; 7] = [
    (
        "app",
        &[
            System(About),
            Line,
            Key("settings", "Cmd+,"),
            Line,
            System(Services),
            Line,
            System(Hide),
            System(HideOthers),
            System(ShowAll),
            Line,
            Quit,
        ],
    ),
    ("file", &[Key("new", "Cmd+N"), Line, System(CloseWindow)]),
    (
        "edit",
        &[
            System(Undo),
            System(Redo),
            Line,
            System(Cut),
            System(Copy),
            System(Paste),
            System(SelectAll),
            Line,
            Key("search", "Cmd+F"),
        ],
    ),
    (
        "view",
        &[
            Key("refresh", "Cmd+R"),
            Line,
            Key("larger", "Cmd+="),
            Key("smaller", "Cmd+-"),
            Key("normal", "Cmd+0"),
            Line,
            System(FullScreen),
        ],
    ),
    ("go", &[Key("back", "Cmd+["), Key("forward", "Cmd+]"), Line, Key("palette", "Cmd+K")]),
    ("window", &[System(Minimize), System(Zoom), Line, System(AllToFront)]),
    ("help", &[Key("keys", "Cmd+Shift+/")]),
];

impl Item {
    /// The key of the item's words; `None` for a line.
    pub(crate) fn word(self) -> Option<String> {
        let name = match self {
            Line => return None,
            Key(id, _) => id,
            System(does) => does.name(),
            Quit => QUIT,
        };
        Some(format!("menu-{name}"))
    }
}

impl Does {
    fn name(self) -> &'static str {
        match self {
            About => "about",
            Services => "services",
            Hide => "hide",
            HideOthers => "hide-others",
            ShowAll => "show-all",
            CloseWindow => "close-window",
            Undo => "undo",
            Redo => "redo",
            Cut => "cut",
            Copy => "copy",
            Paste => "paste",
            SelectAll => "select-all",
            FullScreen => "full-screen",
            Minimize => "minimize",
            Zoom => "zoom",
            AllToFront => "all-to-front",
        }
    }
}

/// The bar itself.
#[cfg(target_os = "macos")]
mod bar {
    use tauri::menu::{
        AboutMetadata, HELP_SUBMENU_ID, IsMenuItem, Menu, MenuEvent, MenuItem, PredefinedMenuItem, Submenu,
        WINDOW_SUBMENU_ID,
    };
    use tauri::{AppHandle, Emitter, Wry};
    use till::{Event, Words};

    use super::{Does, Item, MENUS, QUIT};

    /// Shows the bar in this language, in place of the one before.
    pub(crate) fn show(handle: &AppHandle, words: &Words) {
        if let Err(error) = made(handle, words).and_then(|bar| handle.set_menu(bar)) {
            tracing::warn!(%error, "the menu bar is not in the language of the program");
        }
    }

    /// Does what the clicked item says: closes the window, or tells the page.
    pub(crate) fn chosen(handle: &AppHandle, event: MenuEvent) {
        if event.id == QUIT {
            return crate::closing::ask(handle);
        }
        let (name, payload) = Event::MenuChosen(event.id.0).parts();
        let _ = handle.emit(&name, payload);
    }

    fn made(handle: &AppHandle, words: &Words) -> tauri::Result<Menu<Wry>> {
        let bar = Menu::new(handle)?;
        for (name, items) in MENUS {
            // The system adds its own items to the menus of these two ids: the open windows, a search in the menus.
            let id = match name {
                "window" => WINDOW_SUBMENU_ID,
                "help" => HELP_SUBMENU_ID,
                other => other,
            };
            let menu = Submenu::with_id(handle, id, words.get(&format!("menu-{name}")), true)?;
            for item in items {
                menu.append(&*one(handle, *item, words)?)?;
            }
            bar.append(&menu)?;
        }
        Ok(bar)
    }

    fn one(handle: &AppHandle, item: Item, words: &Words) -> tauri::Result<Box<dyn IsMenuItem<Wry>>> {
        let word = item.word().map(|word| words.get(&word)).unwrap_or_default();
        Ok(match item {
            Item::Line => Box::new(PredefinedMenuItem::separator(handle)?),
            Item::Key(id, key) => Box::new(MenuItem::with_id(handle, id, word, true, Some(key))?),
            Item::Quit => Box::new(MenuItem::with_id(handle, QUIT, word, true, Some("Cmd+Q"))?),
            Item::System(does) => Box::new(by_system(handle, does, &word)?),
        })
    }

    fn by_system(handle: &AppHandle, does: Does, word: &str) -> tauri::Result<PredefinedMenuItem<Wry>> {
        let text = Some(word);
        match does {
            Does::About => PredefinedMenuItem::about(handle, text, Some(about(handle))),
            Does::Services => PredefinedMenuItem::services(handle, text),
            Does::Hide => PredefinedMenuItem::hide(handle, text),
            Does::HideOthers => PredefinedMenuItem::hide_others(handle, text),
            Does::ShowAll => PredefinedMenuItem::show_all(handle, text),
            Does::CloseWindow => PredefinedMenuItem::close_window(handle, text),
            Does::Undo => PredefinedMenuItem::undo(handle, text),
            Does::Redo => PredefinedMenuItem::redo(handle, text),
            Does::Cut => PredefinedMenuItem::cut(handle, text),
            Does::Copy => PredefinedMenuItem::copy(handle, text),
            Does::Paste => PredefinedMenuItem::paste(handle, text),
            Does::SelectAll => PredefinedMenuItem::select_all(handle, text),
            Does::FullScreen => PredefinedMenuItem::fullscreen(handle, text),
            Does::Minimize => PredefinedMenuItem::minimize(handle, text),
            Does::Zoom => PredefinedMenuItem::maximize(handle, text),
            Does::AllToFront => PredefinedMenuItem::bring_all_to_front(handle, text),
        }
    }

    fn about(handle: &AppHandle) -> AboutMetadata<'static> {
        let program = handle.package_info();
        AboutMetadata {
            name: Some(program.name.clone()),
            version: Some(program.version.to_string()),
            ..AboutMetadata::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use till::Words;

    use super::*;

    /// The names of all words that the bar shows.
    fn shown() -> Vec<String> {
        let of = |(name, items): &Menu| {
            let own = format!("menu-{name}");
            [own].into_iter().chain(items.iter().filter_map(|item| item.word())).collect::<Vec<_>>()
        };
        MENUS.iter().flat_map(of).collect()
    }

    #[test]
    fn the_menu_bar_has_a_word_for_everything_in_both_languages_and_no_other_words() {
        let shown = shown();
        let distinct: BTreeSet<&str> = shown.iter().map(String::as_str).collect();
        assert_eq!(distinct.len(), shown.len(), "two items share their words");
        let [english, chinese] = ["en", "zh-CN"].map(Words::of);
        for words in [&english, &chinese] {
            let known: BTreeSet<&str> = words.keys().filter(|key| key.starts_with("menu-")).collect();
            assert_eq!(known, distinct);
        }
        let same: Vec<_> = shown.iter().filter(|word| english.get(word) == chinese.get(word)).collect();
        assert_eq!(same, ["menu-app"], "only the program's name is the same in both");
    }

    #[test]
    fn every_menu_begins_and_ends_with_an_item_and_no_key_is_in_it_twice() {
        let mut keys = BTreeSet::new();
        for (name, items) in MENUS {
            assert!(items.first().is_some_and(|item| item.word().is_some()), "{name}");
            assert!(items.last().is_some_and(|item| item.word().is_some()), "{name}");
            for item in items {
                if let Key(_, key) = item {
                    assert!(key.starts_with("Cmd+") && keys.insert(key), "{key}");
                }
            }
        }
    }
}
