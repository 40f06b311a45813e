//! Microsoft's installer of WebView2 succeeds, fails, hangs.

use std::collections::BTreeSet;
use std::fs;
use std::time::Instant;

use super::{HOME, SHORT, Tried, WEBVIEW2, code};
use crate::wine::{is_running, until};

impl Tried {
    /// Microsoft's installer succeeds, fails, hangs; and it does not run where WebView2 is installed.
    pub(super) fn needs_webview2(&self) -> Result<String, String> {
        let before = self.names()?;
        let ran = || self.told("webview2").lines().count();
        self.ends("older", &["/S"], &[("STUB_WEBVIEW2", "7")], code::WEBVIEW2_FAILED)?;
        let begun = Instant::now();
        self.ends("older", &["/S"], &[("STUB_WEBVIEW2", "hang")], code::WEBVIEW2_HUNG)?;
        let waited = begun.elapsed().as_secs();
        if waited < u64::from(SHORT) {
            return Err(format!("WebView2's installer hung, and ours gave up after {waited} s"));
        }
        until("WebView2's installer still runs", || Ok(!is_running("WebView2.exe")))?;
        self.differs(&before, &BTreeSet::new(), "after WebView2 could not be installed")?;
        let runtime = format!(r"Microsoft\EdgeUpdate\Clients\{WEBVIEW2}");
        let wow = format!(r"HKLM\Software\Wow6432Node\{runtime}");
        let own = format!(r"HKCU\Software\{runtime}");
        // Whether each value means that WebView2 is there.
        for (key, value, is_there) in [(&wow, "0.0.0.0", false), (&wow, "1.2.3.4", true), (&own, "1.2.3.4", true)] {
            self.wine.code(&["reg", "add", key, "/v", "pv", "/d", value, "/f"], &[])?;
            let code = if is_there { code::DONE } else { code::WEBVIEW2_FAILED };
            let runs = ran() + usize::from(!is_there);
            self.ends("older", &["/S"], &[("STUB_WEBVIEW2", "7")], code)?;
            if ran() != runs {
                return Err(format!("{key} {value}: WebView2's installer ran {} times, not {runs}", ran()));
            }
            self.wine.code(&["reg", "delete", key, "/f"], &[])?;
        }
        self.ends("older", &["/S"], &[("STUB_WEBVIEW2", "0")], code::DONE)?;
        // It reports an error, but another one was faster.
        self.ends("older", &["/S"], &[("STUB_WEBVIEW2", "late")], code::DONE)?;
        self.wine.code(&["reg", "delete", &own, "/f"], &[])?;
        let told = self.told("webview2");
        if told.lines().any(|line| line != "/silent /install") || ran() != 5 {
            return Err(format!("WebView2's installer was called as\n{told}"));
        }
        self.uninstall(&self.of(HOME), code::DONE)?;
        let _ = fs::remove_file(self.wine.c(&self.of(HOME)).join("Uninstall.exe"));
        let _ = fs::remove_dir(self.wine.c(&self.of(HOME)));
        let _ = fs::remove_dir(self.wine.c(&self.of("users/USER/AppData/Local/Programs")));
        self.differs(&before, &BTreeSet::new(), "after the tries with WebView2")?;
        Ok(format!("WebView2's installer succeeds, fails, hangs ({waited} s, then ended), is left out if not needed"))
    }
}
