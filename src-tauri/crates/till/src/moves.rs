//! Recharge and deduction: what the dialog shows, the check of the amount, the confirmation.

use customers::lines::{self, BadAmount, Written};
use operations::Balance;
use operations::{BadGb, Direction, Gb, GbFactor, Intent, OperationId, OperationView, TrafficMove};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::CustomerId;

use crate::Till;
use crate::clock::wall_clock;
use crate::customers::Shown;
use crate::error::CommandError;
use crate::field;
use crate::limits;
use crate::session::Session;

/// A move that a dialog is opened for.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MoveOf {
    /// Recharge or deduction.
    pub direction: Direction,
    /// The customer.
    pub customer_id: CustomerId,
    /// The login name, to find the customer by.
    pub user_name: String,
    /// The operation that this move takes back; `None` for an ordinary move.
    pub counter_of: Option<OperationId>,
}

/// The content of the dialog before an amount is typed.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MoveStart {
    /// The customer's figures, read now.
    pub before: Balance,
    /// The most that can be moved, MB; `None` when not reported or not read.
    pub most: Option<Amount>,
    /// MB of one GB.
    pub factor: GbFactor,
    /// Whether a move has shown that the vendor counts like this.
    pub factor_proved: bool,
    /// The amounts of the last such moves from here, GB, newest first, each once; none if a move is taken back.
    pub last: Vec<Amount>,
    /// The amount to begin with, GB; empty unless a move is taken back.
    pub suggested: String,
}

/// The number of last amounts, at most.
const LAST_SHOWN: usize = 3;

/// Reads the customer's figures for the dialog. The confirmation compares with the figures that were read last.
pub async fn open_move(till: &Till, of: MoveOf) -> Result<MoveStart, CommandError> {
    let session = till.session().await?;
    let first = of.counter_of.as_ref().map(|id| session.operations.get(id)).transpose()?;
    let held = session.operations.held()?;
    if held.get(of.customer_id.as_str()).is_some_and(|(id, _)| Some(id) != of.counter_of.as_ref()) {
        return Err(CommandError::customer_held());
    }
    let reader = session.operations.reader().ok_or_else(CommandError::no_connection)?;
    let seen = session.operations.history().position()?;
    let customer = reader.customer(&of.customer_id, &of.user_name).await?;
    let customer = customer.ok_or_else(|| CommandError::invalid(field::Customer::NotYours))?;
    // Records are found by the vendor's own name, not by the page's.
    let user_name = customer.user_name.clone();
    let before = Balance::of(&customer);
    let own = match of.direction {
        Direction::Recharge => own_left(&session).await,
        Direction::Deduction => None,
    };
    let most = if of.direction == Direction::Recharge { own } else { before.left };
    let factor = session.gb_factor()?;
    let shown = Shown { seen, user_name, balance: before.clone(), own };
    session.customers.show(of.customer_id, shown);
    let suggested = first.map(|first| suggested(&first, most, factor)).unwrap_or_default();
    let last = match of.counter_of {
        None => session.operations.history().last_amounts(of.direction, LAST_SHOWN)?,
        Some(_) => Vec::new(),
    };
    let factor_proved = session.operations.lessons().learned()?.is_some();
    Ok(MoveStart { before, most, factor, factor_proved, last, suggested })
}

/// What the agent can give at most, MB; `None` when not reported or not read. The contract does not say which of the
/// two accounts pays: both count.
pub(crate) async fn own_left(session: &Session) -> Option<Amount> {
    session.client.call(client::traffic::totals()).await.ok()?.data.left()
}

/// The amount of the first move, GB, but not more than is left.
fn suggested(first: &OperationView, most: Option<Amount>, factor: GbFactor) -> String {
    let gb = first.amount.value();
    let most = most.map(|mb| (mb.value() / factor.mb()).trunc_with_scale(4));
    Amount::new(most.map_or(gb, |most| gb.min(most.max(rust_decimal::Decimal::ZERO)))).to_string()
}

/// The input of the dialog.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MoveDraft {
    /// Recharge or deduction.
    pub direction: Direction,
    /// The customer.
    pub customer_id: CustomerId,
    /// The amount as typed; GB when it has no unit.
    pub gb: String,
    /// The operation that this move takes back; `None` for an ordinary move.
    pub counter_of: Option<OperationId>,
}

/// The content of the dialog for a valid amount, and the token that its button sends back once.
#[derive(Debug, Serialize, TS)]
pub struct MoveOffered {
    /// The confirmation, accepted once by `confirm_move`.
    pub token: String,
    /// The amount that will be sent, GB.
    pub gb: Amount,
    /// The same amount, MB.
    pub mb: Amount,
    /// The customer's figures after the move, if nothing is used in between.
    pub after: Balance,
}

/// Checks an amount and offers the move for confirmation. Uses the figures that `open_move` last read.
pub async fn offer_move(till: &Till, draft: MoveDraft) -> Result<MoveOffered, CommandError> {
    let session = till.session().await?;
    let shown =
        session.customers.shown(&draft.customer_id).ok_or_else(|| CommandError::invalid(field::Customer::NotYours))?;
    let factor = session.gb_factor()?;
    let (_, gb) = typed_amount(&draft.gb, factor)?;
    let moved = TrafficMove {
        direction: draft.direction,
        customer_id: draft.customer_id,
        user_name: shown.user_name.clone(),
        gb,
        factor,
        shown_recharged: shown.balance.recharged,
        counter_of: draft.counter_of,
    };
    let mb = gb.mb(factor);
    let (most, why) = match draft.direction {
        Direction::Recharge => (shown.own, field::AmountGb::BeyondOwn),
        Direction::Deduction => (shown.balance.left, field::AmountGb::BeyondLeft),
    };
    if most.is_some_and(|most| mb > most) {
        return Err(CommandError::invalid(why));
    }
    let changed = |figure: Option<Amount>| figure?.checked_add(moved.change(factor));
    let after = Balance { recharged: changed(shown.balance.recharged), left: changed(shown.balance.left) };
    let offer = session.operations.offer_as_of(shown.seen, moved, None).map_err(CommandError::of_customer)?;
    session.has_asked(&offer.token);
    Ok(MoveOffered { token: offer.token, gb: gb.amount(), mb, after })
}

/// Reads the amount in a field that says GB.
pub(crate) fn typed_amount(text: &str, factor: GbFactor) -> Result<(Written, Gb), CommandError> {
    lines::typed(text, factor).map_err(|bad| {
        CommandError::invalid(match bad {
            BadAmount::Ambiguous => field::AmountGb::Ambiguous,
            BadAmount::UnknownUnit => field::AmountGb::UnknownUnit,
            BadAmount::Gb(BadGb::NotANumber) => field::AmountGb::NotANumber,
            BadAmount::Gb(BadGb::NotPositive) => field::AmountGb::NotPositive,
            BadAmount::Gb(BadGb::TooMuch) => field::AmountGb::TooMuch,
            BadAmount::Gb(BadGb::TooFine) => field::AmountGb::TooFine,
            BadAmount::Gb(BadGb::NotCarried { nearest }) => {
                return CommandError::invalid_near(field::AmountGb::NotCarried, &nearest.to_string());
            }
        })
    })
}

/// The confirmation that a dialog's button sends.
#[derive(Debug, Deserialize, TS)]
pub struct Confirmed {
    /// The token of the offer.
    pub token: String,
    /// Whether the person knows that the vendor refused the same write before, and may still carry it out.
    pub anyway: bool,
}

impl Confirmed {
    pub(crate) async fn send(&self, session: &Session) -> Result<OperationView, CommandError> {
        let sent = match self.anyway {
            true => session.operations.confirm_anyway(&self.token).await,
            false => session.operations.confirm(&self.token).await,
        };
        sent.map_err(CommandError::of_customer)
    }
}

/// Sends the move that a dialog confirmed. Above a limit a system dialog asks first; the token is spent only after its
/// yes.
pub async fn confirm_move(till: &Till, confirmed: Confirmed) -> Result<OperationView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    if let Some(intent) = session.operations.offered(&confirmed.token) {
        within_limits(till, &session, &intent).await?;
    }
    confirmed.send(&session).await
}

/// The traffic moved today plus what bulks are still to move, GB. Moves that certainly had no effect do not count.
/// Today is by this computer's clock, in the vendor's zone.
pub(crate) fn moved_today(session: &Session) -> Result<Decimal, CommandError> {
    let zone = session.vendor.zone;
    let today = wire::Day::of(wall_clock(), zone);
    let begins = i64::from(today.days()) * 86_400_000 - i64::from(zone) * 60_000;
    Ok(session.operations.customers().moved_since(begins)?.value())
}

/// Asks a person if an intent exceeds a limit. `declined` unless the answer is yes.
pub(crate) async fn within_limits(till: &Till, session: &Session, intent: &Intent) -> Result<(), CommandError> {
    let settings = till.settings()?;
    let Some(over) = limits::over(&settings.limits, intent, moved_today(session)?) else { return Ok(()) };
    if limits::ask(till, intent, &over).await { Ok(()) } else { Err(CommandError::declined()) }
}
