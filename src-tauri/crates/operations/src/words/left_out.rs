//! Why a row of a bulk is left out.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

words! {
    /// Why a row is left out: found in the draft, or when its turn came.
    LeftOut as "LeftOut" {
        /// A cell is a formula, which is not calculated here.
        Formula = "formula",
        /// An amount without a name.
        NoName = "no-name",
        /// Several cells could be the amount.
        WhichColumn = "which-column",
        /// A number that can be read in two ways.
        AmbiguousNumber = "ambiguous-number",
        /// A unit other than GB and MB.
        UnknownUnit = "unknown-unit",
        /// No amount is written.
        NoAmount = "no-amount",
        /// What the customer has left lasts as long as was asked for.
        EnoughLeft = "enough-left",
        /// A number without a unit.
        NoUnit = "no-unit",
        /// Not a number.
        NotANumber = "not-a-number",
        /// Not above zero.
        NotPositive = "not-positive",
        /// More than one move can carry.
        TooMuch = "too-much",
        /// More decimals than the vendor accepts.
        TooFine = "too-fine",
        /// The vendor's interface cannot carry exactly this.
        NotCarried = "not-carried",
        /// No customer of this name.
        Unknown = "unknown",
        /// Several customers may be meant.
        Which = "which",
        /// The vendor does not report what the customer was given, so a move could not be proved.
        NotReported = "not-told",
        /// More than the customer has left.
        BeyondLeft = "beyond-left",
        /// Not an email address.
        NotAnEmail = "not-an-email",
        /// The draft found a customer of this name.
        Taken = "taken",
        /// The password is too short.
        PasswordTooShort = "password-too-short",
        /// The password is too long.
        PasswordTooLong = "password-too-long",
        /// The password contains a character that is not allowed.
        PasswordForbidden = "password-forbidden",
        /// The customer is disabled, and such customers are left out.
        Disabled = "disabled",
        /// Another row stands for both.
        Duplicate = "duplicate",
        /// Another operation of the customer is open.
        Held = "held",
        /// The figures are not those that the preview showed, something was sent to the customer since the survey, or
        /// the row that this one does again is no longer certainly not done.
        Changed = "changed",
        /// The status or password of the customer was set after the bulk was confirmed.
        SetSince = "set-since",
        /// The customer is no longer in the list.
        NotYours = "not-yours",
        /// A customer of this name appeared after the draft.
        NameTaken = "name-taken",
        /// The typed password was only in memory, and the program was started again.
        SecretGone = "secret-gone",
        /// The vendor refused the same before, and may still carry it out.
        Watched = "watched",
        /// The meaning of 0 and 1 was swapped after the preview.
        Turned = "turned",
        /// A person cancelled the rest of the bulk.
        Cancelled = "cancelled",
        /// It was waiting, or left out for another reason, when the journal was restored.
        Restored = "restored",
    }
}

impl LeftOut {
    /// Whether the row may be done again: it is certainly not done, and nothing has taken its place. Another line stands
    /// for a duplicate, and a newer value for one that was set since; one that was left out when the journal was restored
    /// may have been done after the backup.
    pub(crate) fn is_certainly_not_done(self) -> bool {
        !matches!(self, Self::Duplicate | Self::SetSince | Self::Restored)
    }
}
