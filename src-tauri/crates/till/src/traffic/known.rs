//! The totals of one connection as they were last read, stored with the time of the read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use wire::Amount;
use wire::traffic::{TrafficTotal, TrafficTotals};

use super::TotalsRead;
use crate::stored;

/// The name of a connection's stored totals. May be deleted at any time.
pub(crate) const FILE: &str = "totals.json";

pub(crate) struct KnownTotals(PathBuf);

/// Recharged, consumed and left of an account, MB.
type Account = Option<[Option<Amount>; 3]>;

#[derive(Serialize, Deserialize)]
struct Stored {
    read_at: i64,
    primary: Account,
    secondary: Account,
}

impl KnownTotals {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self(file)
    }

    pub(crate) async fn read(&self) -> Option<TotalsRead> {
        let Stored { read_at, primary, secondary } = stored::read(&self.0).await?;
        let total = |[recharged, consumed, left]: [Option<Amount>; 3]| TrafficTotal { recharged, consumed, left };
        let totals = TrafficTotals { primary: primary.map(total), secondary: secondary.map(total) };
        Some(TotalsRead { totals, read_at })
    }

    pub(crate) async fn keep(&self, totals: &TrafficTotals, read_at: i64) {
        let amounts = |total: &TrafficTotal| [total.recharged, total.consumed, total.left];
        let (primary, secondary) = (totals.primary.as_ref().map(amounts), totals.secondary.as_ref().map(amounts));
        stored::write(self.0.clone(), Stored { read_at, primary, secondary }).await;
    }

    pub(crate) fn forget(&self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
