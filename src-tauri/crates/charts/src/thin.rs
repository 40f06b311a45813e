//! Fewer points, same picture: each column of the picture keeps its smallest and its largest value.

/// Indexes of the values to keep, in order: all of them if there are at most `most`, otherwise the extremes of
/// equally wide columns. The first and the last always stay.
pub fn thin(values: &[i64], most: usize) -> Vec<usize> {
    if values.len() <= most {
        return (0..values.len()).collect();
    }
    // Two for each column, and both ends.
    let columns = (most.saturating_sub(2) / 2).max(1);
    let mut kept = Vec::with_capacity(most);
    kept.push(0);
    for column in 0..columns {
        let from = values.len() * column / columns;
        let to = values.len() * (column + 1) / columns;
        let (low, high) = extremes(&values[from..to]);
        kept.extend([from + low.min(high), from + low.max(high)]);
    }
    kept.push(values.len() - 1);
    kept.dedup();
    kept
}

/// Indexes of the smallest and the largest value. One pass without branches finds both values; another finds their
/// indexes.
fn extremes(values: &[i64]) -> (usize, usize) {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for value in values {
        low = low.min(*value);
        high = high.max(*value);
    }
    let place = |wanted| values.iter().position(|value| *value == wanted).unwrap_or_default();
    (place(low), place(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;

    #[test]
    fn few_values_all_stay() {
        assert_eq!(thin(&[3, 1, 2], 3), [0, 1, 2]);
        assert!(thin(&[], 3).is_empty());
    }

    #[test]
    fn the_extremes_of_every_column_stay_and_never_more_than_asked_for() {
        // A walk whose peaks stand alone.
        let mut dice = Dice::of(7);
        let values: Vec<i64> =
            (0..100_000).map(|at| if at % 9973 == 5 { 1_000_000 + at } else { dice.roll(1000) as i64 }).collect();
        for most in [4, 50, 400] {
            let kept = thin(&values, most);
            assert!(kept.len() <= most && kept.is_sorted(), "{most}");
            assert_eq!((kept.first(), kept.last()), (Some(&0), Some(&99_999)), "{most}");
            let columns = (most - 2) / 2;
            for column in 0..columns {
                let range = values.len() * column / columns..values.len() * (column + 1) / columns;
                let peak = values[range.clone()].iter().max();
                let shown = kept.iter().filter(|at| range.contains(at)).map(|at| &values[*at]).max();
                assert_eq!(shown, peak, "{most}: column {column}");
            }
        }
    }
}
