//! A request as a value: built without I/O, compared to the byte, stored in the journal.

use std::fmt;

use serde::{Deserialize, Serialize};

/// HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// No body.
    Get,
    /// JSON body.
    Post,
}

/// The half of the interface: it decides the prefix, the credentials and the wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// `/open/staticip/…`
    Static,
    /// `/open/dynamic/…`, `/open/customer/…`, `/api/agent/…`
    Agent,
}

/// Everything that is sent, except the credentials, which the sender adds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Half of the interface.
    pub area: Area,
    /// Path after the prefix, with a leading slash.
    pub path: String,
    /// Query parameters in order, not yet encoded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query: Vec<(String, String)>,
    /// The exact body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// A query parameter whose value is a secret and comes last; the request holds only a reference to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<SecretParameter>,
    /// Header `X-Idempotency-Key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// Whether it is sent without credentials: "a small number of public endpoints need no authentication".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public: bool,
    /// Largest answer that is read, in bytes.
    #[serde(default = "default_limit")]
    pub answer_limit: usize,
}

/// Name of a secret parameter, and where its value is kept.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretParameter {
    /// The parameter's name.
    pub name: String,
    /// The name of its entry in the keychain.
    pub reference: String,
}

const MIB: usize = 1024 * 1024;

fn default_limit() -> usize {
    8 * MIB
}

impl Request {
    pub(crate) fn get(area: Area, path: &str) -> Self {
        Self {
            method: Method::Get,
            area,
            path: path.to_owned(),
            query: Vec::new(),
            body: None,
            secret: None,
            idempotency_key: None,
            public: false,
            answer_limit: default_limit(),
        }
    }

    pub(crate) fn post(path: &str, body: &impl Serialize) -> Self {
        // The bodies are structs of strings and numbers: writing them cannot fail.
        let body = serde_json::to_string(body).unwrap_or_default();
        Self { method: Method::Post, body: Some(body), ..Self::get(Area::Static, path) }
    }

    pub(crate) fn query(mut self, name: &str, value: impl ToString) -> Self {
        self.query.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds a parameter if there is a value.
    pub(crate) fn maybe(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    /// Leaves the credentials out.
    pub(crate) fn public(mut self) -> Self {
        self.public = true;
        self
    }

    /// Allows a large answer: the whole dictionary of places is about 35 MB.
    pub(crate) fn large_answer(mut self) -> Self {
        self.answer_limit = 128 * MIB;
        self
    }
}

/// Shows method and path only: a query may hold a password, a body a customer's purchase.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.method, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_printed_shows_neither_query_nor_body() {
        let mut request = Request::get(Area::Agent, "/api/agent/updatePwd").query("password", "hunter2");
        request.body = Some("hunter3".into());
        assert_eq!(format!("{request:?}"), "Get /api/agent/updatePwd");
    }

    #[test]
    fn a_stored_request_is_the_same_when_read_again() {
        let mut request = Request::post("/open/staticip/x", &serde_json::json!({"a": 1})).query("b", "c d");
        request.idempotency_key = Some("k".into());
        let stored = serde_json::to_string(&request).unwrap();
        assert!(serde_json::from_str::<Request>(&stored).unwrap() == request);
    }
}
