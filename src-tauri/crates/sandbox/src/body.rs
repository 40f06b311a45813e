//! Reading a request's body: "not JSON, wrong type, missing field: code 40000, the field's name in msg".

use serde::de::DeserializeOwned;

use crate::envelope::Refusal;

/// Reads a required body.
pub(crate) fn required<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let reason = error.into_inner().to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        Refusal::body(if path == "." { reason.to_owned() } else { format!("{path}: {reason}") })
    })?;
    reader.end().map_err(|_| Refusal::body("more than one JSON value"))?;
    Ok(read)
}

/// Reads an optional body.
pub(crate) fn optional<T: DeserializeOwned + Default>(bytes: &[u8]) -> Result<T, Refusal> {
    if bytes.is_empty() { Ok(T::default()) } else { required(bytes) }
}
