//! `saver JOURNAL BASE_URL`: the headless core with the keychain of its session. Does what each line says, and tells what
//! came of it. A process of its own, because which keychain answers is in its environment.
//!
//! Lines: `create NAME`, `password SECRET`; of the newest operation `see`, `events` (its newest), `save` (its secrets);
//! of bulks `creations COUNT`, `passwords COUNT`, `generated COUNT`, `gone COUNT` (the last password is gone before its
//! turn comes).

use std::sync::Arc;

use operations::{AccountAccess, AccountChange, BulkState, Intent, OperationError, OperationView, Operations, Secrets};
use tests::accounts::create;
use tests::bulk::plan;
use tests::order::{access_to, at_once};
use tests::service::account;
use tests::{until, wall};
use vault::{Patience, Vault};
use wire::ids::CustomerId;

struct Saver(Operations);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, base_url] = arguments.as_slice() else { panic!("saver JOURNAL BASE_URL") };
    let operations = Operations::open(journal.as_ref(), at_once(0), Arc::new(wall)).expect("a journal");
    let vault = Arc::new(Vault::new("app.proxytill.desktop", Patience::default()));
    let secrets = Secrets::new(vault, "desk", false, false);
    operations.use_account(Some(AccountAccess { secrets, ..access_to(account(base_url), wall) }));
    let saver = Saver(operations);
    for wish in std::io::stdin().lines() {
        let wish = wish.expect("a line");
        let (what, of) = wish.split_once(' ').unwrap_or((&wish, "0"));
        println!("{}", saver.said(what, of).await.unwrap_or_else(|error| error.to_string()));
    }
}

fn words(one: OperationView) -> String {
    format!("{} {}", one.state.word(), one.reason.map_or("-", |reason| reason.word()))
}

impl Saver {
    async fn said(&self, what: &str, of: &str) -> Result<String, OperationError> {
        let count = of.parse().unwrap_or_default();
        match what {
            "create" => self.change(create(of)).await.map(words),
            "password" => self.change(self.password(100_001, Some(of))).await.map(words),
            "see" => Ok(words(self.newest())),
            "events" => {
                Ok(self.newest().events.split_off(3).into_iter().map(|event| event.what).collect::<Vec<_>>().join(" "))
            }
            "save" => self.0.save_secrets(&self.newest().id).await.map(words),
            "creations" => {
                self.many((0..count).map(|number| create(&format!("many{number}@x.com"))).collect(), false).await
            }
            what => {
                let secret = (what != "generated").then_some("many-1-OF");
                let all = (0..count).map(|number| self.password(100_001 + number, secret));
                self.many(all.collect(), what == "gone").await
            }
        }
    }

    fn newest(&self) -> OperationView {
        self.0.list().expect("a journal").remove(0)
    }

    /// One that was typed, or one that is made when its turn comes.
    fn password(&self, customer: usize, secret: Option<&str>) -> AccountChange {
        let reference = Secrets::new_reference();
        if let Some(secret) = secret {
            self.0.secrets().expect("an account").hold(&reference, secret.into());
        }
        let customer_id = CustomerId::new(customer.to_string());
        AccountChange::Password {
            customer_id,
            user_name: format!("{customer}@x.com"),
            reference,
            typed: secret.is_some(),
        }
    }

    async fn change(&self, change: AccountChange) -> Result<OperationView, OperationError> {
        self.0.confirm(&self.0.offer(change, None)?.token).await
    }

    /// Until no row waits, or it is paused: its state, its problem, and what the last row says.
    async fn many(&self, changes: Vec<AccountChange>, is_gone: bool) -> Result<String, OperationError> {
        let last = changes.last().and_then(AccountChange::reference).map(str::to_owned);
        let count = changes.len();
        let token = self.0.offer_bulk(plan(changes.into_iter().map(Intent::from).collect()))?;
        let bulk = self.0.confirm_bulk(&token).await?;
        if let Some(last) = last.filter(|_| is_gone) {
            self.0.secrets()?.forget(&last).await;
        }
        let ended = until("it ends", async || {
            self.0.bulk(&bulk.id).ok().filter(|bulk| bulk.state != BulkState::Running && bulk.counts.under_way == 0)
        });
        let ended = ended.await;
        let row = self.0.bulk_rows(&bulk.id, false, count - 1, 1)?.remove(0);
        let [problem, reason] = [ended.problem, row.reason].map(|word| word.unwrap_or("-".into()));
        Ok(format!("{:?} {problem}, the last {} {reason}", ended.state, row.state))
    }
}
