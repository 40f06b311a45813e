//! Decisions that the contract leaves open, as data. Each group has its own default; `presets.rs` names other
//! combinations.

use crate::mishap::Trouble;
use serde::{Deserialize, Serialize};

/// All choices of one service. In JSON, anything not named keeps its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    /// The state before the first request.
    pub start: Start,
    /// The writing of answers.
    pub writing: Writing,
    /// Paging, sorting and filtering of lists.
    pub lists: Lists,
    /// Patience, freshness and speed.
    pub manners: Manners,
    /// Treatment of the writes.
    pub deeds: Deeds,
    /// Endpoints that the contract lacks.
    pub extras: Extras,
}

/// Endpoints that the contract lacks; those left away answer 404. They follow the public notes, with other names and
/// another wrapper where the notes are silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Extras {
    /// `GET /prod-api/open/main/ping`, in the wrapper of the areas B and C.
    pub ping: bool,
    /// `POST inventory/cidrs`, which ignores keyword and sort.
    pub cidrs: bool,
    /// `POST orders/status`.
    pub order_status: bool,
    /// `POST ips/page`, as `totalCount` and `records`, with port and order.
    pub ips: bool,
    /// `POST renewals/quote` and `renewals/orders/place-and-pay`, with counts in words and the failed IPs as an object.
    pub renewals: bool,
}

impl Extras {
    /// None of them.
    pub const NONE: Self = Self { ping: false, cidrs: false, order_status: false, ips: false, renewals: false };
}

/// The state before the first request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Time when the account was opened, in milliseconds since 1970; its history covers the five days after it.
    pub founded_ms: i64,
    /// Customers with a history.
    pub customers: u32,
    /// Balance of the wallet, in whole units of its currency.
    pub wallet: i64,
    /// Traffic bought for resale, in GB.
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

/// Order of the fields of an object, to which JSON gives no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldOrder {
    /// As the tables of the contract list them.
    AsListed,
    /// In reverse: `data` comes before `code`.
    Backwards,
    /// By name.
    ByName,
}

/// Elements of the option arrays ("not shown").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Elements {
    /// Numbers, words and booleans.
    Plain,
    /// `{code, name}`.
    CodeName,
    /// `{id, nameZh, nameEn}`, the id as a string.
    IdNames,
    /// `{value, label}`.
    ValueLabel,
}

/// Form of a moment in the static-IP area: `expiresAt` has no stated format.
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

/// Form of decimals: the contract gives Java types but no spelling.
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

/// Form of the days in the two consumption details ("date string").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Days {
    /// `yyyy-MM-dd`.
    Dashed,
    /// `yyyy-MM-dd 00:00:00`.
    Midnight,
}

/// Form of an authentication failure in the areas B and C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Denial {
    /// HTTP 200, code 200, data null: as the contract says.
    Code200,
    /// HTTP 200, code 401, data null.
    Code401,
    /// HTTP 401, code 401, data null.
    Status401,
}

/// The writing of answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Writing {
    /// The order of fields.
    pub order: FieldOrder,
    /// Whether to write everything beyond ASCII as `\uXXXX`.
    pub ascii_only: bool,
    /// Whether to put a space after each comma and colon.
    pub spaced: bool,
    /// The header `Content-Type`.
    pub content_type: String,
    /// Whether to add fields that the contract does not name.
    pub extra_fields: bool,
    /// Elements of the option arrays.
    pub elements: Elements,
    /// Form of `expiresAt` and the times of an order.
    pub moments: Moments,
    /// Amounts of the static-IP area.
    pub amounts: Figures,
    /// Traffic figures of the areas B and C.
    pub traffic: Figures,
    /// Days of the consumption details.
    pub days: Days,
    /// Whether ids of the areas B and C are strings instead of numbers.
    pub agent_ids_as_text: bool,
    /// Whether the inner `data` of a paged list repeats code, msg and other.
    pub inner_repeats: bool,
    /// Whether `getFlowTotalFull` also has a `residualFlow` whose name ends with a space.
    pub spaced_residual: bool,
    /// Whether an empty `stateId` is null instead of an empty string.
    pub empty_state_is_null: bool,
    /// Whether order status is a word instead of a number.
    pub status_words: bool,
    /// The zone of `createTime`, in hours east of UTC.
    pub zone_hours: i32,
    /// `typeDesc` of a recharge.
    pub recharge_word: String,
    /// `typeDesc` of a deduction.
    pub deduction_word: String,
    /// `typeDesc` of usage.
    pub use_word: String,
}

/// Rows of usage in `myRechargeFlowList` with type 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UseRows {
    /// One row per customer and day, whose `flowCount` grows.
    GrowInPlace,
    /// A new row for each usage.
    Stream,
    /// None: usage is only in the reports.
    None,
}

/// Matching of an account filter ("target account", "customer account filter").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Filter {
    /// The whole name.
    Exact,
    /// A part of it, ignoring case.
    Part,
}

/// Content of a page after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beyond {
    /// No rows.
    Empty,
    /// The last page again.
    LastAgain,
}

/// List in which a deduction appears: the contract only says that consumption rows are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeductionRows {
    /// Among the consumption (type 1), negative.
    Consumption,
    /// Among the recharges (type 0), negative.
    Recharges,
}

/// Paging, sorting and filtering of lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lists {
    /// Largest page of lists whose maximum is not shown; a larger `pageSize` is reduced to it.
    pub largest_page: u32,
    /// Whether lists are sorted newest first instead of oldest first.
    pub newest_first: bool,
    /// Account filters.
    pub filter: Filter,
    /// Pages after the last one.
    pub beyond: Beyond,
    /// Rows of usage.
    pub use_rows: UseRows,
    /// Rows of deductions.
    pub deductions: DeductionRows,
    /// Whether a deduction lowers `trafficCount` of a customer too, not only `residualFlow`.
    pub deduction_lowers_recharged: bool,
}

/// Refuses the same GET shortly after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SameAgain {
    /// For this many milliseconds.
    pub within_ms: i64,
    /// Whether this applies to the reads of the areas B and C too, not only to their writes.
    pub reads: bool,
}

/// Answers 429 now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Busy {
    /// Every n-th request, by this n.
    pub every: u32,
    /// The header `Retry-After`, in seconds; absent when `None`.
    pub retry_after_s: Option<u32>,
    /// Whether this applies to writes too, which are then not done.
    pub writes: bool,
}

/// Customers who keep using their traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveUse {
    /// Interval at which one customer uses some, in milliseconds.
    pub every_ms: i64,
    /// Most that is used at a time, in hundredths of a MB.
    pub most_cmb: u32,
}

/// Patience, freshness and speed. Rate limits are "not shown".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manners {
    /// Answers of 429 now and then.
    pub busy: Option<Busy>,
    /// Refusals of the same GET.
    pub same_again: Option<SameAgain>,
    /// Duration of a read, in milliseconds.
    pub slow_read_ms: u64,
    /// Duration of a write, in milliseconds.
    pub slow_write_ms: u64,
    /// Number of successive reads of one kind that still show the state before a change.
    pub stale_reads: u32,
    /// Delay of the records, in milliseconds.
    pub records_lag_ms: i64,
    /// Delay of the figures of customers, totals and reports, in milliseconds.
    pub figures_lag_ms: i64,
    /// Usage that goes on.
    pub live_use: Option<LiveUse>,
    /// Form of an authentication failure in the areas B and C.
    pub denial: Denial,
}

/// Answer to a key that was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenKey {
    /// The order it placed, as a success.
    SameOrder,
    /// A refusal with this code (60306 to 60309).
    Refused(u32),
}

/// Treatment of the writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deeds {
    /// MB in a GB: 1024 or 1000 (Limits: commands in GB, results in MB; the factor is not shown).
    pub mb_per_gb: u32,
    /// The code of "order already processed": 203 by the rule, 201 by the sample.
    pub already: i64,
    /// Code of a refusal in the areas B and C that the contract does not list.
    pub agent_no: i64,
    /// Code of a refusal in the static-IP area that the contract does not list.
    pub order_no: String,
    /// HTTP status of business codes in the static-IP area ("not shown").
    pub order_no_status: u16,
    /// Code for a price that has changed or expired (60306 to 60309).
    pub stale_price: u32,
    /// Answer to a key that was seen before.
    pub seen_key: SeenKey,
    /// Time after which keys and order ids are forgotten, in milliseconds; never when `None`.
    pub keys_forgotten_after_ms: Option<i64>,
    /// How long a price is valid, in milliseconds.
    pub price_stands_ms: i64,
    /// Whether a price serves only one order.
    pub price_serves_once: bool,
    /// Part of an order that is delivered at once, in percent.
    pub delivered_at_once: u32,
    /// Time until the rest follows, in milliseconds.
    pub rest_after_ms: i64,
    /// Whether `customerState` 1 means active, as the contract says, instead of 0, as another edition says.
    pub one_is_active: bool,
    /// Recurring mishaps.
    pub troubles: Vec<Trouble>,
}
