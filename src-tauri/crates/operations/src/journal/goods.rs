//! The tables `buyer`, `assignment` and `delivery`: for whom delivered proxies are, and when they were handed over.

use std::cell::Cell;

use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::{CustomerId, OrderNo};

use crate::journal::{Journal, JournalError};
use crate::words::goods::{BuyerId, GoodsKey, SentHow};

/// Somebody that proxies are for: a customer of the list, or a free name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Buyer {
    /// Names the buyer.
    pub id: BuyerId,
    /// The name, as typed or as the customer is called.
    pub name: String,
    /// The customer; `None` for a free name.
    pub customer: Option<CustomerId>,
    /// How to reach the buyer, in the agent's own words.
    pub contact: String,
    /// The language of messages: `en` or `zh-CN`.
    pub language: String,
    /// The agent's own note.
    pub note: String,
    /// The format of proxies that the buyer got last; empty before the first delivery.
    pub format: String,
    /// The template of that format, if it is the agent's own.
    pub template: String,
    /// Whether the buyer was deleted: proxies that name it still do.
    pub deleted: bool,
}

/// The buyer of one proxy, and a note on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The proxy.
    pub key: GoodsKey,
    /// Its buyer; `None` if it has none.
    pub buyer: Option<BuyerId>,
    /// The agent's own note.
    pub note: String,
}

/// One handing over of one proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The proxy.
    pub key: GoodsKey,
    /// To whom.
    pub buyer: BuyerId,
    /// When, wall clock, ms since 1970.
    pub at: i64,
    /// How.
    pub how: SentHow,
}

/// Everything that was recorded about delivered proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Proxies with a buyer or a note, in no order.
    pub assignments: Vec<Assignment>,
    /// Deliveries, oldest first.
    pub deliveries: Vec<Delivery>,
}

/// Proxies that get the same buyer, the same note, or both.
#[derive(Clone, Debug)]
pub struct Assign {
    /// The proxies.
    pub keys: Vec<GoodsKey>,
    /// The new buyer; `Some(None)` for no buyer, `None` to leave it as it is.
    pub buyer: Option<Option<BuyerId>>,
    /// The new note; `None` to leave it.
    pub note: Option<String>,
}

/// How often the delivered proxies and what is recorded about them changed.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    delivered: Cell<u64>,
    marked: Cell<u64>,
}

impl Changes {
    pub(crate) fn delivered(&self) {
        self.delivered.set(self.delivered.get() + 1);
    }

    fn marked(&self) {
        self.marked.set(self.marked.get() + 1);
    }

    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.delivered.get(), self.marked.get())
    }
}

fn key(row: &Row<'_>) -> rusqlite::Result<GoodsKey> {
    Ok(GoodsKey { order_no: OrderNo::new(row.get::<_, String>(0)?), host: row.get(1)?, port: row.get(2)? })
}

fn buyer(row: &Row<'_>) -> rusqlite::Result<Buyer> {
    Ok(Buyer {
        id: BuyerId(row.get(0)?),
        name: row.get(1)?,
        customer: row.get::<_, Option<String>>(2)?.map(CustomerId::new),
        contact: row.get(3)?,
        language: row.get(4)?,
        note: row.get(5)?,
        format: row.get(6)?,
        template: row.get(7)?,
        deleted: row.get(8)?,
    })
}

const BUYER: &str = "SELECT id, name, customer, contact, language, note, format, template, deleted FROM buyer";

/// Reads and writes the three tables.
pub(crate) struct GoodsTables<'a>(pub(super) &'a Journal);

impl GoodsTables<'_> {
    /// All buyers, with those that were deleted.
    pub(crate) fn buyers(&self) -> Result<Vec<Buyer>, JournalError> {
        let mut query = self.0.db.prepare_cached(BUYER)?;
        Ok(query.query_map([], buyer)?.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn buyer(&self, id: BuyerId) -> Result<Option<Buyer>, JournalError> {
        Ok(self.0.db.query_row(&format!("{BUYER} WHERE id = ?1"), [id.0], buyer).optional()?)
    }

    /// Stores a buyer; `None` as its id makes a new one. Returns its id.
    pub(crate) fn set_buyer(&self, id: Option<BuyerId>, of: &Buyer) -> Result<BuyerId, JournalError> {
        let upsert = "INSERT INTO buyer VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO UPDATE SET
            name = ?2, customer = ?3, contact = ?4, language = ?5, note = ?6, format = ?7, template = ?8, deleted = ?9
            RETURNING id";
        let customer = of.customer.as_ref().map(CustomerId::as_str);
        let values = params![
            id.map(|id| id.0),
            of.name,
            customer,
            of.contact,
            of.language,
            of.note,
            of.format,
            of.template,
            of.deleted
        ];
        let id = self.0.db.query_row(upsert, values, |row| row.get(0))?;
        self.0.changes.marked();
        Ok(BuyerId(id))
    }

    /// Everything that was recorded about delivered proxies. A way of sending that only a newer version knows counts as
    /// one that a person reported.
    pub(crate) fn marks(&self) -> Result<Marks, JournalError> {
        let mut query = self.0.db.prepare_cached("SELECT order_no, host, port, buyer, note FROM assignment")?;
        let assignments = query.query_map([], |row| {
            let buyer: Option<i64> = row.get(3)?;
            Ok(Assignment { key: key(row)?, buyer: buyer.map(BuyerId), note: row.get(4)? })
        })?;
        let assignments = assignments.collect::<rusqlite::Result<_>>()?;
        let ordered = "SELECT order_no, host, port, buyer, at, how FROM delivery ORDER BY number";
        let mut query = self.0.db.prepare_cached(ordered)?;
        let deliveries = query.query_map([], |row| {
            let how = SentHow::from_word(&row.get::<_, String>(5)?).unwrap_or(SentHow::ByHand);
            Ok(Delivery { key: key(row)?, buyer: BuyerId(row.get(3)?), at: row.get(4)?, how })
        })?;
        Ok(Marks { assignments, deliveries: deliveries.collect::<rusqlite::Result<_>>()? })
    }

    /// Records buyers and notes, all or none.
    pub(crate) fn assign(&self, all: &[Assign]) -> Result<(), JournalError> {
        let together = self.0.db.unchecked_transaction()?;
        {
            // A record under an incomplete key, without order or port (`goods::stock`), is shown until there is one
            // under the whole key, so the new record starts with its buyer and note.
            let before = |column: &str| {
                format!(
                    "(SELECT {column} FROM assignment WHERE order_no IN (?1, '') AND host = ?2 AND port IN (?3, 0)
                        ORDER BY port = ?3 DESC, order_no = ?1 DESC LIMIT 1)"
                )
            };
            let mut to = together.prepare_cached(&format!(
                "INSERT INTO assignment VALUES (?1, ?2, ?3, ?4, coalesce({}, ''))
                    ON CONFLICT DO UPDATE SET buyer = ?4",
                before("note")
            ))?;
            let mut noted = together.prepare_cached(&format!(
                "INSERT INTO assignment VALUES (?1, ?2, ?3, {}, ?4) ON CONFLICT DO UPDATE SET note = ?4",
                before("buyer")
            ))?;
            for Assign { keys, buyer, note } in all {
                for key in keys {
                    let order = key.order_no.as_str();
                    if let Some(buyer) = buyer {
                        to.execute(params![order, key.host, key.port, buyer.map(|buyer| buyer.0)])?;
                    }
                    if let Some(note) = note {
                        noted.execute(params![order, key.host, key.port, note])?;
                    }
                }
            }
        }
        together.commit()?;
        self.0.changes.marked();
        Ok(())
    }

    /// Records that proxies were handed over, all or none.
    pub(crate) fn deliver(&self, keys: &[GoodsKey], buyer: BuyerId, at: i64, how: SentHow) -> Result<(), JournalError> {
        let together = self.0.db.unchecked_transaction()?;
        {
            let mut insert = together.prepare_cached(
                "INSERT INTO delivery (order_no, host, port, buyer, at, how) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            for key in keys {
                insert.execute(params![key.order_no.as_str(), key.host, key.port, buyer.0, at, how.word()])?;
            }
        }
        together.commit()?;
        self.0.changes.marked();
        Ok(())
    }

    /// Deletes the last record of handing over each of these proxies to a buyer, all or none; also one under an
    /// incomplete key, without order or port.
    pub(crate) fn undeliver(&self, keys: &[GoodsKey], buyer: BuyerId) -> Result<(), JournalError> {
        let together = self.0.db.unchecked_transaction()?;
        {
            let mut delete = together.prepare_cached(
                "DELETE FROM delivery WHERE number = (SELECT max(number) FROM delivery
                 WHERE order_no IN (?1, '') AND host = ?2 AND port IN (?3, 0) AND buyer = ?4)",
            )?;
            for key in keys {
                delete.execute(params![key.order_no.as_str(), key.host, key.port, buyer.0])?;
            }
        }
        together.commit()?;
        self.0.changes.marked();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(host: &str) -> GoodsKey {
        GoodsKey { order_no: OrderNo::new("SO 1"), host: host.into(), port: 1080 }
    }

    fn ali() -> Buyer {
        Buyer {
            id: BuyerId(0),
            name: "ali".into(),
            customer: None,
            contact: String::new(),
            language: "en".into(),
            note: String::new(),
            format: String::new(),
            template: String::new(),
            deleted: false,
        }
    }

    #[test]
    fn marks_outlive_the_journal_and_a_way_that_only_a_newer_version_knows_is_one_that_a_person_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        let journal = Journal::open(&file).unwrap();
        let before = journal.changes.counts();
        let id = journal.goods().set_buyer(None, &ali()).unwrap();
        let to =
            |buyer, note: Option<&str>| Assign { keys: vec![key("192.0.2.1")], buyer, note: note.map(str::to_owned) };
        journal.goods().assign(&[to(None, Some("spare")), to(Some(Some(id)), None)]).unwrap();
        for at in [5, 9] {
            journal.goods().deliver(&[key("192.0.2.1"), key("192.0.2.2")], id, at, SentHow::Copied).unwrap();
        }
        journal.goods().undeliver(&[key("192.0.2.1")], id).unwrap();
        assert!(journal.changes.counts().1 > before.1, "who keeps a list knows that it is old");
        journal.db.execute("UPDATE delivery SET how = 'of-tomorrow' WHERE at = 9", []).unwrap();
        drop(journal);
        let marks = Journal::open(&file).unwrap().goods().marks().unwrap();
        let kept = Assignment { key: key("192.0.2.1"), buyer: Some(id), note: "spare".into() };
        assert_eq!(marks.assignments, [kept]);
        let sent: Vec<_> = marks.deliveries.iter().map(|one| (one.key.host.as_str(), one.at, one.how)).collect();
        let expected =
            [("192.0.2.1", 5, SentHow::Copied), ("192.0.2.2", 5, SentHow::Copied), ("192.0.2.2", 9, SentHow::ByHand)];
        assert_eq!(sent, expected);
    }

    #[test]
    fn what_was_recorded_under_a_shorter_name_goes_into_the_record_of_the_whole_one() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let [ali, bob] =
            ["ali", "bob"].map(|name| journal.goods().set_buyer(None, &Buyer { name: name.into(), ..ali() }).unwrap());
        let short = |port| GoodsKey { order_no: OrderNo::new(""), host: "192.0.2.1".into(), port };
        let to = |key, buyer, note: Option<&str>| Assign { keys: vec![key], buyer, note: note.map(str::to_owned) };
        journal
            .goods()
            .assign(&[to(short(0), Some(Some(bob)), Some("far")), to(short(1080), Some(Some(ali)), Some("near"))])
            .unwrap();
        let found = || {
            let marks = journal.goods().marks().unwrap();
            let whole = marks.assignments.into_iter().find(|one| one.key == key("192.0.2.1"));
            whole.map(|one| (one.buyer, one.note))
        };
        journal.goods().assign(&[to(key("192.0.2.1"), None, Some("new"))]).unwrap();
        assert_eq!(found(), Some((Some(ali), "new".into())), "the buyer stays");
        journal.db.execute("DELETE FROM assignment WHERE order_no <> ''", []).unwrap();
        journal.goods().assign(&[to(key("192.0.2.1"), Some(Some(bob)), None)]).unwrap();
        assert_eq!(found(), Some((Some(bob), "near".into())), "the note stays");
        journal.goods().assign(&[to(key("192.0.2.1"), None, Some(""))]).unwrap();
        journal.goods().assign(&[to(key("192.0.2.1"), Some(None), None)]).unwrap();
        assert_eq!(found(), Some((None, String::new())), "what was cleared does not come back");
        journal.goods().deliver(&[short(0)], bob, 5, SentHow::Copied).unwrap();
        journal.goods().undeliver(&[key("192.0.2.1")], bob).unwrap();
        assert_eq!(journal.goods().marks().unwrap().deliveries, []);
    }

    #[test]
    fn a_proxy_of_a_buyer_that_is_not_there_is_not_assigned_and_neither_is_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let id = journal.goods().set_buyer(None, &ali()).unwrap();
        let to = |host: &str, id| Assign { keys: vec![key(host)], buyer: Some(Some(id)), note: None };
        assert!(journal.goods().assign(&[to("192.0.2.1", id), to("192.0.2.2", BuyerId(99))]).is_err());
        assert_eq!(journal.goods().marks().unwrap(), Marks::default());
    }
}
