//! The errors of commands. The page has a sentence for each code.

use client::{Error, Lost, NotSent};
use operations::NotConfirmed;
use operations::{JournalError, OperationError, SnapshotError};
use serde::Serialize;
use ts_rs::TS;
use vault::KeychainState;
use wire::envelope::Refusal;

use crate::field::{self, WrongField};

/// The codes that the page treats differently from each other, some with a value that says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "code", content = "about", rename_all = "kebab-case")]
pub enum Code {
    /// No connection is open.
    NoConnection,
    /// The connection has no token for this area.
    NoCredentials,
    /// A token holds characters that cannot be sent.
    BadCredentials,
    /// This computer has no certificates to verify the vendor with; nothing was sent.
    NoCertificates,
    /// The service cannot be reached; nothing was sent.
    Unreachable,
    /// The answer was lost.
    NoAnswer,
    /// The answer was larger than any answer may be.
    TooLarge,
    /// The credentials were refused.
    NotAuthenticated,
    /// The vendor refused.
    Refused,
    /// The vendor still asked us to wait after the time a person is ready to wait.
    TooManyRequests,
    /// Something else answers at the address.
    NotThisService,
    /// The vendor's server, or one in front of it, is in trouble.
    VendorTrouble,
    /// The vendor's answer cannot be read.
    Unreadable,
    /// The person stopped waiting.
    GivenUp,
    /// A field is wrong.
    Invalid(WrongField),
    /// The keychain cannot be used.
    Keychain(KeychainState),
    /// The saved tokens cannot be read from the keychain.
    Tokens(KeychainState),
    /// The connection has an operation that is not confirmed.
    ConnectionInUse,
    /// Another operation is still open.
    TargetHeld,
    /// Another operation of this customer is still open.
    CustomerHeld,
    /// The customer's figures are no longer those that the dialog showed.
    FiguresChanged,
    /// The meaning of 0 and 1 was swapped since.
    PolarityTurned,
    /// It was prepared for another account than the open one.
    OtherAccount,
    /// The records that have to be read before a move of traffic changed with every read.
    NotRead,
    /// Another value was sent to this customer a moment ago; `details.near` holds the seconds to wait.
    TooSoon,
    /// The vendor refused the same write before, and may still carry it out.
    StillWatched,
    /// The same write was refused before and was carried out after all. Nothing was sent now.
    DoneAfterAll,
    /// A person said no in the system dialog.
    Declined,
    /// The list, draft or selection that this refers to has changed since.
    Changed,
    /// The price has expired.
    PriceExpired,
    /// The price is another one than the one confirmed: nothing was sent. `details.near` is the price now.
    PriceChanged,
    /// It is too late to send an operation again: the vendor may have forgotten it, and it may be paid twice.
    TooLate,
    /// The confirmation was used or is too old.
    StaleConfirmation,
    /// The operation's state does not allow this.
    NotPossible,
    /// The journal cannot be used: nothing is sent.
    Journal,
    /// The journal failed after an answer: nothing more is sent, and the outcome is not recorded.
    Stopped,
    /// A list changes faster than it can be read.
    Restless,
    /// The file was written by a newer version of the program.
    NewerData,
    /// A file cannot be written.
    NotSaved,
    /// A saved file is no longer there.
    FileGone,
    /// Something is being sent and has to end first.
    Busy,
    /// A newer version is being installed, or the program is about to start again: nothing was sent.
    Installing,
    /// No newer version could be fetched or installed.
    Update(updates::Error),
    /// Anything else.
    Internal,
}

/// The error of a command.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CommandError {
    /// The code that the page acts on.
    #[serde(flatten)]
    pub code: Code,
    /// The content of "Details"; never a secret.
    pub details: Box<Details>,
}

/// The content of "Details" and of "Copy details".
#[derive(Clone, Debug, Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The vendor's code.
    pub vendor_code: Option<String>,
    /// The vendor's own words.
    pub vendor_message: Option<String>,
    /// The vendor's trace identifier.
    pub trace_id: Option<String>,
    /// A technical description, for a person who can fix the problem.
    pub technical: Option<String>,
    /// The nearest value that would do, for a field that is wrong; the seconds to wait, for `too-soon`; the price now,
    /// for `price-changed`.
    pub near: Option<String>,
}

impl CommandError {
    fn plain(code: Code) -> Self {
        Self { code, details: Box::default() }
    }

    pub(crate) fn no_connection() -> Self {
        Self::plain(Code::NoConnection)
    }

    pub(crate) fn connection_in_use() -> Self {
        Self::plain(Code::ConnectionInUse)
    }

    pub(crate) fn given_up() -> Self {
        Self::plain(Code::GivenUp)
    }

    pub(crate) fn customer_held() -> Self {
        Self::plain(Code::CustomerHeld)
    }

    pub(crate) fn changed() -> Self {
        Self::plain(Code::Changed)
    }

    pub(crate) fn installing() -> Self {
        Self::plain(Code::Installing)
    }

    pub(crate) fn busy() -> Self {
        Self::plain(Code::Busy)
    }

    pub(crate) fn file_gone() -> Self {
        Self::plain(Code::FileGone)
    }

    pub(crate) fn declined() -> Self {
        Self::plain(Code::Declined)
    }

    pub(crate) fn price_expired() -> Self {
        Self::plain(Code::PriceExpired)
    }

    pub(crate) fn price_changed(now: &str) -> Self {
        Self::plain(Code::PriceChanged).with_near(now)
    }

    /// A field that is wrong, with the nearest value that would do.
    pub(crate) fn invalid_near(field: impl Into<WrongField>, near: &str) -> Self {
        Self::invalid(field).with_near(near)
    }

    fn with_near(mut self, near: &str) -> Self {
        self.details.near = Some(near.into());
        self
    }

    /// Turns an operation's error into a command's, about a customer: a held target is the customer, not the wallet.
    pub(crate) fn of_customer(error: OperationError) -> Self {
        match error {
            OperationError::TargetHeld => Self::customer_held(),
            error => error.into(),
        }
    }

    pub(crate) fn invalid(field: impl Into<WrongField>) -> Self {
        Self::plain(Code::Invalid(field.into()))
    }

    pub(crate) fn keychain(state: KeychainState) -> Self {
        Self::plain(Code::Keychain(state))
    }

    pub(crate) fn tokens(state: KeychainState) -> Self {
        Self::plain(Code::Tokens(state))
    }

    pub(crate) fn not_saved(error: &dyn std::error::Error) -> Self {
        Self::technical(Code::NotSaved, error)
    }

    /// An error that the page has no sentence for; "Details" shows its text.
    pub fn internal(error: &dyn std::error::Error) -> Self {
        Self::technical(Code::Internal, error)
    }

    pub(crate) fn technical(code: Code, error: &dyn std::error::Error) -> Self {
        Self {
            details: Box::new(Details { technical: Some(error.to_string()), ..Details::default() }),
            ..Self::plain(code)
        }
    }

    fn vendor(code: Code, refusal: Refusal) -> Self {
        let details = Box::new(Details {
            vendor_code: Some(refusal.code),
            vendor_message: Some(refusal.message),
            trace_id: refusal.trace_id,
            technical: Some(format!("HTTP {}", refusal.status)),
            near: None,
        });
        Self { details, ..Self::plain(code) }
    }
}

/// Whether a newer version of the program has migrated a file.
pub(crate) fn is_newer(error: &rusqlite_migration::Error) -> bool {
    use rusqlite_migration::{Error, MigrationDefinitionError};
    matches!(error, Error::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead))
}

impl From<updates::Error> for CommandError {
    fn from(error: updates::Error) -> Self {
        Self::technical(Code::Update(error), &error)
    }
}

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        match error {
            Error::NotSent(NotSent::NoCredentials) => Self::plain(Code::NoCredentials),
            Error::NotSent(NotSent::BadCredentials) => Self::plain(Code::BadCredentials),
            Error::NotSent(NotSent::OtherAccount) => Self::plain(Code::OtherAccount),
            Error::NotSent(NotSent::NoCertificates) => Self::plain(Code::NoCertificates),
            Error::NotSent(_) => Self::technical(Code::Unreachable, &error),
            // The vendor's interface does not redirect.
            Error::OutcomeUnknown(Lost::Redirected) => Self::technical(Code::NotThisService, &error),
            Error::OutcomeUnknown(Lost::TooLarge) => Self::technical(Code::TooLarge, &error),
            Error::OutcomeUnknown(_) => Self::technical(Code::NoAnswer, &error),
            Error::NotAuthenticated(refusal) => Self::vendor(Code::NotAuthenticated, refusal),
            Error::Refused(refusal) if error.asks_to_wait() => Self::vendor(Code::TooManyRequests, refusal),
            Error::Refused(refusal) => Self::vendor(Code::Refused, refusal),
            Error::NotThisService { status } if status >= 500 => Self::technical(Code::VendorTrouble, &error),
            _ if error.asks_to_wait() => Self::technical(Code::TooManyRequests, &error),
            Error::Restless => Self::technical(Code::Restless, &error),
            Error::NotThisService { .. } => Self::technical(Code::NotThisService, &error),
            Error::Unreadable { ref trace_id, .. } => {
                let trace_id = trace_id.clone();
                let mut read = Self::technical(Code::Unreadable, &error);
                read.details.trace_id = trace_id;
                read
            }
        }
    }
}

impl From<OperationError> for CommandError {
    fn from(error: OperationError) -> Self {
        let code = match error {
            OperationError::NotRead(SnapshotError::Vendor(error)) => return error.into(),
            OperationError::NotRead(SnapshotError::Restless) => Code::NotRead,
            OperationError::NotConfirmed(NotConfirmed::PriceExpired) => Code::PriceExpired,
            OperationError::NotConfirmed(NotConfirmed::Changed) => Code::FiguresChanged,
            OperationError::NotConfirmed(NotConfirmed::Turned) => Code::PolarityTurned,
            OperationError::NotConfirmed(NotConfirmed::OtherAccount) => Code::OtherAccount,
            OperationError::NotConfirmed(_) => Code::StaleConfirmation,
            OperationError::NameTaken => return Self::invalid(field::CreateUsername::Taken),
            OperationError::TooSoon { wait } => {
                return Self::technical(Code::TooSoon, &error).with_near(&wait.as_secs().max(1).to_string());
            }
            OperationError::NotSaved(state) => return Self::keychain(state),
            OperationError::NoRandomness => return Self::internal(&error),
            OperationError::TargetHeld => Code::TargetHeld,
            OperationError::StillWatched => Code::StillWatched,
            OperationError::DoneAfterAll => Code::DoneAfterAll,
            OperationError::TooLate => Code::TooLate,
            OperationError::NotFound | OperationError::Impossible(_) => Code::NotPossible,
            OperationError::Stopped => Code::Stopped,
            OperationError::Journal(_) => Code::Journal,
        };
        Self::technical(code, &error)
    }
}

impl From<JournalError> for CommandError {
    fn from(error: JournalError) -> Self {
        match &error {
            JournalError::Migration(wrong) if is_newer(wrong) => Self::technical(Code::NewerData, &error),
            _ => Self::technical(Code::Journal, &error),
        }
    }
}

impl From<usage::StoreError> for CommandError {
    fn from(error: usage::StoreError) -> Self {
        Self::internal(&error)
    }
}

impl From<usage::SyncError> for CommandError {
    fn from(error: usage::SyncError) -> Self {
        match error {
            usage::SyncError::Vendor(error) => error.into(),
            usage::SyncError::Store(error) => error.into(),
            usage::SyncError::Restless => Self::technical(Code::Restless, &error),
        }
    }
}

impl From<client::AddressError> for CommandError {
    fn from(error: client::AddressError) -> Self {
        match error {
            client::AddressError::NotAnAddress => Self::invalid(field::BaseUrl::NotAnAddress),
            client::AddressError::NotHttps => Self::invalid(field::BaseUrl::NotHttps),
            client::AddressError::TooMuch => Self::invalid(field::BaseUrl::TooMuch),
            client::AddressError::BadPrefix => Self::invalid(field::StaticPrefix::BadPrefix),
        }
    }
}
