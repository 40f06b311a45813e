//! The wallet. No endpoint reads it: the figure is what a person typed, less this program's orders since. In practice
//! it is the practice service's own, read as its menu reads it.

use operations::{WalletFigure, WalletTyped, WalletView};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;

use crate::Till;
use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::field::WalletAmount;
use crate::practice;
use crate::{field, session::Session};

/// The wallet as a person sees it.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    /// The figure with its ledger.
    #[serde(flatten)]
    pub view: WalletView,
    /// Whether the figure is the service's own, as in practice, and not what was typed.
    pub is_read: bool,
}

/// What a person types about the wallet.
#[derive(Debug, Deserialize, TS)]
pub struct WalletTyping {
    /// Its balance, or what was added or spent.
    pub what: WalletTyped,
    /// The amount as typed.
    pub amount: String,
    /// When the balance was seen; `None` for now.
    pub seen: Option<WalletSeen>,
}

/// The span in which a balance was seen: a time is typed to the minute, and a balance of now was seen while its form
/// was open.
#[derive(Debug, Deserialize, TS)]
pub struct WalletSeen {
    /// Not before this, wall clock, ms since 1970.
    pub from: i64,
    /// Not after this, wall clock, ms since 1970.
    pub until: i64,
}

/// Returns the wallet of the open connection.
pub async fn wallet(till: &Till, (): ()) -> Result<Wallet, CommandError> {
    let session = till.session().await?;
    if session.id == practice::ID { of_practice(till).await } else { typed(&session) }
}

/// Stores what a person typed about the wallet.
pub async fn type_wallet(till: &Till, typing: WalletTyping) -> Result<Wallet, CommandError> {
    let amount = amount(&typing.amount)?;
    if typing.what != WalletTyped::Balance && amount == Amount::ZERO {
        return Err(CommandError::invalid(WalletAmount::Nothing));
    }
    let seen = typing.seen.map(|seen| (seen.from.min(seen.until), seen.from.max(seen.until)));
    if seen.is_some_and(|(from, _)| from > wall_clock()) {
        return Err(CommandError::invalid(field::WalletAt::Later));
    }
    let session = till.session().await?;
    session.operations.wallet().type_in(typing.what, amount, seen)?;
    wallet(till, ()).await
}

/// Removes what a person typed by mistake, by its number.
pub async fn untype_wallet(till: &Till, number: i64) -> Result<Wallet, CommandError> {
    till.session().await?.operations.wallet().remove(number)?;
    wallet(till, ()).await
}

fn typed(session: &Session) -> Result<Wallet, CommandError> {
    Ok(Wallet { view: session.operations.wallet().view()?, is_read: false })
}

async fn of_practice(till: &Till) -> Result<Wallet, CommandError> {
    let balance = practice::practice_state(till, ()).await?.wallet;
    let figure = WalletFigure {
        most: balance,
        least: balance,
        uncertain: Amount::ZERO,
        as_of: wall_clock(),
        doubt: None,
        refused: None,
    };
    let view = WalletView { figure: Some(figure), currency: practice::CURRENCY.into(), ..WalletView::default() };
    Ok(Wallet { view, is_read: true })
}

/// The most digits before and after the point, as in the limits.
const DIGITS: usize = 12;
const DECIMALS: usize = 4;

/// Reads a sum of money, with or without commas between thousands.
fn amount(text: &str) -> Result<Amount, CommandError> {
    let text = text.trim();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let whole = ungrouped(whole).ok_or_else(|| CommandError::invalid(WalletAmount::NotAnAmount))?;
    if !is_digits(decimals) {
        return Err(CommandError::invalid(WalletAmount::NotAnAmount));
    }
    if whole.trim_start_matches('0').len() > DIGITS {
        return Err(CommandError::invalid(WalletAmount::TooMuch));
    }
    if decimals.trim_end_matches('0').len() > DECIMALS {
        return Err(CommandError::invalid(WalletAmount::TooFine));
    }
    let decimals = decimals.get(..DECIMALS).unwrap_or(decimals);
    format!("{whole}.{decimals}").parse().map_err(|_| CommandError::invalid(WalletAmount::NotAnAmount))
}

/// The digits without commas; `None` unless these separate thousands.
fn ungrouped(whole: &str) -> Option<String> {
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped = rest.is_empty() || (first.len() <= 3 && rest.iter().all(|group| group.len() == 3));
    let digits = format!("{first}{}", rest.concat());
    (is_grouped && !first.is_empty() && is_digits(&digits)).then_some(digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use crate::field::WrongField;

    #[test]
    fn a_sum_is_read_as_a_console_writes_it() {
        let cases =
            [("1000", "1000"), (" 1,234,567.80 ", "1234567.8"), ("0", "0"), ("0.0001", "0.0001"), ("7.50000", "7.5")];
        for (text, expected) in cases {
            assert_eq!(amount(text).unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_its_reason() {
        let cases = [
            ("", WalletAmount::NotAnAmount),
            ("-5", WalletAmount::NotAnAmount),
            ("1,5", WalletAmount::NotAnAmount),
            ("1000,000", WalletAmount::NotAnAmount),
            ("5.", WalletAmount::NotAnAmount),
            (".5", WalletAmount::NotAnAmount),
            ("1e3", WalletAmount::NotAnAmount),
            ("5 USD", WalletAmount::NotAnAmount),
            ("0.00001", WalletAmount::TooFine),
            ("1000000000000", WalletAmount::TooMuch),
        ];
        for (text, expected) in cases {
            let Code::Invalid(WrongField::WalletAmount { why }) = amount(text).unwrap_err().code else {
                panic!("{text}")
            };
            assert_eq!(why, expected, "{text}");
        }
    }
}
