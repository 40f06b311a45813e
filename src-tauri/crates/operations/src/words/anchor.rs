//! The newest send of a journal, as recorded in the keychain.

/// Number and hash of the event of a send. Number 0: nothing was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) number: i64,
    pub(crate) hash: String,
}

impl Anchor {
    pub(crate) fn of((number, hash): (i64, String)) -> Self {
        Self { number, hash }
    }

    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.number, self.hash)
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let (number, hash) = text.split_once(' ')?;
        Some(Self { number: number.parse().ok()?, hash: hash.to_owned() })
    }

    /// Whether the keychain knows of a send that the journal does not. `there` is the hash of the journal's event of
    /// this number; `None` if the journal ends before it.
    pub(crate) fn is_ahead_of(&self, there: Option<&str>) -> bool {
        self.number > 0 && there != Some(self.hash.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_ahead_when_the_journal_ends_before_it_or_went_on_another_way() {
        let anchor = Anchor::of((7, "hash".into()));
        assert_eq!([None, Some("another"), Some("hash")].map(|there| anchor.is_ahead_of(there)), [true, true, false]);
        assert!(!Anchor::default().is_ahead_of(None), "nothing was sent");
    }

    #[test]
    fn an_anchor_is_read_as_it_was_written_and_nothing_else_is_one() {
        for anchor in [Anchor::of((7, "hash".into())), Anchor::default()] {
            assert_eq!(Anchor::read(&anchor.text()), Some(anchor));
        }
        assert_eq!(["", "7", "seven hash"].map(Anchor::read), [None, None, None]);
    }
}
