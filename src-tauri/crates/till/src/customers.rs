//! The agent's customers: the list, one customer's page, notes, secrets.

mod cache;
mod uses;

use customers::list::{self, CustomerRow, ListFilter, ListQuery, Status};
use customers::message;
use operations::{Note, OperationView};
use operations::{Owner, SecretKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::Till;
use crate::error::CommandError;
use crate::field;
use crate::session::Session;
use crate::templates::{Template, TemplateOf};

pub(crate) use cache::{Chosen, Customers, CustomersRead, Desk, FILE, Known, Shown};
pub(crate) use uses::{MadeFrom, after_forecast};

/// The customer list as a whole.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomersState {
    /// Number of customers.
    pub count: usize,
    /// When they were read, wall clock, ms since 1970.
    pub read_at: i64,
    /// The journal's position before they were read: operations touched later are not in their figures.
    pub seen: i64,
    /// All tags in use, sorted.
    pub tags: Vec<String>,
    /// Whether the usage report is read for the weeks that the days left are estimated from. If not, the estimate is
    /// too high.
    pub usage_read: bool,
}

/// Returns all customers; `true` reads them from the vendor again.
pub async fn list_customers(till: &Till, again: bool) -> Result<Vec<Customer>, CommandError> {
    let session = till.session().await?;
    Ok(session.all_customers(again).await?.rows.to_vec())
}

/// Rebuilds the list from what is known; `true` reads the customers from the vendor again.
pub async fn read_customers(till: &Till, again: bool) -> Result<CustomersState, CommandError> {
    let session = till.session().await?;
    let read = session.all_customers(again).await?;
    let (uses, usage_read) = match uses::of(&session, &read).await {
        Ok(found) => found,
        Err(error) => {
            tracing::info!(%error, "the usage of the customers is not known");
            (session.customers.last_uses().await, false)
        }
    };
    let rows = session.customers.set_rows(rows(&session, &read, &uses)?);
    let mut tags: Vec<String> = rows.iter().flat_map(|row| row.tags.iter().cloned()).collect();
    tags.sort();
    tags.dedup();
    Ok(CustomersState { count: rows.len(), read_at: read.read_at, seen: read.seen, tags, usage_read })
}

fn rows(session: &Session, read: &CustomersRead, uses: &uses::Uses) -> Result<Vec<CustomerRow>, CommandError> {
    let (mut notes, statuses) =
        (session.operations.customers().notes()?, session.operations.customers().last_statuses()?);
    let held = session.operations.held()?;
    let row = |customer: &Customer| {
        let note = notes.remove(&customer.customer_id).unwrap_or_default();
        let used = uses.each.get(&customer.customer_id).copied().unwrap_or_default();
        CustomerRow {
            customer: customer.clone(),
            days_left: used.days_left,
            last_use: used.last,
            status: statuses.get(&customer.customer_id).map(|last| {
                // The number that was sent is shown with its present meaning.
                Status { active: last.customer_state == session.vendor.states[0], at: last.at }
            }),
            note: note.note,
            tags: note.tags,
            held: held.get(customer.customer_id.as_str()).map(|(_, state)| *state),
            haystack: String::new(),
        }
        .indexed()
    };
    Ok(read.rows.iter().map(row).collect())
}

/// The result of a query.
#[derive(Debug, Serialize, TS)]
pub struct Found {
    /// The number of the result: pass it to ask for rows.
    pub number: u32,
    /// Number of customers found.
    pub count: usize,
    /// Number of customers that the search would find besides, without the filters; counted only if there is a search,
    /// or if the filters leave none.
    pub outside: usize,
    /// The first rows, so that a screen can be shown at once.
    pub rows: Vec<CustomerRow>,
}

/// The number of rows to return at first: more than a screen.
const SCREEN: usize = 60;

/// Searches, filters and sorts the list.
pub async fn find_customers(till: &Till, query: ListQuery) -> Result<Found, CommandError> {
    let session = till.session().await?;
    let all = session.customers.rows();
    let places = list::select(&all, &query);
    let count = places.len();
    let chosen = Chosen { rows: all.clone(), places };
    let rows = chosen.found().take(SCREEN).cloned().collect();
    let is_search = !query.search.trim().is_empty();
    let outside = if (count == 0 || is_search) && query.filter != ListFilter::default() {
        list::count_found(&all, &query).saturating_sub(count)
    } else {
        0
    };
    Ok(Found { number: session.customers.chosen.add(chosen), count, outside, rows })
}

/// A window of a query's result.
#[derive(Debug, Deserialize, TS)]
pub struct FoundWindow {
    /// The number of the result.
    pub number: u32,
    /// The first row, from 0.
    pub first: usize,
    /// The number of rows, at most.
    pub count: usize,
}

/// Returns a window of a query's result. `changed` if later queries have replaced it.
pub async fn found_customers(till: &Till, window: FoundWindow) -> Result<Vec<CustomerRow>, CommandError> {
    let session = till.session().await?;
    let chosen = session.customers.chosen.get(window.number).ok_or_else(CommandError::changed)?;
    Ok(chosen.found().skip(window.first).take(window.count).cloned().collect())
}

/// Returns the ids of all customers that a query found.
pub async fn found_ids(till: &Till, number: u32) -> Result<Vec<CustomerId>, CommandError> {
    let session = till.session().await?;
    let chosen = session.customers.chosen.get(number).ok_or_else(CommandError::changed)?;
    Ok(chosen.found().map(|row| row.customer.customer_id.clone()).collect())
}

/// One customer's page.
#[derive(Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CustomerPage {
    /// The customer's row in the list.
    pub row: CustomerRow,
    /// Its operations from here, newest first.
    pub operations: Vec<OperationView>,
    /// Whether it was created from here, so that its token was saved.
    pub created_here: bool,
    /// Whether a proxy password was set from here.
    pub password_set_here: bool,
}

/// The number of operations on a customer's page, at most.
const OPERATIONS_SHOWN: usize = 50;

/// Returns what is known about one customer.
pub async fn customer_page(till: &Till, id: CustomerId) -> Result<CustomerPage, CommandError> {
    let session = till.session().await?;
    let rows = session.customers.rows();
    let row = rows.iter().find(|row| row.customer.customer_id == id).cloned();
    let known = session.operations.customers().known_secrets(&id)?;
    Ok(CustomerPage {
        row: row.ok_or_else(|| CommandError::invalid(field::Customer::NotYours))?,
        operations: session.operations.history().of_customer(&id, OPERATIONS_SHOWN)?,
        created_here: known.created.is_some(),
        password_set_here: known.password.is_some(),
    })
}

/// A note to save.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NoteOf {
    /// The customer.
    pub customer_id: CustomerId,
    /// The note and its tags.
    pub note: Note,
}

/// Saves the note and tags of a customer, on this computer only.
pub async fn save_note(till: &Till, of: NoteOf) -> Result<(), CommandError> {
    let session = till.session().await?;
    Ok(session.operations.customers().set_note(&of.customer_id, &of.note)?)
}

/// The secrets of a customer in the keychain. The page holds them only while they are shown.
#[derive(Debug, Serialize, TS)]
pub struct Revealed {
    /// The customer's token; `None` if none is saved.
    #[ts(type = "string | null")]
    pub token: Option<Bare>,
    /// The proxy password that was last set from here; `None` if none is saved.
    #[ts(type = "string | null")]
    pub password: Option<Bare>,
}

/// A secret on its way to the page. Printing it shows nothing.
pub struct Bare(SecretString);

impl std::fmt::Debug for Bare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl Serialize for Bare {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.expose_secret())
    }
}

/// The token and the password of a customer, as far as they are saved.
pub(crate) async fn secrets(
    session: &Session,
    id: &CustomerId,
) -> Result<(Option<SecretString>, Option<SecretString>), CommandError> {
    let (secrets, known) = (session.operations.secrets()?, session.operations.customers().known_secrets(id)?);
    let owner = Owner::Customer(id.clone());
    // A cut answer reported the secrets but no id: they are stored under the operation until they are adopted.
    let first = known.created.map(Owner::Operation);
    let of = async |kind| match (secrets.of(&owner, kind).await.map_err(CommandError::keychain)?, &first) {
        (None, Some(first)) => secrets.of(first, kind).await.map_err(CommandError::keychain),
        (found, _) => Ok(found),
    };
    let (token, created_with) = (of(SecretKind::Token).await?, of(SecretKind::Password).await?);
    let password = match &known.password {
        Some(reference) => secrets.read(reference).await.map_err(CommandError::keychain)?,
        None => created_with,
    };
    Ok((token, password))
}

/// Returns the secrets of a customer, to be shown.
pub async fn reveal_customer(till: &Till, id: CustomerId) -> Result<Revealed, CommandError> {
    let session = till.session().await?;
    let (token, password) = secrets(&session, &id).await?;
    Ok(Revealed { token: token.map(Bare), password: password.map(Bare) })
}

/// A secret, or the message with the secrets.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SecretWanted {
    /// The customer's token.
    Token,
    /// The proxy password.
    Password,
    /// The prepared message, with both.
    Message,
}

/// A secret to copy.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SecretOf {
    /// The customer.
    pub customer_id: CustomerId,
    /// The secret or message to copy.
    pub wanted: SecretWanted,
    /// The language of the message: `en` or `zh-CN`.
    pub language: String,
}

/// Copies a secret without showing it to the page.
pub async fn copy_secret(till: &Till, of: SecretOf) -> Result<(), CommandError> {
    let session = till.session().await?;
    let (token, password) = secrets(&session, &of.customer_id).await?;
    let text = match of.wanted {
        SecretWanted::Token => token,
        SecretWanted::Password => password,
        SecretWanted::Message => Some(message(&session, &of, token, password)?),
    };
    let text = text.ok_or_else(|| CommandError::invalid(field::Customer::NoSecret))?;
    till.copy_secret(text)
}

fn message(
    session: &Session,
    of: &SecretOf,
    token: Option<SecretString>,
    password: Option<SecretString>,
) -> Result<SecretString, CommandError> {
    let rows = session.customers.rows();
    let listed = rows.iter().find(|row| row.customer.customer_id == of.customer_id);
    // A customer that was created a moment ago is not in the list yet.
    let created = session.operations.history().of_customer(&of.customer_id, 1)?.pop().map(|one| one.user_name);
    let name = listed.map(|row| row.customer.user_name.clone()).or(created).unwrap_or_default();
    if token.is_none() && password.is_none() {
        return Err(CommandError::invalid(field::Customer::NoSecret));
    }
    let template = Template::Customer.read(session, &of.language)?;
    let shown = |secret: &Option<SecretString>| secret.as_ref().map_or("-", |secret| secret.expose_secret()).to_owned();
    let (token, password) = (shown(&token), shown(&password));
    let values = [
        ("name", name.as_str()),
        ("token", token.as_str()),
        ("password", password.as_str()),
        ("id", of.customer_id.as_str()),
    ];
    Ok(message::fill(&template, &values).into())
}

/// Returns the template of the prepared message in a language.
pub async fn message_template(till: &Till, language: String) -> Result<String, CommandError> {
    let session = till.session().await?;
    Template::Customer.read(&session, &language)
}

/// Saves the template of the prepared message in a language.
pub async fn save_template(till: &Till, of: TemplateOf) -> Result<(), CommandError> {
    let session = till.session().await?;
    Template::Customer.save(&session, &of)
}
