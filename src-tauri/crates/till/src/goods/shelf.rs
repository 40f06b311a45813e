//! The proxies of one connection in memory, made again when something changed in the journal or in the vendor's list.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use goods::stock::Stock;
use parking_lot::Mutex;
use usage::Store;
use wire::ids::OrderNo;
use wire::ips::ListedIp;

use super::refusals::{self, Refusals};
use crate::error::CommandError;
use crate::selections::Selections;
use crate::session::Session;

type Rows = Arc<goods::Rows>;

/// A value with the counts of changes that it was made at.
type Made<C, T> = Mutex<Option<(C, T)>>;

/// Rows, and the places of those that a query found, in order.
type Choice = (Rows, Vec<u32>);

/// How often what was delivered changed, and the number of the last reading of the vendor's list.
type Delivered = (u64, Option<i64>);

/// The stock, and how many proxies each order that was read has listed.
type Stocked = (Arc<Stock>, Arc<HashMap<OrderNo, usize>>);

pub(crate) struct Shelf {
    stock: Made<Delivered, Stocked>,
    rows: Made<(Delivered, u64), Rows>,
    /// Held while rows are made: whoever asks for the same ones meanwhile waits for them.
    making: Mutex<()>,
    chosen: Selections<Choice>,
    pub(crate) refusals: Refusals,
}

impl Shelf {
    /// `known`: the folder of what the vendor said last.
    pub(crate) fn new(known: &Path) -> Self {
        let refusals = Refusals::new(known.join(refusals::FILE));
        let (stock, rows, making) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { stock, rows, making, chosen: Selections::default(), refusals }
    }

    /// Forgets everything, because it is that of another world.
    pub(crate) fn forget(&self) {
        *self.stock.lock() = None;
        *self.rows.lock() = None;
        self.chosen.clear();
        self.refusals.forget();
    }

    /// The rows of the list, as they are now.
    pub(crate) async fn rows(&self, session: &Arc<Session>) -> Result<Rows, CommandError> {
        let list = List::of(session).await;
        let (delivered, marked) = session.operations.goods().changes();
        let now = ((delivered, list.reading), marked);
        if let Some(rows) = self.made(now) {
            return Ok(rows);
        }
        let session = session.clone();
        crate::background::spawned(move || session.goods.make(&session, &list, now)).await?
    }

    fn made(&self, now: (Delivered, u64)) -> Option<Rows> {
        self.rows.lock().as_ref().filter(|(at, _)| *at == now).map(|(_, rows)| rows.clone())
    }

    fn make(&self, session: &Session, list: &List, now: (Delivered, u64)) -> Result<Rows, CommandError> {
        let _making = self.making.lock();
        if let Some(rows) = self.made(now) {
            return Ok(rows);
        }
        let ((stock, _), is_whole) = self.stock(session, list, now.0)?;
        let (buyers, marks) = (session.operations.goods().buyers()?, session.operations.goods().marks()?);
        let rows: Rows = Arc::new(stock.rows(&buyers, &marks));
        if is_whole {
            *self.rows.lock() = Some((now, rows.clone()));
        }
        Ok(rows)
    }

    /// The stock with the orders that it knows, and whether it is whole: where the vendor's list cannot be used now, it is
    /// made from the orders alone, and made again the next time.
    fn stock(&self, session: &Session, list: &List, now: Delivered) -> Result<(Stocked, bool), CommandError> {
        let mut made = self.stock.lock();
        if let Some((_, stock)) = made.as_ref().filter(|(at, _)| *at == now) {
            return Ok((stock.clone(), true));
        }
        let ips = list.ips();
        let delivered = session.operations.goods().delivered()?;
        let known = Arc::new(delivered.iter().map(|(order, proxies)| (order.clone(), proxies.len())).collect());
        let is_whole = ips.is_some();
        let (Listed { now: ips, gone }, zone) = (ips.unwrap_or_default(), session.vendor.zone);
        let stock = Stock::of(delivered, ips, zone);
        let stock = if list.reading.is_some() && is_whole { stock.with_gone(gone, zone) } else { stock };
        let stock = (Arc::new(stock), known);
        if is_whole {
            *made = Some((now, stock.clone()));
        }
        Ok((stock, is_whole))
    }

    /// How many proxies each order that was read has listed.
    pub(crate) async fn known(&self, session: &Session) -> Result<Arc<HashMap<OrderNo, usize>>, CommandError> {
        let list = List::of(session).await;
        let ((_, known), _) = self.stock(session, &list, (session.operations.goods().changes().0, list.reading))?;
        Ok(known)
    }

    /// Stores a choice of rows and returns its number. The same choice again keeps its number, so that the window sees that
    /// nothing changed.
    pub(crate) fn choose(&self, rows: Rows, places: Vec<u32>) -> u32 {
        self.chosen.add_unless((rows, places), |last, new| Arc::ptr_eq(&last.0, &new.0) && last.1 == new.1)
    }

    pub(crate) fn chosen(&self, number: u32) -> Option<Arc<Choice>> {
        self.chosen.get(number)
    }
}

/// The vendor's own list of IPs, as stored. It only adds to what the orders say: they are shown without it too.
struct List {
    store: Option<Arc<Store>>,
    /// The number of its last reading; `None`: it was never read.
    reading: Option<i64>,
}

/// What the vendor's list shows now, and what it no longer shows.
#[derive(Default)]
struct Listed {
    now: Vec<ListedIp>,
    gone: Vec<ListedIp>,
}

impl List {
    async fn of(session: &Session) -> Self {
        let store = session.usage.store().await.ok();
        let last = store.as_ref().and_then(|store| store.last_ip_reading().ok().flatten());
        Self { store, reading: last.map(|(number, _)| number) }
    }

    /// The IPs; `None` when they cannot be read now.
    fn ips(&self) -> Option<Listed> {
        let store = self.store.as_ref()?;
        if self.reading.is_none() {
            return Some(Listed::default());
        }
        let listed = store.vendor_ips().and_then(|list| {
            let now = list.rows.into_iter().map(|row| row.ip).collect();
            Ok(Listed { now, gone: store.gone_ips()? })
        });
        match listed {
            Ok(listed) => Some(listed),
            Err(error) => {
                tracing::warn!(%error, "the vendor's list of IPs cannot be used");
                None
            }
        }
    }
}
