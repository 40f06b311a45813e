//! `shopper JOURNAL BASE_URL SEED ORDERS`: see `tests::shopper`.

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, base_url, seed, orders] = arguments.as_slice() else {
        panic!("shopper JOURNAL BASE_URL SEED ORDERS")
    };
    let [seed, orders] = [seed, orders].map(|number| number.parse().expect("a number"));
    tests::shopper::serve(journal.as_ref(), base_url, seed, orders).await;
}
