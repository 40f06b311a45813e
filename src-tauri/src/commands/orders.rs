//! One order with its proxies: read again when needed, concealed until asked for, never on disk.

use export::Format;
use serde::{Deserialize, Serialize};
use tauri_plugin_clipboard_manager::ClipboardExt;
use ts_rs::TS;
use wire::Amount;
use wire::ids::OrderNo;
use wire::orders::{OrderDetail, OrderStatus, Proxy};

use super::Context;
use crate::error::CommandError;

/// An order as a person sees it.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OrderView {
    /// Order number.
    pub order_no: OrderNo,
    /// Status number.
    pub status: Option<OrderStatus>,
    /// Paid, in `currency`.
    pub amount: Option<Amount>,
    /// Currency code.
    pub currency: String,
    /// IPs ordered.
    pub ordered: Option<i64>,
    /// IPs delivered so far.
    pub delivered: Option<i64>,
    /// `host:port` of each delivered proxy; the rest is revealed when asked for.
    pub addresses: Vec<String>,
}

/// Which proxies, in which form.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProxiesOf {
    /// The order.
    pub order_no: OrderNo,
    /// The form of each line.
    #[ts(as = "Format")]
    pub format: Format,
}

async fn read(context: &Context, order_no: &OrderNo) -> Result<OrderDetail, CommandError> {
    let session = context.app.session().await?;
    Ok(session.client.call(client::orders::detail(order_no)).await?.data)
}

fn lines(proxies: &[Proxy], format: Format) -> Vec<String> {
    proxies.iter().map(|proxy| export::line(proxy, format)).collect()
}

pub(crate) async fn order_detail(context: &Context, order_no: OrderNo) -> Result<OrderView, CommandError> {
    let detail = read(context, &order_no).await?;
    Ok(OrderView {
        addresses: lines(&detail.proxies(), Format::HostOnly),
        order_no: detail.order_no,
        status: detail.status,
        amount: detail.amount,
        currency: detail.currency,
        ordered: detail.purchase_ip_count,
        delivered: detail.deliver_ip_count,
    })
}

pub(crate) async fn reveal_proxies(context: &Context, of: ProxiesOf) -> Result<Vec<String>, CommandError> {
    Ok(lines(&read(context, &of.order_no).await?.proxies(), of.format))
}

pub(crate) async fn copy_proxies(context: &Context, of: ProxiesOf) -> Result<(), CommandError> {
    let text = lines(&read(context, &of.order_no).await?.proxies(), of.format).join("\n");
    context.handle.clipboard().write_text(text).map_err(|error| CommandError::internal(&error))
}
