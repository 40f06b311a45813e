//! Mishaps of writes.

use serde::{Deserialize, Serialize};

/// One of the requests that spend money, move traffic or change a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Write {
    /// `POST …/purchase/orders/place-and-pay`.
    Order,
    /// `POST …/renewals/orders/place-and-pay`.
    Renewal,
    /// `GET …/rechargeTrafficCount`.
    Recharge,
    /// `GET …/deductionFlow`.
    Deduction,
    /// `GET …/addUser`.
    AddUser,
    /// `GET …/updatePwd`.
    Password,
    /// `GET …/changeStatus`.
    Status,
}

impl Write {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Order, Self::Renewal, Self::Recharge, Self::Deduction, Self::AddUser, Self::Password, Self::Status];
}

/// A mishap of one write, instead of plain success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mishap {
    /// The connection ends before anything is done.
    LostBefore,
    /// The write is done; the connection ends before the answer.
    LostAfter,
    /// The write is refused and not done.
    Refused {
        /// The code; this service's usual one when `None`.
        code: Option<i64>,
    },
    /// The write is refused, and still done later.
    RefusedAndDone {
        /// The code; this service's usual one when `None`.
        code: Option<i64>,
        /// Delay in milliseconds; 0 is at once.
        after_ms: i64,
    },
    /// There is no answer, and the write is done later.
    LostAndDone {
        /// Delay in milliseconds.
        after_ms: i64,
    },
    /// The write is done and answered; a copy of the request arrives later.
    Doubled {
        /// Delay in milliseconds.
        after_ms: i64,
    },
    /// The answer is HTTP 429; nothing is done.
    Busy,
    /// The answer is HTTP 502 from a gateway, with a page that is not JSON; the write may be done later.
    Gateway {
        /// Delay in milliseconds; never done when `None`.
        done_after_ms: Option<i64>,
    },
    /// The write is done; the answer breaks off in the middle.
    CutShort,
}

/// A recurring mishap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The kind of write.
    pub write: Write,
    /// Every n-th write of that kind, by this n.
    pub every: u32,
    /// The mishap.
    pub mishap: Mishap,
}
