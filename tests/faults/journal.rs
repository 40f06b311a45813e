//! The journal: durable, append-only, chained.

use operations::{Journal, JournalError};
use operations::{OperationError, State};
use sandbox::Fault;
use tests::order::Buyer;

async fn written() -> Buyer {
    let buyer = Buyer::new(1).await;
    buyer.fault(Fault::DropAfter);
    buyer.buy().await;
    buyer.see(operations::State::Applied).await;
    buyer
}

#[tokio::test]
async fn every_step_is_an_event_in_its_order() {
    let buyer = written().await;
    let events = buyer.operations.history().list().expect("a journal").remove(0).events;
    let words: Vec<&str> = events.iter().map(|event| event.what.as_str()).collect();
    assert_eq!(words, ["prepared", "sending", "answer cut", "unknown", "repeated-by-schedule", "sending", "applied"]);
}

#[tokio::test]
async fn events_can_be_neither_changed_nor_removed() {
    let buyer = written().await;
    let db = buyer.journal_beside();
    for statement in ["UPDATE event SET what = 'rejected'", "DELETE FROM event"] {
        let refused = db.execute(statement, []).expect_err("it is refused");
        assert!(refused.to_string().contains("append-only"), "{refused}");
    }
}

#[tokio::test]
async fn an_event_changed_outside_the_program_breaks_the_chain() {
    let buyer = written().await;
    let journal = Journal::open(&buyer.journal()).expect("a journal");
    assert!(journal.events().chain_holds().expect("it is read"));
    let db = buyer.journal_beside();
    db.execute_batch("DROP TRIGGER events_stay; UPDATE event SET what = 'rejected' WHERE what = 'applied'")
        .expect("SQLite");
    assert!(!journal.events().chain_holds().expect("it is read"));
}

#[tokio::test]
async fn the_request_is_kept_to_the_byte() {
    let buyer = written().await;
    let db = buyer.journal_beside();
    let request: String = db.query_row("SELECT request FROM operation", [], |row| row.get(0)).expect("a row");
    let request: client::Request = serde_json::from_str(&request).expect("a request");
    assert!(request.body.expect("a body").contains(sandbox::THREE_IN_JAPAN), "the config's very bytes");
    assert_eq!(request.idempotency_key.as_ref(), buyer.keys_seen().first());
}

#[tokio::test]
async fn an_intent_that_cannot_be_written_down_is_not_sent() {
    let mut buyer = Buyer::new(3).await;
    buyer.refuse("operation", "new.state = 'sending'");
    let token = buyer.offer().await;
    assert!(buyer.operations.confirm(&token).await.is_err());
    assert!(buyer.keys_seen().is_empty(), "no byte left");
    buyer.mend();
    buyer.restart();
    assert!(buyer.see(State::NotSent).await.may_resend);
    assert_eq!(buyer.charged(), (0, "1000".into()));
}

#[tokio::test]
async fn an_answer_that_cannot_be_written_down_stops_everything_until_the_next_start() {
    let mut buyer = Buyer::new(3).await;
    buyer.refuse("operation", "new.state = 'applied'");
    let token = buyer.offer().await;
    assert!(matches!(buyer.operations.confirm(&token).await, Err(OperationError::Stopped)));
    let stuck = buyer.see(State::Sending).await;
    assert!(matches!(buyer.operations.resend(&stuck.id).await, Err(OperationError::Stopped)));
    assert_eq!(buyer.keys_seen().len(), 1);
    buyer.mend();
    buyer.restart();
    let found = buyer.see(State::Unknown).await;
    assert_eq!(buyer.operations.resend(&found.id).await.expect("the person asked").state, State::Applied);
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[test]
fn a_file_that_is_no_journal_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("journal.db");
    std::fs::write(&file, b"this is a letter, not a database, and somebody may want it back").expect("a file");
    assert!(matches!(Journal::open(&file), Err(JournalError::Storage(_) | JournalError::Damaged)));
    assert!(std::fs::read(&file).expect("a file").starts_with(b"this is a letter"));
}
