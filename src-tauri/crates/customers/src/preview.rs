//! The preview of a draft: every row, and their sums.

use operations::{Kind, LeftOut, folded};
use rust_decimal::Decimal;
use serde::Serialize;
use ts_rs::TS;
use wire::Amount;
use wire::ids::CustomerId;

use crate::facts::Facts;

/// A customer that may be meant.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The customer's id.
    pub customer_id: CustomerId,
    /// User name.
    pub user_name: String,
}

/// How the program calculated the amount of a row, which no person typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "basis", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Basis {
    /// The expected use until a day, minus what is left.
    Usage {
        /// The use of a day on average, MB.
        a_day: Amount,
        /// Number of days, with today and the last one.
        days: i32,
        /// The traffic left, MB.
        left: Amount,
    },
    /// The customer has used traffic for less than a week, or not at all lately.
    TooLittleUsage,
    /// The vendor does not report what is left.
    LeftUnknown,
    /// It would be more than one move can carry.
    TooMuch,
}

/// One row of a preview.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftRow {
    /// Line number in the text, from 1; 0 for a row without a text: a selected customer, or an intent that is done
    /// again.
    pub line: usize,
    /// The row as written.
    pub text: String,
    /// The user name once the customer is clear; before that, the name as written.
    pub name: String,
    /// The name as written, when the customer is known by it but has another one: a short name or an id.
    pub called: Option<String>,
    /// The customer; `None` while unclear.
    pub customer_id: Option<CustomerId>,
    /// Traffic to move, in GB.
    pub gb: Option<Amount>,
    /// The same, MB.
    pub mb: Option<Amount>,
    /// The amount as written, in MB, when the interface cannot carry exactly this: the nearest is sent.
    pub asked_mb: Option<Amount>,
    /// How the amount was calculated; `None` if a person wrote it.
    pub basis: Option<Basis>,
    /// Traffic left before, in MB.
    pub before: Option<Amount>,
    /// Traffic left after, in MB, if nothing is used in the meantime.
    pub after: Option<Amount>,
    /// Whether the password was typed; otherwise it is generated.
    pub typed: bool,
    /// Whether the customer is disabled, as last set from here; always `false` when it is to be enabled.
    pub disabled: bool,
    /// Why it is left out; `None` when the row can be sent.
    pub problem: Option<LeftOut>,
    /// A value that would work, or the number of the line that this one repeats.
    pub near: Option<String>,
    /// Customers that may be meant, when that is the question.
    pub candidates: Vec<Candidate>,
    /// The one of them that is most likely meant; `None` if none stands out.
    pub suggested: Option<CustomerId>,
}

/// The question whether a comma is the decimal sign or separates thousands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CommaQuestion {
    /// Number of rows with a comma.
    pub rows: usize,
    /// One of these rows, as written.
    pub text: String,
    /// Its number if a comma is the decimal sign; `None` if it cannot be.
    pub decimal: Option<Amount>,
    /// The same number if commas separate thousands; `None` if they cannot.
    pub thousands: Option<Amount>,
}

/// The sums of a preview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftTotals {
    /// Names the draft among those of the session. Whoever keeps the drafts sets it.
    pub draft: u32,
    /// The action of every row.
    pub kind: Kind,
    /// The status to set.
    pub active: bool,
    /// Number of rows.
    pub rows: usize,
    /// Rows that can be sent.
    pub good: usize,
    /// Rows with the question which customer is meant.
    pub questions: usize,
    /// Those of them for which one customer stands out.
    pub suggestions: usize,
    /// Rows without a unit while none is chosen.
    pub without_unit: usize,
    /// One of these rows, as written; empty if there is none.
    pub without_unit_text: String,
    /// Rows with a customer's name and nothing else, while no amount is chosen for them.
    pub without_amount: usize,
    /// The question what a comma in a number is; `None` when nothing is to be asked.
    pub comma: Option<CommaQuestion>,
    /// Rows that can be sent although their customer is disabled.
    pub disabled: usize,
    /// Rows that are left out because their customer is disabled.
    pub without_disabled: usize,
    /// Traffic in rows that can be sent, in GB.
    pub gb: Amount,
    /// The same, MB.
    pub mb: Amount,
    /// Whether that is more than the agent has.
    pub beyond_own: bool,
}

/// The most likely customer: the only candidate, or the only one whose name matches exactly up to the @.
pub(crate) fn suggestion(row: &DraftRow) -> Option<&Candidate> {
    let wanted = folded(&row.name);
    let just_so = |one: &&Candidate| folded(&one.user_name).split('@').next() == Some(wanted.as_str());
    let mut likely = row.candidates.iter().filter(just_so);
    match (row.candidates.as_slice(), likely.next(), likely.next()) {
        ([only], ..) => Some(only),
        (_, Some(one), None) => Some(one),
        _ => None,
    }
}

/// Sums up judged rows.
pub(crate) fn totals(rows: &[DraftRow], facts: &Facts<'_>, kind: Kind) -> DraftTotals {
    let good = || rows.iter().filter(|row| row.problem.is_none());
    let sum = |of: fn(&DraftRow) -> Option<Amount>| {
        good().filter_map(of).fold(Decimal::ZERO, |sum, one| sum.saturating_add(one.value())).normalize()
    };
    let asks = |why| rows.iter().filter(|row| row.problem == Some(why)).count();
    let without_unit = rows.iter().find(|row| row.problem == Some(LeftOut::NoUnit));
    let (gb, mb) = (sum(|row| row.gb), sum(|row| row.mb));
    DraftTotals {
        draft: 0,
        kind,
        active: false,
        rows: rows.len(),
        good: good().count(),
        questions: asks(LeftOut::Which),
        suggestions: rows.iter().filter(|row| row.suggested.is_some()).count(),
        without_unit: asks(LeftOut::NoUnit),
        without_unit_text: without_unit.map(|row| row.text.clone()).unwrap_or_default(),
        without_amount: 0,
        comma: None,
        disabled: good().filter(|row| row.disabled).count(),
        without_disabled: asks(LeftOut::Disabled),
        gb: Amount::new(gb),
        mb: Amount::new(mb),
        beyond_own: kind == Kind::Recharge && facts.own.is_some_and(|own| mb > own.value()),
    }
}
