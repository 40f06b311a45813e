//! The program's own client with the second service: whatever legal shape an answer has, it is read completely and to
//! the last digit.

use client::customers::ListQuery;
use client::traffic::{RecordType, RecordsQuery};
use client::usage::ReportQuery;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use tests::foreign::Foreign;
use vendor::{Actor, Choices, Command, DeductionRows, Entry, FOUR_IN_JAPAN, UseRows, What};
use wire::inventory::InventoryQuery;
use wire::locations::{CitiesQuery, CountriesQuery, StatesQuery};

/// Starts each preset, with six seconds between requests and no usage meanwhile, so that reads can be compared.
async fn each() -> Vec<(&'static str, Foreign)> {
    let mut all = Vec::new();
    for name in Choices::NAMES {
        let mut choices = Choices::named(name).expect("a preset");
        choices.manners.live_use = None;
        let clock = vendor::stepping_clock(choices.start.founded_ms + 6 * 86_400_000, 6_000);
        all.push((name, Foreign::new(choices, clock).await));
    }
    all
}

#[tokio::test]
async fn the_places_and_the_stock_are_read_whole() {
    for (name, service) in each().await {
        assert_eq!(service.read(client::locations::continents).await.len(), 3, "{name}");
        let countries = service.read(|| client::locations::countries(&CountriesQuery::default())).await;
        assert_eq!((countries.len(), countries[0].country_id.as_str()), (5, "9200000000000000011"), "{name}");
        let states = service.read(|| client::locations::states(&StatesQuery::default())).await;
        assert_eq!((states.len(), states[2].name_en.as_str()), (3, "Ontario"), "{name}");
        let cities = service.read(|| client::locations::cities(&CitiesQuery::default())).await;
        let city = &cities[4];
        let told = (city.city_id.as_str(), city.name_en.as_str(), city.name_zh.as_str(), city.state_id.as_str());
        assert_eq!(told, ("9400000000000000035", "San José", "圣何塞", "9300000000000000021"), "{name}");
        assert!(cities.len() == 9 && cities[0].state_id.as_str().is_empty(), "{name}: {:?}", cities[0]);
        let stock = service.read(|| client::inventory::countries(&InventoryQuery::default())).await;
        assert_eq!((stock.len(), stock[2].available, stock[2].cities.len()), (5, Some(51), 3), "{name}");
    }
}

#[tokio::test]
async fn the_options_and_a_price_are_read_whole() {
    for (name, service) in each().await {
        let options = service.read(client::purchase::options).await;
        let of = |choices: &wire::choice::Choices| {
            assert!(choices.unread.is_empty(), "{name}: {:?}", choices.unread);
            choices.known.iter().map(|choice| choice.value.clone()).collect::<Vec<_>>()
        };
        assert_eq!(of(&options.exclusivity), ["1", "2"], "{name}");
        assert_eq!(of(&options.quality), ["basic", "standard", "premium"], "{name}");
        let udp: Vec<bool> = options.udp.offered.iter().map(|choice| choice.on).collect();
        assert_eq!((udp, options.udp.unread), (vec![true, false], Vec::new()), "{name}");
        assert_eq!(of(&options.bandwidth), ["0", "5", "20", "80"], "{name}");
        assert_eq!(of(&options.conn_limit), ["64", "256", "1024"], "{name}");
        assert_eq!(of(&options.duration), ["7", "30", "90", "365"], "{name}");
        let groups = of(&options.business).len();
        let below = options.business.known.iter().map(|group| group.children.len()).sum::<usize>();
        assert_eq!((groups, below), (3, 7), "{name}");
        let config = RawValue::from_string(FOUR_IN_JAPAN.into()).expect("JSON");
        let price = service.read(|| client::purchase::quote(&config, None)).await;
        assert_eq!(price.amount.value().normalize().to_string(), "5.64", "{name}");
        let ends = price.expires_at.and_then(|at| at.millis(service.vendor.choices().writing.zone_hours * 60));
        let stands = ends.expect("a moment") - service.vendor.seen().last().expect("a request").at_ms;
        assert!((299_000..=300_000).contains(&stands), "{name}: {stands} ms");
    }
}

#[tokio::test]
async fn an_order_is_read_with_its_addresses() {
    for (name, service) in each().await {
        let config = RawValue::from_string(FOUR_IN_JAPAN.into()).expect("JSON");
        let price = service.read(|| client::purchase::quote(&config, None)).await;
        let now = service.vendor.seen().last().expect("a request").at_ms;
        let command = Command::Order { quote: price.quote_id.as_str().into(), key: None };
        service.vendor.act(&Actor::colleague(), &command, now).expect("an order");
        service.vendor.settle(now + 90_000);
        let order = service.vendor.orders().remove(0);
        let number = wire::ids::OrderNo::new(order.no);
        let detail = service.read(|| client::orders::detail(&number)).await;
        assert_eq!((detail.purchase_ip_count, detail.deliver_ip_count), (Some(4), Some(4)), "{name}");
        assert_eq!(detail.amount.map(|amount| amount.value()), Some(order.amount), "{name}");
        let words = service.vendor.choices().writing.status_words;
        let status = detail.status.clone().expect("a status").0;
        assert_eq!(status, if words { "COMPLETED" } else { "20" }, "{name}");
        let proxies = detail.proxies();
        assert_eq!(
            (proxies.len(), proxies[1].port, proxies[1].password.as_str()),
            (4, 20_001, &*format!("P:20001/{}", order.id)),
            "{name}"
        );
    }
}

#[tokio::test]
async fn every_customer_is_read_to_the_last_digit() {
    for (name, service) in each().await {
        let largest = service.vendor.choices().lists.largest_page as usize;
        let first = service.read(|| client::customers::list(&ListQuery::default())).await;
        assert_eq!((first.total, first.rows.len()), (13, largest.min(13)), "{name}");
        for known in service.vendor.customers() {
            let query = ListQuery { user_name: Some(known.name.clone()), ..ListQuery::default() };
            let row = service.read(|| client::customers::list(&query)).await.rows.remove(0);
            assert_eq!((row.customer_id.as_str(), &row.user_name), (&*known.id.to_string(), &known.name), "{name}");
            assert_eq!(row.traffic_count.map(|mb| mb.value()), Some(known.recharged), "{name}");
            assert_eq!(row.residual_flow.map(|mb| mb.value()), Some(known.residual()), "{name}");
        }
    }
}

#[tokio::test]
async fn every_record_is_read_to_the_last_digit() {
    for (name, service) in each().await {
        let choices = service.vendor.choices();
        for (kind, truth) in [(RecordType::Recharge, recharges as fn(&Entry) -> _), (RecordType::Consumption, used)] {
            let (mut sum, mut count, mut page) = (Decimal::ZERO, 0, 1);
            loop {
                let query = RecordsQuery { page, ..RecordsQuery::default() };
                let answer = service.read(|| client::traffic::records_given(kind, &query)).await;
                assert!(answer.rows.iter().all(|row| !row.create_time.is_empty() && !row.account.is_empty()), "{name}");
                sum += answer.rows.iter().map(|row| row.count.value()).sum::<Decimal>();
                count += answer.rows.len() as i64;
                page += 1;
                if count >= answer.total {
                    break;
                }
            }
            let shown = kind == RecordType::Recharge || choices.lists.use_rows != UseRows::None;
            let ledger = service.vendor.ledger();
            let expected = ledger.iter().filter_map(truth).sum::<Decimal>();
            assert_eq!(sum, if shown { expected } else { Decimal::ZERO }, "{name} {kind:?}");
            assert!(choices.lists.deductions == DeductionRows::Consumption);
        }
        let received = service.read(|| client::traffic::records_received(&RecordsQuery::default())).await;
        assert_eq!((received.total, received.rows[0].create_by.as_str()), (1, "admin"), "{name}");
    }
}

#[tokio::test]
async fn totals_consumption_and_reports_are_read_to_the_last_digit() {
    for (name, service) in each().await {
        let ledger = service.vendor.ledger();
        let given = ledger.iter().filter_map(recharges).sum::<Decimal>();
        let used = -ledger.iter().filter_map(used).sum::<Decimal>();
        let totals = service.read(client::traffic::totals).await;
        let own = totals.primary.expect("an account");
        assert_eq!(own.consumed.map(|mb| mb.value()), Some(given), "{name}");
        assert_eq!(own.left, own.recharged.map(|mb| wire::Amount::new(mb.value() - given)), "{name}");
        assert!(totals.secondary.is_some(), "{name}");
        let days = service.read(|| client::traffic::consumption(None, None)).await;
        let sum = days.iter().map(|day| day.upload.value() + day.download.value()).sum::<Decimal>();
        assert_eq!((days.len(), sum), (4, used), "{name}");
        let days = service.read(|| client::traffic::nni_consumption(None, None)).await;
        assert_eq!(days.iter().map(|day| day.flow.value()).sum::<Decimal>(), used, "{name}");
        let report = service.read(|| client::usage::report(&ReportQuery::default())).await;
        assert_eq!((report.total, report.rows.len()), (52, 52), "{name}");
        let sum =
            report.rows.iter().map(|row| row.upload.amount().value() + row.download.amount().value()).sum::<Decimal>();
        assert_eq!(sum, used, "{name}");
    }
}

fn recharges(entry: &Entry) -> Option<Decimal> {
    match &entry.what {
        What::Recharged { mb, .. } => Some(*mb),
        _ => None,
    }
}

fn used(entry: &Entry) -> Option<Decimal> {
    match &entry.what {
        What::Used { up, down, .. } => Some(-(up + down)),
        _ => None,
    }
}
