//! Changes customers without a window.

use operations::{AccountChange, OperationView, Secrets};
use sandbox::{Fault, LedgerAccount};
use sha2::{Digest, Sha256};
use wire::ids::CustomerId;

use crate::order::Buyer;
use crate::service::fault;
use crate::traffic_move::CUSTOMER;

/// The user name of a customer to create.
pub const NEW: &str = "New.One@x.com";

/// Returns the end of a change's path.
pub fn endpoint(change: &AccountChange) -> &'static str {
    match change {
        AccountChange::Create { .. } => "addUser",
        AccountChange::Password { .. } => "updatePwd",
        AccountChange::Status { .. } => "changeStatus",
    }
}

/// Makes the creation of a customer.
pub fn create(user_name: &str) -> AccountChange {
    AccountChange::Create { user_name: user_name.into() }
}

/// Makes a change of status, with the contract's meaning of 0 and 1.
pub fn status(active: bool) -> AccountChange {
    let customer_id = CustomerId::new(CUSTOMER);
    AccountChange::Status { customer_id, user_name: "ali@x.com".into(), active, customer_state: u8::from(active) }
}

/// Returns the form in which the ledger stores a secret.
pub fn hash(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Buyer {
    /// Makes a change of password, with the password held in memory as the dialog holds it.
    pub fn password(&self, secret: &str) -> AccountChange {
        let customer_id = CustomerId::new(CUSTOMER);
        let reference = Secrets::new_reference();
        self.operations.secrets().expect("an account").hold(&reference, secret.into());
        AccountChange::Password { customer_id, user_name: "ali@x.com".into(), reference, typed: true }
    }

    /// Confirms a change and sends it once, through a fault if there is one.
    pub async fn change(&self, change: AccountChange, through: Option<Fault>) -> OperationView {
        if let Some(kind) = through {
            fault(&self.service, endpoint(&change), kind);
        }
        self.send(change.into()).await
    }

    /// Returns the customers in the ledger that were created or changed.
    pub fn accounts(&self) -> Vec<LedgerAccount> {
        self.service.world.ledger().expect("a ledger").accounts
    }
}
