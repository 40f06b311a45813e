//! The two response wrappers, and the one error type that becomes them.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

/// A success of the static-IP area.
pub(crate) struct Success<T>(pub(crate) i64, pub(crate) T);

impl<T: Serialize> IntoResponse for Success<T> {
    fn into_response(self) -> Response {
        static_wrapper(StatusCode::OK, "0", "success", self.1, self.0)
    }
}

/// A refusal of the static-IP area.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl Refusal {
    /// A business rule refuses: HTTP 200 with a code.
    pub(crate) fn business(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::OK, code, message: message.into() }
    }

    /// The body is wrong; `message` names the field.
    pub(crate) fn body(message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code: "40000", message: message.into() }
    }

    /// The same, with the path of the value put before the message.
    pub(crate) fn below(mut self, path: &str) -> Self {
        self.message = format!("{path}.{}", self.message);
        self
    }

    /// The static-IP area has no such path.
    pub(crate) fn unknown_path() -> Self {
        Self { status: StatusCode::NOT_FOUND, code: "40400", message: "no such path".into() }
    }

    /// The credentials are wrong.
    pub(crate) fn credentials(code: &'static str, message: &str) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, code, message: message.into() }
    }

    pub(crate) fn respond(self, now: i64) -> Response {
        static_wrapper(self.status, self.code, &self.message, Value::Null, now)
    }
}

/// The ledger itself failed. The message holds SQLite's error.
impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, code: "50000", message: format!("ledger: {error}") }
    }
}

pub(crate) fn static_wrapper(status: StatusCode, code: &str, msg: &str, data: impl Serialize, now: i64) -> Response {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Wrapper<'a, T> {
        code: &'a str,
        msg: &'a str,
        data: T,
        timestamp: i64,
        trace_id: String,
    }
    let trace_id = uuid::Uuid::new_v4().to_string();
    respond(status, &Wrapper { code, msg, data, timestamp: now, trace_id })
}

/// An answer of the traffic and customer areas.
pub(crate) fn agent_wrapper(status: StatusCode, code: i64, msg: &str, data: impl Serialize) -> Response {
    #[derive(Serialize)]
    struct Wrapper<'a, T> {
        code: i64,
        msg: &'a str,
        data: T,
    }
    respond(status, &Wrapper { code, msg, data })
}

/// "An authentication failure on these paths returns code 200 … and data null."
pub(crate) fn agent_not_authenticated() -> Response {
    agent_wrapper(StatusCode::OK, 200, "无效的认证令牌", Value::Null)
}

fn is_static(path: &str) -> bool {
    path.starts_with("/api/open/staticip/")
}

/// An otherwise good answer without data, in the envelope of the path's area.
pub(crate) fn null_data(path: &str, now: i64) -> Response {
    if is_static(path) { Success(now, Value::Null).into_response() } else { agent_not_authenticated() }
}

/// A refusal without a reason, in the envelope of the path's area.
pub(crate) fn refused(path: &str, code: Option<&str>, now: i64) -> Response {
    if is_static(path) {
        let code = code.unwrap_or("60399");
        // The contract gives the status of these codes only.
        let status = if code.starts_with("200") { StatusCode::UNAUTHORIZED } else { StatusCode::OK };
        static_wrapper(status, code, "refused", Value::Null, now)
    } else {
        let code = code.and_then(|code| code.parse().ok()).unwrap_or(500);
        agent_wrapper(StatusCode::OK, code, "refused", Value::Null)
    }
}

/// A refusal with its text, in the envelope of the path's area.
pub(crate) fn said(path: &str, status: StatusCode, code: &'static str, words: &str, now: i64) -> Response {
    if is_static(path) {
        static_wrapper(status, code, words, Value::Null, now)
    } else {
        agent_wrapper(status, code.parse().unwrap_or(500), words, Value::Null)
    }
}

/// A path that does not exist, in the envelope of its area.
pub(crate) fn not_found(path: &str, now: i64) -> Response {
    if is_static(path) {
        Refusal::unknown_path().respond(now)
    } else {
        agent_wrapper(StatusCode::NOT_FOUND, 404, "no such path", Value::Null)
    }
}

/// A success of the traffic and customer areas with its data.
pub(crate) fn agent_data(data: impl Serialize) -> Response {
    agent_wrapper(StatusCode::OK, 200, "操作成功", data)
}

/// The answer to a write of these areas: code and message, no `data` at all.
pub(crate) fn agent_said(code: i64, msg: &str) -> Response {
    respond(StatusCode::OK, &json!({"code": code, "msg": msg}))
}

/// The answer of `addUser`: its fields are next to code and message.
pub(crate) fn agent_object(whole: &Value) -> Response {
    respond(StatusCode::OK, whole)
}

/// A page in the form of the lists of the traffic and customer areas.
pub(crate) fn page(total: i64, rows: impl Serialize) -> Response {
    #[derive(Serialize)]
    struct Page<T> {
        total: i64,
        rows: T,
        code: i64,
        msg: &'static str,
        other: Value,
    }
    agent_data(Page { total, rows, code: 200, msg: "查询成功", other: Value::Null })
}

fn respond(status: StatusCode, body: &impl Serialize) -> Response {
    let text = serde_json::to_string(body).unwrap_or_default();
    let json = HeaderValue::from_static("application/json;charset=UTF-8");
    (status, [(header::CONTENT_TYPE, json)], text).into_response()
}
