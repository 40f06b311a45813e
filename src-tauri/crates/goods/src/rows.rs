//! All rows, with their text in one piece: a search reads it from end to end, instead of a text of each row in a place
//! of its own.

use std::ops::Deref;

use memchr::memmem;

use crate::facts::Facts;
use crate::row::{GoodsRow, address};

/// The rows of the list, in the order in which they joined it.
#[derive(Debug)]
pub struct Rows {
    all: Vec<GoodsRow>,
    /// The words of every row, in small letters, each row after the one before.
    text: String,
    /// Where the words of each row end, in bytes.
    ends: Vec<usize>,
    /// What filters look at.
    pub(crate) facts: Facts,
}

impl Rows {
    pub(crate) fn of(all: Vec<GoodsRow>) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(all.len()));
        for row in &all {
            add_words(&mut text, row);
            ends.push(text.len());
        }
        text.shrink_to_fit();
        let facts = Facts::of(&all);
        Self { all, text, ends, facts }
    }

    /// Marks the rows that hold every word. `words` are in small letters and without spaces.
    pub(crate) fn holding(&self, words: &[&str]) -> Vec<bool> {
        let Some((first, others)) = words.split_first() else { return vec![true; self.all.len()] };
        let mut marks = vec![false; self.all.len()];
        let finder = memmem::Finder::new(first);
        let (mut row, mut at) = (0, 0);
        while let Some(found) = self.text.as_bytes().get(at..).and_then(|rest| finder.find(rest)) {
            while self.ends.get(row).is_some_and(|end| *end <= at + found) {
                row += 1;
            }
            let Some(end) = self.ends.get(row) else { break };
            marks[row] = true;
            at = *end;
        }
        for word in others {
            let finder = memmem::Finder::new(word);
            for (row, mark) in marks.iter_mut().enumerate().filter(|(_, mark)| **mark) {
                *mark = finder.find(self.words(row).as_bytes()).is_some();
            }
        }
        marks
    }

    fn words(&self, row: usize) -> &str {
        let begin = row.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.ends.get(row).and_then(|end| self.text.get(begin..*end)).unwrap_or_default()
    }
}

impl Deref for Rows {
    type Target = [GoodsRow];

    fn deref(&self) -> &[GoodsRow] {
        &self.all
    }
}

/// Adds the words by which a proxy is found. Each ends its line, so that none is found across two of them.
fn add_words(text: &mut String, row: &GoodsRow) {
    let (item, place) = (&row.item, &row.item.place);
    let address = address(&item.key.host, item.key.port);
    let of_item = [&*address, item.key.order_no.as_str(), &*item.protocol];
    let of_place = [&place.country_zh, &place.country_en, &place.country_code, &place.city_zh, &place.city_en];
    let own = [row.buyer.as_ref().map_or("", |buyer| &buyer.name), &row.note];
    let words = of_item.into_iter().chain(of_place.into_iter().map(String::as_str)).chain(own);
    for word in words {
        if word.is_ascii() {
            let begin = text.len();
            text.push_str(word);
            if let Some(new) = text.get_mut(begin..) {
                new.make_ascii_lowercase();
            }
        } else {
            *text += &word.to_lowercase();
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use operations::Marks;
    use proptest::prelude::*;
    use wire::ids::OrderNo;

    use super::*;
    use crate::stock::Stock;
    use crate::stock::tests::delivered;

    fn row() -> GoodsRow {
        let orders = vec![(OrderNo::new("SO1"), vec![delivered("192.0.2.1", "JP", "")])];
        Stock::of(orders, Vec::new(), 0).rows(&[], &Marks::default())[0].clone()
    }

    proptest! {
        #[test]
        fn a_row_is_found_by_what_its_own_words_hold_and_by_nothing_of_its_neighbours(
            notes in prop::collection::vec("[x-z\n ]{0,4}", 0..6),
            words in prop::collection::vec("[x-z]{1,3}", 0..3),
        ) {
            let rows = Rows::of(notes.iter().map(|note| GoodsRow { note: note.clone(), ..row() }).collect());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let expected: Vec<bool> = notes.iter().map(|note| words.iter().all(|word| note.contains(word))).collect();
            prop_assert_eq!(rows.holding(&words), expected);
        }
    }

    #[test]
    fn words_are_found_in_small_letters_of_every_script() {
        let rows = Rows::of(vec![GoodsRow { note: "ÄRGER Straße 东京 ABC".into(), ..row() }]);
        for (word, expected) in [("ärger", true), ("straße", true), ("东京", true), ("abc", true), ("q", false)] {
            assert_eq!(rows.holding(&[word]), [expected], "{word}");
        }
    }
}
