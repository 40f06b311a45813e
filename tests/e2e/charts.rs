//! Charts by keyboard, as a table, as files; every row of the report, also as files.

use std::path::PathBuf;

use calamine::Reader;
use client::traffic::{RecordType, RecordsQuery};
use fantoccini::key::Key;
use serde_json::Value;
use tests::service;
use tests::window::{Window, testid};

pub(crate) async fn at_usage(options: sandbox::Options) -> (sandbox::Service, Window) {
    let service = service::start_with(options).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.see_state("usage-chart", "ready").await;
    window.see_gone(&testid("usage-progress")).await;
    (service, window)
}

/// The clock stands still, so that the content can be compared.
pub(crate) fn standing() -> sandbox::Options {
    sandbox::Options { speed: 0.0, ..sandbox::Options::default() }
}

/// The file that the window reported as saved.
async fn saved(window: &Window, ending: &str) -> PathBuf {
    tests::until(&format!("a .{ending} file is saved"), async || {
        let said = window.text("toast").await;
        let path = said.split_once(": ").map(|(_, path)| PathBuf::from(path))?;
        (path.extension()? == ending && path.is_file()).then_some(path)
    })
    .await
}

#[tokio::test]
async fn a_chart_is_read_and_a_range_chosen_by_keyboard_alone() {
    let (_service, window) = at_usage(standing()).await;
    let press = async |keys: String| window.type_keys("chart-hand", &keys).await;
    let at = async || window.attribute("chart-tooltip", "data-key").await;
    press(Key::End.to_string()).await;
    let last = at().await;
    press(Key::Left.to_string()).await;
    let before = at().await;
    assert!(before < last, "{before} {last}");
    let said = window.attribute("chart-hand", "aria-valuetext").await;
    assert!(said.contains("Download") && said.contains("GB"), "{said}");
    press(Key::Home.to_string()).await;
    let first = at().await;
    press(format!("{}{}{}", Key::Shift, Key::Right, Key::Right)).await;
    press(Key::Null.to_string()).await;
    let to = at().await;
    press(Key::Enter.to_string()).await;
    let field = async |id: &str| window.value(id).await;
    tests::until("the range is the span", async || {
        (field("usage-from").await == first && field("usage-to").await == to).then_some(())
    })
    .await;
    tests::until("three days are shown", async || {
        let rows = window.run("return document.querySelectorAll('[data-testid=usage-row]').length").await;
        (rows == 3).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_chart_is_a_table_and_three_kinds_of_file() {
    let (_service, window) = at_usage(standing()).await;
    // Today is not over.
    window.see(&testid("chart-unfinished")).await;
    window.press("usage-by-week").await;
    window.press("chart-as-table").await;
    window.see(&testid("chart-row")).await;
    let rows = "return [...document.querySelectorAll('[data-testid=chart-row]')].map(row => [row.dataset.key, ...[...row.querySelectorAll('[data-value]')].map(one => one.dataset.value)])";
    let shown = tests::until("weeks are shown", async || {
        let shown: Vec<Vec<String>> = serde_json::from_value(window.run(rows).await).ok()?;
        ((4..=6).contains(&shown.len())).then_some(shown)
    })
    .await;
    window.press("chart-as-table").await;
    for kind in ["svg", "png", "csv"] {
        window.press("chart-save").await;
        window.press(&format!("chart-save-{kind}")).await;
        let bytes = std::fs::read(saved(&window, kind).await).expect("a file");
        match kind {
            "svg" => {
                let text = String::from_utf8(bytes).expect("text");
                assert!(text.starts_with("<svg") && !text.contains("var(") && text.contains("polyline"), "{text}");
            }
            "png" => assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000, "{} bytes", bytes.len()),
            _ => {
                let text = String::from_utf8(bytes).expect("text");
                let lines: Vec<&str> = text.strip_prefix('\u{feff}').expect("a mark").lines().skip(1).collect();
                let expected: Vec<String> =
                    shown.iter().map(|row| format!("\"{}\",{}", row[0], row[1..].join(","))).collect();
                assert_eq!(lines, expected);
            }
        }
    }
}

#[tokio::test]
async fn who_used_most_is_drawn_with_the_rest_in_one_bar() {
    let (_service, window) = at_usage(standing()).await;
    window.press("usage-by-customer").await;
    let names = async || -> Vec<String> {
        let texts = "return [...document.querySelectorAll('[data-testid=usage-chart] text')].map(one => one.textContent.trim())";
        serde_json::from_value(window.run(texts).await).expect("texts")
    };
    tests::until("the rest has a bar", async || names().await.iter().any(|name| name == "Others").then_some(())).await;
    window.type_keys("chart-hand", &Key::Home.to_string()).await;
    let most = window.attribute("chart-tooltip", "data-key").await;
    assert_eq!(window.attribute("usage-row", "data-key").await, most, "the first bar is the first row");
    window.press("usage-direction-upload").await;
    tests::until("one series is left", async || {
        let legend =
            window.run("return document.querySelectorAll('[data-testid=usage-chart] figcaption li').length").await;
        (legend == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn every_row_is_exported_and_opened_again_with_nothing_lost() {
    let (service, window) = at_usage(standing()).await;
    window.press("usage-last-365").await;
    window.press("usage-by-row").await;
    window.see(&format!("{}[data-state='ready']", testid("usage-rows-table-row"))).await;
    let count: usize = window.attribute("usage-rows-table", "data-count").await.parse().expect("a number");
    // They are too many for the clipboard.
    assert!(count > 10_000 && !window.is_enabled("export-copy").await, "{count}");
    window.press("export-csv").await;
    let csv = std::fs::read_to_string(saved(&window, "csv").await).expect("a file");
    window.press("export-xlsx").await;
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(saved(&window, "xlsx").await).expect("a workbook");
    let sheet = book.worksheet_range_at(0).expect("a sheet").expect("cells");
    let lines: Vec<&str> = csv.strip_prefix('\u{feff}').expect("a mark").lines().collect();
    assert_eq!((lines.len() - 1, sheet.height() - 1), (count, count));
    // Day, customer, name, upload and download in the service's own report: each row, sorted.
    let mut expected: Vec<[String; 5]> = Vec::new();
    let token = &service.world.options.credentials.agent_token;
    let from = window.value("usage-from").await;
    for page in 1.. {
        let url = format!(
            "{}/prod-api/open/dynamic/flowReport?pageSize=2000&pageNum={page}&startDate={from}",
            service.base_url()
        );
        let told: Value = service::http()
            .get(url)
            .header("token", token)
            .send()
            .await
            .expect("an answer")
            .json()
            .await
            .expect("JSON");
        let rows = told["data"]["rows"].as_array().expect("rows");
        let fields = ["reportDate", "userName", "customerId", "uploadFlow", "downloadFlow"];
        expected.extend(rows.iter().map(|row| fields.map(|field| plain(&row[field]))));
        if rows.len() < 2000 {
            break;
        }
    }
    expected.sort();
    let mut reader = csv::Reader::from_reader(csv.strip_prefix('\u{feff}').expect("a mark").as_bytes());
    let cells = |row: csv::StringRecord| [0, 1, 2, 3, 4].map(|at| number(&row[at]));
    let mut written: Vec<[String; 5]> = reader.records().map(|row| cells(row.expect("a row"))).collect();
    written.sort();
    assert!(written == expected, "the CSV is the report");
    let cells = |row: &[calamine::Data]| [0, 1, 2, 3, 4].map(|at| number(&row[at].to_string()));
    let mut written: Vec<[String; 5]> = sheet.rows().skip(1).map(cells).collect();
    written.sort();
    assert!(written == expected, "the workbook is the report");
}

/// Numbers are written in several ways: `5.0`, `5`.
fn number(text: &str) -> String {
    text.parse::<f64>().map_or_else(|_| text.to_owned(), |value| value.to_string())
}

fn plain(value: &Value) -> String {
    number(value.to_string().trim_matches('"'))
}

#[tokio::test]
async fn a_range_of_months_ends_with_the_last_day_of_the_last_one() {
    let (_service, window) = at_usage(standing()).await;
    window.press("usage-last-365").await;
    window.press("usage-by-month").await;
    tests::until("months are shown", async || {
        let key = window.attribute("usage-row", "data-key").await;
        key.ends_with("-01").then_some(())
    })
    .await;
    let press = async |keys: String| window.type_keys("chart-hand", &keys).await;
    press(format!("{}{}", Key::Home, Key::Right)).await;
    let first = window.attribute("chart-tooltip", "data-key").await;
    press(format!("{}{}", Key::Shift, Key::Right)).await;
    press(Key::Null.to_string()).await;
    let last = window.attribute("chart-tooltip", "data-key").await;
    press(Key::Enter.to_string()).await;
    let field = async |id: &str| window.value(id).await;
    tests::until("the range is chosen", async || (field("usage-from").await == first).then_some(())).await;
    let end: wire::Day = field("usage-to").await.parse().expect("a day");
    assert_eq!(end.month_start().to_string(), last);
    assert_eq!(end.plus(1).month_start(), end.plus(1), "the last day of its month");
}

#[tokio::test]
async fn one_customer_is_shown_alone_and_tables_are_sorted() {
    let (_service, window) = at_usage(standing()).await;
    window.press("usage-by-customer").await;
    window.press("sort-name").await;
    // As English orders them, which is not the order of their bytes: "ali5@" before "ali50@".
    let in_order = "const names = [...document.querySelectorAll('[data-testid=usage-row] > :first-child')].map(one => one.textContent);
        const { compare } = new Intl.Collator('en');
        return names.length > 5 && names.every((one, at) => at === 0 || compare(names[at - 1], one) <= 0)";
    tests::until("names are in order", async || (window.run(in_order).await == true).then_some(())).await;
    let count: usize = window.attribute("usage-list", "data-count").await.parse().expect("a number");
    assert!(count > 40, "{count} customers");
    window.press("sort-upload").await;
    let amounts = "return [...document.querySelectorAll('[data-testid=usage-row] > :nth-child(2)')].map(one => Number(one.dataset.value))";
    tests::until("the most sent comes first", async || {
        let amounts: Vec<f64> = serde_json::from_value(window.run(amounts).await).ok()?;
        (amounts.len() > 5 && amounts.is_sorted_by(|one, next| one >= next)).then_some(())
    })
    .await;
    window.press("export-csv").await;
    let csv = std::fs::read_to_string(saved(&window, "csv").await).expect("a file");
    assert_eq!(csv.lines().count() - 1, count, "every customer");
    let first = window.attribute("usage-row", "data-key").await;
    assert!(csv.lines().nth(1).is_some_and(|line| line.contains(&first)), "the order of the table: {csv}");
    window.pick("usage-customer", "100001").await;
    tests::until("one is left", async || {
        let keys = "return [...document.querySelectorAll('[data-testid=usage-row]')].map(one => one.dataset.key)";
        (window.run(keys).await == serde_json::json!(["100001"])).then_some(())
    })
    .await;
}

#[tokio::test]
async fn records_are_saved_whole_and_consumption_and_customers_as_they_are_shown() {
    let (service, window) = at_usage(standing()).await;
    let count = async |row: &str| {
        let script = format!("return document.querySelectorAll('[data-testid={row}]').length");
        window.run(&script).await.as_u64().expect("a number") as usize
    };
    let query = RecordsQuery { page: 1, page_size: 1, account: None, from: None, to: None };
    let records = service::client(&service).call(client::traffic::records_given(RecordType::Recharge, &query)).await;
    let records = records.expect("a page").data.total as usize;
    for (part, row) in [("traffic-part-records", "records-row"), ("traffic-part-consumption", "consumption-row")] {
        window.press(part).await;
        window.see(&testid(row)).await;
        let all = if row == "records-row" { records } else { count(row).await };
        window.press("export-xlsx").await;
        let mut book: calamine::Xlsx<_> = calamine::open_workbook(saved(&window, "xlsx").await).expect("a workbook");
        let sheet = book.worksheet_range_at(0).expect("a sheet").expect("cells");
        assert_eq!(sheet.height() - 1, all, "{part}");
        // Wait, so that the next message is about the next file.
        window.see_gone(".toast.shown").await;
    }
    window.see_customers().await;
    window.fill("customers-search", "100001").await;
    window.press("export-csv").await;
    let csv = std::fs::read_to_string(saved(&window, "csv").await).expect("a file");
    assert_eq!(csv.lines().count(), 2, "only what is found: {csv}");
}

// The service has its own thread: a million rows keep it busy for longer than a step in the window may take.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_millionth_row_is_reached_and_is_the_one_it_should_be() {
    // One row per customer and active day: more than a million in a year.
    let options = sandbox::Options { customers: 3600, ..standing() };
    let service = service::start_with(options).await;
    let window = Window::open().await;
    window.connect_to(&service.base_url()).await;
    window.press("nav-traffic").await;
    window.see_usage_read().await;
    window.press("usage-by-row").await;
    window.press("usage-last-365").await;
    tests::until("a million rows are chosen", async || {
        let count: usize = window.attribute("usage-rows-table", "data-count").await.parse().ok()?;
        (count > 1_000_000).then_some(())
    })
    .await;
    let count: usize = window.attribute("usage-rows-table", "data-count").await.parse().expect("a number");
    // The last row is at the end, the first at the beginning, and the middle one in the middle.
    for (key, wanted) in [(Key::End, count - 1), (Key::Home, 0)] {
        window.type_keys("usage-rows-table", &key.to_string()).await;
        window.see(&format!("{}[data-index='{wanted}'][data-state='ready']", testid("usage-rows-table-row"))).await;
    }
    let millionth = 999_999;
    let scroll = format!(
        "const table = document.querySelector('[data-testid=usage-rows-table]');
         const view = table.clientHeight - 32, real = table.dataset.count * 36;
         table.scrollTop = {millionth} * 36 / (real - view) * (table.scrollHeight - 32 - view)"
    );
    window.run(&scroll).await;
    let row = format!("{}[data-index='{millionth}'][data-state='ready']", testid("usage-rows-table-row"));
    window.see(&row).await;
    let text = window.run(&format!("return document.querySelector(\"{row}\").textContent")).await;
    let shown = text.as_str().expect("text");
    let file = connection_cache(&window);
    let kept = rusqlite::Connection::open(file).expect("the cache");
    let expected: (String, String) = kept
        .query_row(
            "SELECT name, id FROM usage_row JOIN customer ON number = (key >> 16 & 16777215)
             WHERE key >= (SELECT min(key) FROM usage_row) ORDER BY key LIMIT 1 OFFSET ?1",
            [millionth],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .expect("a row");
    assert!(shown.contains(&expected.0) && shown.contains(&expected.1), "{shown}: {expected:?}");
}

fn connection_cache(window: &Window) -> PathBuf {
    let folders = std::fs::read_dir(window.data_dir().join("connections")).expect("a folder");
    let caches = folders.filter_map(|entry| Some(entry.ok()?.path().join("cache.db")));
    caches.into_iter().find(|path| path.is_file()).expect("a cache")
}
