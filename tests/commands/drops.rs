//! Files dropped on the window: read by the program alone, and refused with a word.

use std::path::PathBuf;

use serde_json::{Value, json};
use tests::agent::{Agent, code, field, page, wrong};
use till::Code;
use till::bulk_draft::draft_bulk;

fn dropped(kind: &str, number: usize) -> Value {
    json!({ "kind": kind, "active": false, "source": { "from": "dropped", "number": number } })
}

/// Writes a file beside the data folder.
fn file(agent: &Agent, name: &str, content: &[u8]) -> PathBuf {
    let path = agent.data(name);
    std::fs::write(&path, content).expect("a file");
    path
}

/// What the page was told last: the name, and why the file is not read.
fn told(agent: &Agent) -> (String, Option<String>) {
    let (name, payload) = agent.host.events().pop().expect("an event");
    assert_eq!(name, "file-dropped");
    let why = payload["problem"]["about"]["why"].as_str().map(str::to_owned);
    (payload["name"].as_str().expect("a name").to_owned(), why)
}

#[tokio::test]
async fn a_dropped_list_becomes_a_draft_in_whatever_encoding_it_was_saved() {
    let agent = Agent::connected().await;
    let gb18030 = [b"\xbf\xcd\xbb\xa7,\xc1\xf7\xc1\xbf(GB)\n".as_slice(), b"100001,2\n"].concat();
    for (number, (name, content)) in [
        ("list.txt", b"100001 2g\n".to_vec()),
        ("list.CSV", b"\xef\xbb\xbfcustomer,GB\n100001,2\n".to_vec()),
        ("list.tsv", b"100001\t2 GB\n".to_vec()),
        ("\u{540d}\u{5355}.csv", gb18030),
    ]
    .into_iter()
    .enumerate()
    {
        agent.till.drop_files(vec![file(&agent, name, &content)]).await;
        assert_eq!(told(&agent), (name.to_owned(), None));
        let totals = draft_bulk(&agent.till, page(dropped("recharge", number + 1))).await.expect("a draft");
        assert_eq!((totals.good, totals.gb.to_string().as_str()), (1, "2"), "{name}");
    }
    // It can be drafted again, for another action.
    let totals = draft_bulk(&agent.till, page(dropped("deduction", 4))).await.expect("a draft");
    assert_eq!(totals.good, 1);
    let earlier = draft_bulk(&agent.till, page(dropped("recharge", 3))).await;
    assert_eq!(code(earlier), Code::Changed, "the program holds the last one alone");
    assert!(agent.moved().is_empty(), "a draft sends nothing");
}

#[tokio::test]
async fn what_is_no_list_is_refused_with_a_word_and_leaves_nothing_to_draft() {
    let agent = Agent::connected().await;
    let big = vec![b'a'; 16 * 1024 * 1024 + 1];
    let good = file(&agent, "good.txt", b"100001 2g\n");
    for (number, (paths, why)) in [
        (vec![file(&agent, "empty.txt", b"")], "empty"),
        (vec![file(&agent, "big.csv", &big)], "too-large"),
        (vec![file(&agent, "picture.png", b"\x89PNG")], "wrong-kind"),
        (vec![file(&agent, "none", b"100001 2g")], "wrong-kind"),
        (vec![agent.data("connections")], "wrong-kind"),
        (vec![agent.data("gone.txt")], "unreadable"),
        (vec![good.clone(), good.clone()], "several"),
    ]
    .into_iter()
    .enumerate()
    {
        agent.till.drop_files(paths).await;
        assert_eq!(told(&agent).1.as_deref(), Some(why));
        let refused = draft_bulk(&agent.till, page(dropped("recharge", number + 1))).await;
        assert_eq!(field(refused), wrong("bulk-file", "unreadable"), "{why}");
    }
}

#[tokio::test]
async fn the_page_is_told_while_files_are_dragged() {
    let agent = Agent::connected().await;
    agent.till.drag_files(true);
    agent.till.drag_files(false);
    let dragged: Vec<Value> =
        agent.host.events().into_iter().filter(|(name, _)| name == "file-dragged").map(|(_, over)| over).collect();
    assert_eq!(dragged, [json!(true), json!(false)]);
}
