//! What this vendor can do beyond the contract, found out by reading alone: never by a write.

use client::{Area, Call, Client, Error};
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::ids::{CountryCode, OrderNo};
use wire::inventory::{Direction, InventoryCondition, SegmentField, SegmentSort, SegmentStock, SegmentsQuery};
use wire::ping::Ping;

/// Something that a vendor may offer beyond the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// It tells its time (`main/ping`).
    Ping,
    /// Stock by network segment (`inventory/cidrs`).
    Segments,
    /// Segments can be searched by a keyword.
    SegmentKeyword,
    /// Segments can be sorted.
    SegmentSort,
    /// The status of an order, without everything else (`orders/status`).
    OrderStatus,
    /// The list of all IPs (`ips/page`).
    IpList,
    /// One IP with its credentials (`ips/detail`).
    IpDetail,
    /// IPs can be renewed: it names a price for that (`renewals/quote`).
    Renewals,
}

impl Capability {
    /// All of them, as they are shown.
    pub const ALL: [Self; 8] = [
        Self::Ping,
        Self::Segments,
        Self::SegmentKeyword,
        Self::SegmentSort,
        Self::OrderStatus,
        Self::IpList,
        Self::IpDetail,
        Self::Renewals,
    ];
}

/// What was found about a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// It is there, and its answer can be read.
    Present,
    /// The vendor does not have it.
    Absent,
    /// It answers in a form that this program does not read, or does not do what it is asked.
    OtherShape,
    /// There was nothing to try it with, such as an order or an IP.
    Untried,
    /// The vendor refused, or did not answer. That says nothing about the capability.
    Unanswered,
}

impl Finding {
    /// Whether the question is answered.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Present | Self::Absent | Self::OtherShape)
    }

    /// What an answer means. A refused token or a failed network is never "absent".
    pub(crate) fn of<T>(answered: &Result<T, Error>) -> Self {
        match answered {
            Ok(_) => Self::Present,
            Err(error) if error.is_absent() => Self::Absent,
            Err(error) if error.asks_to_wait() => Self::Unanswered,
            // Gateways of this make say "no such path" in the body of a success.
            Err(Error::Refused(refusal)) if refusal.code == "404" => Self::Absent,
            Err(Error::NotThisService { status: 405 | 410 | 501 }) => Self::Absent,
            // A web page instead of an answer.
            Err(Error::NotThisService { status: 200..300 } | Error::Unreadable { status: 200..300, .. }) => {
                Self::OtherShape
            }
            Err(_) => Self::Unanswered,
        }
    }
}

/// What the probes are tried with; `None`: there is nothing yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// A country in which segments may be in stock.
    pub(crate) country: Option<CountryCode>,
    /// An order of this account.
    pub(crate) order: Option<OrderNo>,
}

/// The findings of a round of probes.
#[derive(Debug, Default)]
pub(crate) struct Probed {
    pub(crate) findings: Vec<(Capability, Finding)>,
    /// The vendor's time, when it came on the steady clock, and how long the request took.
    pub(crate) ping: Option<Pinged>,
}

/// An answered ping.
#[derive(Debug)]
pub(crate) struct Pinged {
    pub(crate) ping: Ping,
    pub(crate) at: std::time::Instant,
    pub(crate) took: std::time::Duration,
}

/// Tries the capabilities that `wanted` names, one read after the other, so that other reads are not held up.
pub(crate) async fn probe(client: &Client, samples: &Samples, wanted: impl Fn(Capability) -> bool) -> Probed {
    let mut probed = Probed::default();
    if wanted(Capability::Ping) {
        probe_ping(client, &mut probed).await;
    }
    if [Capability::Segments, Capability::SegmentKeyword, Capability::SegmentSort].into_iter().any(&wanted) {
        probe_segments(client, samples.country.as_ref(), &mut probed).await;
    }
    if wanted(Capability::OrderStatus) {
        let finding = match &samples.order {
            Some(order) => tried(client, client::orders::status(order)).await.0,
            None => Finding::Untried,
        };
        probed.findings.push((Capability::OrderStatus, finding));
    }
    if [Capability::IpList, Capability::IpDetail, Capability::Renewals].into_iter().any(&wanted) {
        probe_ips(client, &mut probed).await;
    }
    probed
}

async fn tried<T: DeserializeOwned>(client: &Client, call: Call<T>) -> (Finding, Option<T>) {
    let answered = client.call(call).await;
    (Finding::of(&answered), answered.ok().map(|answer| answer.data))
}

/// The notes do not say which prefix the path has: the second is tried where the first has none.
async fn probe_ping(client: &Client, probed: &mut Probed) {
    let mut found = Finding::Absent;
    for area in [Area::Static, Area::Agent] {
        let asked = std::time::Instant::now();
        let (finding, ping) = tried(client, client::ping::ping(area)).await;
        probed.ping = ping.map(|ping| Pinged { ping, at: std::time::Instant::now(), took: asked.elapsed() });
        found = finding;
        if found == Finding::Present || found == Finding::Unanswered {
            break;
        }
    }
    probed.findings.push((Capability::Ping, found));
}

/// Matches no segment and no place.
const NO_SUCH: &str = "no-such-segment-0";

async fn probe_segments(client: &Client, country: Option<&CountryCode>, probed: &mut Probed) {
    let (mut segments, mut keyword, mut sort) = (Finding::Untried, Finding::Untried, Finding::Untried);
    if let Some(country) = country {
        let ask = |keyword: Option<&str>, sort| {
            let (country_code, keyword) = (country.clone(), keyword.map(str::to_owned));
            let condition = InventoryCondition::default();
            client::inventory::segments(&SegmentsQuery { country_code, city_code: None, keyword, condition, sort })
        };
        let (found, rows) = tried(client, ask(None, None)).await;
        segments = found;
        let rows = rows.unwrap_or_default();
        if segments != Finding::Present {
            (keyword, sort) = (segments, segments);
        } else if !rows.is_empty() {
            let (found, none) = tried(client, ask(Some(NO_SUCH), None)).await;
            keyword = obeyed(found, none.is_some_and(|none| none.is_empty()));
            for asked in
                [SegmentField::Stock, SegmentField::Price].into_iter().filter_map(|field| telling(&rows, field))
            {
                let answered = client.call(ask(None, Some(asked))).await.map(|answer| answer.data);
                sort = sorting(&answered, asked);
                if sort != Finding::Present {
                    break;
                }
            }
        }
    }
    probed.findings.extend([
        (Capability::Segments, segments),
        (Capability::SegmentKeyword, keyword),
        (Capability::SegmentSort, sort),
    ]);
}

/// A request that is answered but not obeyed counts as another shape.
fn obeyed(finding: Finding, is_obeyed: bool) -> Finding {
    if finding == Finding::Present && !is_obeyed { Finding::OtherShape } else { finding }
}

/// The finding from a request for a sorted list. The same list came unsorted, so a refusal is about the sorting.
fn sorting(answered: &Result<Vec<SegmentStock>, Error>, asked: SegmentSort) -> Finding {
    match answered {
        Err(error @ Error::Refused(_)) if !error.asks_to_wait() => Finding::OtherShape,
        _ => obeyed(Finding::of(answered), answered.as_ref().is_ok_and(|rows| is_sorted(rows, asked))),
    }
}

/// A direction in which the rows are not sorted yet, so that the answer tells whether sorting works; `None` if all
/// rows are alike.
fn telling(rows: &[SegmentStock], field: SegmentField) -> Option<SegmentSort> {
    let sorts = [Direction::Desc, Direction::Asc].map(|direction| SegmentSort { field, direction });
    sorts.into_iter().find(|sort| !is_sorted(rows, *sort))
}

/// Whether the rows that report the field are sorted by it: where the others come is up to the vendor.
fn is_sorted(rows: &[SegmentStock], SegmentSort { field, direction }: SegmentSort) -> bool {
    let value = |row: &SegmentStock| match field {
        SegmentField::Stock => row.available.map(Decimal::from),
        SegmentField::Price => row.unit_price.map(Amount::value),
    };
    let values = rows.iter().filter_map(value);
    match direction {
        Direction::Asc => values.is_sorted(),
        Direction::Desc => values.is_sorted_by(|one, next| one >= next),
    }
}

/// The shortest period, for which a price is asked. Nothing is renewed.
const PERIOD: i64 = 30;

/// Whether a business code of the static-IP area (6xxxx) refused it: this IP may not be renewable, but the endpoint
/// exists.
fn is_business<T>(answered: &Result<T, Error>) -> bool {
    let code = |code: &str| code.len() == 5 && code.starts_with('6') && code.bytes().all(|one| one.is_ascii_digit());
    matches!(answered, Err(Error::Refused(refusal)) if code(&refusal.code))
}

async fn probe_ips(client: &Client, probed: &mut Probed) {
    let (list, page) = tried(client, client::ips::page(1, 1)).await;
    let id = page.and_then(|page| Some(page.rows.into_iter().next()?.id)).filter(|id| !id.as_str().is_empty());
    let (mut detail, mut renewals) = (Finding::Untried, Finding::Untried);
    if let Some(id) = id {
        // The credentials of the detail are dropped at once.
        detail = tried(client, client::ips::detail(&id)).await.0;
        let priced = client.call(client::renewals::quote(&[id], PERIOD)).await;
        renewals = if is_business(&priced) { Finding::Present } else { Finding::of(&priced) };
    }
    probed.findings.extend([
        (Capability::IpList, list),
        (Capability::IpDetail, detail),
        (Capability::Renewals, renewals),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use client::{Lost, NotSent};
    use serde_json::json;
    use wire::envelope::Refusal;

    fn no(status: u16, code: &str) -> Refusal {
        Refusal { status, code: code.into(), message: String::new(), trace_id: None, timestamp: None }
    }

    fn unreadable(status: u16) -> Error {
        Error::Unreadable { status, path: "data".into(), reason: "expected a page".into(), trace_id: None }
    }

    #[test]
    fn only_no_such_path_is_absent_and_only_a_success_can_have_another_shape() {
        for (error, expected) in [
            (Error::Refused(no(404, "40400")), Finding::Absent),
            (Error::Refused(no(200, "404")), Finding::Absent),
            (Error::NotThisService { status: 404 }, Finding::Absent),
            (Error::NotThisService { status: 405 }, Finding::Absent),
            (Error::NotThisService { status: 200 }, Finding::OtherShape),
            (unreadable(200), Finding::OtherShape),
            (unreadable(502), Finding::Unanswered),
            (Error::NotThisService { status: 502 }, Finding::Unanswered),
            (Error::Refused(no(200, "60301")), Finding::Unanswered),
            (Error::Refused(no(429, "429")), Finding::Unanswered),
            (Error::NotAuthenticated(no(401, "20000")), Finding::Unanswered),
            (Error::OutcomeUnknown(Lost::TimedOut), Finding::Unanswered),
            (Error::OutcomeUnknown(Lost::Redirected), Finding::Unanswered),
            (Error::NotSent(NotSent::NoConnection), Finding::Unanswered),
            (Error::NotSent(NotSent::NoCredentials), Finding::Unanswered),
        ] {
            assert_eq!(Finding::of::<()>(&Err(error.clone())), expected, "{error:?}");
        }
        assert_eq!(Finding::of(&Ok(())), Finding::Present);
    }

    #[test]
    fn a_refusal_by_the_business_shows_that_it_is_there() {
        for (code, expected) in [("60401", true), ("404", false), ("40400", false), ("500", false), ("6", false)] {
            assert_eq!(is_business::<()>(&Err(Error::Refused(no(200, code)))), expected, "{code}");
        }
        assert!(!is_business(&Ok(())) && !is_business::<()>(&Err(Error::OutcomeUnknown(Lost::TimedOut))));
    }

    #[test]
    fn sorting_is_tried_in_a_direction_that_the_rows_do_not_have_yet() {
        use Direction::{Asc, Desc};
        for (name, field) in [("available", SegmentField::Stock), ("unitPrice", SegmentField::Price)] {
            let rows = |values: &[i64]| -> Vec<SegmentStock> {
                values.iter().map(|value| serde_json::from_value(json!({ name: value })).unwrap()).collect()
            };
            let tried = |values: &[i64]| telling(&rows(values), field).map(|sort| sort.direction);
            assert_eq!([tried(&[1, 2, 3]), tried(&[3, 2, 1]), tried(&[2, 2])], [Some(Desc), Some(Asc), None], "{name}");
            let asked = telling(&rows(&[1, 2]), field).unwrap();
            assert_eq!(sorting(&Err(Error::Refused(no(200, "60301"))), asked), Finding::OtherShape, "{name}");
            assert_eq!(sorting(&Err(Error::Refused(no(429, "429"))), asked), Finding::Unanswered, "{name}");
            let sorted = |values: &[i64], direction| is_sorted(&rows(values), SegmentSort { field, direction });
            assert!(sorted(&[3, 3, 1], Desc) && !sorted(&[1, 3], Desc) && !sorted(&[1, 3, 2], Asc), "{name}");
        }
    }
}
