//! Whether the desktop is dark. On Linux its portal says so ("Settings", version 1), and the web view does not ask. Tauri
//! can ask too, but keeps the window from opening while the portal hangs, and changes a window that the person made
//! light.

use parking_lot::Mutex;
use tauri::{AppHandle, Theme};
use till::settings::Appearance;

/// What the window follows.
#[derive(Default)]
pub(crate) struct Desktop(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    appearance: Appearance,
    /// What the desktop prefers; `None` if it does not say.
    desktop: Option<Theme>,
    /// The theme that the window was last given; `None`: it follows the system's own settings.
    shown: Option<Theme>,
}

impl Desktop {
    /// Follows what the person chose.
    pub(crate) fn choose(&self, handle: &AppHandle, appearance: Appearance) {
        self.change(handle, |seen| seen.appearance = appearance);
    }

    /// Follows what the desktop prefers; `None` if it does not say.
    #[cfg(target_os = "linux")]
    pub(crate) fn prefer(&self, handle: &AppHandle, theme: Option<Theme>) {
        self.change(handle, |seen| seen.desktop = theme);
    }

    fn change(&self, handle: &AppHandle, change: impl FnOnce(&mut Seen)) {
        let mut seen = self.0.lock();
        change(&mut seen);
        let theme = match seen.appearance {
            Appearance::System => seen.desktop,
            Appearance::Light => Some(Theme::Light),
            Appearance::Dark => Some(Theme::Dark),
        };
        if theme != seen.shown {
            seen.shown = theme;
            handle.set_theme(theme);
        }
    }
}

/// Follows the desktop until the program ends, with the theme that it asks for. Never waits.
#[cfg(target_os = "linux")]
pub(crate) fn follow(changed: impl Fn(Option<Theme>) + Send + 'static) {
    std::thread::spawn(move || {
        if let Err(error) = portal::watch(changed) {
            tracing::info!(%error, "the desktop does not say whether it is dark");
        }
    });
}

#[cfg(target_os = "linux")]
mod portal {
    use tauri::Theme;
    use zbus::blocking::{Connection, Proxy};
    use zbus::zvariant::{OwnedValue, Value};

    const APPEARANCE: (&str, &str) = ("org.freedesktop.appearance", "color-scheme");

    /// Tells what the desktop prefers now, and whenever that changes.
    pub(super) fn watch(tell: impl Fn(Option<Theme>)) -> zbus::Result<()> {
        let bus = Connection::session()?;
        let (name, path) = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop");
        let settings = Proxy::new(&bus, name, path, "org.freedesktop.portal.Settings")?;
        // First, so that no change is missed.
        let changes = settings.receive_signal("SettingChanged")?;
        let now: OwnedValue = settings.call("Read", &APPEARANCE)?;
        if let Some(theme) = theme(&now) {
            tell(Some(theme));
        }
        for change in changes {
            let body = change.body();
            let (namespace, key, value): (String, String, OwnedValue) = body.deserialize()?;
            if (namespace.as_str(), key.as_str()) == APPEARANCE {
                tell(theme(&value));
            }
        }
        Ok(())
    }

    /// The answer of `Read` has a variant within a variant.
    fn theme(value: &Value<'_>) -> Option<Theme> {
        match value {
            Value::Value(inner) => theme(inner),
            Value::U32(1) => Some(Theme::Dark),
            Value::U32(2) => Some(Theme::Light),
            _ => None,
        }
    }
}
