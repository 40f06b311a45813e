//! The open connection: its client, its operations, its prices. Only one is open at a time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use client::money::MoneySender;
use client::{Account, Client, Patience, Waits};
use operations::{AccountAccess, Fingerprints, GbFactor, Operations, PlaceAndPay, Reader, Renewal, Secrets, WallClock};
use parking_lot::Mutex;
use vault::KeychainState;
use wire::Day;
use wire::ids::QuoteId;

use crate::customers::{self, Customers, CustomersRead};
use crate::error::CommandError;
use crate::following::Followed;
use crate::goods::Shelf;
use crate::health::{self, Known};
use crate::locations::Places;
use crate::practice;
use crate::proxy_tests::Tested;
use crate::traffic::{KnownTraffic, RecordList};
use crate::usage::UsageCache;

/// The vendor's count of a GB, its time zone, its status numbers and its clock.
#[derive(Clone)]
pub(crate) struct Vendor {
    /// MB of one GB, as the user set it.
    pub(crate) factor: GbFactor,
    /// Minutes east of UTC.
    pub(crate) zone: i32,
    /// The values for active and for disabled.
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

/// Everything that a session needs to call the vendor with an account.
pub(crate) struct Access {
    pub(crate) account: Account,
    /// Why a token could not be read; `None` if all could.
    pub(crate) keychain: Option<KeychainState>,
    pub(crate) vendor: Vendor,
    pub(crate) secrets: Secrets,
    pub(crate) patience: Patience,
    /// Shows the person which reads are waiting.
    pub(crate) waits: Waits,
    /// The fingerprints that operations and secrets of this account carry.
    pub(crate) fingerprints: Fingerprints,
}

/// The subfolder of a connection's folder for the vendor's last answers. It has one folder per account, so that a late
/// answer for the old account is not stored with those of the new one.
pub(crate) const KNOWN: &str = "known";

/// A price that can be bought.
pub(crate) struct Priced {
    pub(crate) intent: PlaceAndPay,
    /// When it expires, on the steady clock; `None` if the vendor does not say.
    pub(crate) ends: Option<Instant>,
}

pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) client: Client,
    pub(crate) operations: Operations,
    pub(crate) followed: Followed,
    /// The address and the developer ID: what is known of one account says nothing about another.
    whose: (client::Address, Option<String>),
    /// The folder of what the vendor said last.
    known: PathBuf,
    /// Why a token could not be read; `None` if all could.
    pub(crate) keychain: Option<KeychainState>,
    pub(crate) places: Arc<Places>,
    /// What is known of the vendor.
    pub(crate) health: Arc<Known>,
    pub(crate) usage: Arc<UsageCache>,
    pub(crate) vendor: Vendor,
    pub(crate) customers: Customers,
    pub(crate) goods: Arc<Shelf>,
    pub(crate) tested: Tested,
    pub(crate) traffic: KnownTraffic,
    /// Whether the vendor lists the oldest records first, by list; `None`: the lists read so far do not show it.
    pub(crate) oldest_first: Mutex<HashMap<RecordList, Option<bool>>>,
    prices: Arc<Mutex<HashMap<QuoteId, Priced>>>,
    /// The price of a renewal that was asked for last, with its number.
    renewal: Mutex<(u32, Option<Renewal>)>,
    /// The token of the confirmation that a dialog offered last.
    asked: Mutex<String>,
}

/// Once this many prices are stored, those that have expired or have no known end are dropped.
const PRICES_KEPT: usize = 32;

impl Session {
    /// Remembers that a dialog asks for a confirmation.
    pub(crate) fn has_asked(&self, token: &str) {
        token.clone_into(&mut self.asked.lock());
    }

    /// Whether the confirmation that was offered last can still be given. If its dialog was closed, that is still so
    /// for two minutes.
    pub(crate) fn asks(&self) -> bool {
        let asked = self.asked.lock().clone();
        self.operations.offered(&asked).is_some()
    }

    /// All customers; `again` reads them from the vendor.
    pub(crate) async fn all_customers(&self, again: bool) -> Result<CustomersRead, CommandError> {
        let seen = self.operations.history().position()?;
        Ok(self.customers.all(&self.client, again, seen).await?)
    }

    /// `folder`: the connection's; `known`: of what the vendor said last.
    pub(crate) fn open(
        id: &str,
        operations: Operations,
        followed: Followed,
        folder: &Path,
        known: &Path,
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
        let usage = Arc::new(UsageCache::new(folder.join(UsageCache::FILE), whose_usage));
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
            known: known.to_owned(),
            keychain,
            places: Arc::new(Places::new(known.join(Places::FILE))),
            health: Arc::new(Known::open(known.join(health::FILE))),
            usage,
            vendor,
            customers: Customers::new(known.join(customers::FILE)),
            goods: Arc::new(Shelf::new(known)),
            tested: Tested::default(),
            traffic: KnownTraffic::new(known),
            oldest_first: Mutex::default(),
            prices: Arc::default(),
            renewal: Mutex::default(),
        })
    }

    /// Takes over what an earlier session of the same account knows: a new token does not make a new price.
    pub(crate) fn knowing_what(self, earlier: Option<&Self>) -> Self {
        let is_same = |earlier: &&Self| earlier.whose == self.whose && earlier.known == self.known;
        let Some(earlier) = earlier.filter(|earlier| earlier.id == self.id).filter(is_same) else {
            return self;
        };
        // The proxies' times depend on the vendor's zone. A new token may be shown orders that were refused to the old
        // one.
        let is_of_zone = earlier.vendor.zone == self.vendor.zone;
        let goods = if is_of_zone { earlier.goods.clone() } else { self.goods.clone() };
        goods.refusals.forget();
        Self {
            prices: earlier.prices.clone(),
            places: earlier.places.clone(),
            usage: earlier.usage.clone(),
            health: earlier.health.clone(),
            goods,
            ..self
        }
    }

    /// Loads the places in the background: from disk at once, then from the vendor.
    pub(crate) fn load_places(&self) {
        let (client, places) = (self.client.clone(), self.places.clone());
        tokio::spawn(async move {
            // The stored places are used at once, and refreshed once per session.
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

    /// The vendor's day of a moment, ms since 1970.
    pub(crate) fn day_of(&self, moment: i64) -> Day {
        Day::of(moment, self.vendor.zone)
    }

    /// Now by the vendor's clock, ms since 1970.
    pub(crate) fn now(&self) -> i64 {
        (self.vendor.clock)()
    }

    /// MB of one GB: as moves have shown, otherwise as the user set it.
    pub(crate) fn gb_factor(&self) -> Result<GbFactor, CommandError> {
        Ok(self.operations.lessons().learned()?.map_or(self.vendor.factor, |learned| learned.factor))
    }

    pub(crate) fn remember_price(&self, quote_id: QuoteId, priced: Priced) {
        let mut prices = self.prices.lock();
        if prices.len() >= PRICES_KEPT {
            let now = Instant::now();
            prices.retain(|_, priced| priced.ends.is_some_and(|ends| ends > now));
        }
        prices.insert(quote_id, priced);
    }

    /// Stores the price of a renewal in place of the last one, and returns its number.
    pub(crate) fn remember_renewal(&self, renewal: Renewal) -> u32 {
        let mut last = self.renewal.lock();
        *last = (last.0.wrapping_add(1), Some(renewal));
        last.0
    }

    /// The price of this number, if it is the last one.
    pub(crate) fn renewal(&self, number: u32) -> Option<Renewal> {
        let last = self.renewal.lock();
        last.1.clone().filter(|_| last.0 == number)
    }

    pub(crate) fn price(&self, quote_id: &QuoteId) -> Option<(PlaceAndPay, Option<Instant>)> {
        let prices = self.prices.lock();
        prices.get(quote_id).map(|priced| (priced.intent.clone(), priced.ends))
    }
}
