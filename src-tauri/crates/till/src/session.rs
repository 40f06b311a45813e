//! An open connection: its client, its operations, its prices. One at a time.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use client::money::MoneySender;
use client::{Account, Client, Patience, Waits};
use operations::{AccountAccess, Fingerprints, GbFactor, Operations, PlaceAndPay, Reader, Secrets, WallClock};
use vault::KeychainState;
use wire::Day;
use wire::ids::QuoteId;

use crate::customers::{self, Customers, CustomersRead};
use crate::error::CommandError;
use crate::locations::Places;
use crate::practice;
use crate::usage::UsageCache;

/// How this vendor counts and tells the time.
#[derive(Clone)]
pub(crate) struct Vendor {
    /// MB of a GB, as the user set it.
    pub(crate) factor: GbFactor,
    /// Minutes east of UTC.
    pub(crate) zone: i32,
    /// What it calls active and disabled.
    pub(crate) states: [u8; 2],
    /// Now, ms since 1970.
    pub(crate) clock: WallClock,
}

impl Vendor {
    /// Today, in the vendor's zone.
    fn today(&self) -> Day {
        Day::of((self.clock)(), self.zone)
    }
}

/// As whom a connection is opened.
pub(crate) struct Access {
    pub(crate) account: Account,
    /// What kept a token from being read, if anything.
    pub(crate) keychain: Option<KeychainState>,
    pub(crate) vendor: Vendor,
    pub(crate) secrets: Secrets,
    pub(crate) patience: Patience,
    /// Where a person sees what waits.
    pub(crate) waits: Waits,
    /// What an operation or a secret of it carries.
    pub(crate) fingerprints: Fingerprints,
}

/// The kept places of a connection, in its folder.
pub(crate) const PLACES: &str = "places.json";

/// A price that can be bought.
pub(crate) struct Priced {
    pub(crate) intent: PlaceAndPay,
    /// When it expires, on the steady clock; `None` when the vendor does not tell.
    pub(crate) ends: Option<Instant>,
}

/// Set once, by whoever follows a journal.
pub(crate) type Followed = Arc<AtomicBool>;

pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) client: Client,
    pub(crate) operations: Operations,
    /// Whether the window follows the changes of this journal.
    pub(crate) followed: Followed,
    /// Where and as whom: what is known of one account is not known of another.
    whose: (client::Address, Option<String>),
    /// What kept a token from being read, if anything.
    pub(crate) keychain: Option<KeychainState>,
    pub(crate) places: Arc<Places>,
    /// The vendor has no stock by segment: asked once for each opening.
    pub(crate) without_segments: AtomicBool,
    pub(crate) usage: Arc<UsageCache>,
    pub(crate) vendor: Vendor,
    pub(crate) customers: Customers,
    prices: Arc<Mutex<HashMap<QuoteId, Priced>>>,
    /// What the person was asked to confirm last.
    asked: Mutex<String>,
}

/// Prices kept at most: the newest are the ones a person sees.
const PRICES_KEPT: usize = 32;

impl Session {
    /// A dialog asks whether to do this.
    pub(crate) fn has_asked(&self, token: &str) {
        token.clone_into(&mut self.asked.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether what was asked last can still be confirmed. A dialog that was closed counts for two minutes.
    pub(crate) fn asks(&self) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.operations.offered(&asked).is_some()
    }

    /// Every customer; `again` reads them from the vendor.
    pub(crate) async fn all_customers(&self, again: bool) -> Result<CustomersRead, CommandError> {
        let seen = self.operations.position()?;
        Ok(self.customers.all(&self.client, again, seen).await?)
    }

    pub(crate) fn open(
        id: &str,
        operations: Operations,
        followed: Followed,
        folder: &Path,
        access: Access,
    ) -> Result<Self, CommandError> {
        let Access { account, keychain, vendor, secrets, patience, waits, fingerprints } = access;
        let whose = (account.address.clone(), account.static_area.as_ref().map(|area| area.user_id.clone()));
        let whose_usage = if id == practice::ID {
            practice::ID.to_owned()
        } else {
            let user = account.static_area.as_ref().map_or("", |area| area.user_id.as_str());
            format!("{} {user}", account.address.agent_base())
        };
        let usage = Arc::new(UsageCache::new(folder.join("cache.db"), whose_usage));
        let account = Arc::new(account);
        let sender = MoneySender::new(account.clone(), patience)?;
        let client = Client::new(account, patience)?.shown_by(waits);
        let at = vendor.clone();
        let reader = Reader::new(client.clone(), Arc::new(move || at.today()));
        let states = vendor.states;
        operations.use_account(Some(AccountAccess { sender, reader, secrets, states, whose: fingerprints }));
        Ok(Self {
            id: id.into(),
            client,
            operations,
            followed,
            asked: Mutex::default(),
            whose,
            keychain,
            places: Arc::new(Places::new(folder.join(PLACES))),
            without_segments: AtomicBool::new(false),
            usage,
            vendor,
            customers: Customers::new(folder.join(customers::FILE)),
            prices: Arc::default(),
        })
    }

    /// What an earlier session of the same connection knows stays good: a new token is no new price.
    pub(crate) fn knowing_what(self, earlier: Option<&Self>) -> Self {
        match earlier.filter(|earlier| earlier.id == self.id && earlier.whose == self.whose) {
            Some(earlier) => Self {
                prices: earlier.prices.clone(),
                places: earlier.places.clone(),
                usage: earlier.usage.clone(),
                ..self
            },
            None => self,
        }
    }

    /// Brings the places in, behind everything else: from disk at once, from the vendor when it answers.
    pub(crate) fn load_places(&self) {
        let (client, places) = (self.client.clone(), self.places.clone());
        tokio::spawn(async move {
            // What was kept serves at once; it is refreshed once for each time it was opened.
            let kept = places.kept().await.is_some();
            let loaded = if kept { places.refresh(&client).await } else { places.get(&client).await };
            if let Err(error) = loaded {
                tracing::info!(%error, "places not refreshed");
            }
        });
    }

    /// Today, in the vendor's zone.
    pub(crate) fn today(&self) -> Day {
        self.vendor.today()
    }

    /// MB of a GB: as moves have shown, else as the user set it.
    pub(crate) fn gb_factor(&self) -> Result<GbFactor, CommandError> {
        Ok(self.operations.learned()?.map_or(self.vendor.factor, |lesson| lesson.factor))
    }

    pub(crate) fn remember_price(&self, quote_id: QuoteId, priced: Priced) {
        let mut prices = self.prices.lock().unwrap_or_else(PoisonError::into_inner);
        if prices.len() >= PRICES_KEPT {
            let now = Instant::now();
            prices.retain(|_, priced| priced.ends.is_some_and(|ends| ends > now));
        }
        prices.insert(quote_id, priced);
    }

    pub(crate) fn price(&self, quote_id: &QuoteId) -> Option<(PlaceAndPay, Option<Instant>)> {
        let prices = self.prices.lock().unwrap_or_else(PoisonError::into_inner);
        prices.get(quote_id).map(|priced| (priced.intent.clone(), priced.ends))
    }
}

/// Milliseconds since 1970 by this computer's clock.
pub(crate) fn wall_clock() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_millis() as i64
}
