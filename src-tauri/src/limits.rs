//! Above a limit that the user set, the system's own dialog asks again. Its words come from here: the
//! page has no say in them.

use operations::Intent;
use rust_decimal::Decimal;
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};
use tokio::sync::oneshot;

use crate::app::Limits;
use crate::window;
use crate::words::Words;

/// Which limit an intent goes over, with the sum that does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Over {
    Pay,
    Operation,
    Day(Decimal),
}

/// Compares an intent with the limits. `today`: what was moved today already, GB.
pub(crate) fn over(limits: &Limits, intent: &Intent, today: Decimal) -> Option<Over> {
    let above = |limit: &Option<wire::Amount>, sum: Decimal| limit.is_some_and(|limit| sum > limit.value());
    match intent {
        Intent::Order(order) => above(&limits.pay, order.amount.value()).then_some(Over::Pay),
        Intent::Move(moved) => {
            let gb = moved.gb.amount().value();
            let together = today + gb;
            if above(&limits.operation, gb) {
                Some(Over::Operation)
            } else {
                above(&limits.day, together).then_some(Over::Day(together))
            }
        }
        // Changes of customers have no amount.
        Intent::Account(_) => None,
    }
}

/// Asks; only a plain yes is one.
pub(crate) async fn ask(handle: &AppHandle, words: &Words, intent: &Intent, over: &Over) -> bool {
    let (answer, answered) = oneshot::channel();
    let (yes, no) = (verb(words, intent), words.get("limit-no"));
    let mut dialog = handle
        .dialog()
        .message(question(words, intent, over))
        .title(words.get("limit-title"))
        .kind(MessageDialogKind::Warning)
        .buttons(MessageDialogButtons::OkCancelCustom(yes, no));
    if let Some(window) = handle.get_webview_window(window::MAIN) {
        dialog = dialog.parent(&window);
    }
    dialog.show(move |said| {
        let _ = answer.send(said);
    });
    answered.await.unwrap_or(false)
}

/// The verb and the sum.
fn verb(words: &Words, intent: &Intent) -> String {
    match intent {
        Intent::Order(order) => {
            words.with("limit-pay-button", &[("sum", &format!("{} {}", order.amount, order.currency))])
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
        Intent::Order(order) => words.with("limit-order", &[("sum", &format!("{} {}", order.amount, order.currency))]),
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
    let why = match over {
        Over::Pay => words.get("limit-over-pay"),
        Over::Operation => words.get("limit-over-operation"),
        Over::Day(together) => words.with("limit-over-day", &[("gb", &together.normalize().to_string())]),
    };
    format!("{what}\n\n{why}")
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
    fn the_question_names_what_is_done_and_why_it_is_asked() {
        for language in ["en", "zh-CN"] {
            let asked = question(&Words::of(language), &moving("6"), &Over::Operation);
            assert!(asked.contains('6') && asked.contains("ali"), "{asked}");
            assert!(!asked.contains('{'), "{asked}");
        }
    }
}
