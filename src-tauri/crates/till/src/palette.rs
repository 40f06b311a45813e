//! Finds customers, orders and buyers for the palette, among all there are.

use catalog::Hit;
use customers::preview::Candidate;
use operations::{BookedOrder, Buyer, BuyerId, Note, folded};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::customers::Customer;
use wire::ids::OrderNo;
use wire::purchase::PurchaseConfig;

use crate::Till;
use crate::error::CommandError;
use crate::session::Session;

/// A search.
#[derive(Debug, Deserialize, TS)]
pub struct PaletteRequest {
    /// The words, as typed. Without words the first customers and the newest orders are found.
    pub text: String,
    /// The number of customers, of orders, and of buyers, at most.
    pub most: usize,
}

/// An order that was found.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "PaletteOrder")]
pub struct FoundOrder {
    /// Order number.
    pub order_no: OrderNo,
    /// When it was placed or added here, wall clock, ms since 1970.
    pub since: i64,
    /// What was bought; `None` if it was added by number.
    pub purchase: Option<PurchaseConfig>,
    /// The IP by which it was found; `None` if it was found by anything else.
    pub ip: Option<String>,
}

/// A buyer that was found.
#[derive(Debug, Serialize, TS)]
#[ts(rename = "PaletteBuyer")]
pub struct FoundBuyer {
    /// The buyer.
    pub id: BuyerId,
    /// The name.
    pub name: String,
    /// How the buyer is reached; empty if nothing was noted.
    pub contact: String,
}

/// The best results.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "PaletteFound")]
pub struct Found {
    /// Customers, the best first.
    pub customers: Vec<Candidate>,
    /// Number of all customers found.
    pub all_customers: usize,
    /// Orders, the newest first.
    pub orders: Vec<FoundOrder>,
    /// Number of all orders found.
    pub all_orders: usize,
    /// Buyers, by name.
    pub buyers: Vec<FoundBuyer>,
    /// Number of all buyers found.
    pub all_buyers: usize,
}

/// Finds customers by name, id, note or tag, orders by number, place or IP, and buyers by name, contact or note. Reads
/// nothing from the vendor that is already there. Customers that cannot be read are no reason to find nothing else.
pub async fn find_anything(till: &Till, asked: PaletteRequest) -> Result<Found, CommandError> {
    let session = till.session().await?;
    let wanted = folded(&asked.text);
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let customers = customers(&session, &wanted, &words).await.unwrap_or_default();
    let orders = orders(&session, wanted.trim()).await?;
    let buyers = buyers(&session, &words)?;
    let (all_customers, all_orders, all_buyers) = (customers.len(), orders.len(), buyers.len());
    let candidate = |one: Customer| Candidate { customer_id: one.customer_id, user_name: one.user_name };
    Ok(Found {
        customers: customers.into_iter().take(asked.most).map(candidate).collect(),
        all_customers,
        orders: orders.into_iter().take(asked.most).collect(),
        all_orders,
        buyers: buyers.into_iter().take(asked.most).collect(),
        all_buyers,
    })
}

/// The buyers with all words, without those that were deleted.
fn buyers(session: &Session, words: &[&str]) -> Result<Vec<FoundBuyer>, CommandError> {
    let fits = |buyer: &Buyer| {
        let text = folded(&[buyer.name.as_str(), &buyer.contact, &buyer.note].join("\n"));
        !buyer.deleted && words.iter().all(|word| text.contains(word))
    };
    let mut found: Vec<Buyer> = session.operations.goods().buyers()?.into_iter().filter(fits).collect();
    found.sort_by_cached_key(|buyer| folded(&buyer.name));
    let found = found.into_iter().map(|Buyer { id, name, contact, .. }| FoundBuyer { id, name, contact });
    Ok(found.collect())
}

/// The customers with all words: those whose name or id is the text, then those whose name begins with it, then others.
async fn customers(session: &Session, wanted: &str, words: &[&str]) -> Result<Vec<Customer>, CommandError> {
    let (all, notes) = (session.all_customers(false).await?.rows, session.operations.customers().notes()?);
    let mut ranked: Vec<(usize, &Customer)> = Vec::new();
    for customer in all.iter() {
        let name = folded(&customer.user_name);
        let note = notes.get(&customer.customer_id).map(|Note { note, tags }| format!("{note} {}", tags.join(" ")));
        let text = format!("{name}\n{}\n{}", customer.customer_id, folded(&note.unwrap_or_default()));
        if words.iter().all(|word| text.contains(word)) {
            let is_it =
                name == wanted || name.split('@').next() == Some(wanted) || customer.customer_id.as_str() == wanted;
            ranked.push((if is_it { 0 } else { 2 - usize::from(name.starts_with(wanted)) }, customer));
        }
    }
    if !words.is_empty() {
        ranked.sort_by(|(rank, one), (other_rank, other)| (rank, &one.user_name).cmp(&(other_rank, &other.user_name)));
    }
    Ok(ranked.into_iter().map(|(_, customer)| customer.clone()).collect())
}

/// The length from which a text is looked for among the IPs of orders: shorter ones would find every order.
const DIGITS_OF_IP: usize = 3;
/// The number of places that a text may mean.
const PLACES: usize = 12;

async fn orders(session: &Session, wanted: &str) -> Result<Vec<FoundOrder>, CommandError> {
    let book = session.operations.orders().all()?;
    let places = match session.places.kept().await {
        Some(catalog) if wanted.chars().count() > 1 => catalog.search(wanted, PLACES, &session.places.stock()),
        _ => Vec::new(),
    };
    let is_ip =
        wanted.len() >= DIGITS_OF_IP && wanted.bytes().all(|byte| byte.is_ascii_hexdigit() || b".:".contains(&byte));
    let mut found = Vec::new();
    for order in book {
        let by_number = folded(order.order_no.as_str()).contains(wanted);
        let ip = if by_number || !is_ip { None } else { ip(session, &order, wanted)? };
        let is_there = || order.purchase.as_ref().is_some_and(|purchase| places.iter().any(|hit| is_in(purchase, hit)));
        if by_number || ip.is_some() || is_there() {
            found.push(FoundOrder { order_no: order.order_no, since: order.since, purchase: order.purchase, ip });
        }
    }
    Ok(found)
}

/// The IP of an order that begins like this, as far as the order was read here.
fn ip(session: &Session, order: &BookedOrder, wanted: &str) -> Result<Option<String>, CommandError> {
    let kept = session.operations.orders().particulars(&order.order_no)?;
    let hosts = kept.into_iter().flat_map(|kept| kept.proxies).map(|proxy| proxy.host);
    Ok(hosts.into_iter().find(|host| host.starts_with(wanted)))
}

/// Whether a line of a purchase is at a place, or in it.
fn is_in(purchase: &PurchaseConfig, hit: &Hit) -> bool {
    let quotas = purchase
        .quota_items
        .iter()
        .map(|line| (line.continent_id.as_ref(), line.country_code.as_ref(), line.city_id.as_ref()));
    let segments = purchase.segment_items.iter().map(|line| (None, line.country_code.as_ref(), line.city_id.as_ref()));
    quotas.chain(segments).any(|(continent, country, city)| {
        let is = |own: Option<&str>, place: &str| !place.is_empty() && own == Some(place);
        match hit.city_id.as_str() {
            "" if !hit.state_id.as_str().is_empty() => false,
            "" if hit.country_code.as_str().is_empty() => {
                is(continent.map(|id| id.as_str()), hit.continent_id.as_str())
            }
            "" => is(country.map(|code| code.as_str()), hit.country_code.as_str()),
            id => is(city.map(|id| id.as_str()), id),
        }
    })
}
