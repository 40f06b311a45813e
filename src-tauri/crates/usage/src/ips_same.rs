//! Matches the IPs of two readings: by the vendor's id or, where the list has none, by address, order and expiry. Rows
//! that are equal in all of these are counted.

use std::collections::HashMap;

use rusqlite::{Transaction, params};
use wire::ids::OrderNo;
use wire::ips::ListedIp;

use crate::ips::IpReading;
use crate::store::StoreError;

/// The names of IPs with an id begin with this. No address does.
const ID: &str = "id ";

/// The key of an IP, unique among those that this reading has stored already.
pub(crate) fn key(db: &Transaction<'_>, reading: &IpReading, ip: &ListedIp) -> Result<String, StoreError> {
    if !ip.id.as_str().is_empty() {
        return Ok(format!("{ID}{}", ip.id));
    }
    let port = ip.port.unwrap_or_default();
    let name = format!("{} {port}\t{}\t{}", ip.host, ip.order_no, ip.about.expires);
    let mut taken = db.prepare_cached("SELECT EXISTS (SELECT 1 FROM vendor_ip WHERE key = ?1 AND reading = ?2)")?;
    let mut number = 1;
    loop {
        let key = if number == 1 { name.clone() } else { format!("{name}\t{number}") };
        if !taken.query_row(params![key, reading.number], |row| row.get::<_, bool>(0))? {
            return Ok(key);
        }
        number += 1;
    }
}

/// Whether a reading has equal rows that none before it had. They may be one row, which moved to another page while the
/// pages were read.
pub(crate) fn has_new_doubles(db: &Transaction<'_>, reading: &IpReading) -> Result<bool, StoreError> {
    let doubles = "SELECT EXISTS (SELECT 1 FROM vendor_ip
                   WHERE reading = ?1 AND first_seen = ?2 AND key LIKE '%\t%\t%\t%')";
    Ok(db.query_row(doubles, params![reading.number, reading.began], |row| row.get(0))?)
}

/// Carries `first_seen` over from an IP without an id that is gone to one that is new since the last whole reading, if
/// they may be the same: a renewal changes the expiry.
pub(crate) fn carry_over(db: &Transaction<'_>, reading: &IpReading) -> Result<(), StoreError> {
    let mut gone = gone(db, reading)?;
    if gone.is_empty() {
        return Ok(());
    }
    let new = "SELECT key, body FROM vendor_ip WHERE reading = ?1 AND substr(key, 1, 3) <> ?2
               AND first_seen > (SELECT max(began) FROM ip_reading WHERE ended IS NOT NULL) ORDER BY place";
    let mut new = db.prepare(new)?;
    let new: Vec<(String, String)> = new
        .query_map(params![reading.number, ID], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut change = db.prepare("UPDATE vendor_ip SET first_seen = ?2 WHERE key = ?1")?;
    for (key, body) in new {
        let ip: ListedIp = serde_json::from_str(&body).unwrap_or_default();
        let Some(of_address) = gone.get_mut(&(ip.host, ip.port)) else { continue };
        let may_be =
            |order: &OrderNo| *order == ip.order_no || order.as_str().is_empty() || ip.order_no.as_str().is_empty();
        if let Some(at) = of_address.iter().position(|(order, _)| may_be(order)) {
            change.execute(params![key, of_address.remove(at).1])?;
        }
    }
    Ok(())
}

type Gone = HashMap<(String, Option<u16>), Vec<(OrderNo, i64)>>;

/// The IPs without an id that a reading does not show, by address, with their order and when they were first seen,
/// oldest first.
fn gone(db: &Transaction<'_>, reading: &IpReading) -> Result<Gone, StoreError> {
    let gone = "SELECT body, first_seen FROM vendor_ip WHERE reading <> ?1 AND substr(key, 1, 3) <> ?2
                ORDER BY first_seen";
    let mut gone = db.prepare(gone)?;
    let mut rows = gone.query(params![reading.number, ID])?;
    let mut all = Gone::new();
    while let Some(row) = rows.next()? {
        let ip: ListedIp = serde_json::from_str(&row.get::<_, String>(0)?).unwrap_or_default();
        all.entry((ip.host, ip.port)).or_default().push((ip.order_no, row.get(1)?));
    }
    Ok(all)
}

#[cfg(test)]
pub(crate) mod tests {
    use wire::goods::About;
    use wire::ips::IpsPage;

    use crate::store::Store;

    use super::*;

    pub(crate) fn ip(host: &str, order: &str, expires: &str) -> ListedIp {
        let about = About { expires: expires.into(), ..About::default() };
        ListedIp { host: host.into(), order_no: OrderNo::new(order), about, ..ListedIp::default() }
    }

    /// Reads a list in one page at a time. Returns whether the reading is believed.
    pub(crate) fn read(store: &Store, now: i64, rows: &[ListedIp]) -> bool {
        let total = rows.len() as i64;
        let reading = store.begin_ip_reading(now, total, 100).unwrap();
        store.keep_ips(&reading, 1, &IpsPage { total, rows: rows.to_vec(), unreadable: 0 }).unwrap();
        store.end_ip_reading(&reading, now + 1).unwrap()
    }

    /// Host, expiry and the time when it was first seen.
    fn seen(store: &Store) -> Vec<(String, String, i64)> {
        let rows = store.vendor_ips().unwrap().rows;
        rows.into_iter().map(|row| (row.ip.host, row.ip.about.expires, row.first_seen)).collect()
    }

    pub(crate) fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("cache.db"), "me").unwrap();
        (folder, store)
    }

    #[test]
    fn rows_of_one_address_without_id_and_port_are_all_kept_and_stay_what_they_were() {
        let (_folder, store) = store();
        let rows = [ip("a", "1", "may"), ip("a", "1", "june"), ip("a", "2", "june"), ip("b", "", "")];
        assert!(read(&store, 10, &rows));
        let mut turned = rows.to_vec();
        turned.reverse();
        turned.push(ip("c", "3", "july"));
        assert!(read(&store, 20, &turned));
        let times: Vec<i64> = seen(&store).into_iter().map(|row| row.2).collect();
        assert_eq!(times, [10, 10, 10, 10, 20]);
    }

    #[test]
    fn equal_rows_are_believed_once_a_second_reading_shows_them_too() {
        let (_folder, store) = store();
        let rows = [ip("a", "", ""), ip("a", "", ""), ip("b", "", "")];
        assert!(!read(&store, 10, &rows), "one of them may have moved while it was read");
        assert!(read(&store, 20, &rows));
        assert_eq!(seen(&store).len(), 3);
        assert!(read(&store, 30, &rows), "they are known now");
        assert_eq!(seen(&store).iter().map(|row| row.2).collect::<Vec<_>>(), [10, 10, 10]);
        // A row that moved was read twice: the next reading shows it once.
        let moved = [ip("a", "", ""), ip("a", "", ""), ip("b", "", ""), ip("b", "", "")];
        assert!(!read(&store, 40, &moved));
        assert!(read(&store, 50, &[ip("a", "", ""), ip("a", "", ""), ip("b", "", ""), ip("c", "", "")]));
        assert_eq!(seen(&store).iter().map(|row| row.2).collect::<Vec<_>>(), [10, 10, 10, 50]);
    }

    #[test]
    fn an_ip_whose_expiry_changes_is_not_new_and_one_of_another_order_is() {
        let (_folder, store) = store();
        assert!(read(&store, 10, &[ip("a", "1", "may"), ip("b", "1", "may")]));
        assert!(read(&store, 20, &[ip("a", "1", "june"), ip("a", "2", "june"), ip("b", "2", "june")]));
        let expected = [("a", "june", 10), ("a", "june", 20), ("b", "june", 20)];
        assert_eq!(seen(&store), expected.map(|(host, expires, at)| (host.into(), expires.into(), at)));
    }

    #[test]
    fn what_a_forgotten_reading_stored_does_not_count_for_the_next_one() {
        let (_folder, store) = store();
        let reading = store.begin_ip_reading(10, 9, 100).unwrap();
        let page = IpsPage { total: 9, rows: vec![ip("a", "", ""), ip("b", "", "")], unreadable: 0 };
        store.keep_ips(&reading, 1, &page).unwrap();
        assert!(!store.end_ip_reading(&reading, 11).unwrap());
        assert!(read(&store, 20, &[ip("a", "", "")]));
    }

    #[test]
    fn two_rows_with_one_id_are_one_ip() {
        let (_folder, store) = store();
        let same = ListedIp { id: wire::ids::IpId::new("1"), ..ip("a", "", "") };
        assert!(!read(&store, 10, &[same.clone(), same.clone()]) && !read(&store, 20, &[same.clone(), same]));
    }
}
