//! Delivered proxies, for whom they are and when they were handed over.

use wire::ids::OrderNo;
use wire::orders::Delivered;

use crate::engine::{OperationError, Operations};
use crate::journal::goods::{Assign, Buyer, Marks};
use crate::words::goods::{BuyerId, GoodsKey, SentHow};

impl Operations {
    /// How often, since the journal was opened, delivered proxies changed, and how often their buyers or marks did.
    pub fn goods_changes(&self) -> (u64, u64) {
        self.journal().changes.counts()
    }

    /// The proxies of every order that was read, without credentials.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn delivered(&self) -> Result<Vec<(OrderNo, Vec<Delivered>)>, OperationError> {
        Ok(self.journal().delivered()?)
    }

    /// All buyers, with those that were deleted.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn buyers(&self) -> Result<Vec<Buyer>, OperationError> {
        Ok(self.journal().buyers()?)
    }

    /// Everything that was recorded about delivered proxies.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn marks(&self) -> Result<Marks, OperationError> {
        Ok(self.journal().marks()?)
    }

    /// Stores a new buyer. Returns its id, whatever id it has now.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn add_buyer(&self, buyer: &Buyer) -> Result<BuyerId, OperationError> {
        Ok(self.journal().set_buyer(None, buyer)?)
    }

    /// Changes a buyer.
    ///
    /// # Errors
    /// [`OperationError`] when there is no such buyer, or the journal cannot be written.
    pub fn change_buyer(&self, id: BuyerId, change: impl FnOnce(&mut Buyer)) -> Result<(), OperationError> {
        let journal = self.journal();
        let mut buyer = journal.buyer(id)?.ok_or(OperationError::NotFound)?;
        change(&mut buyer);
        journal.set_buyer(Some(id), &buyer)?;
        Ok(())
    }

    /// Records buyers and notes, all or none.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn assign(&self, all: &[Assign]) -> Result<(), OperationError> {
        Ok(self.journal().assign(all)?)
    }

    /// Records that proxies were handed to a buyer now. Returns the time, wall clock, ms since 1970.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn deliver(&self, keys: &[GoodsKey], buyer: BuyerId, how: SentHow) -> Result<i64, OperationError> {
        let now = self.0.times.now();
        self.journal().deliver(keys, buyer, now, how)?;
        Ok(now)
    }

    /// Takes back the last record of handing these proxies to a buyer.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be written.
    pub fn undeliver(&self, keys: &[GoodsKey], buyer: BuyerId) -> Result<(), OperationError> {
        Ok(self.journal().undeliver(keys, buyer)?)
    }
}
