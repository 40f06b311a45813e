//! `caller BASE_URL`: sends every write and some reads once, and prints the outcome of each. A separate process,
//! because the certificates it trusts are set by its environment.

use std::sync::Arc;

use client::money::MoneySender;
use client::{Client, Patience, Request};
use sandbox::THREE_IN_JAPAN;
use secrecy::SecretString;
use serde_json::value::RawValue;
use tests::service::account;
use wire::ids::{CustomerId, QuoteId, QuoteVersion};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let base_url = std::env::args().nth(1).expect("caller BASE_URL");
    let account = Arc::new(account(&base_url));
    let sender = MoneySender::new(account.clone(), Patience::default()).expect("a sender");
    let customer = CustomerId::new("100001");
    let config = RawValue::from_string(THREE_IN_JAPAN.into()).expect("JSON");
    let order = client::purchase::place_and_pay(&QuoteId::new("quote"), &QuoteVersion::new("1"), &config, "key-1");
    tell("order", sender.send::<wire::purchase::PlacedOrder>(&order).await);
    let password = client::customers::set_password(&customer, "reference");
    let writes: [(&str, Request); 4] = [
        ("recharge", client::traffic::recharge(&customer, "order-1", "1")),
        ("deduction", client::traffic::deduct(&customer, "1")),
        ("password", password),
        ("status", client::customers::set_status(&customer, 1)),
    ];
    let secret = SecretString::from("canary-password");
    for (name, request) in writes {
        tell(name, sender.write(&request, request.secret.as_ref().map(|_| &secret)).await);
    }
    tell("create", sender.create(&client::customers::create("one@x.com")).await.0);
    let client = Client::new(account, Patience::default()).expect("a client");
    tell("continents", client.call(client::locations::continents()).await);
    tell("totals", client.call(client::traffic::totals()).await);
}

fn tell<T>(name: &str, said: Result<T, client::Error>) {
    println!("{name} {}", said.map_or_else(|error| format!("{error:?}"), |_| "done".to_owned()));
}
