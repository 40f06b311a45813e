//! Buyers: those that proxies are for. What is typed here stays in the journal; the vendor hears nothing of it.

use std::collections::{BTreeMap, HashMap};

use customers::naming::{self, Naming};
use export::Layout;
use goods::paste::{self, Addresses, Meant, PastedLine, Who, WhoNamed};
use goods::row::EndState;
use operations::{Assign, Buyer, BuyerId, GoodsKey, SentHow, folded};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::Till;
use crate::error::CommandError;
use crate::field;
use crate::session::Session;

/// A buyer, with what it has.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BuyerView {
    /// Names the buyer.
    pub id: BuyerId,
    /// The name.
    pub name: String,
    /// The customer; `None` for a free name.
    pub customer: Option<CustomerId>,
    /// How to reach the buyer.
    pub contact: String,
    /// The language of messages: `en` or `zh-CN`.
    pub language: String,
    /// The agent's own note.
    pub note: String,
    /// The format of proxies that the buyer got last; `None` before the first delivery.
    pub layout: Option<Layout>,
    /// Whether the buyer was deleted.
    pub deleted: bool,
    /// Number of proxies.
    pub ips: usize,
    /// Number of those that run out within a week.
    pub soon: usize,
    /// Number of those that were not handed over yet.
    pub unsent: usize,
}

fn view(buyer: Buyer) -> BuyerView {
    let format = serde_json::from_value(serde_json::Value::String(buyer.format)).ok();
    let layout = format.map(|format| Layout { format, template: buyer.template });
    let Buyer { id, name, customer, contact, language, note, deleted, .. } = buyer;
    BuyerView { id, name, customer, contact, language, note, layout, deleted, ips: 0, soon: 0, unsent: 0 }
}

/// Lists all buyers by name, with those that were deleted but still have proxies.
pub async fn list_buyers(till: &Till, (): ()) -> Result<Vec<BuyerView>, CommandError> {
    let session = till.session().await?;
    let (rows, now) = (session.goods.rows(&session).await?, session.now());
    let mut views: HashMap<BuyerId, BuyerView> =
        session.operations.goods().buyers()?.into_iter().map(|buyer| (buyer.id, view(buyer))).collect();
    for row in rows.iter() {
        if let Some(view) = row.buyer.as_ref().and_then(|buyer| views.get_mut(&buyer.id)) {
            view.ips += 1;
            view.soon += usize::from(row.state(now) == EndState::Soon);
            view.unsent += usize::from(row.sent.is_none() && !row.item.is_gone());
        }
    }
    let mut views: Vec<BuyerView> = views.into_values().filter(|view| !view.deleted || view.ips > 0).collect();
    views.sort_by_key(|view| (folded(&view.name), view.id));
    Ok(views)
}

/// A buyer as typed.
#[derive(Debug, Deserialize, TS)]
pub struct BuyerDraft {
    /// The buyer to change; `None` makes a new one.
    pub id: Option<BuyerId>,
    /// The name.
    pub name: String,
    /// The customer; `None` for a free name.
    pub customer: Option<CustomerId>,
    /// How to reach the buyer.
    pub contact: String,
    /// The language of messages: `en` or `zh-CN`.
    pub language: String,
    /// The agent's own note.
    pub note: String,
}

/// Creates or changes a buyer. Returns its id.
pub async fn save_buyer(till: &Till, draft: BuyerDraft) -> Result<BuyerId, CommandError> {
    let session = till.session().await?;
    let name = draft.name.trim().to_owned();
    if name.is_empty() {
        return Err(CommandError::invalid(field::BuyerName::Empty));
    }
    let others =
        session.operations.goods().buyers()?.into_iter().filter(|one| !one.deleted && Some(one.id) != draft.id);
    if others.map(|one| folded(&one.name)).any(|other| other == folded(&name)) {
        return Err(CommandError::invalid(field::BuyerName::Taken));
    }
    let change = |buyer: &mut Buyer| {
        buyer.name = name;
        buyer.customer = draft.customer;
        buyer.contact = draft.contact;
        buyer.language = draft.language;
        buyer.note = draft.note;
        buyer.deleted = false;
    };
    match draft.id {
        Some(id) => {
            session.operations.goods().change_buyer(id, change)?;
            Ok(id)
        }
        None => {
            let mut buyer = fresh(till, String::new(), None);
            change(&mut buyer);
            Ok(session.operations.goods().add_buyer(&buyer)?)
        }
    }
}

/// Deletes a buyer. Its proxies, notes and deliveries stay, and still name it.
pub async fn delete_buyer(till: &Till, id: BuyerId) -> Result<(), CommandError> {
    let session = till.session().await?;
    Ok(session.operations.goods().change_buyer(id, |buyer| buyer.deleted = true)?)
}

/// A new buyer, with the program's language until another is chosen.
fn fresh(till: &Till, name: String, customer: Option<CustomerId>) -> Buyer {
    Buyer {
        id: BuyerId(0),
        name,
        customer,
        contact: String::new(),
        language: till.language(),
        note: String::new(),
        format: String::new(),
        template: String::new(),
        deleted: false,
    }
}

/// Finds the buyer that is meant, and makes it if it is new. `None` for nobody.
fn resolve(till: &Till, session: &Session, who: &Who) -> Result<Option<BuyerId>, CommandError> {
    let buyers = session.operations.goods().buyers()?;
    let mut known = buyers.iter().filter(|buyer| !buyer.deleted);
    let (name, customer) = match who {
        Who::Nobody => return Ok(None),
        Who::Buyer { id } => {
            let found = known.find(|buyer| buyer.id == *id);
            return found.map(|buyer| Some(buyer.id)).ok_or_else(CommandError::changed);
        }
        Who::Customer { id, name } => (name.trim(), Some(id)),
        Who::New { name } => (name.trim(), None),
    };
    if name.is_empty() {
        return Err(CommandError::invalid(field::BuyerName::Empty));
    }
    if let Some(found) = known.clone().find(|buyer| customer.is_some() && buyer.customer.as_ref() == customer) {
        return Ok(Some(found.id));
    }
    // A free name that turns out to be a customer's is the same buyer.
    if let Some(found) = known.find(|buyer| folded(&buyer.name) == folded(name)) {
        match (customer, &found.customer) {
            (Some(customer), None) => {
                session.operations.goods().change_buyer(found.id, |buyer| buyer.customer = Some(customer.clone()))?;
            }
            (Some(customer), Some(other)) if customer != other => {
                return Err(CommandError::invalid(field::BuyerName::Taken));
            }
            _ => {}
        }
        return Ok(Some(found.id));
    }
    Ok(Some(session.operations.goods().add_buyer(&fresh(till, name.to_owned(), customer.cloned()))?))
}

/// Proxies, and what to record about them.
#[derive(Debug, Deserialize, TS)]
pub struct AssignTo {
    /// The proxies.
    pub keys: Vec<GoodsKey>,
    /// For whom they are; `None` leaves that.
    pub who: Option<Who>,
    /// The note on each of them; `None` leaves that.
    pub note: Option<String>,
}

/// Records for whom proxies are, and notes on them: all or none. Returns the buyers as they are then.
pub async fn assign_goods(till: &Till, all: Vec<AssignTo>) -> Result<Vec<BuyerView>, CommandError> {
    let session = till.session().await?;
    let mut assigned = Vec::new();
    for AssignTo { keys, who, note } in all {
        let buyer = who.map(|who| resolve(till, &session, &who)).transpose()?;
        assigned.push(Assign { keys, buyer, note });
    }
    session.operations.goods().assign(&assigned)?;
    list_buyers(till, ()).await
}

/// Reads pasted lines: which proxies are for whom. Records nothing.
pub async fn read_pasted(till: &Till, text: String) -> Result<Vec<PastedLine>, CommandError> {
    let session = till.session().await?;
    let rows = session.goods.rows(&session).await?;
    let buyers: Vec<Buyer> = session.operations.goods().buyers()?.into_iter().filter(|buyer| !buyer.deleted).collect();
    let customers = session.customers.known().await.map(|read| read.rows).unwrap_or_default();
    let read = crate::background::spawned(move || {
        let naming = Naming::new(customers.iter());
        paste::read(&text, &Addresses::of(&rows), |name| meant(name, &buyers, &customers, &naming))
    });
    read.await
}

/// Whom a name means: a buyer with exactly this name, else a customer by the rules for bulks, else a question.
fn meant(name: &str, buyers: &[Buyer], customers: &[Customer], naming: &Naming) -> Meant {
    let wanted = folded(name);
    let named = |buyer: &Buyer| WhoNamed { who: Who::Buyer { id: buyer.id }, name: buyer.name.clone() };
    let of_customer = |customer: &Customer| {
        let (id, name) = (customer.customer_id.clone(), customer.user_name.clone());
        WhoNamed { who: Who::Customer { id, name: name.clone() }, name }
    };
    let one = |one| Meant { one: Some(one), perhaps: Vec::new() };
    if let Some(buyer) = buyers.iter().find(|buyer| folded(&buyer.name) == wanted) {
        let is_other = |one: &&Customer| {
            folded(&one.user_name) == wanted && buyer.customer.as_ref().is_some_and(|own| *own != one.customer_id)
        };
        // Two have this name: the buyer of one customer, and another customer.
        return customers.iter().find(is_other).map_or_else(
            || one(named(buyer)),
            |other| Meant { one: None, perhaps: vec![named(buyer), of_customer(other)] },
        );
    }
    let customer = |at: usize| {
        let customer = customers.get(at)?;
        let known = buyers.iter().find(|buyer| buyer.customer.as_ref() == Some(&customer.customer_id));
        Some(known.map_or_else(|| of_customer(customer), named))
    };
    let mut perhaps: Vec<WhoNamed> =
        buyers.iter().filter(|buyer| folded(&buyer.name).starts_with(&wanted)).map(named).collect();
    match naming.find(name) {
        naming::Meant::One(at) => {
            if let Some(found) = customer(at) {
                return one(found);
            }
        }
        naming::Meant::Perhaps(places) => {
            perhaps
                .extend(places.into_iter().filter_map(customer).filter(|one| matches!(one.who, Who::Customer { .. })));
        }
        naming::Meant::Nobody => {}
    }
    Meant { one: None, perhaps }
}

/// Proxies that were handed over together.
#[derive(Debug, Serialize, TS)]
pub struct DeliveryView {
    /// When, wall clock, ms since 1970.
    pub at: i64,
    /// How.
    pub how: SentHow,
    /// The addresses, `host:port`.
    pub addresses: Vec<String>,
}

/// Returns what was handed to a buyer, the newest first, also what is for somebody else now.
pub async fn deliveries_of(till: &Till, id: BuyerId) -> Result<Vec<DeliveryView>, CommandError> {
    let session = till.session().await?;
    let mut together = BTreeMap::<(i64, &'static str), DeliveryView>::new();
    for one in session.operations.goods().marks()?.deliveries.into_iter().filter(|one| one.buyer == id) {
        let new = || DeliveryView { at: one.at, how: one.how, addresses: Vec::new() };
        let view = together.entry((one.at, one.how.word())).or_insert_with(new);
        view.addresses.push(goods::row::address(&one.key.host, one.key.port));
    }
    Ok(together.into_values().rev().collect())
}
