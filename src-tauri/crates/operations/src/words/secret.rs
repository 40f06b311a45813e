//! The names under which the secrets of a created customer are stored.

use wire::ids::CustomerId;

use crate::words::state::OperationId;

/// One of a created customer's two secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// The customer's token.
    Token,
    /// The first proxy password.
    Password,
}

impl SecretKind {
    pub(crate) const ALL: [Self; 2] = [Self::Token, Self::Password];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Password => "password",
        }
    }
}

/// The owner of a created customer's secrets, under which they are stored.
#[derive(Clone, Debug)]
pub enum Owner {
    /// The customer, once its id is known.
    Customer(CustomerId),
    /// The operation that created it, until then.
    Operation(OperationId),
}

impl Owner {
    pub(crate) fn reference(&self, kind: SecretKind) -> String {
        match self {
            Self::Customer(id) => format!("customer/{id}/{}", kind.word()),
            Self::Operation(id) => format!("operation/{}/{}", id.0, kind.word()),
        }
    }

    /// The names of both secrets.
    pub(crate) fn references(&self) -> [String; 2] {
        SecretKind::ALL.map(|kind| self.reference(kind))
    }
}
