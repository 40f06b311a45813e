//! Everything that was ever done, in the order of a query: operations, and bulks as one entry each.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::engine::OperationError;
use crate::journal::bulk::BulkView;
use crate::journal::bulk_row::RowsWanted;
use crate::views::history::History;
use crate::views::operation::OperationView;
use crate::words::activity::ActivityQuery;

/// An operation of its own, or a bulk.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEntry {
    /// The operation.
    pub operation: Option<OperationView>,
    /// The bulk.
    pub bulk: Option<BulkView>,
    /// Number of the bulk's rows that match the search; all of them if there is no search.
    pub found: usize,
}

/// The result of a query.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The entries in the order of the query.
    pub entries: Vec<ActivityEntry>,
    /// Number of all matching entries.
    pub total: usize,
    /// Number of entries that the search would find besides, without the filters; counted only if there is a search, or
    /// if the filters leave nothing.
    pub outside: usize,
}

impl History<'_> {
    /// The entries that match, in the order of the query.
    ///
    /// # Errors
    /// [`OperationError`] when the journal cannot be read.
    pub fn activity(&self, query: &ActivityQuery) -> Result<Activity, OperationError> {
        let total = self.0.journal().activity().count(query)?;
        let (is_search, is_filtered) =
            (!query.search.trim().is_empty(), query.kind.is_some() || query.standing.is_some());
        let outside = if is_filtered && (total == 0 || is_search) {
            let search = query.search.clone();
            let all = self.0.journal().activity().count(&ActivityQuery { search, ..ActivityQuery::default() })?;
            all.saturating_sub(total)
        } else {
            0
        };
        let newest = self.0.journal().activity().first(query)?;
        let rows = newest.iter().filter_map(|(operation, _)| operation.as_ref());
        let rows = rows.map(|id| self.0.journal().operations().find(id)?.ok_or(OperationError::NotFound));
        let mut views = self.0.views(rows.collect::<Result<_, _>>()?)?.into_iter();
        let mut entries = Vec::with_capacity(newest.len());
        for (_, bulk) in newest {
            entries.push(match bulk {
                None => ActivityEntry { operation: views.next(), bulk: None, found: 0 },
                Some(id) => {
                    let bulk = self.0.bulks().get(&id)?;
                    let found = if query.search.trim().is_empty() {
                        bulk.rows
                    } else {
                        let wanted = RowsWanted { only_not_done: false, search: &query.search };
                        self.0.journal().bulk_rows().count(&id, &wanted)?
                    };
                    ActivityEntry { operation: None, bulk: Some(bulk), found }
                }
            });
        }
        Ok(Activity { entries, total, outside })
    }
}
