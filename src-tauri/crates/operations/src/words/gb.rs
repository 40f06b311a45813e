//! GB and MB: commands are in GB, results in MB, and the vendor does not say how many MB a GB has.

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;

/// MB of one GB, as the vendor counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(into = "u32", try_from = "u32")]
#[ts(type = "1000 | 1024")]
pub enum GbFactor {
    /// 1000.
    Thousand,
    /// 1024: "published samples make it likely".
    #[default]
    Binary,
}

impl GbFactor {
    /// Both counts.
    pub const ALL: [Self; 2] = [Self::Binary, Self::Thousand];

    /// The known count, or both.
    pub(crate) fn possible(known: Option<Self>) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |factor| known.is_none_or(|known| known == *factor))
    }

    /// MB of one GB.
    pub fn mb(self) -> Decimal {
        Decimal::from(u32::from(self))
    }
}

impl From<GbFactor> for u32 {
    fn from(factor: GbFactor) -> Self {
        match factor {
            GbFactor::Thousand => 1000,
            GbFactor::Binary => 1024,
        }
    }
}

impl TryFrom<u32> for GbFactor {
    type Error = &'static str;

    fn try_from(mb: u32) -> Result<Self, Self::Error> {
        match mb {
            1000 => Ok(Self::Thousand),
            1024 => Ok(Self::Binary),
            _ => Err("1000 or 1024"),
        }
    }
}

/// Why an amount cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadGb {
    /// Not digits with at most one point.
    #[error("not a number")]
    NotANumber,
    /// Zero or less.
    #[error("not above zero")]
    NotPositive,
    /// More than [`Gb::MOST`].
    #[error("too much for one move")]
    TooMuch,
    /// More than four decimals.
    #[error("more than four decimals")]
    TooFine,
    /// The contract's type, a 32-bit float, would hold another amount.
    #[error("the interface would carry another amount")]
    NotCarried {
        /// The nearest amount that it holds.
        nearest: Amount,
    },
}

/// An amount of traffic in GB that the interface carries unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct Gb(Amount);

const DECIMALS: u32 = 4;
/// Steps of the last decimal to go up, in search of an amount that is carried: a tenth of a GB.
const STEPS_UP: i64 = 1000;
/// "Refused when the nearest float32 differs by more than 0.005 MB."
const CARRIED_WITHIN: Decimal = Decimal::from_parts(5, 0, 0, false, 3);
/// A record may be rounded to this many MB.
const ROUNDED_TO: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

impl Gb {
    /// The most that one move may be, GB: ten petabytes are a typing error.
    pub const MOST: Decimal = Decimal::from_parts(10_000_000, 0, 0, false, 0);

    /// Reads what a person typed: plain digits with at most four decimals.
    ///
    /// # Errors
    /// [`BadGb`] names the first rule that is broken.
    pub fn parse(text: &str, factor: GbFactor) -> Result<Self, BadGb> {
        let text = text.trim();
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
        let amount: Amount = text.parse().ok().filter(|_| plain).ok_or(BadGb::NotANumber)?;
        if amount <= Amount::ZERO {
            return Err(BadGb::NotPositive);
        }
        if amount.value() > Self::MOST {
            return Err(BadGb::TooMuch);
        }
        if amount.value().scale() > DECIMALS {
            return Err(BadGb::TooFine);
        }
        if (exact(nearest(amount)) - amount.value()).abs() * factor.mb() > CARRIED_WITHIN {
            return Err(BadGb::NotCarried { nearest: nearest_carried(amount) });
        }
        Ok(Self(amount))
    }

    /// The amount nearest to a number of MB, less than one MB away.
    ///
    /// # Errors
    /// [`BadGb`] when none is that near, or the nearest is nothing.
    pub fn nearest_to_mb(mb: Decimal, factor: GbFactor) -> Result<Self, BadGb> {
        let gb = mb.checked_div(factor.mb()).ok_or(BadGb::NotANumber)?;
        if gb > Self::MOST {
            return Err(BadGb::TooMuch);
        }
        let rounded = gb.round_dp_with_strategy(DECIMALS, RoundingStrategy::MidpointTowardZero).normalize();
        if rounded.is_zero() && mb > Decimal::ZERO {
            return Err(BadGb::TooFine);
        }
        let read = |gb: Decimal| Self::parse(&gb.normalize().to_string(), factor);
        // Nine steps of the last decimal are less than one MB.
        read(rounded).or_else(|bad| match bad {
            BadGb::NotCarried { .. } => {
                let around = (-9..=9).filter_map(|steps| read(rounded + Decimal::new(steps, DECIMALS)).ok());
                around.min_by_key(|near| (near.amount().value() - gb).abs()).ok_or(bad)
            }
            _ => Err(bad),
        })
    }

    /// The smallest amount that is at least a number of MB.
    ///
    /// # Errors
    /// [`BadGb`] when it is too much, or nothing.
    pub fn at_least_mb(mb: Decimal, factor: GbFactor) -> Result<Self, BadGb> {
        let gb = mb.checked_div(factor.mb()).ok_or(BadGb::NotANumber)?;
        if gb > Self::MOST {
            return Err(BadGb::TooMuch);
        }
        let read = |gb: Decimal| Self::parse(&gb.normalize().to_string(), factor);
        let up = gb.round_dp_with_strategy(DECIMALS, RoundingStrategy::ToPositiveInfinity);
        read(up).or_else(|bad| match bad {
            // Every whole number of GB is carried.
            BadGb::NotCarried { .. } => {
                let above = (1..=STEPS_UP).map(|steps| up + Decimal::new(steps, DECIMALS));
                above.chain([gb.ceil()]).find_map(|more| read(more).ok()).ok_or(bad)
            }
            _ => Err(bad),
        })
    }

    /// The amount, GB.
    pub fn amount(self) -> Amount {
        self.0
    }

    /// The amount, MB.
    pub fn mb(self, factor: GbFactor) -> Amount {
        Amount::new(self.0.value().saturating_mul(factor.mb()).normalize())
    }

    /// Whether a record of this amount shows how the vendor counts a GB. A small one fits both counts.
    pub fn tells_factor(self) -> bool {
        let [one, other] = GbFactor::ALL;
        let apart = (self.mb(one).value() - self.mb(other).value()).abs();
        apart > self.tolerance(one).saturating_add(self.tolerance(other))
    }

    /// How far a record may lie from [`Self::mb`] and still be this amount, MB: one step of the 32-bit float that
    /// carried it, and at least the rounding of records.
    pub fn tolerance(self, factor: GbFactor) -> Decimal {
        let near = nearest(self.0);
        (exact(step(near, 1)) - exact(near)).abs().saturating_mul(factor.mb()).max(ROUNDED_TO)
    }
}

/// The nearest 32-bit float of a number that was already parsed.
fn nearest(amount: Amount) -> f32 {
    amount.to_string().parse().unwrap_or_default()
}

fn exact(carried: f32) -> Decimal {
    Decimal::from_f64_retain(f64::from(carried)).unwrap_or_default()
}

/// The float that many steps away.
fn step(from: f32, steps: i32) -> f32 {
    f32::from_bits(from.to_bits().saturating_add_signed(steps))
}

/// The nearest amount that a float holds exactly with four decimals.
fn nearest_carried(amount: Amount) -> Amount {
    let middle = nearest(amount);
    let around = (-64..=64).map(|steps| exact(step(middle, steps)).normalize());
    let carried = around.filter(|near| near.scale() <= DECIMALS);
    Amount::new(carried.min_by_key(|near| (near - amount.value()).abs()).unwrap_or_else(|| amount.value().trunc()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, BadGb> {
        Gb::parse(text, GbFactor::Binary).map(|gb| gb.amount().to_string())
    }

    #[test]
    fn what_a_person_types_is_an_amount_or_has_its_reason() {
        let near = |text: &str| Err(BadGb::NotCarried { nearest: text.parse().unwrap() });
        let cases = [
            ("5", Ok("5".into())),
            (" 0.5000 ", Ok("0.5".into())),
            ("0.0001", Ok("0.0001".into())),
            ("500000", Ok("500000".into())),
            // A float carries it wrong by 0.005 MB, not by more.
            ("128.005", Ok("128.005".into())),
            ("", Err(BadGb::NotANumber)),
            ("five", Err(BadGb::NotANumber)),
            ("1e3", Err(BadGb::NotANumber)),
            ("1,5", Err(BadGb::NotANumber)),
            ("1.2.3", Err(BadGb::NotANumber)),
            ("0", Err(BadGb::NotPositive)),
            ("-5", Err(BadGb::NotPositive)),
            ("0.00001", Err(BadGb::TooFine)),
            ("500000.1", near("500000.125")),
            ("8388609.25", near("8388609")),
        ];
        for (typed, expected) in cases {
            assert_eq!(read(typed), expected, "{typed}");
        }
    }

    #[test]
    fn mb_become_the_nearest_amount_that_is_carried_or_have_their_reason() {
        let of = |mb: &str, factor| {
            Gb::nearest_to_mb(mb.parse().unwrap(), factor).map(|gb| format!("{} = {}", gb.amount(), gb.mb(factor)))
        };
        let near = |text: &str| Err(BadGb::NotCarried { nearest: text.parse().unwrap() });
        for (mb, expected) in [
            ("512", Ok("0.5 = 512")),
            ("500", Ok("0.4883 = 500.0192")),
            ("1", Ok("0.001 = 1.024")),
            ("1234567", Ok("1205.6322 = 1234567.3728")),
            ("10240000.3", Ok("10000 = 10240000")),
            ("20000100", near("19531.375")),
            ("0.05", Err(BadGb::TooFine)),
            ("0", Err(BadGb::NotPositive)),
            ("-500", Err(BadGb::NotPositive)),
            ("79228162514264337593543950335", Err(BadGb::TooMuch)),
        ] {
            assert_eq!(of(mb, GbFactor::Binary), expected.map(str::to_owned), "{mb}");
        }
        assert_eq!(of("500", GbFactor::Thousand), Ok("0.5 = 500".to_owned()));
    }

    #[test]
    fn mb_are_rounded_up_to_the_next_amount_that_is_carried() {
        let of = |mb: &str, factor| {
            Gb::at_least_mb(mb.parse().unwrap(), factor).map(|gb| format!("{} = {}", gb.amount(), gb.mb(factor)))
        };
        for (mb, expected) in [
            ("512", Ok("0.5 = 512")),
            ("512.000001", Ok("0.5001 = 512.1024")),
            ("500", Ok("0.4883 = 500.0192")),
            ("0.000001", Ok("0.0001 = 0.1024")),
            // Floats near hundreds of GB are further apart than that.
            ("700000", Ok("683.5943 = 700000.5632")),
            ("512000001", Ok("500000.0625 = 512000064")),
            ("10239998000.5", Ok("9999999 = 10239998976")),
            ("0", Err(BadGb::NotPositive)),
            ("-1", Err(BadGb::NotPositive)),
            ("79228162514264337593543950335", Err(BadGb::TooMuch)),
        ] {
            assert_eq!(of(mb, GbFactor::Binary), expected.map(str::to_owned), "{mb}");
        }
        assert_eq!(of("512", GbFactor::Thousand), Ok("0.512 = 512".to_owned()));
    }

    #[test]
    fn ten_million_gb_are_the_most_and_no_number_makes_it_stumble() {
        assert_eq!(read("10000000"), Ok("10000000".into()));
        for more in ["10000001", "10000000.0001", "4951760157141521099596496896", "9999999999999999999999999999"] {
            assert_eq!(read(more), Err(BadGb::TooMuch), "{more}");
        }
        // A journal may hold what cannot be typed.
        let kept: Gb = serde_json::from_str("\"9999999999999999999999999999\"").unwrap();
        assert!(kept.mb(GbFactor::Binary) > kept.amount() && kept.tolerance(GbFactor::Binary) > Decimal::ZERO);
        let _ = kept.tells_factor();
    }

    #[test]
    fn a_gb_is_1000_or_1024_mb_and_nothing_else() {
        assert_eq!([1000, 1024].map(GbFactor::try_from), [Ok(GbFactor::Thousand), Ok(GbFactor::Binary)]);
        assert!([0, 1, 999, 1023, 1025].into_iter().all(|mb| GbFactor::try_from(mb).is_err()));
    }

    #[test]
    fn the_nearest_amount_may_lie_below_or_above() {
        let near = |text: &str| Gb::parse(text, GbFactor::Binary).unwrap_err();
        let expected = |text: &str| BadGb::NotCarried { nearest: text.parse().unwrap() };
        assert_eq!(near("8388609.25"), expected("8388609"));
        assert_eq!(near("500000.14"), expected("500000.125"));
        assert_eq!(near("500000.15"), expected("500000.125"), "below, although one above is as many floats away");
        assert_eq!(near("500000.17"), expected("500000.1875"));
        assert_eq!(near("1048576.1"), expected("1048576.125"));
    }

    #[test]
    fn a_record_is_recognised_within_one_step_of_the_float() {
        let gb = |text: &str| Gb::parse(text, GbFactor::Binary).unwrap();
        assert_eq!(gb("5").mb(GbFactor::Binary).to_string(), "5120");
        assert_eq!(gb("5").tolerance(GbFactor::Binary).to_string(), "0.01");
        assert_eq!(gb("500000").tolerance(GbFactor::Binary), Decimal::from(32));
        assert!(gb("0.5").tells_factor() && !gb("0.0004").tells_factor());
    }
}
