//! The input of every package.

use std::path::PathBuf;

use crate::project::Project;
use crate::time;

/// The input of every package.
pub(crate) struct Job<'a> {
    pub(crate) project: &'a Project,
    pub(crate) version: String,
    /// The optimised program.
    pub(crate) program: PathBuf,
    /// Seconds since 1970.
    pub(crate) epoch: String,
    /// Folder for intermediate files.
    pub(crate) work: PathBuf,
    /// Folder for the packages.
    pub(crate) out: PathBuf,
}

impl Job<'_> {
    /// A folder for making one kind.
    pub(crate) fn work(&self, kind: &str) -> PathBuf {
        self.work.join(kind)
    }

    /// Fills a version and a date of this format into a text.
    pub(crate) fn dated(&self, text: &str, form: &str) -> Result<String, String> {
        let time = time::moment(&self.epoch)?;
        Ok(text.replace("@VERSION@", &self.version).replace("@DAY@", &time.strftime(form).to_string()))
    }
}
