//! The system's own dialogs, which no page can answer.

use std::process::Stdio;

use crate::until;
use crate::window::Window;

impl Window {
    /// Returns the dialog on screen with this title; `None` if there is none.
    pub fn dialog(&self, title: &str) -> Option<String> {
        let mut search = self.desk().command("xdotool");
        search.args(["search", "--onlyvisible", "--name", title]).stderr(Stdio::null());
        let found = search.output().expect("xdotool");
        String::from_utf8_lossy(&found.stdout).lines().next().map(str::to_owned)
    }

    /// Waits for the system's dialog with this title.
    pub async fn see_dialog(&self, title: &str) -> String {
        until("the system's dialog asks", async || self.dialog(title)).await
    }

    /// Presses a key in the system's dialog once it appears, and waits until it is gone.
    pub async fn answer(&self, title: &str, key: &str) {
        let dialog = self.see_dialog(title).await;
        until("the dialog is answered", async || {
            if self.dialog(title).is_none() {
                return Some(());
            }
            let _ = self.desk().command("xdotool").args(["windowfocus", "--sync", &dialog, "key", key]).status();
            None
        })
        .await;
    }
}
