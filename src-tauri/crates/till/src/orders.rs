//! The order book, and one order with its proxies. Proxies are read again when needed, shown only when asked for, and
//! written to disk only by the user's own export.

use export::{FileKind, Format, Layout};
use operations::BookedOrder;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wire::Amount;
use wire::facts::Word;
use wire::ids::OrderNo;
use wire::orders::{OrderDetail, OrderStatus, Particulars, Proxy};
use wire::parts::Part;
use wire::time::WrittenTime;
use wire::tree::Tree;

use crate::Till;
use crate::downloads;
use crate::error::CommandError;
use crate::field;
use crate::remembered;
use crate::saved_files::SavedKind;

/// An order as a person sees it.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OrderView {
    /// The order number.
    pub order_no: OrderNo,
    /// The status as reported.
    pub status: Option<OrderStatus>,
    /// The amount paid, in `currency`.
    pub amount: Option<Amount>,
    /// The currency code.
    pub currency: String,
    /// Number of IPs ordered.
    pub ordered: Option<i64>,
    /// Number of IPs delivered so far.
    pub delivered: Option<i64>,
    /// `host:port` of each delivered proxy; the rest is revealed on request.
    pub addresses: Vec<String>,
    /// Whether a colon in a user name or password breaks the formats that separate by colons.
    pub colons: bool,
    /// The other facts that the order reports.
    pub particulars: Particulars,
    /// The details as raw JSON, if no proxy was found in them. Shown, never stored.
    pub raw_details: Option<String>,
}

/// The proxies of an order, in one layout.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProxiesOf {
    /// The order.
    pub order_no: OrderNo,
    /// The layout of each line.
    pub layout: Layout,
}

/// The agent's note on an order.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OrderNote {
    /// The order.
    pub order_no: OrderNo,
    /// The note; empty removes it.
    pub note: String,
}

/// The proxies of an order, as a file.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExportRequest {
    /// The order.
    pub order_no: OrderNo,
    /// The layout of each line.
    pub layout: Layout,
    /// The kind of file.
    pub kind: FileKind,
}

/// A saved file.
#[derive(Debug, Serialize, TS)]
pub struct Exported {
    /// The path of the file.
    pub path: String,
    /// Number of proxies in it.
    pub count: usize,
}

/// Lists the order book.
pub async fn list_orders(till: &Till, (): ()) -> Result<Vec<BookedOrder>, CommandError> {
    Ok(till.session().await?.operations.orders().all()?)
}

/// Stores the agent's note on an order.
pub async fn save_order_note(till: &Till, of: OrderNote) -> Result<(), CommandError> {
    Ok(till.session().await?.operations.orders().set_note(&of.order_no, &of.note)?)
}

/// The order with the number of its IPs where the vendor lists them without counting them.
pub(crate) fn counted(mut detail: OrderDetail) -> OrderDetail {
    let listed = || i64::try_from(detail.proxies().len()).ok().filter(|listed| *listed > 0);
    detail.deliver_ip_count = detail.deliver_ip_count.or_else(listed);
    detail
}

async fn read(till: &Till, order_no: &OrderNo) -> Result<OrderDetail, CommandError> {
    let session = till.session().await?;
    let detail = counted(session.client.call(client::orders::detail(order_no)).await?.data.asked_by(order_no));
    if detail.order_no == *order_no {
        session.operations.orders().remember(&detail)?;
    }
    Ok(detail)
}

fn lines(proxies: &[Proxy], layout: &Layout) -> Vec<String> {
    proxies.iter().map(|proxy| export::line(proxy, layout)).collect()
}

/// Raw JSON for a person; `None` if it is empty.
fn raw(value: &Tree) -> Option<String> {
    if value.is_empty() { None } else { serde_json::to_string_pretty(value).ok() }
}

/// The same particulars, with times that came as a number written as local time. `zone` is in minutes east of UTC.
fn readable(mut told: Particulars, zone: i32) -> Particulars {
    let expires = told.proxies.iter_mut().map(|one| &mut one.about.expires);
    for time in expires.chain([&mut told.create_time, &mut told.pay_time]) {
        *time = WrittenTime(std::mem::take(time)).readable(zone);
    }
    told.specification.iter_mut().chain(&mut told.refund).for_each(|part| readable_in(part, zone));
    told
}

fn readable_in(part: &mut Part, zone: i32) {
    for fact in part.facts.iter_mut().filter(|fact| fact.word.is_some_and(Word::is_time)) {
        fact.value = WrittenTime(std::mem::take(&mut fact.value)).readable(zone);
    }
    part.parts.iter_mut().for_each(|part| readable_in(part, zone));
}

/// Returns what an order reported when it was last read here; `None` if it never was. Does not ask the vendor.
pub async fn order_particulars(till: &Till, order_no: OrderNo) -> Result<Option<Particulars>, CommandError> {
    let session = till.session().await?;
    let kept = session.operations.orders().particulars(&order_no)?;
    Ok(kept.map(|kept| readable(kept, session.vendor.zone)))
}

/// Reads an order from the vendor: adds it to the order book, or refreshes it.
pub async fn order_detail(till: &Till, order_no: OrderNo) -> Result<OrderView, CommandError> {
    let order_no = OrderNo::new(order_no.as_str().trim());
    if order_no.as_str().is_empty() {
        return Err(CommandError::invalid(field::OrderNo::Empty));
    }
    let detail = read(till, &order_no).await?;
    let proxies = detail.proxies();
    let session = till.session().await?;
    let mut particulars = detail.particulars();
    // A proxy that the order listed earlier, and lists no more, is shown as no longer listed.
    if let Some(kept) = session.operations.orders().particulars(&order_no)?.filter(|_| detail.order_no == order_no) {
        particulars.proxies = kept.proxies;
    }
    let particulars = readable(particulars, session.vendor.zone);
    Ok(OrderView {
        addresses: lines(&proxies, &Format::HostOnly.into()),
        colons: proxies.iter().any(|proxy| export::colons_break(proxy, Format::HostFirst)),
        particulars,
        raw_details: raw(&detail.details).filter(|_| proxies.is_empty()),
        order_no: detail.order_no,
        status: detail.status,
        amount: detail.amount,
        currency: detail.currency,
        ordered: detail.purchase_ip_count,
        delivered: detail.deliver_ip_count,
    })
}

/// Checks the template of a layout that is the user's own.
pub(crate) fn check_layout(layout: &Layout) -> Result<(), CommandError> {
    let own = layout.format == Format::Own;
    if own && (layout.template.trim().is_empty() || !export::unknown_words(&layout.template).is_empty()) {
        return Err(CommandError::invalid(field::Template::UnknownWord));
    }
    Ok(())
}

/// Checks the layout, then reads the proxies of an order.
async fn proxies(till: &Till, order_no: &OrderNo, layout: &Layout) -> Result<Vec<Proxy>, CommandError> {
    check_layout(layout)?;
    remember_template(till, layout)?;
    Ok(read(till, order_no).await?.proxies())
}

/// Remembers the user's own template.
pub(crate) fn remember_template(till: &Till, layout: &Layout) -> Result<(), CommandError> {
    if layout.format == Format::Own {
        till.store.set_setting("proxy-template", &layout.template)?;
    }
    Ok(())
}

/// Returns an order's proxies as lines. Reads them from the vendor.
pub async fn reveal_proxies(till: &Till, of: ProxiesOf) -> Result<Vec<String>, CommandError> {
    Ok(lines(&proxies(till, &of.order_no, &of.layout).await?, &of.layout))
}

/// Copies an order's proxies as lines. Reads them from the vendor. They are goods to be given away, and may stay in a
/// clipboard history; tokens and passwords may not.
pub async fn copy_proxies(till: &Till, of: ProxiesOf) -> Result<(), CommandError> {
    let text = lines(&proxies(till, &of.order_no, &of.layout).await?, &of.layout).join("\n");
    remembered::remember_hand_over(till, &*till.session().await?, of.layout.format, None);
    till.copy(&text)
}

/// Saves an order's proxies in the download folder. There is no dialog; the page shows the path.
pub async fn export_proxies(till: &Till, request: ExportRequest) -> Result<Exported, CommandError> {
    let proxies = proxies(till, &request.order_no, &request.layout).await?;
    let content = request.kind.content(&proxies, &request.layout).map_err(|error| CommandError::not_saved(&error))?;
    let name = format!("proxies-{}", request.order_no);
    let path = downloads::save(till, SavedKind::Proxies, &name, request.kind.ending(), &content)?;
    remembered::remember_hand_over(till, &*till.session().await?, request.layout.format, Some(request.kind));
    Ok(Exported { path, count: proxies.len() })
}

/// Returns the user's own template, as last used.
pub async fn proxy_template(till: &Till, (): ()) -> Result<String, CommandError> {
    let saved = till.store.setting::<String>("proxy-template")?;
    Ok(saved.unwrap_or_else(|| "%login%:%password%@%ip%:%port%".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_whose_ips_are_listed_without_a_number_has_as_many_as_are_listed() {
        let ip = serde_json::json!({ "proxyIp": "192.0.2.1", "proxyPort": 80, "proxyUser": "u", "proxyPassword": "p" });
        for (told, ips, expected) in [(None, 2, Some(2)), (Some(5), 2, Some(5)), (None, 0, None)] {
            let detail = serde_json::json!({ "orderNo": "A1", "deliverIpCount": told, "details": vec![&ip; ips] });
            let detail: OrderDetail = serde_json::from_value(detail).unwrap();
            assert_eq!(counted(detail).deliver_ip_count, expected);
        }
    }
}
