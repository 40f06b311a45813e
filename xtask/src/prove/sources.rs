//! The sources that a run depends on. A piece counts for as long as they do the same: comments, documents and the unit
//! tests of other packages may change.

use std::fs;

use xtask::run;

use super::lock::Locked;

/// Where the test of a kind lies, which tells what it is built from.
#[derive(Clone, Copy)]
pub(super) enum Suite {
    /// Next to the code of `operations`.
    Operations,
    /// In `tests/fuzz`.
    Fuzz,
    Faults,
    Window,
}

/// What `operations` and its tests are built from besides `Cargo.lock` and `Cargo.toml`.
const OPERATIONS: &[&str] = &[
    ".cargo",
    "rust-toolchain.toml",
    "src-tauri/crates/client",
    "src-tauri/crates/database",
    "src-tauri/crates/files",
    "src-tauri/crates/operations",
    "src-tauri/crates/sandbox",
    "src-tauri/crates/vault",
    "src-tauri/crates/wire",
    "tests/dice",
    "tests/vendor",
];
/// What `tests/fuzz` is built from besides.
const FUZZ: &[&str] = &["src-tauri/crates/customers", "tests/fuzz"];
/// What the fault tests are built from besides.
const FAULTS: &[&str] = &[
    "src-tauri/crates/export",
    "src-tauri/crates/usage",
    "tests/Cargo.toml",
    "tests/bin",
    "tests/faults",
    "tests/fixtures",
    "tests/src",
    // How the points where tests kill it reach the core.
    "src-tauri/Cargo.toml",
    "src-tauri/crates/till/Cargo.toml",
    "xtask/src/prove.rs",
];
/// What the window tests are built from besides.
const WINDOW: &[&str] = &["src-tauri", "tests/e2e", "ui"];
/// The packages of the fault and window tests: they are built together, so each adds features to what both need.
const TOGETHER: &[&str] = &["tests", "proxytill"];

impl Suite {
    /// The flags that it is built with, the same for every piece. Rules and decoders are tested without the window, which
    /// takes most of the time of building.
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Operations => &["--release", "--package", "operations", "--features", "operations/under-test"],
            Self::Fuzz => &["--release", "--package", "fuzz"],
            Self::Faults | Self::Window => &super::RELEASE,
        }
    }

    /// The identity of what a run is built from, as checked out, and of what it is asked to do. The caller makes sure that
    /// the sources are committed.
    ///
    /// # Errors
    /// When git fails or a file cannot be read.
    pub(super) fn sources(self, asked: &str) -> Result<String, String> {
        // The folder of the run's own tests, and what they are built from.
        let (own, paths, packages): (_, _, &[&str]) = match self {
            Self::Operations => ("src-tauri/crates/operations/", OPERATIONS.to_vec(), &["operations"]),
            Self::Fuzz => ("tests/", [OPERATIONS, FUZZ].concat(), &["fuzz"]),
            Self::Faults => ("tests/", [OPERATIONS, FUZZ, FAULTS].concat(), TOGETHER),
            Self::Window => ("tests/", [OPERATIONS, FUZZ, FAULTS, WINDOW].concat(), TOGETHER),
        };
        let read = |name: &str| fs::read_to_string(run::root().join(name)).map_err(|error| format!("{name}: {error}"));
        let (lock, manifest) = (read("Cargo.lock")?, read("Cargo.toml")?);
        let locked = Locked::of(&lock, packages)?;
        let mut hash = Fnv::default();
        hash.bytes(asked.as_bytes());
        locked.entries().chain(locked.manifest(&manifest)).for_each(|text| hash.bytes(text.as_bytes()));
        for name in
            run::program("git", &[&["ls-files", "-z", "--"], &paths[..]].concat()).printed()?.split_terminator('\0')
        {
            let bytes = fs::read(run::root().join(name)).map_err(|error| format!("{name}: {error}"))?;
            hash.file(name, &bytes, name.starts_with(own));
        }
        Ok(format!("{:016x}", hash.0))
    }
}

/// FNV-1a: it only has to tell two states of the sources apart.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// `is_own`: its unit tests belong to the run. Of other packages they are not built.
    fn file(&mut self, name: &str, bytes: &[u8], is_own: bool) {
        if name.ends_with(".md") {
            return;
        }
        self.bytes(name.as_bytes());
        if name.ends_with(".rs") {
            // Comments, blank lines and indentation are left out, in texts of several lines too: none of theirs decides
            // anything here.
            let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
            let mut code = lines.filter(|line| !line.is_empty() && !line.starts_with(b"//")).peekable();
            while let Some(line) = code.next() {
                // Tests are at the end of a file.
                let begins_tests = line == b"#[cfg(test)]" && code.peek().is_some_and(|next| *next == b"mod tests {");
                if begins_tests && !is_own {
                    break;
                }
                self.bytes(line);
            }
        } else {
            self.bytes(bytes);
        }
    }

    /// Adds one text, with an end that no text has: two that follow each other are not the same as one.
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> u64 {
        let mut hash = Fnv::default();
        files.iter().for_each(|(name, text)| hash.file(name, text.as_bytes(), false));
        hash.0
    }

    #[test]
    fn tests_of_other_packages_may_change_and_own_ones_may_not() {
        let of = |text: &str, is_own| {
            let mut hash = Fnv::default();
            hash.file("a.rs", text.as_bytes(), is_own);
            hash.0
        };
        let [one, other] =
            ["two", "three"].map(|test| format!("fn one() {{}}\n\n#[cfg(test)]\nmod tests {{\n    {test}\n}}\n"));
        assert_eq!(of(&one, false), of(&other, false));
        assert_ne!(of(&one, true), of(&other, true));
        // What is built for tests elsewhere is no test of its own.
        let helper = |body: &str| format!("#[cfg(test)]\nfn helper() {{ {body} }}\n");
        assert_ne!(of(&helper("1"), false), of(&helper("2"), false));
    }

    #[test]
    fn words_may_change_and_code_may_not() {
        let code = of(&[("a.rs", "//! Says.\nfn one() {\n    two();\n}\n")]);
        assert_eq!(
            code,
            of(&[("a.rs", "//! Says more.\n\nfn one() {\n    // Why.\n    two();\n}\n"), ("README.md", "Text")])
        );
        for other in ["fn one() {\n    two(); // Why.\n}\n", "fn one() {\n    three();\n}\n", "fn one() { two();}"] {
            assert_ne!(code, of(&[("a.rs", other)]), "{other}");
        }
        assert_ne!(code, of(&[("b.rs", "fn one() {\n    two();\n}\n")]));
        assert_ne!(of(&[("a.sql", "-- one")]), of(&[("a.sql", "-- two")]));
    }
}
