//! A search by words, as part of a query.

/// The words of a search, which are searched for one by one.
pub(super) fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_ascii_lowercase).collect()
}

/// That a text holds all words, whose parameters begin at number `first`.
pub(super) fn holds(text: &str, words: &[String], first: usize) -> String {
    (first..first + words.len()).map(|number| format!(" AND instr({text}, ?{number}) > 0")).collect()
}
