//! The words that the journal and its readers use: kinds, states, reasons, names, schedules. Plain types without I/O.

/// Declares an enum with the word of each value: what is stored, sent to the page and named in tests.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident as $ts:literal { $($(#[$inner:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[ts(rename = $ts)]
        pub enum $name { $($(#[$inner])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// All values, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in the journal, in the window and in tests.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Reads the word back. `None` if it is not one of these.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

pub mod activity;
pub(crate) mod anchor;
pub mod bulk;
pub mod cause;
pub mod finding;
pub mod fingerprint;
pub mod gb;
pub mod goods;
pub mod left_out;
pub mod outcome;
pub mod price;
pub mod schedule;
pub mod secret;
pub mod state;
pub mod wallet;
