//! A person walks through the pages of the installer with the keyboard.

use std::path::Path;

use super::{COPY, HOME, Tried, code};
use crate::wine::{LANGUAGES, is_running, until};

impl Tried {
    /// Walks through the pages with the keyboard. A person has to look at the pictures.
    pub(super) fn asks_a_person_in_both_languages(&self) -> Result<String, String> {
        let folder = self.at.join("pictures");
        let home = self.wine.c(&self.of(HOME));
        for language in LANGUAGES {
            let walk = Walk { tried: self, language, folder: &folder };
            walk.plays("newer", &[("welcome", &["Escape"]), ("cancel", &["Return"])], &[], code::CANCELLED)?;
            let failing = [("STUB_WEBVIEW2", "7")];
            walk.plays("older", &TO_WEBVIEW2, &failing, code::WEBVIEW2_FAILED)?;
            walk.sees_webview2_hang()?;
            walk.plays("older", &TO_THE_END, &[], code::DONE)?;
            let running = self.start_program()?;
            walk.plays("newer", &TO_RUNNING, &[], code::RUNNING)?;
            self.end_program(running)?;
            self.ends("newer", &["/S"], &[], code::DONE)?;
            walk.plays("older", &[("newer", &["Return"])], &[], code::NEWER)?;
            walk.uninstalls(&home)?;
        }
        Ok("asked in English and Chinese (pictures)".into())
    }
}

/// Pages by their pictures, each with the keys that leave it.
type Pages<'a> = [(&'a str, &'a [&'a str])];

const TO_WEBVIEW2: [(&str, &[&str]); 3] =
    [("1-welcome", &["Return"]), ("2-folder", &["Return"]), ("3-webview2", &["Escape"])];
const TO_THE_END: [(&str, &[&str]); 3] = [("1", &["Return"]), ("2", &["Return"]), ("4-finish", &["Return"])];
const TO_RUNNING: [(&str, &[&str]); 3] = [("1", &["Return"]), ("2", &["Return"]), ("5-running", &["Escape"])];

struct Walk<'a> {
    tried: &'a Tried,
    language: &'a str,
    folder: &'a Path,
}

impl Walk<'_> {
    fn plays(&self, name: &str, pages: &Pages, more: &[(&str, &str)], code: i32) -> Result<(), String> {
        let setup = self.tried.setup(name).display().to_string();
        let empty = self.tried.wine.picture(&[], &self.folder.join("empty.png"))?;
        let started = self.tried.wine.start(&[&setup], self.language, more)?;
        self.walks(empty, pages)?;
        let ended = started.code()?;
        if ended == code { Ok(()) } else { Err(format!("{name} in {}: {ended}, not {code}", self.language)) }
    }

    fn walks(&self, mut before: Vec<u8>, pages: &Pages) -> Result<(), String> {
        for (page, keys) in pages {
            let picture = self.folder.join(format!("{}-{page}.png", self.language));
            before = self.tried.wine.picture(&before, &picture)?;
            self.tried.wine.keys(&[&["key"], *keys].concat())?;
        }
        Ok(())
    }

    /// Microsoft's installer never ends: ours ends it and asks.
    fn sees_webview2_hang(&self) -> Result<(), String> {
        let setup = self.tried.setup("older").display().to_string();
        let runs = self.tried.told("webview2").lines().count();
        let empty = self.tried.wine.picture(&[], &self.folder.join("empty.png"))?;
        let started = self.tried.wine.start(&[&setup], self.language, &[("STUB_WEBVIEW2", "hang")])?;
        self.walks(empty, &TO_THE_END[..2])?;
        until("WebView2's installer does not start", || Ok(self.tried.told("webview2").lines().count() > runs))?;
        let waiting = self.tried.wine.shown(&self.folder.join("waiting.png"))?;
        until("WebView2's installer still runs", || Ok(!is_running("WebView2.exe")))?;
        self.walks(waiting, &[("8-webview2-hangs", &["Escape"])])?;
        let ended = started.code()?;
        if ended == code::WEBVIEW2_HUNG { Ok(()) } else { Err(format!("after WebView2 hung: {ended}")) }
    }

    fn uninstalls(&self, home: &Path) -> Result<(), String> {
        let uninstaller = home.join("Uninstall.exe");
        let empty = self.tried.wine.picture(&[], &self.folder.join("empty.png"))?;
        let started = self.tried.wine.start(&[&uninstaller.display().to_string()], self.language, &[])?;
        started.code()?;
        self.walks(empty, &[("6-uninstall", &["Return"]), ("7-removed", &["Return"])])?;
        until("the uninstaller does not end", || Ok(!uninstaller.exists() && !is_running(COPY)))
    }
}
