//! Compares the journal with the ledger.

use std::collections::HashMap;

use operations::{Kind, OperationView, Operations, State};
use sandbox::Service;
use vendor::{Vendor, What};

use crate::until_at_last;

/// Returns, for each unread restoration, whether all its sends are known.
pub fn completeness(operations: &Operations) -> Vec<bool> {
    operations.history().restorations().expect("a journal").iter().map(|told| told.complete).collect()
}

/// Returns every operation in the journal with the word for its state; for bulks, that they were confirmed.
pub fn known(operations: &Operations) -> HashMap<String, &'static str> {
    let all = operations.history().list().expect("a journal").into_iter().map(|one| (one.id.0, one.state.word()));
    let bulks = operations.bulks().all().expect("a journal").into_iter().map(|bulk| (bulk.id.0, "confirmed"));
    all.chain(bulks).collect()
}

/// Checks that everything announced is known and that announced outcomes have not changed: only an uncertain one may.
pub fn ensure_kept<'a>(when: &str, operations: &Operations, told: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let known = known(operations);
    for (id, word) in told {
        let now = known.get(id).unwrap_or_else(|| panic!("{when}: {id} was told as {word}, and is lost"));
        if matches!(word, "applied" | "rejected" | "not-sent" | "resolved-applied") {
            assert_eq!(*now, word, "{when}: {id}");
        }
    }
}

/// Returns every operation once none is under way.
pub async fn settled(operations: &Operations) -> Vec<OperationView> {
    let is_open = |one: &OperationView| {
        matches!(one.state, State::Prepared | State::Sending | State::Verifying | State::Refused)
            || (one.state == State::Unknown && one.next_at.is_some())
    };
    // Each may be checked several times, one after another.
    until_at_last("everything is settled", async || {
        let all = operations.history().list().expect("a journal");
        (!all.iter().any(is_open)).then_some(all)
    })
    .await
}

/// Checks that an operation's state agrees with how often it was done. `over` means that nothing is under way any more.
pub fn ensure_true(what: &str, said: &OperationView, done: usize, over: bool) {
    // Setting the same value again is harmless; everything else must be done at most once.
    let is_setting = matches!(said.kind, Kind::Password | Kind::Status);
    assert!(done <= 1 || is_setting, "{what}: done {done} times");
    match said.state {
        State::Applied | State::ResolvedApplied => assert!(done >= 1, "{what}: {:?}, and not done", said.state),
        State::Rejected | State::NotSent | State::ResolvedNot if over => {
            assert_eq!(done, 0, "{what}: {:?}, and done", said.state);
        }
        _ => {}
    }
}

/// Everything that was done, from a service's own ledger.
#[derive(Debug, Default)]
pub struct Done {
    /// The number of times that traffic went to a customer, or (`true`) from one.
    moves: HashMap<(String, bool), usize>,
    orders: usize,
    renewals: usize,
    /// The number of times that a customer's status or password was set, by the word of the write.
    settings: HashMap<(&'static str, String), usize>,
    /// The user names of created customers.
    created: Vec<String>,
}

impl Done {
    /// Reads it from the practice service.
    pub fn by(service: &Service) -> Self {
        let ledger = service.world.ledger().expect("a ledger");
        let mut done = Self { orders: ledger.orders.len(), renewals: ledger.renewals.len(), ..Self::default() };
        for one in &ledger.moves {
            done.moved(one.customer_id.to_string(), one.mb.to_string().starts_with('-'));
        }
        for account in &ledger.accounts {
            let sets = [(Kind::Status, account.statuses.len()), (Kind::Password, account.password_hashes.len())];
            done.settings.extend(sets.map(|(kind, times)| ((kind.word(), account.customer_id.to_string()), times)));
            done.created.extend(account.created.then(|| account.user_name.clone()));
        }
        done
    }

    /// Reads it from the second service. `before` is the number of entries at the start.
    pub fn by_the_second(vendor: &Vendor, before: usize) -> Self {
        let mut done = Self::default();
        for entry in vendor.ledger().into_iter().skip(before) {
            match entry.what {
                What::Recharged { customer, .. } => done.moved(customer.to_string(), false),
                What::Deducted { customer, .. } => done.moved(customer.to_string(), true),
                What::Charged { .. } => done.orders += 1,
                What::Renewed { .. } => done.renewals += 1,
                What::StatusSet { customer, .. } => done.set(Kind::Status, customer),
                What::PasswordSet { customer, .. } => done.set(Kind::Password, customer),
                What::Created { name, .. } => done.created.push(name),
                _ => {}
            }
        }
        done
    }

    fn set(&mut self, kind: Kind, customer: i64) {
        *self.settings.entry((kind.word(), customer.to_string())).or_default() += 1;
    }

    fn moved(&mut self, customer: String, away: bool) {
        *self.moves.entry((customer, away)).or_default() += 1;
    }
}

/// Checks that the ledger has every write that is called done, and no more moves, orders and creations than those and
/// the open ones. Compares only counts: amounts are compared where they are confirmed.
pub fn compare(when: &str, ledger: &Done, all: &[OperationView]) {
    let moved = &ledger.moves;
    let mut journal: HashMap<(String, bool), (usize, usize)> = HashMap::new();
    for one in all.iter().filter(|one| matches!(one.kind, Kind::Recharge | Kind::Deduction)) {
        let (done, open) = journal.entry((one.target.clone(), one.kind == Kind::Deduction)).or_default();
        match one.state {
            State::Applied | State::ResolvedApplied => *done += 1,
            state if state.is_unconfirmed() => *open += 1,
            _ => {}
        }
    }
    for key in moved.keys().chain(journal.keys()) {
        let times = moved.get(key).copied().unwrap_or_default();
        let (done, open) = journal.get(key).copied().unwrap_or_default();
        assert!(
            (done..=done + open).contains(&times),
            "{when}: {key:?} is in the ledger {times} times; done {done}, open {open}"
        );
    }
    for (kind, times) in [(Kind::PlaceAndPay, ledger.orders), (Kind::Renew, ledger.renewals)] {
        let paid = all.iter().filter(|one| one.kind == kind);
        let (done, open) = paid.fold((0, 0), |(done, open), one| match one.state {
            State::Applied | State::ResolvedApplied => (done + 1, open),
            state => (done, open + usize::from(state.is_unconfirmed())),
        });
        let what = kind.word();
        assert!((done..=done + open).contains(&times), "{when}: {times} times {what}; done {done}, open {open}");
    }
    // A setting may be repeated: one that is called done was done at least once, one that never left not at all.
    for one in all.iter().filter(|one| matches!(one.kind, Kind::Status | Kind::Password)) {
        let same = all.iter().filter(|other| other.kind == one.kind && other.target == one.target);
        let may_be_done = same.clone().any(|other| {
            matches!(other.state, State::Applied | State::ResolvedApplied) || other.state.is_unconfirmed()
        });
        let done = same.filter(|other| other.state == State::Applied).count();
        let times = ledger.settings.get(&(one.kind.word(), one.target.clone())).copied().unwrap_or_default();
        let is_right = times >= done && (times == 0 || may_be_done);
        assert!(is_right, "{when}: {} of {} was set {times} times", one.kind.word(), one.target);
    }
    for one in all.iter().filter(|one| one.kind == Kind::Create) {
        let times = ledger.created.iter().filter(|name| **name == one.user_name).count();
        let is_right = match one.state {
            State::Applied | State::ResolvedApplied => times == 1,
            state if state.is_unconfirmed() => times <= 1,
            _ => times == 0,
        };
        assert!(is_right, "{when}: {} was created {times} times and is called {}", one.user_name, one.state.word());
    }
}
