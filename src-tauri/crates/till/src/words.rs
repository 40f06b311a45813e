//! The texts of the program that are not the page's: system dialogs, notifications, the menu bar.

use std::collections::HashMap;

/// A text in English and in Chinese, for messages before the language of the program is known. `{what}` is replaced in
/// both.
pub fn in_both_languages(key: &str, what: &str) -> String {
    ["en", "zh-CN"].map(|language| Words::of(language).with(key, &[("what", what)])).join("\n\n")
}

/// The texts of one language, by key.
pub struct Words(HashMap<String, String>);

impl Words {
    /// The texts of `en` or `zh-CN`; any other language is English.
    pub fn of(language: &str) -> Self {
        let text = if language == "zh-CN" {
            include_str!("../locales/zh-CN.json")
        } else {
            include_str!("../locales/en.json")
        };
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// The text of a key; the key itself if there is none.
    pub fn get(&self, key: &str) -> String {
        self.0.get(key).cloned().unwrap_or_else(|| key.to_owned())
    }

    /// All keys, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The text of a key, with each `{name}` replaced by its value.
    pub(crate) fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        values.iter().fold(self.get(key), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_hold_the_same_words() {
        let keys = |language| {
            let mut keys: Vec<_> = Words::of(language).0.into_keys().collect();
            keys.sort();
            keys
        };
        assert_eq!(keys("en"), keys("zh-CN"));
        assert!(!keys("en").is_empty());
    }

    #[test]
    fn before_the_language_is_known_both_are_there_with_what_happened() {
        let text = in_both_languages("start-folder", "disk full");
        assert!(
            text.contains("folder with its data:\ndisk full") && text.contains("数据文件夹：\ndisk full"),
            "{text}"
        );
        assert!(!text.contains('{'), "{text}");
    }
}
