//! Amounts as people write them: a number, perhaps with a comma, perhaps with a unit.

use operations::{BadGb, Gb, GbFactor};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Unclear;
use super::words::folded;

/// A unit of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "TrafficUnit")]
pub enum Unit {
    /// Gigabytes.
    Gb,
    /// Megabytes.
    Mb,
}

/// What a comma in a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Comma {
    /// The decimal sign: "1,5" is one and a half.
    Decimal,
    /// The separator of thousands: "1,500" is one thousand five hundred.
    Thousands,
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A number without a comma.
    Plain(Decimal),
    /// A number with a comma, by what the comma may be; `None` where it cannot be that.
    Commas {
        /// The number if the comma is the decimal sign.
        decimal: Option<Decimal>,
        /// The number if commas separate thousands.
        thousands: Option<Decimal>,
        /// Whether it is written as thousands are: "1,500".
        usual: bool,
    },
}

impl Number {
    /// The number, given what a comma is. When that is not known, only thousands as usually written are a number.
    pub fn read(self, comma: Option<Comma>) -> Option<Decimal> {
        match (self, comma) {
            (Self::Plain(number), _) => Some(number),
            (Self::Commas { decimal, .. }, Some(Comma::Decimal)) => decimal,
            (Self::Commas { thousands, usual, .. }, _) => thousands.filter(|_| usual || comma.is_some()),
        }
    }

    /// Whether it has a comma.
    pub fn has_comma(self) -> bool {
        matches!(self, Self::Commas { .. })
    }

    /// Whether its comma has to be asked about.
    pub fn is_doubtful(self) -> bool {
        matches!(self, Self::Commas { usual: false, .. })
    }

    /// Reads a number with commas.
    fn with_commas(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once(',')?;
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_decimal = is_digits(whole) && is_digits(part);
        let usual = thousands(text) == Some(text.len());
        if !is_decimal && !usual {
            return None;
        }
        let parsed = |with: &str| text.replace(',', with).parse().ok();
        let decimal = is_decimal.then(|| parsed(".")).flatten();
        // "0,500" is not five hundred.
        let thousands = (!text.starts_with('0')).then(|| parsed("")).flatten();
        Some(Self::Commas { decimal, thousands, usual })
    }
}

/// An amount as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number.
    pub number: Number,
    /// The unit; `None` when none was written.
    pub unit: Option<Unit>,
}

/// Why what was typed in a field for an amount cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadAmount {
    /// A comma that may be a decimal sign.
    Ambiguous,
    /// A unit other than GB and MB.
    UnknownUnit,
    /// Not an amount that can be sent.
    Gb(BadGb),
}

/// Reads what was typed in a field for an amount, as in lines. Without a unit it is in GB, as the field says.
///
/// # Errors
/// [`BadAmount`] names the first rule that is broken.
pub fn typed(text: &str, factor: GbFactor) -> Result<(Written, Gb), BadAmount> {
    let no_number = BadAmount::Gb(BadGb::NotANumber);
    let text = folded(text);
    let mut words = text.split_whitespace();
    let token = match (words.next(), words.next(), words.next()) {
        (Some(only), None, _) => only.to_owned(),
        // "5 GB". "1 5" is not fifteen.
        (Some(number), Some(unit), None) if unit.starts_with(char::is_alphabetic) => format!("{number}{unit}"),
        _ => return Err(no_number),
    };
    let written = match amount(&token) {
        Some(Amount::Clear(written)) => written,
        Some(Amount::Unclear(Unclear::Unit)) => return Err(BadAmount::UnknownUnit),
        _ => return Err(no_number),
    };
    let unit = written.unit.unwrap_or(Unit::Gb);
    let number = written.number.read(None).ok_or(BadAmount::Ambiguous)?;
    let gb = carried(number, unit, factor).map_err(BadAmount::Gb)?;
    Ok((Written { number: Number::Plain(number), unit: Some(unit) }, gb))
}

/// The amount that is sent for a number. Of MB, it is the nearest that the interface carries.
pub(crate) fn carried(number: Decimal, unit: Unit, factor: GbFactor) -> Result<Gb, BadGb> {
    match unit {
        Unit::Gb => Gb::parse(&number.normalize().to_string(), factor),
        Unit::Mb => Gb::nearest_to_mb(number, factor),
    }
}

pub(crate) enum Amount {
    Clear(Written),
    Unclear(Unclear),
}

/// Reads a token as an amount: a number, perhaps with a unit. `None` when it is not one.
pub(crate) fn amount(token: &str) -> Option<Amount> {
    let token = token.strip_prefix('+').unwrap_or(token);
    // A dash of any length directly before the digits is a minus sign.
    let minus = token.strip_prefix(['–', '—', '−']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let token = &minus.map_or_else(|| token.to_owned(), |rest| format!("-{rest}"));
    let end = token.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-')).unwrap_or(token.len());
    let (number, unit) = token.split_at(end);
    if number.is_empty() || !number.contains(|c: char| c.is_ascii_digit()) || token.contains('@') {
        return None;
    }
    let unit = match unit_of(unit) {
        Some(unit) => unit,
        // "5t", "20k": an amount, but its unit is unknown.
        None if unit.chars().count() <= 3 && number.parse::<Decimal>().is_ok() => {
            return Some(Amount::Unclear(Unclear::Unit));
        }
        None => return None,
    };
    let number = number.parse().ok().map(Number::Plain).or_else(|| Number::with_commas(number));
    Some(match number {
        Some(number) => Amount::Clear(Written { number, unit }),
        None => Amount::Unclear(Unclear::Number),
    })
}

/// Reads a unit. `None`: an unknown one; `Some(None)`: no unit at all.
pub(super) fn unit_of(text: &str) -> Option<Option<Unit>> {
    match text.to_lowercase().as_str() {
        "" => Some(None),
        "g" | "gb" | "gib" | "吉" | "吉字节" => Some(Some(Unit::Gb)),
        "m" | "mb" | "mib" | "兆" | "兆字节" => Some(Some(Unit::Mb)),
        _ => None,
    }
}

/// Finds the end of a number after a name, including thousands, decimals after a comma, and unit.
pub(super) fn number_end(text: &str) -> usize {
    if let Some(end) = thousands(text) {
        return end;
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    // "1.234,56" is one number, if an unclear one.
    let whole = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let decimals = text[whole..].strip_prefix(',').map_or(0, digits);
    let after = &text[whole + usize::from(decimals > 0) + decimals..];
    // "1,5" and "1,2345" may be one number or two; "5,100001,6" and "5,bob" are not.
    let is_one = decimals > 0 && !after.starts_with([',', '.', '@']);
    let begins = if is_one { whole + 1 + decimals } else { whole };
    begins + text[begins..].find(',').unwrap_or(text.len() - begins)
}

/// Finds the end of a number with thousands at the start of a text, including its unit.
fn thousands(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    // "0,500" is not five hundred.
    if !(1..=3).contains(&end) || text.starts_with('0') {
        return None;
    }
    let first = end;
    while text[end..].starts_with(',') && digits(&text[end + 1..]) == 3 {
        end += 4;
    }
    if end == first {
        return None;
    }
    Some(end + text[end..].find(',').unwrap_or(text.len() - end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_takes_what_lines_take_and_gb_without_a_unit() {
        let bad = |bad: BadGb| Err(BadAmount::Gb(bad));
        let cases = [
            ("5", Ok("5")),
            (" 5g ", Ok("5")),
            ("5 GB", Ok("5")),
            ("５ＧＢ", Ok("5")),
            ("512mb", Ok("0.5")),
            ("500 MB", Ok("0.4883")),
            ("1,000", Ok("1000")),
            ("1.5", Ok("1.5")),
            ("1,5", Err(BadAmount::Ambiguous)),
            ("0,5g", Err(BadAmount::Ambiguous)),
            ("5t", Err(BadAmount::UnknownUnit)),
            ("5 tb", Err(BadAmount::UnknownUnit)),
            ("1 5", bad(BadGb::NotANumber)),
            ("1.2.3", bad(BadGb::NotANumber)),
            ("five", bad(BadGb::NotANumber)),
            ("", bad(BadGb::NotANumber)),
            ("5 GB please", bad(BadGb::NotANumber)),
            ("-5", bad(BadGb::NotPositive)),
            ("–5", bad(BadGb::NotPositive)),
            ("0mb", bad(BadGb::NotPositive)),
            ("0.00001", bad(BadGb::TooFine)),
            ("0.01mb", bad(BadGb::TooFine)),
        ];
        for (text, expected) in cases {
            let read = typed(text, GbFactor::Binary).map(|(_, gb)| gb.amount().to_string());
            assert_eq!(read, expected.map(str::to_owned), "{text}");
        }
    }
}
