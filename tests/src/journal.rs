//! An order ready to be confirmed, for tests of operations without a window.

use std::sync::Arc;
use std::time::Duration;

use client::Patience;
use client::money::MoneySender;
use operations::{Operations, PlaceAndPay, Schedule};
use sandbox::Service;
use serde_json::value::RawValue;

use crate::service::{account, client};

/// A config for three IPs in Japan: 8.55 USD.
pub const CONFIG: &str = r#"{"sellMode":1,"lineType":"basic","businessId":"1001","isUdp":false,"bandwidthLimit":10,"connLimit":100,"days":30,"allocateStrategy":1,"purchaseIpCount":3,"quotaItems":[{"type":"country_random","quantity":3,"countryCode":"JP"}]}"#;

/// A schedule that does not wait.
pub fn at_once(repeats: usize) -> Schedule {
    Schedule { repeats: vec![Duration::from_millis(30); repeats], apart: Duration::ZERO }
}

/// Prices [`CONFIG`].
pub async fn priced(service: &Service) -> PlaceAndPay {
    let config = RawValue::from_string(CONFIG.into()).expect("JSON");
    let quote = client(service).call(client::purchase::quote(&config, None)).await.expect("a price").data;
    PlaceAndPay {
        quote_id: quote.quote_id,
        quote_version: quote.quote_version,
        config,
        amount: quote.amount,
        currency: quote.currency,
    }
}

/// Operations on a journal file, sending to the service.
pub fn operations(file: &std::path::Path, service: &Service, schedule: Schedule) -> Operations {
    let wall =
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis() as i64;
    let operations = Operations::open(file, schedule, Arc::new(wall)).expect("a journal");
    let patience = Patience { total: Duration::from_secs(2), ..Patience::default() };
    let sender = MoneySender::new(Arc::new(account(&service.base_url())), patience).expect("a sender");
    operations.use_sender(Some(sender));
    operations
}
