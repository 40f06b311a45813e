//! Everything that was ever done, newest first: operations, and bulks as one row each.

use rusqlite::{ToSql, params_from_iter};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::engine::bulk::BulkId;
use crate::engine::{OperationError, Operations};
use crate::journal::sets::{open_states, states_at_work, states_without_effect, unconfirmed_states};
use crate::journal::{Journal, JournalError};
use crate::views::bulk::{BulkRowView, BulkView};
use crate::views::operation::OperationView;
use crate::words::state::{Kind, OperationId};

/// How something stands, for a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ActivityStanding")]
pub enum Standing {
    /// Under way, or not confirmed.
    Open,
    /// Carried out.
    Done,
    /// Certainly not carried out.
    NotDone,
}

/// A question to the list. A bulk fits when one of its rows does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ActivityQuery {
    /// Words, all of which occur in the customer's name or number, or in the order number.
    pub search: String,
    /// Only what does this.
    pub kind: Option<Kind>,
    /// Only what stands so.
    pub standing: Option<Standing>,
    /// Entries at most.
    pub most: usize,
}

/// An operation of its own, or a bulk.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEntry {
    /// The operation.
    pub operation: Option<OperationView>,
    /// The bulk.
    pub bulk: Option<BulkView>,
    /// Rows of the bulk that the search finds: all of them where nothing is searched for.
    pub found: usize,
}

/// What a query found.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// Newest first.
    pub entries: Vec<ActivityEntry>,
    /// How many there are.
    pub total: usize,
    /// How many the search alone would find; counted where the filters leave nothing.
    pub outside: usize,
}

/// What a search looks into.
const OF_OPERATION: &str = "lower(coalesce(json_extract(intent, '$.userName'), '') || char(10)
    || iif(kind = 'place-and-pay', '', coalesce(customer, target)) || char(10)
    || coalesce(json_extract(answer, '$.orderNo'), ''))";
const OF_ROW: &str =
    "lower(name || char(10) || coalesce(json_extract(nullif(bulk_row.intent, ''), '$.customerId'), ''))";

const DONE: &str = "'applied', 'resolved-applied'";

/// Words are looked for one by one.
fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_ascii_lowercase).collect()
}

fn holds(text: &str, words: &[String]) -> String {
    (1..=words.len()).map(|number| format!(" AND instr({text}, ?{number}) > 0")).collect()
}

/// Both kinds of entries, as `created`, `place`, `operation`, `bulk`. The words are its values.
fn entries(query: &ActivityQuery, words: &[String]) -> String {
    let (open, at_work, without) = (open_states(), states_at_work(), states_without_effect());
    let kind = query.kind.map(|kind| format!(" AND kind = '{}'", kind.word())).unwrap_or_default();
    let row = |states: &str| {
        format!(
            " AND EXISTS (SELECT 1 FROM operation WHERE operation.bulk = bulk.id AND operation.state IN ({states}))"
        )
    };
    let (stands, bulk_stands) = match query.standing {
        None => (String::new(), String::new()),
        Some(Standing::Open) => {
            let row = row(&format!("{at_work}, {}", unconfirmed_states()));
            (
                format!(" AND (state IN ({open}) OR (state = 'refused' AND next_at IS NOT NULL))"),
                format!(" AND (bulk.state <> 'finished' OR (1{row}))"),
            )
        }
        Some(Standing::Done) => (format!(" AND state IN ({DONE})"), row(DONE)),
        Some(Standing::NotDone) => (format!(" AND state IN ({without})"), row(&without)),
    };
    let found = if words.is_empty() {
        String::new()
    } else {
        format!(" AND EXISTS (SELECT 1 FROM bulk_row WHERE bulk_row.bulk = bulk.id{})", holds(OF_ROW, words))
    };
    // What asks for somebody stands for itself, row of a bulk or not.
    format!(
        "SELECT created, rowid AS place, id AS operation, NULL AS bulk FROM operation
         WHERE (bulk IS NULL OR state IN ({})){kind}{stands}{}
         UNION ALL
         SELECT created, rowid AS place, NULL, id FROM bulk WHERE 1{kind}{bulk_stands}{found}",
        unconfirmed_states(),
        holds(OF_OPERATION, words)
    )
}

/// The name of an operation, or of a bulk.
type Named = (Option<OperationId>, Option<BulkId>);

impl Journal {
    fn count_activity(&self, query: &ActivityQuery) -> Result<usize, JournalError> {
        let words = words(&query.search);
        let mut count = self.db.prepare_cached(&format!("SELECT count(*) FROM ({})", entries(query, &words)))?;
        Ok(count.query_row(params_from_iter(&words), |row| row.get::<_, i64>(0))? as usize)
    }

    /// The newest entries.
    fn newest_activity(&self, query: &ActivityQuery) -> Result<Vec<Named>, JournalError> {
        let words = words(&query.search);
        let all = entries(query, &words);
        let most = query.most as i64;
        let mut newest = self.db.prepare_cached(&format!(
            "SELECT operation, bulk FROM ({all}) ORDER BY created DESC, place DESC LIMIT ?{}",
            words.len() + 1
        ))?;
        let values = words.iter().map(|word| word as &dyn ToSql).chain([&most as &dyn ToSql]);
        let rows = newest.query_map(params_from_iter(values), |row| {
            Ok((row.get::<_, Option<String>>(0)?.map(OperationId), row.get::<_, Option<String>>(1)?.map(BulkId)))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn numbers_in_bulk(&self, id: &BulkId, search: &str) -> Result<Vec<i64>, JournalError> {
        let words = words(search);
        let held = holds(OF_ROW, &words);
        let query = format!("SELECT number FROM bulk_row WHERE bulk = ?{}{held} ORDER BY number", words.len() + 1);
        let values = words.iter().map(|word| word as &dyn ToSql).chain([&id.0 as &dyn ToSql]);
        let mut query = self.db.prepare_cached(&query)?;
        let numbers = query.query_map(params_from_iter(values), |row| row.get(0))?;
        Ok(numbers.collect::<rusqlite::Result<_>>()?)
    }
}

impl Operations {
    /// Everything that was done and fits, newest first.
    ///
    /// # Errors
    /// The journal.
    pub fn activity(&self, query: &ActivityQuery) -> Result<Activity, OperationError> {
        let total = self.journal().count_activity(query)?;
        let outside = if total == 0 && (query.kind.is_some() || query.standing.is_some()) {
            let search = query.search.clone();
            self.journal().count_activity(&ActivityQuery { search, ..ActivityQuery::default() })?
        } else {
            0
        };
        let newest = self.journal().newest_activity(query)?;
        let rows = newest.iter().filter_map(|(operation, _)| operation.as_ref());
        let rows = rows.map(|id| self.journal().find(id)?.ok_or(OperationError::NotFound));
        let mut views = self.views(rows.collect::<Result<_, _>>()?)?.into_iter();
        let mut entries = Vec::with_capacity(newest.len());
        for (_, bulk) in newest {
            entries.push(match bulk {
                None => ActivityEntry { operation: views.next(), bulk: None, found: 0 },
                Some(id) => {
                    let bulk = self.bulk(&id)?;
                    let found = if query.search.trim().is_empty() {
                        bulk.rows
                    } else {
                        self.journal().numbers_in_bulk(&id, &query.search)?.len()
                    };
                    ActivityEntry { operation: None, bulk: Some(bulk), found }
                }
            });
        }
        Ok(Activity { entries, total, outside })
    }

    /// Rows of a bulk that hold these words, in their order.
    ///
    /// # Errors
    /// The journal.
    pub fn search_bulk(
        &self,
        id: &BulkId,
        search: &str,
        from: usize,
        count: usize,
    ) -> Result<Vec<BulkRowView>, OperationError> {
        let journal = self.journal();
        let numbers = journal.numbers_in_bulk(id, search)?;
        let wanted = numbers.into_iter().skip(from).take(count);
        // Rows are numbered from 1 without a gap.
        let row = |number: i64| journal.bulk_rows(id, false, usize::try_from(number - 1).unwrap_or_default(), 1);
        let rows = wanted.map(row).collect::<Result<Vec<_>, JournalError>>()?;
        Ok(rows.into_iter().flatten().collect())
    }
}
