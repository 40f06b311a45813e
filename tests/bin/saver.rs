//! `saver JOURNAL BASE_URL [practice | anchored]`: the headless core with the keychain of its session. Carries out
//! each input line, and prints the outcome. A separate process, because its environment sets which keychain answers.
//!
//! Lines: `create NAME`, `password SECRET`; for the newest operation `see`, `events` (its newest), `save` and
//! `forget` (its secrets); `adopt`; for bulks `creations COUNT`, `passwords COUNT`, `generated COUNT`, `gone COUNT`
//! (the last password is gone before its turn comes). For the journal `anchor` (the number in the keychain),
//! `restored`, `deduct`, `nobody` (sends go nowhere from now on), `resend` (the newest).

use std::sync::Arc;

use operations::{
    AccountAccess, AccountChange, AnchorEntry, BulkProblem, BulkState, BulkView, Direction, Gb, GbFactor, Intent,
    OperationError, OperationId, OperationView, Operations, RowReason, RowsWanted, Secrets, SnapshotError, TrafficMove,
    anchor_account,
};
use operations::{Owner, SecretKind};
use secrecy::ExposeSecret;
use tests::accounts::create;
use tests::bulk::plan;
use tests::order::{access_to, at_once};
use tests::service::account;
use tests::traffic_move::CUSTOMER;
use tests::{until, wall};
use vault::{Patience, Vault};
use wire::ids::CustomerId;

struct Saver {
    operations: Operations,
    vault: Arc<Vault>,
    base_url: String,
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, base_url, practice @ ..] = arguments.as_slice() else { panic!("saver JOURNAL BASE_URL [practice]") };
    let operations = Operations::open(journal.as_ref(), at_once(0), Arc::new(wall)).expect("a journal");
    let vault = Arc::new(Vault::new("app.proxytill.Proxytill", Patience::default()));
    let is = |word: &str| practice.iter().any(|given| given == word);
    let secrets = Secrets::new(vault.clone(), "desk", false, is("practice"));
    if is("anchored") {
        operations.anchor_in(AnchorEntry::new(&vault, "desk")).await.expect("a journal");
    }
    operations.use_account(Some(AccountAccess { secrets, ..access_to(account(base_url), wall) }));
    let saver = Saver { operations, vault, base_url: base_url.clone() };
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
            "forget" => {
                let newest = self.newest();
                let customer = newest.customer_id.clone().expect("it was created");
                for kind in ["token", "password"] {
                    self.operations.secrets()?.forget(&format!("customer/{customer}/{kind}")).await;
                }
                Ok(words(newest))
            }
            "adopt" => self.adopt().await,
            "anchor" => {
                let kept = self.vault.read(&anchor_account("desk")).await.ok().flatten();
                Ok(kept.map_or_else(|| "-".into(), |kept| kept.expose_secret().split(' ').next().unwrap_or("-").into()))
            }
            "restored" => {
                let told = self.operations.history().restorations()?;
                let words = told.iter().map(|told| format!("{} {}", told.anchor.is_some(), told.complete));
                Ok(words.collect::<Vec<_>>().join(", "))
            }
            "nobody" => {
                let sender = access_to(account("http://127.0.0.1:9"), wall).sender;
                self.operations.use_account(Some(AccountAccess { sender, ..access_to(account(&self.base_url), wall) }));
                Ok("nobody".into())
            }
            "resend" => self.operations.resend(&self.newest().id).await.map(words),
            "deduct" => self.deduct().await.map(words),
            "save" => self.operations.save_secrets(&self.newest().id).await.map(words),
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

    /// Hands the token of an operation to its customer, once known. Returns the names under which the token is found.
    async fn adopt(&self) -> Result<String, OperationError> {
        let (operation, customer, secrets) =
            (OperationId("one".into()), CustomerId::new("7"), self.operations.secrets()?);
        secrets.hold("operation/one/token", "the-token-1".into());
        secrets.adopt(&operation, &customer).await;
        let (old, new) = (Owner::Operation(operation), Owner::Customer(customer));
        let mut names = Vec::new();
        for (owner, name) in [(old, "under its old name"), (new, "under its new one")] {
            if let Ok(Some(_)) = secrets.of(&owner, SecretKind::Token).await {
                names.push(name);
            }
        }
        Ok(names.join(", "))
    }

    /// A deduction, as its dialog would show it now.
    async fn deduct(&self) -> Result<OperationView, OperationError> {
        let reader = self.operations.reader().expect("an account");
        let customer_id = CustomerId::new(CUSTOMER);
        let list = reader.customer(&customer_id, "").await.map_err(SnapshotError::from)?.expect("the customer");
        let moved = TrafficMove {
            direction: Direction::Deduction,
            customer_id,
            user_name: list.user_name,
            gb: Gb::parse("0.5", GbFactor::Binary).expect("an amount"),
            factor: GbFactor::Binary,
            shown_recharged: list.traffic_count,
            counter_of: None,
        };
        self.operations.confirm(&self.operations.offer(moved, None)?.token).await
    }

    fn newest(&self) -> OperationView {
        self.operations.history().list().expect("a journal").remove(0)
    }

    /// A password that was typed, or one that is generated when its turn comes.
    fn password(&self, customer: usize, secret: Option<&str>) -> AccountChange {
        let reference = Secrets::new_reference();
        if let Some(secret) = secret {
            self.operations.secrets().expect("an account").hold(&reference, secret.into());
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
        let offer = until("the last value has arrived", async || match self.operations.offer(change.clone(), None) {
            Err(OperationError::TooSoon { .. }) => None,
            offer => Some(offer),
        });
        self.operations.confirm(&offer.await?.token).await
    }

    /// Runs until no row waits, or the bulk is paused. Returns its state, its problem, and the message of the last row.
    async fn many(&self, changes: Vec<AccountChange>, is_gone: bool) -> Result<String, OperationError> {
        let last = changes.last().and_then(AccountChange::reference).map(str::to_owned);
        let count = changes.len();
        let token = self.operations.bulks().offer(plan(changes.into_iter().map(Intent::from).collect()))?;
        let bulk = self.operations.bulks().confirm(&token).await?;
        if let Some(last) = last.filter(|_| is_gone) {
            self.operations.secrets()?.forget(&last).await;
        }
        let ended = until("it ends", async || {
            // A row that a dead worker was handling stays in sending until the next start.
            let stopped = |bulk: &BulkView| bulk.problem == Some(BulkProblem::Journal) || bulk.counts.under_way == 0;
            self.operations.bulks().get(&bulk.id).ok().filter(|bulk| bulk.state != BulkState::Running && stopped(bulk))
        });
        let ended = ended.await;
        let row = self.operations.bulks().rows(&bulk.id, RowsWanted::default(), count - 1, 1)?.remove(0);
        let (problem, reason) = (ended.problem.map_or("-", BulkProblem::word), row.reason.map_or("-", RowReason::word));
        Ok(format!("{:?} {problem}, the last {} {reason}", ended.state, row.state.word()))
    }
}
