//! The tasks that the window and the system do for `till`.

use std::path::{Path, PathBuf};

use tauri::{AppHandle, Emitter, Manager};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};
use tauri_plugin_notification::NotificationExt;
use till::host::{Answer, Failed, Question};
use till::settings::Appearance;
use till::{Event, Host, Words};
use tokio::sync::oneshot;

use crate::{closing, files_outside, perf, shell, window};

/// The host of a [`till::Till`] with a window.
pub(crate) struct WindowHost(pub(crate) AppHandle);

impl Host for WindowHost {
    /// Shows a system dialog: a script in the page can neither choose its words nor press its buttons.
    fn ask(&self, question: Question) -> Answer<'_> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let mut dialog = self
                .0
                .dialog()
                .message(question.text)
                .title(question.title)
                .kind(MessageDialogKind::Warning)
                .buttons(MessageDialogButtons::OkCancelCustom(question.yes, question.no));
            if let Some(window) = self.0.get_webview_window(window::MAIN) {
                dialog = dialog.parent(&window);
            }
            dialog.show(move |said| {
                let _ = answer.send(said);
            });
            answered.await.unwrap_or(false)
        })
    }

    fn emit(&self, event: Event) {
        let (name, payload) = event.parts();
        let _ = self.0.emit(&name, payload);
    }

    fn notify(&self, title: &str, body: &str) -> Result<(), Failed> {
        Ok(self.0.notification().builder().title(title).body(body).show()?)
    }

    fn has_focus(&self) -> bool {
        let window = self.0.get_webview_window(window::MAIN);
        window.and_then(|window| window.is_focused().ok()).unwrap_or(false)
    }

    fn copy(&self, text: &str) -> Result<(), Failed> {
        Ok(shell(&self.0).clipboard.copy(text)?)
    }

    fn copy_concealed(&self, text: &str) -> Result<(), Failed> {
        Ok(shell(&self.0).clipboard.copy_concealed(text)?)
    }

    fn uncopy(&self, text: &str) -> Result<(), Failed> {
        Ok(shell(&self.0).clipboard.clear_if(text)?)
    }

    fn downloads(&self) -> Result<PathBuf, Failed> {
        let paths = self.0.path();
        Ok(paths.download_dir().or_else(|_| paths.home_dir().map(|home| home.join("Downloads")))?)
    }

    fn open(&self, file: &Path) -> Result<(), Failed> {
        files_outside::open(file)
    }

    fn show_in_folder(&self, file: &Path) -> Result<(), Failed> {
        files_outside::show_in_folder(file)
    }

    fn show_in(&self, appearance: Appearance) {
        shell(&self.0).desktop.choose(&self.0, appearance);
    }

    #[cfg(target_os = "macos")]
    fn show_menu(&self, words: &Words) {
        crate::menu::show(&self.0, words);
    }

    /// Does nothing: only macOS has a menu bar.
    #[cfg(not(target_os = "macos"))]
    fn show_menu(&self, _words: &Words) {}

    fn zoom(&self, percent: u32) {
        window::zoom(&self.0, f64::from(percent) / 100.0);
    }

    fn mark(&self, name: &str) {
        perf::mark(name);
    }

    fn close(&self) {
        closing::ask(&self.0);
    }

    fn leave(&self) {
        closing::leave(&self.0);
    }

    fn start_again(&self) -> Result<(), Failed> {
        shell(&self.0).start_next()?;
        self.0.exit(0);
        Ok(())
    }
}
