//! The wallet: a figure of our own, because no endpoint reads the balance. A person types the balance once; from then on
//! every order of this program lowers it. What is not certain makes a range, and nothing is counted silently.

mod charge;
mod figure;
mod sight;

use client::Area;
use serde::Serialize;
use ts_rs::TS;
use wire::Amount;
use wire::ids::OrderNo;

use crate::engine::{OperationError, Operations};
use crate::journal::wallet::Entry;
use crate::views::wallet::charge::Charge;
use crate::views::wallet::sight::{Moment, Sight};
use crate::words::state::OperationId;
use crate::words::wallet::{Doubt, Effect, Typed};

/// The wallet as far as this program knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WalletView {
    /// The figure; `None` until a balance is typed.
    pub figure: Option<WalletFigure>,
    /// Currency code: that of the balance, or of the newest order; empty if neither is known.
    pub currency: String,
    /// What was typed and what each order took, newest first.
    pub ledger: Vec<WalletLine>,
    /// The number of lines that are older than those of the ledger.
    pub older: usize,
}

/// The balance of the wallet by what was typed and by this program's orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WalletFigure {
    /// The balance if every uncertain addition raises it, and nothing else that is uncertain lowers it.
    pub most: Amount,
    /// The balance if everything else that is uncertain lowers it, and no uncertain addition raises it.
    pub least: Amount,
    /// The sum of all uncertain lines: orders, and typed amounts that the balance may include.
    pub uncertain: Amount,
    /// The last moment at which the balance that it begins with may have been seen, wall clock, ms since 1970.
    pub as_of: i64,
    /// Why it is not to be trusted; `None` if nothing speaks against it.
    pub doubt: Option<Doubt>,
    /// The refusal behind the doubt; `None` for other doubts.
    pub refused: Option<WalletRefusal>,
}

/// An order that the vendor refused because the wallet did not suffice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct WalletRefusal {
    /// When, wall clock, ms since 1970.
    pub at: i64,
    /// Its price.
    pub amount: Amount,
}

/// One line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WalletLine {
    /// The number of what was typed; `None` for an order.
    pub number: Option<i64>,
    /// When, wall clock, ms since 1970.
    pub at: i64,
    /// The effect on the figure.
    pub effect: Effect,
    /// What was typed; `None` for an order.
    pub typed: Option<Typed>,
    /// The amount, in `currency`, without a sign.
    pub amount: Amount,
    /// Currency code.
    pub currency: String,
    /// The operation of an order.
    pub operation: Option<OperationId>,
    /// The order number, once known.
    pub order_no: Option<OrderNo>,
}

/// Shows the wallet, and records what a person typed.
pub struct Wallet<'a>(pub(super) &'a Operations);

impl Wallet<'_> {
    /// The wallet of the open account by what was typed and by the orders since.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn view(&self) -> Result<WalletView, OperationError> {
        let entries = self.0.journal().wallet().all()?;
        let ours = self.0.access().get().map(|account| account.whose);
        let ours = |own: Option<&str>| {
            let fingerprint = ours.as_ref().map(|whose| whose.area(Area::Static).as_str());
            own.is_none() || fingerprint.is_none() || own == fingerprint
        };
        let entries: Vec<_> = entries.into_iter().filter(|(_, entry)| ours(entry.fingerprint.as_deref())).collect();
        let Some((_, begins)) = figure::balance(&entries) else {
            return Ok(WalletView { currency: self.currency()?, ..WalletView::default() });
        };
        let mut charges = Vec::new();
        let journal = self.0.journal();
        for row in journal.operations().orders_since(begins.at, begins.position)? {
            if ours(row.fingerprint.as_ref().map(|own| own.as_str())) {
                let events = journal.events().of(&row.id)?;
                charges.extend(Charge::of(row, &events));
            }
        }
        let mut sight = Sight::of(begins);
        let typed =
            entries.iter().filter_map(|(_, entry)| Some(Moment { number: entry.position? + 1, wall: entry.at }));
        if let Some((first, last)) = sight.needs(charges.iter().flat_map(Charge::moments).chain(typed)) {
            sight = sight.with(&journal.events().walls(first, last)?);
        }
        let restored = journal.restorations().all()?.into_iter().map(|(restoration, _)| restoration.at).max();
        drop(journal);
        Ok(figure::wallet(&entries, &charges, &sight, restored))
    }

    /// Stores what a person typed about the wallet. `seen`: the first and the last moment at which a balance may have
    /// been seen, wall clock, ms since 1970; `None` for now.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read or written.
    pub fn type_in(&self, what: Typed, amount: Amount, seen: Option<(i64, i64)>) -> Result<(), OperationError> {
        let fingerprint = self.0.access().get().map(|account| account.whose.area(Area::Static).as_str().to_owned());
        let currency = self.currency()?;
        let journal = self.0.journal();
        let typed = self.0.times().now();
        let (at, until) = seen.unwrap_or((typed, typed));
        let (until, position) = (Some(until), Some(journal.events().last_number()?));
        Ok(journal.wallet().add(&Entry { what, amount, at, until, typed, position, currency, fingerprint })?)
    }

    /// Removes what was typed by mistake.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn remove(&self, number: i64) -> Result<(), OperationError> {
        Ok(self.0.journal().wallet().remove(number)?)
    }

    /// The currency of the newest order; empty if there is none. The contract knows one wallet, and names its currency
    /// only with a price.
    fn currency(&self) -> Result<String, OperationError> {
        Ok(self.0.journal().operations().newest_order()?.map(|row| charge::currency_of(&row)).unwrap_or_default())
    }
}
