//! Recharge and deduction: the figures, the amount, the limits, the confirmation.

use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use tests::traffic_move::CUSTOMER;
use till::Code;
use till::moves::{confirm_move, offer_move, open_move};

fn of(direction: &str, customer: &str) -> Value {
    json!({ "direction": direction, "customerId": customer, "userName": "", "counterOf": null })
}

fn typed(direction: &str, gb: &str) -> Value {
    json!({ "direction": direction, "customerId": CUSTOMER, "gb": gb, "counterOf": null })
}

#[tokio::test]
async fn what_is_offered_is_sent_once_however_often_it_is_confirmed() {
    let agent = Agent::connected().await;
    let start = open_move(&agent.till, page(of("recharge", CUSTOMER))).await.expect("figures");
    assert!(start.before.recharged.is_some() && !start.factor_proved && start.suggested.is_empty());
    let offered = offer_move(&agent.till, page(typed("recharge", "1.5"))).await.expect("an offer");
    assert_eq!((offered.gb.to_string(), offered.mb.to_string()), ("1.5".into(), "1536".into()));
    assert!(agent.moved().is_empty(), "an offer sends nothing");
    let sent = confirm_move(&agent.till, page(json!({ "token": offered.token, "anyway": false }))).await.expect("sent");
    agent.applied(sent).await;
    assert_eq!(code(agent.confirm_move(&offered.token).await), Code::StaleConfirmation);
    assert_eq!(agent.moved(), ["1536"]);
    assert!(agent.host.questions().is_empty(), "no limit, no question");
}

#[tokio::test]
async fn an_amount_that_cannot_be_moved_is_refused_with_a_word() {
    let agent = Agent::connected().await;
    open_move(&agent.till, page(of("deduction", CUSTOMER))).await.expect("figures");
    for (gb, why) in [
        ("a lot", "not-a-number"),
        ("1,5", "ambiguous"),
        ("5 tb", "unknown-unit"),
        ("0", "not-positive"),
        ("-1", "not-positive"),
        ("99999", "beyond-left"),
    ] {
        let refused = field(offer_move(&agent.till, page(typed("deduction", gb))).await);
        assert_eq!(refused, wrong("amount-gb", why), "{gb}");
    }
    let stranger = of("recharge", "1");
    assert_eq!(field(open_move(&agent.till, page(stranger)).await), wrong("customer", "not-yours"));
    assert!(agent.moved().is_empty());
}

#[tokio::test]
async fn an_amount_is_typed_as_in_lines() {
    let agent = Agent::connected().await;
    open_move(&agent.till, page(of("recharge", CUSTOMER))).await.expect("figures");
    for (gb, expected) in [("5g", "5 5120"), ("5 GB", "5 5120"), ("512mb", "0.5 512"), ("500 MB", "0.4883 500.0192")] {
        let offered = offer_move(&agent.till, page(typed("recharge", gb))).await.expect("an offer");
        assert_eq!(format!("{} {}", offered.gb, offered.mb), expected, "{gb}");
    }
}

#[tokio::test]
async fn the_last_amounts_are_offered_again_each_once_and_not_those_of_the_other_direction() {
    let agent = Agent::connected().await;
    let last = async |direction: &str| {
        let start = open_move(&agent.till, page(of(direction, CUSTOMER))).await.expect("figures");
        start.last.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(last("recharge").await, [""; 0]);
    for gb in ["2", "0.5", "2", "3", "7"] {
        agent.recharge(gb).await;
    }
    assert_eq!(last("recharge").await, ["7", "3", "2"], "three, newest first");
    assert_eq!(last("deduction").await, [""; 0]);
}

#[tokio::test]
async fn a_customer_whose_figures_were_not_shown_is_moved_nothing() {
    let agent = Agent::connected().await;
    assert_eq!(field(offer_move(&agent.till, page(typed("recharge", "1"))).await), wrong("customer", "not-yours"));
}

#[tokio::test]
async fn above_each_of_the_two_limits_a_person_is_asked_and_a_no_sends_nothing() {
    let agent = Agent::connected().await;
    agent.set_limits(None, Some("2"), Some("3")).await;
    agent.recharge("2").await;
    assert!(agent.host.questions().is_empty());
    agent.host.answers(Some(false));
    // The first exceeds the limit of a move; the second only the limit of a day.
    let over_one = agent.offer_recharge("2.5").await;
    assert_eq!(code(agent.confirm_move(&over_one).await), Code::Declined);
    let over_day = agent.offer_recharge("1.5").await;
    assert_eq!(code(agent.confirm_move(&over_day).await), Code::Declined);
    assert_eq!(agent.moved(), ["2048"]);
    let asked = agent.host.questions();
    assert!(asked.len() == 2 && asked[0].contains("2.5") && asked[1].contains("3.5"), "{asked:?}");
    agent.host.answers(Some(true));
    agent.confirm_move(&over_day).await.expect("the confirmation is still good");
    assert_eq!(agent.moved(), ["2048", "1536"]);
}

#[tokio::test]
async fn the_questions_are_in_the_language_that_was_chosen() {
    let agent = Agent::connected().await;
    let mut settings = tests::agent::settings(None, Some("1"), None);
    settings.language = Some("zh-CN".into());
    till::settings::save_settings(&agent.till, settings).await.expect("saved");
    let token = agent.offer_recharge("2").await;
    agent.confirm_move(&token).await.expect("sent");
    assert!(agent.host.last_question().text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c)));
}
