//! Settings stay, and only a person can raise a limit.

use tests::agent::{Agent, code, settings};
use till::Code;
use till::settings::{Appearance, TableColumns, save_columns, save_settings};
use till::start::boot;

#[tokio::test]
async fn settings_survive_a_start_and_the_appearance_is_shown_at_once() {
    let mut agent = Agent::new().await;
    let mut wanted = settings(Some("5"), None, None);
    (wanted.theme, wanted.language) = (Appearance::Dark, Some("zh-CN".into()));
    save_settings(&agent.till, wanted).await.expect("they are saved");
    assert_eq!(agent.host.shown_in().0, Some(Appearance::Dark));
    agent.start_again();
    let kept = boot(&agent.till, "en".into()).await.expect("a screen").settings;
    assert_eq!((kept.theme, kept.language.as_deref()), (Appearance::Dark, Some("zh-CN")));
    assert_eq!(kept.limits.pay.map(|limit| limit.to_string()).as_deref(), Some("5"));
}

#[tokio::test]
async fn columns_survive_a_start_table_by_table_until_they_are_reset() {
    let mut agent = Agent::new().await;
    for (table, turned) in [("orders", vec!["paid", "places"]), ("records", vec!["by"]), ("orders", vec!["paid"])] {
        let turned = turned.into_iter().map(str::to_owned).collect();
        save_columns(&agent.till, TableColumns { table: table.into(), turned }).await.expect("they are kept");
    }
    agent.start_again();
    let kept = boot(&agent.till, "en".into()).await.expect("a screen").columns;
    assert_eq!(serde_json::json!(kept), serde_json::json!({"orders": ["paid"], "records": ["by"]}));
    save_columns(&agent.till, TableColumns { table: "records".into(), turned: Vec::new() }).await.expect("it is reset");
    let kept = boot(&agent.till, "en".into()).await.expect("a screen").columns;
    assert_eq!(kept.keys().collect::<Vec<_>>(), ["orders"]);
}

#[tokio::test]
async fn the_menu_bar_speaks_the_language_of_the_system_until_another_is_chosen() {
    let mut agent = Agent::new().await;
    assert_eq!(agent.host.menu(), None);
    boot(&agent.till, "zh-CN".into()).await.expect("a screen");
    assert_eq!(agent.host.menu().as_deref(), Some("设置…"));
    let mut wanted = settings(None, None, None);
    wanted.language = Some("en".into());
    save_settings(&agent.till, wanted).await.expect("they are saved");
    assert_eq!(agent.host.menu().as_deref(), Some("Settings…"));
    agent.start_again();
    boot(&agent.till, "zh-CN".into()).await.expect("a screen");
    assert_eq!(agent.host.menu().as_deref(), Some("Settings…"));
}

#[tokio::test]
async fn a_limit_is_lowered_without_a_question_and_raised_or_taken_away_with_one() {
    let agent = Agent::new().await;
    agent.set_limits(Some("5"), Some("2"), None).await;
    agent.set_limits(Some("4"), Some("2"), Some("9")).await;
    assert!(agent.host.questions().is_empty(), "a lower limit needs no question");
    agent.host.answers(Some(false));
    for limits in [settings(Some("4.01"), Some("2"), Some("9")), settings(Some("4"), None, Some("9"))] {
        assert_eq!(code(save_settings(&agent.till, limits).await), Code::Declined);
    }
    let kept = boot(&agent.till, "en".into()).await.expect("a screen").settings.limits;
    assert_eq!(kept.pay.map(|limit| limit.to_string()).as_deref(), Some("4"), "a no changes nothing");
    assert!(kept.operation.is_some());
    agent.host.answers(Some(true));
    agent.set_limits(None, None, None).await;
    assert_eq!(agent.host.questions().len(), 3);
}
