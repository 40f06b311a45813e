//! Options, stock, price, and the two steps of paying: offer, then pay.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use ipnet::IpNet;
use operations::{OperationView, PlaceAndPay};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use ts_rs::TS;
use wire::Amount;
use wire::breakdown::{Breakdown, breakdown};
use wire::ids::{QuoteId, QuoteVersion};
use wire::inventory::{CountryStock, InventoryQuery, SegmentStock, SegmentsQuery};
use wire::purchase::{PurchaseConfig, PurchaseOptions};

use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::field;
use crate::health::{self, Capability, Finding};
use crate::session::Priced;

/// Returns what can be bought, and with which options.
pub async fn purchase_options(till: &Till, (): ()) -> Result<PurchaseOptions, CommandError> {
    let session = till.session().await?;
    let options = session.client.call(client::purchase::options()).await?.data;
    till.remember_purposes(&session, &options.business.known);
    Ok(options)
}

/// Returns the stock of each matching country.
pub async fn purchase_stock(till: &Till, query: InventoryQuery) -> Result<Vec<CountryStock>, CommandError> {
    let session = till.session().await?;
    let told = session.client.call(client::inventory::countries(&query)).await?.data;
    session.places.remember_stock(&told);
    Ok(told)
}

/// Returns the stock of each matching segment; `None` if the vendor has no stock by segment. A keyword and a sort are
/// only sent to a vendor that obeys them.
pub async fn segment_stock(till: &Till, query: SegmentsQuery) -> Result<Option<Vec<SegmentStock>>, CommandError> {
    let session = till.session().await?;
    let health = &session.health;
    if health.finding(Capability::Segments).is_some_and(|known| known.is_decided() && known != Finding::Present) {
        return Ok(None);
    }
    let keyword = query.keyword.filter(|word| !word.trim().is_empty() && health.has(Capability::SegmentKeyword));
    let sort = query.sort.filter(|_| health.has(Capability::SegmentSort));
    let query = SegmentsQuery { keyword: keyword.map(|word| word.trim().to_owned()), sort, ..query };
    let answered = session.client.call(client::inventory::segments(&query)).await;
    let (finding, day) = (Finding::of(&answered), session.today());
    if health.change(|record| record.find(Capability::Segments, finding, day, wall_clock())).await {
        health::tell(till, &session.id);
    }
    match answered {
        Ok(answer) => Ok(Some(answer.data)),
        Err(_) if finding == Finding::Absent => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A configuration to price.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PriceRequest {
    /// The configuration.
    pub config: PurchaseConfig,
    /// The version of the last price of the same basket; `None` for the first.
    pub last_version: Option<QuoteVersion>,
}

/// A price as a person sees it.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// The id of the price, to pay it with.
    pub quote_id: QuoteId,
    /// The version of the price.
    pub quote_version: QuoteVersion,
    /// The amount to pay, in `currency`.
    pub amount: Amount,
    /// The currency code.
    pub currency: String,
    /// Milliseconds until it expires, by the service's clock when it answered; `None` if the vendor does not say.
    pub expires_in: Option<u64>,
    /// The parts of the amount.
    pub breakdown: Breakdown,
}

/// The content of the paying dialog, and the token that its button sends back once.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Offered {
    /// The confirmation, accepted once by `pay_order`.
    pub token: String,
    /// The price that it pays.
    pub quote_id: QuoteId,
    /// The amount that it pays, in `currency`.
    pub amount: Amount,
    /// The currency code.
    pub currency: String,
}

const MOST_IPS: i64 = 500;

/// Checks what the vendor would refuse anyway: the lines of the strategy, their sum, networks and addresses.
fn check(config: &PurchaseConfig) -> Result<(), CommandError> {
    let ips = config.ips_in_lines().ok_or_else(|| CommandError::invalid(field::Lines::Empty))?;
    if ips > MOST_IPS {
        return Err(CommandError::invalid(field::Quantity::OutOfRange));
    }
    if ips != config.purchase_ip_count {
        return Err(CommandError::invalid(field::Lines::Sum));
    }
    if config.quota_items.iter().any(|line| !line.names_its_place()) {
        return Err(CommandError::invalid(field::Lines::Place));
    }
    if config.specific_ip_items.iter().any(|line| line.proxy_ip.parse::<IpAddr>().is_err()) {
        return Err(CommandError::invalid(field::Ips::NotAnAddress));
    }
    if config.segment_items.iter().any(|line| line.cidr.parse::<IpNet>().is_err()) {
        return Err(CommandError::invalid(field::Cidr::NotANetwork));
    }
    Ok(())
}

/// Asks for the price of a configuration. Buys nothing.
pub async fn purchase_price(till: &Till, request: PriceRequest) -> Result<Price, CommandError> {
    let session = till.session().await?;
    let config = &request.config;
    check(config)?;
    let text = serde_json::to_string(config).map_err(|error| CommandError::internal(&error))?;
    let bytes = RawValue::from_string(text).map_err(|error| CommandError::internal(&error))?;
    let asked = Instant::now();
    let answer = session.client.call(client::purchase::quote(&bytes, request.last_version.as_ref())).await?;
    let quote = answer.data;
    let expires_in = quote.lasts(answer.timestamp.unwrap_or_else(wall_clock), session.vendor.zone);
    let intent = PlaceAndPay {
        quote_id: quote.quote_id.clone(),
        quote_version: quote.quote_version.clone(),
        config: bytes,
        amount: quote.amount,
        currency: quote.currency.clone(),
    };
    // The time runs from the request, not from the answer: a slow answer must not make a price last longer.
    // An end that is counted by this computer's clock, because the answer has no time, protects nothing: a clock that is
    // fast makes it seem near. It is only shown.
    let left = expires_in.filter(|_| answer.timestamp.is_some());
    let ends = left.map(|left| asked + Duration::from_millis(left));
    session.remember_price(quote.quote_id.clone(), Priced { intent, ends });
    till.remember_choices(&session, config);
    Ok(Price {
        quote_id: quote.quote_id,
        quote_version: quote.quote_version,
        amount: quote.amount,
        currency: quote.currency,
        expires_in,
        breakdown: breakdown(&quote.region_lines, &quote.order_summary),
    })
}

/// Offers a price for confirmation. It has to have been asked for here, and not be expired.
pub async fn offer_order(till: &Till, quote_id: QuoteId) -> Result<Offered, CommandError> {
    let session = till.session().await?;
    let (intent, ends) = session.price(&quote_id).ok_or_else(CommandError::price_expired)?;
    let (amount, currency) = (intent.amount, intent.currency.clone());
    let offer = session.operations.offer(intent, ends)?;
    session.has_asked(&offer.token);
    Ok(Offered { token: offer.token, quote_id, amount, currency })
}

/// Places and pays the order that a dialog confirmed. Above a limit a system dialog asks first.
pub async fn pay_order(till: &Till, token: String) -> Result<OperationView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    if let Some(intent) = session.operations.offered(&token) {
        crate::moves::within_limits(till, &session, &intent).await?;
    }
    Ok(session.operations.confirm(&token).await?)
}
