//! What the contract leaves open, as data. Each group has a default of its own mind; `presets.rs` names other mixes.

use crate::mishap::Trouble;
use serde::{Deserialize, Serialize};

/// All choices of one service. As JSON, what is not named keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    /// What there is before the first request.
    pub start: Start,
    /// How answers are written.
    pub writing: Writing,
    /// How lists are cut, sorted and filtered.
    pub lists: Lists,
    /// How patient, fresh and quick it is.
    pub manners: Manners,
    /// What it does with the six writes.
    pub deeds: Deeds,
}

/// What there is before the first request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// When the account was opened, in milliseconds since 1970; its history lies in the five days after it.
    pub founded_ms: i64,
    /// Customers with a history.
    pub customers: u32,
    /// The wallet, in whole units of its currency.
    pub wallet: i64,
    /// The traffic bought for resale, in GB.
    pub pool_gb: i64,
    /// The header `UserId` (Authentication, static-IP area).
    pub developer: String,
    /// The header `Token` (Authentication, static-IP area).
    pub developer_token: String,
    /// The header `token` (Authentication, dynamic traffic and agent customer areas).
    pub agent_token: String,
    /// `createId` of the caller (Traffic recharge record).
    pub caller_id: i64,
    /// `createBy` of the caller (Traffic recharge record).
    pub caller_name: String,
}

/// The order of the fields of an object: JSON gives it no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldOrder {
    /// As the tables of the contract list them.
    AsListed,
    /// The other way round: `data` comes before `code`.
    Backwards,
    /// By name.
    ByName,
}

/// The elements of the option arrays ("not shown").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Elements {
    /// Numbers, words and truth values.
    Plain,
    /// `{code, name}`.
    CodeName,
    /// `{id, nameZh, nameEn}`, the id as a string.
    IdNames,
    /// `{value, label}`.
    ValueLabel,
}

/// How a moment of the static-IP area is written: `expiresAt` has no stated format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Moments {
    /// `yyyy-MM-dd HH:mm:ss` in the zone of the service.
    Spaced,
    /// ISO 8601 with the offset of the service.
    Iso,
    /// ISO 8601 in UTC, with milliseconds and `Z`.
    IsoUtc,
    /// Milliseconds as a number.
    Millis,
    /// Milliseconds as a string.
    MillisText,
    /// Seconds as a number.
    Seconds,
}

/// How decimals are written: the contract gives Java types and no spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Figures {
    /// `12000000.5`, `5`.
    Plain,
    /// A Java double: `5.0`, from ten million on `1.2E7`.
    Java,
    /// At least four decimals: `5.0000`.
    Zeros,
    /// A string with at least two decimals: `"5.00"`.
    Text,
}

/// How the days of the two consumption details are written ("date string").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Days {
    /// `yyyy-MM-dd`.
    Dashed,
    /// `yyyy-MM-dd 00:00:00`.
    Midnight,
}

/// What an authentication failure of the areas B and C looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Denial {
    /// HTTP 200, code 200, data null: the words of the contract.
    Code200,
    /// HTTP 200, code 401, data null.
    Code401,
    /// HTTP 401, code 401, data null.
    Status401,
}

/// How answers are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Writing {
    /// The order of fields.
    pub order: FieldOrder,
    /// Everything beyond ASCII as `\uXXXX`.
    pub ascii_only: bool,
    /// A space after each comma and colon.
    pub spaced: bool,
    /// The header `Content-Type`.
    pub content_type: String,
    /// Fields the contract does not name.
    pub extra_fields: bool,
    /// Elements of the option arrays.
    pub elements: Elements,
    /// `expiresAt` and the times of an order.
    pub moments: Moments,
    /// Amounts of the static-IP area.
    pub amounts: Figures,
    /// Traffic figures of the areas B and C.
    pub traffic: Figures,
    /// Days of the consumption details.
    pub days: Days,
    /// Ids of the areas B and C as strings, not as numbers.
    pub agent_ids_as_text: bool,
    /// The inner `data` of a paged list repeats code, msg and other.
    pub inner_repeats: bool,
    /// `getFlowTotalFull` also writes `residualFlow` with a space at the end of its name.
    pub spaced_residual: bool,
    /// An empty `stateId` is null, not an empty string.
    pub empty_state_is_null: bool,
    /// Order status as words, not as numbers.
    pub status_words: bool,
    /// The zone of `createTime`, in hours east of UTC.
    pub zone_hours: i32,
    /// `typeDesc` of a recharge.
    pub recharge_word: String,
    /// `typeDesc` of a deduction.
    pub deduction_word: String,
    /// `typeDesc` of use.
    pub use_word: String,
}

/// The rows of use in `myRechargeFlowList` with type 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UseRows {
    /// One row for a customer and day; its `flowCount` grows.
    GrowInPlace,
    /// A new row for each use.
    Stream,
    /// None: use is in the reports only.
    None,
}

/// How an account filter works ("target account", "customer account filter").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Filter {
    /// The whole name.
    Exact,
    /// A part of it, in any case.
    Part,
}

/// What a page after the last one holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beyond {
    /// No rows.
    Empty,
    /// The last page again.
    LastAgain,
}

/// In which list a deduction appears: the contract only says that consumption rows are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeductionRows {
    /// Among the consumption (type 1), negative.
    Consumption,
    /// Among the recharges (type 0), negative.
    Recharges,
}

/// How lists are cut, sorted and filtered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lists {
    /// The largest page of the lists whose maximum is not shown; a larger `pageSize` is cut to it.
    pub largest_page: u32,
    /// Newest first, or oldest first.
    pub newest_first: bool,
    /// Account filters.
    pub filter: Filter,
    /// Pages after the last one.
    pub beyond: Beyond,
    /// Rows of use.
    pub use_rows: UseRows,
    /// Rows of deductions.
    pub deductions: DeductionRows,
    /// `trafficCount` of a customer falls with a deduction; otherwise only `residualFlow` does.
    pub deduction_lowers_recharged: bool,
}

/// A service that refuses the same GET soon after itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SameAgain {
    /// For how long, in milliseconds.
    pub within_ms: i64,
    /// Reads as well; otherwise the writes of the areas B and C only.
    pub reads: bool,
}

/// A service that answers 429 now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Busy {
    /// Each request of this number.
    pub every: u32,
    /// The header `Retry-After`, in seconds; none if absent.
    pub retry_after_s: Option<u32>,
    /// Writes as well: they are not done then.
    pub writes: bool,
}

/// Customers who go on using their traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveUse {
    /// One customer uses some each time this many milliseconds have passed.
    pub every_ms: i64,
    /// How much at most, in hundredths of a MB.
    pub most_cmb: u32,
}

/// How patient, fresh and quick it is. Rate limits are "not shown".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manners {
    /// 429 now and then.
    pub busy: Option<Busy>,
    /// The same GET refused.
    pub same_again: Option<SameAgain>,
    /// How long a read takes, in milliseconds.
    pub slow_read_ms: u64,
    /// How long a write takes, in milliseconds.
    pub slow_write_ms: u64,
    /// How many reads of one kind in a row still show the answer of before a change.
    pub stale_reads: u32,
    /// By how much the records lag, in milliseconds.
    pub records_lag_ms: i64,
    /// By how much the figures of customers, totals and reports lag, in milliseconds.
    pub figures_lag_ms: i64,
    /// Use that goes on.
    pub live_use: Option<LiveUse>,
    /// An authentication failure of the areas B and C.
    pub denial: Denial,
}

/// What a key that was seen before gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenKey {
    /// The order it placed, as a success.
    SameOrder,
    /// A no with this code (60306 to 60309).
    Refused(u32),
}

/// What it does with the six writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deeds {
    /// MB of one GB: 1024 or 1000 (Limits: commands in GB, results in MB; the factor is not shown).
    pub mb_per_gb: u32,
    /// The code of "order already processed": 203 by the rule, 201 by the sample.
    pub already: i64,
    /// The code of a no of the areas B and C that the contract does not list.
    pub agent_no: i64,
    /// The code of a no of the static-IP area that the contract does not list.
    pub order_no: String,
    /// The HTTP status of business codes of the static-IP area ("not shown").
    pub order_no_status: u16,
    /// The code of a price that has moved or run out (60306 to 60309).
    pub stale_price: u32,
    /// A key seen before.
    pub seen_key: SeenKey,
    /// After how long keys and order ids are forgotten, in milliseconds; never if absent.
    pub keys_forgotten_after_ms: Option<i64>,
    /// How long a price stands, in milliseconds.
    pub price_stands_ms: i64,
    /// A price serves one order only.
    pub price_serves_once: bool,
    /// How much of an order is delivered at once, in percent.
    pub delivered_at_once: u32,
    /// When the rest follows, in milliseconds.
    pub rest_after_ms: i64,
    /// `customerState` 1 means active, as the contract says; otherwise 0 does, as another edition says.
    pub one_is_active: bool,
    /// Mishaps that recur.
    pub troubles: Vec<Trouble>,
}
