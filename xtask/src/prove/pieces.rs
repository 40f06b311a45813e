//! The results of pieces, in a file. A piece counts as long as the sources that it ran on are the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use xtask::run;

use super::proofs::Proof;
use super::report::is_cell;

pub(super) const FILE: &str = "tests/proof.pieces";

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
    pub(super) fn of(proof: &Proof, from: u64, at: &At, told: &str) -> Self {
        let about = format!("{} from seed ", proof.word);
        let counts = |line: &&str| line.contains(&about) || is_cell(line);
        Self {
            name: proof.name.to_owned(),
            from,
            commit: at.commit.clone(),
            sources: at.sources.clone(),
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

    /// Whether a piece ran on these sources.
    pub(super) fn has(&self, proof: &Proof, from: u64, sources: &str) -> bool {
        self.0.get(&(proof.name.to_owned(), from)).is_some_and(|piece| piece.sources == sources)
    }

    /// Stores a piece at once: whatever interrupts the run, it does not run again. Several kinds may run side by side,
    /// each in a process of its own: what the others stored since is kept.
    pub(super) fn add(&mut self, piece: Piece) -> Result<(), String> {
        let failed = |error| format!("{FILE}: {error}");
        // Both beside what is built: a new file among the sources would make a run beside this one stop.
        let target = run::root().join("target");
        let lock = fs::File::create(target.join("proof.lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        *self = Self::read()?;
        self.0.insert((piece.name.clone(), piece.from), piece);
        let text: String = self.0.values().map(Piece::text).collect();
        // A run that is interrupted here keeps the file as it was.
        let new = target.join("proof.pieces");
        fs::write(&new, text).and_then(|()| fs::rename(&new, file())).map_err(failed)
    }

    /// The pieces of a kind that ran on these sources, in the order of their seeds.
    pub(super) fn of<'a>(&'a self, proof: &Proof, sources: &str) -> impl Iterator<Item = &'a Piece> {
        let (name, sources) = (proof.name, sources.to_owned());
        self.0.values().filter(move |piece| piece.name == name && piece.sources == sources)
    }

    /// The pieces of a kind on the earlier sources that its first piece ran on, as far as they follow each other.
    pub(super) fn before<'a>(&'a self, proof: &Proof) -> Vec<&'a Piece> {
        let Some(first) = self.0.get(&(proof.name.to_owned(), 0)) else { return Vec::new() };
        let following = self.of(proof, &first.sources).zip((0..).step_by(proof.piece as usize));
        following.take_while(|(piece, from)| piece.from == *from).map(|(piece, _)| piece).collect()
    }
}

fn file() -> PathBuf {
    run::root().join(FILE)
}

/// What a piece runs on.
#[derive(PartialEq, Eq)]
pub(super) struct At {
    commit: String,
    pub(super) sources: String,
}

impl At {
    /// What is checked out. Nothing but the results of pieces and their report may differ from it.
    pub(super) fn now(proof: &Proof) -> Result<Self, String> {
        let commit = run::commit_but(&[FILE, super::REPORT])?;
        Ok(Self { commit, sources: proof.sources()? })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::proofs::PROOFS;
    use super::*;

    pub(in crate::prove) fn at() -> At {
        At { commit: "abc".into(), sources: "today".into() }
    }

    #[test]
    fn a_piece_is_read_as_it_was_written_with_its_counts_and_cells_alone() {
        let told = "running 1 test\n  recharge  1  first  2\n20000 schedules from seed 0: 12 writes\ntest result: ok\n";
        let piece = Piece::of(&PROOFS[0], 0, &at(), told);
        assert_eq!(piece.lines, ["recharge  1  first  2", "20000 schedules from seed 0: 12 writes"]);
        let other = Piece::of(&PROOFS[0], 20_000, &at(), "");
        let text = piece.text() + &other.text();
        let read = Pieces::parse(&text).unwrap();
        assert_eq!(read.0.values().map(Piece::text).collect::<String>(), text);
        assert!(read.has(&PROOFS[0], 0, "today") && read.has(&PROOFS[0], 20_000, "today"));
        assert!(!read.has(&PROOFS[1], 0, "today"));
        assert!(Pieces::parse("").unwrap().0.is_empty() && Pieces::parse("nonsense").is_none());
    }

    #[test]
    fn a_piece_of_other_sources_does_not_count() {
        let read = Pieces::parse(&Piece::of(&PROOFS[0], 0, &at(), "").text()).unwrap();
        assert!(!read.has(&PROOFS[0], 0, "tomorrow") && read.of(&PROOFS[0], "tomorrow").next().is_none());
    }
    #[test]
    fn of_earlier_sources_those_pieces_count_that_follow_the_first() {
        let mut pieces = Pieces::default();
        for (from, sources) in [(0, "old"), (20_000, "old"), (40_000, "older"), (60_000, "old")] {
            let at = At { commit: "abc".into(), sources: sources.into() };
            pieces.0.insert((PROOFS[0].name.into(), from), Piece::of(&PROOFS[0], from, &at, ""));
        }
        let froms: Vec<u64> = pieces.before(&PROOFS[0]).iter().map(|piece| piece.from).collect();
        assert_eq!(froms, [0, 20_000]);
        assert!(pieces.before(&PROOFS[1]).is_empty());
    }
}
