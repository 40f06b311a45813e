//! Tokens are in the two headers where they belong, and nowhere else.

use client::account::StaticCredentials;
use client::{Client, Patience};
use sandbox::{Credentials, Fault, Options};
use tests::order::Buyer;
use tests::service;

const CANARY: &str = "canary-6f0c1e";

#[tokio::test]
async fn no_journal_holds_a_token() {
    let buyer = Buyer::new(1).await;
    let mut account = service::account(&buyer.service.base_url());
    account.static_area = Some(StaticCredentials { user_id: "practice-agent".into(), token: CANARY.into() });
    account.agent_token = Some(CANARY.into());
    buyer.use_account(account);
    buyer.buy().await;
    for file in buyer.files() {
        let bytes = std::fs::read(&file).expect("a file");
        assert!(!bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()), "{}", file.display());
    }
}

#[tokio::test]
async fn no_error_prints_a_token_a_query_or_a_body() {
    let credentials =
        Credentials { static_token: CANARY.into(), agent_token: CANARY.into(), ..Credentials::well_known() };
    let service = service::start_with(Options { credentials, ..Options::default() }).await;
    let mut account = service::account(&service.base_url());
    account.static_area = Some(StaticCredentials { user_id: "practice-agent".into(), token: CANARY.into() });
    account.agent_token = Some(CANARY.into());
    let printed = format!("{account:?}");
    let patience = Patience { total: std::time::Duration::from_millis(300), ..Patience::default() };
    let client = Client::new(std::sync::Arc::new(account), patience).expect("a client");
    let faults = [
        Fault::DropBefore,
        Fault::Delay { ms: 5_000 },
        Fault::Cut { at: 5 },
        Fault::Html,
        Fault::Redirect,
        Fault::Status { code: 503 },
        Fault::NullData,
    ];
    let mut all = printed + &format!("{client:?}");
    for fault in faults {
        service::fault(&service, "customer/list", fault.clone());
        let query = client::customers::ListQuery { user_name: Some(CANARY.into()), ..Default::default() };
        let error = client.call(client::customers::list(&query)).await.expect_err("it fails");
        all += &format!("{error} {error:?}");
    }
    assert!(!all.contains("canary") && !all.contains("userName"), "{all}");
}
