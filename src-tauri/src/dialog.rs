//! The system's own dialog. Its words come from here and its answer goes to nobody else: a script in the page can
//! neither say them nor press its buttons.

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};
use tokio::sync::oneshot;

use crate::window;
use crate::words::Words;

/// What is asked.
pub(crate) struct Question {
    pub(crate) title: String,
    pub(crate) text: String,
    /// The verb, with the sum where there is one.
    pub(crate) yes: String,
}

/// Asks; only a plain yes is one. While one question is open every other one is a no: nobody is worn down by many.
pub(crate) async fn ask(handle: &AppHandle, words: &Words, question: Question) -> bool {
    let shell = crate::shell(handle);
    let Ok(_one) = shell.asking.try_lock() else { return false };
    let (answer, answered) = oneshot::channel();
    let mut dialog = handle
        .dialog()
        .message(question.text)
        .title(question.title)
        .kind(MessageDialogKind::Warning)
        .buttons(MessageDialogButtons::OkCancelCustom(question.yes, words.get("limit-no")));
    if let Some(window) = handle.get_webview_window(window::MAIN) {
        dialog = dialog.parent(&window);
    }
    dialog.show(move |said| {
        let _ = answer.send(said);
    });
    answered.await.unwrap_or(false)
}
