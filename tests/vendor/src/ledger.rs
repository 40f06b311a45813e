//! The ledger: what really happened, in order; the truth that tests compare with.

use rust_decimal::Decimal;

/// The operator who did something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// `createId`.
    pub id: i64,
    /// `createBy`.
    pub name: String,
}

impl Actor {
    /// Another operator of the same agency, with the same rights.
    #[must_use]
    pub fn colleague() -> Self {
        Self { id: 70_212, name: "agency-desk-2".into() }
    }

    /// The vendor's own console.
    #[must_use]
    pub fn console() -> Self {
        Self { id: 1, name: "admin".into() }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Time, in milliseconds since 1970.
    pub at_ms: i64,
    /// The operator who caused it.
    pub who: Actor,
    /// The event.
    pub what: What,
}

/// An event. Traffic is in MB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Traffic was bought for the agency.
    Funded {
        /// Amount, in MB.
        mb: Decimal,
    },
    /// A customer was created.
    Created {
        /// The customer's id.
        customer: i64,
        /// User name.
        name: String,
    },
    /// A customer received traffic.
    Recharged {
        /// The customer.
        customer: i64,
        /// Amount, in MB.
        mb: Decimal,
        /// `orderId` of the request; empty for the console.
        order_id: String,
    },
    /// Traffic was taken from a customer.
    Deducted {
        /// The customer.
        customer: i64,
        /// Amount, in MB.
        mb: Decimal,
    },
    /// A customer used traffic.
    Used {
        /// The customer.
        customer: i64,
        /// Sent, in MB.
        up: Decimal,
        /// Received, in MB.
        down: Decimal,
    },
    /// A customer's password was set.
    PasswordSet {
        /// The customer.
        customer: i64,
        /// The password.
        password: String,
    },
    /// A customer was enabled or disabled.
    StatusSet {
        /// The customer.
        customer: i64,
        /// Whether the customer is now enabled.
        active: bool,
    },
    /// An order was placed and paid from the wallet.
    Charged {
        /// The order.
        order_no: String,
        /// The key of the request.
        key: Option<String>,
        /// Amount charged.
        amount: Decimal,
    },
    /// IPs were renewed and paid from the wallet.
    Renewed {
        /// The order of the renewal.
        order_no: String,
        /// The key of the request.
        key: Option<String>,
        /// Amount charged.
        amount: Decimal,
        /// The IPs, by their ids.
        ips: Vec<String>,
    },
    /// Addresses of an order were delivered.
    Delivered {
        /// The order.
        order_no: String,
        /// Number delivered so far.
        count: u32,
    },
}

/// The state of a customer at some point of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// The customer's id.
    pub id: i64,
    /// User name.
    pub name: String,
    /// Recharged, in MB.
    pub recharged: Decimal,
    /// Deducted, in MB.
    pub deducted: Decimal,
    /// Used, in MB.
    pub used: Decimal,
    /// The last password set.
    pub password: Option<String>,
    /// Whether the customer is enabled.
    pub active: bool,
}

impl Customer {
    /// Traffic left, in MB.
    #[must_use]
    pub fn residual(&self) -> Decimal {
        self.recharged - self.deducted - self.used
    }
}

/// Derives the customers from these entries, in order of creation.
pub(crate) fn customers<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Customer> {
    let mut all: Vec<Customer> = Vec::new();
    for entry in entries {
        if let What::Created { customer, name } = &entry.what {
            let (id, name, none) = (*customer, name.clone(), Decimal::ZERO);
            all.push(Customer { id, name, recharged: none, deducted: none, used: none, password: None, active: true });
            continue;
        }
        let Some(customer) = subject(&entry.what).and_then(|id| all.iter_mut().find(|known| known.id == id)) else {
            continue;
        };
        match &entry.what {
            What::Recharged { mb, .. } => customer.recharged += mb,
            What::Deducted { mb, .. } => customer.deducted += mb,
            What::Used { up, down, .. } => customer.used += up + down,
            What::PasswordSet { password, .. } => customer.password = Some(password.clone()),
            What::StatusSet { active, .. } => customer.active = *active,
            _ => {}
        }
    }
    all
}

/// The customer that an entry concerns.
pub(crate) fn subject(what: &What) -> Option<i64> {
    match what {
        What::Created { customer, .. }
        | What::Recharged { customer, .. }
        | What::Deducted { customer, .. }
        | What::Used { customer, .. }
        | What::PasswordSet { customer, .. }
        | What::StatusSet { customer, .. } => Some(*customer),
        What::Funded { .. } | What::Charged { .. } | What::Renewed { .. } | What::Delivered { .. } => None,
    }
}

/// One request, without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Time, in milliseconds since 1970.
    pub at_ms: i64,
    /// Method and path.
    pub what: String,
    /// The query, with passwords crossed out.
    pub query: String,
    /// The header `X-Idempotency-Key`.
    pub key: Option<String>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// Whether the answer arrived.
    pub answered: bool,
}
