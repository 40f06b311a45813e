//! A search by words, as part of a query.

/// The words of a search, which are searched for one by one.
pub(super) fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_ascii_lowercase).collect()
}

pub(super) fn holds(text: &str, words: &[String]) -> String {
    (1..=words.len()).map(|number| format!(" AND instr({text}, ?{number}) > 0")).collect()
}
