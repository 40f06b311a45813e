//! Declares the window's commands to Tauri, read from the one list in `src/commands.rs`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::{env, fs, path::Path};

use flate2::{Compression, write::DeflateEncoder};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=src/commands.rs");
    // A checkout without a built front end still compiles, so that checks and tests of the libraries need none. What is
    // optimised may be given away: a blank window is not.
    let page = Path::new("../ui/dist/index.html");
    if !page.exists() {
        if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
            return Err(io::Error::other("there is no front end in ui/dist; run `cargo xtask build` first"));
        }
        fs::create_dir_all("../ui/dist")?;
        fs::write(page, "<!doctype html><title>Proxytill</title>")?;
    }
    pack_notices()?;
    let key = "../packaging/update.pub";
    println!("cargo:rerun-if-changed={key}");
    let key = fs::read_to_string(key).unwrap_or_default();
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("update.pub"), key)?;
    let list = fs::read_to_string("src/commands.rs")?;
    let listed = list.split_once("commands! {").and_then(|(_, rest)| rest.split_once("\n}")).map(|(inside, _)| inside);
    let names = listed.unwrap_or_default().lines().filter_map(|line| line.trim().split_once("::")?.1.split_once('('));
    let names: Vec<&'static str> = names.map(|(name, _)| &*name.to_owned().leak()).collect();
    let manifest = tauri_build::AppManifest::new().commands(names.leak());
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)).map_err(io::Error::other)
}

/// The licences of what the program carries: a seventh of their size, unpacked when somebody reads them.
fn pack_notices() -> io::Result<()> {
    let notices = "../packaging/notices.txt";
    println!("cargo:rerun-if-changed={notices}");
    let packed = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("notices");
    let mut pack = DeflateEncoder::new(fs::File::create(packed)?, Compression::best());
    pack.write_all(&fs::read(notices)?)?;
    pack.finish().map(|_| ())
}
