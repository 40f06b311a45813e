//! What the journal says, against what the ledger holds.

use std::collections::HashMap;

use operations::{Kind, OperationView, Operations, State};
use sandbox::Service;

use crate::until;

/// What each restoration that nobody has read yet says of its sends: whether all are known.
pub fn completeness(operations: &Operations) -> Vec<bool> {
    operations.restorations().expect("a journal").iter().map(|told| told.complete).collect()
}

/// Everything that the journal knows, with the word for where it stands; of bulks that they were confirmed.
pub fn known(operations: &Operations) -> HashMap<String, &'static str> {
    let all = operations.list().expect("a journal").into_iter().map(|one| (one.id.0, one.state.word()));
    let bulks = operations.bulks().expect("a journal").into_iter().map(|bulk| (bulk.id.0, "confirmed"));
    all.chain(bulks).collect()
}

/// What was told is known, and an end that was told stands: what was not certain may have become so.
pub fn ensure_kept<'a>(when: &str, operations: &Operations, told: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let known = known(operations);
    for (id, word) in told {
        let now = known.get(id).unwrap_or_else(|| panic!("{when}: {id} was told as {word}, and is lost"));
        if matches!(word, "applied" | "rejected" | "not-sent" | "resolved-applied") {
            assert_eq!(*now, word, "{when}: {id}");
        }
    }
}

/// Every operation, once none is under way any more.
pub async fn settled(operations: &Operations) -> Vec<OperationView> {
    until("everything is settled", async || {
        let all = operations.list().expect("a journal");
        let is_open = |one: &OperationView| {
            matches!(one.state, State::Prepared | State::Sending | State::Verifying | State::Refused)
                || (one.state == State::Unknown && one.next_at.is_some())
        };
        (!all.iter().any(is_open)).then_some(all)
    })
    .await
}

/// The ledger has every write that is called done; of moves, orders and creations none more than those and the open
/// questions. How often, not how much: amounts are compared where they are confirmed.
pub fn compare(when: &str, service: &Service, all: &[OperationView]) {
    let ledger = service.world.ledger().expect("a ledger");
    let mut moved: HashMap<(String, bool), usize> = HashMap::new();
    for one in &ledger.moves {
        *moved.entry((one.customer_id.to_string(), one.mb.to_string().starts_with('-'))).or_default() += 1;
    }
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
    let orders = all.iter().filter(|one| one.kind == Kind::PlaceAndPay);
    let (done, open) = orders.fold((0, 0), |(done, open), one| match one.state {
        State::Applied | State::ResolvedApplied => (done + 1, open),
        state => (done, open + usize::from(state.is_unconfirmed())),
    });
    let times = ledger.orders.len();
    assert!((done..=done + open).contains(&times), "{when}: {times} orders; done {done}, open {open}");
    // The same status may be set again: what is called done was done once at least, what never left was not.
    for one in all.iter().filter(|one| one.kind == Kind::Status) {
        let same = all.iter().filter(|other| other.kind == Kind::Status && other.target == one.target);
        let may_be_done = same.clone().any(|other| {
            matches!(other.state, State::Applied | State::ResolvedApplied) || other.state.is_unconfirmed()
        });
        let done = same.filter(|other| other.state == State::Applied).count();
        let account = ledger.accounts.iter().find(|account| account.customer_id.to_string() == one.target);
        let times = account.map_or(0, |account| account.statuses.len());
        assert!(times >= done && (times == 0 || may_be_done), "{when}: {} was set {times} times", one.target);
    }
    let created: Vec<&str> =
        ledger.accounts.iter().filter(|one| one.created).map(|one| one.user_name.as_str()).collect();
    for one in all.iter().filter(|one| one.kind == Kind::Create) {
        let times = created.iter().filter(|name| **name == one.user_name).count();
        let is_right = match one.state {
            State::Applied | State::ResolvedApplied => times == 1,
            state if state.is_unconfirmed() => times <= 1,
            _ => times == 0,
        };
        assert!(is_right, "{when}: {} was created {times} times and is called {}", one.user_name, one.state.word());
    }
}
