//! Above a limit that the user set, a system dialog asks again. The page has no say in its words.

use operations::{Intent, Kind, PlaceAndPay, Renewal};
use rust_decimal::Decimal;
use wire::Amount;

use crate::Till;
use crate::settings::Limits;
use crate::words::Words;

/// The limit that is exceeded; that of a day has the day's sum, in GB.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Over {
    Pay,
    Operation,
    Day(Decimal),
}

/// The limit that an intent exceeds; `None` if it exceeds none. `today` is what was already moved today, GB.
pub(crate) fn over(limits: &Limits, intent: &Intent, today: Decimal) -> Option<Over> {
    match intent {
        Intent::Order(PlaceAndPay { amount, .. }) | Intent::Renewal(Renewal { amount, .. }) => {
            above(&limits.pay, amount.value()).then_some(Over::Pay)
        }
        Intent::Move(moved) => over_with(limits, moved.gb.amount().value(), today),
        // Changes of customers have no amount.
        Intent::Account(_) => None,
    }
}

/// The limit that a moved amount exceeds, in GB: of one customer, or the total of a bulk.
pub(crate) fn over_with(limits: &Limits, gb: Decimal, today: Decimal) -> Option<Over> {
    let together = today.saturating_add(gb);
    if above(&limits.operation, gb) {
        Some(Over::Operation)
    } else {
        (gb > Decimal::ZERO && above(&limits.day, together)).then_some(Over::Day(together))
    }
}

fn above(limit: &Option<Amount>, sum: Decimal) -> bool {
    limit.is_some_and(|limit| sum > limit.value())
}

/// Asks a person about an intent above a limit.
pub(crate) async fn ask(till: &Till, intent: &Intent, over: &Over) -> bool {
    let words = till.words();
    till.ask("limit-title", question(&words, intent, over), verb(&words, intent)).await
}

/// The total of a bulk.
pub(crate) struct BulkSum {
    pub(crate) kind: Kind,
    /// Number of customers.
    pub(crate) rows: usize,
    /// The total, GB.
    pub(crate) gb: Decimal,
}

/// Asks a person about a bulk above a limit.
pub(crate) async fn ask_for_bulk(till: &Till, sum: &BulkSum, over: &Over) -> bool {
    let words = &till.words();
    let values = [("gb", sum.gb.normalize().to_string()), ("rows", sum.rows.to_string())];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    let (what, verb) = match sum.kind {
        Kind::Deduction => ("limit-bulk-deduction", "limit-deduction-button"),
        _ => ("limit-bulk-recharge", "limit-recharge-button"),
    };
    let text = format!("{}\n\n{}", words.with(what, &values), why(words, over));
    till.ask("limit-title", text, words.with(verb, &values)).await
}

/// Asks a person before a limit is raised or removed. Lowering one, or setting the first, needs no question.
pub(crate) async fn ask_to_raise(till: &Till, from: &Limits, to: &Limits) -> bool {
    let words = &till.words();
    let raised = raised(words, from, to);
    if raised.is_empty() {
        return true;
    }
    let text = format!("{}\n\n{}", words.get("limit-raise"), raised.join("\n"));
    till.ask("limit-raise-title", text, words.get("limit-raise-button")).await
}

fn raised(words: &Words, from: &Limits, to: &Limits) -> Vec<String> {
    let all = [
        ("limit-raise-pay", from.pay, to.pay),
        ("limit-raise-operation", from.operation, to.operation),
        ("limit-raise-day", from.day, to.day),
    ];
    let is_raised = |from: Option<Amount>, to: Option<Amount>| from.is_some_and(|from| to.is_none_or(|to| to > from));
    let shown = |limit: Option<Amount>| limit.map_or_else(|| words.get("limit-none"), |limit| limit.to_string());
    let raised = all.into_iter().filter(|(_, from, to)| is_raised(*from, *to));
    raised.map(|(key, from, to)| words.with(key, &[("from", &shown(from)), ("to", &shown(to))])).collect()
}

/// The text of the agreeing button: the verb with the amount.
fn verb(words: &Words, intent: &Intent) -> String {
    match intent {
        Intent::Order(PlaceAndPay { amount, currency, .. }) | Intent::Renewal(Renewal { amount, currency, .. }) => {
            words.with("limit-pay-button", &[("sum", &format!("{amount} {currency}"))])
        }
        Intent::Move(moved) => {
            let key = match moved.direction {
                operations::Direction::Recharge => "limit-recharge-button",
                operations::Direction::Deduction => "limit-deduction-button",
            };
            words.with(key, &[("gb", &moved.gb.amount().to_string())])
        }
        Intent::Account(change) => change.user_name().to_owned(),
    }
}

fn question(words: &Words, intent: &Intent, over: &Over) -> String {
    let what = match intent {
        Intent::Order(PlaceAndPay { amount, currency, .. }) | Intent::Renewal(Renewal { amount, currency, .. }) => {
            words.with("limit-order", &[("sum", &format!("{amount} {currency}"))])
        }
        Intent::Move(moved) => {
            let key = match moved.direction {
                operations::Direction::Recharge => "limit-recharge",
                operations::Direction::Deduction => "limit-deduction",
            };
            let (gb, mb) = (moved.gb.amount().to_string(), moved.gb.mb(moved.factor).to_string());
            words.with(key, &[("gb", &gb), ("mb", &mb), ("name", &moved.user_name)])
        }
        Intent::Account(change) => change.user_name().to_owned(),
    };
    format!("{what}\n\n{}", why(words, over))
}

fn why(words: &Words, over: &Over) -> String {
    match over {
        Over::Pay => words.get("limit-over-pay"),
        Over::Operation => words.get("limit-over-operation"),
        Over::Day(together) => words.with("limit-over-day", &[("gb", &together.normalize().to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use operations::{Direction, Gb, GbFactor, TrafficMove};

    fn moving(gb: &str) -> Intent {
        Intent::Move(TrafficMove {
            direction: Direction::Recharge,
            customer_id: wire::ids::CustomerId::new("7"),
            user_name: "ali".into(),
            gb: Gb::parse(gb, GbFactor::Binary).unwrap(),
            factor: GbFactor::Binary,
            shown_recharged: None,
            counter_of: None,
        })
    }

    #[test]
    fn a_limit_is_gone_over_by_more_than_it_and_none_is_no_limit() {
        let limit = |text: &str| Some(text.parse().unwrap());
        let limits = Limits { pay: None, operation: limit("5"), day: limit("8") };
        assert_eq!(over(&limits, &moving("5"), Decimal::ZERO), None);
        assert_eq!(over(&limits, &moving("5.0001"), Decimal::ZERO), Some(Over::Operation));
        assert_eq!(over(&Limits::default(), &moving("100000"), Decimal::ZERO), None);
        let day = Limits { operation: None, ..limits };
        assert_eq!(over(&day, &moving("9"), Decimal::ZERO), Some(Over::Day(Decimal::from(9))));
    }

    #[test]
    fn only_what_is_raised_or_taken_away_is_asked_about() {
        let limits = |pay: &str, operation: &str, day: &str| {
            let [pay, operation, day] = [pay, operation, day].map(|limit| limit.parse().ok());
            Limits { pay, operation, day }
        };
        let from = limits("5", "1", "");
        for language in ["en", "zh-CN"] {
            let words = Words::of(language);
            let asked = |to: &Limits| raised(&words, &from, to).len();
            for (to, number) in [(("5", "1", ""), 0), (("4", "0.5", "9"), 0), (("5.01", "1", ""), 1), (("", "", ""), 2)]
            {
                assert_eq!(asked(&limits(to.0, to.1, to.2)), number, "{to:?}");
            }
            let said = raised(&words, &from, &limits("7", "1", "")).concat();
            assert!(said.contains('5') && said.contains('7') && !said.contains('{'), "{said}");
        }
    }

    #[test]
    fn the_question_names_what_is_done_and_why_it_is_asked() {
        for language in ["en", "zh-CN"] {
            let asked = question(&Words::of(language), &moving("6"), &Over::Operation);
            assert!(asked.contains('6') && asked.contains("ali"), "{asked}");
            assert!(!asked.contains('{'), "{asked}");
        }
    }
}
