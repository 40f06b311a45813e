//! The writes as commands: their conditions and effects.

use crate::choices::SeenKey;
use crate::ledger::{Actor, What};
use crate::mishap::Write;
use crate::renewal::Wanted;
use crate::world::World;
use rust_decimal::Decimal;

/// Names with this ending belong to customers of another agency.
pub const TAKEN: &str = "@elsewhere.example";

/// One write, parsed.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Place an order at this price and pay it.
    Order {
        /// `quoteId`.
        quote: String,
        /// `X-Idempotency-Key`.
        key: Option<String>,
    },
    /// Renew IPs and pay for it.
    Renew {
        /// The IPs and days.
        wanted: Wanted,
        /// `X-Idempotency-Key`.
        key: Option<String>,
    },
    /// Give a customer traffic.
    Recharge {
        /// `customerId`.
        customer: i64,
        /// `orderId`.
        order_id: String,
        /// `trafficCount`, in GB.
        gb: Decimal,
    },
    /// Take traffic from a customer.
    Deduct {
        /// `customerId`.
        customer: i64,
        /// `trafficCount`, in GB.
        gb: Decimal,
    },
    /// Create a customer.
    AddUser {
        /// `userName`.
        name: String,
    },
    /// Set a customer's password.
    Password {
        /// `customerId`.
        customer: i64,
        /// `password`.
        password: String,
    },
    /// Enable or disable a customer.
    Status {
        /// `customerId`.
        customer: i64,
        /// Whether to enable the customer.
        active: bool,
    },
}

/// A refusal: code, HTTP status and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct No {
    /// Code, in digits or letters.
    pub code: String,
    /// The HTTP status.
    pub status: u16,
    /// `msg`.
    pub words: String,
}

/// The result of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Order(usize),
    Renewal(usize),
    Created { customer: i64, token: String, password: String },
    Plainly,
}

impl Command {
    /// Which of the writes it is.
    #[must_use]
    pub fn write(&self) -> Write {
        match self {
            Self::Order { .. } => Write::Order,
            Self::Renew { .. } => Write::Renewal,
            Self::Recharge { .. } => Write::Recharge,
            Self::Deduct { .. } => Write::Deduction,
            Self::AddUser { .. } => Write::AddUser,
            Self::Password { .. } => Write::Password,
            Self::Status { .. } => Write::Status,
        }
    }
}

impl World {
    /// A refusal in the areas B and C.
    pub(crate) fn agent_no(&self, code: Option<i64>, words: &str) -> No {
        No { code: code.unwrap_or(self.choices.deeds.agent_no).to_string(), status: 200, words: words.into() }
    }

    /// A refusal in the static-IP area.
    pub(crate) fn order_no(&self, code: Option<String>, words: &str) -> No {
        let deeds = &self.choices.deeds;
        No { code: code.unwrap_or(deeds.order_no.clone()), status: deeds.order_no_status, words: words.into() }
    }

    /// Carries out a command once, at this time. Checks keys, order ids and names first, then the other conditions.
    pub(crate) fn perform(&mut self, command: &Command, who: &Actor, at_ms: i64) -> Result<Done, No> {
        self.forget(at_ms);
        match command {
            Command::Order { quote, key } => self.place(quote, key.as_deref(), who, at_ms),
            Command::Renew { wanted, key } => self.renew(wanted, key.as_deref(), who, at_ms),
            Command::Recharge { customer, order_id, gb } => self.recharge(*customer, order_id, *gb, who, at_ms),
            Command::Deduct { customer, gb } => self.deduct(*customer, *gb, who, at_ms),
            Command::AddUser { name } => self.add_user(name, who, at_ms),
            Command::Password { customer, password } => {
                self.own(*customer, 201)?;
                let what = What::PasswordSet { customer: *customer, password: password.clone() };
                self.push(at_ms, who.clone(), what);
                Ok(Done::Plainly)
            }
            Command::Status { customer, active } => {
                self.own(*customer, 201)?;
                self.push(at_ms, who.clone(), What::StatusSet { customer: *customer, active: *active });
                Ok(Done::Plainly)
            }
        }
    }

    fn own(&self, customer: i64, code: i64) -> Result<crate::ledger::Customer, No> {
        let found = self.customers().into_iter().find(|known| known.id == customer);
        found.ok_or_else(|| self.agent_no(Some(code), "该客户不属于当前渠道"))
    }

    fn mb(&self, gb: Decimal) -> Result<Decimal, No> {
        let most = Decimal::from(1_000_000_000);
        let fits = gb > Decimal::ZERO && gb < most;
        if fits {
            return Ok(gb * Decimal::from(self.choices.deeds.mb_per_gb));
        }
        Err(self.agent_no(None, "流量数值有误"))
    }

    fn recharge(&mut self, customer: i64, order_id: &str, gb: Decimal, who: &Actor, at_ms: i64) -> Result<Done, No> {
        if self.order_ids.contains_key(order_id) {
            return Err(self.agent_no(Some(self.choices.deeds.already), "该订单已处理"));
        }
        self.own(customer, 204)?;
        let mb = self.mb(gb)?;
        if self.pool() < mb {
            return Err(self.agent_no(None, "剩余流量不足"));
        }
        if !order_id.is_empty() {
            self.order_ids.insert(order_id.to_owned(), at_ms);
        }
        self.push(at_ms, who.clone(), What::Recharged { customer, mb, order_id: order_id.to_owned() });
        Ok(Done::Plainly)
    }

    fn deduct(&mut self, customer: i64, gb: Decimal, who: &Actor, at_ms: i64) -> Result<Done, No> {
        let found = self.own(customer, self.choices.deeds.agent_no)?;
        let mb = self.mb(gb)?;
        if found.residual() < mb {
            return Err(self.agent_no(None, "客户剩余流量不足"));
        }
        self.push(at_ms, who.clone(), What::Deducted { customer, mb });
        Ok(Done::Plainly)
    }

    fn add_user(&mut self, name: &str, who: &Actor, at_ms: i64) -> Result<Done, No> {
        if self.customers().iter().any(|known| known.name.eq_ignore_ascii_case(name)) {
            return Err(self.agent_no(Some(201), "账户已存在，属于本渠道"));
        }
        if name.ends_with(TAKEN) {
            return Err(self.agent_no(Some(202), "账户已存在，不属于本渠道"));
        }
        let customer = self.create(at_ms, who.clone(), name.to_owned());
        let (token, password) = (format!("{}{}", self.dice.word(), self.dice.word()), self.dice.word());
        let shown = What::PasswordSet { customer, password: password.clone() };
        self.push(at_ms, who.clone(), shown);
        Ok(Done::Created { customer, token, password })
    }

    /// Traffic the agency can still hand out, in MB.
    pub(crate) fn pool(&self) -> Decimal {
        let moves = self.entries.iter().map(|entry| match &entry.what {
            What::Funded { mb } | What::Deducted { mb, .. } => *mb,
            What::Recharged { mb, .. } => -*mb,
            _ => Decimal::ZERO,
        });
        moves.sum()
    }

    fn place(&mut self, quote: &str, key: Option<&str>, who: &Actor, at_ms: i64) -> Result<Done, No> {
        if let Some((_, order)) = key.and_then(|key| self.keys.get(key)) {
            return match self.choices.deeds.seen_key {
                SeenKey::SameOrder => Ok(Done::Order(*order)),
                SeenKey::Refused(code) => Err(self.order_no(Some(code.to_string()), "请求重复或报价已失效")),
            };
        }
        let Some(price) = self.prices.get(quote).cloned() else {
            return Err(self.stale());
        };
        if self.choices.deeds.price_serves_once && price.used {
            return Err(self.stale());
        }
        if self.wallet < price.amount {
            return Err(self.order_no(Some("60004".into()), "钱包余额不足"));
        }
        self.wallet -= price.amount;
        if let Some(price) = self.prices.get_mut(quote) {
            price.used = true;
        }
        Ok(Done::Order(self.book(&price, key, who, at_ms)))
    }

    /// The refusal for a price that has changed, expired or served already.
    pub(crate) fn stale(&self) -> No {
        self.order_no(Some(self.choices.deeds.stale_price.to_string()), "报价已失效，请重新询价")
    }
}
