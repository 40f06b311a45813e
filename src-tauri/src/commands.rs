//! The commands that the window may call. Each is a function of `till` and is named once, in the list below. The list
//! yields the handler, the types of the page (`Commands`, exported by ts-rs) and, through `build.rs`, the window's
//! permissions. A function whose types differ from its line does not compile. For the events of the window, see
//! [`till::Event`].

use std::pin::Pin;
use std::sync::Arc;

use ::operations::{OperationId, OperationView};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tauri::ipc::{Invoke, InvokeBody, InvokeResponseBody, IpcResponse};
use tauri::{AppHandle, Manager};
use till::calls::CallNumber;
use till::connections::{ConnectionDraft, ConnectionView, ProbeResults};
use till::settings::Settings;
use till::updates::UpdateState;
use till::{
    CommandError, Till, accounts, activity, bulk, bulk_draft, bulk_export, buyers, calls, charts, clipboard, closing,
    connections, customers, exports, goods, hand_over, health, host, licences, locations, moves, orders, outlook,
    palette, practice, proxy_tests, purchase, remembered, renewals, report, saved_configurations, saved_files,
    settings, start, templates, traffic, updates, usage, vendor_ips, wallet,
};
use ts_rs::TS;
use wire::locations::{City, Continent, Country, State as Province};

use crate::shell::shell;

/// A running command.
type Work = Pin<Box<dyn Future<Output = Result<InvokeResponseBody, CommandError>> + Send>>;
/// Starts a command with the request as it came.
type Command = fn(Arc<Till>, Value) -> Work;

/// Raw bytes for the window, not encoded as JSON.
#[derive(TS)]
#[ts(type = "ArrayBuffer")]
pub struct Bytes(Vec<u8>);

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl IpcResponse for Bytes {
    fn body(self) -> tauri::Result<InvokeResponseBody> {
        Ok(InvokeResponseBody::Raw(self.0))
    }
}

macro_rules! commands {
    ($($module:ident::$name:ident($request:ty) -> $response:ty;)+) => {
        /// The command with this name; `None` if there is none.
        fn command(name: &str) -> Option<Command> {
            match name {
                $(stringify!($name) => Some(|till, request| Box::pin(async move {
                    let request: $request = read(request)?;
                    let response: $response = $module::$name(&till, request).await?.into();
                    response.body().map_err(|error| CommandError::internal(&error))
                })),)+
                _ => None,
            }
        }

        /// The names of all commands.
        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),+];

        /// The name of each command, with the types of its request and response.
        #[derive(TS)]
        #[allow(dead_code)]
        pub struct Commands {
            $($name: ($request, $response),)+
        }
    };
}

/// Answers the window. One handler for all commands: Tauri's own macro makes a task of its own type for each, 2 MB of
/// the program.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    |Invoke { message, resolver, .. }| {
        let Some(command) = command(message.command()) else { return false };
        let handle = message.webview_ref().app_handle().clone();
        let payload = message.payload().clone();
        resolver.respond_async_serialized(async move { Ok(answer(command, &handle, payload).await?) });
        true
    }
}

/// The arguments of every command.
#[derive(Deserialize)]
struct Asked {
    request: Value,
    /// Given if the page may stop the call.
    number: Option<CallNumber>,
    /// The connection on screen.
    connection: Option<String>,
}

async fn answer(command: Command, handle: &AppHandle, payload: InvokeBody) -> Result<InvokeResponseBody, CommandError> {
    let Asked { request, number, connection } = match payload {
        InvokeBody::Json(payload) => read(payload)?,
        InvokeBody::Raw(_) => read(Value::Null)?,
    };
    let till = shell(handle).till(handle).await?;
    calls::of_page(connection, till.call(number, command(till.clone(), request))).await
}

fn read<T: DeserializeOwned>(json: Value) -> Result<T, CommandError> {
    serde_json::from_value(json).map_err(|error| CommandError::internal(&error))
}

commands! {
    start::boot(String) -> start::Boot;
    start::connection_problem(()) -> Option<CommandError>;
    start::gb_factor(()) -> ::operations::GbFactor;
    host::perf_mark(String) -> ();
    start::restorations(()) -> start::Restorations;
    start::restorations_seen(()) -> ();
    calls::stop_call(CallNumber) -> ();
    calls::stop_waits(()) -> ();
    host::set_zoom(u32) -> ();
    closing::close_window(()) -> ();
    closing::work_under_way(()) -> closing::UnderWay;
    closing::close_anyway(()) -> ();
    clipboard::copy_text(String) -> ();
    licences::notices(()) -> String;
    report::preview_report(()) -> String;
    report::save_report(()) -> String;
    updates::update_state(()) -> UpdateState;
    updates::check_update(()) -> UpdateState;
    updates::check_daily(bool) -> UpdateState;
    updates::postpone_update(String) -> UpdateState;
    updates::install_update(String) -> UpdateState;
    updates::start_again(()) -> ();
    settings::save_settings(Settings) -> Settings;
    settings::save_columns(settings::TableColumns) -> ();
    settings::keychain_state(()) -> vault::KeychainState;
    connections::test_connection(ConnectionDraft) -> ProbeResults;
    connections::save_connection(ConnectionDraft) -> ConnectionView;
    connections::replace_token(connections::NewToken) -> start::Boot;
    connections::remove_connection(String) -> ();
    connections::open_connection(String) -> start::Boot;
    connections::start_practice(()) -> start::Boot;
    connections::leave_practice(()) -> start::Boot;
    health::vendor_health(String) -> health::HealthView;
    health::check_vendor(String) -> health::HealthView;
    health::vendor_changes_seen(String) -> health::HealthView;
    health::polarity_checked(health::PolarityChecked) -> connections::Polarity;
    renewals::renewal_price(renewals::RenewalRequest) -> renewals::RenewalPriced;
    renewals::offer_renewal(u32) -> renewals::RenewalOffered;
    renewals::pay_renewal(String) -> OperationView;
    renewals::renewed_ends(OperationId) -> Option<renewals::RenewedEnds>;
    vendor_ips::new_ips(OperationId) -> Option<vendor_ips::NewIps>;
    practice::practice_state(()) -> practice::PracticeState;
    practice::practice_set_wallet(wire::Amount) -> practice::PracticeState;
    practice::practice_set_speed(u32) -> practice::PracticeState;
    practice::practice_mishap(Option<practice::Mishap>) -> practice::PracticeState;
    practice::practice_reset(()) -> practice::PracticeState;
    locations::list_continents(()) -> Vec<Continent>;
    locations::list_countries(locations::CountriesOf) -> Vec<Country>;
    locations::list_states(locations::PlacesOf) -> Vec<Province>;
    locations::list_cities(locations::PlacesOf) -> Vec<City>;
    locations::place_names(locations::Unnamed) -> locations::NamedPlaces;
    locations::search_places(String) -> Vec<catalog::Hit>;
    locations::search_vendor_places(String) -> Vec<catalog::Hit>;
    locations::refresh_places(()) -> usize;
    purchase::purchase_options(()) -> wire::purchase::PurchaseOptions;
    purchase::purchase_stock(wire::inventory::InventoryQuery) -> Vec<wire::inventory::CountryStock>;
    purchase::segment_stock(wire::inventory::SegmentsQuery) -> Option<Vec<wire::inventory::SegmentStock>>;
    purchase::purchase_price(purchase::PriceRequest) -> purchase::Price;
    purchase::offer_order(wire::ids::QuoteId) -> purchase::Offered;
    purchase::pay_order(String) -> OperationView;
    remembered::last_choices(()) -> Option<wire::purchase::PurchaseConfig>;
    remembered::last_hand_over(()) -> remembered::LastHandOver;
    remembered::purposes(()) -> Vec<wire::choice::Choice>;
    saved_configurations::saved_purchases(()) -> Vec<saved_configurations::SavedPurchase>;
    saved_configurations::save_purchase(saved_configurations::SavedDraft) -> Vec<saved_configurations::SavedPurchase>;
    saved_configurations::rename_purchase(saved_configurations::SavedRename) -> Vec<saved_configurations::SavedPurchase>;
    saved_configurations::delete_purchase(u32) -> Vec<saved_configurations::SavedPurchase>;
    wallet::wallet(()) -> wallet::Wallet;
    wallet::type_wallet(wallet::WalletTyping) -> wallet::Wallet;
    wallet::untype_wallet(i64) -> wallet::Wallet;
    activity::list_operations(()) -> Vec<OperationView>;
    activity::list_activity(::operations::ActivityQuery) -> ::operations::Activity;
    activity::operations_touched(i64) -> ::operations::Touches;
    activity::resend_operation(OperationId) -> OperationView;
    activity::judge_operation(activity::Judgement) -> OperationView;
    activity::check_operation(OperationId) -> OperationView;
    activity::operations_of(Vec<OperationId>) -> Vec<OperationView>;
    customers::list_customers(bool) -> Vec<wire::customers::Customer>;
    customers::read_customers(bool) -> customers::CustomersState;
    customers::find_customers(::customers::ListQuery) -> customers::Found;
    customers::found_customers(customers::FoundWindow) -> Vec<::customers::CustomerRow>;
    customers::found_ids(u32) -> Vec<wire::ids::CustomerId>;
    customers::customer_page(wire::ids::CustomerId) -> customers::CustomerPage;
    customers::save_note(customers::NoteOf) -> ();
    customers::reveal_customer(wire::ids::CustomerId) -> customers::Revealed;
    customers::copy_secret(customers::SecretOf) -> ();
    customers::message_template(String) -> String;
    customers::save_template(templates::TemplateOf) -> ();
    accounts::offer_change(accounts::ChangeDraft) -> accounts::ChangeOffered;
    accounts::confirm_change(moves::Confirmed) -> OperationView;
    accounts::generate_password(()) -> String;
    accounts::save_secrets(OperationId) -> OperationView;
    bulk_draft::draft_bulk(bulk_draft::BulkRequest) -> ::customers::DraftTotals;
    bulk_draft::draft_rows(bulk_draft::DraftWindow) -> Vec<bulk_draft::PlacedRow>;
    bulk_draft::answer_draft(bulk_draft::DraftAnswered) -> ::customers::DraftTotals;
    bulk_draft::judge_draft(u32) -> ::customers::DraftTotals;
    bulk::offer_bulk(u32) -> bulk::BulkOffered;
    bulk::confirm_bulk(bulk::BulkConfirmed) -> ::operations::BulkView;
    bulk::list_bulks(()) -> Vec<::operations::BulkView>;
    bulk::bulk_rows(bulk::BulkWindow) -> Vec<::operations::BulkRowView>;
    bulk::count_bulk_rows(bulk::BulkRowsOf) -> usize;
    bulk::act_on_bulk(bulk::BulkActOn) -> ::operations::BulkView;
    bulk_export::export_bulk(bulk_export::BulkExport) -> String;
    moves::open_move(moves::MoveOf) -> moves::MoveStart;
    moves::offer_move(moves::MoveDraft) -> moves::MoveOffered;
    moves::confirm_move(moves::Confirmed) -> OperationView;
    traffic::traffic_totals(()) -> wire::traffic::TrafficTotals;
    traffic::known_totals(()) -> Option<traffic::TotalsRead>;
    traffic::traffic_consumption(traffic::ConsumptionRequest) -> Vec<traffic::ConsumptionRow>;
    traffic::known_consumption(bool) -> Option<traffic::ConsumptionRead>;
    traffic::traffic_records(traffic::RecordsRequest) -> traffic::RecordsPage;
    traffic::customer_records(traffic::CustomerRecordsRequest) -> Vec<wire::traffic::TrafficRecord>;
    traffic::all_records(traffic::RecordsOf) -> Vec<wire::traffic::TrafficRecord>;
    traffic::known_customer_records(wire::ids::CustomerId) -> Option<traffic::CustomerRecordsRead>;
    traffic::known_records(traffic::RecordList) -> Option<traffic::RecordsRead>;
    charts::draw_chart(charts::ChartRequest) -> charts::ChartView;
    charts::save_chart(charts::ChartFile) -> String;
    exports::export_table(exports::TableRequest) -> String;
    saved_files::saved_files(()) -> Vec<saved_files::SavedFile>;
    saved_files::open_saved(u32) -> ();
    saved_files::show_saved(u32) -> ();
    outlook::running_out(()) -> outlook::Outlook;
    outlook::known_running_out(()) -> Option<outlook::OutlookRead>;
    usage::usage_state(()) -> usage::UsageState;
    usage::usage_sync(()) -> usage::UsageState;
    usage::usage_by_time(usage::UsageRequest) -> Vec<::usage::DayUse>;
    usage::usage_by_customer(usage::UsageRequest) -> Vec<::usage::CustomerUse>;
    usage::usage_select(usage::RowsWanted) -> usage::Selected;
    usage::usage_rows(usage::RowsRequest) -> Bytes;
    usage::export_usage(usage::RowsExport) -> String;
    palette::find_anything(palette::PaletteRequest) -> palette::Found;
    orders::list_orders(()) -> Vec<::operations::BookedOrder>;
    orders::save_order_note(orders::OrderNote) -> ();
    orders::order_detail(wire::ids::OrderNo) -> orders::OrderView;
    orders::order_particulars(wire::ids::OrderNo) -> Option<wire::orders::Particulars>;
    orders::reveal_proxies(orders::ProxiesOf) -> Vec<String>;
    orders::copy_proxies(orders::ProxiesOf) -> ();
    orders::export_proxies(orders::ExportRequest) -> orders::Exported;
    orders::proxy_template(()) -> String;
    goods::find_goods(::goods::GoodsQuery) -> goods::GoodsFound;
    goods::found_goods(customers::FoundWindow) -> Vec<::goods::GoodsView>;
    goods::found_goods_keys(u32) -> Vec<::operations::GoodsKey>;
    goods::goods_of(wire::ids::OrderNo) -> Vec<::goods::GoodsView>;
    goods::goods_named(::operations::GoodsKey) -> Option<::goods::GoodsView>;
    goods::whose_goods(Vec<::operations::GoodsKey>) -> goods::GoodsWhose;
    goods::goods_due(()) -> goods::GoodsDue;
    goods::goods_ends(::goods::GoodsQuery) -> goods::GoodsEnds;
    goods::orders_with_ip(String) -> Vec<wire::ids::OrderNo>;
    goods::read_goods(bool) -> goods::GoodsRead;
    buyers::list_buyers(()) -> Vec<buyers::BuyerView>;
    buyers::save_buyer(buyers::BuyerDraft) -> ::operations::BuyerId;
    buyers::delete_buyer(::operations::BuyerId) -> ();
    buyers::assign_goods(Vec<buyers::AssignTo>) -> Vec<buyers::BuyerView>;
    buyers::read_pasted(String) -> Vec<::goods::PastedLine>;
    buyers::deliveries_of(::operations::BuyerId) -> Vec<buyers::DeliveryView>;
    hand_over::preview_delivery(hand_over::HandOver) -> String;
    hand_over::show_delivery(hand_over::HandOver) -> hand_over::DeliveryText;
    hand_over::copy_delivery(hand_over::HandOver) -> bool;
    hand_over::save_delivery(hand_over::HandOver) -> hand_over::DeliveryFile;
    hand_over::picture_delivery(hand_over::HandOver) -> hand_over::DeliveryFile;
    hand_over::mark_sent(hand_over::SentOf) -> i64;
    hand_over::unmark_sent(hand_over::SentOf) -> ();
    proxy_tests::test_proxies(Vec<::operations::GoodsKey>) -> Vec<proxy_tests::ProxyTested>;
    proxy_tests::proxy_tests(()) -> Vec<proxy_tests::ProxyTested>;
    hand_over::delivery_template(String) -> String;
    hand_over::save_delivery_template(templates::TemplateOf) -> ();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder that `cargo xtask bindings` writes and that the test compares with.
    const BINDINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/src/bindings");

    fn export(to: &std::path::Path) {
        Commands::export_all(&ts_rs::Config::from_env().with_out_dir(to)).unwrap();
        till::Event::export_all(&ts_rs::Config::from_env().with_out_dir(to)).unwrap();
        CommandError::export_all(&ts_rs::Config::from_env().with_out_dir(to)).unwrap();
    }

    fn files(folder: &std::path::Path) -> std::collections::BTreeMap<String, String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
        entries
            .filter(|path| path.is_file())
            .map(|path| (name(&path), std::fs::read_to_string(&path).unwrap()))
            .collect()
    }

    #[test]
    fn the_bindings_of_the_page_are_fresh() {
        if std::env::var_os("PROXYTILL_WRITE_BINDINGS").is_some() {
            let _ = std::fs::remove_dir_all(BINDINGS);
            export(BINDINGS.as_ref());
        }
        let fresh = tempfile::tempdir().unwrap();
        export(fresh.path());
        let (committed, fresh) = (files(BINDINGS.as_ref()), files(fresh.path()));
        let all = committed.keys().chain(fresh.keys()).collect::<std::collections::BTreeSet<_>>();
        let stale: Vec<_> = all.into_iter().filter(|name| committed.get(*name) != fresh.get(*name)).collect();
        assert!(stale.is_empty(), "stale: {stale:?}: run `cargo xtask bindings`");
    }

    #[test]
    fn the_window_may_call_exactly_the_listed_commands_and_listen() {
        let capability = include_str!(concat!(env!("OUT_DIR"), "/capabilities/main.json"));
        let capability: Value = serde_json::from_str(capability).unwrap();
        assert_eq!(capability["windows"], serde_json::json!(["main"]));
        let allowed: Vec<&str> = capability["permissions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|permission| permission.as_str().unwrap())
            .collect();
        let listed = NAMES.iter().map(|name| format!("allow-{}", name.replace('_', "-")));
        let listen = ["core:event:allow-listen", "core:event:allow-unlisten"].map(str::to_owned);
        assert_eq!(allowed, listen.into_iter().chain(listed).collect::<Vec<_>>());
    }
}
