//! Texts that carry their digest, so that a value in a table shows by itself whether it is intact.

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// Prefixes a text with its SHA-256.
pub fn stamped(text: &str) -> String {
    format!("{} {text}", digest(text))
}

/// The SHA-256 of a text, in hexadecimal digits.
pub fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// Returns the text if it matches its stamp.
pub fn unstamped(text: &str) -> Option<&str> {
    let (digest, text) = text.split_once(' ')?;
    (digest == self::digest(text)).then_some(text)
}

/// Reads JSON that was stamped, or that an earlier version wrote without a stamp. A wrong stamp makes it invalid JSON.
///
/// # Errors
/// When the text is damaged.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str(unstamped(text).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamped_text_is_read_and_one_changed_bit_of_it_is_not() {
        let text = stamped(r#"{"baseUrl":"https://api.example.com"}"#);
        assert!(read::<serde_json::Value>(&text).is_ok());
        assert!(read::<serde_json::Value>(unstamped(&text).unwrap()).is_ok(), "as earlier versions wrote it");
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(String::from_utf8(bytes).ok().is_none_or(|text| read::<serde_json::Value>(&text).is_err()));
            }
        }
    }
}
