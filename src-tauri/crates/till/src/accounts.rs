//! Create a customer, set a proxy password or a status: the input is checked, then confirmed.

use operations::{AccountChange, OperationId, OperationView, Secrets, password};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::ids::CustomerId;

use crate::Till;
use crate::error::CommandError;
use crate::field;
use crate::moves::Confirmed;
use crate::session::Session;

/// A change of a customer.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case", tag = "change", rename_all_fields = "camelCase")]
pub enum ChangeDraft {
    /// Creates a customer.
    Create {
        /// Login name, in e-mail format.
        user_name: String,
    },
    /// Sets a proxy password.
    Password {
        /// The customer.
        customer_id: CustomerId,
        /// The password, as typed or generated.
        #[ts(type = "string")]
        password: SecretString,
    },
    /// Sets the status.
    Status {
        /// The customer.
        customer_id: CustomerId,
        /// Active or disabled.
        active: bool,
    },
}

/// The offer that the dialog's button confirms.
#[derive(Debug, Serialize, TS)]
pub struct ChangeOffered {
    /// The confirmation, accepted once by `confirm_change`.
    pub token: String,
}

/// Checks a change of a customer and offers it for confirmation.
pub async fn offer_change(till: &Till, draft: ChangeDraft) -> Result<ChangeOffered, CommandError> {
    let session = till.session().await?;
    let change = match draft {
        ChangeDraft::Create { user_name } => creation(&session, user_name.trim()).await?,
        ChangeDraft::Password { customer_id, password: typed } => {
            password::check(typed.expose_secret()).map_err(bad_password)?;
            let user_name = name_of(&session, &customer_id)?;
            let reference = Secrets::new_reference();
            session.operations.secrets()?.hold(&reference, typed);
            AccountChange::Password { customer_id, user_name, reference, typed: true }
        }
        ChangeDraft::Status { customer_id, active } => {
            let (user_name, customer_state) =
                (name_of(&session, &customer_id)?, session.vendor.states[usize::from(!active)]);
            AccountChange::Status { customer_id, user_name, active, customer_state }
        }
    };
    let offer = session.operations.offer(change, None).map_err(CommandError::of_customer)?;
    session.has_asked(&offer.token);
    Ok(ChangeOffered { token: offer.token })
}

async fn creation(session: &Session, user_name: &str) -> Result<AccountChange, CommandError> {
    if !customers::draft::is_email(user_name) {
        return Err(CommandError::invalid(field::CreateUsername::NotAnEmail));
    }
    let known = session.customers.known().await;
    let folded = operations::folded(user_name);
    let is_there =
        |rows: &[wire::customers::Customer]| rows.iter().any(|row| operations::folded(&row.user_name) == folded);
    if known.is_some_and(|known| is_there(&known.rows)) {
        return Err(CommandError::invalid(field::CreateUsername::Taken));
    }
    Ok(AccountChange::Create { user_name: user_name.to_owned() })
}

/// The vendor's own name for the customer, not the page's.
fn name_of(session: &Session, id: &CustomerId) -> Result<String, CommandError> {
    let rows = session.customers.rows();
    let row = rows.iter().find(|row| row.customer.customer_id == *id);
    Ok(row.ok_or_else(|| CommandError::invalid(field::Customer::NotYours))?.customer.user_name.clone())
}

fn bad_password(bad: password::BadPassword) -> CommandError {
    CommandError::invalid(match bad {
        password::BadPassword::TooShort => field::PasswordNew::TooShort,
        password::BadPassword::TooLong => field::PasswordNew::TooLong,
        password::BadPassword::Forbidden => field::PasswordNew::Forbidden,
    })
}

/// Sends the change that a dialog confirmed.
pub async fn confirm_change(till: &Till, confirmed: Confirmed) -> Result<OperationView, CommandError> {
    let _sending = till.gate.send()?;
    let session = till.session().await?;
    confirmed.send(&session).await
}

/// Generates a password. The page shows it in the field, so that the person sees what is sent.
pub async fn generate_password(_till: &Till, (): ()) -> Result<String, CommandError> {
    let made =
        password::generate().ok_or_else(|| CommandError::internal(&std::io::Error::other("no random numbers")))?;
    Ok(made.expose_secret().to_owned())
}

/// Saves the secrets of a created customer that the keychain could not save before.
pub async fn save_secrets(till: &Till, id: OperationId) -> Result<OperationView, CommandError> {
    let session = till.session().await?;
    Ok(session.operations.save_secrets(&id).await?)
}
