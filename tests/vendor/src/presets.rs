//! The default of each group, and other named combinations.

use crate::choices::{
    Beyond, Busy, Choices, Days, DeductionRows, Deeds, Denial, Elements, Extras, FieldOrder, Figures, Filter, Lists,
    LiveUse, Manners, Moments, SameAgain, SeenKey, Start, UseRows, Writing,
};
use crate::mishap::{Mishap, Trouble, Write};

impl Default for Extras {
    fn default() -> Self {
        Self { ping: true, cidrs: true, order_status: true, ips: true, renewals: true }
    }
}

impl Default for Start {
    fn default() -> Self {
        Self {
            founded_ms: 1_767_571_200_000,
            customers: 13,
            wallet: 4_000,
            pool_gb: 900_000,
            developer: "dev-7f3a9c51e0".into(),
            developer_token: "s3cr3t-of-the-developer-2b6e19d07c44".into(),
            agent_token: "5f0c1d7e9a3b48c2866e4f10b7d92a35".into(),
            caller_id: 70_211,
            caller_name: "agency-desk".into(),
        }
    }
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            order: FieldOrder::Backwards,
            ascii_only: false,
            spaced: false,
            content_type: "application/json;charset=utf-8".into(),
            extra_fields: true,
            elements: Elements::IdNames,
            moments: Moments::Spaced,
            amounts: Figures::Text,
            traffic: Figures::Java,
            days: Days::Dashed,
            agent_ids_as_text: false,
            inner_repeats: true,
            spaced_residual: true,
            empty_state_is_null: false,
            status_words: false,
            zone_hours: 8,
            recharge_word: "代理充值".into(),
            deduction_word: "后台扣减".into(),
            use_word: "流量使用".into(),
        }
    }
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            largest_page: 10,
            newest_first: false,
            filter: Filter::Part,
            beyond: Beyond::LastAgain,
            use_rows: UseRows::GrowInPlace,
            deductions: DeductionRows::Consumption,
            deduction_lowers_recharged: false,
        }
    }
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            busy: None,
            same_again: None,
            slow_read_ms: 0,
            slow_write_ms: 0,
            stale_reads: 0,
            records_lag_ms: 0,
            figures_lag_ms: 0,
            live_use: None,
            denial: Denial::Code200,
        }
    }
}

impl Default for Deeds {
    fn default() -> Self {
        Self {
            mb_per_gb: 1024,
            already: 201,
            agent_no: 601,
            order_no: "50013".into(),
            order_no_status: 200,
            stale_price: 60308,
            seen_key: SeenKey::Refused(60308),
            keys_forgotten_after_ms: None,
            price_stands_ms: 300_000,
            price_serves_once: false,
            delivered_at_once: 50,
            rest_after_ms: 20_000,
            one_is_active: true,
            troubles: Vec::new(),
        }
    }
}

impl Choices {
    /// The names of the presets.
    pub const NAMES: [&'static str; 7] = ["own", "plain", "wordy", "stern", "drowsy", "late", "busy-desk"];

    /// The preset of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "own" => Some(Self::default()),
            "plain" => Some(plain()),
            "wordy" => Some(wordy()),
            "stern" => Some(stern()),
            "drowsy" => Some(drowsy()),
            "late" => Some(late()),
            "busy-desk" => Some(busy_desk()),
            _ => None,
        }
    }
}

/// As close to the letter of the contract as possible.
fn plain() -> Choices {
    Choices {
        writing: Writing {
            order: FieldOrder::AsListed,
            extra_fields: false,
            elements: Elements::Plain,
            moments: Moments::Iso,
            amounts: Figures::Plain,
            traffic: Figures::Plain,
            recharge_word: "充值".into(),
            deduction_word: "消耗".into(),
            use_word: "消耗".into(),
            ..Writing::default()
        },
        lists: Lists {
            largest_page: 500,
            newest_first: true,
            filter: Filter::Exact,
            beyond: Beyond::Empty,
            use_rows: UseRows::None,
            ..Lists::default()
        },
        deeds: Deeds {
            already: 203,
            seen_key: SeenKey::SameOrder,
            delivered_at_once: 100,
            agent_no: 500,
            ..Deeds::default()
        },
        extras: Extras::NONE,
        ..Choices::default()
    }
}

/// Words, strings and zeros wherever allowed; a GB of 1000 MB; UTC.
fn wordy() -> Choices {
    Choices {
        writing: Writing {
            order: FieldOrder::ByName,
            ascii_only: true,
            spaced: true,
            content_type: "application/json".into(),
            elements: Elements::CodeName,
            moments: Moments::MillisText,
            amounts: Figures::Zeros,
            traffic: Figures::Text,
            days: Days::Midnight,
            empty_state_is_null: true,
            status_words: true,
            zone_hours: 0,
            recharge_word: "Top-up".into(),
            deduction_word: "Clawback".into(),
            use_word: "Usage".into(),
            ..Writing::default()
        },
        lists: Lists {
            newest_first: true,
            beyond: Beyond::Empty,
            use_rows: UseRows::Stream,
            deduction_lowers_recharged: true,
            ..Lists::default()
        },
        deeds: Deeds {
            mb_per_gb: 1000,
            agent_no: -1,
            order_no: "E-4410".into(),
            order_no_status: 409,
            price_serves_once: true,
            ..Deeds::default()
        },
        ..Choices::default()
    }
}

/// Refuses the same GET within 5 s, is busy now and then, has small pages, and 0 means active.
fn stern() -> Choices {
    Choices {
        writing: Writing {
            elements: Elements::ValueLabel,
            moments: Moments::Seconds,
            traffic: Figures::Zeros,
            inner_repeats: false,
            zone_hours: -3,
            ..Writing::default()
        },
        manners: Manners {
            busy: Some(Busy { every: 11, retry_after_s: Some(2), writes: false }),
            same_again: Some(SameAgain { within_ms: 5_000, reads: true }),
            denial: Denial::Code401,
            ..Manners::default()
        },
        deeds: Deeds { agent_no: 500, one_is_active: false, order_no_status: 400, ..Deeds::default() },
        ..Choices::default()
    }
}

/// Slow, shows stale data twice in a row, with records that lag; forgets keys after a day.
fn drowsy() -> Choices {
    Choices {
        writing: Writing { moments: Moments::Millis, amounts: Figures::Java, ..Writing::default() },
        lists: Lists { newest_first: true, ..Lists::default() },
        manners: Manners {
            slow_read_ms: 150,
            slow_write_ms: 400,
            stale_reads: 2,
            records_lag_ms: 3_000,
            figures_lag_ms: 1_000,
            denial: Denial::Status401,
            ..Manners::default()
        },
        deeds: Deeds {
            keys_forgotten_after_ms: Some(86_400_000),
            delivered_at_once: 0,
            rest_after_ms: 90_000,
            agent_no: 400,
            ..Deeds::default()
        },
        ..Choices::default()
    }
}

/// Refuses every second write of a kind and does it all the same, 0 to 400 s later.
fn late() -> Choices {
    let after = [35_000, 60_000, 12_000, 400_000, 0, 90_000, 240_000];
    let troubles = Write::ALL.into_iter().zip(after).map(|(write, after_ms)| Trouble {
        write,
        every: 2,
        mishap: Mishap::RefusedAndDone { code: None, after_ms },
    });
    Choices {
        deeds: Deeds { agent_no: 500, order_no: "500".into(), troubles: troubles.collect(), ..Deeds::default() },
        ..Choices::default()
    }
}

/// Customers use traffic all the time, in rows that stream in; refusals have code 1.
fn busy_desk() -> Choices {
    Choices {
        writing: Writing { moments: Moments::IsoUtc, ..Writing::default() },
        lists: Lists { use_rows: UseRows::Stream, largest_page: 50, ..Lists::default() },
        manners: Manners { live_use: Some(LiveUse { every_ms: 700, most_cmb: 90_000 }), ..Manners::default() },
        deeds: Deeds { agent_no: 1, ..Deeds::default() },
        ..Choices::default()
    }
}
