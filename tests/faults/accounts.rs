//! Create, password, status: through every fault of an answer.

use std::time::Duration;

use operations::NotConfirmed;
use operations::Reason;
use operations::{AccountAccess, AccountChange, OperationError, OperationView, RowReason, RowsWanted, Schedule, State};
use sandbox::Fault;
use secrecy::ExposeSecret;
use tests::accounts::{NEW, create, hash, status};
use tests::bulk::plan;
use tests::order::{Buyer, access, at_once};
use tests::service::{account, fault, requests};
use tests::until;

/// Waits until the only operation is decided or asks.
async fn settled(buyer: &Buyer) -> OperationView {
    until("it is settled", async || {
        let newest = buyer.operations.history().list().expect("a journal").into_iter().next()?;
        let waits = matches!(newest.state, State::Prepared | State::Sending | State::Verifying);
        let is_at_work = matches!(newest.state, State::Unknown | State::Refused) && newest.next_at.is_some();
        (!waits && !is_at_work).then_some(newest)
    })
    .await
}

async fn token_of(buyer: &Buyer, operation: &OperationView) -> Option<String> {
    use operations::{Owner, SecretKind};
    let owner = Owner::Customer(operation.customer_id.clone()?);
    let secret = buyer.operations.secrets().expect("an account").of(&owner, SecretKind::Token).await.expect("memory");
    secret.map(|secret| secret.expose_secret().to_owned())
}

#[tokio::test]
async fn a_created_customer_has_its_secrets_saved_before_anybody_is_told() {
    let buyer = Buyer::new(0).await;
    let created = buyer.change(create(NEW), None).await;
    assert_eq!((created.state, created.user_name.as_str()), (State::Applied, NEW));
    let account = &buyer.accounts()[0];
    assert_eq!(created.customer_id.as_ref().map(|id| id.as_str()), Some(account.customer_id.to_string().as_str()));
    let token = token_of(&buyer, &created).await.expect("it is kept");
    assert_eq!(Some(hash(&token)), account.token_hash);
}

#[tokio::test]
async fn whatever_happens_to_a_creation_the_customer_is_made_once_and_reported_as_it_is() {
    let cases = [
        // Missing from the list three times, it is sent again, and that send created it.
        (Fault::DropBefore, State::Applied),
        (Fault::Html, State::Applied),
        (Fault::Redirect, State::Applied),
        (Fault::Status { code: 502 }, State::Applied),
        (Fault::DropAfter, State::ResolvedApplied),
        (Fault::Cut { at: 9 }, State::ResolvedApplied),
        (Fault::Delay { ms: 60_000 }, State::ResolvedApplied),
        // The proxy's second copy gets 201. The name was not in the list before, so it is ours.
        (Fault::Twice, State::ResolvedApplied),
        (Fault::NullData, State::Applied),
        (Fault::Refuse { code: Some("202".into()) }, State::Rejected),
        (Fault::Refuse { code: Some("500".into()) }, State::Rejected),
    ];
    for (fault, expected) in cases {
        let buyer = Buyer::new(0).await;
        buyer.change(create(NEW), Some(fault.clone())).await;
        let end = settled(&buyer).await;
        assert_eq!(end.state, expected, "{fault:?}: {end:?}");
        let made = buyer.accounts().iter().filter(|account| account.created).count();
        assert_eq!(made, usize::from(expected != State::Rejected), "{fault:?}");
        assert_eq!(end.customer_id.is_some(), made == 1, "{fault:?}: its id is known from the list");
    }
}

#[tokio::test]
async fn what_could_be_read_of_the_secrets_of_a_cut_answer_is_kept() {
    let buyer = Buyer::new(0).await;
    // The first part holds code, message and the token, but not the password.
    buyer.change(create(NEW), Some(Fault::Cut { at: 110 })).await;
    let end = settled(&buyer).await;
    assert_eq!(end.state, State::ResolvedApplied);
    let hash_of_it = async || token_of(&buyer, &end).await.map(|token| hash(&token));
    let kept = until("the token has its customer's name", async || hash_of_it().await).await;
    assert_eq!(Some(kept), buyer.accounts()[0].token_hash);
}

#[tokio::test]
async fn what_came_before_its_customer_was_known_gets_the_customers_name() {
    let buyer = Buyer::with(operations::Schedule {
        checks_before_repeat: vec![std::time::Duration::from_millis(200); 3],
        ..at_once(0)
    })
    .await;
    let unknown = buyer.change(create(NEW), Some(Fault::DropAfter)).await;
    let secrets = buyer.operations.secrets().expect("an account");
    secrets.hold(&format!("operation/{}/token", unknown.id.0), "the-token-1".into());
    let end = settled(&buyer).await;
    assert_eq!(end.state, State::ResolvedApplied);
    let kept = until("the token has its customer's name", async || token_of(&buyer, &end).await).await;
    assert_eq!(kept, "the-token-1");
}

#[tokio::test]
async fn a_name_that_is_there_is_not_sent_at_all() {
    let buyer = Buyer::new(0).await;
    buyer.change(create(NEW), None).await;
    let token = buyer.operations.offer(create(&NEW.to_uppercase()), None).expect("nothing is open").token;
    let refused = buyer.operations.confirm(&token).await.expect_err("it is there");
    assert!(matches!(refused, OperationError::NameTaken), "{refused:?}");
    assert_eq!(buyer.operations.history().list().expect("a journal").len(), 1);
}

#[tokio::test]
async fn after_a_crash_a_creation_is_checked_for_and_never_sent_by_itself() {
    for (fault, expected) in [(Fault::DropAfter, State::ResolvedApplied), (Fault::DropBefore, State::NeedsYou)] {
        let mut buyer = Buyer::new(0).await;
        buyer.change(create(NEW), Some(fault.clone())).await;
        buyer.restart();
        let end = settled(&buyer).await;
        assert_eq!(end.state, expected, "{fault:?}");
        assert_eq!(requests(&buyer.service, "addUser"), 1, "{fault:?}");
        if expected == State::NeedsYou {
            assert_eq!(end.reason, Some(Reason::NotSeen));
            let again = buyer.operations.resend(&end.id).await.expect("a person may");
            assert_eq!(again.state, State::Applied);
        }
    }
}

#[tokio::test]
async fn a_password_is_set_and_kept_and_the_journal_does_not_hold_it() {
    let buyer = Buyer::new(0).await;
    let secret = "canary-7f31-PASS";
    let change = buyer.password(secret);
    let set = buyer.change(change.clone(), None).await;
    assert_eq!(set.state, State::Applied);
    assert_eq!(buyer.accounts()[0].password_hashes, [hash(secret)]);
    let known = buyer.operations.customers().known_secrets(&wire::ids::CustomerId::new("100001")).expect("a journal");
    assert_eq!(known.password.as_deref(), change.reference());
    for file in buyer.files() {
        let bytes = std::fs::read(file).expect("a file");
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()));
    }
}

#[tokio::test]
async fn whatever_happens_to_a_setting_the_same_value_is_sent_again_and_no_other() {
    let cases = [
        (Fault::DropBefore, State::Applied),
        (Fault::DropAfter, State::Applied),
        (Fault::Html, State::Applied),
        (Fault::Cut { at: 9 }, State::Applied),
        (Fault::Status { code: 500 }, State::Applied),
        (Fault::Twice, State::Applied),
        // A refused token, or a yes without data.
        (Fault::NullData, State::Applied),
        (Fault::Refuse { code: Some("201".into()) }, State::Rejected),
        // No read can show that it was certainly not done.
        (Fault::Refuse { code: Some("500".into()) }, State::Refused),
    ];
    for (fault, expected) in cases {
        for of_password in [true, false] {
            let buyer = Buyer::new(0).await;
            let change = if of_password { buyer.password("abc-DEF-123") } else { status(false) };
            buyer.change(change, Some(fault.clone())).await;
            let end = settled(&buyer).await;
            assert_eq!(end.state, expected, "{fault:?} {of_password}: {end:?}");
            let accounts = buyer.accounts();
            assert_eq!(accounts.is_empty(), expected != State::Applied, "{fault:?}");
            for account in accounts {
                assert!(account.password_hashes.iter().all(|one| *one == hash("abc-DEF-123")), "{fault:?}");
                assert!(account.statuses.iter().all(|active| !active), "{fault:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_password_whose_customer_is_held_is_not_kept() {
    let buyer = Buyer::with(operations::Schedule { settings: Vec::new(), ..at_once(0) }).await;
    let [first, second] = ["abc-DEF-123", "abc-DEF-456"].map(|secret| buyer.password(secret));
    let token = |change: &AccountChange| buyer.operations.offer(change.clone(), None).expect("nothing is open").token;
    let tokens = [token(&first), token(&second)];
    fault(&buyer.service, "updatePwd", Fault::DropBefore);
    let open = buyer.operations.confirm(&tokens[0]).await.expect("it is sent");
    assert_eq!(open.state, State::NeedsYou);
    let refused = buyer.operations.confirm(&tokens[1]).await;
    assert!(matches!(refused, Err(OperationError::TargetHeld)), "{refused:?}");
    let secrets = buyer.operations.secrets().expect("an account");
    let kept = async |change: &AccountChange| {
        let reference = change.reference().expect("a password has one").to_owned();
        matches!(secrets.read(&reference).await, Ok(Some(_)))
    };
    assert_eq!((kept(&first).await, kept(&second).await), (true, false));
}

#[tokio::test]
async fn a_password_that_was_pointed_elsewhere_is_never_sent_again() {
    let buyer = Buyer::new(0).await;
    let sent = buyer.change(buyer.password("abc-DEF-123"), Some(Fault::Redirect)).await;
    assert_eq!((sent.state, sent.reason), (State::NeedsYou, Some(Reason::Exposed)));
    assert!(!sent.may_resend && sent.may_judge);
    buyer.operations.resend(&sent.id).await.expect_err("another value has to be chosen");
}

#[tokio::test]
async fn after_a_crash_a_setting_is_a_question_and_only_a_person_sets_it_again() {
    for of_password in [true, false] {
        let mut buyer = Buyer::with(operations::Schedule { settings: Vec::new(), ..at_once(0) }).await;
        let change = if of_password { buyer.password("abc-DEF-123") } else { status(true) };
        buyer.change(change, Some(Fault::DropBefore)).await;
        buyer.restart();
        let asked = settled(&buyer).await;
        assert_eq!((asked.state, asked.reason), (State::NeedsYou, Some(Reason::NoRead)));
        let again = buyer.operations.resend(&asked.id).await.expect("a person may");
        // A password held only in memory is lost in the crash, and then nothing is sent.
        let expected = if of_password { State::NeedsYou } else { State::Applied };
        assert_eq!(again.state, expected, "{again:?}");
        assert_eq!(buyer.accounts().is_empty(), of_password);
    }
}

#[tokio::test]
async fn another_value_waits_until_the_last_one_has_certainly_arrived() {
    let apart = std::time::Duration::from_secs(65);
    let buyer = Buyer::with(operations::Schedule { settings: vec![apart], ..at_once(0) }).await;
    assert_eq!(buyer.change(status(false), None).await.state, State::Applied);
    let refused = buyer.operations.offer(status(true), None).expect_err("too soon");
    assert!(matches!(refused, OperationError::TooSoon { wait } if wait <= apart), "{refused:?}");
    assert!(buyer.operations.offer(status(false), None).is_ok(), "the same value may be set again");
    buyer.pass(apart);
    assert!(buyer.operations.offer(status(true), None).is_ok(), "it has certainly arrived");
    let last = buyer.operations.customers().last_statuses().expect("a journal");
    assert_eq!(last.values().map(|last| last.customer_state).collect::<Vec<_>>(), [0]);
}

#[tokio::test]
async fn an_older_value_is_not_sent_again_behind_a_newer_one() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let older = buyer.change(status(false), None).await;
    assert!(older.state == State::NotSent && older.may_resend);
    buyer.use_account(account(&buyer.service.base_url()));
    assert_eq!(buyer.change(status(true), None).await.state, State::Applied);
    buyer.operations.resend(&older.id).await.expect_err("it would turn the newer one back");
    assert_eq!(buyer.accounts()[0].statuses, [true]);
}

#[tokio::test]
async fn a_newer_value_that_never_left_may_be_sent_behind_an_older_one() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let older = buyer.change(status(false), None).await;
    until("another millisecond", async || (tests::wall() > older.created).then_some(())).await;
    let newer = buyer.change(status(true), None).await;
    buyer.use_account(account(&buyer.service.base_url()));
    assert_eq!(buyer.operations.resend(&older.id).await.expect("nothing was sent since").state, State::Applied);
    let newer = until("the first has certainly arrived", async || buyer.operations.resend(&newer.id).await.ok()).await;
    assert_eq!((newer.state, newer.active), (State::Applied, Some(true)));
    assert_eq!(buyer.accounts()[0].statuses, [false, true]);
}

#[tokio::test]
async fn secrets_that_came_without_a_customer_get_its_name_when_it_is_known() {
    use operations::{Owner, SecretKind};
    let buyer = Buyer::new(0).await;
    let secrets = buyer.operations.secrets().expect("an account");
    let (operation, customer) = (operations::OperationId("one".into()), wire::ids::CustomerId::new("7"));
    assert!(secrets.is_memory_only());
    let vault = || std::sync::Arc::new(vault::Vault::new("app.proxytill.tests", vault::Patience::default()));
    assert!(!operations::Secrets::new(vault(), "tests", false, true).is_memory_only());
    secrets.hold("operation/one/token", "the token".into());
    secrets.hold("operation/one/password", "the password".into());
    secrets.adopt(&operation, &customer).await;
    for (kind, expected) in [(SecretKind::Token, "the token"), (SecretKind::Password, "the password")] {
        let named = secrets.of(&Owner::Customer(customer.clone()), kind).await.expect("memory").expect("it is there");
        assert_eq!(named.expose_secret(), expected);
        let left = secrets.of(&Owner::Operation(operation.clone()), kind).await;
        assert!(!matches!(left, Ok(Some(_))), "under one name alone");
    }
}

#[tokio::test]
async fn every_change_is_told_to_whoever_listens() {
    let buyer = Buyer::new(0).await;
    let mut changes = buyer.operations.changes();
    let set = buyer.change(status(false), None).await;
    let mut told = 0;
    while let Ok(id) = changes.try_recv() {
        assert_eq!(id, set.id);
        told += 1;
    }
    assert_eq!(told, 3, "prepared, sending, applied");
}

#[tokio::test]
async fn a_status_that_was_meant_before_the_setting_was_turned_is_never_sent() {
    let buyer = Buyer::new(0).await;
    let refused = |sent: Result<OperationView, OperationError>| {
        let error = sent.expect_err("its number means the opposite now");
        assert!(matches!(error, OperationError::NotConfirmed(NotConfirmed::Turned)), "{error:?}");
    };
    let no = buyer.change(status(false), Some(Fault::Refuse { code: Some("201".into()) })).await;
    let token = buyer.operations.offer(status(false), None).expect("nothing is open").token;
    let turned = AccountAccess { states: [0, 1], ..access(&buyer.service, account(&buyer.service.base_url())) };
    buyer.operations.use_account(Some(turned));
    refused(buyer.operations.confirm(&token).await);
    refused(buyer.operations.resend(&no.id).await);
    let bulk = buyer.start_bulk(plan(vec![status(false).into()])).await;
    let bulk = buyer.see_bulk_ended(&bulk.id).await;
    let rows = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 0, 9).expect("rows");
    assert_eq!(rows[0].reason.map(RowReason::word), Some("turned"), "{rows:?}");
    assert!(buyer.accounts().is_empty(), "nothing was sent");
}

#[tokio::test]
async fn a_customer_is_held_by_whatever_is_open_and_a_name_by_its_creation() {
    let buyer = Buyer::with(operations::Schedule {
        checks_before_repeat: vec![std::time::Duration::from_secs(60); 3],
        ..at_once(0)
    })
    .await;
    buyer.change(create(NEW), Some(Fault::DropAfter)).await;
    for change in [create(NEW), create("new.one@X.com ")] {
        let refused = buyer.operations.offer(change, None).expect_err("the name is held");
        assert!(matches!(refused, OperationError::TargetHeld));
    }
    assert!(buyer.operations.offer(create("other@x.com"), None).is_ok());
    assert!(matches!(status(true), AccountChange::Status { customer_state: 1, .. }));
}

#[tokio::test]
async fn a_clock_that_was_set_back_brings_no_older_value_back() {
    let buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let older = buyer.change(status(false), None).await;
    buyer.set_clock(-3_600_000);
    let newer = buyer.change(status(true), None).await;
    buyer.use_account(account(&buyer.service.base_url()));
    assert_eq!(buyer.operations.resend(&newer.id).await.expect("it is the newest").state, State::Applied);
    let late = buyer.operations.resend(&older.id).await;
    assert!(matches!(late, Err(OperationError::Impossible(_))), "{late:?}");
    assert_eq!(buyer.accounts()[0].statuses, [true]);
}

#[tokio::test]
async fn values_that_never_left_are_sent_again_as_far_apart_as_others() {
    let buyer = Buyer::with(Schedule { settings: vec![Duration::from_secs(3_600)], ..at_once(0) }).await;
    buyer.send_to_nobody();
    let [older, newer] = [buyer.change(status(false), None).await, buyer.change(status(true), None).await];
    buyer.use_account(account(&buyer.service.base_url()));
    assert_eq!(buyer.operations.resend(&older.id).await.expect("nothing was sent since").state, State::Applied);
    let soon = buyer.operations.resend(&newer.id).await;
    assert!(matches!(soon, Err(OperationError::TooSoon { .. })), "{soon:?}");
    assert_eq!(buyer.accounts()[0].statuses, [false]);
}
