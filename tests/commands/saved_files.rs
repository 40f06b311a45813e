//! The list of saved files: what was saved, and that nothing else is ever opened.

use serde_json::json;
use tests::agent::{Agent, code, page};
use till::Code;
use till::exports::export_table;
use till::saved_files::{SavedKind, open_saved, saved_files, show_saved};

async fn save(agent: &Agent, name: &str) -> String {
    let column = json!({"label": "Day", "number": false});
    let asked = json!({"name": name, "kind": "csv", "columns": [column], "rows": [["a"]]});
    export_table(&agent.till, page(asked)).await.expect("a file")
}

#[tokio::test]
async fn saved_files_are_listed_newest_first_after_a_start_and_opened_by_their_number() {
    let mut agent = Agent::new().await;
    let paths = [save(&agent, "first").await, save(&agent, "second").await];
    agent.start_again();
    let files = saved_files(&agent.till, ()).await.expect("a list");
    let names: Vec<_> = files.iter().map(|one| (one.name.as_str(), one.kind, one.gone)).collect();
    assert_eq!(names, [("second.csv", SavedKind::Table, false), ("first.csv", SavedKind::Table, false)]);
    assert_eq!(files[0].folder, agent.downloads().to_string_lossy());
    open_saved(&agent.till, files[1].number).await.expect("it is opened");
    show_saved(&agent.till, files[0].number).await.expect("it is shown");
    let [first, second] = paths.map(std::path::PathBuf::from);
    assert_eq!(agent.host.opened(), [("open", first), ("show", second)]);
}

#[tokio::test]
async fn a_file_that_is_gone_is_called_so_and_nothing_is_opened() {
    let agent = Agent::new().await;
    std::fs::remove_file(save(&agent, "first").await).expect("it is there");
    let files = saved_files(&agent.till, ()).await.expect("a list");
    assert!(files[0].gone);
    for number in [files[0].number, files[0].number + 7] {
        assert_eq!(code(open_saved(&agent.till, number).await), Code::FileGone);
        assert_eq!(code(show_saved(&agent.till, number).await), Code::FileGone);
    }
    assert!(agent.host.opened().is_empty());
    // The name is free again, and the list has one entry for it.
    save(&agent, "first").await;
    let files = saved_files(&agent.till, ()).await.expect("a list");
    assert_eq!((files.len(), files[0].gone), (1, false));
}

#[tokio::test]
async fn the_list_holds_the_newest_fifty() {
    let agent = Agent::new().await;
    for _ in 0..52 {
        save(&agent, "table").await;
    }
    let files = saved_files(&agent.till, ()).await.expect("a list");
    assert_eq!((files.len(), files[0].name.as_str()), (50, "table (52).csv"));
}
