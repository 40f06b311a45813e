use super::*;
use crate::words::state::OperationId;

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

fn entry(number: i64, what: Typed, sum: &str, at: i64) -> Numbered {
    let (until, position) = (Some(at), Some(at));
    let entry =
        Entry { what, amount: amount(sum), at, until, typed: at, position, currency: "USD".into(), fingerprint: None };
    (number, entry)
}

/// What was recorded at a time, as its event of that number.
fn moment(at: i64) -> Moment {
    Moment { number: at, wall: at }
}

fn done(at: i64) -> Standing {
    Standing::Done(moment(at))
}

fn charge(sum: &str, sent: i64, standing: Standing) -> Charge {
    Charge {
        operation: OperationId("1".into()),
        order_no: None,
        amount: amount(sum),
        currency: "USD".into(),
        standing,
        sent: moment(sent),
        insufficient: None,
    }
}

fn refused(sum: &str, at: i64) -> Charge {
    Charge { insufficient: Some(moment(at)), ..charge(sum, at - 1, Standing::Nothing) }
}

fn wallet(entries: &[Numbered], charges: &[Charge], restored: Option<i64>) -> WalletView {
    let sight = balance(entries).map(|(_, balance)| Sight::of(balance));
    sight.map(|sight| super::wallet(entries, charges, &sight, restored)).unwrap_or_default()
}

fn figure(entries: &[Numbered], charges: &[Charge]) -> [String; 3] {
    let figure = wallet(entries, charges, None).figure.unwrap();
    [figure.least, figure.most, figure.uncertain].map(|amount| amount.to_string())
}

#[test]
fn without_a_typed_balance_there_is_no_figure() {
    assert_eq!(wallet(&[entry(1, Typed::Added, "500", 5)], &[], None).figure, None);
}

#[test]
fn every_order_since_the_balance_lowers_it_exactly_and_an_uncertain_one_makes_a_range() {
    let typed = [entry(1, Typed::Balance, "1000", 100)];
    let cases: [(&str, &[Charge], [&str; 3]); 7] = [
        ("nothing", &[], ["1000", "1000", "0"]),
        ("before it", &[charge("8.55", 90, done(95))], ["1000", "1000", "0"]),
        ("after it", &[charge("8.55", 110, done(115))], ["991.45", "991.45", "0"]),
        ("took nothing", &[charge("8.55", 110, Standing::Nothing)], ["1000", "1000", "0"]),
        ("not confirmed", &[charge("8.55", 110, Standing::Open)], ["991.45", "1000", "8.55"]),
        ("not confirmed since before", &[charge("8.55", 90, Standing::Open)], ["991.45", "1000", "8.55"]),
        ("under way when it was typed", &[charge("8.55", 90, done(115))], ["991.45", "1000", "8.55"]),
    ];
    for (what, charges, expected) in cases {
        assert_eq!(figure(&typed, charges), expected.map(str::to_owned), "{what}");
    }
}

/// A balance of 1000 that was seen from 100 to 159, as the minute of a typed time, and typed at 300 after event 30.
fn of_a_minute() -> [Numbered; 1] {
    let (number, balance) = entry(1, Typed::Balance, "1000", 100);
    [(number, Entry { until: Some(159), typed: 300, position: Some(30), ..balance })]
}

/// An order of 8.55, with the numbers and the times of its send and its end.
fn order(sent: (i64, i64), done: (i64, i64)) -> Charge {
    let [sent, done] = [sent, done].map(|(number, wall)| Moment { number, wall });
    Charge { sent, ..charge("8.55", 0, Standing::Done(done)) }
}

#[test]
fn what_was_done_within_the_typed_minute_may_be_included_or_not() {
    let cases = [
        ("done before the minute", order((1, 80), (2, 90)), ["1000", "1000"]),
        ("sent before it, done within", order((1, 90), (2, 120)), ["991.45", "1000"]),
        ("within", order((1, 110), (2, 120)), ["991.45", "1000"]),
        ("sent within, done after", order((1, 150), (2, 170)), ["991.45", "1000"]),
        ("sent after it", order((1, 160), (2, 170)), ["991.45", "991.45"]),
    ];
    for (what, charge, expected) in cases {
        let [least, most, _] = figure(&of_a_minute(), &[charge]);
        assert_eq!([least.as_str(), most.as_str()], expected, "{what}");
    }
}

#[test]
fn an_order_that_was_recorded_after_the_balance_lowers_it_although_the_clock_was_set_back() {
    let [least, most, _] = figure(&of_a_minute(), &[order((31, 10), (32, 20))]);
    assert_eq!([least.as_str(), most.as_str()], ["991.45", "991.45"]);
    // It was sent before, and its end was recorded after the balance was typed: nobody knows when it was charged.
    let [least, most, _] = figure(&of_a_minute(), &[order((29, 90), (32, 20))]);
    assert_eq!([least.as_str(), most.as_str()], ["991.45", "1000"]);
    // The clock went back after the order, and the balance was typed by the new time.
    let [least, most, _] = figure(&of_a_minute(), &[order((1, 400), (2, 410))]);
    assert_eq!([least.as_str(), most.as_str()], ["991.45", "1000"]);
}

#[test]
fn a_refusal_that_was_recorded_after_the_balance_counts_although_the_clock_was_set_back() {
    let refused = Charge { insufficient: Some(Moment { number: 32, wall: 20 }), ..charge("9", 10, Standing::Nothing) };
    assert_eq!(wallet(&of_a_minute(), &[refused], None).figure.unwrap().doubt, Some(Doubt::TooHigh));
}

#[test]
fn what_was_added_or_spent_within_the_typed_minute_may_be_included_too() {
    let [balance] = of_a_minute();
    let typed = |what, at| {
        let (number, added) = entry(1, what, "5", at);
        [(number, Entry { position: Some(3), ..added }), (2, balance.1.clone())]
    };
    assert_eq!(figure(&typed(Typed::Added, 120), &[]), ["1000", "1005", "5"].map(str::to_owned));
    assert_eq!(figure(&typed(Typed::Spent, 120), &[]), ["995", "1000", "5"].map(str::to_owned));
    assert_eq!(figure(&typed(Typed::Added, 99), &[]), ["1000", "1000", "0"].map(str::to_owned));
    assert_eq!(figure(&typed(Typed::Added, 200), &[]), ["1005", "1005", "0"].map(str::to_owned));
    assert_eq!(figure(&typed(Typed::Added, 400), &[]), ["1000", "1005", "5"].map(str::to_owned), "the clock went back");
}

#[test]
fn the_last_typed_balance_counts_with_what_was_added_and_spent_since() {
    let typed = [
        entry(1, Typed::Balance, "9", 10),
        entry(2, Typed::Added, "1", 20),
        entry(3, Typed::Balance, "1000", 100),
        entry(4, Typed::Added, "0.1", 120),
        entry(5, Typed::Spent, "0.2", 130),
    ];
    assert_eq!(figure(&typed, &[]), ["999.9", "999.9", "0"].map(str::to_owned));
    let effects: Vec<_> = wallet(&typed, &[], None).ledger.iter().map(|line| line.effect).collect();
    use Effect::{Added, Balance, Earlier, Spent};
    assert_eq!(effects, [Spent, Added, Balance, Earlier, Earlier], "newest first");
    // The balance of yesterday, typed after money was added: it was added since.
    let yesterday = Entry { typed: 130, position: Some(130), ..entry(2, Typed::Balance, "1000", 100).1 };
    let later = [entry(1, Typed::Added, "500", 120), (2, yesterday)];
    assert_eq!(figure(&later, &[]), ["1500", "1500", "0"].map(str::to_owned));
}

#[test]
fn an_order_in_another_currency_is_shown_and_not_counted() {
    let yuan = Charge { currency: "CNY".into(), ..charge("50", 110, done(115)) };
    let seen = wallet(&[entry(1, Typed::Balance, "1000", 100)], std::slice::from_ref(&yuan), None);
    assert_eq!((seen.figure.unwrap().least, seen.ledger[0].effect), (amount("1000"), Effect::NotCounted));
    // A balance that was typed before any order has the currency of the first.
    let mut typed = entry(1, Typed::Balance, "1000", 100);
    typed.1.currency.clear();
    let seen = wallet(&[typed], &[yuan], None);
    assert_eq!((seen.figure.unwrap().least, seen.currency.as_str()), (amount("950"), "CNY"));
}

#[test]
fn a_refusal_for_lack_of_money_marks_only_a_figure_that_would_have_paid() {
    let doubt =
        |charges: &[Charge]| wallet(&[entry(1, Typed::Balance, "10", 100)], charges, None).figure.unwrap().doubt;
    assert_eq!(doubt(&[refused("10", 110)]), Some(Doubt::TooHigh));
    assert_eq!(doubt(&[refused("10.01", 110)]), None, "the figure says so too");
    assert_eq!(doubt(&[refused("5", 90)]), None, "the balance was typed since");
    let may_have_taken = charge("6", 105, Standing::Open);
    assert_eq!(doubt(&[may_have_taken.clone(), refused("5", 110)]), None, "it may have been taken");
    assert_eq!(doubt(&[may_have_taken, refused("4", 110)]), Some(Doubt::TooHigh));
    let taken_later = charge("6", 120, done(125));
    assert_eq!(doubt(&[refused("5", 110), taken_later]), Some(Doubt::TooHigh), "the figure of that moment counts");
    let figure = wallet(&[entry(1, Typed::Balance, "10", 100)], &[refused("9", 110), refused("8", 120)], None).figure;
    assert_eq!(figure.unwrap().refused, Some(WalletRefusal { at: 120, amount: amount("8") }));
}

#[test]
fn a_figure_below_zero_or_from_before_a_restoration_is_doubted() {
    let typed = [entry(1, Typed::Balance, "5", 100)];
    let below = wallet(&typed, &[charge("8.55", 110, done(115))], None).figure.unwrap();
    assert_eq!((below.least.to_string().as_str(), below.doubt), ("-3.55", Some(Doubt::BelowZero)));
    let doubt = |restored| wallet(&typed, &[], Some(restored)).figure.unwrap().doubt;
    assert_eq!((doubt(99), doubt(101)), (None, Some(Doubt::Restored)));
}

#[test]
fn a_long_ledger_counts_whole_and_shows_its_newest_lines() {
    let many: Vec<_> = (0..300).map(|at| charge("1", 200 + at, done(600))).collect();
    let seen = wallet(&[entry(1, Typed::Balance, "1000", 100)], &many, None);
    assert_eq!((seen.figure.unwrap().least, seen.ledger.len(), seen.older), (amount("700"), MOST, 101));
}

#[test]
fn a_sum_that_cannot_be_exact_is_not_counted_silently() {
    let huge = charge("9999999999999999999999999999", 110, done(115));
    let seen = wallet(&[entry(1, Typed::Balance, "0.5", 100)], &[huge], None);
    assert_eq!((seen.figure.unwrap().least, seen.ledger[0].effect), (amount("0.5"), Effect::NotCounted));
}
