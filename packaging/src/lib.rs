//! Packages and releases of the program. `cargo xtask` runs this crate; the tests ask it whether files are fresh.

mod archive;
pub mod artefact;
mod banner;
mod called;
mod catalogues;
mod checkers;
mod cross;
mod deb;
pub mod dmg;
pub mod feed;
pub mod icons;
mod installer;
mod job;

mod macos;
mod made;
mod metainfo;
pub mod notes;
pub mod notices;
pub mod package;
mod program;
pub mod project;
pub mod reach;
pub mod release;
mod roots;
mod rpm;
mod sbom;
mod sha256;
pub mod shipped;
pub mod signing;
mod throwaway;
mod time;
mod tree;
pub mod version;
pub mod webview2;
mod weight;
mod windows;
mod windows_program;
mod wine;
mod wine_suite;

#[cfg(test)]
mod tests {
    use crate::project::Project;

    /// The checkout itself.
    pub(crate) fn project() -> Project {
        Project::at(xtask::run::root())
    }

    /// Adds a note for the next version: the project may be between releases or before the first.
    pub(crate) fn say_something(copy: &Project) {
        for (name, title) in
            [("CHANGELOG.md", "Unreleased"), ("packaging/notes/en.md", "Next"), ("packaging/notes/zh-CN.md", "Next")]
        {
            let title = format!("## {title}\n");
            let said = copy.read(name).unwrap().replacen(&title, &format!("{title}- Something & more\n"), 1);
            copy.write(name, &said).unwrap();
        }
    }
}
