//! Microsoft's installers of WebView2. They are not part of the project: `cargo xtask webview2` fetches them.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::{packages, run};

use crate::project::Project;

/// An installer of WebView2.
pub(crate) struct Runtime {
    /// Name of the folder for intermediate files.
    pub(crate) name: &'static str,
    /// Where it has to be in the project.
    file: &'static str,
    /// Microsoft's permanent address of the newest one.
    address: &'static str,
}

/// Fetches the runtime while it installs.
pub(crate) const BOOTSTRAPPER: Runtime = Runtime {
    name: "setup",
    file: "target/webview2/MicrosoftEdgeWebview2Setup.exe",
    address: "https://go.microsoft.com/fwlink/p/?LinkId=2124703",
};

/// Has the runtime inside.
pub(crate) const STANDALONE: Runtime = Runtime {
    name: "offline",
    file: "target/webview2/MicrosoftEdgeWebView2RuntimeInstallerX64.exe",
    address: "https://go.microsoft.com/fwlink/p/?LinkId=2124701",
};

/// The roots of what Microsoft signs, and of the times of its signatures.
const ROOTS: [&str; 2] = ["packaging/windows/microsoft-2011.pem", "packaging/windows/microsoft-2010.pem"];

impl Runtime {
    /// Path of the installer.
    pub(crate) fn path(&self, project: &Project) -> PathBuf {
        project.path(self.file)
    }

    /// The same; it has to be there.
    pub(crate) fn file(&self, project: &Project) -> Result<PathBuf, String> {
        let path = self.path(project);
        if path.is_file() {
            return Ok(path);
        }
        let Self { file, address, .. } = self;
        Err(format!("{file} is missing: `cargo xtask webview2` fetches it, or a person from {address}"))
    }

    fn fetch(&self, project: &Project) -> Result<(), String> {
        let path = self.path(project);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        // Whoever finds the file trusts it.
        let unchecked = path.with_extension("unchecked");
        let to = unchecked.display().to_string();
        let limits = ["--proto", "=https", "--proto-redir", "=https", "--max-time", "1200", "--retry", "3"];
        let what = ["--silent", "--show-error", "--fail", "--location", "--output", &to, self.address];
        run::program("curl", &[&limits[..], &what].concat()).captured()?;
        ensure_microsofts(project, &unchecked)?;
        fs::rename(&unchecked, &path).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Fetches both installers. Their addresses give the newest version, so the signature is checked, not a checksum.
pub fn fetch(project: &Project) -> Result<(), String> {
    packages::ensure(&["curl", "osslsigncode"])?;
    for runtime in [BOOTSTRAPPER, STANDALONE] {
        println!("fetching {}", runtime.file);
        runtime.fetch(project)?;
    }
    Ok(())
}

/// Checks that a program is as Microsoft signed it. A signature holds after its certificate has expired, by its time.
fn ensure_microsofts(project: &Project, file: &Path) -> Result<(), String> {
    let [signers, times] = ROOTS.map(|root| project.path(root).display().to_string());
    let file = file.display().to_string();
    // Newer versions of the tool fetch lists of revoked certificates unless told not to; older ones do not know how.
    let told = run::program("osslsigncode", &["verify", "--help"]).captured().unwrap_or_else(|told| told);
    let alone: &[&str] = if told.contains("-ignore-crl") { &["-ignore-crl"] } else { &[] };
    let words = [&["verify"], alone, &["-CAfile", &signers, "-TSA-CAfile", &times, "-in", &file]].concat();
    let verified = run::program("osslsigncode", &words).captured();
    verified.map(drop).map_err(|told| format!("{file} is not signed by Microsoft:\n{told}"))
}

// These need the tool that checks signatures.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use crate::shipped;
    use crate::tests::project;

    #[test]
    fn only_what_microsoft_signed_is_taken_and_not_a_changed_byte() {
        packages::ensure(&["osslsigncode"]).unwrap();
        // A crate for Windows brings a file that Microsoft signed.
        let shipped = shipped::packages(&project()).unwrap();
        let brings = shipped.iter().find(|package| package.name == "webview2-com-sys").unwrap();
        let genuine = brings.folder.join("x64/WebView2Loader.dll");
        ensure_microsofts(&project(), &genuine).unwrap();
        let mut bytes = fs::read(genuine).unwrap();
        bytes[5000] ^= 1;
        let folder = tempfile::tempdir().unwrap();
        let changed = folder.path().join("changed.dll");
        fs::write(&changed, bytes).unwrap();
        assert!(ensure_microsofts(&project(), &changed).unwrap_err().contains("is not signed by Microsoft"));
    }

    #[test]
    fn a_missing_installer_is_named_with_the_place_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let missing = BOOTSTRAPPER.file(&Project::at(folder.path())).unwrap_err();
        assert!(missing.contains(BOOTSTRAPPER.file) && missing.contains(BOOTSTRAPPER.address), "{missing}");
    }
}
