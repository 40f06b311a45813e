//! Makes proxy passwords and checks typed ones.

use secrecy::SecretString;

/// "Generated passwords: 20 characters of A-Z a-z 0-9 - _."
const LENGTH: usize = 20;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Makes a new password. `None` when this computer provides no random numbers.
pub fn generate() -> Option<SecretString> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).ok()?;
    // 64 characters: the low six bits of every byte select one, each equally likely.
    let text: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 63)])).collect();
    Some(text.into())
}

/// Why a typed password is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPassword {
    /// Fewer than six characters.
    #[error("too short")]
    TooShort,
    /// More than 64 characters.
    #[error("too long")]
    TooLong,
    /// Not a letter, a digit or one of `- _ . ! * ~ $ ^ =`.
    #[error("a character that would break a proxy's address")]
    Forbidden,
}

/// Checks that a password fits into every form in which proxies are handed over. It must contain none of the characters
/// that separate host, port, user and password, or mean something in an address or a shell.
///
/// # Errors
/// [`BadPassword`] names the first rule that is broken.
pub fn check(text: &str) -> Result<(), BadPassword> {
    if !text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.!*~$^=".contains(c)) {
        return Err(BadPassword::Forbidden);
    }
    match text.len() {
        0..6 => Err(BadPassword::TooShort),
        6..=64 => Ok(()),
        _ => Err(BadPassword::TooLong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    #[test]
    fn what_is_made_is_long_plain_and_never_the_same() {
        let made: Vec<SecretString> = (0..200).map(|_| generate().unwrap()).collect();
        let texts: std::collections::HashSet<&str> = made.iter().map(ExposeSecret::expose_secret).collect();
        assert_eq!(texts.len(), 200);
        assert!(texts.iter().all(|text| text.len() == 20 && check(text).is_ok()));
        let used: std::collections::HashSet<char> = texts.iter().flat_map(|text| text.chars()).collect();
        assert_eq!(used.len(), 64, "every character occurs");
    }

    #[test]
    fn what_is_typed_is_taken_or_has_its_reason() {
        for (text, expected) in [
            ("abc-DEF_1.!*~$^=", Ok(())),
            ("abcde", Err(BadPassword::TooShort)),
            ("", Err(BadPassword::TooShort)),
            ("abcdef:1", Err(BadPassword::Forbidden)),
            ("abc def", Err(BadPassword::Forbidden)),
            ("abc@def", Err(BadPassword::Forbidden)),
            ("密码密码密码", Err(BadPassword::Forbidden)),
            ("ａｂｃｄｅｆ", Err(BadPassword::Forbidden)),
        ] {
            assert_eq!(check(text), expected, "{text}");
        }
        assert_eq!(check(&"a".repeat(65)), Err(BadPassword::TooLong));
    }
}
