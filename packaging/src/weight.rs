//! The largest contributions to the program's size: sections of the file, and code by the crate that asked for it.

use std::collections::BTreeMap;
use std::path::Path;

use xtask::run;

/// Number of reasons to report.
const TOLD: usize = 20;
/// Words in function names that do not show who asked for the code.
const EVERYBODYS: [&str; 10] =
    ["core", "alloc", "std", "hashbrown", "tokio", "serde", "serde_core", "serde_json", "futures_util", "futures_core"];

/// The largest contributions with their sizes in bytes, from a program that still has its function names.
pub(crate) fn reasons(program: &Path) -> Result<Vec<(String, u64)>, String> {
    let file = program.display().to_string();
    let mut all = BTreeMap::new();
    for line in run::program("nm", &["-S", "--size-sort", "-C", &file]).printed()?.lines() {
        // Address, size, kind, name.
        let mut words = line.splitn(4, ' ').skip(1);
        let (size, kind, name) = (words.next(), words.next(), words.next());
        let size = size.and_then(|size| u64::from_str_radix(size, 16).ok());
        if let (Some(size), Some("t" | "T" | "w" | "W"), Some(name)) = (size, kind, name) {
            *all.entry(format!("code: {}", asked_by(name))).or_default() += size;
        }
    }
    for line in run::program("size", &["-A", &file]).printed()?.lines() {
        let mut words = line.split_whitespace();
        let (name, size) = (words.next().unwrap_or_default(), words.next().and_then(|size| size.parse::<u64>().ok()));
        if let (true, Some(size)) = (name.starts_with('.') && name != ".text" && name != ".bss", size) {
            all.insert(format!("section {name}: {}", meaning(name)), size);
        }
    }
    let mut all: Vec<(String, u64)> = all.into_iter().collect();
    all.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    all.truncate(TOLD);
    Ok(all)
}

fn meaning(section: &str) -> &'static str {
    match section {
        ".rodata" => "texts, tables, the page, the places",
        ".eh_frame" | ".eh_frame_hdr" | ".gcc_except_table" => "what a panic needs to be survived",
        ".rela.dyn" | ".data.rel.ro" | ".got" => "addresses that the loader fills in",
        _ => "other",
    }
}

/// The crate for whose type or function a piece of generic code was made.
fn asked_by(name: &str) -> &str {
    if !name.contains("::") {
        return "C (SQLite, ring)";
    }
    let ends = |at: usize| name[at..].starts_with("::");
    let mut words = Vec::new();
    let mut begin = 0;
    for (at, c) in name.char_indices() {
        if !(c.is_ascii_alphanumeric() || c == '_') {
            if ends(at) && at > begin && !name[..begin].ends_with("::") {
                words.push(&name[begin..at]);
            }
            begin = at + c.len_utf8();
        }
    }
    let own = words.iter().find(|word| !EVERYBODYS.contains(word));
    own.or(words.first()).copied().unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_belongs_to_the_crate_that_asked_for_it() {
        for (name, whose) in [
            ("sqlite3VdbeExec", "C (SQLite, ring)"),
            ("zbus::connection::Builder::build", "zbus"),
            ("core::ptr::drop_in_place<operations::views::operation::OperationView>", "operations"),
            ("<tokio::runtime::Task<T> as core::fmt::Debug>::fmt", "tokio"),
            ("<alloc::vec::Vec<wire::Order> as Clone>::clone", "wire"),
        ] {
            assert_eq!(asked_by(name), whose, "{name}");
        }
    }
}
