//! What a draft is judged by.

use std::collections::HashSet;

use operations::GbFactor;
use wire::Amount;
use wire::customers::Customer;
use wire::ids::CustomerId;

use crate::naming::Naming;

/// The facts that a draft is judged by.
pub struct Facts<'a> {
    /// All customers.
    pub customers: &'a [Customer],
    /// Index of the customers by name.
    pub naming: &'a Naming,
    /// Customers, and names, held by an open operation.
    pub held: &'a HashSet<String>,
    /// Customers who are disabled, as last set from here.
    pub disabled: &'a HashSet<CustomerId>,
    /// The most the agent can give, in MB; `None` when not reported.
    pub own: Option<Amount>,
    /// MB in a GB.
    pub factor: GbFactor,
    /// This vendor's values for active and disabled.
    pub states: [u8; 2],
}
