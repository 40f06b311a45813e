//! The proxies of one connection in memory, made from the journal again when something changed there.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use goods::row::{GoodsRow, Stock};
use parking_lot::Mutex;
use wire::ids::OrderNo;

use crate::error::CommandError;
use crate::session::Session;

/// Results of queries that stay, the newest last.
const CHOICES: usize = 4;

type Rows = Arc<Vec<GoodsRow>>;

/// A value with the counts of changes that it was made at.
type Made<C, T> = Mutex<Option<(C, T)>>;

/// The number of a choice, its rows, and their places in order.
type Choice = (u32, Rows, Arc<Vec<u32>>);

#[derive(Default)]
pub(crate) struct Shelf {
    stock: Made<u64, (Arc<Stock>, Arc<HashSet<OrderNo>>)>,
    rows: Made<(u64, u64), Rows>,
    chosen: Mutex<VecDeque<Choice>>,
    /// Orders that the vendor refused to show in this session.
    refused: Mutex<HashSet<OrderNo>>,
}

impl Shelf {
    /// Forgets everything, because it is that of another world.
    pub(crate) fn forget(&self) {
        *self.stock.lock() = None;
        *self.rows.lock() = None;
        self.chosen.lock().clear();
        self.refused.lock().clear();
    }

    /// The rows of the list, as they are now.
    pub(crate) async fn rows(&self, session: &Arc<Session>) -> Result<Rows, CommandError> {
        let now = session.operations.goods_changes();
        if let Some((_, rows)) = self.rows.lock().as_ref().filter(|(at, _)| *at == now) {
            return Ok(rows.clone());
        }
        let session = session.clone();
        crate::usage::spawned(move || session.goods.make(&session, now)).await?
    }

    fn make(&self, session: &Session, now: (u64, u64)) -> Result<Rows, CommandError> {
        let (stock, _) = self.stock(session, now.0)?;
        let (buyers, marks) = (session.operations.buyers()?, session.operations.marks()?);
        let rows: Rows = Arc::new(stock.rows(&buyers, &marks));
        *self.rows.lock() = Some((now, rows.clone()));
        Ok(rows)
    }

    fn stock(&self, session: &Session, now: u64) -> Result<(Arc<Stock>, Arc<HashSet<OrderNo>>), CommandError> {
        let mut made = self.stock.lock();
        if let Some((_, stock)) = made.as_ref().filter(|(at, _)| *at == now) {
            return Ok(stock.clone());
        }
        let delivered = session.operations.delivered()?;
        let known = Arc::new(delivered.iter().map(|(order, _)| order.clone()).collect());
        let stock = (Arc::new(Stock::of(delivered, session.vendor.zone)), known);
        *made = Some((now, stock.clone()));
        Ok(stock)
    }

    /// The orders whose proxies are known here.
    pub(crate) fn known(&self, session: &Session) -> Result<Arc<HashSet<OrderNo>>, CommandError> {
        Ok(self.stock(session, session.operations.goods_changes().0)?.1)
    }

    /// Stores a choice of rows and returns its number. The last few choices stay.
    pub(crate) fn choose(&self, rows: Rows, places: Vec<u32>) -> u32 {
        let mut chosen = self.chosen.lock();
        let number = chosen.back().map_or(1, |(number, ..)| number.wrapping_add(1));
        chosen.push_back((number, rows, Arc::new(places)));
        if chosen.len() > CHOICES {
            chosen.pop_front();
        }
        number
    }

    pub(crate) fn chosen(&self, number: u32) -> Option<(Rows, Arc<Vec<u32>>)> {
        let chosen = self.chosen.lock();
        chosen.iter().find(|choice| choice.0 == number).map(|(_, rows, places)| (rows.clone(), places.clone()))
    }

    pub(crate) fn refuse(&self, order: OrderNo) {
        self.refused.lock().insert(order);
    }

    pub(crate) fn is_refused(&self, order: &OrderNo) -> bool {
        self.refused.lock().contains(order)
    }

    pub(crate) fn refused(&self) -> usize {
        self.refused.lock().len()
    }

    /// Lets refused orders be asked for again.
    pub(crate) fn forgive(&self) {
        self.refused.lock().clear();
    }
}
