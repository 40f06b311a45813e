//! Amounts that let customers last until a day: their recent use per day for the days until then, less what is left.

use std::collections::HashMap;

use customers::Draft;
use customers::draft::Calculated;
use customers::preview::Basis;
use operations::{Gb, GbFactor};
use rust_decimal::Decimal;
use usage::outlook::Recently;
use wire::customers::Customer;
use wire::ids::CustomerId;
use wire::{Amount, Day};

use crate::error::CommandError;
use crate::field::BulkUntil;
use crate::session::Session;

/// The furthest day, counted from today.
const FURTHEST: i32 = 366;

/// Drafts a recharge of these customers. Reads them from the vendor, because what is left changes.
pub(crate) async fn draft(session: &Session, ids: &[CustomerId], until: Day) -> Result<Draft, CommandError> {
    let today = session.today();
    let days = until.days() - today.days() + 1;
    if days < 1 {
        return Err(CommandError::invalid(BulkUntil::Past));
    }
    if days > FURTHEST {
        return Err(CommandError::invalid(BulkUntil::TooFar));
    }
    let store = session.usage.store().await?;
    // A day that was read before its end later counts as a whole day, so the report has to have been read today.
    if !session.usage.has_weeks(&store, today.plus(1))? {
        return Err(CommandError::invalid(BulkUntil::NotRead));
    }
    let customers = session.all_customers(true).await?.rows;
    let uses = crate::background::blocking(move || store.recently(today)).await?;
    let by_id: HashMap<_, &Customer> = customers.iter().map(|one| (&one.customer_id, one)).collect();
    let factor = session.gb_factor()?;
    let row = |id: &CustomerId| {
        let customer = by_id.get(id);
        let (gb, basis) = match customer {
            Some(customer) => amount(customer.residual_flow, uses.get(id).copied(), days, factor),
            // The draft says that there is no such customer any more.
            None => (None, Basis::TooLittleUsage),
        };
        let name = customer.map(|customer| customer.user_name.clone()).filter(|name| !name.is_empty());
        Calculated { customer_id: id.clone(), user_name: name.unwrap_or_else(|| id.to_string()), gb, basis }
    };
    Ok(Draft::calculated(ids.iter().map(row).collect()))
}

/// What is to be added to `left` for these days, and why. No amount: nothing is to be added, or it is not known.
fn amount(left: Option<Amount>, used: Option<Recently>, days: i32, factor: GbFactor) -> (Option<Gb>, Basis) {
    let Some(used) = used.filter(|used| used.is_enough()) else { return (None, Basis::TooLittleUsage) };
    let Some(left) = left else { return (None, Basis::LeftUnknown) };
    let basis = Basis::Usage { a_day: Amount::new(used.a_day()), days, left };
    match used.in_days(days).checked_sub(left.value()) {
        Some(missing) if missing <= Decimal::ZERO => (None, basis),
        Some(missing) => Gb::at_least_mb(missing, factor).map_or((None, Basis::TooMuch), |gb| (Some(gb), basis)),
        None => (None, Basis::TooMuch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_is_what_is_used_until_the_day_less_what_is_left_rounded_up_to_what_is_carried() {
        let of = |left: Option<&str>, used: Option<(i64, i32)>, days: i32| {
            let used = used.map(|(mb, days)| Recently::of(mb * 1_000_000, days));
            let (gb, basis) = amount(left.map(|left| left.parse().unwrap()), used, days, GbFactor::Binary);
            let why = match basis {
                Basis::Usage { a_day, days, left } => format!("{a_day} x {days} - {left}"),
                other => format!("{other:?}"),
            };
            (gb.map_or("-".to_owned(), |gb| gb.amount().to_string()), why)
        };
        let expected = |gb: &str, why: &str| (gb.to_owned(), why.to_owned());
        let ten_a_day = Some((560, 56));
        assert_eq!(of(Some("0"), ten_a_day, 30), expected("0.293", "10 x 30 - 0"));
        assert_eq!(of(Some("44"), Some((1024 * 7, 7)), 2), expected("1.9571", "1024 x 2 - 44"), "1.95703 rounded up");
        assert_eq!(of(Some("300"), ten_a_day, 30), expected("-", "10 x 30 - 300"), "it lasts to the day");
        assert_eq!(of(Some("299.99"), ten_a_day, 30), expected("0.0001", "10 x 30 - 299.99"));
        assert_eq!(of(Some("-50"), ten_a_day, 5), expected("0.0977", "10 x 5 - -50"), "what is owed is added");
        assert_eq!(of(Some("5"), Some((100, 7)), 1), expected("0.0091", "14.285715 x 1 - 5"));
        assert_eq!(of(Some("5"), None, 30), expected("-", "TooLittleUsage"));
        assert_eq!(of(Some("5"), Some((100, 6)), 30), expected("-", "TooLittleUsage"));
        assert_eq!(of(None, ten_a_day, 30), expected("-", "LeftUnknown"));
        assert_eq!(of(Some("0"), Some((9_000_000_000, 7)), 366), expected("-", "TooMuch"));
    }
}
