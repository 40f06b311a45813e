//! Reads the orders whose proxies are not known, or not completely.

use std::ops::ControlFlow;
use std::sync::{Arc, Weak};

use futures_util::{StreamExt, stream};
use operations::BookedOrder;
use serde::Serialize;
use ts_rs::TS;
use wire::ids::OrderNo;
use wire::orders::OrderDetail;

use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::events::Event;
use crate::session::Session;
use crate::{orders, vendor_ips};

/// The orders that were read so that their proxies can be listed.
#[derive(Debug, Default, Serialize, TS)]
pub struct GoodsRead {
    /// Number of orders that were read now.
    pub read: usize,
    /// Number of orders that the vendor refuses to show.
    pub refused: usize,
    /// Number of orders that were not asked for, because it refused the ones before them.
    pub left: usize,
}

/// Reads every order whose proxies are not known here, or not completely, until the vendor refuses some in a row. An
/// order that it refused is asked for again after a week, or with `again`, after those that it did not refuse; then its
/// own list is read too. Any other error ends the reading; what was read so far stays.
pub async fn read_goods(till: &Till, again: bool) -> Result<GoodsRead, CommandError> {
    let session = till.session().await?;
    session.goods.refusals.recall().await;
    let orders = unread(&session, if again { Which::Again } else { Which::Shown }).await?;
    let (mut done, mut refused) = (GoodsRead { left: orders.len(), ..GoodsRead::default() }, RefusedInARow::default());
    let keep = |order: &OrderNo, answer| {
        let read = take(&session, order, answer)?;
        done.read += usize::from(read);
        done.left -= 1;
        Ok(refused.follow(read))
    };
    let ended = each_detail(&session, orders, keep).await;
    session.goods.refusals.keep().await;
    ended?;
    if again {
        vendor_ips::read(till, &session).await?;
    }
    let known = session.goods.known(&session).await?;
    done.refused = session.goods.refusals.count(|order| known.contains_key(order));
    Ok(done)
}

/// Counts the orders that the vendor refuses one after the other: it may refuse all of them.
#[derive(Default)]
struct RefusedInARow(usize);

impl RefusedInARow {
    const MOST: usize = 5;

    /// Says whether to go on after an order was read or refused.
    fn follow(&mut self, read: bool) -> ControlFlow<()> {
        self.0 = if read { 0 } else { self.0 + 1 };
        if self.0 < Self::MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Reads the orders that have shown no proxy yet, one at a time so that other reads are not held up, while this session
/// is the open one. Late orders are checked elsewhere, where their completion is also reported. Refusals are stored, so
/// that the next run reaches the orders after them.
pub(crate) async fn read_unopened(till: &Till, session: &Weak<Session>) -> Result<(), CommandError> {
    let unopened = match session.upgrade() {
        Some(session) => {
            session.goods.refusals.recall().await;
            unread(&session, Which::Unopened).await?
        }
        None => return Ok(()),
    };
    let mut ended = Ok(());
    let (mut is_news, mut refused) = (false, RefusedInARow::default());
    for order in unopened {
        let open = till.session_if_open().await;
        let Some(session) = session.upgrade().filter(|one| open.is_some_and(|open| Arc::ptr_eq(&open, one))) else {
            break;
        };
        let answer = session.client.call(client::orders::detail(&order)).await;
        match take(&session, &order, answer.map(|answer| answer.data.asked_by(&order))) {
            Ok(read) => {
                is_news |= read;
                if refused.follow(read).is_break() {
                    break;
                }
            }
            Err(error) => {
                ended = Err(error);
                break;
            }
        }
    }
    if let Some(session) = session.upgrade() {
        session.goods.refusals.keep().await;
    }
    if is_news {
        till.host.emit(Event::IpsChanged);
    }
    ended
}

/// Which orders are to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those that were never read, and young ones that listed no proxy.
    Unopened,
    /// These, and late ones.
    Shown,
    /// The same, however old they are, and then those that were refused, the longest ago first.
    Again,
}

/// The time, in ms, for which an order that listed no proxies is read again: they may be listed later than the order
/// says that it is complete.
const LISTED_WITHIN: i64 = 7 * 86_400_000;

/// The orders whose proxies are not known here, or not completely, and that the vendor has not refused.
async fn unread(session: &Arc<Session>, which: Which) -> Result<Vec<OrderNo>, CommandError> {
    let known = session.goods.known(session).await?;
    let young = wall_clock() - LISTED_WITHIN;
    let is_unread = |order: &BookedOrder| match known.get(&order.order_no) {
        None => true,
        Some(0) if !order.is_over() => which == Which::Again || order.since > young,
        Some(_) => which != Which::Unopened && order.is_late(),
    };
    let orders = session.operations.orders().all()?.into_iter().filter(is_unread).map(|order| order.order_no);
    let asked = orders.map(|order| (session.goods.refusals.at(&order), order));
    let mut asked: Vec<_> = asked.filter(|(refused, _)| refused.is_none() || which == Which::Again).collect();
    asked.sort_by_key(|(refused, _)| *refused);
    Ok(asked.into_iter().map(|(_, order)| order).collect())
}

/// Stores what the vendor says of an order. Returns whether it says anything: one order that cannot be shown hides no
/// other.
fn take(session: &Session, order: &OrderNo, answer: Result<OrderDetail, client::Error>) -> Result<bool, CommandError> {
    match answer {
        Ok(detail) => {
            if detail.order_no == *order {
                session.operations.orders().remember(&orders::counted(detail))?;
            }
            session.goods.refusals.remove(order);
            Ok(true)
        }
        Err(error) if is_about_the_order(&error) => {
            session.goods.refusals.add(order.clone());
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether an answer says that this order cannot be shown, and nothing about others.
fn is_about_the_order(error: &client::Error) -> bool {
    match error {
        client::Error::Refused(_) => !error.asks_to_wait(),
        client::Error::Unreadable { status, .. } => *status < 300,
        _ => false,
    }
}

/// Reads that are made at the same time, at most.
const AT_ONCE: usize = 4;

/// Reads orders, a few at a time, and passes each answer on as it comes, until `keep` ends it.
pub(crate) async fn each_detail(
    session: &Session,
    orders: Vec<OrderNo>,
    keep: impl FnMut(&OrderNo, Result<OrderDetail, client::Error>) -> Result<ControlFlow<()>, CommandError>,
) -> Result<(), CommandError> {
    let read = |order: OrderNo| {
        let client = session.client.clone();
        async move {
            let answer = client.call(client::orders::detail(&order)).await;
            let detail = answer.map(|answer| answer.data.asked_by(&order));
            (order, detail)
        }
    };
    few_at_once(orders, read, keep).await
}

/// Reads things, a few at a time, and passes each answer on as it comes, until `keep` ends it or returns an error.
/// Whatever is still under way ends with it.
pub(crate) async fn few_at_once<K, T, F>(
    all: Vec<K>,
    read: impl Fn(K) -> F,
    mut keep: impl FnMut(&K, Result<T, client::Error>) -> Result<ControlFlow<()>, CommandError>,
) -> Result<(), CommandError>
where
    F: Future<Output = (K, Result<T, client::Error>)>,
{
    let reads: Vec<F> = all.into_iter().map(read).collect();
    let mut answers = stream::iter(reads).buffer_unordered(AT_ONCE);
    while let Some((one, answer)) = answers.next().await {
        if keep(&one, answer)?.is_break() {
            break;
        }
    }
    Ok(())
}
