//! Whether proxies work, before they are handed over: on request, with an address that the user set, from this
//! computer. Credentials are read from the orders and stay in memory; what was found is known until the connection is
//! closed.

use std::collections::{HashMap, VecDeque};

use ::proxy_tests::{Outcome, TestAddress, Tester, WrongAddress};
use operations::GoodsKey;
use parking_lot::Mutex;
use serde::Serialize;
use ts_rs::TS;
use wire::orders::Proxy;

use crate::clock::wall_clock;
use crate::error::CommandError;
use crate::events::Event;
use crate::{Till, field, hand_over, practice};

pub use ::proxy_tests::LIMIT;

/// What a test of a proxy has shown.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProxyTested {
    /// The proxy.
    pub key: GoodsKey,
    /// What was found.
    pub outcome: Outcome,
    /// When, wall clock, ms since 1970.
    pub at: i64,
}

/// The last test of each proxy of a session.
#[derive(Default)]
pub(crate) struct Tested {
    last: Mutex<HashMap<GoodsKey, ProxyTested>>,
    /// Held by the run that is under way: one at a time.
    running: tokio::sync::Mutex<()>,
}

impl Tested {
    /// The last tests of these proxies, in their order.
    fn of(&self, keys: &[GoodsKey]) -> Vec<ProxyTested> {
        let last = self.last.lock();
        keys.iter().filter_map(|key| last.get(key).cloned()).collect()
    }
}

/// Reads the address that the user typed; `None` if there is none.
pub(crate) fn address(typed: Option<&str>) -> Result<Option<TestAddress>, CommandError> {
    let Some(typed) = typed.filter(|typed| !typed.trim().is_empty()) else { return Ok(None) };
    let read = TestAddress::parse(typed).map_err(|wrong| match wrong {
        WrongAddress::NotAnAddress => field::ProxyTestAddress::NotAnAddress,
        WrongAddress::Credentials => field::ProxyTestAddress::Credentials,
    });
    read.map(Some).map_err(CommandError::invalid)
}

/// Tests proxies, and reports each result as it comes. Refused while no address is set, and in practice, where no proxy
/// exists. Stopping keeps what was found so far.
pub async fn test_proxies(till: &Till, keys: Vec<GoodsKey>) -> Result<Vec<ProxyTested>, CommandError> {
    let session = till.session().await?;
    if session.id == practice::ID {
        return Err(CommandError::invalid(field::ProxyTest::Practice));
    }
    let address = address(till.settings()?.proxy_test.as_deref())?;
    let address = address.ok_or_else(|| CommandError::invalid(field::ProxyTest::NoAddress))?;
    let tester = Tester::new(address, till.proxy_limit);
    let tester = tester.map_err(|_| CommandError::invalid(field::ProxyTest::NoCertificates))?;
    let _one = session.tested.running.lock().await;
    let proxies = hand_over::proxies(&session, &keys).await?;
    let named = named(&keys, &proxies);
    let told = |at: usize, outcome: Outcome| {
        let Some(key) = named.get(at).cloned().flatten() else { return };
        let tested = ProxyTested { key: key.clone(), outcome, at: wall_clock() };
        session.tested.last.lock().insert(key, tested.clone());
        till.host.emit(Event::ProxyTested(tested));
    };
    tester.each(&proxies, told).await;
    Ok(session.tested.of(&keys))
}

/// Returns what the last test of each proxy has shown since the connection was opened, in no order.
pub async fn proxy_tests(till: &Till, (): ()) -> Result<Vec<ProxyTested>, CommandError> {
    Ok(till.session().await?.tested.last.lock().values().cloned().collect())
}

/// The key of each proxy. Two orders may name the same address: each gets its own. A key without a port fits any port
/// of its host.
fn named(keys: &[GoodsKey], proxies: &[Proxy]) -> Vec<Option<GoodsKey>> {
    let address = |host: &str, port: u16| goods::row::address(host, port);
    let mut left: HashMap<String, VecDeque<&GoodsKey>> = HashMap::new();
    for key in keys {
        left.entry(address(&key.host, key.port)).or_default().push_back(key);
    }
    let name = |proxy: &Proxy| {
        let whole = address(&proxy.host, proxy.port);
        let known = if left.contains_key(&whole) { whole } else { address(&proxy.host, 0) };
        let names = left.get_mut(&known)?;
        if names.len() > 1 { names.pop_front().cloned() } else { names.front().copied().cloned() }
    };
    proxies.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::ids::OrderNo;

    #[test]
    fn each_proxy_has_the_name_of_its_order() {
        let key = |order: &str, port: u16| GoodsKey { order_no: OrderNo::new(order), host: "192.0.2.1".into(), port };
        let proxy = |port: u16| Proxy { host: "192.0.2.1".into(), port, ..Proxy::default() };
        let keys = [key("A", 1), key("A", 2), key("B", 1)];
        let proxies = [1, 2, 1, 2, 3].map(proxy);
        let names: Vec<_> = named(&keys, &proxies).into_iter().map(|name| name.map(|key| key.to_string())).collect();
        let expected =
            [Some("A 192.0.2.1 1"), Some("A 192.0.2.1 2"), Some("B 192.0.2.1 1"), Some("A 192.0.2.1 2"), None];
        assert_eq!(names, expected.map(|name| name.map(str::to_owned)));
        assert_eq!(named(&[key("", 0)], &[proxy(7)]), [Some(key("", 0))], "the list named no port");
    }
}
