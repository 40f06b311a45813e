//! Programs of others that are called.

use xtask::run;

/// Runs a program and returns its output; fails when it reports an error.
pub(crate) fn checked(program: &str, words: &[&str]) -> Result<String, String> {
    run::program(program, words).captured().map_err(|told| format!("{program} says:\n{told}"))
}
