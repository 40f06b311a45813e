//! The IPs that the vendor's list showed earlier and does no more: what ran out is often removed from it, and whoever
//! had it is still to be found.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use wire::ips::ListedIp;

use crate::ips::{IpReading, parsed};
use crate::store::{Store, StoreError};

/// One row for each address of each order, as it was listed last.
pub(crate) const SCHEMA: &str = "
    CREATE TABLE gone_ip (
        host TEXT NOT NULL, port INTEGER NOT NULL, order_no TEXT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (host, port, order_no)) STRICT, WITHOUT ROWID;
";

impl Store {
    /// The IPs that the list showed earlier and does no more.
    ///
    /// # Errors
    /// [`StoreError`] when the cache cannot be read.
    pub fn gone_ips(&self) -> Result<Vec<ListedIp>, StoreError> {
        let db = self.reader.lock();
        let mut query = db.prepare_cached("SELECT body FROM gone_ip ORDER BY order_no, host, port")?;
        let parsed = |row: &Row<'_>| Ok(parsed(&row.get::<_, String>(0)?));
        Ok(query.query_map([], parsed)?.collect::<rusqlite::Result<_>>()?)
    }
}

/// Keeps what a reading does not show any more.
pub(crate) fn keep(db: &Transaction<'_>, reading: &IpReading) -> Result<(), StoreError> {
    let bodies = |of: &str| -> Result<Vec<String>, StoreError> {
        let mut rows = db.prepare(&format!("SELECT body FROM vendor_ip WHERE {of} ORDER BY reading, place"))?;
        Ok(rows.query_map([reading.number], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    };
    bodies("reading <> ?1")?.iter().try_for_each(|body| add(db, body))?;
    let is_empty: bool = db.query_row("SELECT NOT EXISTS (SELECT 1 FROM gone_ip)", [], |row| row.get(0))?;
    if is_empty {
        return Ok(());
    }
    // Some are listed again, and a renewal makes another row of an IP without an id.
    bodies("reading = ?1")?.iter().try_for_each(|body| forget(db, &parsed(body)))
}

/// Keeps a row before another IP takes its place: the vendor may give an id to a second address. `body`: that of `by`.
pub(crate) fn keep_replaced(db: &Transaction<'_>, key: &str, by: &ListedIp, body: &str) -> Result<(), StoreError> {
    let mut row = db.prepare_cached("SELECT body FROM vendor_ip WHERE key = ?1")?;
    let known: Option<String> = row.query_row([key], |row| row.get(0)).optional()?;
    match known {
        // Most rows are as they were, and need not be parsed.
        Some(known) if known != body && name(&parsed(&known)) != name(by) => add(db, &known),
        _ => Ok(()),
    }
}

fn forget(db: &Transaction<'_>, ip: &ListedIp) -> Result<(), StoreError> {
    let mut forget = db.prepare_cached("DELETE FROM gone_ip WHERE host = ?1 AND port = ?2 AND order_no = ?3")?;
    let (host, port, order_no) = name(ip);
    forget.execute(params![host, port, order_no])?;
    Ok(())
}

fn add(db: &Transaction<'_>, body: &str) -> Result<(), StoreError> {
    let ip = parsed(body);
    let (host, port, order_no) = name(&ip);
    let mut add = db.prepare_cached("INSERT OR REPLACE INTO gone_ip VALUES (?1, ?2, ?3, ?4)")?;
    add.execute(params![host, port, order_no, body])?;
    Ok(())
}

/// Host, port and order; 0 and empty where the list does not report them.
fn name(ip: &ListedIp) -> (&str, u16, &str) {
    (&ip.host, ip.port.unwrap_or_default(), ip.order_no.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ips_same::tests::{ip, read, store};

    fn at(host: &str, order: &str, expires: &str) -> ListedIp {
        ListedIp { port: Some(1080), ..ip(host, order, expires) }
    }

    /// Host, order and expiry.
    fn gone(store: &Store) -> Vec<String> {
        let gone = store.gone_ips().unwrap();
        gone.into_iter().map(|one| format!("{} {} {}", one.host, one.order_no, one.about.expires)).collect()
    }

    #[test]
    fn what_leaves_the_list_is_kept_once_for_each_address_of_an_order_as_it_was_listed_last() {
        let (_folder, store) = store();
        assert!(read(&store, 10, &[at("a", "1", "may"), at("b", "1", "may"), ip("c", "", "may")]));
        assert_eq!(gone(&store), [""; 0]);
        // A renewal changes the end.
        assert!(read(&store, 20, &[at("a", "1", "june")]));
        assert_eq!(gone(&store), ["c  may", "b 1 may"]);
        assert!(read(&store, 30, &[at("a", "2", "july"), ip("c", "", "july")]));
        assert_eq!(gone(&store), ["a 1 june", "b 1 may"], "what is listed again is not gone");
        assert!(read(&store, 40, &[at("b", "1", "august")]));
        assert_eq!(gone(&store), ["c  july", "a 1 june", "a 2 july"]);
        store.clear().unwrap();
        assert_eq!(gone(&store), [""; 0]);
    }

    #[test]
    fn an_address_whose_id_the_vendor_gives_to_another_one_is_gone() {
        let (_folder, store) = store();
        let of = |id: &str, ip: ListedIp| ListedIp { id: wire::ids::IpId::new(id), ..ip };
        assert!(read(&store, 10, &[of("7", at("a", "1", "may"))]));
        assert!(read(&store, 20, &[of("7", at("a", "1", "june"))]));
        assert_eq!(gone(&store), [""; 0], "it was renewed");
        assert!(read(&store, 30, &[of("7", at("b", "1", "june"))]));
        assert_eq!(gone(&store), ["a 1 june"]);
        assert!(read(&store, 40, &[of("7", at("b", "2", "july")), of("8", at("a", "1", "june"))]));
        assert_eq!(gone(&store), ["b 1 june"]);
    }

    #[test]
    fn a_reading_that_is_not_believed_takes_nothing_off_the_list() {
        let (_folder, store) = store();
        assert!(read(&store, 10, &[at("a", "1", "may")]));
        assert!(!read(&store, 20, &[at("b", "1", ""), at("b", "1", "")]));
        assert_eq!(gone(&store), [""; 0]);
    }
}
