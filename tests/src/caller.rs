//! A caller that does not use the client: bare HTTP, as from curl.

use reqwest::RequestBuilder;
use sandbox::Service;
use serde_json::{Value, json};

use crate::service::{http, start};
use sandbox::THREE_IN_JAPAN;

/// The practice service and a caller of it.
pub struct Caller {
    /// The service, in this process.
    pub service: Service,
    http: reqwest::Client,
}

/// An answer.
#[derive(Debug)]
pub struct Said {
    /// The HTTP status.
    pub status: u16,
    /// The body; null if it is not JSON.
    pub body: Value,
}

impl Said {
    /// Returns the data of a successful answer in the static-IP area.
    pub fn data(&self) -> &Value {
        assert_eq!((self.status, &self.body["code"]), (200, &json!("0")), "{}", self.body);
        &self.body["data"]
    }

    /// Checks the wrapper of a refusal in the static-IP area. Returns its status and code.
    pub fn refusal(&self) -> (u16, &str) {
        assert!(self.body["data"].is_null(), "a refusal carries no data: {}", self.body);
        assert!(self.body["timestamp"].is_i64() && self.body["traceId"].is_string(), "{}", self.body);
        (self.status, self.body["code"].as_str().unwrap_or_default())
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        self.body["msg"].as_str().unwrap_or_default()
    }
}

impl Caller {
    /// Starts a service to call.
    pub async fn new() -> Self {
        Self { service: start().await, http: http() }
    }

    /// Makes a request to a path, without credentials.
    pub fn bare(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.service.base_url()))
    }

    /// Makes a request in the static-IP area, with credentials.
    pub fn to_static(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        let who = &self.service.world.options.credentials;
        let request = self.bare(method, &format!("/api/open/staticip/{path}"));
        request.header("UserId", &who.user_id).header("Token", &who.static_token)
    }

    /// Sends a `GET` in the static-IP area.
    pub async fn get(&self, path: &str) -> Said {
        send(self.to_static(reqwest::Method::GET, path)).await
    }

    /// Sends a `POST` in the static-IP area.
    pub async fn post(&self, path: &str, body: Value) -> Said {
        send(self.to_static(reqwest::Method::POST, path).json(&body)).await
    }

    /// Sends a `POST` with text that may not be JSON.
    pub async fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> Said {
        send(self.to_static(reqwest::Method::POST, path).body(body)).await
    }

    /// Sends a `GET` in the traffic and customer areas.
    pub async fn get_agent(&self, path: &str) -> Said {
        let token = &self.service.world.options.credentials.agent_token;
        send(self.bare(reqwest::Method::GET, &format!("/prod-api{path}")).header("token", token)).await
    }

    /// Returns the body of an order for [`THREE_IN_JAPAN`] with a change, at its price.
    pub async fn order_for(&self, change: Value) -> Value {
        let config = with(config(), change);
        let said = self.post("purchase/quote", json!({"config": config})).await;
        let quote = said.data();
        json!({"quoteId": quote["quoteId"], "quoteVersion": quote["quoteVersion"], "config": config})
    }

    /// Places and pays an order, with or without a key.
    pub async fn place(&self, body: &Value, key: Option<&str>) -> Said {
        let mut request = self.to_static(reqwest::Method::POST, "purchase/orders/place-and-pay").json(body);
        if let Some(key) = key {
            request = request.header("X-Idempotency-Key", key);
        }
        send(request).await
    }

    /// Returns the wallet's balance in USD, as text.
    pub fn wallet(&self) -> String {
        self.service.world.wallet().expect("a ledger").to_string()
    }
}

/// Sends a request and reads the answer.
pub async fn send(request: RequestBuilder) -> Said {
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("a body");
    Said { status, body: serde_json::from_str(&text).unwrap_or_default() }
}

/// Returns [`THREE_IN_JAPAN`] as JSON.
pub fn config() -> Value {
    serde_json::from_str(THREE_IN_JAPAN).expect("JSON")
}

/// Sets members of an object, or removes those that are null in the change.
pub fn with(mut object: Value, change: Value) -> Value {
    let members = object.as_object_mut().expect("an object");
    for (name, value) in change.as_object().expect("an object") {
        if value.is_null() {
            members.remove(name);
        } else {
            members.insert(name.clone(), value.clone());
        }
    }
    object
}
