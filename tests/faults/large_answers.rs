//! Answers that are larger than expected, or too slow.

use std::time::Duration;

use client::{Client, Error, Lost, Patience};
use sandbox::Fault;
use serde_json::json;
use tests::service;

#[tokio::test]
async fn an_answer_over_its_limit_is_not_read_to_its_end() {
    let service = service::start().await;
    let client = service::client(&service);
    // Options are limited to 8 MiB.
    for (megabytes, read) in [(7, true), (9, false)] {
        service.world.answer_options_with(Some(json!({"qualityOptions": ["x".repeat(megabytes * 1024 * 1024)]})));
        let answer = client.call(client::purchase::options()).await;
        assert_eq!(answer.is_ok(), read, "{megabytes} MiB");
        if !read {
            assert!(matches!(answer, Err(Error::OutcomeUnknown(Lost::TooLarge))));
        }
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_is_given_up() {
    let service = service::start().await;
    let short = Patience { total: Duration::from_millis(200), ..Patience::default() };
    let account = std::sync::Arc::new(service::account(&service.base_url()));
    let client = Client::new(account, short).expect("a client");
    service::fault(&service, "purchase/options", Fault::Delay { ms: 60_000 });
    let given_up = client.call(client::purchase::options()).await;
    assert!(matches!(given_up, Err(Error::OutcomeUnknown(Lost::TimedOut))), "{given_up:?}");
}
