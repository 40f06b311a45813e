//! The report: the runs, the events that would have ended them, and their own counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use xtask::run;

use super::pieces::{FILE, Piece, Pieces};
use super::proofs::{PROOFS, Proof};

/// Number of times each cell was reached: kind, hazard, first send or in doubt.
type Cells = BTreeMap<[String; 3], u64>;

/// Parts of the proof's plan that no row covers.
const ABSENT: &str = "\
- T3, T4, T6 to T8 and T20 play the practice service alone. The second service plays T1 (three of its seven presets), T2 (two) and
  T5 (three), and the contract and fault tests.
- T1 plays no timers and no workers: they are real in T2, T5 and the fault tests.
- T12 runs without checks of overflow here; a quarter of a million inputs of each kind run with them in `cargo xtask test`.
- T17 runs in every `cargo xtask test` (`tests/faults/linux/updates.rs`).
- T18 and T19: [adequacy](adequacy.md).
";

/// Writes the report of what ran on the sources of today, and of what ran only on earlier ones.
///
/// # Errors
/// When git fails, or something is not committed.
pub(super) fn of(pieces: &Pieces) -> Result<String, String> {
    // What is not committed would be taken for the sources of today.
    run::commit_but(&[FILE, super::REPORT])?;
    let mut text = "# Proof\n\nThe program is optimised, and built with the points where tests kill it. Written by `cargo xtask prove`. A run stops at \
         the first thing that would have ended it, and nothing is stored of that piece.\n\n\
         | What | Run | Goal of a release | Commit | Seeds | Would have ended it | Counted on the way |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    let mut all = Vec::new();
    for proof in &PROOFS {
        let of_today: Vec<&Piece> = pieces.of(proof, &proof.sources()?).collect();
        let is_older = of_today.is_empty();
        let ran = if is_older { pieces.before(proof) } else { of_today };
        let (run, counted) = (ran.len() as u64 * proof.piece, counted(proof, &ran));
        let commits: BTreeSet<&str> = ran.iter().map(|piece| piece.commit.as_str()).collect();
        let commits =
            commits.into_iter().collect::<Vec<_>>().join(" ") + if is_older { ", earlier sources" } else { "" };
        let _ = writeln!(
            text,
            "| {} | {run} | {} | {} | {} | {} | {counted} |",
            proof.what,
            proof.full,
            if run == 0 { "-" } else { &commits },
            seeds(proof, run),
            proof.stops_at
        );
        all.extend(ran);
    }
    let _ = write!(
        text,
        "\n\"Done twice\" is what the program sent twice; a proxy that repeats a deduction is part of the schedules, and \
         there the person is told.\n\n## Not in this report\n{ABSENT}\n## Cells\nHow often the simulation reached each cell of \
         the hazard table.\n\n| Write | Hazard | First send | After a lost answer |\n|---|---|---|---|\n"
    );
    cells(&mut text, all.into_iter());
    Ok(text)
}

fn seeds(proof: &Proof, run: u64) -> String {
    if run == 0 {
        "-".to_owned()
    } else if proof.seeds == proof.piece {
        format!("0 to {}", run - 1)
    } else if proof.seeds == 0 {
        "-".to_owned()
    } else {
        format!("the first {} of every {} below {run}", proof.seeds, proof.piece)
    }
}

/// Sums the counts after the seed in the lines of the pieces: `from seed 4: 12 writes, 3 told`.
fn counted(proof: &Proof, pieces: &[&Piece]) -> String {
    let about = format!(" {} from seed ", proof.word);
    let lines = pieces.iter().flat_map(|piece| &piece.lines).filter(|line| line.contains(&about));
    let mut names: Vec<(String, u64)> = Vec::new();
    for part in lines.filter_map(|line| line.split_once(": ")).flat_map(|(_, told)| told.split([',', ';'])) {
        let Some((number, name)) = part.trim().split_once(' ') else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        match names.iter_mut().find(|(known, _)| known == name) {
            Some((_, all)) => *all += number,
            None => names.push((name.to_owned(), number)),
        }
    }
    let words: Vec<String> = names.into_iter().map(|(name, all)| format!("{all} {name}")).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(", ") }
}

/// Whether a line counts how often a cell was reached.
pub(super) fn is_cell(line: &str) -> bool {
    cell(line).is_some()
}

fn cell(line: &str) -> Option<([&str; 3], u64)> {
    let parts: Vec<&str> = line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [kind, hazard, when @ ("first" | "in doubt"), times] => Some(([kind, hazard, when], times.parse().ok()?)),
        _ => None,
    }
}

/// Reads lines of a kind, a hazard, `first` or `in doubt`, and a number, separated by two or more spaces.
fn cells<'a>(text: &mut String, pieces: impl Iterator<Item = &'a Piece>) {
    let mut cells = Cells::new();
    for line in pieces.flat_map(|piece| &piece.lines) {
        if let Some(([kind, hazard, when], times)) = cell(line) {
            *cells.entry([kind, hazard, when].map(str::to_owned)).or_default() += times;
        }
    }
    let pairs: BTreeMap<[&String; 2], [u64; 2]> =
        cells.iter().fold(BTreeMap::new(), |mut pairs, ([kind, hazard, when], times)| {
            let slot: &mut [u64; 2] = pairs.entry([kind, hazard]).or_default();
            slot[usize::from(when == "in doubt")] += times;
            pairs
        });
    for ([kind, hazard], [first, in_doubt]) in pairs {
        let in_doubt = if in_doubt == 0 { "-".to_owned() } else { in_doubt.to_string() };
        let _ = writeln!(text, "| {kind} | {hazard} | {first} | {in_doubt} |");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(proof: &Proof, told: &str) -> Piece {
        Piece::of(proof, 0, &super::super::pieces::tests::at(), told)
    }

    #[test]
    fn numbers_of_several_pieces_are_added_by_their_names() {
        let kills = &PROOFS[2];
        let told = |seed: u64| format!("noise\n100 {} from seed {seed}: 12 writes, 3 of them orders\n", kills.word);
        let [one, other] = [0, 100].map(|seed| piece(kills, &told(seed)));
        assert_eq!(counted(kills, &[&one, &other]), "24 writes, 6 of them orders");
        assert_eq!(counted(kills, &[&piece(kills, "nothing")]), "-");
    }

    #[test]
    fn a_cell_is_told_whatever_the_length_of_its_name() {
        let told =
            "     recharge  7, 8 and yet done  in doubt        69\n     recharge  1                  first           2";
        let mut text = String::new();
        cells(&mut text, [piece(&PROOFS[0], told)].iter());
        assert_eq!(text, "| recharge | 1 | 2 | - |\n| recharge | 7, 8 and yet done | 0 | 69 |\n");
    }
}
