//! The desktop's portal, as far as it says whether the desktop is dark.

use std::collections::HashMap;

use zbus::blocking::{Connection, connection};
use zbus::fdo;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::{OwnedValue, Value};

const PATH: &str = "/org/freedesktop/portal/desktop";
const NAMESPACE: &str = "org.freedesktop.appearance";
const KEY: &str = "color-scheme";

/// A portal, until it is dropped.
pub struct Portal(Connection);

struct Settings {
    is_dark: bool,
}

/// "Settings" of the portal's documentation, version 1: the value is in a variant within the answer's own.
#[zbus::interface(name = "org.freedesktop.portal.Settings")]
impl Settings {
    fn read(&self, namespace: &str, key: &str) -> fdo::Result<OwnedValue> {
        if (namespace, key) != (NAMESPACE, KEY) {
            return Err(fdo::Error::Failed("no such setting".into()));
        }
        OwnedValue::try_from(Value::Value(Box::new(scheme(self.is_dark))))
            .map_err(|error| fdo::Error::Failed(error.to_string()))
    }

    fn read_all(&self, _namespaces: Vec<String>) -> HashMap<String, HashMap<String, OwnedValue>> {
        HashMap::new()
    }

    #[zbus(signal)]
    async fn setting_changed(
        emitter: &SignalEmitter<'_>,
        namespace: &str,
        key: &str,
        value: Value<'_>,
    ) -> zbus::Result<()>;
}

/// Reads and never answers.
struct Silent;

#[zbus::interface(name = "org.freedesktop.portal.Settings")]
impl Silent {
    async fn read(&self, _namespace: &str, _key: &str) -> fdo::Result<OwnedValue> {
        std::future::pending().await
    }
}

fn scheme(is_dark: bool) -> Value<'static> {
    Value::from(if is_dark { 1_u32 } else { 2 })
}

impl Portal {
    /// Serves it on a bus.
    pub fn at(address: &str, is_dark: bool) -> Self {
        let bus = connection::Builder::address(address).expect("an address");
        let bus = bus.name("org.freedesktop.portal.Desktop").expect("a name");
        Self(bus.serve_at(PATH, Settings { is_dark }).expect("a path").build().expect("the bus"))
    }

    /// Takes the portal's name on a bus and answers nothing.
    pub fn silent(address: &str) -> Self {
        let bus = connection::Builder::address(address).expect("an address");
        let bus = bus.name("org.freedesktop.portal.Desktop").expect("a name");
        Self(bus.serve_at(PATH, Silent).expect("a path").build().expect("the bus"))
    }

    /// The person switches the desktop.
    pub fn switch(&self, is_dark: bool) {
        let settings = self.0.object_server().interface::<_, Settings>(PATH).expect("it is served");
        let changed = Settings::setting_changed(settings.signal_emitter(), NAMESPACE, KEY, scheme(is_dark));
        zbus::block_on(changed).expect("the bus");
    }
}
