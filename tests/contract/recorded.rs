//! Answers taken from the contract and the field notes, not made by the practice service: ids as numbers, exponents,
//! unknown values, missing and extra fields.

use serde::de::DeserializeOwned;
use wire::breakdown::breakdown;
use wire::customers::{Customer, Page};
use wire::ids::OrderNo;
use wire::inventory::CountryStock;
use wire::locations::{City, Continent};
use wire::orders::{OrderDetail, OrderStatus};
use wire::parts::Part;
use wire::purchase::{PlacedOrder, PurchaseOptions, Quote};
use wire::traffic::{ConsumptionDay, NniDay, TrafficRecord, TrafficTotals};
use wire::usage::UsageRow;
use wire::{Answer, ReadError};

fn recorded(name: &str) -> Vec<u8> {
    std::fs::read(tests::root().join("tests/fixtures").join(name)).expect("a recorded answer")
}

fn static_area<T: DeserializeOwned>(name: &str) -> Answer<T> {
    wire::read_static(200, &recorded(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn ids_are_read_as_text_or_number_without_losing_a_digit() {
    let continents = static_area::<Vec<Continent>>("continents.json").data;
    assert_eq!(continents[1].continent_id.as_str(), "2059463641505337345");
    let answer = static_area::<Vec<City>>("cities.json");
    assert_eq!((answer.timestamp, answer.trace_id), (Some(1_783_934_661_982), None));
    assert_eq!((answer.data[0].city_id.as_str(), answer.data[0].state_id.as_str()), ("2059463641505337345", ""));
    assert_eq!((answer.data[0].name_zh.as_str(), answer.data[1].state_name_en.as_str()), ("", "California"));
}

#[test]
fn options_of_mixed_shapes_are_all_read() {
    let options = static_area::<PurchaseOptions>("options.json").data;
    let counts = [&options.exclusivity, &options.quality, &options.bandwidth, &options.conn_limit, &options.duration]
        .map(|choices| (choices.known.len(), choices.unread.len()));
    assert_eq!(counts, [(2, 0), (2, 0), (2, 0), (0, 0), (2, 0)]);
    assert_eq!(options.udp.offered.iter().map(|one| one.on).collect::<Vec<_>>(), [false, true]);
    assert!(!options.business.known.is_empty());
}

#[test]
fn a_price_keeps_its_exact_amount() {
    let quote = static_area::<Quote>("quote.json").data;
    assert_eq!((quote.quote_id.as_str(), quote.quote_version.as_str()), ("2059463641505337345", "3"));
    assert_eq!(quote.amount, "1200".parse().expect("an amount"));
    assert!(quote.expires_at.is_some());
}

#[test]
fn an_order_with_a_status_nobody_knows_is_still_an_order() {
    let placed = static_area::<PlacedOrder>("placed.json").data;
    assert_eq!((placed.order_no.as_str(), placed.deliver_ip_count), ("SO2059463641505337345", Some(3)));
    assert_eq!(placed.status, Some(OrderStatus("77".into())));
    assert_eq!(placed.amount, "8.55".parse().ok());
}

#[test]
fn an_order_in_words_and_without_amounts_still_delivers_what_was_paid() {
    let placed = static_area::<PlacedOrder>("placed-in-words.json").data;
    assert_eq!((placed.status, placed.amount), (Some(OrderStatus("COMPLETED".into())), None));
    let detail = static_area::<OrderDetail>("order-in-words.json").data;
    assert_eq!((detail.status.clone(), detail.amount), (Some(OrderStatus("COMPLETED".into())), None));
    assert_eq!(detail.proxies().len(), 1);
}

#[test]
fn proxies_are_found_in_details_of_another_shape() {
    let proxies = static_area::<OrderDetail>("order.json").data.proxies();
    assert_eq!(proxies.len(), 2);
    assert_eq!((proxies[0].host.as_str(), proxies[0].port, proxies[0].password.as_str()), ("2001:db8::1", 1080, "p:1"));
}

/// Everything in parts that a person sees.
fn seen(parts: &[Part]) -> String {
    let amount = |amount: Option<wire::Amount>| amount.map(|amount| amount.to_string()).unwrap_or_default();
    let part = |part: &Part| {
        let facts: Vec<String> = part.facts.iter().map(|fact| format!("{}={}", fact.key, fact.value)).collect();
        let own = [part.key.clone(), part.name_en.clone(), amount(part.quantity), amount(part.amount), facts.join(" ")];
        let own: Vec<String> = own.into_iter().filter(|one| !one.is_empty()).collect();
        let below = if part.parts.is_empty() { String::new() } else { format!(" [{}]", seen(&part.parts)) };
        own.join(" ") + &below
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" | ")
}

#[test]
fn an_order_without_its_number_tells_everything_of_its_goods() {
    let asked = OrderNo::new("SO2059463641505337345");
    let order = static_area::<OrderDetail>("order-without-number.json").data.asked_by(&asked);
    assert_eq!((&order.order_no, order.amount), (&asked, "12".parse().ok()));
    let told = order.particulars();
    assert_eq!((told.product_name.as_str(), told.discount_amount), ("静态住宅 IP", "0.6".parse().ok()));
    assert_eq!((told.create_time.as_str(), told.pay_time.as_str()), ("2026-07-13 17:24:21", "1783934675000"));
    let specification = "日本 · 东京 lineType=premium days=30 bandwidthLimit=0 businessName=电商 unitPrice=0.1 countryCode=JP \
                         expireTime=1786526661000 proxyType=socks5 | serviceLevel=gold";
    assert_eq!(seen(&told.specification), specification);
    assert_eq!(seen(&told.refund), "refundAmount=1.5 reason=one IP replaced account=••••••••");
    let [japan, germany] = told.proxies.as_slice() else { panic!("two proxies") };
    assert_eq!((japan.about.country_zh.as_str(), japan.about.country_code.as_str()), ("日本", "JP"));
    assert_eq!((japan.about.city_zh.as_str(), japan.about.expires.as_str()), ("东京", "1786526661000"));
    assert_eq!((japan.protocol.as_str(), japan.about.other[0].value.as_str()), ("socks5", "2059463641505337345"));
    assert_eq!((germany.about.country_en.as_str(), germany.about.country_code.as_str()), ("Germany", ""));
    assert_eq!((germany.about.city_en.as_str(), germany.about.expires.as_str()), ("Berlin", "soon"));
    assert_eq!((germany.host.as_str(), germany.protocol.as_str()), ("2001:db8::7", "http"));
}

#[test]
fn proxies_in_lines_of_a_text_are_proxies_and_nothing_of_them_is_kept_in_the_open() {
    for name in ["order-of-lines.json", "order-without-number.json"] {
        let order = static_area::<OrderDetail>(name).data;
        assert!(order.proxies().iter().all(|proxy| proxy.password.starts_with("hunter2")), "{name}");
        let kept = serde_json::to_string(&order.particulars()).expect("JSON");
        assert!(!kept.contains("hunter2") && !kept.contains("\"px"), "{kept}");
    }
    let order = static_area::<OrderDetail>("order-of-lines.json").data;
    let told = order.particulars();
    let proxies: Vec<_> = told.proxies.iter().map(|one| (one.host.as_str(), one.about.country_en.as_str())).collect();
    assert_eq!(proxies, [("203.0.113.8", "Japan"), ("203.0.113.9", "Japan")]);
    assert_eq!(seen(&told.specification), "Japan expire=2026-08-12 note=made by hand");
    assert_eq!(seen(&told.refund), "=none");
}

#[test]
fn what_a_price_is_made_of_is_shown_in_any_shape() {
    let made_of = |name: &str| {
        let quote = static_area::<Quote>(name).data;
        let read = breakdown(&quote.region_lines, &quote.order_summary);
        (seen(&read.lines), seen(&read.summary))
    };
    let both = |lines: &str, summary: &str| (lines.to_owned(), summary.to_owned());
    assert_eq!(made_of("quote.json"), both("JP 3", "durationDiscount=0.95"));
    assert_eq!(made_of("quote-in-words.json"), both("Japan x 3 | 12345678901234567890.10", "=5 % off"));
    let lines = "fee=0 [JP Japan · Tokyo 3 9 unit_price=0.1 tags=a, b]";
    let summary = "originalAmount=9 [durationDiscount -0.45 days=30 rate=0.95 | loyalty [tier gold since=2024]]";
    assert_eq!(made_of("quote-in-groups.json"), both(lines, summary));
}

#[test]
fn stock_that_is_not_told_is_not_zero() {
    let stock = static_area::<Vec<CountryStock>>("stock.json").data;
    assert_eq!((stock[0].available, stock[0].cities[0].available), (None, Some(412)));
    assert_eq!((stock[1].available, stock[1].cities.len()), (Some(7), 0));
}

#[test]
fn a_refusal_keeps_code_message_and_trace() {
    let Err(ReadError::Refused(refusal)) = wire::read_static::<PlacedOrder>(200, &recorded("refused.json")) else {
        panic!("it was refused");
    };
    assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("60004", "余额不足"));
    assert!(refusal.trace_id.is_some_and(|id| id.ends_with("02")));
}

#[test]
fn customers_keep_their_exact_traffic_and_a_null_list_is_a_refused_token() {
    let page = wire::read_agent::<Page<Customer>>(200, &recorded("customers.json")).expect("a page").data;
    assert_eq!(page.rows[0].residual_flow.map(|mb| mb.to_string()).as_deref(), Some("205587097.6"));
    assert_eq!(page.rows[1].traffic_count, "12000000".parse().ok());
    assert_eq!(page.rows[1].customer_id.as_str(), "2059463641505337345");
    let refused = wire::read_agent::<Page<Customer>>(200, &recorded("agent-refused.json"));
    assert!(matches!(refused, Err(ReadError::NotAuthenticated(_))));
}

fn agent_area<T: serde::de::DeserializeOwned>(file: &str) -> T {
    wire::read_agent(200, &recorded(file)).unwrap_or_else(|error| panic!("{file}: {error}")).data
}

#[test]
fn totals_come_with_a_doubled_key_and_with_exponents() {
    let totals: TrafficTotals = agent_area("traffic-totals.json");
    let (primary, secondary) = (totals.primary.expect("told"), totals.secondary.expect("told"));
    assert_eq!(primary.recharged, "512000000".parse().ok());
    assert_eq!(primary.left, "205587097.6".parse().ok());
    assert_eq!((secondary.consumed, secondary.left), ("0".parse().ok(), "5242880".parse().ok()));
}

#[test]
fn records_keep_sign_amount_and_the_vendors_words() {
    let page: Page<TrafficRecord> = agent_area("traffic-records.json");
    assert_eq!((page.total, page.rows[0].count.to_string().as_str()), (2, "5242880"));
    assert_eq!((page.rows[1].count.to_string().as_str(), page.rows[1].kind.as_str()), ("-12000000", "消耗"));
    assert_eq!((page.rows[1].customer_id.as_str(), page.rows[1].create_by.as_str()), ("10087", ""));
    assert_eq!(page.rows[0].create_time, "2025-12-01 10:20:30");
}

#[test]
fn rows_of_the_report_are_exact_in_every_form_that_occurs() {
    let page: Page<UsageRow> = agent_area("usage-report.json");
    let row = |at: usize| {
        let row = &page.rows[at];
        (row.report_date.to_string(), row.customer_id.to_string(), row.upload.to_string(), row.download.to_string())
    };
    let told = |day: &str, id: &str, up: &str, down: &str| (day.into(), id.into(), up.into(), down.into());
    assert_eq!(page.total, 3);
    assert_eq!(row(0), told("2025-12-25", "10086", "596.9", "57500.89"));
    assert_eq!(row(1), told("2025-12-25", "10086", "0", "12500000"));
    assert_eq!(row(2), told("2025-12-24", "2059463641505337345", "0.1234567", "0.000001"));
}

#[test]
fn consumption_keeps_a_date_of_another_form_as_it_came() {
    let days: Vec<ConsumptionDay> = agent_area("consumption.json");
    assert_eq!((days[0].download.to_string().as_str(), days[1].date.as_str()), ("10000000", "25/12/2025"));
    let nni: Vec<NniDay> = agent_area("nni-consumption.json");
    assert_eq!((nni[0].date.as_str(), nni[0].flow.to_string().as_str()), ("2025-12-25", "3.75"));
}
