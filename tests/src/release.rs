//! A newer version of the program, as its makers would publish it: a file, its signature and the feed.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use serde_json::{Value, json};

/// A published version.
pub struct Release {
    /// Both halves of the key.
    pub key: KeyPair,
    /// The package.
    pub file: Vec<u8>,
    /// The feed, with `@/` in place of the server's address.
    pub feed: Value,
}

/// Returns the file name of a version's Debian package, as it is signed.
pub fn deb(version: &str) -> String {
    format!("proxytill_{version}_amd64.deb")
}

impl Release {
    /// Makes a version for Debian.
    pub fn of(version: &str) -> Self {
        let key = KeyPair::generate_unencrypted_keypair().expect("a key");
        let file = b"!<arch>\ndebian-binary   the newer program".to_vec();
        let signature = signed(&key, &file, &format!("file:{}\tversion:{version}", deb(version)));
        let feed = json!({
            "version": version,
            "notes": "- Something new\n- Something mended\n",
            "notes-zh-CN": "- 新增内容\n- 修复内容\n",
            "pub_date": "2031-02-03T00:00:00Z",
            "platforms": { "linux-x86_64-deb": { "url": "@/file", "signature": signature } },
        });
        Self { key, file, feed }
    }

    /// Returns the public half of the key, as the program carries it.
    pub fn public(&self) -> String {
        self.key.pk.to_box().expect("a key").into_string()
    }
}

/// Makes a signature in the form that the feed has.
pub fn signed(key: &KeyPair, bytes: &[u8], trusted: &str) -> String {
    let signature = minisign::sign(Some(&key.pk), &key.sk, Cursor::new(bytes), Some(trusted), None);
    STANDARD.encode(signature.expect("a signature").to_string())
}

/// Makes a stand-in for the system's dialog, in a folder of its own. It exits with this code, and installs if the code
/// is 0. Returns the script and the place where it installs.
pub fn consent(folder: &Path, code: i32) -> (PathBuf, PathBuf) {
    let (script, installed) = (folder.join("consent"), folder.join("installed"));
    let copy = format!("for last; do :; done; cp \"$last\" {}", installed.display());
    std::fs::write(&script, format!("#!/bin/sh\n{}\nexit {code}\n", if code == 0 { &copy } else { "true" }))
        .expect("a script");
    let made = std::process::Command::new("chmod").arg("+x").arg(&script).status();
    assert!(made.expect("chmod").success());
    (script, installed)
}
