//! Everything that is pushed to the page.

use operations::OperationId;
use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;
use wire::ids::OrderNo;

use crate::drops::DroppedFile;
use crate::proxy_tests::ProxyTested;

/// An event that is pushed to the page, which listens to its name and gets the payload.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "name", content = "payload", rename_all = "kebab-case")]
pub enum Event {
    /// Operations changed, and the page reads them again. Names the first of a group; `None` if some were missed.
    OperationChanged(Option<OperationId>),
    /// An order changed at the vendor; the page reads it again.
    OrderChanged(OrderNo),
    /// The vendor's list of IPs, or an order that nobody had opened, was read; the page asks for My IPs again.
    IpsChanged,
    /// What is known of a connection's vendor changed; the page asks for it again. Names the connection.
    VendorChanged(String),
    /// More of the usage report is stored.
    UsageProgress(usage::Progress),
    /// More of an export is written.
    ExportProgress(ExportProgress),
    /// One more proxy was tested.
    ProxyTested(ProxyTested),
    /// Seconds until the first waiting read is repeated, because the vendor asks reads to wait; `None` when none waits.
    ReadsWaiting(Option<f64>),
    /// The state of updates changed; the page asks for it again.
    UpdateChanged,
    /// Files are dragged over the window, or no longer.
    FileDragged(bool),
    /// Something was dropped on the window.
    FileDropped(DroppedFile),
    /// The window is to close while work is under way: the page asks.
    CloseAsked,
    /// An item of the menu bar was clicked: the id of the key that the page runs.
    MenuChosen(String),
}

impl Event {
    /// The name that the page listens to, and the payload; `null` for an event without one.
    pub fn parts(&self) -> (String, Value) {
        let Ok(Value::Object(mut parts)) = serde_json::to_value(self) else { return Default::default() };
        let name = parts.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        (name, parts.remove("payload").unwrap_or_default())
    }
}

/// The progress of an export.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct ExportProgress {
    /// Rows written.
    pub rows: usize,
    /// Number of all rows.
    pub total: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::proxy_tests::Outcome;
    use operations::GoodsKey;

    #[test]
    fn the_page_gets_a_name_and_a_payload() {
        let parts = |event: Event| {
            let (name, payload) = event.parts();
            (name, payload.to_string())
        };
        let expected = |name: &str, payload: &str| (name.to_owned(), payload.to_owned());
        assert_eq!(
            parts(Event::OperationChanged(Some(OperationId("7".into())))),
            expected("operation-changed", "\"7\"")
        );
        assert_eq!(parts(Event::OperationChanged(None)), expected("operation-changed", "null"));
        assert_eq!(parts(Event::OrderChanged(OrderNo::new("A1"))), expected("order-changed", "\"A1\""));
        assert_eq!(parts(Event::IpsChanged), expected("ips-changed", "null"));
        assert_eq!(parts(Event::VendorChanged("c1".into())), expected("vendor-changed", "\"c1\""));
        let written = ExportProgress { rows: 1, total: 2 };
        assert_eq!(parts(Event::ExportProgress(written)), expected("export-progress", r#"{"rows":1,"total":2}"#));
        let key = GoodsKey { order_no: OrderNo::new("A1"), host: "192.0.2.1".into(), port: 80 };
        let tested = ProxyTested { key, outcome: Outcome::TimedOut, at: 7 };
        let told = r#"{"key":"A1 192.0.2.1 80","outcome":{"is":"timed-out"},"at":7}"#;
        assert_eq!(parts(Event::ProxyTested(tested)), expected("proxy-tested", told));
        assert_eq!(parts(Event::ReadsWaiting(Some(3.0))), expected("reads-waiting", "3.0"));
        assert_eq!(parts(Event::UpdateChanged), expected("update-changed", "null"));
        assert_eq!(parts(Event::FileDragged(true)), expected("file-dragged", "true"));
        let file = DroppedFile { number: 1, name: "a.csv".into(), problem: None };
        let told = r#"{"number":1,"name":"a.csv","problem":null}"#;
        assert_eq!(parts(Event::FileDropped(file)), expected("file-dropped", told));
        assert_eq!(parts(Event::CloseAsked), expected("close-asked", "null"));
        assert_eq!(parts(Event::MenuChosen("back".into())), expected("menu-chosen", "\"back\""));
    }
}
