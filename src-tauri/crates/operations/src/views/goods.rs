//! Delivered proxies, for whom they are and when they were handed over.

use wire::ids::OrderNo;
use wire::orders::Delivered;

use crate::engine::{OperationError, Operations};
use crate::journal::goods::{Assign, Buyer, Marks};
use crate::words::goods::{BuyerId, GoodsKey, SentHow};

/// Reads and records delivered proxies, their buyers and marks.
pub struct Goods<'a>(pub(super) &'a Operations);

impl Goods<'_> {
    /// How often, since the journal was opened, delivered proxies changed, and how often their buyers or marks did.
    pub fn changes(&self) -> (u64, u64) {
        self.0.journal().changes.counts()
    }

    /// The proxies of every order that was read, without credentials.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn delivered(&self) -> Result<Vec<(OrderNo, Vec<Delivered>)>, OperationError> {
        Ok(self.0.journal().orders_seen().delivered()?)
    }

    /// All buyers, with those that were deleted.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn buyers(&self) -> Result<Vec<Buyer>, OperationError> {
        Ok(self.0.journal().goods().buyers()?)
    }

    /// Everything that was recorded about delivered proxies.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn marks(&self) -> Result<Marks, OperationError> {
        Ok(self.0.journal().goods().marks()?)
    }

    /// Stores a new buyer. Returns its id, whatever id it has now.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn add_buyer(&self, buyer: &Buyer) -> Result<BuyerId, OperationError> {
        Ok(self.0.journal().goods().set_buyer(None, buyer)?)
    }

    /// Changes a buyer.
    ///
    /// # Errors
    /// [`OperationError`] when there is no such buyer, or the journal cannot be written.
    pub fn change_buyer(&self, id: BuyerId, change: impl FnOnce(&mut Buyer)) -> Result<(), OperationError> {
        let journal = self.0.journal();
        let mut buyer = journal.goods().buyer(id)?.ok_or(OperationError::NotFound)?;
        change(&mut buyer);
        journal.goods().set_buyer(Some(id), &buyer)?;
        Ok(())
    }

    /// Records buyers and notes, all or none.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn assign(&self, all: &[Assign]) -> Result<(), OperationError> {
        Ok(self.0.journal().goods().assign(all)?)
    }

    /// Records that proxies were handed to a buyer now. Returns the time, wall clock, ms since 1970.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn deliver(&self, keys: &[GoodsKey], buyer: BuyerId, how: SentHow) -> Result<i64, OperationError> {
        let now = self.0.times().now();
        self.0.journal().goods().deliver(keys, buyer, now, how)?;
        Ok(now)
    }

    /// Takes back the last record of handing these proxies to a buyer.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn undeliver(&self, keys: &[GoodsKey], buyer: BuyerId) -> Result<(), OperationError> {
        Ok(self.0.journal().goods().undeliver(keys, buyer)?)
    }
}
