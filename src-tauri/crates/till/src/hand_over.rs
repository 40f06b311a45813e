//! Handing proxies to a buyer: a message from a template, with the proxies in the buyer's format. Credentials are read
//! from the orders when they are shown, copied or saved, and stored nowhere else.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use customers::message::fill;
use export::Layout;
use export::picture::PictureError;
use goods::message::{self, WrongTemplate};
use goods::row::{GoodsRow, Item};
use operations::{BuyerId, GoodsKey, SentHow};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Day;
use wire::ids::{IpId, OrderNo};
use wire::orders::Proxy;

use crate::Till;
use crate::error::CommandError;
use crate::field;
use crate::goods::{each_detail, few_at_once};
use crate::saved_files::SavedKind;
use crate::session::Session;
use crate::templates::{Template, TemplateOf};
use crate::{downloads, orders, remembered};

/// Proxies to hand over.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct HandOver {
    /// The proxies, in the order of the message.
    pub keys: Vec<GoodsKey>,
    /// The buyer.
    pub buyer: BuyerId,
    /// The layout of each proxy.
    pub layout: Layout,
    /// The language of the message: `en` or `zh-CN`.
    pub language: String,
}

/// A message with its credentials, so it cannot be written to a log.
#[derive(Serialize, TS)]
pub struct DeliveryText {
    /// The message.
    pub text: String,
    /// Whether a colon in a user name or password breaks its lines.
    pub colons: bool,
}

/// A saved file of proxies that are handed over.
#[derive(Debug, Serialize, TS)]
pub struct DeliveryFile {
    /// The path of the file.
    pub path: String,
    /// Number of proxies in it.
    pub count: usize,
    /// Whether a colon in a user name or password breaks its lines.
    pub colons: bool,
}

/// Returns the message with its credentials concealed. Does not ask the vendor.
pub async fn preview_delivery(till: &Till, of: HandOver) -> Result<String, CommandError> {
    let session = till.session().await?;
    let rows = session.goods.rows(&session).await?;
    let known: HashMap<&GoodsKey, &GoodsRow> = rows.iter().map(|row| (&row.item.key, row)).collect();
    let unread = |key: &GoodsKey| Proxy {
        host: key.host.clone(),
        port: key.port,
        protocol: known.get(key).map(|row| row.item.protocol.to_string()).unwrap_or_default(),
        ..Proxy::default()
    };
    orders::check_layout(&of.layout)?;
    let lines = of.keys.iter().map(|key| export::preview(&unread(key), &of.layout)).collect();
    written(&session, &of, lines).await
}

/// Returns the message with its credentials, to be shown. Reads the orders from the vendor.
pub async fn show_delivery(till: &Till, of: HandOver) -> Result<DeliveryText, CommandError> {
    message(&till.session().await?, &of).await
}

async fn message(session: &Arc<Session>, of: &HandOver) -> Result<DeliveryText, CommandError> {
    let Lines { lines, colons } = read_lines(session, of).await?;
    Ok(DeliveryText { text: written(session, of, lines).await?, colons })
}

/// The lines of proxies with their credentials.
struct Lines {
    lines: Vec<String>,
    /// Whether a colon in a user name or password breaks one of them.
    colons: bool,
}

async fn read_lines(session: &Arc<Session>, of: &HandOver) -> Result<Lines, CommandError> {
    orders::check_layout(&of.layout)?;
    let proxies = proxies(session, &of.keys).await?;
    Ok(Lines {
        colons: proxies.iter().any(|proxy| export::colons_break(proxy, of.layout.format)),
        lines: proxies.iter().map(|proxy| export::line(proxy, &of.layout)).collect(),
    })
}

/// Copies the message with its credentials, and remembers the buyer's format and language. Returns whether a colon in a
/// user name or password breaks its lines.
pub async fn copy_delivery(till: &Till, of: HandOver) -> Result<bool, CommandError> {
    let session = till.session().await?;
    let DeliveryText { text, colons } = message(&session, &of).await?;
    till.copy(&text)?;
    remember(till, &session, of);
    Ok(colons)
}

/// Saves the message with its credentials in the download folder, and remembers the buyer's format and language.
pub async fn save_delivery(till: &Till, of: HandOver) -> Result<DeliveryFile, CommandError> {
    let session = till.session().await?;
    let DeliveryText { text, colons } = message(&session, &of).await?;
    saved(till, &session, of, ("txt", text.as_bytes()), colons)
}

/// Saves a picture with a QR code of the proxies in the download folder, and remembers the buyer's format and language.
/// The code holds the lines alone, because programs that scan it expect nothing else.
pub async fn picture_delivery(till: &Till, of: HandOver) -> Result<DeliveryFile, CommandError> {
    let session = till.session().await?;
    let Lines { lines, colons } = read_lines(&session, &of).await?;
    let picture = export::picture::qr(&lines.join("\n")).map_err(|error| match error {
        PictureError::TooLong => CommandError::invalid(field::Delivery::TooLong),
        PictureError::File(error) => CommandError::not_saved(&error),
    })?;
    saved(till, &session, of, ("png", &picture), colons)
}

fn saved(
    till: &Till,
    session: &Session,
    of: HandOver,
    (kind, bytes): (&str, &[u8]),
    colons: bool,
) -> Result<DeliveryFile, CommandError> {
    let name = format!("proxies-{}", buyer_name(session, of.buyer)?);
    let path = downloads::save(till, SavedKind::Proxies, &name, kind, bytes)?;
    let count = of.keys.len();
    remember(till, session, of);
    Ok(DeliveryFile { path, count, colons })
}

/// Remembers the buyer's format and language. It is only a help: the message is handed over even if this fails.
fn remember(till: &Till, session: &Session, of: HandOver) {
    if let Err(error) = try_to_remember(till, session, of) {
        tracing::warn!(?error, "a format was not remembered");
    }
}

fn try_to_remember(till: &Till, session: &Session, of: HandOver) -> Result<(), CommandError> {
    orders::remember_template(till, &of.layout)?;
    remembered::remember_hand_over(till, session, of.layout.format, None);
    let format = serde_json::to_value(of.layout.format).ok();
    let format = format.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    let before = session.operations.goods().buyers()?.into_iter().find(|buyer| buyer.id == of.buyer);
    let same = before.is_some_and(|buyer| {
        buyer.format == format && buyer.template == of.layout.template && buyer.language == of.language
    });
    if !same {
        session.operations.goods().change_buyer(of.buyer, |buyer| {
            buyer.format = format;
            buyer.template = of.layout.template;
            buyer.language = of.language;
        })?;
    }
    Ok(())
}

/// Reads the proxies of these names, in their order. All of them have to be there: half a delivery is worse than none.
pub(crate) async fn proxies(session: &Arc<Session>, keys: &[GoodsKey]) -> Result<Vec<Proxy>, CommandError> {
    let rows = session.goods.rows(session).await?;
    let wanted: HashSet<&GoodsKey> = keys.iter().collect();
    let by_id = |row: &&GoodsRow| row.item.elsewhere && !row.item.ip_id.as_str().is_empty();
    let listed: Vec<&GoodsRow> = rows.iter().filter(by_id).filter(|row| wanted.contains(&row.item.key)).collect();
    let elsewhere: HashSet<&GoodsKey> = listed.iter().map(|row| &row.item.key).collect();
    let of_orders = keys.iter().filter(|key| !elsewhere.contains(key) && !key.order_no.as_str().is_empty());
    let mut orders: Vec<OrderNo> = of_orders.map(|key| key.order_no.clone()).collect();
    orders.sort();
    orders.dedup();
    let mut found = HashMap::<GoodsKey, Vec<Proxy>>::new();
    each_detail(session, orders, |order, answer| {
        let detail = orders::counted(answer?);
        if detail.order_no == *order {
            session.operations.orders().remember(&detail)?;
        }
        for proxy in detail.proxies() {
            let key = GoodsKey { order_no: order.clone(), host: proxy.host.clone(), port: proxy.port };
            found.entry(key).or_default().push(proxy);
        }
        Ok(ControlFlow::Continue(()))
    })
    .await?;
    let ids = listed.iter().map(|row| (row.item.key.clone(), row.item.ip_id.clone())).collect();
    let read = |one: (GoodsKey, IpId)| {
        let client = session.client.clone();
        async move {
            let answer = client.call(client::ips::detail(&one.1)).await;
            (one, answer.map(|answer| answer.data.proxy))
        }
    };
    few_at_once(ids, read, |(key, _), answer| {
        let proxy = answer?;
        // An id that leads to another address is not what was chosen.
        if proxy.host == key.host && (key.port == 0 || proxy.port == key.port) {
            found.entry(key.clone()).or_default().push(proxy);
        }
        Ok(ControlFlow::Continue(()))
    })
    .await?;
    let missing: Vec<String> = keys
        .iter()
        .filter(|key| !found.contains_key(key))
        .map(|key| goods::row::address(&key.host, key.port))
        .collect();
    if !missing.is_empty() {
        return Err(CommandError::invalid_near(field::Delivery::Missing, &missing.join(", ")));
    }
    Ok(keys.iter().filter_map(|key| found.remove(key)).flatten().collect())
}

fn buyer_name(session: &Session, id: BuyerId) -> Result<String, CommandError> {
    let buyer = session.operations.goods().buyers()?.into_iter().find(|buyer| buyer.id == id);
    Ok(buyer.ok_or_else(CommandError::changed)?.name)
}

/// The message with these lines, one for each proxy.
async fn written(session: &Arc<Session>, of: &HandOver, lines: Vec<String>) -> Result<String, CommandError> {
    let template = Template::Delivery.read(session, &of.language)?;
    let known = of.keys.iter().map(|key| key.order_no.as_str()).filter(|order| !order.is_empty());
    let mut orders: Vec<&str> = known.collect();
    orders.dedup();
    let rows = session.goods.rows(session).await?;
    let (name, count, lines) = (buyer_name(session, of.buyer)?, lines.len().to_string(), lines.join("\n"));
    let (expires, orders) = (expiry(&rows, &of.keys, session.vendor.zone), orders.join(", "));
    let values = [
        ("name", name.as_str()),
        ("proxies", lines.as_str()),
        ("count", count.as_str()),
        ("expires", expires.as_str()),
        ("order", orders.as_str()),
    ];
    Ok(fill(&template, &values))
}

/// When proxies run out: one time, or the first and the last; as reported where no time can be read. The buyer's zone
/// is not known, so the time is in the vendor's zone, which is named: its day may differ from the agent's.
fn expiry(rows: &[GoodsRow], keys: &[GoodsKey], zone: i32) -> String {
    let known: HashMap<&GoodsKey, &GoodsRow> = rows.iter().map(|row| (&row.item.key, row)).collect();
    let items = || keys.iter().filter_map(|key| known.get(key)).map(|row| &row.item);
    let ends = || items().filter_map(|item| item.ends);
    let Some((first, last)) = ends().min().zip(ends().max()) else {
        return items().map(|item| item.expires.as_str()).find(|text| !text.is_empty()).unwrap_or("-").to_owned();
    };
    // A day without a time names no hour.
    let is_day = |item: &Item| !item.extended && item.expires.trim().len() == "2026-05-01".len();
    let said = |end: i64| {
        let mut at_end = items().filter(|item| item.ends == Some(end));
        if at_end.all(|item| is_day(item)) { Day::of(end, zone).to_string() } else { minute(end, zone) }
    };
    let [first, last] = [first, last].map(said);
    let span = if first == last { first } else { format!("{first} – {last}") };
    let known = format!("{span} ({})", zone_name(zone));
    // An end that is not known is never written as if it were.
    match items().find(|item| item.ends.is_none()).map(|item| item.expires.as_str()) {
        Some("") => format!("{known}, -"),
        Some(as_it_came) => format!("{known}, {as_it_came}"),
        None => known,
    }
}

/// A time in a zone (minutes east of UTC), to the minute.
fn minute(millis: i64, zone: i32) -> String {
    let minutes = (millis.div_euclid(60_000) + i64::from(zone)).rem_euclid(24 * 60);
    format!("{} {:02}:{:02}", Day::of(millis, zone), minutes / 60, minutes % 60)
}

/// `UTC+8`, `UTC-3:30`, or `UTC`.
fn zone_name(zone: i32) -> String {
    let (sign, zone) = (if zone < 0 { '-' } else { '+' }, zone.unsigned_abs());
    match (zone / 60, zone % 60) {
        (0, 0) => "UTC".into(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

/// Returns the template of the message in a language.
pub async fn delivery_template(till: &Till, language: String) -> Result<String, CommandError> {
    let session = till.session().await?;
    Template::Delivery.read(&session, &language)
}

/// Saves the template of the message in a language, if it holds the proxies and no unknown placeholder.
pub async fn save_delivery_template(till: &Till, of: TemplateOf) -> Result<(), CommandError> {
    let session = till.session().await?;
    message::check(&of.body).map_err(|wrong| match wrong {
        WrongTemplate::NoProxies => CommandError::invalid_near(field::DeliveryTemplate::NoProxies, "{proxies}"),
        WrongTemplate::Unknown(word) => CommandError::invalid_near(field::DeliveryTemplate::UnknownWord, &word),
    })?;
    Template::Delivery.save(&session, &of)
}

/// Proxies that were handed over.
#[derive(Debug, Deserialize, TS)]
pub struct SentOf {
    /// The proxies.
    pub keys: Vec<GoodsKey>,
    /// To whom.
    pub buyer: BuyerId,
    /// How.
    pub how: SentHow,
}

/// Marks proxies as sent now. Returns the time, wall clock, ms since 1970.
pub async fn mark_sent(till: &Till, of: SentOf) -> Result<i64, CommandError> {
    let session = till.session().await?;
    buyer_name(&session, of.buyer)?;
    Ok(session.operations.goods().deliver(&of.keys, of.buyer, of.how)?)
}

/// Takes the last mark of these proxies back.
pub async fn unmark_sent(till: &Till, of: SentOf) -> Result<(), CommandError> {
    let session = till.session().await?;
    Ok(session.operations.goods().undeliver(&of.keys, of.buyer)?)
}

#[cfg(test)]
mod tests {
    use goods::stock::Stock;
    use operations::Marks;
    use wire::goods::About;
    use wire::orders::Delivered;

    use super::*;

    #[test]
    fn a_buyer_is_told_the_days_that_are_known_and_that_another_is_not() {
        let of = |expires: &[&str]| {
            let delivered = expires.iter().zip(1..).map(|(expires, port)| Delivered {
                host: "192.0.2.1".into(),
                port,
                protocol: String::new(),
                about: About { expires: (*expires).into(), ..About::default() },
                no_longer_listed: false,
            });
            let rows =
                Stock::of(vec![(OrderNo::new("A"), delivered.collect())], Vec::new(), 0).rows(&[], &Marks::default());
            let keys: Vec<GoodsKey> = rows.iter().map(|row| row.item.key.clone()).collect();
            expiry(&rows, &keys, 0)
        };
        let (one, both) = ("2026-05-01 00:00 (UTC)", "2026-05-01 00:00 – 2026-06-01 00:00 (UTC)");
        let (may, june) = ("2026-05-01 00:00:00", "2026-06-01 00:00:00");
        assert_eq!(of(&[may, may]), one);
        assert_eq!(of(&[june, may]), both);
        assert_eq!(of(&["2026-05-01", june]), "2026-05-01 – 2026-06-01 00:00 (UTC)");
        assert_eq!(of(&[may, ""]), format!("{one}, -"));
        assert_eq!(of(&[may, "soon", june]), format!("{both}, soon"));
        assert_eq!(of(&["", "soon"]), "soon");
        assert_eq!(of(&[""]), "-");
    }
    #[test]
    fn an_end_is_said_in_the_vendors_zone_with_its_name() {
        let end = 1_700_000_000_000;
        let cases = [
            (480, "2023-11-15 06:13", "UTC+8"),
            (-210, "2023-11-14 18:43", "UTC-3:30"),
            (0, "2023-11-14 22:13", "UTC"),
        ];
        for (zone, time, name) in cases {
            assert_eq!((minute(end, zone).as_str(), zone_name(zone).as_str()), (time, name));
        }
    }
}
