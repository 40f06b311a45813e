//! The licences of the third-party software in the program.

use std::io::Read;

use flate2::read::DeflateDecoder;

use crate::Till;
use crate::error::CommandError;

/// Returns the third parties and their licences, as packed into the program.
pub async fn notices(_till: &Till, (): ()) -> Result<String, CommandError> {
    let mut text = format!("{}\n\n", include_str!("../../../../NOTICE"));
    let mut packed = DeflateDecoder::new(&include_bytes!(concat!(env!("OUT_DIR"), "/notices"))[..]);
    packed.read_to_string(&mut text).map_err(|error| CommandError::internal(&error))?;
    Ok(text)
}
