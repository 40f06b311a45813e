//! `prove`: the long runs, in pieces. The result of each piece is stored in a file that is committed, so that a run of
//! several days continues wherever that is checked out. Everything uses the optimised build, and all but the fuzz tests
//! the marked points where tests may kill it.

mod lock;
mod pieces;
mod proofs;
mod report;
mod sources;

use std::fs;

use pieces::{At, Piece, Pieces};
use proofs::{PROOFS, Proof};
use xtask::{packages, run};

/// The flags for what starts programs.
const RELEASE: [&str; 7] =
    ["--release", "--package", "tests", "--package", "proxytill", "--features", "proxytill/under-test"];
const REPORT: &str = "tests/proof.md";

/// Runs what has not run yet: all of it, after a tenth of each kind; a tenth; all of the kinds that are named, one after
/// the other; or nothing, for the report alone.
pub(crate) fn all(asked: &[String]) -> Result<(), String> {
    let words: Vec<&str> = asked.iter().map(String::as_str).collect();
    let (kinds, parts): (Vec<&Proof>, &[u64]) = match words[..] {
        [] => (PROOFS.iter().collect(), &[10, 1]),
        ["tenth"] => (PROOFS.iter().collect(), &[10]),
        ["report"] => (Vec::new(), &[]),
        _ => (words.into_iter().map(named).collect::<Result<_, _>>()?, &[1]),
    };
    let mut pieces = Pieces::read()?;
    if !parts.is_empty() {
        if kinds.iter().any(|proof| proof.starts_programs()) {
            packages::ensure(packages::WINDOW)?;
            packages::ensure(packages::PEERS)?;
            build()?;
        }
        for part in parts {
            for proof in &kinds {
                part_of(proof, *part, &mut pieces)?;
            }
        }
    }
    // A run beside this one may have stored others meanwhile.
    let pieces = Pieces::read()?;
    fs::write(run::root().join(REPORT), report::of(&pieces)?).map_err(|error| format!("{REPORT}: {error}"))?;
    println!("{REPORT}");
    Ok(())
}

fn named(kind: &str) -> Result<&'static Proof, String> {
    let names = || PROOFS.each_ref().map(|proof| proof.name).join(", ");
    let found = PROOFS.iter().find(|proof| proof.name == kind);
    found.ok_or_else(|| format!("`{kind}`: unknown, use `tenth`, `report` or some of {}", names()))
}

/// Builds the program and the programs that the tests start.
fn build() -> Result<(), String> {
    xtask::prepare()?;
    println!("building the optimised programs; this takes long the first time");
    // The practice service as a separate process belongs to a package that no piece tests.
    run::cargo(&[&["build"], &RELEASE[..], &["--package", "sandbox", "--bins"]].concat()).shown()
}

/// Runs the missing pieces of a part of one kind.
fn part_of(proof: &Proof, part: u64, pieces: &mut Pieces) -> Result<(), String> {
    let all = proof.share(part);
    for from in (0..all).step_by(usize::try_from(proof.piece).unwrap_or_default()) {
        let at = At::now(proof)?;
        if !pieces.has(proof, from, &at.sources) {
            let told = piece(proof, from)?;
            if At::now(proof)? != at {
                return Err(format!("{} from seed {from}: something was committed meanwhile", proof.word));
            }
            pieces.add(Piece::of(proof, from, &at, &told))?;
        }
        println!("{} of {all} {}", from + proof.piece, proof.word);
    }
    Ok(())
}

/// Output of a piece.
fn piece(proof: &Proof, from: u64) -> Result<String, String> {
    let mut test = proof.run();
    test.env(proof.asks[0], proof.piece.to_string()).env(proof.asks[1], from.to_string());
    let told = test.captured().map_err(|told| format!("{} from seed {from} failed:\n{told}", proof.word))?;
    if !told.contains(&format!("{} {} from seed {from}", proof.piece, proof.word)) {
        return Err(format!("{} from seed {from} were not run:\n{told}", proof.word));
    }
    Ok(told)
}
