//! `teller JOURNAL BASE_URL LIFE [CONFIG]`: see `tests::teller`.

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, base_url, life, config @ ..] = arguments.as_slice() else {
        panic!("teller JOURNAL BASE_URL LIFE [CONFIG]")
    };
    let config = config.first().map_or(sandbox::THREE_IN_JAPAN, String::as_str);
    tests::teller::serve(journal.as_ref(), base_url, life.parse().expect("a number"), config).await;
}
