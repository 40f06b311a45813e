//! `prove`: the long runs at full figures, in pieces whose results are stored, so that an interrupted run continues.
//! Everything uses the optimised build with the marked points where tests may kill it.

mod proofs;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use proofs::{PROOFS, Proof};
use xtask::{packages, run};

/// The same flags for every piece, so that nothing is built twice.
const RELEASE: [&str; 11] = [
    "--release",
    "--package",
    "operations",
    "--package",
    "fuzz",
    "--package",
    "tests",
    "--package",
    "proxytill",
    "--features",
    "proxytill/under-test",
];
const REPORT: &str = "target/prove/report.md";

pub(crate) fn all(share: Option<&str>) -> Result<(), String> {
    let part = match share {
        None => 1,
        Some("tenth") => 10,
        Some(other) => return Err(format!("`{other}`: unknown, use `prove` or `prove tenth`")),
    };
    let commit = run::commit()?;
    packages::ensure(packages::WINDOW)?;
    packages::ensure(packages::PEERS)?;
    build()?;
    let folder = run::root().join("target/prove").join(&commit);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut told = Vec::new();
    for proof in &PROOFS {
        let all = proof.share(part);
        let mut pieces = Vec::new();
        for from in (0..all).step_by(usize::try_from(proof.piece).unwrap_or_default()) {
            pieces.push(piece(proof, &folder, from)?);
            println!("{} of {all} {}", from + proof.piece, proof.word);
        }
        told.push(pieces);
    }
    let report = report::of(&commit, part, &told);
    fs::write(run::root().join(REPORT), &report).map_err(|error| error.to_string())?;
    println!("{REPORT}\n\n{report}");
    Ok(())
}

/// Builds the program and the programs that the tests start.
fn build() -> Result<(), String> {
    xtask::prepare()?;
    println!("building the optimised programs; this takes long the first time");
    // The practice service as a separate process belongs to a package that no piece tests.
    run::cargo(&[&["build"], &RELEASE[..], &["--package", "sandbox", "--bins"]].concat()).shown()
}

/// Output of a piece, from its file if it ran before.
fn piece(proof: &Proof, folder: &Path, from: u64) -> Result<String, String> {
    let file: PathBuf = folder.join(format!("{}-{from}.txt", proof.name));
    if let Ok(told) = fs::read_to_string(&file) {
        return Ok(told);
    }
    let mut test = proof.run();
    test.env(proof.asks[0], proof.piece.to_string()).env(proof.asks[1], from.to_string());
    let told = test.captured().map_err(|told| format!("{} from seed {from} failed:\n{told}", proof.word))?;
    if !told.contains(&format!("{} {} from seed {from}", proof.piece, proof.word)) {
        return Err(format!("{} from seed {from} were not run:\n{told}", proof.word));
    }
    fs::write(&file, &told).map_err(|error| error.to_string())?;
    Ok(told)
}
