//! SHA-256 of files.

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes, in lower-case hexadecimal digits.
pub(crate) fn sum(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
