//! A vendor that is strict with its callers, and one whose customers use traffic while it is read: every move is
//! resolved correctly.

use operations::{BulkState, Direction, State};
use sandbox::Fault;
use tests::order::Buyer;
use tests::service::{self, SAME};

const BOTH: [(Direction, &str); 2] = [(Direction::Recharge, "512"), (Direction::Deduction, "-512")];
/// Rows of a bulk, for customers with something left to take back.
const ROWS: usize = 5;
/// The endpoint where a vendor lists deductions.
const LEDGER: &str = "myRechargeFlowList";

#[tokio::test]
async fn a_strict_vendor_keeps_no_move_from_being_proved() {
    for (direction, mb) in BOTH {
        let buyer = Buyer::new(0).await;
        let moved = buyer.moving(direction, "0.5").await;
        service::be_strict(&buyer.service, SAME);
        buyer.send_move(moved).await;
        assert_eq!((buyer.decided().await.state, buyer.moves()), (State::Applied, vec![mb.into()]));
        assert_eq!(buyer.sends(direction), 1);
    }
}

#[tokio::test]
async fn a_strict_vendor_keeps_no_bulk_from_being_proved() {
    let buyer = Buyer::with_customers(25).await;
    let all = buyer.planned_moves(Direction::Deduction, "0.5", ROWS).await;
    service::be_strict(&buyer.service, SAME);
    let bulk = buyer.start_bulk(all).await;
    let ended = buyer.see_bulk_ended(&bulk.id).await;
    assert_eq!((ended.state, ended.counts.done), (BulkState::Finished, ROWS), "{ended:?}");
    assert_eq!(buyer.moves(), vec!["-512"; ROWS]);
}

#[tokio::test]
async fn use_that_goes_on_while_it_is_read_hides_no_deduction() {
    for way in [Fault::GrowingUse, Fault::StreamingUse] {
        let buyer = Buyer::new(0).await;
        buyer.always(LEDGER, way.clone());
        buyer.move_traffic(Direction::Deduction, "0.5", None).await;
        let done = buyer.decided().await;
        assert_eq!((done.state, done.alarm), (State::Applied, false), "{way:?}: {:?}", done.events);
        assert_eq!(buyer.moves(), ["-512"]);
    }
}

#[tokio::test]
async fn a_deduction_that_never_arrived_is_not_seen_in_use_that_goes_on() {
    for way in [Fault::GrowingUse, Fault::StreamingUse] {
        let buyer = Buyer::new(0).await;
        buyer.always(LEDGER, way.clone());
        buyer.move_traffic(Direction::Deduction, "0.5", Some(Fault::DropBefore)).await;
        let asked = buyer.decided().await;
        assert_eq!(asked.state, State::NeedsYou, "{way:?}");
        let saw = |what: &str| asked.events.iter().filter(|event| event.what == what).count();
        assert!(saw("looked-nothing") >= 3 && saw("looked-unreadable") == 0, "{way:?}: {:?}", asked.events);
        assert!(buyer.moves().is_empty());
    }
}

#[tokio::test]
async fn a_bulk_of_deductions_begins_and_is_proved_while_use_goes_on() {
    for way in [Fault::GrowingUse, Fault::StreamingUse] {
        let buyer = Buyer::with_customers(12).await;
        let all = buyer.planned_moves(Direction::Deduction, "0.5", ROWS).await;
        buyer.always(LEDGER, way.clone());
        let bulk = buyer.start_bulk(all).await;
        let ended = buyer.see_bulk_ended(&bulk.id).await;
        assert_eq!((ended.state, ended.counts.done), (BulkState::Finished, ROWS), "{way:?}: {ended:?}");
        assert_eq!(buyer.moves(), vec!["-512"; ROWS]);
    }
}
