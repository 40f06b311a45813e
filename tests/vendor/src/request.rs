//! A request as it arrives and an answer as it leaves: no connection, no clock.

/// One request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query as sent, without `?`.
    pub query: String,
    /// The headers; names in any letter case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A GET of this path and query (`a=1&b=2`).
    #[must_use]
    pub fn get(path: &str, query: &str) -> Self {
        Self { method: "GET".into(), path: path.into(), query: query.into(), ..Self::default() }
    }

    /// A POST of this JSON.
    #[must_use]
    pub fn post(path: &str, body: &str) -> Self {
        let headers = vec![("Content-Type".into(), "application/json".into())];
        Self { method: "POST".into(), path: path.into(), headers, body: body.into(), ..Self::default() }
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A parameter of the query; an empty one counts as absent.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let value = parameters(&self.query).into_iter().find(|(known, _)| known == name).map(|(_, value)| value)?;
        (!value.is_empty()).then_some(value)
    }

    /// The query with the password crossed out.
    pub(crate) fn shown_query(&self) -> String {
        let crossed = |pair: &str| match pair.split_once('=') {
            Some((name @ "password", _)) => format!("{name}=***"),
            _ => pair.to_owned(),
        };
        self.query.split('&').map(crossed).collect::<Vec<_>>().join("&")
    }
}

fn parameters(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(k, v)| (plain(k), plain(v))).collect()
}

/// Decodes percent signs and pluses.
fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(if byte == b'+' { b' ' } else { byte }));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Delivery of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It arrives.
    Whole,
    /// The connection ends before it.
    Lost,
    /// The connection ends after half of its body.
    Cut,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long the caller waits for the answer, in milliseconds.
    pub delay_ms: u64,
    /// Whether the answer arrives.
    pub delivery: Delivery,
}

impl Answer {
    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null if it is not JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_read_without_its_escapes() {
        let request = Request::get("/x", "userName=a%2Bb%40c.d&account=&keyword=New+York%2&password=p%20w");
        assert_eq!(request.parameter("userName").as_deref(), Some("a+b@c.d"));
        assert_eq!(request.parameter("account"), None);
        assert_eq!(request.parameter("keyword").as_deref(), Some("New York%2"));
        assert!(request.shown_query().ends_with("&password=***"));
    }
}
