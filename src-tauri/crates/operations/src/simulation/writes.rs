//! Makes the writes: moves and changes of a few customers, orders and creations of new ones.

use wire::customers::Customer;
use wire::renewals::RenewalPrice;

use super::desk::Desk;
use crate::evidence::snapshot::Snapshot;
use crate::words::gb::{Gb, GbFactor};
use crate::words::state::Kind;
use crate::writes::account_change::AccountChange;
use crate::writes::intent::Intent;
use crate::writes::order::PlaceAndPay;
use crate::writes::renewal::{Renewal, RenewedIp};
use crate::writes::traffic_move::{Direction, TrafficMove};
use dice::Dice;

/// A write of this kind. `name` makes its names and passwords unique.
pub(super) fn intent(desk: &Desk, dice: &mut Dice, kind: Kind, name: &str, elsewhere: bool) -> Intent {
    match kind {
        Kind::PlaceAndPay => order(desk),
        Kind::Renew => renewal(desk, dice),
        Kind::Create => {
            let host = if elsewhere { desk.vendor.office.service.taken_host() } else { "@x.com" };
            AccountChange::Create { user_name: format!("{name}{host}") }.into()
        }
        _ => {
            let customers = desk.vendor.office.customers(None);
            let customer = &customers[dice.roll(customers.len() as u64) as usize];
            of_customer(customer, dice, kind, name)
        }
    }
}

/// A write to this customer, with its current figures.
pub(super) fn of_customer(customer: &Customer, dice: &mut Dice, kind: Kind, name: &str) -> Intent {
    let (customer_id, user_name) = (customer.customer_id.clone(), customer.user_name.clone());
    match kind {
        Kind::Password => {
            let reference = format!("password/{name}");
            AccountChange::Password { customer_id, user_name, reference, typed: true }.into()
        }
        Kind::Status => AccountChange::Status { customer_id, user_name, active: true, customer_state: 1 }.into(),
        _ => TrafficMove {
            direction: if kind == Kind::Recharge { Direction::Recharge } else { Direction::Deduction },
            customer_id,
            user_name,
            gb: Gb::parse(dice.pick(&["5", "5", "0.5"]), GbFactor::Binary).expect("an amount"),
            factor: GbFactor::Binary,
            shown_recharged: customer.traffic_count,
            counter_of: None,
        }
        .into(),
    }
}

/// The same write, confirmed with the figures of this snapshot.
pub(super) fn as_shown(intent: Intent, before: Option<&Snapshot>) -> Intent {
    match intent {
        Intent::Move(moved) => TrafficMove { shown_recharged: before.and_then(Snapshot::recharged), ..moved }.into(),
        other => other,
    }
}

fn order(desk: &Desk) -> Intent {
    let (quote, config) = desk.vendor.office.quote();
    PlaceAndPay {
        quote_id: quote.quote_id,
        quote_version: quote.quote_version,
        config,
        amount: quote.amount,
        currency: quote.currency,
    }
    .into()
}

/// One or two IPs, for a month or a quarter.
fn renewal(desk: &Desk, dice: &mut Dice) -> Intent {
    let office = &desk.vendor.office;
    let wanted = 1 + dice.roll(2) as usize;
    let ips: Vec<RenewedIp> = office.ips().into_iter().take(wanted).map(RenewedIp::from).collect();
    let ids: Vec<_> = ips.iter().map(|ip| ip.id.clone()).collect();
    let period_days = dice.pick(&[30, 90]);
    let RenewalPrice { amount, currency } = office.renewal_price(&ids, period_days);
    Renewal { ips, period_days, amount, currency }.into()
}
