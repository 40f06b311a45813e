//! The front end of a till in a test: it answers what a person would, and remembers what it was told.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use till::host::{Answer, Failed};
use till::settings::Appearance;
use till::{Event, Host, Question, Words};
use tokio::sync::watch;

/// The requests to a host, in order.
#[derive(Debug, Default)]
struct Seen {
    questions: Vec<Question>,
    events: Vec<Event>,
    notifications: Vec<[String; 2]>,
    clipboard: Option<String>,
    concealed: bool,
    marks: Vec<String>,
    appearance: Option<Appearance>,
    menu: Option<String>,
    zoom: Option<u32>,
    starts: usize,
    closes: usize,
    leaves: usize,
    looks: bool,
    opened: Vec<(&'static str, PathBuf)>,
}

/// A front end without a window.
pub struct TestHost {
    downloads: PathBuf,
    seen: Mutex<Seen>,
    /// The person's answer; `None` while the person is thinking.
    answer: watch::Sender<Option<bool>>,
}

impl TestHost {
    /// Makes a host that saves files in this folder, and whose person says yes.
    pub fn saving_in(downloads: &Path) -> Arc<Self> {
        let (downloads, seen) = (downloads.to_owned(), Mutex::default());
        Arc::new(Self { downloads, seen, answer: watch::Sender::new(Some(true)) })
    }

    fn seen<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().expect("no panic"))
    }

    /// Sets the person's answer to every question from now on; `None` leaves questions open.
    pub fn answers(&self, answer: Option<bool>) {
        self.answer.send_replace(answer);
    }

    /// Sets whether the person looks at the program.
    pub fn looks(&self, looks: bool) {
        self.seen(|seen| seen.looks = looks);
    }

    /// Returns the texts of the questions so far.
    pub fn questions(&self) -> Vec<String> {
        self.seen(|seen| seen.questions.iter().map(|question| question.text.clone()).collect())
    }

    /// Returns the last question.
    pub fn last_question(&self) -> Question {
        self.seen(|seen| seen.questions.last().cloned()).expect("something was asked")
    }

    /// Returns the events so far, as the page gets them.
    pub fn events(&self) -> Vec<(String, Value)> {
        self.seen(|seen| seen.events.iter().map(Event::parts).collect())
    }

    /// Returns the number of events with this name.
    pub fn heard(&self, name: &str) -> usize {
        self.events().iter().filter(|event| event.0 == name).count()
    }

    /// Returns the title and text of each notification.
    pub fn notifications(&self) -> Vec<[String; 2]> {
        self.seen(|seen| seen.notifications.clone())
    }

    /// Returns the content of the clipboard, and whether it is kept out of histories.
    pub fn clipboard(&self) -> (Option<String>, bool) {
        self.seen(|seen| (seen.clipboard.clone(), seen.concealed))
    }

    /// Returns the marks so far.
    pub fn marks(&self) -> Vec<String> {
        self.seen(|seen| seen.marks.clone())
    }

    /// Returns the appearance and the zoom, in percent, that were last set.
    pub fn shown_in(&self) -> (Option<Appearance>, Option<u32>) {
        self.seen(|seen| (seen.appearance, seen.zoom))
    }

    /// Returns the menu bar's last word for Settings.
    pub fn menu(&self) -> Option<String> {
        self.seen(|seen| seen.menu.clone())
    }

    /// Returns how often the window was asked to close, and how often the program was ended.
    pub fn ends(&self) -> (usize, usize) {
        self.seen(|seen| (seen.closes, seen.leaves))
    }

    /// Returns the files that were opened (`open`) or shown in their folder (`show`).
    pub fn opened(&self) -> Vec<(&'static str, PathBuf)> {
        self.seen(|seen| seen.opened.clone())
    }

    /// Returns how often the program was asked to start again.
    pub fn starts(&self) -> usize {
        self.seen(|seen| seen.starts)
    }
}

impl Host for TestHost {
    fn ask(&self, question: Question) -> Answer<'_> {
        self.seen(|seen| seen.questions.push(question));
        let mut answer = self.answer.subscribe();
        Box::pin(async move { answer.wait_for(Option::is_some).await.is_ok_and(|said| *said == Some(true)) })
    }

    fn emit(&self, event: Event) {
        self.seen(|seen| seen.events.push(event));
    }

    fn notify(&self, title: &str, body: &str) -> Result<(), Failed> {
        self.seen(|seen| seen.notifications.push([title.to_owned(), body.to_owned()]));
        Ok(())
    }

    fn has_focus(&self) -> bool {
        self.seen(|seen| seen.looks)
    }

    fn copy(&self, text: &str) -> Result<(), Failed> {
        self.seen(|seen| (seen.clipboard, seen.concealed) = (Some(text.to_owned()), false));
        Ok(())
    }

    fn copy_concealed(&self, text: &str) -> Result<(), Failed> {
        self.seen(|seen| (seen.clipboard, seen.concealed) = (Some(text.to_owned()), true));
        Ok(())
    }

    fn uncopy(&self, text: &str) -> Result<(), Failed> {
        self.seen(|seen| seen.clipboard.take_if(|now| now == text));
        Ok(())
    }

    fn downloads(&self) -> Result<PathBuf, Failed> {
        Ok(self.downloads.clone())
    }

    fn open(&self, file: &Path) -> Result<(), Failed> {
        self.seen(|seen| seen.opened.push(("open", file.to_owned())));
        Ok(())
    }

    fn show_in_folder(&self, file: &Path) -> Result<(), Failed> {
        self.seen(|seen| seen.opened.push(("show", file.to_owned())));
        Ok(())
    }

    fn show_in(&self, appearance: Appearance) {
        self.seen(|seen| seen.appearance = Some(appearance));
    }

    fn show_menu(&self, words: &Words) {
        self.seen(|seen| seen.menu = Some(words.get("menu-settings")));
    }

    fn zoom(&self, percent: u32) {
        self.seen(|seen| seen.zoom = Some(percent));
    }

    fn mark(&self, name: &str) {
        self.seen(|seen| seen.marks.push(name.to_owned()));
    }

    fn close(&self) {
        self.seen(|seen| seen.closes += 1);
    }

    fn leave(&self) {
        self.seen(|seen| seen.leaves += 1);
    }

    fn start_again(&self) -> Result<(), Failed> {
        self.seen(|seen| seen.starts += 1);
        Ok(())
    }
}
