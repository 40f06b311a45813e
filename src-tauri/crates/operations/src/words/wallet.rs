//! The words of the wallet's ledger.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

words! {
    /// What a person typed about the wallet.
    Typed as "WalletTyped" {
        /// Its whole balance, as the vendor's console shows it.
        Balance = "balance",
        /// Money that was added to it.
        Added = "added",
        /// Money that was spent outside this program.
        Spent = "spent",
    }
}

words! {
    /// What a line of the ledger does to the figure.
    Effect as "WalletEffect" {
        /// A typed balance, which the figure begins with.
        Balance = "balance",
        /// It raises the figure.
        Added = "added",
        /// It lowers the figure.
        Spent = "spent",
        /// An order that was carried out: it lowers the figure.
        Took = "took",
        /// An order whose outcome is not known: it may have lowered the balance.
        MayHaveTaken = "may-have-taken",
        /// The balance may include it already: it was under way, entered or done about when the balance was seen.
        MayBeIncluded = "may-be-included",
        /// Not included in the figure: an order in another currency, or an amount that no exact sum can hold.
        NotCounted = "not-counted",
        /// Typed before the balance, which includes it.
        Earlier = "earlier",
    }
}

words! {
    /// Why the figure is not to be trusted.
    Doubt as "WalletDoubt" {
        /// The vendor refused an order that the figure would have paid for.
        TooHigh = "too-high",
        /// More was spent than there was.
        BelowZero = "below-zero",
        /// The journal was restored since the balance was typed: what was typed later may be missing.
        Restored = "restored",
    }
}
