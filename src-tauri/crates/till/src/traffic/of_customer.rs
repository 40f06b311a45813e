//! The newest records of one customer, as they are now and as they were last read.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::CustomerId;
use wire::traffic::TrafficRecord;

use super::records::{LONG_PAGE, RecordList, RecordsOf, RecordsPage};
use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;

/// The most records of a customer that are shown.
const OF_CUSTOMER: usize = 20;
/// The most rows of a list that are searched for those of one customer: the account filter may find others too.
const SEARCHED: u64 = 500;

/// A query for the records of a customer.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomerRecordsRequest {
    /// The customer.
    pub customer_id: CustomerId,
    /// The customer's user name.
    pub account: String,
}

/// Returns the newest records of a customer, given or used, 20 at most.
pub async fn customer_records(till: &Till, asked: CustomerRecordsRequest) -> Result<Vec<TrafficRecord>, CommandError> {
    let session = till.session().await?;
    let CustomerRecordsRequest { customer_id, account } = asked;
    let (mut newest, read_at) = (Vec::new(), wall_clock());
    for list in [RecordList::Recharged, RecordList::Consumed] {
        let of = RecordsOf { list, account: account.clone(), from: None, to: None };
        let (mut first, mut own) = (0, Vec::new());
        loop {
            let RecordsPage { total, rows } = of.part(&session, first, LONG_PAGE).await?;
            own.extend(rows.into_iter().filter(|row| row.customer_id == customer_id));
            first += u64::from(LONG_PAGE);
            if own.len() >= OF_CUSTOMER || first >= total.max(0).unsigned_abs() || first >= SEARCHED {
                break;
            }
        }
        newest.append(&mut own);
    }
    newest.sort_by(|one, other| other.create_time.cmp(&one.create_time));
    newest.truncate(OF_CUSTOMER);
    session.traffic.keep_customer_records(customer_id, CustomerRecordsRead { rows: newest.clone(), read_at }).await;
    Ok(newest)
}

/// The newest records of a customer as they were last read.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomerRecordsRead {
    /// The records, newest first.
    pub rows: Vec<TrafficRecord>,
    /// When they were read, wall clock, ms since 1970.
    pub read_at: i64,
}

/// Returns the records of a customer that were last read, even in an earlier run, without asking the vendor; `None` if
/// there are none. Only the customers that were looked at last have some.
pub async fn known_customer_records(
    till: &Till,
    customer: CustomerId,
) -> Result<Option<CustomerRecordsRead>, CommandError> {
    Ok(till.session().await?.traffic.customer_records(&customer).await)
}
