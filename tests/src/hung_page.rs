//! A page that hangs: its processes are stopped, so they accept everything and answer nothing.

use std::process::Command;

use crate::memory;
use crate::window::Window;

/// The stopped processes of a page. They are ended when it is dropped, because they outlive their program.
pub struct HungPage(Vec<u32>);

impl HungPage {
    /// Hangs the page of a window.
    pub fn of(window: &Window) -> Self {
        let pages = memory::children_of(&window.processes(), "WebKitWebProces");
        assert!(!pages.is_empty(), "the window has a page");
        signal("-STOP", &pages);
        Self(pages)
    }
}

impl Drop for HungPage {
    fn drop(&mut self) {
        signal("-KILL", &self.0);
    }
}

fn signal(signal: &str, processes: &[u32]) {
    let ids = processes.iter().map(u32::to_string);
    // One that is gone already needs no signal.
    let _ = Command::new("kill").arg(signal).args(ids).status();
}
