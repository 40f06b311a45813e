//! T20: what a restored journal reports about operations, compared with the service's ledger.

use std::path::PathBuf;
use std::time::Duration;

use operations::NotConfirmed;
use operations::{
    BulkState, Direction, OperationError, OperationView, Reason, RowReason, RowsWanted, State, TrafficMove,
};
use sandbox::Fault;
use tests::order::Buyer;
use tests::{accounts, newest_record, truth, until};

/// Time after which a backup is made.
const DAY: Duration = Duration::from_secs(25 * 60 * 60);

/// Damages the journal, but not its records and backups.
fn damage(buyer: &Buyer) {
    tests::letters(buyer.journal().parent().expect("a folder"), &["journal.db"]);
}

/// Makes reads from the vendor fail from now on.
fn unreadable(buyer: &Buyer) {
    for read in ["customer/list", "myRechargeFlowList"] {
        buyer.always(read, Fault::Status { code: 503 });
    }
}

async fn applied(buyer: &Buyer) -> OperationView {
    let decided = buyer.decided().await;
    assert_eq!(decided.state, State::Applied);
    decided
}

/// A power cut tears the line being written: that of a send that is in the journal already, or the first line of the
/// next record (issue 6, found by T4).
#[tokio::test]
async fn a_record_that_a_power_cut_tore_is_no_reason_to_doubt_a_whole_journal() {
    for (days, torn) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        let mut buyer = Buyer::new(0).await;
        for day in 0..=days {
            buyer.restart_later(DAY * day);
            buyer.buy().await;
        }
        let (file, whole) =
            (newest_record(&buyer.journal()), std::fs::read(newest_record(&buyer.journal())).expect("a file"));
        let line = whole.iter().rposition(|byte| *byte == b'\n').expect("a line");
        let end = line + (whole.len() - line) * torn / 3;
        std::fs::write(&file, &whole[..end]).expect("a file");
        buyer.restart_later(DAY * days);
        assert!(truth::completeness(&buyer.operations).is_empty(), "cut at {end} of {}, day {days}", whole.len());
        let newest: u64 =
            newest_record(&buyer.journal()).file_stem().and_then(|name| name.to_str()?.parse().ok()).expect("a number");
        std::fs::write(newest_record(&buyer.journal()).with_file_name(format!("{:06}.sends", newest + 1)), b"\n0123")
            .expect("a file");
        buyer.restart_later(DAY * days);
        assert!(truth::completeness(&buyer.operations).is_empty(), "the next one has no head, day {days}");
    }
}

#[tokio::test]
async fn two_equal_moves_that_came_back_together_are_questions_without_a_counter_move() {
    let mut buyer = Buyer::new(0).await;
    for _ in 0..2 {
        buyer.move_traffic(Direction::Recharge, "2", None).await;
        applied(&buyer).await;
    }
    damage(&buyer);
    buyer.restart();
    let all = until("both are decided", async || {
        let all = buyer.operations.history().list().expect("a journal");
        all.iter().all(|one| one.state == State::NeedsYou).then_some(all)
    })
    .await;
    let told: Vec<_> = all.iter().map(|one| (one.reason, one.may_take_back)).collect();
    assert_eq!(told, [(Some(Reason::Contradiction), false); 2]);
    assert_eq!(buyer.sends(Direction::Recharge), 2, "nothing left again");
}

#[tokio::test]
async fn two_moves_that_came_back_together_stay_unknown_while_nothing_can_be_read() {
    let mut buyer = Buyer::new(0).await;
    for _ in 0..2 {
        buyer.move_traffic(Direction::Deduction, "1", None).await;
        applied(&buyer).await;
    }
    damage(&buyer);
    unreadable(&buyer);
    buyer.restart();
    let all = until("both were looked for often", async || {
        let all = buyer.operations.history().list().expect("a journal");
        let looks = |one: &OperationView| one.events.iter().filter(|event| event.what == "looked-unreadable").count();
        all.iter().all(|one| looks(one) > 8).then_some(all)
    })
    .await;
    assert!(all.iter().all(|one| one.state == State::Unknown), "nothing was seen: {all:?}");
}

#[tokio::test]
async fn a_move_that_came_back_beside_a_change_of_another_kind_is_found_again() {
    for is_first in [true, false] {
        let mut buyer = Buyer::new(0).await;
        let other = async |buyer: &Buyer| {
            buyer.change(accounts::status(false), None).await;
            applied(buyer).await;
        };
        if !is_first {
            other(&buyer).await;
        }
        let moved = buyer.move_traffic(Direction::Deduction, "1", None).await;
        applied(&buyer).await;
        if is_first {
            other(&buyer).await;
        }
        damage(&buyer);
        buyer.restart();
        until("the move is found", async || {
            let one = buyer.operations.get(&moved.id).expect("it is back");
            (one.state == State::ResolvedApplied).then_some(())
        })
        .await;
        assert_eq!(buyer.sends(Direction::Deduction), 1, "nothing left again");
    }
}

#[tokio::test]
async fn what_nobody_remembers_is_not_taken_for_what_was_not_sent_before() {
    let mut buyer = Buyer::new(0).await;
    buyer.send_to_nobody();
    let not_sent = buyer.move_traffic(Direction::Deduction, "1", None).await;
    assert_eq!(not_sent.state, State::NotSent);
    // A day later it is in the backup, and everything after that is in the following record.
    buyer.restart_later(DAY);
    buyer.move_traffic(Direction::Deduction, "1", None).await;
    applied(&buyer).await;
    damage(&buyer);
    std::fs::write(newest_record(&buyer.journal()), b"a letter").expect("a file");
    buyer.restart_later(DAY);
    assert_eq!(truth::completeness(&buyer.operations), [false]);
    let judge = async |buyer: &Buyer| {
        let all = truth::settled(&buyer.operations).await;
        let [one] = all.as_slice() else { panic!("the other one is lost: {all:?}") };
        assert_eq!(one.id, not_sent.id);
        assert_eq!((one.state, one.reason), (State::NeedsYou, Some(Reason::Contradiction)), "it, or another one");
        assert_eq!(buyer.sends(Direction::Deduction), 1, "nothing left again");
    };
    judge(&buyer).await;
    // A second damage with complete knowledge does not make it known either.
    damage(&buyer);
    buyer.restart_later(DAY);
    assert_eq!(truth::completeness(&buyer.operations), [false, true]);
    judge(&buyer).await;
}

#[tokio::test]
async fn a_move_whose_counter_move_came_back_is_not_taken_back_again() {
    let mut buyer = Buyer::new(0).await;
    buyer.move_traffic(Direction::Recharge, "0.5", None).await;
    let first = applied(&buyer).await;
    buyer.restart_later(DAY);
    let back = TrafficMove { counter_of: Some(first.id), ..buyer.moving(Direction::Deduction, "0.5").await };
    buyer.send_to_nobody();
    let not_sent = buyer.send_move(back.clone()).await;
    buyer.restart_later(2 * DAY);
    buyer.send_move(back.clone()).await;
    applied(&buyer).await;
    damage(&buyer);
    buyer.restart_later(2 * DAY);
    assert_eq!(buyer.decided().await.state, State::ResolvedApplied);
    assert_eq!(buyer.operations.get(&not_sent.id).expect("it was in the backup").state, State::NotSent);
    let said = buyer.operations.resend(&not_sent.id).await.expect_err("once");
    assert!(matches!(said, OperationError::NotConfirmed(NotConfirmed::Changed)), "the figures show it: {said:?}");
    let again =
        TrafficMove { shown_recharged: buyer.moving(Direction::Deduction, "0.5").await.shown_recharged, ..back };
    let said = match buyer.operations.offer(again, None) {
        Ok(offer) => buyer.operations.confirm(&offer.token).await.map(|_| ()),
        Err(error) => Err(error),
    };
    let said = said.expect_err("once");
    assert!(matches!(said, OperationError::TargetHeld | OperationError::Impossible(_)), "{said:?}");
    assert_eq!(buyer.sends(Direction::Deduction), 1);
}

#[tokio::test]
async fn no_bulk_goes_on_after_a_restoration_and_its_rows_say_why() {
    let mut buyer = Buyer::new(0).await;
    let fault = Fault::Delay { ms: 50 };
    buyer.always("rechargeTrafficCount", fault);
    let plan = buyer.planned_moves(Direction::Recharge, "0.5", 30).await;
    let bulk = buyer.start_bulk(plan).await;
    buyer.operations.bulks().pause(&bulk.id).expect("a bulk");
    buyer.see_bulk(&bulk.id, "nothing is under way", |bulk| bulk.counts.under_way == 0).await;
    // A day later, its waiting rows are in the backup.
    buyer.restart_later(DAY);
    damage(&buyer);
    buyer.restart_later(DAY);
    let restored = buyer.operations.bulks().get(&bulk.id).expect("it was in the backup");
    assert!(restored.state == BulkState::Finished && restored.counts.waiting == 0, "{restored:?}");
    let rows = buyer.operations.bulks().rows(&bulk.id, RowsWanted::default(), 29, 1).expect("rows");
    assert_eq!((rows[0].state.word(), rows[0].reason.map(RowReason::word)), ("skipped", Some("restored")));
    assert!(buyer.operations.bulks().certainly_not_done(&bulk.id).expect("rows").is_empty(), "nobody knows that");
}

#[tokio::test]
async fn a_backup_that_cannot_be_made_lets_the_last_record_go_on() {
    let mut buyer = Buyer::new(0).await;
    buyer.buy().await;
    buyer.restart_later(DAY);
    buyer.buy().await;
    let in_the_way = buyer.journal().with_file_name("journal.backups").join("unfinished");
    std::fs::create_dir(&in_the_way).expect("a folder");
    buyer.restart_later(2 * DAY);
    buyer.buy().await;
    std::fs::remove_dir(&in_the_way).expect("a folder");
    damage(&buyer);
    buyer.restart_later(2 * DAY);
    assert_eq!(truth::completeness(&buyer.operations), [true], "the last record has both days");
    assert_eq!(buyer.operations.history().list().expect("a journal").len(), 3);
}

#[tokio::test]
async fn an_end_that_is_lost_with_the_line_of_its_send_is_told() {
    let mut buyer = Buyer::new(0).await;
    buyer.buy().await;
    let before = Files::of(&buyer);
    buyer.buy().await;
    before.put_back();
    let whole = std::fs::read(newest_record(&buyer.journal())).expect("a file");
    std::fs::write(newest_record(&buyer.journal()), &whole[..whole.len() - 9]).expect("a file");
    buyer.restart();
    assert_eq!(truth::completeness(&buyer.operations), [false], "a line more than the journal has sends");
}

/// A person who cleans up after a restoration removes the traces that it finished.
#[tokio::test]
async fn what_was_sent_behind_a_restoration_comes_back_although_its_damaged_files_are_gone() {
    let mut buyer = Buyer::new(0).await;
    buyer.buy().await;
    damage(&buyer);
    buyer.restart();
    let first = truth::settled(&buyer.operations).await.remove(0);
    buyer.operations.resend(&first.id).await.expect("the person asked");
    let second = buyer.buy().await;
    assert_eq!(second.state, State::Applied);
    std::fs::remove_dir_all(buyer.journal().with_file_name("damaged")).expect("a folder");
    damage(&buyer);
    buyer.restart();
    let told = buyer.operations.history().restorations().expect("a journal");
    assert_eq!(told.iter().map(|told| (told.sends, told.complete)).collect::<Vec<_>>(), [(1, true), (2, true)]);
    let all = truth::settled(&buyer.operations).await;
    assert_eq!(all.iter().map(|one| one.state).collect::<Vec<_>>(), [State::Unknown; 2]);
}

/// An earlier copy of a journal and its log.
struct Files([(PathBuf, Vec<u8>); 2]);

impl Files {
    fn of(buyer: &Buyer) -> Self {
        Self(["journal.db", "journal.db-wal"].map(|name| {
            let file = buyer.journal().with_file_name(name);
            let bytes = std::fs::read(&file).expect("a file");
            (file, bytes)
        }))
    }

    /// Writes them as new files, because the program's first life has the old ones open.
    fn put_back(self) {
        let _ = std::fs::remove_file(self.0[0].0.with_extension("db-shm"));
        for (file, bytes) in self.0 {
            std::fs::remove_file(&file).expect("a file");
            std::fs::write(file, bytes).expect("a file");
        }
    }
}

#[tokio::test]
async fn a_send_that_is_lost_shows_although_the_wall_clock_was_set_back() {
    let mut buyer = Buyer::new(0).await;
    buyer.buy().await;
    damage(&buyer);
    buyer.restart_later(DAY);
    let order = truth::settled(&buyer.operations).await.remove(0);
    assert_eq!(order.state, State::Unknown);
    buyer.operations.history().mark_restorations_seen().expect("a journal");
    buyer.restart();
    let before = Files::of(&buyer);
    buyer.operations.resend(&order.id).await.expect("the person asked");
    // The end of the journal is lost.
    before.put_back();
    buyer.restart();
    let told = buyer.operations.history().restorations().expect("a journal");
    assert_eq!(told.iter().map(|told| told.sends).collect::<Vec<_>>(), [1], "the send came back");
}

#[tokio::test]
async fn what_came_back_is_checked_for_and_never_sent_again_by_itself() {
    let mut buyer = Buyer::new(3).await;
    buyer.move_traffic(Direction::Deduction, "1", None).await;
    applied(&buyer).await;
    buyer.buy().await;
    damage(&buyer);
    buyer.restart();
    let all = until("the deduction is found again", async || {
        let all = buyer.operations.history().list().expect("a journal");
        all.iter().any(|one| one.state == State::ResolvedApplied).then_some(all)
    })
    .await;
    assert_eq!(all.len(), 2);
    let order = all.iter().find(|one| one.target == "wallet").expect("the order");
    assert_eq!((order.state, order.may_resend), (State::Unknown, true), "a person decides");
    assert!(order.events.iter().any(|event| event.what == "restored"));
    assert_eq!((buyer.sends(Direction::Deduction), buyer.keys_seen().len()), (1, 1), "nothing left again");
    let again = buyer.operations.resend(&order.id).await.expect("the person asked");
    assert_eq!(again.state, State::Applied);
    assert_eq!(buyer.charged().0, 1, "under its first key");
}
