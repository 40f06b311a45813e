//! The list of everything done: operations, and bulks as one entry each.

use rusqlite::{ToSql, params_from_iter};

use crate::journal::bulk_row::OF_ROW;
use crate::journal::search::{holds, words};
use crate::journal::sets::{done_states, open_states, states_at_work, states_without_effect, unconfirmed_states};
use crate::journal::{Journal, JournalError};
use crate::words::activity::{ActivityQuery, EntryOrder, Standing};
use crate::words::bulk::BulkId;
use crate::words::state::OperationId;

/// The text of an operation that a search covers.
const OF_OPERATION: &str = "lower(coalesce(json_extract(intent, '$.userName'), '') || char(10)
    || iif(kind IN ('place-and-pay', 'renew'), '', coalesce(customer, target)) || char(10)
    || coalesce(json_extract(answer, '$.orderNo'), ''))";

/// The customer of an operation, as it is sorted.
const WHO: &str = "lower(json_extract(intent, '$.userName'))";

/// The order number of an operation, and its amount: GB or money. Exact values are compared as they are shown.
const NUMBER: &str = "json_extract(answer, '$.orderNo')";
const AMOUNT: &str = "CAST(coalesce(json_extract(intent, '$.amount'), json_extract(intent, '$.gb')) AS REAL)";

/// How entries are sorted: by the columns of [`entries`]. Entries without the value are last.
fn sorting(query: &ActivityQuery) -> String {
    let way = if query.down { "DESC" } else { "ASC" };
    let by = match query.order {
        EntryOrder::When => return format!("created {way}, place {way}"),
        EntryOrder::What => format!("kind {way}, who IS NULL, who {way}"),
        EntryOrder::State => format!("standing {way}, state {way}"),
        EntryOrder::Order => format!("number IS NULL, length(number) {way}, number {way}"),
        EntryOrder::Amount => format!("amount IS NULL, kind IN ('place-and-pay', 'renew') {way}, amount {way}"),
    };
    format!("{by}, created DESC, place DESC")
}

/// A query for both kinds of entries: `operation` or `bulk`, with what they are sorted by. The words are its
/// parameters.
fn entries(query: &ActivityQuery, words: &[String]) -> String {
    let (open, at_work, without) = (open_states(), states_at_work(), states_without_effect());
    let done = done_states();
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
        Some(Standing::Done) => (format!(" AND state IN ({done})"), row(&done)),
        Some(Standing::NotDone) => (format!(" AND state IN ({without})"), row(&without)),
    };
    let found = if words.is_empty() {
        String::new()
    } else {
        format!(" AND EXISTS (SELECT 1 FROM bulk_row WHERE bulk_row.bulk = bulk.id{})", holds(OF_ROW, words, 1))
    };
    // An operation whose outcome is not known is listed by itself, even if it is a row of a bulk.
    format!(
        "SELECT created, rowid AS place, id AS operation, NULL AS bulk, kind, {WHO} AS who, state, {NUMBER} AS number,
         {AMOUNT} AS amount,
         CASE WHEN state IN ({}) THEN 0 WHEN state IN ({open}) THEN 1 WHEN state IN ({without}) THEN 2 ELSE 3 END AS standing
         FROM operation WHERE (bulk IS NULL OR state IN ({})){kind}{stands}{}
         UNION ALL
         SELECT created, rowid AS place, NULL, id, kind, NULL, state, NULL, NULL, iif(state = 'finished', 3, 1)
         FROM bulk WHERE 1{kind}{bulk_stands}{found}",
        unconfirmed_states(),
        unconfirmed_states(),
        holds(OF_OPERATION, words, 1)
    )
}

/// The identifier of an operation or of a bulk.
pub(crate) type Named = (Option<OperationId>, Option<BulkId>);

/// Reads the list.
pub(crate) struct ActivityList<'a>(pub(super) &'a Journal);

impl ActivityList<'_> {
    pub(crate) fn count(&self, query: &ActivityQuery) -> Result<usize, JournalError> {
        let words = words(&query.search);
        let mut count = self.0.db.prepare_cached(&format!("SELECT count(*) FROM ({})", entries(query, &words)))?;
        Ok(count.query_row(params_from_iter(&words), |row| row.get::<_, i64>(0))? as usize)
    }

    /// The first matching entries, in the order of the query.
    pub(crate) fn first(&self, query: &ActivityQuery) -> Result<Vec<Named>, JournalError> {
        let words = words(&query.search);
        let all = entries(query, &words);
        let most = query.most as i64;
        let mut newest = self.0.db.prepare_cached(&format!(
            "SELECT operation, bulk FROM ({all}) ORDER BY {} LIMIT ?{}",
            sorting(query),
            words.len() + 1
        ))?;
        let values = words.iter().map(|word| word as &dyn ToSql).chain([&most as &dyn ToSql]);
        let rows = newest.query_map(params_from_iter(values), |row| {
            Ok((row.get::<_, Option<String>>(0)?.map(OperationId), row.get::<_, Option<String>>(1)?.map(BulkId)))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
