//! `keeper SECONDS`: makes the keychain request of each input line, and prints when it starts and the outcome. A
//! separate process, because its environment sets which keychain answers. It waits this many seconds for an answer.
//!
//! Lines: `look`, `expect` (an entry that was saved), `save=BYTES`, `read=BYTES`, `remove`, `late` (calls that have
//! not come back).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use secrecy::ExposeSecret;
use tests::keychain::{ACCOUNT, SERVICE};
use vault::{KeychainState, Patience, Vault};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let seconds = std::env::args().nth(1).and_then(|seconds| seconds.parse().ok()).expect("keeper SECONDS");
    let limit = Duration::from_secs(seconds);
    let vault = Vault::new(SERVICE, Patience { look: limit, prompt: limit });
    // As in the window, everything else goes on while the keychain is asked.
    let ticks = Arc::new(AtomicUsize::new(0));
    let ticking = ticks.clone();
    tokio::spawn(async move {
        let mut each = tokio::time::interval(Duration::from_millis(50));
        // Missed ticks must not count as progress.
        each.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            each.tick().await;
            ticking.fetch_add(1, Ordering::Relaxed);
        }
    });
    for wish in std::io::stdin().lines() {
        let wish = wish.expect("a line");
        println!("asking");
        let before = ticks.load(Ordering::Relaxed);
        let said = tokio::time::timeout(limit * 2, said(&vault, &wish)).await.unwrap_or_else(|_| "late".into());
        let stood_still = said == "not-answering" && ticks.load(Ordering::Relaxed) < before + 10;
        println!("{wish} {}", if stood_still { "frozen" } else { &said });
    }
}

async fn said(vault: &Vault, wish: &str) -> String {
    let (what, bytes) = wish.split_once('=').unwrap_or((wish, "0"));
    let secret = "secret ".repeat(bytes.parse::<usize>().expect("a number").div_ceil(7));
    let state = match what {
        "look" => vault.state(None).await,
        "expect" => vault.state(Some(ACCOUNT)).await,
        "save" => vault.save(ACCOUNT, secret.into()).await.map_or_else(|state| state, |()| KeychainState::Available),
        "remove" => vault.remove(ACCOUNT).await.map_or_else(|state| state, |()| KeychainState::Available),
        "late" => return vault.under_way().to_string(),
        "read" => match vault.read(ACCOUNT).await {
            Ok(Some(kept)) if kept.expose_secret() == secret => KeychainState::Available,
            Ok(Some(_)) => return "another secret".into(),
            Ok(None) => return "nothing".into(),
            Err(state) => state,
        },
        other => panic!("{other} is no wish"),
    };
    serde_json::to_value(state).expect("JSON").as_str().expect("a word").to_owned()
}
