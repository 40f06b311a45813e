//! What a person is shown, made from the journal's tables, and what a person stores there.

pub mod activity;
pub mod customers;
pub mod goods;
pub mod history;
pub mod operation;
mod operations;
pub mod orders;
pub mod templates;
pub mod wallet;

use crate::engine::Operations;

impl Operations {
    /// The history of operations and bulks.
    pub fn history(&self) -> history::History<'_> {
        history::History(self)
    }

    /// Orders that were placed from here or added by number.
    pub fn orders(&self) -> orders::Orders<'_> {
        orders::Orders(self)
    }

    /// Delivered proxies, their buyers and marks.
    pub fn goods(&self) -> goods::Goods<'_> {
        goods::Goods(self)
    }

    /// The notes, secrets and statuses of customers.
    pub fn customers(&self) -> customers::Customers<'_> {
        customers::Customers(self)
    }

    /// The wallet, as far as it is known.
    pub fn wallet(&self) -> wallet::Wallet<'_> {
        wallet::Wallet(self)
    }

    /// Texts for repeated use.
    pub fn templates(&self) -> templates::Templates<'_> {
        templates::Templates(self)
    }
}
