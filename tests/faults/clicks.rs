//! Hazard 5: double clicks, two dialogs, two windows.

use operations::{Direction, Intent, OperationError, State};
use sandbox::Fault;
use tests::order::Buyer;
use tests::truth;

#[tokio::test]
async fn one_confirmation_is_one_order_however_often_it_is_pressed() {
    let buyer = Buyer::new(3).await;
    let token = buyer.offer().await;
    assert!(matches!(buyer.operations.offered(&token), Some(Intent::Order(_))), "what is confirmed");
    let presses = (0..20).map(|_| {
        let (operations, token) = (buyer.operations.clone(), token.clone());
        tokio::spawn(async move { operations.confirm(&token).await.is_ok() })
    });
    let mut accepted = 0;
    for press in presses.collect::<Vec<_>>() {
        accepted += usize::from(press.await.expect("it ends"));
    }
    assert!(buyer.operations.offered(&token).is_none(), "it is spent");
    assert_eq!((accepted, buyer.operations.history().list().expect("a journal").len()), (1, 1));
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn while_one_order_is_open_no_other_begins() {
    let buyer = Buyer::new(0).await;
    // Two dialogs are open at once, as with two windows.
    let (first, second) = (buyer.offer().await, buyer.offer().await);
    buyer.fault(Fault::DropAfter);
    let open = buyer.operations.confirm(&first).await.expect("it is sent");
    assert_eq!(open.state, State::NeedsYou);
    assert!(matches!(buyer.operations.confirm(&second).await, Err(OperationError::TargetHeld)));
    let intent = buyer.priced().await;
    assert!(matches!(buyer.operations.offer(intent, None), Err(OperationError::TargetHeld)));
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn resending_twice_at_once_is_one_order() {
    let buyer = Buyer::new(0).await;
    buyer.fault(Fault::DropAfter);
    let open = buyer.buy().await;
    let (one, two) = tokio::join!(buyer.operations.resend(&open.id), buyer.operations.resend(&open.id));
    assert!(one.is_ok() != two.is_ok(), "the second finds it sent already");
    assert_eq!(buyer.see(State::Applied).await.id, open.id);
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_the_order_to_its_end() {
    let buyer = Buyer::new(3).await;
    buyer.fault(Fault::Delay { ms: 300 });
    let token = buyer.offer().await;
    tokio::select! {
        _ = buyer.operations.confirm(&token) => panic!("the answer takes longer"),
        _ = buyer.see(State::Sending) => (),
    }
    buyer.see(State::Applied).await;
    assert_eq!(buyer.charged(), (1, "991.45".into()));
}

/// T18: real threads, not tasks that take turns.
#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn of_eight_threads_that_confirm_the_same_move_one_sends_it() {
    let buyer = Buyer::new(0).await;
    for round in 1..=20 {
        let intent = Intent::from(buyer.moving(Direction::Deduction, "0.25").await);
        let offers = [(); 8].map(|()| buyer.operations.offer(intent.clone(), None).expect("nothing is open").token);
        let presses = offers.map(|token| {
            let operations = buyer.operations.clone();
            tokio::spawn(async move { operations.confirm(&token).await.is_ok() })
        });
        let mut accepted = 0;
        for press in presses {
            accepted += usize::from(press.await.expect("it ends"));
        }
        assert_eq!((accepted, buyer.sends(Direction::Deduction)), (1, round), "round {round}");
        truth::settled(&buyer.operations).await;
    }
}
