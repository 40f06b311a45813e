//! Decides whether two scans of the ledger agree. Only a print of each scan is held in memory, because a vendor may
//! list tens of thousands of rows.

use client::traffic::RecordType;
use sha2::{Digest, Sha256};
use wire::traffic::TrafficRecord;

use crate::evidence::record::may_be;
use crate::evidence::use_rows::identity;
use crate::writes::traffic_move::TrafficMove;

/// A print of one scan. Two prints are equal when the same rows occur equally often, in any order.
///
/// Among what was taken, a vendor lists use, whose rows grow and appear while they are read. So there a row is
/// identified without its amount, and an additional row is no disagreement, unless it may be the move that is being
/// checked or repeats another row, as one that slipped to another page does.
pub(crate) struct Print<'a> {
    kind: RecordType,
    moved: Option<&'a TrafficMove>,
    rows: Vec<u128>,
    /// Rows that may be the move, including their amounts.
    moves: Vec<u128>,
}

impl<'a> Print<'a> {
    pub(crate) fn new(kind: RecordType, moved: Option<&'a TrafficMove>) -> Self {
        Self { kind, moved, rows: Vec::new(), moves: Vec::new() }
    }

    pub(crate) fn add(&mut self, record: &TrafficRecord) {
        if self.kind == RecordType::Recharge {
            return self.rows.push(hash(&format!("{record:?}")));
        }
        self.rows.push(hash(&format!("{:?}", identity(record))));
        if self.moved.is_some_and(|moved| may_be(moved, record, false)) {
            self.moves.push(hash(&format!("{record:?}")));
        }
    }

    /// Ends the scan; nothing is added after it.
    pub(crate) fn close(mut self) -> Self {
        self.rows.sort_unstable();
        self.moves.sort_unstable();
        self
    }

    /// Whether a later scan shows the same.
    pub(crate) fn agrees(&self, later: &Self) -> bool {
        match self.kind {
            RecordType::Recharge => self.rows == later.rows,
            RecordType::Consumption => self.moves == later.moves && self.is_within(later),
        }
    }

    /// Whether every row is still there, and no new row repeats another.
    fn is_within(&self, later: &Self) -> bool {
        let mut old = self.rows.iter().peekable();
        let mut before = None;
        for row in &later.rows {
            if old.peek() == Some(&row) {
                old.next();
            } else if before == Some(row) {
                return false;
            }
            before = Some(row);
        }
        old.peek().is_none()
    }
}

fn hash(text: &str) -> u128 {
    Sha256::digest(text).iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writes::traffic_move::Direction;
    use crate::writes::traffic_move::tests::moving;

    /// Second of the day, MB.
    type Rows<'a> = &'a [(u32, &'a str)];

    fn agree(kind: RecordType, before: Rows<'_>, later: Rows<'_>) -> bool {
        let moved = moving(Direction::Deduction, "5");
        let print = |rows: Rows<'_>| {
            let mut print = Print::new(kind, Some(&moved));
            for (second, mb) in rows {
                let json = format!(r#"{{"flowCount":{mb},"createTime":"2026-11-21 10:00:{second:02}"}}"#);
                print.add(&serde_json::from_str(&json).unwrap());
            }
            print.close()
        };
        print(before).agrees(&print(later))
    }

    #[test]
    fn what_was_taken_agrees_while_use_grows_and_comes_and_the_move_is_the_same() {
        let before: Rows<'_> = &[(1, "-10"), (2, "-20")];
        let cases: [(&str, Rows<'_>, Rows<'_>, bool); 8] = [
            ("the same in another order", before, &[(2, "-20"), (1, "-10")], true),
            ("a row grew", before, &[(1, "-10"), (2, "-21")], true),
            ("a row came", before, &[(3, "-1"), (1, "-10"), (2, "-20")], true),
            ("a row is gone", before, &[(1, "-10")], false),
            ("a row came twice, as from two pages", before, &[(1, "-10"), (1, "-10"), (2, "-20")], false),
            ("two rows came, alike", before, &[(3, "-1"), (3, "-1"), (1, "-10"), (2, "-20")], false),
            ("the move came", before, &[(3, "-5120"), (1, "-10"), (2, "-20")], false),
            ("the move is there", &[(3, "-5120"), (1, "-10")], &[(3, "-5120"), (1, "-11")], true),
        ];
        for (name, before, later, expected) in cases {
            assert_eq!(agree(RecordType::Consumption, before, later), expected, "{name}");
        }
    }

    #[test]
    fn what_was_given_agrees_when_it_is_the_same() {
        let before: Rows<'_> = &[(1, "10"), (2, "20")];
        assert!(agree(RecordType::Recharge, before, &[(2, "20"), (1, "10")]));
        for later in [&[(1, "10"), (2, "21")][..], &[(1, "10")], &[(1, "10"), (2, "20"), (3, "1")]] {
            assert!(!agree(RecordType::Recharge, before, later), "{later:?}");
        }
    }
}
