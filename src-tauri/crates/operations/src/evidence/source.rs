//! Where a check reads: at the vendor, for one operation, or in a survey, for many.

use client::Error;
use wire::Day;
use wire::ids::CustomerId;

use crate::evidence::reader::{Reader, SnapshotError};
use crate::evidence::snapshot::Snapshot;
use crate::evidence::survey::Survey;
use crate::writes::traffic_move::TrafficMove;

/// What shows whether a write was carried out.
pub(crate) enum Source<'a> {
    /// The vendor is asked now.
    Vendor(&'a Reader),
    /// The vendor was asked about all customers together.
    Survey(&'a Survey),
}

impl Source<'_> {
    /// How often a snapshot is taken until it agrees. Records and figures are read one after the other, so a single
    /// disagreement may be a change in between; a survey stays as it is.
    pub(crate) fn tries(&self) -> usize {
        match self {
            Self::Vendor(_) => 2,
            Self::Survey(_) => 1,
        }
    }

    /// The customer of a move; `since` is the day of the snapshot before its send.
    ///
    /// # Errors
    /// [`SnapshotError`] when a read fails or the records keep changing.
    pub(crate) async fn snapshot(&self, of: &TrafficMove, since: Day) -> Result<Snapshot, SnapshotError> {
        match self {
            Self::Vendor(reader) => reader.snapshot(of, Some(since)).await,
            Self::Survey(survey) => Ok(survey.snapshot(&of.customer_id)),
        }
    }

    /// The customer with a user name; `None` if it is not in the list.
    ///
    /// # Errors
    /// [`Error`] when the list cannot be read.
    pub(crate) async fn named(&self, user_name: &str) -> Result<Option<CustomerId>, Error> {
        match self {
            Self::Vendor(reader) => Ok(reader.named(user_name).await?.map(|row| row.customer_id)),
            Self::Survey(survey) => Ok(survey.named(user_name).cloned()),
        }
    }
}
