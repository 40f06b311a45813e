//! Finds customers by the names that people use.

use std::collections::HashMap;

use operations::folded;
use wire::customers::Customer;
use wire::ids::CustomerId;

/// Most candidates for a name.
const MOST: usize = 8;

/// The customers that a name may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// Exactly this one, by index in the list.
    One(usize),
    /// No exact match, but perhaps one of these: ask, never guess.
    Perhaps(Vec<usize>),
    /// No customer.
    Nobody,
}

/// Index of the customers by name and id.
pub struct Naming {
    exact: HashMap<String, usize>,
    ids: HashMap<CustomerId, usize>,
    /// Folded names in order, for prefix searches.
    sorted: Vec<(String, usize)>,
}

impl Naming {
    /// Builds the index of a list; results are indexes into that list.
    pub fn new<'a>(customers: impl Iterator<Item = &'a Customer>) -> Self {
        let (mut exact, mut ids, mut sorted) = (HashMap::new(), HashMap::new(), Vec::new());
        for (at, customer) in customers.enumerate() {
            let name = folded(&customer.user_name);
            exact.insert(name.clone(), at);
            ids.insert(customer.customer_id.clone(), at);
            sorted.push((name, at));
        }
        sorted.sort();
        Self { exact, ids, sorted }
    }

    /// Finds a customer by id.
    pub fn by_id(&self, id: &CustomerId) -> Option<usize> {
        self.ids.get(id).copied()
    }

    /// Finds a customer. A whole name, an id, and what stands before the @ of one name alone are exact; any other
    /// beginning of a name is a question.
    pub fn find(&self, name: &str) -> Meant {
        let wanted = folded(name);
        if let Some(at) = self.exact.get(&wanted) {
            return Meant::One(*at);
        }
        if let Some(at) = self.by_id(&CustomerId::new(wanted.as_str())) {
            return Meant::One(at);
        }
        if wanted.is_empty() {
            return Meant::Nobody;
        }
        let whole = format!("{wanted}@");
        let mut short = self.beginning(&whole);
        // A number alone may be a mistyped id.
        let is_short = !wanted.contains('@') && !wanted.bytes().all(|byte| byte.is_ascii_digit());
        if let (true, Some((_, only)), None) = (is_short, short.next(), short.next()) {
            return Meant::One(*only);
        }
        // "bob" means bob@… before bobby@…, however many of the latter there are.
        let others = self.beginning(&wanted).filter(|(known, _)| !known.starts_with(&whole));
        let places: Vec<usize> = self.beginning(&whole).chain(others).map(|(_, at)| *at).take(MOST).collect();
        if places.is_empty() { Meant::Nobody } else { Meant::Perhaps(places) }
    }

    /// Names with this prefix, in order.
    fn beginning<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a (String, usize)> {
        let from = self.sorted.partition_point(|(known, _)| known.as_str() < wanted);
        self.sorted[from..].iter().take_while(move |(known, _)| known.starts_with(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn customer(id: &str, name: &str) -> Customer {
        Customer { customer_id: CustomerId::new(id), user_name: name.into(), traffic_count: None, residual_flow: None }
    }

    #[test]
    fn a_whole_name_and_a_short_one_that_is_unique_are_exact_and_a_beginning_is_a_question() {
        let list = [
            customer("1", "Ali@x.com"),
            customer("2", "bobby@x.com"),
            customer("3", "bob@x.com"),
            customer("4", "100@x.com"),
            customer("5", "chen@x.com"),
            customer("6", "chen@y.com"),
            customer("7", "Ali@x.com@z.com"),
        ];
        let naming = Naming::new(list.iter());
        for (name, expected) in [
            ("ali@X.com ", Meant::One(0)),
            ("3", Meant::One(2)),
            ("bob", Meant::One(2)),
            ("BOBBY", Meant::One(1)),
            ("bobb", Meant::Perhaps(vec![1])),
            ("bo", Meant::Perhaps(vec![2, 1])),
            ("al", Meant::Perhaps(vec![0, 6])),
            ("100", Meant::Perhaps(vec![3])),
            ("chen", Meant::Perhaps(vec![4, 5])),
            ("chen@", Meant::Perhaps(vec![4, 5])),
            ("dora", Meant::Nobody),
            ("", Meant::Nobody),
            ("ali@x.com.evil", Meant::Nobody),
        ] {
            assert_eq!(naming.find(name), expected, "{name}");
        }
    }
}
