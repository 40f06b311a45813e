//! The wallet: what was typed, less what this program's orders took.

use operations::{State, WalletDoubt, WalletEffect};
use sandbox::Fault;
use serde_json::{Value, json};
use tests::agent::{Agent, field, page, wrong};
use tests::service::fault;
use till::connections::start_practice;
use till::practice::practice_set_wallet;
use till::wallet::{Wallet, type_wallet, untype_wallet, wallet};

async fn typed(agent: &Agent, what: &str, amount: &str) -> Wallet {
    type_wallet(&agent.till, typing(what, amount, None)).await.expect("it is stored")
}

fn typing(what: &str, amount: &str, seen: Option<[i64; 2]>) -> till::wallet::WalletTyping {
    let seen = seen.map(|[from, until]| json!({ "from": from, "until": until }));
    page(json!({ "what": what, "amount": amount, "seen": seen }))
}

/// The lowest and the highest balance; `None` if there is no figure.
fn range(of: &Wallet) -> Option<[String; 2]> {
    of.view.figure.as_ref().map(|figure| [figure.least, figure.most].map(|amount| amount.to_string()))
}

fn exactly(amount: &str) -> Option<[String; 2]> {
    Some([amount, amount].map(str::to_owned))
}

async fn now(agent: &Agent) -> Wallet {
    wallet(&agent.till, ()).await.expect("a wallet")
}

#[tokio::test]
async fn a_balance_that_was_typed_is_lowered_by_orders_and_is_there_after_a_restart() {
    let mut agent = Agent::connected().await;
    agent.buy().await;
    assert_eq!(range(&now(&agent).await), None, "nothing was typed");
    let set = typed(&agent, "balance", "1,000.50").await;
    assert_eq!((range(&set), set.view.currency.as_str(), set.is_read), (exactly("1000.5"), "USD", false));
    agent.buy().await;
    typed(&agent, "added", "500").await;
    typed(&agent, "spent", "0.45").await;
    let last = now(&agent).await;
    assert_eq!(range(&last), exactly("1491.5"));
    let effects: Vec<_> = last.view.ledger.iter().map(|line| line.effect).collect();
    assert_eq!(effects, [WalletEffect::Spent, WalletEffect::Added, WalletEffect::Took, WalletEffect::Balance]);
    agent.start_again();
    till::start::boot(&agent.till, "en".into()).await.expect("a screen");
    assert_eq!(range(&now(&agent).await), exactly("1491.5"));
    let number = last.view.ledger[1].number.expect("it was typed");
    let without = untype_wallet(&agent.till, number).await.expect("it is removed");
    assert_eq!(range(&without), exactly("991.5"));
}

#[tokio::test]
async fn an_order_that_is_not_confirmed_makes_a_range_until_it_is() {
    let agent = Agent::connected().await;
    typed(&agent, "balance", "100").await;
    fault(&agent.service, "place-and-pay", Fault::DropAfter);
    let order = agent.buy().await;
    assert_eq!(order.state, State::Unknown);
    let open = now(&agent).await;
    assert_eq!(range(&open), Some(["91.45", "100"].map(str::to_owned)));
    assert_eq!(open.view.ledger[0].effect, WalletEffect::MayHaveTaken);
    // The balance of now may include it or not.
    let again = typed(&agent, "balance", "91.45").await;
    assert_eq!(range(&again), Some(["82.9", "91.45"].map(str::to_owned)));
    agent.applied(order).await;
    let known = now(&agent).await;
    let line = known.view.ledger.iter().find(|line| line.operation.is_some()).expect("the order");
    assert_eq!(line.effect, WalletEffect::MayBeIncluded, "nobody knows when it was charged");
    assert_eq!(range(&known), range(&again));
    assert_eq!(range(&typed(&agent, "balance", "91.45").await), exactly("91.45"));
}

#[tokio::test]
async fn an_order_of_the_minute_that_was_typed_may_be_included_or_not() {
    let agent = Agent::connected().await;
    let before = tests::wall();
    agent.buy().await;
    let span = |from, until| typing("balance", "100", Some([from, until]));
    let set = async |typing| range(&type_wallet(&agent.till, typing).await.expect("it is stored"));
    let after = tests::wall();
    let minute = 60_000;
    assert_eq!(set(span(before - 1, after + minute)).await, Some(["91.45", "100"].map(str::to_owned)));
    assert_eq!(set(span(after, after + minute)).await, exactly("100"), "it was done before");
    assert_eq!(set(span(before - minute, before - 1)).await, exactly("91.45"), "it was sent later");
}

#[tokio::test]
async fn an_order_that_was_sent_after_the_balance_lowers_it_although_the_clock_was_set_back() {
    let agent = Agent::connected().await;
    typed(&agent, "balance", "100").await;
    agent.buy().await;
    // As if the clock had been set back by two hours after the balance was typed.
    let id = till::start::boot(&agent.till, "en".into()).await.expect("a screen").active.expect("it is open");
    let journal = agent.data(&format!("connections/{id}/journal.db"));
    let journal = rusqlite::Connection::open(journal).expect("SQLite");
    let body: String = journal.query_row("SELECT body FROM wallet", [], |row| row.get(0)).expect("what was typed");
    let mut entry: Value = body.split_once(' ').and_then(|(_, json)| serde_json::from_str(json).ok()).expect("JSON");
    for time in ["at", "until", "typed"] {
        entry[time] = json!(entry[time].as_i64().expect("a time") + 7_200_000);
    }
    journal.execute("UPDATE wallet SET body = ?1", [entry.to_string()]).expect("SQLite");
    assert_eq!(range(&now(&agent).await), exactly("91.45"));
}

#[tokio::test]
async fn a_refusal_for_lack_of_money_marks_a_figure_that_is_too_high_until_the_balance_is_typed() {
    let agent = Agent::connected().await;
    typed(&agent, "balance", "100").await;
    agent.service.world.set_wallet("8.54".parse().expect("an amount")).expect("a ledger");
    assert_eq!(agent.buy().await.state, State::Rejected);
    let figure = now(&agent).await.view.figure.expect("a figure");
    let refused = figure.refused.expect("the refusal");
    assert_eq!((figure.doubt, refused.amount.to_string().as_str()), (Some(WalletDoubt::TooHigh), "8.55"));
    let added = typed(&agent, "added", "10").await.view.figure.expect("a figure");
    assert_eq!(added.doubt, Some(WalletDoubt::TooHigh), "it is still too high by as much");
    let set = typed(&agent, "balance", "8.54").await;
    assert_eq!(set.view.figure.expect("a figure").doubt, None);
    agent.buy().await;
    assert_eq!(now(&agent).await.view.figure.expect("a figure").doubt, None, "the figure said so");
}

#[tokio::test]
async fn what_is_no_amount_or_lies_ahead_is_refused_and_changes_nothing() {
    let agent = Agent::connected().await;
    let ahead = i64::MAX;
    let cases = [
        (typing("balance", "-5", None), ["wallet-amount", "not-an-amount"]),
        (typing("added", "0", None), ["wallet-amount", "nothing"]),
        (typing("balance", "0.00001", None), ["wallet-amount", "too-fine"]),
        (typing("balance", "5", Some([ahead; 2])), ["wallet-at", "later"]),
    ];
    for (typing, [which, why]) in cases {
        assert_eq!(field(type_wallet(&agent.till, typing).await), wrong(which, why));
    }
    assert_eq!(range(&now(&agent).await), None);
    // An empty wallet is a balance too.
    assert_eq!(range(&typed(&agent, "balance", "0").await), exactly("0"));
}

#[tokio::test]
async fn practice_shows_the_wallet_of_its_service() {
    let agent = Agent::new().await;
    start_practice(&agent.till, ()).await.expect("practice");
    practice_set_wallet(&agent.till, page(json!("10"))).await.expect("it is filled");
    agent.buy().await;
    let seen = now(&agent).await;
    assert_eq!((range(&seen), seen.is_read, seen.view.currency.as_str()), (exactly("1.45"), true, "USD"));
    assert_eq!(tests::agent::seen_by_page(&seen)["figure"]["doubt"], Value::Null);
}
