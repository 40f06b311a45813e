//! Packs what the program carries: the licences of third parties, and the public key of its updates.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::{Compression, write::DeflateEncoder};

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let key = Path::new("../../../packaging/update.pub");
    // A missing file would count as changed at every build. Watch its folder until it appears.
    let watched = if key.exists() { key.display() } else { Path::new("../../../packaging").display() };
    println!("cargo:rerun-if-changed={watched}");
    fs::write(out.join("update.pub"), fs::read_to_string(key).unwrap_or_default())?;
    // Compressed to a seventh; unpacked when a person reads them.
    let notices = "../../../packaging/notices.txt";
    println!("cargo:rerun-if-changed={notices}");
    let mut pack = DeflateEncoder::new(fs::File::create(out.join("notices"))?, Compression::best());
    pack.write_all(&fs::read(notices)?)?;
    pack.finish().map(|_| ())
}
