//! The result of a check.

use crate::words::cause::Cause;
use crate::words::gb::GbFactor;

/// The result of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finding {
    /// Nothing could be read, so it says nothing.
    #[default]
    Unreadable,
    /// Neither witness shows the move. Never a proof that it was not done.
    Nothing,
    /// Both witnesses show it, once.
    Once {
        /// MB of a GB, as the vendor counted.
        factor: GbFactor,
    },
    /// Both witnesses show it more than once.
    Twice,
    /// A created customer is in the list.
    Listed {
        /// Whether the secrets that came with it are saved, none of them in memory alone.
        saved: bool,
    },
    /// The witnesses disagree, or someone else moved traffic meanwhile.
    Disagree,
    /// The witnesses disagree, and more than one record of one operator may be its own.
    Surplus,
}

impl Finding {
    /// The event of the journal.
    pub fn cause(self) -> Cause {
        match self {
            Self::Unreadable => Cause::SawUnreadable,
            Self::Nothing => Cause::SawNothing,
            Self::Once { .. } => Cause::SawOnce,
            Self::Twice => Cause::SawTwice,
            Self::Listed { .. } => Cause::SawListed,
            Self::Disagree => Cause::SawDisagreement,
            Self::Surplus => Cause::SawSurplus,
        }
    }

    /// Whether its witnesses disagree: what was read at two moments may be why.
    pub(crate) fn disagrees(self) -> bool {
        matches!(self, Self::Disagree | Self::Surplus)
    }

    /// Whether it shows that the write was carried out.
    pub(crate) fn shows(self) -> bool {
        matches!(self, Self::Once { .. } | Self::Twice | Self::Listed { .. })
    }
}
