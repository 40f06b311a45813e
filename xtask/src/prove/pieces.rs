//! The results of pieces, in a file. A piece counts as long as the sources that it ran on are the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use xtask::run;

use super::proofs::Proof;
use super::report::is_cell;

const FILE: &str = "tests/proof.pieces";

/// The result of one piece.
pub(super) struct Piece {
    name: String,
    from: u64,
    /// The commit that it ran on.
    pub(super) commit: String,
    /// The sources that it ran on.
    sources: String,
    /// The lines with its counts and cells.
    pub(super) lines: Vec<String>,
}

impl Piece {
    pub(super) fn of(proof: &Proof, from: u64, commit: &str, told: &str) -> Self {
        let about = format!("{} from seed ", proof.word);
        let counts = |line: &&str| line.contains(&about) || is_cell(line);
        Self {
            name: proof.name.to_owned(),
            from,
            commit: commit.to_owned(),
            sources: proof.sources(),
            lines: told.lines().filter(counts).map(|line| line.trim().to_owned()).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { name, from, commit, sources, lines } = self;
        format!("# {name} {from} {commit} {sources}\n{}\n", lines.join("\n"))
    }

    fn parse(text: &str) -> Option<Self> {
        let (head, lines) = text.split_once('\n')?;
        let [name, from, commit, sources] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let (from, lines) = (from.parse().ok()?, lines.lines().map(str::to_owned).collect());
        Some(Self { name: name.into(), from, commit: commit.into(), sources: sources.into(), lines })
    }
}

/// All pieces, by kind and first seed.
#[derive(Default)]
pub(super) struct Pieces(BTreeMap<(String, u64), Piece>);

impl Pieces {
    /// Reads the file; empty if there is none.
    pub(super) fn read() -> Result<Self, String> {
        match fs::read_to_string(file()) {
            Ok(text) => Self::parse(&text).ok_or_else(|| format!("{FILE} cannot be read")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{FILE}: {error}")),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix("# ").or(text.is_empty().then_some(""))?;
        let pieces = text.split("\n# ").filter(|piece| !piece.is_empty()).map(Piece::parse);
        Some(Self(
            pieces.map(|piece| piece.map(|piece| ((piece.name.clone(), piece.from), piece))).collect::<Option<_>>()?,
        ))
    }

    /// Whether a piece ran on the sources of today.
    pub(super) fn has(&self, proof: &Proof, from: u64) -> bool {
        let piece = self.0.get(&(proof.name.to_owned(), from));
        piece.is_some_and(|piece| piece.sources == proof.sources())
    }

    /// Stores a piece at once: whatever interrupts the run, it does not run again.
    pub(super) fn add(&mut self, piece: Piece) -> Result<(), String> {
        self.0.insert((piece.name.clone(), piece.from), piece);
        let text: String = self.0.values().map(Piece::text).collect();
        fs::write(file(), text).map_err(|error| format!("{FILE}: {error}"))
    }

    /// The pieces of a kind that ran on the sources of today, in the order of their seeds.
    pub(super) fn of<'a>(&'a self, proof: &Proof) -> impl Iterator<Item = &'a Piece> {
        let (name, sources) = (proof.name, proof.sources());
        self.0.values().filter(move |piece| piece.name == name && piece.sources == sources)
    }
}

fn file() -> PathBuf {
    run::root().join(FILE)
}

/// The checked-out commit. Nothing but the results of pieces and their report may differ from it.
pub(super) fn commit() -> Result<String, String> {
    let changed = run::program("git", &["status", "--porcelain"]).printed()?;
    if changed.lines().any(|line| !line.ends_with(FILE) && !line.ends_with(super::REPORT)) {
        return Err("commit first: a proof belongs to a commit".into());
    }
    Ok(run::program("git", &["rev-parse", "--short=10", "HEAD"]).printed()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::proofs::PROOFS;
    use super::*;

    #[test]
    fn a_piece_is_read_as_it_was_written_with_its_counts_and_cells_alone() {
        let told = "running 1 test\n  recharge  1  first  2\n20000 schedules from seed 0: 12 writes\ntest result: ok\n";
        let piece = Piece::of(&PROOFS[0], 0, "abc", told);
        assert_eq!(piece.lines, ["recharge  1  first  2", "20000 schedules from seed 0: 12 writes"]);
        let other = Piece::of(&PROOFS[0], 20_000, "abc", "");
        let text = piece.text() + &other.text();
        let read = Pieces::parse(&text).unwrap();
        assert_eq!(read.0.values().map(Piece::text).collect::<String>(), text);
        assert!(read.has(&PROOFS[0], 0) && read.has(&PROOFS[0], 20_000) && !read.has(&PROOFS[1], 0));
        assert!(Pieces::parse("").unwrap().0.is_empty() && Pieces::parse("nonsense").is_none());
    }

    #[test]
    fn a_piece_of_other_sources_does_not_count() {
        let mut piece = Piece::of(&PROOFS[0], 0, "abc", "");
        piece.sources = "other".into();
        let read = Pieces::parse(&piece.text()).unwrap();
        assert!(!read.has(&PROOFS[0], 0) && read.of(&PROOFS[0]).next().is_none());
    }
}
