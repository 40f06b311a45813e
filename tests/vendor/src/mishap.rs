//! What goes wrong with a write.

use serde::{Deserialize, Serialize};

/// One of the six requests that spend money, move traffic or change a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Write {
    /// `POST …/purchase/orders/place-and-pay`.
    Order,
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
    /// All six.
    pub const ALL: [Self; 6] =
        [Self::Order, Self::Recharge, Self::Deduction, Self::AddUser, Self::Password, Self::Status];
}

/// What happens to one write instead of plain success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mishap {
    /// The connection ends before anything was done.
    LostBefore,
    /// It is done; the connection ends before the answer.
    LostAfter,
    /// A no that means it. The code is the usual one of this service unless one is named.
    Refused {
        /// The code, if not the usual one.
        code: Option<i64>,
    },
    /// A no, and yet it is done this many milliseconds later; 0 is at once.
    RefusedAndDone {
        /// The code, if not the usual one.
        code: Option<i64>,
        /// How much later, in milliseconds.
        after_ms: i64,
    },
    /// No answer, and it is done this many milliseconds later.
    LostAndDone {
        /// How much later, in milliseconds.
        after_ms: i64,
    },
    /// It is done and answered; a copy of the request arrives this many milliseconds later.
    Doubled {
        /// How much later, in milliseconds.
        after_ms: i64,
    },
    /// HTTP 429; nothing is done.
    Busy,
    /// HTTP 502 of a gateway with a page that is not JSON, and it is done this many milliseconds later.
    Gateway {
        /// How much later, in milliseconds; never if absent.
        done_after_ms: Option<i64>,
    },
    /// It is done; the answer ends in the middle.
    CutShort,
}

/// A mishap that recurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// To which write.
    pub write: Write,
    /// To each of this number, counted from one.
    pub every: u32,
    /// What happens.
    pub mishap: Mishap,
}
