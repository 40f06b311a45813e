//! Declares the window's commands to Tauri, read from the one list in `src/commands.rs`.

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=src/commands.rs");
    // A checkout without a built front end still compiles, so that checks and tests of the libraries need none. What is
    // optimised may be given away: a blank window is not.
    let page = Path::new("../ui/dist/index.html");
    if !page.exists() {
        if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
            return Err(io::Error::other("there is no front end in ui/dist; run `cargo xtask build` first"));
        }
        fs::create_dir_all("../ui/dist")?;
        fs::write(page, "<!doctype html><title>Proxytill</title>")?;
    }
    let list = fs::read_to_string("src/commands.rs")?;
    let listed = list.split_once("commands! {").and_then(|(_, rest)| rest.split_once("\n}")).map(|(inside, _)| inside);
    let names = listed.unwrap_or_default().lines().filter_map(|line| line.trim().split_once("::")?.1.split_once('('));
    let names: Vec<&'static str> = names.map(|(name, _)| &*name.to_owned().leak()).collect();
    let manifest = tauri_build::AppManifest::new().commands(names.leak());
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)).map_err(io::Error::other)
}
