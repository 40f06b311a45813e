//! The rows of the traffic ledger, and the past that a new world starts with.

use rusqlite::{Connection, Transaction, params};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wire::{Amount, Day};

use crate::customers;
use crate::random::mix_numbers;
use crate::usage::{self, Usage, ZONE};

pub(crate) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS traffic_record (
        number INTEGER PRIMARY KEY, list TEXT NOT NULL, customer INTEGER NOT NULL, account TEXT NOT NULL,
        micro INTEGER NOT NULL, kind TEXT NOT NULL, create_id INTEGER NOT NULL, create_by TEXT NOT NULL,
        created INTEGER NOT NULL, shown INTEGER NOT NULL, by_call INTEGER NOT NULL DEFAULT 0, order_id TEXT) STRICT;
    CREATE INDEX IF NOT EXISTS traffic_record_list ON traffic_record (list, created);
    CREATE UNIQUE INDEX IF NOT EXISTS traffic_order ON traffic_record (order_id) WHERE order_id IS NOT NULL;
    CREATE TABLE IF NOT EXISTS agent_traffic (
        one INTEGER PRIMARY KEY CHECK (one = 1), primary_all INTEGER NOT NULL, secondary_all INTEGER NOT NULL) STRICT;
";

/// The list that a row belongs to.
pub(super) mod list {
    pub(crate) const RECHARGE: &str = "recharge";
    pub(crate) const CONSUMPTION: &str = "consumption";
    pub(crate) const RECEIVED: &str = "received";
}

const RECHARGED: &str = "充值";
const CONSUMED: &str = "消耗";
const DEDUCTED: &str = "扣减";
pub(super) const AGENT_ID: i64 = 9001;
const AGENT: &str = "practice-agent";
pub(super) const DAY: i64 = 86_400_000;
pub(super) const GB: i64 = 1024 * 1_000_000;
/// Gives a new world its customers and their past: recharges that cover the year's usage, monthly consumption.
pub(crate) fn populate(ledger: &Connection, seed: u64, count: u32, now: i64) -> rusqlite::Result<()> {
    let known: i64 = ledger.query_row("SELECT count(*) FROM customer", [], |row| row.get(0))?;
    if known > 0 || count == 0 {
        return Ok(());
    }
    let today = Day::of(now, ZONE);
    let usage = Usage::open(ledger, seed, count, today)?;
    let transaction = ledger.unchecked_transaction()?;
    let mut given = 0;
    for (at, used) in (0..count).zip(usage.consumed_through_yesterday()) {
        let dice = mix_numbers(seed, u64::from(at), 7);
        let per_day = usage::wanted(seed, at, today).both().max(GB / 100);
        // Every twelfth customer is nearly out of traffic; the others have enough for weeks or months.
        let days_left = if at % 12 == 5 { 1 + (dice % 4) as i64 } else { 20 + (dice % 150) as i64 };
        let recharged = (used + per_day * days_left) / GB * GB + GB;
        given += recharged;
        let name = customers::name(seed, at);
        transaction.execute("INSERT INTO customer VALUES (?1, ?2, ?3)", params![at, name, recharged])?;
        let parts = 1 + (dice >> 8) as i64 % 4;
        for part in 0..parts {
            let micro = if part == 0 { recharged - recharged / parts * (parts - 1) } else { recharged / parts };
            let created = now - (360 - part * 80) * DAY + (dice % 40_000_000) as i64;
            let row = Row::of_agent(list::RECHARGE, at, &name, micro, RECHARGED, created);
            row.write(&transaction, created, None)?;
        }
        let mut month = today.month_start();
        for _ in 0..6 {
            let first = month.plus(-1).month_start();
            let used: i64 = (first.days()..month.days()).map(|day| usage.of(at, Day::new(day)).both()).sum();
            if used > 0 {
                let created = i64::from(month.days()) * DAY - i64::from(ZONE) * 60_000 + i64::from(at);
                Row::of_agent(list::CONSUMPTION, at, &name, -used, CONSUMED, created).write(
                    &transaction,
                    created,
                    None,
                )?;
            }
            month = first;
        }
    }
    let own = (given / GB + 200_000) * 2 * GB;
    for month in 0..12 {
        let created = now - month * 30 * DAY;
        let given = Row::of_agent(list::RECEIVED, 0, AGENT, own / 12, RECHARGED, created);
        let row = Row { operator: Operator::VENDOR, ..given };
        row.write(&transaction, created, None)?;
    }
    transaction.execute("INSERT OR REPLACE INTO agent_traffic VALUES (1, ?1, ?2)", params![100 * GB, own / 12 * 12])?;
    transaction.commit()
}

/// The operator who made a row.
#[derive(Clone, Copy)]
pub(crate) struct Operator {
    id: i64,
    name: &'static str,
}

impl Operator {
    pub(crate) const AGENT: Self = Self { id: AGENT_ID, name: AGENT };
    pub(crate) const COLLEAGUE: Self = Self { id: 9002, name: "practice-colleague" };
    const VENDOR: Self = Self { id: 1, name: "vendor" };
}

/// A row of the ledger.
struct Row<'a> {
    list: &'static str,
    customer: u32,
    account: &'a str,
    micro: i64,
    kind: &'static str,
    operator: Operator,
    created: i64,
    by_call: bool,
}

impl<'a> Row<'a> {
    fn of_agent(
        list: &'static str,
        customer: u32,
        account: &'a str,
        micro: i64,
        kind: &'static str,
        created: i64,
    ) -> Self {
        Self { list, customer, account, micro, kind, operator: Operator::AGENT, created, by_call: false }
    }

    /// Marks the row as asked for by a call, not made from the seed.
    fn asked_for(self) -> Self {
        Self { by_call: true, ..self }
    }

    fn write(&self, ledger: &Transaction<'_>, shown: i64, order_id: Option<&str>) -> rusqlite::Result<()> {
        let mut insert = ledger.prepare_cached(
            "INSERT INTO traffic_record (list, customer, account, micro, kind, create_id, create_by, created, shown, by_call, order_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        insert
            .execute(params![
                self.list,
                self.customer,
                self.account,
                self.micro,
                self.kind,
                self.operator.id,
                self.operator.name,
                self.created,
                shown,
                self.by_call,
                order_id
            ])
            .map(|_| ())
    }
}

/// Moves traffic of a customer. `micro` counts millionths of a MB; a negative number takes. The row is listed from
/// `shown` on, in ms since 1970.
pub(super) fn move_by(
    transaction: &Transaction<'_>,
    operator: Operator,
    (at, name): (u32, &str),
    micro: i64,
    (now, shown): (i64, i64),
    order_id: Option<&str>,
) -> rusqlite::Result<()> {
    customers::change(transaction, at, micro)?;
    let (list, kind) = if micro > 0 { (list::RECHARGE, RECHARGED) } else { (list::CONSUMPTION, DEDUCTED) };
    let row = Row { operator, ..Row::of_agent(list, at, name, micro, kind, now) };
    row.asked_for().write(transaction, shown, order_id)
}

/// Lets a customer use a little more today: the row of the day grows, or a new one is added.
pub(crate) fn use_more(ledger: &Connection, at: u32, now: i64, in_place: bool) -> rusqlite::Result<()> {
    let Some(name) = customers::find(ledger, at)? else { return Ok(()) };
    let transaction = ledger.unchecked_transaction()?;
    let today = i64::from(Day::of(now, ZONE).days()) * DAY - i64::from(ZONE) * 60_000;
    // One row a day, or one a second.
    let created = if in_place { today } else { now / 1_000 * 1_000 };
    let grow = "UPDATE traffic_record SET micro = micro - 1500000
                WHERE list = ?1 AND customer = ?2 AND kind = ?3 AND created = ?4";
    if transaction.execute(grow, params![list::CONSUMPTION, at, CONSUMED, created])? == 0 {
        let row = Row::of_agent(list::CONSUMPTION, at, &name, -1_500_000, CONSUMED, created);
        row.write(&transaction, created, None)?;
    }
    transaction.commit()
}

/// A move of traffic that was asked for, as it is in the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LedgerMove {
    /// The customer.
    pub customer_id: i64,
    /// Amount in MB; negative when taken back.
    pub mb: Amount,
    /// `orderId` of a recharge.
    pub order_id: Option<String>,
    /// Time by the service's clock, milliseconds since 1970.
    pub at: i64,
}

/// Every move that was asked for, oldest first.
pub(crate) fn moves(ledger: &Connection) -> rusqlite::Result<Vec<LedgerMove>> {
    let mut query = ledger
        .prepare("SELECT customer, micro, order_id, created FROM traffic_record WHERE by_call = 1 ORDER BY number")?;
    let rows = query.query_map([], |row| {
        let mb = Amount::new(Decimal::new(row.get(1)?, 6));
        Ok(LedgerMove { customer_id: customers::id(row.get(0)?), mb, order_id: row.get(2)?, at: row.get(3)? })
    })?;
    rows.collect()
}
