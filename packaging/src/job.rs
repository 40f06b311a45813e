//! What every package is made from.

use std::path::PathBuf;

use crate::program;
use crate::project::Project;

/// What every package is made from.
pub(crate) struct Job<'a> {
    pub(crate) project: &'a Project,
    pub(crate) version: String,
    /// The optimised program.
    pub(crate) program: PathBuf,
    /// Seconds since 1970.
    pub(crate) epoch: String,
    /// Where things lie that are needed on the way.
    pub(crate) work: PathBuf,
    /// Where packages are left.
    pub(crate) out: PathBuf,
}

impl Job<'_> {
    /// A folder to make one kind in.
    pub(crate) fn work(&self, kind: &str) -> PathBuf {
        self.work.join(kind)
    }

    /// A text with this version, and its day in this form.
    pub(crate) fn dated(&self, text: &str, form: &str) -> Result<String, String> {
        let time = program::moment(&self.epoch)?;
        Ok(text.replace("@VERSION@", &self.version).replace("@DAY@", &time.strftime(form).to_string()))
    }
}
