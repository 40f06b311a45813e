//! Create, proxy password, status: what the person confirmed, the bytes that are sent, what the answer means.

use client::{Error, Lost, Request};
use serde::{Deserialize, Serialize};
use wire::ids::CustomerId;

use crate::words::outcome::Outcome;
use crate::words::state::Kind;
use crate::writes::answers::is_turned_away;

/// A change of customers as a person confirms it. Holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AccountChange {
    /// `addUser`.
    Create {
        /// User name, in e-mail format.
        user_name: String,
    },
    /// `updatePwd`: "sets the customer's proxy (verification) password".
    Password {
        /// The customer.
        customer_id: CustomerId,
        /// User name.
        user_name: String,
        /// The entry of the keychain that holds the new password.
        reference: String,
        /// Whether a person chose it: it must not be replaced by another.
        #[serde(default)]
        typed: bool,
    },
    /// `changeStatus`.
    Status {
        /// The customer.
        customer_id: CustomerId,
        /// User name.
        user_name: String,
        /// Whether the customer should be active.
        active: bool,
        /// The vendor's number for it: 0 or 1, by the polarity of the connection.
        customer_state: u8,
    },
}

/// The form in which user names are compared. The vendor's list is compared the same way.
pub fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

impl AccountChange {
    /// The kind of write.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Create { .. } => Kind::Create,
            Self::Password { .. } => Kind::Password,
            Self::Status { .. } => Kind::Status,
        }
    }

    /// What the operation holds while open: the customer, or the name that it will have.
    pub fn target(&self) -> String {
        match self {
            Self::Create { user_name } => format!("name {}", folded(user_name)),
            Self::Password { customer_id, .. } | Self::Status { customer_id, .. } => customer_id.as_str().to_owned(),
        }
    }

    /// The user name.
    pub fn user_name(&self) -> &str {
        match self {
            Self::Create { user_name } | Self::Password { user_name, .. } | Self::Status { user_name, .. } => user_name,
        }
    }

    /// The customer; `None` if it is yet to be created.
    pub fn customer_id(&self) -> Option<&CustomerId> {
        match self {
            Self::Create { .. } => None,
            Self::Password { customer_id, .. } | Self::Status { customer_id, .. } => Some(customer_id),
        }
    }

    /// The entry of the keychain that holds the new password; `None` for other changes.
    pub fn reference(&self) -> Option<&str> {
        match self {
            Self::Password { reference, .. } => Some(reference),
            _ => None,
        }
    }

    /// The request.
    pub fn request(&self) -> Request {
        match self {
            Self::Create { user_name } => client::customers::create(user_name),
            Self::Password { customer_id, reference, .. } => client::customers::set_password(customer_id, reference),
            Self::Status { customer_id, customer_state, .. } => {
                client::customers::set_status(customer_id, *customer_state)
            }
        }
    }

    /// The class of an answer.
    pub fn outcome<T>(&self, answer: &Result<T, Error>) -> Outcome {
        let creates = self.kind() == Kind::Create;
        match answer {
            Ok(_) => Outcome::Success { as_confirmed: true },
            Err(Error::NotSent(_)) => Outcome::NotSent,
            Err(Error::NotAuthenticated(refusal)) if is_turned_away(refusal) => Outcome::NotAuthenticated,
            Err(Error::Refused(refusal)) if refusal.status < 500 => match refusal.code.as_str() {
                "201" if creates => Outcome::AlreadyDone,
                "202" if creates => Outcome::Declined,
                "201" | "204" if !creates => Outcome::Declined,
                _ => Outcome::Refused,
            },
            // Hazard 12: the password may have been shown to whatever stands between us and the vendor.
            Err(Error::OutcomeUnknown(Lost::Redirected)) if self.kind() == Kind::Password => Outcome::Exposed,
            Err(_) => Outcome::Lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writes::answers::tests::{refused, turned_away, without_data};

    #[test]
    fn every_class_of_answer_has_its_meaning_for_each_change() {
        let (customer_id, user_name) = (CustomerId::new("100001"), "ali@x.com".to_owned());
        let create = AccountChange::Create { user_name: user_name.clone() };
        let password = AccountChange::Password {
            customer_id: customer_id.clone(),
            user_name: user_name.clone(),
            reference: "r".into(),
            typed: true,
        };
        let status = AccountChange::Status { customer_id, user_name, active: false, customer_state: 0 };
        let (lost, refused_by) = (Outcome::Lost, |code| Err(refused(200, code)));
        let cases = [
            (refused_by("201"), [Outcome::AlreadyDone, Outcome::Declined, Outcome::Declined]),
            (refused_by("202"), [Outcome::Declined, Outcome::Refused, Outcome::Refused]),
            (refused_by("204"), [Outcome::Refused, Outcome::Declined, Outcome::Declined]),
            (refused_by("500"), [Outcome::Refused; 3]),
            (Err(refused(502, "201")), [lost; 3]),
            (Err(refused(500, "201")), [lost; 3]),
            (Err(turned_away(500)), [lost; 3]),
            (Err(turned_away(401)), [Outcome::NotAuthenticated; 3]),
            (Err(turned_away(503)), [lost; 3]),
            (Err(without_data()), [lost; 3]),
            (Err(Error::OutcomeUnknown(Lost::Redirected)), [lost, Outcome::Exposed, lost]),
            (Err(Error::OutcomeUnknown(Lost::Cut)), [lost; 3]),
            (Err(Error::NotThisService { status: 200 }), [lost; 3]),
            (Ok(()), [Outcome::Success { as_confirmed: true }; 3]),
        ];
        for (answer, expected) in cases {
            let outcomes = [&create, &password, &status].map(|change| change.outcome(&answer));
            assert_eq!(outcomes, expected, "{answer:?}");
        }
    }

    #[test]
    fn names_that_differ_in_case_alone_hold_each_other() {
        let target = |name: &str| AccountChange::Create { user_name: name.into() }.target();
        assert_eq!(target("Ali@X.com "), target("ali@x.com"));
        assert_ne!(target("100001"), "100001", "a name is no customer");
    }
}
