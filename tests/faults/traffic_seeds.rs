//! Hundreds of seeds: moves of traffic through every fault of the send and of the checks, with restarts in between.
//! The service's ledger is the truth.

use dice::Dice;
use operations::Reason;
use operations::{Direction, GbFactor, State, Verdict};
use sandbox::{Fault, FaultRule};
use tests::order::Buyer;
use tests::side_by_side;
use tests::traffic_move::endpoint;

const SEEDS: u64 = 240;
/// Worlds at a time.
const AT_ONCE: usize = 8;

/// A fault of the move itself, or none.
fn on_the_way(dice: &mut Dice) -> Option<Fault> {
    Some(match dice.roll(18) {
        0 => Fault::DropBefore,
        1 => Fault::DropAfter,
        2 => Fault::Late { ms: 60 },
        3 => Fault::Delay { ms: 60_000 },
        4 => Fault::Cut { at: 9 },
        5 => Fault::Html,
        6 => Fault::Redirect,
        7 => Fault::Status { code: 500 },
        8 => Fault::Status { code: 502 },
        9 => Fault::NullData,
        10 => Fault::Twice,
        11 => Fault::Factor1000,
        12 => Fault::LedgerLag { ms: 3_600_000 },
        13 => Fault::Refuse { code: Some("500".into()) },
        14 => Fault::Refuse { code: Some("203".into()) },
        _ => return None,
    })
}

/// A fault of a check, or none.
fn on_a_look(dice: &mut Dice) -> Option<FaultRule> {
    let endpoint = ["customer/list", "myRechargeFlowList"][dice.roll(2) as usize];
    let fault = match dice.roll(8) {
        0 => Fault::DropBefore,
        1 => Fault::Html,
        2 => Fault::NullData,
        3 => Fault::Status { code: 503 },
        4 => Fault::Cut { at: 40 },
        _ => return None,
    };
    Some(FaultRule { endpoint: endpoint.into(), fault, times: 1 + dice.roll(3) as u32 })
}

async fn story(seed: u64) {
    let mut dice = Dice::of(seed);
    let mut buyer = Buyer::new(0).await;
    for _ in 0..2 {
        let direction = if dice.roll(3) == 0 { Direction::Recharge } else { Direction::Deduction };
        // A buyer who has learned one GB factor asks about the other.
        let lesson = buyer.operations.lessons().learned().expect("a journal");
        let surprised = lesson.is_some_and(|lesson| lesson.factor != GbFactor::Binary);
        let (before, sends) = (buyer.moves().len(), buyer.sends(direction));
        let moved = buyer.moving(direction, "0.5").await;
        let fault = on_the_way(&mut dice);
        if let Some(fault) = fault.clone() {
            tests::service::fault(&buyer.service, endpoint(direction), fault);
        }
        let sent = buyer.send(moved.into()).await;
        if let Some(rule) = on_a_look(&mut dice) {
            buyer.service.world.add_fault(rule);
        }
        if dice.roll(4) == 0 {
            buyer.restart();
        }
        let what = format!("seed {seed}: {direction:?} {fault:?}");
        let decided = buyer.decided().await;
        // Late requests are on their way for 60 ms at most.
        let late = matches!(fault, Some(Fault::Late { .. }));
        if late {
            tests::until("the late one arrived", async || (buyer.moves().len() > before).then_some(())).await;
        }
        let (done, sent_times) = (buyer.moves().len() - before, buyer.sends(direction) - sends);
        assert_eq!(decided.id, sent.id, "{what}");
        if direction == Direction::Deduction {
            assert_eq!(sent_times, 1, "{what}: a deduction is sent once");
        } else {
            assert!(done <= 1, "{what}: an order id is done once");
        }
        match (decided.state, decided.reason) {
            (State::Applied | State::ResolvedApplied, _) => assert_eq!(done, 1, "{what}"),
            (State::Rejected, _) => assert!(done == 0, "{what}"),
            (State::NeedsYou, Some(Reason::Doubled)) => assert_eq!(done, 2, "{what}"),
            // A question claims nothing, so it is never wrong; but a fault must have caused it.
            (State::NeedsYou, Some(Reason::NotSeen | Reason::Contradiction)) => {
                assert!(fault.is_some() || surprised, "{what}: {:?}", decided.reason);
            }
            other => panic!("{what}: {other:?}"),
        }
        if decided.state == State::NeedsYou {
            let verdict = if done > 0 { Verdict::Done } else { Verdict::NotDone };
            buyer.operations.judge(&decided.id, verdict).expect("a person looked");
        }
        buyer.service.world.clear_faults();
        buyer.service.world.clock.advance(3_600_001);
    }
}

#[tokio::test]
async fn whatever_happens_on_the_way_a_move_is_done_once_and_reported_as_it_is() {
    side_by_side(AT_ONCE, (0..SEEDS).map(story)).await;
}
