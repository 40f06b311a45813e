//! The fields that a command checks, each with the reasons for which it is wrong. The page has a sentence for each
//! field and reason.

use serde::Serialize;
use ts_rs::TS;

macro_rules! fields {
    ($($field:ident { $($reason:ident),+ $(,)? })+) => {
        /// A field that is wrong, and why.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
        #[serde(tag = "field", rename_all = "kebab-case")]
        pub enum WrongField {
            $(
                #[doc = concat!("[`", stringify!($field), "`] is wrong.")]
                #[allow(missing_docs, reason = "each field has this one part")]
                $field {
                    #[ts(inline)]
                    why: $field,
                }
            ),+
        }

        $(
            #[doc = concat!("Why `", stringify!($field), "` is wrong.")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
            #[serde(rename_all = "kebab-case")]
            #[allow(missing_docs, reason = "the sentence on the page says what it means")]
            pub enum $field { $($reason),+ }

            impl From<$field> for WrongField {
                fn from(why: $field) -> Self {
                    Self::$field { why }
                }
            }
        )+
    };
}

fields! {
    AgentPrefix { BadPrefix }
    AgentToken { Connected, NewAddress }
    AmountGb { Ambiguous, BeyondLeft, BeyondOwn, Comma, NotANumber, NotCarried, NotPositive, TooFine, TooMuch, UnknownUnit }
    BaseUrl { NotAnAddress, NotHttps, TooMuch }
    BulkFile { Empty, NotAWorkbook, NotText, Several, TooLarge, Unreadable, WrongKind }
    BulkStart { BeyondOwn, Nothing }
    BulkTyped { NotTheTotal }
    BulkUntil { NotRead, Past, TooFar }
    BuyerName { Empty, Taken }
    Cidr { NotANetwork }
    ConsumptionTo { BeforeFrom }
    CreateUsername { NotAnEmail, Taken }
    Customer { NoSecret, NotYours }
    Delivery { Missing, TooLong }
    DeliveryTemplate { NoProxies, UnknownWord }
    Export { TooManyRows }
    Ips { NotAnAddress }
    Lines { Empty, Place, Sum }
    Name { Empty }
    OrderNo { Empty }
    PasswordNew { Forbidden, TooLong, TooShort }
    PracticeReset { Busy }
    PracticeSpeed { NotOffered }
    PracticeWallet { NotAnAmount }
    ProxyTest { NoAddress, NoCertificates, Practice }
    ProxyTestAddress { Credentials, NotAnAddress }
    Quantity { OutOfRange }
    RecordsTo { BeforeFrom }
    Renewal { NotListed, NotOffered, Period, TooMany }
    SavedName { Empty, Taken, TooLong, TooMany }
    StaticPrefix { BadPrefix }
    StaticToken { NewAddress, NoToken }
    Template { UnknownWord }
    TimeZone { OutOfRange }
    TokenNew { Connected, Empty }
    UsageTo { BeforeFrom }
    UserId { Connected, Empty }
    WalletAmount { NotAnAmount, Nothing, TooFine, TooMuch }
    WalletAt { Later }
}
