//! The places of one connection: stored on disk, indexed, refreshed in the background.

use std::path::PathBuf;
use std::sync::Arc;

use catalog::{Catalog, Dictionary, Hit, Stock};
use client::{Client, Error};
use parking_lot::RwLock;
use tokio::sync::{Mutex, OnceCell};
use wire::inventory::CountryStock;
use wire::locations::{CitiesQuery, CountriesQuery, StatesQuery};

pub(crate) struct Places {
    /// The stored dictionary. May be deleted at any time: the vendor has it all.
    file: PathBuf,
    catalog: RwLock<Option<Arc<Catalog>>>,
    stock: RwLock<Arc<Stock>>,
    from_disk: OnceCell<()>,
    /// Held while the vendor is asked: one at a time, the others wait.
    loading: Mutex<()>,
}

impl Places {
    /// Its file's name, in the account's folder of the vendor's last answers.
    pub(crate) const FILE: &str = "places.json";

    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            file,
            catalog: RwLock::default(),
            stock: RwLock::default(),
            from_disk: OnceCell::new(),
            loading: Mutex::default(),
        }
    }

    fn ready(&self) -> Option<Arc<Catalog>> {
        self.catalog.read().clone()
    }

    /// The catalog, if it is in memory or on disk.
    pub(crate) async fn kept(&self) -> Option<Arc<Catalog>> {
        let read = || async {
            let file = self.file.clone();
            let kept = tokio::task::spawn_blocking(move || Dictionary::load(&file).map(Catalog::new)).await;
            if let Ok(Ok(catalog)) = kept {
                self.put(catalog);
            }
        };
        self.from_disk.get_or_init(read).await;
        self.ready()
    }

    /// The catalog: from memory, from disk, otherwise from the vendor.
    pub(crate) async fn get(&self, client: &Client) -> Result<Arc<Catalog>, Error> {
        if let Some(catalog) = self.kept().await {
            return Ok(catalog);
        }
        let _one = self.loading.lock().await;
        match self.ready() {
            Some(catalog) => Ok(catalog),
            None => self.fetch(client).await,
        }
    }

    /// Reads the catalog from the vendor.
    pub(crate) async fn refresh(&self, client: &Client) -> Result<Arc<Catalog>, Error> {
        let _one = self.loading.lock().await;
        self.fetch(client).await
    }

    /// Searches at the vendor. What it finds is added to the dictionary, with the places that it lies in.
    pub(crate) async fn search_at_vendor(&self, client: &Client, keyword: &str) -> Result<Vec<Hit>, Error> {
        let keyword = Some(keyword.to_owned());
        let countries = CountriesQuery { keyword: keyword.clone(), continent_id: None };
        let cities = CitiesQuery { keyword, ..CitiesQuery::default() };
        let (countries, cities) = tokio::try_join!(
            client.call(client::locations::countries(&countries)),
            client.call(client::locations::cities(&cities)),
        )?;
        let known = self.get(client).await?;
        let mut found = Dictionary { countries: countries.data, cities: cities.data, ..Dictionary::default() };
        let wanted = found.clone();
        for country in known.without_states(&found) {
            let query = StatesQuery { country_code: Some(country), ..StatesQuery::default() };
            found.states.extend(client.call(client::locations::states(&query)).await?.data);
        }
        let catalog = if known.dictionary().holds(&found) {
            known
        } else {
            let mut dictionary = known.dictionary().clone();
            dictionary.learn(found);
            self.keep(dictionary).await
        };
        Ok(catalog.hits(&wanted, &self.stock()))
    }

    async fn fetch(&self, client: &Client) -> Result<Arc<Catalog>, Error> {
        let (every_country, every_state, every_city) =
            (CountriesQuery::default(), StatesQuery::default(), CitiesQuery::default());
        let (continents, countries, states, cities) = tokio::try_join!(
            client.call(client::locations::continents()),
            client.call(client::locations::countries(&every_country)),
            client.call(client::locations::states(&every_state)),
            client.call(client::locations::cities(&every_city)),
        )?;
        let dictionary = Dictionary {
            continents: continents.data,
            countries: countries.data,
            states: states.data,
            cities: cities.data,
        };
        Ok(self.keep(dictionary).await)
    }

    /// Indexes a dictionary and stores it.
    async fn keep(&self, dictionary: Dictionary) -> Arc<Catalog> {
        let file = self.file.clone();
        let indexed = tokio::task::spawn_blocking(move || {
            if dictionary.countries.is_empty() {
                tracing::warn!("the vendor listed no country; places not kept");
            } else if let Err(error) = dictionary.save(&file) {
                tracing::warn!(%error, "places not kept");
            }
            Catalog::new(dictionary)
        });
        match (indexed.await, self.ready()) {
            (Ok(catalog), None) => self.put(catalog),
            (Ok(catalog), Some(_)) if !catalog.dictionary().countries.is_empty() => self.put(catalog),
            // An empty list is no better than what was known.
            (_, known) => known.unwrap_or_default(),
        }
    }

    fn put(&self, catalog: Catalog) -> Arc<Catalog> {
        let catalog = Arc::new(catalog);
        *self.catalog.write() = Some(catalog.clone());
        // The stock refers to the rows of the old catalog.
        *self.stock.write() = Arc::default();
        catalog
    }

    /// Remembers the vendor's stock, to rank places by.
    pub(crate) fn remember_stock(&self, told: &[CountryStock]) {
        if let Some(catalog) = self.ready() {
            let fresh = Arc::new(Stock::new(&catalog, told));
            let mut stock = self.stock.write();
            // The stock refers to the rows of one catalog, and a newer one may have come in the meantime.
            if self.ready().is_some_and(|now| Arc::ptr_eq(&now, &catalog)) {
                *stock = fresh;
            }
        }
    }

    pub(crate) fn stock(&self) -> Arc<Stock> {
        self.stock.read().clone()
    }
}
