//! A secret that carries whose it is, so that it is never sent to, or shown for, another account.

use secrecy::{ExposeSecret, SecretString};

use crate::KeychainState;

/// What stands before the account's fingerprint. What was saved before there were fingerprints has none.
const MARK: &str = "proxytill-1 ";

/// A secret with its account's fingerprint, as it is kept.
pub fn bind(secret: &SecretString, fingerprint: &str) -> SecretString {
    format!("{MARK}{fingerprint} {}", secret.expose_secret()).into()
}

/// The secret of what is kept. `own`: the fingerprint of whoever asks; `None` asks for it whatever it is.
///
/// # Errors
/// [`KeychainState::OtherAccount`].
pub fn unbind(kept: SecretString, own: Option<&str>) -> Result<SecretString, KeychainState> {
    let parts = kept.expose_secret().strip_prefix(MARK).and_then(|rest| rest.split_once(' '));
    match parts {
        None => Ok(kept),
        Some((fingerprint, secret)) if own.is_none_or(|own| own == fingerprint) => Ok(secret.to_owned().into()),
        Some(_) => Err(KeychainState::OtherAccount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_given_to_the_account_that_it_was_kept_for_and_to_no_other() {
        let secret = SecretString::from("a secret, with spaces ");
        let kept = bind(&secret, "0123");
        for own in [Some("0123"), None] {
            assert_eq!(unbind(kept.clone(), own).unwrap().expose_secret(), secret.expose_secret());
        }
        assert_eq!(unbind(kept, Some("4567")).unwrap_err(), KeychainState::OtherAccount);
    }

    #[test]
    fn what_an_earlier_version_kept_is_read_as_it_is() {
        for secret in ["a secret", "", "proxytill-1", "proxytill-1 "] {
            assert_eq!(unbind(secret.into(), Some("0123")).unwrap().expose_secret(), secret);
        }
    }
}
