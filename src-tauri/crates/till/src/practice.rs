//! Practice: a service inside the program with its own folder and generated credentials, started without a question.
//! Its menu sets the wallet and the speed of its clock, plans mishaps, and starts over.

use std::path::Path;

use client::account::StaticCredentials;
use client::{Account, Address};
use operations::NotAnew;
use sandbox::{Credentials, Fault, FaultRule, Options, Service};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;

use crate::Till;
use crate::error::CommandError;
use crate::events::Event;
use crate::field;

/// The id of the practice connection: the name of its folder, and the value of the setting `active`.
pub(crate) const ID: &str = "practice";

/// The seed of the world that practice begins with.
pub(crate) const SEED: u64 = 1;

/// The currency of its wallet.
pub(crate) const CURRENCY: &str = "USD";

/// The running service, and the account to call it with.
pub(crate) struct Practice {
    pub(crate) service: Service,
    pub(crate) account: Account,
}

impl Practice {
    /// Starts the service on a free loopback port, with its ledger in the connection's folder.
    pub(crate) async fn start(folder: &Path) -> Result<Self, CommandError> {
        let data = Some(folder.join("service.db"));
        let options = Options { data, seed: SEED, credentials: Credentials::generated(), ..Options::default() };
        let service = sandbox::start(options).await.map_err(|error| CommandError::internal(&error))?;
        let who = &service.world.options.credentials;
        let address =
            Address::parse(&service.base_url(), "/api", "/prod-api").map_err(|error| CommandError::internal(&error))?;
        let account = Account {
            address,
            static_area: Some(StaticCredentials {
                user_id: who.user_id.clone(),
                token: who.static_token.clone().into(),
            }),
            agent_token: Some(who.agent_token.clone().into()),
        };
        Ok(Self { service, account })
    }
}

/// What can go wrong with a write, to be rehearsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Mishap {
    /// A write is carried out, and its answer is lost.
    LostAnswer,
    /// A write is refused, and carried out half a minute later.
    LateRefusal,
    /// An order is delivered in part at first.
    SlowDelivery,
    /// A deduction arrives twice.
    DoubledDeduction,
    /// The price runs out while it is paid.
    ExpiredPrice,
}

/// The endpoints of writes that a mishap may happen to, from "A. Static-IP area" and "B. Dynamic traffic area".
const ORDER: &str = "place-and-pay";
const RECHARGE: &str = "rechargeTrafficCount";
const DEDUCTION: &str = "deductionFlow";

impl Mishap {
    const ALL: [Self; 5] =
        [Self::LostAnswer, Self::LateRefusal, Self::SlowDelivery, Self::DoubledDeduction, Self::ExpiredPrice];

    fn fault(self) -> Fault {
        match self {
            Self::LostAnswer => Fault::DropAfter,
            Self::LateRefusal => Fault::LateNo { code: None, ms: 30_000 },
            Self::SlowDelivery => Fault::Partial,
            Self::DoubledDeduction => Fault::Twice,
            Self::ExpiredPrice => Fault::QuoteExpired,
        }
    }

    fn endpoints(self) -> &'static [&'static str] {
        match self {
            Self::LostAnswer | Self::LateRefusal => &[ORDER, RECHARGE, DEDUCTION],
            Self::SlowDelivery | Self::ExpiredPrice => &[ORDER],
            Self::DoubledDeduction => &[DEDUCTION],
        }
    }
}

/// The settings of the practice service.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PracticeState {
    /// The wallet's balance, in practice USD.
    pub wallet: Amount,
    /// The speed of its clock: 1, 10 or 60 times real time.
    pub speed: u32,
    /// The mishap that is planned and has not happened to every write it may happen to.
    pub mishap: Option<Mishap>,
}

/// The speeds on offer. Even at the highest, a price lasts long enough to be paid.
const SPEEDS: [u32; 3] = [1, 10, 60];

/// Returns the wallet, the speed and the planned mishap of practice.
pub async fn practice_state(till: &Till, (): ()) -> Result<PracticeState, CommandError> {
    let world = till.practice_world().await?;
    let wallet = world.wallet().map_err(|error| CommandError::internal(&error))?;
    let planned = world.next_fault();
    let mishap = Mishap::ALL.into_iter().find(|mishap| planned == Some(mishap.fault()));
    Ok(PracticeState { wallet, speed: world.clock.speed() as u32, mishap })
}

/// Sets the wallet of practice.
pub async fn practice_set_wallet(till: &Till, amount: Amount) -> Result<PracticeState, CommandError> {
    if amount.value().is_sign_negative() {
        return Err(CommandError::invalid(field::PracticeWallet::NotAnAmount));
    }
    let world = till.practice_world().await?;
    world.set_wallet(amount).map_err(|error| CommandError::internal(&error))?;
    practice_state(till, ()).await
}

/// Plans a mishap for the next write of each kind it may happen to, in place of the one before; with `None`, none.
pub async fn practice_mishap(till: &Till, mishap: Option<Mishap>) -> Result<PracticeState, CommandError> {
    let world = till.practice_world().await?;
    world.clear_faults();
    if let Some(mishap) = mishap {
        for endpoint in mishap.endpoints() {
            world.add_fault(FaultRule { endpoint: (*endpoint).into(), fault: mishap.fault(), times: 1 });
        }
    }
    practice_state(till, ()).await
}

/// Starts a new world with an empty journal: the new world knows nothing of the old orders and operations. The old
/// journal is put aside, in `before-reset` beside the new one.
pub async fn practice_reset(till: &Till, (): ()) -> Result<PracticeState, CommandError> {
    let world = till.practice_world().await?;
    let busy = || CommandError::invalid(field::PracticeReset::Busy);
    let _closed = till.gate.close().map_err(|_| busy())?;
    let session = till.session().await?;
    let (operations, journal) = (session.operations.clone(), till.journal_file(ID)?);
    let begun = crate::background::spawned(move || operations.begin_anew(&journal)).await?;
    begun.map_err(|error| match error {
        NotAnew::NotPractice => CommandError::no_connection(),
        NotAnew::Busy => busy(),
        NotAnew::Journal(error) => error.into(),
    })?;
    world.reset(SEED).map_err(|error| CommandError::internal(&error))?;
    // The stored customers, totals and usage are those of the old world, and so is a draft.
    *session.customers.desk.lock().await = None;
    till.host.emit(Event::OperationChanged(None));
    session.customers.forget().await;
    session.traffic.forget();
    session.goods.forget();
    session.usage.forget().await?;
    practice_state(till, ()).await
}

/// Sets the speed of practice's clock.
pub async fn practice_set_speed(till: &Till, speed: u32) -> Result<PracticeState, CommandError> {
    if !SPEEDS.contains(&speed) {
        return Err(CommandError::invalid(field::PracticeSpeed::NotOffered));
    }
    till.practice_world().await?.clock.set_speed(f64::from(speed));
    practice_state(till, ()).await
}
