//! Hazards 1, 6, 7, 8: the answer is a refusal, or nothing was sent.

use operations::State;
use sandbox::{Credentials, Fault, Options};
use tests::order::Buyer;
use tests::service::{account, start_with};

#[tokio::test]
async fn a_first_refusal_applies_nothing_and_frees_the_wallet_for_the_next_order() {
    for (code, later, wallet) in [("60004", 0, "8.54"), ("60306", 300_000, "1000")] {
        let buyer = Buyer::new(3).await;
        let token = buyer.offer().await;
        buyer.service.world.clock.advance(later);
        buyer.service.world.set_wallet(wallet.parse().expect("an amount")).expect("a ledger");
        buyer.operations.confirm(&token).await.expect("it is sent");
        // A refusal that may concern its key is checked once more under the same key.
        let refused = buyer.see(State::Rejected).await;
        assert_eq!(refused.refusal.expect("the vendor's words").code, code);
        assert!(!refused.may_resend && !refused.may_judge, "{code}");
        assert_eq!(buyer.charged(), (0, wallet.into()));
        buyer.service.world.set_wallet("1000".parse().expect("an amount")).expect("a ledger");
        assert_eq!(buyer.buy().await.state, State::Applied, "a new price, a new row");
        assert_eq!(buyer.charged(), (1, "991.45".into()));
    }
}

#[tokio::test]
async fn what_never_left_is_sent_again_as_the_same_row() {
    let mut buyer = Buyer::new(3).await;
    let token = buyer.offer().await;
    let port = buyer.service.address.port();
    // Nothing listens there any more.
    buyer.service = start_with(Options::default()).await;
    tests::until("the port is free", async || std::net::TcpListener::bind(("127.0.0.1", port)).ok()).await;
    let kept = buyer.operations.confirm(&token).await.expect("it is tried");
    assert_eq!(kept.state, State::NotSent);
    assert!(buyer.keys_seen().is_empty());
    buyer.use_account(account(&buyer.service.base_url()));
    buyer.operations.resend(&kept.id).await.expect("it may be sent");
    let again = buyer.see(State::Rejected).await;
    // The other service does not know the price, and refuses this very row.
    assert_eq!((again.id, again.state), (kept.id, State::Rejected));
}

#[tokio::test]
async fn without_credentials_nothing_leaves() {
    let buyer = Buyer::new(3).await;
    buyer.operations.use_account(None);
    assert_eq!(buyer.buy().await.state, State::NotSent);
    assert_eq!(buyer.charged(), (0, "1000".into()));
}

#[tokio::test]
async fn a_rotated_token_is_replaced_and_the_same_row_is_paid_once() {
    let buyer = Buyer::new(3).await;
    let mut rotated = account(&buyer.service.base_url());
    let who = Credentials::well_known();
    rotated.static_area = Some(client::account::StaticCredentials { user_id: who.user_id, token: "old".into() });
    buyer.use_account(rotated);
    let refused = buyer.buy().await;
    assert_eq!((refused.state, refused.may_resend), (State::Rejected, true));
    assert_eq!(buyer.charged(), (0, "1000".into()));
    buyer.use_account(account(&buyer.service.base_url()));
    let done = buyer.operations.resend(&refused.id).await.expect("the new token is there");
    assert_eq!((done.id, done.state), (refused.id, State::Applied));
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn each_no_of_the_service_is_a_refusal_that_applies_nothing() {
    for (fault, code) in
        [(Fault::Refuse { code: None }, "60399"), (Fault::QuoteExpired, "60306"), (Fault::NoStock, "60310")]
    {
        let buyer = Buyer::new(3).await;
        // An expired price may mean a known key: only the same refusal twice counts.
        let times = if code == "60306" { 2 } else { 1 };
        (0..times).for_each(|_| buyer.fault(fault.clone()));
        buyer.buy().await;
        let refused = buyer.see(State::Rejected).await;
        assert_eq!((buyer.keys_seen().len(), refused.refusal.expect("a no").code.as_str()), (times, code));
        assert_eq!(buyer.charged(), (0, "1000".into()));
    }
}

#[tokio::test]
async fn a_proxy_that_sends_the_order_twice_pays_once() {
    let buyer = Buyer::new(3).await;
    buyer.fault(Fault::Twice);
    assert_eq!(buyer.buy().await.state, State::Applied);
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn an_order_delivered_in_part_is_bought_whole_and_told_as_late() {
    let buyer = Buyer::new(3).await;
    buyer.fault(Fault::Partial);
    assert_eq!(buyer.buy().await.state, State::Applied);
    let booked = buyer.operations.orders().all().expect("a journal").remove(0);
    assert_eq!((booked.ordered, booked.delivered, booked.is_late()), (Some(3), Some(1), true));
}
