//! The tasks that only a front end can do. Everything else is in this crate, so that a test, a benchmark and the window
//! all call the same functions.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use crate::Till;
use crate::error::CommandError;
use crate::events::Event;
use crate::settings::Appearance;
use crate::words::Words;

/// The reason why the system did not do what it was asked to do.
pub type Failed = Box<dyn Error + Send + Sync>;

/// The answer to a question, once a person has given it.
pub type Answer<'a> = Pin<Box<dyn Future<Output = bool> + Send + 'a>>;

/// A question to a person, in the language of the program. The page has no say in its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The title of the dialog.
    pub title: String,
    /// The text of the question.
    pub text: String,
    /// The button that agrees: the verb, with the amount if there is one.
    pub yes: String,
    /// The button that declines.
    pub no: String,
}

/// The tasks that only a front end can do.
pub trait Host: Send + Sync + 'static {
    /// Asks a person in a system dialog. Only a plain yes is `true`.
    fn ask(&self, question: Question) -> Answer<'_>;

    /// Passes an event on to the page.
    fn emit(&self, event: Event);

    /// Shows a system notification.
    ///
    /// # Errors
    /// The system does not show it.
    fn notify(&self, title: &str, body: &str) -> Result<(), Failed>;

    /// Returns whether the window has the focus.
    fn has_focus(&self) -> bool;

    /// Copies a text.
    ///
    /// # Errors
    /// There is no clipboard, or another program holds it.
    fn copy(&self, text: &str) -> Result<(), Failed>;

    /// Copies a text and keeps it out of clipboard histories, where the system allows that.
    ///
    /// # Errors
    /// There is no clipboard, or another program holds it.
    fn copy_concealed(&self, text: &str) -> Result<(), Failed>;

    /// Empties the clipboard if it still holds this text.
    ///
    /// # Errors
    /// The clipboard cannot be read or emptied.
    fn uncopy(&self, text: &str) -> Result<(), Failed>;

    /// Returns the folder in which files for the user are saved.
    ///
    /// # Errors
    /// The user has no home folder.
    fn downloads(&self) -> Result<PathBuf, Failed>;

    /// Opens a file with the system's program for it.
    ///
    /// # Errors
    /// The system cannot be asked.
    fn open(&self, file: &Path) -> Result<(), Failed>;

    /// Shows a file in its folder.
    ///
    /// # Errors
    /// The system cannot be asked.
    fn show_in_folder(&self, file: &Path) -> Result<(), Failed>;

    /// Shows the title bar and menus in this appearance.
    fn show_in(&self, appearance: Appearance);

    /// Shows the menu bar, where the system has one, with these words. Called at the start and after every change of the
    /// language.
    fn show_menu(&self, words: &Words);

    /// Zooms the page, in percent: 100 is its natural size.
    fn zoom(&self, percent: u32);

    /// Records that the start has reached this point, if such marks are wanted.
    fn mark(&self, name: &str);

    /// Closes the window as its button does: work that is under way is asked about first. Does not wait.
    fn close(&self);

    /// Ends the program. Files that are still being written are deleted.
    fn leave(&self);

    /// Starts the program that is installed now, and lets this one end.
    ///
    /// # Errors
    /// The new program cannot be started; this one goes on.
    fn start_again(&self) -> Result<(), Failed>;
}

impl Till {
    /// Asks a person. While one question is open, any other is answered no: many questions wear a person down. `title`
    /// is a key of the program's texts.
    pub(crate) async fn ask(&self, title: &str, text: String, yes: String) -> bool {
        let Ok(_one) = self.asking.try_lock() else { return false };
        let words = self.words();
        self.host.ask(Question { title: words.get(title), text, yes, no: words.get("limit-no") }).await
    }
}

/// Records a mark of the page, for measurements.
pub async fn perf_mark(till: &Till, name: String) -> Result<(), CommandError> {
    till.host.mark(&name);
    Ok(())
}

/// Zooms the page, in percent, now and at the next start. Values outside 50 to 200 are clamped.
pub async fn set_zoom(till: &Till, percent: u32) -> Result<(), CommandError> {
    let percent = percent.clamp(50, 200);
    till.host.zoom(percent);
    Ok(till.store.set_setting("zoom", &percent)?)
}
