//! `teller JOURNAL BASE_URL LIFE`: see `tests::teller`.

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, base_url, life] = arguments.as_slice() else { panic!("teller JOURNAL BASE_URL LIFE") };
    tests::teller::serve(journal.as_ref(), base_url, life.parse().expect("a number")).await;
}
