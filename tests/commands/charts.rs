//! Charts and tables: drawn from the rows of a view, saved in the host's folder.

use serde_json::json;
use tests::agent::{Agent, code, page};
use till::Code;
use till::charts::{draw_chart, save_chart};
use till::exports::export_table;
use till::usage::usage_state;

#[tokio::test]
async fn a_chart_is_drawn_and_saved_in_the_folder_that_the_host_picks() {
    let agent = Agent::connected().await;
    let rows = json!([
        { "key": "2026-11-17", "name": "", "values": ["1.5"] }, { "key": "2026-11-19", "name": "", "values": ["2"] },
    ]);
    let asked =
        json!({ "unit": "day", "rows": rows, "span": null, "series": 1, "rest": "", "width": 600, "height": 200 });
    let view = draw_chart(&agent.till, page(asked)).await.expect("a chart");
    let figures: Vec<_> = view.rows.iter().map(|row| (row.key.as_str(), row.values[0].to_string())).collect();
    let expected = [("2026-11-17", "1.5"), ("2026-11-18", "0"), ("2026-11-19", "2")];
    assert_eq!(figures, expected.map(|(day, mb)| (day, mb.to_owned())));
    let svg = tests::agent::seen_by_page(&view.drawing)["svg"].clone();
    let path =
        save_chart(&agent.till, page(json!({ "kind": "svg", "name": "use", "svg": svg }))).await.expect("a file");
    assert_eq!(std::path::Path::new(&path), agent.downloads().join("use.svg"));
    assert!(std::fs::read_to_string(&path).expect("a file").contains("<svg"));
    let painted = json!({ "kind": "png", "name": "../../use", "bytes": [137, 80, 78, 71] });
    let path = save_chart(&agent.till, page(painted)).await.expect("a file");
    assert_eq!(std::path::Path::new(&path).parent(), Some(agent.downloads().as_path()), "no name leaves the folder");
    assert_eq!(std::fs::read(&path).expect("a file"), [137, 80, 78, 71]);
}

#[tokio::test]
async fn a_time_that_is_not_over_is_marked() {
    let agent = Agent::connected().await;
    let today = usage_state(&agent.till, ()).await.expect("a state").today;
    let unfinished = async |unit: &str, to: wire::Day| {
        let span = json!([today.plus(-40), to]);
        let asked =
            json!({ "unit": unit, "rows": [], "span": span, "series": 1, "rest": "", "width": 600, "height": 200 });
        draw_chart(&agent.till, page(asked)).await.expect("a chart").unfinished
    };
    for unit in ["day", "week", "month"] {
        assert!(unfinished(unit, today).await, "{unit}");
        assert!(!unfinished(unit, today.plus(-31)).await, "{unit}");
    }
    assert!(!unfinished("day", today.plus(-1)).await);
}

#[tokio::test]
async fn where_nothing_can_be_saved_the_page_hears_it() {
    let agent = Agent::connected().await;
    std::fs::write(agent.downloads(), "not a folder").expect("a file");
    let painted = page(json!({ "kind": "png", "name": "use", "bytes": [1] }));
    assert_eq!(code(save_chart(&agent.till, painted).await), Code::NotSaved);
}

#[tokio::test]
async fn a_table_is_saved_as_it_is_shown_and_no_cell_of_it_is_calculated() {
    let agent = Agent::connected().await;
    let columns = json!([{ "label": "Name", "number": false }, { "label": "GB", "number": true }]);
    let asked = json!({ "name": "left", "kind": "csv", "columns": columns, "rows": [["=1+1", "1.50"], ["ali", "2"]] });
    let path = export_table(&agent.till, page(asked)).await.expect("a file");
    let saved = std::fs::read_to_string(path).expect("a file");
    let lines: Vec<&str> = saved.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], r#""Name","GB""#);
    assert!(lines[1].starts_with("\"'=") && lines[1].ends_with(",1.50"), "{lines:?}");
}
