//! Rows of use among what was taken: a vendor may let one row of a day grow in place.

use wire::ids::{CustomerId, OperatorId};
use wire::traffic::TrafficRecord;

use crate::evidence::record::counted;

/// The parts of a row that stay the same when its amount grows.
pub(crate) fn identity(row: &TrafficRecord) -> (&CustomerId, &str, &str, &OperatorId, &str, &str) {
    let TrafficRecord { customer_id, account, count: _, kind, create_id, create_by, create_time } = row;
    (customer_id, account, kind, create_id, create_by, create_time)
}

/// The rows that are there now and were not before; `None` if an old row is gone. A row that grew is use: neither new
/// nor gone.
pub(crate) fn new_beside_use(before: &[TrafficRecord], after: &[TrafficRecord]) -> Option<Vec<TrafficRecord>> {
    let mut old = counted(before);
    let mut new: Vec<&TrafficRecord> = Vec::new();
    for row in after {
        match old.get_mut(row) {
            Some(left) if *left > 0 => *left -= 1,
            _ => new.push(row),
        }
    }
    for (row, times) in old {
        for _ in 0..times {
            let grown = new.iter().enumerate().filter(|(_, one)| is_grown(row, one));
            let least = grown.min_by_key(|(_, one)| one.count.value().abs()).map(|(at, _)| at);
            new.remove(least?);
        }
    }
    Some(new.into_iter().cloned().collect())
}

fn is_grown(before: &TrafficRecord, after: &TrafficRecord) -> bool {
    let [was, is] = [before, after].map(|row| row.count.value());
    let same_way = was.is_zero() || was.is_sign_negative() == is.is_sign_negative();
    identity(before) == identity(after) && same_way && is.abs() > was.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[(u32, &str)]) -> Vec<TrafficRecord> {
        let row = |(second, mb): &(u32, &str)| {
            let json = format!(r#"{{"flowCount":{mb},"createTime":"2026-11-21 10:00:{second:02}"}}"#);
            serde_json::from_str(&json).unwrap()
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn a_row_that_grew_is_neither_new_nor_gone_and_any_other_change_is() {
        type Rows<'a> = &'a [(u32, &'a str)];
        let before: Rows<'_> = &[(1, "-10"), (2, "-20")];
        let cases: [(&str, Rows<'_>, Option<Rows<'_>>); 7] = [
            ("nothing", before, Some(&[])),
            ("grew", &[(1, "-10"), (2, "-5120")], Some(&[])),
            ("grew, and another came", &[(1, "-11"), (2, "-20"), (3, "-5120")], Some(&[(3, "-5120")])),
            ("grew, and another came in that second", &[(1, "-5120"), (1, "-11"), (2, "-20")], Some(&[(1, "-5120")])),
            ("gone", &[(1, "-10")], None),
            ("shrank", &[(1, "-9"), (2, "-20")], None),
            ("turned", &[(1, "11"), (2, "-20")], None),
        ];
        for (name, after, expected) in cases {
            let found = new_beside_use(&rows(before), &rows(after));
            assert_eq!(found, expected.map(rows), "{name}");
        }
    }
}
