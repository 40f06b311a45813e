//! The two response wrappers: "Response wrapper of the static-IP area (Result)" and "Response shape of the
//! dynamic traffic and agent customer areas".
//!
//! Reading happens in two steps, wrapper first, so that a code, a message and a trace id survive
//! even when the data cannot be read.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::loose;

/// A successful answer.
#[derive(Debug, Clone)]
pub struct Answer<T> {
    /// The business data.
    pub data: T,
    /// The service's clock, milliseconds since 1970 (static-IP area only).
    pub timestamp: Option<i64>,
    /// The vendor's trace identifier (static-IP area only).
    pub trace_id: Option<String>,
}

/// The vendor's refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// The vendor's code, as text in both areas.
    pub code: String,
    /// The vendor's own words. Text to show, never a basis for decisions.
    pub message: String,
    /// The vendor's trace identifier, where the area has one.
    pub trace_id: Option<String>,
    /// The service's clock, milliseconds since 1970, where the area reports it.
    pub timestamp: Option<i64>,
}

/// Why an answer is not a success.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Credentials are missing, wrong, disabled or rotated.
    #[error("the vendor did not accept the credentials (code {})", .0.code)]
    NotAuthenticated(Refusal),
    /// A refusal with a code.
    #[error("the vendor refused (code {})", .0.code)]
    Refused(Refusal),
    /// The answer has neither wrapper: it comes from a web page, a proxy or another program.
    #[error("the answer does not come from the vendor's interface (HTTP {status})")]
    NotThisService {
        /// HTTP status.
        status: u16,
    },
    /// The wrapper reports success, but the data cannot be read.
    #[error("the answer cannot be read at {path}: {reason}")]
    Unreadable {
        /// HTTP status.
        status: u16,
        /// JSON path of the first value that could not be read, from the root.
        path: String,
        /// The expected type. Never holds the value itself.
        reason: String,
        /// The vendor's trace identifier, where the area has one.
        trace_id: Option<String>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StaticWrapper<'a> {
    #[serde(deserialize_with = "loose::text")]
    code: String,
    #[serde(default, deserialize_with = "loose::maybe_text")]
    msg: String,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "loose::maybe_integer")]
    timestamp: Option<i64>,
    #[serde(default, deserialize_with = "loose::maybe_text")]
    trace_id: String,
}

/// Codes of "Errors, Static-IP area" that concern the credentials, not the request.
const NOT_AUTHENTICATED: [&str; 3] = ["20000", "20010", "20011"];

/// Reads an answer of the static-IP area.
///
/// # Errors
/// [`ReadError`] when the answer is not a success or its data cannot be read.
pub fn read_static<T: DeserializeOwned>(status: u16, body: &[u8]) -> Result<Answer<T>, ReadError> {
    let not_this_service = ReadError::NotThisService { status };
    let text = std::str::from_utf8(body).map_err(|_| not_this_service.clone())?;
    let wrapper: StaticWrapper<'_> = serde_json::from_str(text).map_err(|_| not_this_service)?;
    let trace_id = Some(wrapper.trace_id).filter(|id| !id.is_empty());
    if wrapper.code != "0" {
        let refusal =
            Refusal { status, code: wrapper.code, message: wrapper.msg, trace_id, timestamp: wrapper.timestamp };
        let by_code = NOT_AUTHENTICATED.contains(&refusal.code.as_str());
        return Err(if by_code || status == 401 {
            ReadError::NotAuthenticated(refusal)
        } else {
            ReadError::Refused(refusal)
        });
    }
    succeeded(status, trace_id.as_deref())?;
    let data = read_data(status, wrapper.data, trace_id.as_deref())?;
    Ok(Answer { data, timestamp: wrapper.timestamp, trace_id })
}

/// Reads an answer of a public endpoint, which belongs to no area: either wrapper may come.
///
/// # Errors
/// [`ReadError`] when the answer is not a success or its data cannot be read.
pub fn read_public<T: DeserializeOwned>(status: u16, body: &[u8]) -> Result<Answer<T>, ReadError> {
    match read_static(status, body) {
        Err(ReadError::Refused(refusal)) if refusal.code == "200" => read_agent(status, body),
        answer => answer,
    }
}

#[derive(Deserialize)]
struct AgentWrapper<'a> {
    #[serde(deserialize_with = "loose::text")]
    code: String,
    #[serde(default, deserialize_with = "loose::maybe_text")]
    msg: String,
    /// Outer `None`: no such member. `Some(None)`: the member is null.
    #[serde(borrow, default, deserialize_with = "present")]
    data: Option<Option<&'a RawValue>>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<&'de RawValue>>, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(Some((raw.get() != "null").then_some(raw)))
}

/// Reads an answer of the dynamic traffic and agent customer areas that carries data.
///
/// "An authentication failure on these paths returns code 200 … and data null", so a null `data` is a refused
/// token, not an empty result.
///
/// # Errors
/// [`ReadError`] when the answer is not a success or its data cannot be read.
pub fn read_agent<T: DeserializeOwned>(status: u16, body: &[u8]) -> Result<Answer<T>, ReadError> {
    let (refusal, data) = agent_success(status, body)?;
    match data {
        Some(None) => Err(ReadError::NotAuthenticated(refusal)),
        data => Ok(Answer { data: read_data(status, data.flatten(), None)?, timestamp: None, trace_id: None }),
    }
}

/// The vendor accepted a write of the traffic or customer area: code 200 and no null `data`. This alone proves
/// nothing: a read has to show the effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted;

/// Reads an answer of a write under `/api/agent/`, which carries only code and message.
///
/// # Errors
/// [`ReadError`] when the answer is not a success. `data: null` is reported as a refused token, with code 200; it may be
/// a yes without data.
pub fn read_agent_write(status: u16, body: &[u8]) -> Result<Answer<Accepted>, ReadError> {
    let (refusal, data) = agent_success(status, body)?;
    match data {
        Some(None) => Err(ReadError::NotAuthenticated(refusal)),
        _ => Ok(Answer { data: Accepted, timestamp: None, trace_id: None }),
    }
}

/// Unwraps a code 200: the refusal to report if it turns out to be one, and `data` (`Some(None)` is null).
fn agent_success(status: u16, body: &[u8]) -> Result<(Refusal, Option<Option<&RawValue>>), ReadError> {
    let not_this_service = ReadError::NotThisService { status };
    let text = std::str::from_utf8(body).map_err(|_| not_this_service.clone())?;
    let wrapper: AgentWrapper<'_> = serde_json::from_str(text).map_err(|_| not_this_service)?;
    let refusal = Refusal { status, code: wrapper.code, message: wrapper.msg, trace_id: None, timestamp: None };
    if refusal.code != "200" {
        return Err(if status == 401 || refusal.code == "401" {
            ReadError::NotAuthenticated(refusal)
        } else {
            ReadError::Refused(refusal)
        });
    }
    succeeded(status, None)?;
    Ok((refusal, wrapper.data))
}

/// Success in the body of an HTTP failure does not count: something on the way may have written either.
fn succeeded(status: u16, trace_id: Option<&str>) -> Result<(), ReadError> {
    if (200..300).contains(&status) {
        return Ok(());
    }
    let reason = format!("a success with HTTP {status}");
    Err(ReadError::Unreadable { status, path: "code".into(), reason, trace_id: trace_id.map(str::to_owned) })
}

fn read_data<T: DeserializeOwned>(
    status: u16,
    data: Option<&RawValue>,
    trace_id: Option<&str>,
) -> Result<T, ReadError> {
    let text = data.map_or("null", RawValue::get);
    // Tracking the path costs as much as reading, so only bodies that cannot be read are read again for it.
    if let Ok(read) = serde_json::from_str(text) {
        return Ok(read);
    }
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| {
        let inner = error.path().to_string();
        let path = match inner.as_str() {
            "." => "data".to_owned(),
            indexed if indexed.starts_with('[') => format!("data{indexed}"),
            named => format!("data.{named}"),
        };
        ReadError::Unreadable {
            status,
            path,
            reason: without_value(&error.into_inner()),
            trace_id: trace_id.map(str::to_owned),
        }
    })
}

/// Returns only the expected type: serde's own message quotes the offending value, which may be a secret.
fn without_value(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let kept = match text.rsplit_once("expected ") {
        Some((_, expected)) => format!("expected {expected}"),
        None if text.starts_with("missing field") => text,
        None => "not as documented".to_owned(),
    };
    kept.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locations::Continent;

    #[test]
    fn a_public_answer_may_come_in_either_wrapper() {
        for body in [r#"{"code":"0","data":[],"timestamp":7}"#, r#"{"code":200,"msg":"ok","data":[]}"#] {
            assert!(read_public::<Vec<Continent>>(200, body.as_bytes()).is_ok(), "{body}");
        }
        for body in [r#"{"code":"60301","data":[]}"#, r#"{"code":200,"data":null}"#, "[]", "<html>"] {
            assert!(read_public::<Vec<Continent>>(200, body.as_bytes()).is_err(), "{body}");
        }
    }

    #[test]
    fn a_success_with_an_http_failure_is_none() {
        for status in [301, 404, 500, 502] {
            let read = read_static::<Vec<Continent>>(status, br#"{"code":"0","data":[]}"#);
            assert!(matches!(read, Err(ReadError::Unreadable { .. })), "{status}");
            let read = read_agent::<Vec<Continent>>(status, br#"{"code":200,"data":[]}"#);
            assert!(matches!(read, Err(ReadError::Unreadable { .. })), "{status}");
        }
    }

    #[test]
    fn a_trace_id_of_another_type_is_kept_as_text() {
        let read = read_static::<Vec<Continent>>(200, br#"{"code":"0","data":[],"traceId":77}"#).unwrap();
        assert_eq!(read.trace_id.as_deref(), Some("77"));
    }

    #[test]
    fn a_static_success_carries_data_clock_and_trace() {
        let body = br#"{"code":"0","msg":"success","data":[{"continentId":"3","nameZh":"x","nameEn":"Asia"}],"timestamp":1783934661982,"traceId":"t-1"}"#;
        let answer = read_static::<Vec<Continent>>(200, body).unwrap();
        assert_eq!(answer.data[0].name_en, "Asia");
        assert_eq!(answer.timestamp, Some(1_783_934_661_982));
        assert_eq!(answer.trace_id.as_deref(), Some("t-1"));
    }

    #[test]
    fn a_refusal_keeps_status_code_message_and_trace() {
        let body = br#"{"code":"60004","msg":"no money","data":null,"timestamp":5,"traceId":"t-2"}"#;
        let Err(ReadError::Refused(refusal)) = read_static::<Vec<Continent>>(200, body) else {
            panic!("not a refusal")
        };
        assert_eq!((refusal.code.as_str(), refusal.message.as_str(), refusal.status), ("60004", "no money", 200));
        assert_eq!(refusal.trace_id.as_deref(), Some("t-2"));
    }

    #[test]
    fn the_codes_of_credentials_are_told_apart_from_refusals() {
        for code in ["20000", "20010", "20011"] {
            let body = format!(r#"{{"code":"{code}","msg":"","data":null}}"#);
            let read = read_static::<Vec<Continent>>(401, body.as_bytes());
            assert!(matches!(read, Err(ReadError::NotAuthenticated(_))), "{code}");
        }
    }

    #[test]
    fn unreadable_data_is_named_by_its_path_and_never_quoted() {
        let body = br#"{"code":"0","data":[{"continentId":"1","nameZh":"","nameEn":""},{"continentId":{"secret":"hunter2"},"nameZh":"","nameEn":""}]}"#;
        let Err(ReadError::Unreadable { path, reason, .. }) = read_static::<Vec<Continent>>(200, body) else {
            panic!("readable")
        };
        assert_eq!(path, "data[1].continentId");
        assert!(!reason.contains("hunter2"), "{reason}");
    }

    #[test]
    fn a_value_in_place_of_another_is_not_quoted_in_the_reason() {
        let body = br#"{"code":"0","data":"hunter2"}"#;
        let Err(ReadError::Unreadable { path, reason, .. }) = read_static::<Vec<Continent>>(200, body) else {
            panic!("readable")
        };
        assert_eq!(path, "data");
        assert!(!reason.contains("hunter2"), "{reason}");
    }

    #[test]
    fn a_page_of_html_is_not_this_service() {
        for body in [&b"<!doctype html><p>hello"[..], b"", b"[]", b"{}", b"{\"code\":\"0\"", b"\xff\xfe"] {
            assert!(matches!(read_static::<Vec<Continent>>(200, body), Err(ReadError::NotThisService { .. })));
            assert!(matches!(read_agent::<Vec<Continent>>(200, body), Err(ReadError::NotThisService { .. })));
        }
    }

    #[test]
    fn code_200_with_null_data_is_a_refused_token() {
        let body = r#"{"code":200,"msg":"无效的认证令牌","data":null}"#.as_bytes();
        assert!(matches!(read_agent::<Vec<Continent>>(200, body), Err(ReadError::NotAuthenticated(_))));
    }

    #[test]
    fn a_write_is_accepted_by_code_200_alone_and_never_with_null_data() {
        for body in [r#"{"code":200,"msg":"操作成功"}"#, r#"{"code":"200","data":{"x":1}}"#] {
            assert!(read_agent_write(200, body.as_bytes()).is_ok(), "{body}");
        }
        for (body, authentic) in [
            (r#"{"code":200,"msg":"无效的认证令牌","data":null}"#, false),
            (r#"{"code":203,"msg":"该订单已处理"}"#, true),
            (r#"{"code":500,"msg":"x","data":null}"#, true),
        ] {
            let refused = read_agent_write(200, body.as_bytes()).unwrap_err();
            assert_eq!(matches!(refused, ReadError::Refused(_)), authentic, "{body}");
        }
        assert!(matches!(read_agent_write(502, br#"{"code":200}"#), Err(ReadError::Unreadable { .. })));
    }

    #[test]
    fn code_200_without_data_is_unreadable_not_a_refused_token() {
        let read = read_agent::<Vec<Continent>>(200, br#"{"code":200,"msg":"ok"}"#);
        assert!(matches!(read, Err(ReadError::Unreadable { .. })), "{read:?}");
    }
}
