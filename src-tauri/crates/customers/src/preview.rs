//! What a person sees of a draft: every row, and their sums.

use operations::Kind;
use operations::folded;
use rust_decimal::Decimal;
use serde::Serialize;
use ts_rs::TS;
use wire::Amount;
use wire::ids::CustomerId;

use crate::draft::Facts;

/// Somebody who may be meant.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its id.
    pub customer_id: CustomerId,
    /// Login name.
    pub user_name: String,
}

/// One row of a preview.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftRow {
    /// The line it comes from, from 1; 0 when it was selected.
    pub line: usize,
    /// As it was written.
    pub text: String,
    /// Login name, once it is clear who is meant; else what was written.
    pub name: String,
    /// Who is meant.
    pub customer_id: Option<CustomerId>,
    /// What is moved, GB.
    pub gb: Option<Amount>,
    /// The same, MB.
    pub mb: Option<Amount>,
    /// Left before, MB.
    pub before: Option<Amount>,
    /// Left after, MB, if nothing is used meanwhile.
    pub after: Option<Amount>,
    /// The password was typed; else it is generated.
    pub typed: bool,
    /// The customer is disabled, as last set from here; never said where it is to be enabled.
    pub disabled: bool,
    /// A word for what is in the way; `None`: it can be sent.
    pub problem: Option<String>,
    /// What would do, or the line it repeats.
    pub near: Option<String>,
    /// Who may be meant, when that is the question.
    pub candidates: Vec<Candidate>,
}

/// The sums of a preview.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftTotals {
    /// What every row does.
    pub kind: Kind,
    /// What a status is set to.
    pub active: bool,
    /// All rows.
    pub rows: usize,
    /// Rows that can be sent.
    pub good: usize,
    /// Rows that ask who is meant.
    pub questions: usize,
    /// Rows without a unit, as long as none was chosen.
    pub without_unit: usize,
    /// Rows that can be sent, of customers who are disabled.
    pub disabled: usize,
    /// Rows that are left out because their customers are disabled.
    pub without_disabled: usize,
    /// Moved by the good rows, GB.
    pub gb: Amount,
    /// The same, MB.
    pub mb: Amount,
    /// More than the agent has.
    pub beyond_own: bool,
}

/// The one who is most likely meant: the only candidate, or the only one whose name before the @ is just so.
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

/// The sums of judged rows.
pub(crate) fn totals(rows: &[DraftRow], facts: &Facts<'_>, kind: Kind) -> DraftTotals {
    let good = || rows.iter().filter(|row| row.problem.is_none());
    let sum = |of: fn(&DraftRow) -> Option<Amount>| {
        good().filter_map(of).fold(Decimal::ZERO, |sum, one| sum.saturating_add(one.value())).normalize()
    };
    let asks = |word: &str| rows.iter().filter(|row| row.problem.as_deref() == Some(word)).count();
    let (gb, mb) = (sum(|row| row.gb), sum(|row| row.mb));
    DraftTotals {
        kind,
        active: false,
        rows: rows.len(),
        good: good().count(),
        questions: asks("which"),
        without_unit: asks("no-unit"),
        disabled: good().filter(|row| row.disabled).count(),
        without_disabled: asks("disabled"),
        gb: Amount::new(gb),
        mb: Amount::new(mb),
        beyond_own: kind == Kind::Recharge && facts.own.is_some_and(|own| mb > own.value()),
    }
}
