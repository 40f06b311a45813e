//! Moves traffic without a window.

use operations::{Direction, Gb, GbFactor, OperationView, State, TrafficMove};
use sandbox::Fault;
use wire::ids::CustomerId;

use crate::order::Buyer;
use crate::service::{client, fault, requests};
use crate::until;

/// The customer whose traffic is moved.
pub const CUSTOMER: &str = "100001";

/// Returns the end of the path that moves traffic in this direction.
pub fn endpoint(direction: Direction) -> &'static str {
    match direction {
        Direction::Recharge => "rechargeTrafficCount",
        Direction::Deduction => "deductionFlow",
    }
}

impl Buyer {
    /// Makes a move of traffic, as its dialog would show it now.
    pub async fn moving(&self, direction: Direction, gb: &str) -> TrafficMove {
        let list = client(&self.service).call(client::customers::list(&Default::default())).await.expect("a list").data;
        let customer = list.rows.into_iter().find(|row| row.customer_id.as_str() == CUSTOMER).expect("the customer");
        TrafficMove {
            direction,
            customer_id: CustomerId::new(CUSTOMER),
            user_name: customer.user_name,
            gb: Gb::parse(gb, GbFactor::Binary).expect("an amount"),
            factor: GbFactor::Binary,
            shown_recharged: customer.traffic_count,
            counter_of: None,
        }
    }

    /// Confirms and sends once.
    pub async fn send_move(&self, moved: TrafficMove) -> OperationView {
        self.send(moved.into()).await
    }

    /// Confirms a move of `gb` GB and sends it once, through a fault if there is one.
    pub async fn move_traffic(&self, direction: Direction, gb: &str, through: Option<Fault>) -> OperationView {
        let moved = self.moving(direction, gb).await;
        if let Some(kind) = through {
            fault(&self.service, endpoint(direction), kind);
        }
        self.send_move(moved).await
    }

    /// Makes a call in the agent area that the program does not know about.
    pub async fn call_directly(&self, path: &str) {
        let url = format!("{}/prod-api{path}", self.service.base_url());
        let call = crate::service::http().get(url).header("token", sandbox::Credentials::well_known().agent_token);
        call.send().await.expect("an answer");
    }

    /// Returns the moves in order, in MB with sign.
    pub fn moves(&self) -> Vec<String> {
        let ledger = self.service.world.ledger().expect("a ledger");
        ledger.moves.iter().map(|moved| moved.mb.to_string()).collect()
    }

    /// Returns how often a move was sent.
    pub fn sends(&self, direction: Direction) -> usize {
        requests(&self.service, endpoint(direction))
    }

    /// Waits until the newest operation is decided, or a person is asked.
    pub async fn decided(&self) -> OperationView {
        until("the move is decided", async || {
            let newest = self.operations.history().list().expect("a journal").into_iter().next()?;
            let open = matches!(newest.state, State::Prepared | State::Sending | State::Verifying | State::Unknown);
            let is_watched = newest.state == State::Refused && newest.next_at.is_some();
            (!open && !is_watched).then_some(newest)
        })
        .await
    }
}
