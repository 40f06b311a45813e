//! Runs bulks without a window.

use std::time::Duration;

use operations::{
    BulkId, BulkPlan, BulkView, Direction, Gb, GbFactor, Intent, OperationView, PlannedRow, State, TrafficMove,
};

use crate::order::Buyer;
use crate::service::client;
use crate::until_at_last;

impl Buyer {
    /// Makes a move of `gb` GB for each of the first customers, as a preview would show it now.
    pub async fn planned_moves(&self, direction: Direction, gb: &str, count: usize) -> BulkPlan {
        let customers = client::customers::all(&client(&self.service), None).await.expect("a list");
        let moves = customers.into_iter().take(count).map(|customer| TrafficMove {
            direction,
            customer_id: customer.customer_id,
            user_name: customer.user_name,
            gb: Gb::parse(gb, GbFactor::Binary).expect("an amount"),
            factor: GbFactor::Binary,
            shown_recharged: customer.traffic_count,
            counter_of: None,
        });
        plan(moves.map(Intent::from).collect())
    }

    /// Confirms a plan.
    pub async fn start_bulk(&self, plan: BulkPlan) -> BulkView {
        let token = self.operations.bulks().offer(plan).expect("a confirmation");
        self.operations.bulks().confirm(&token).await.expect("it begins")
    }

    /// Confirms a plan in a runtime of its own, which [`Doomed::crash`] can end between two steps.
    pub async fn start_doomed_bulk(&self, plan: BulkPlan) -> (BulkView, Doomed) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (operations, token) =
            (self.operations.clone(), self.operations.bulks().offer(plan).expect("a confirmation"));
        let begun = runtime.spawn(async move { operations.bulks().confirm(&token).await });
        (begun.await.expect("no panic").expect("it begins"), Doomed(runtime))
    }

    /// Waits until a bulk is as wanted.
    pub async fn see_bulk(&self, id: &BulkId, what: &str, wanted: impl Fn(&BulkView) -> bool) -> BulkView {
        until_at_last(what, async || Some(self.operations.bulks().get(id).expect("a bulk")).filter(|bulk| wanted(bulk)))
            .await
    }

    /// Waits until every row has ended or asks a person.
    pub async fn see_bulk_ended(&self, id: &BulkId) -> BulkView {
        let is_at_work = |one: &OperationView| one.state == State::Unknown && one.next_at.is_some();
        self.see_bulk(id, "every row has its end", |bulk| {
            let counts = &bulk.counts;
            let all =
                if counts.unconfirmed > 0 { self.operations.history().list().expect("a journal") } else { Vec::new() };
            counts.waiting == 0 && counts.under_way == 0 && !all.iter().any(is_at_work)
        })
        .await
    }
}

/// The runtime of everything that a bulk has under way.
pub struct Doomed(tokio::runtime::Runtime);

impl Doomed {
    /// Ends the runtime without warning: requests that were sent may arrive, but their answers are lost.
    pub fn crash(self) {
        let end = std::thread::spawn(|| self.0.shutdown_timeout(Duration::from_secs(10)));
        end.join().expect("it ends");
    }
}

/// Makes a plan of these intents, as a preview would pass it on.
pub fn plan(intents: Vec<Intent>) -> BulkPlan {
    let kind = intents[0].kind();
    let name = |intent: &Intent| match intent {
        Intent::Move(moved) => moved.user_name.clone(),
        Intent::Account(change) => change.user_name().to_owned(),
        Intent::Order(_) | Intent::Renewal(_) => String::new(),
    };
    let rows = intents.into_iter().map(|intent| PlannedRow { name: name(&intent), todo: Ok(intent), retries: None });
    BulkPlan { kind, rows: rows.collect() }
}
