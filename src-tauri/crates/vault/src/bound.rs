//! A secret that carries its owner's fingerprint, so that it is never sent to, or shown for, another account.

use secrecy::{ExposeSecret, SecretString};

use crate::KeychainState;

/// Precedes the fingerprint of the vendor's account. Secrets saved before there were fingerprints lack it.
const MARK: &str = "proxytill-1 ";

/// Joins a secret with its account's fingerprint, in the stored form.
pub fn bind(secret: &SecretString, fingerprint: &str) -> SecretString {
    format!("{MARK}{fingerprint} {}", secret.expose_secret()).into()
}

/// Returns the secret of a stored form. `own` is the caller's fingerprint; with `None` any fingerprint is accepted.
///
/// # Errors
/// [`KeychainState::OtherAccount`] when the fingerprint is a different one.
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
