//! The thread that talks to the keychain. Its errors may print secrets, so they must not leave this file.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use keyring::Error;
use keyring_core::{CredentialStore, Entry};
use parking_lot::Mutex;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::oneshot;

use crate::KeychainState;

pub(crate) enum Wish {
    Look,
    Save(String, SecretString),
    Read(String),
    Remove(String),
}

pub(crate) enum Reply {
    Done,
    NoEntry,
    Secret(SecretString),
}

type Answer = Result<Reply, KeychainState>;

/// The service name of the program's entries, and that of its earlier versions.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) former: Option<String>,
}

/// The entry that a check asks for. Nothing is ever saved under this name.
const LOOK: &str = "look";

/// State that the threads of one vault share. A thread that does not come back is abandoned.
#[derive(Default)]
pub(crate) struct Calls {
    /// Number of calls that have not come back.
    pub(crate) under_way: AtomicUsize,
    /// Number of the newest change of each entry: only that change may be undone.
    newest: Mutex<HashMap<String, u64>>,
}

impl Calls {
    /// Numbers a change of an entry.
    fn number(&self, account: &str) -> u64 {
        let mut newest = self.newest.lock();
        let number = newest.entry(account.to_owned()).or_default();
        *number += 1;
        *number
    }

    fn is_newest(&self, account: &str, number: u64) -> bool {
        self.newest.lock().get(account) == Some(&number)
    }
}

struct Call {
    wish: Wish,
    /// Number of a change; `None` for a call that changes nothing.
    number: Option<u64>,
    answer: oneshot::Sender<Answer>,
}

pub(crate) struct Keychain {
    sender: mpsc::Sender<Call>,
    calls: Arc<Calls>,
}

impl Keychain {
    pub(crate) fn start(service: Service, calls: Arc<Calls>) -> Self {
        let (sender, waiting) = mpsc::channel::<Call>();
        let own = calls.clone();
        std::thread::spawn(move || {
            let mut store = None;
            for call in waiting {
                serve(&mut store, &service, call, &own);
                own.under_way.fetch_sub(1, Ordering::SeqCst);
            }
        });
        Self { sender, calls }
    }

    pub(crate) fn ask(&self, wish: Wish) -> oneshot::Receiver<Answer> {
        let (answer, waiting) = oneshot::channel();
        let number = wish.changes().map(|account| self.calls.number(account));
        self.calls.under_way.fetch_add(1, Ordering::SeqCst);
        if self.sender.send(Call { wish, number, answer }).is_err() {
            // A thread that has ended drops the answer, and the caller notices.
            self.calls.under_way.fetch_sub(1, Ordering::SeqCst);
        }
        waiting
    }
}

/// Runs one call. A call that was given up is not started. A change that finishes too late is undone, because its
/// caller was told that nothing changed.
fn serve(store: &mut Option<Store>, service: &Service, call: Call, calls: &Calls) {
    let Call { wish, number, answer } = call;
    if answer.is_closed() {
        return;
    }
    let is_old = store.is_some();
    let mut granted = grant(store, service, &wish, || answer.is_closed());
    if is_old && matches!(granted, Err(KeychainState::Missing)) && !answer.is_closed() {
        // A restarted keychain knows nothing of the session with its predecessor.
        *store = None;
        granted = grant(store, service, &wish, || answer.is_closed());
    }
    let (granted, before) = granted.map_or_else(|state| (Err(state), None), |(reply, before)| (Ok(reply), before));
    let is_late = answer.send(granted).is_err();
    let newest = wish.changes().zip(number).is_some_and(|(account, number)| calls.is_newest(account, number));
    if let Some(before) = before.filter(|_| is_late && newest) {
        before.put_back();
    }
}

impl Wish {
    /// The entry that the call concerns.
    fn account(&self) -> Option<&str> {
        match self {
            Self::Save(account, _) | Self::Read(account) | Self::Remove(account) => Some(account),
            Self::Look => None,
        }
    }

    /// The entry that the call changes.
    fn changes(&self) -> Option<&str> {
        match self {
            Self::Save(account, _) | Self::Remove(account) => Some(account),
            Self::Look | Self::Read(_) => None,
        }
    }
}

/// An entry as it was before a change.
struct Before {
    entry: Entry,
    bytes: Option<Zeroizing<Vec<u8>>>,
}

impl Before {
    fn put_back(self) {
        let put = match &self.bytes {
            Some(bytes) => self.entry.set_secret(bytes),
            None => self.entry.delete_credential(),
        };
        if put.is_err() {
            tracing::warn!("a keychain change that came too late cannot be undone");
        }
    }
}

/// Carries out a call. `is_given_up` says that the caller no longer waits for it.
fn grant(
    store: &mut Option<Store>,
    service: &Service,
    wish: &Wish,
    is_given_up: impl Fn() -> bool,
) -> Result<(Reply, Option<Before>), KeychainState> {
    let store = match store {
        Some(store) => store,
        None => store.insert(open().map_err(|error| state(&error))?),
    };
    let entry_of = |service: &str, account: &str| -> Result<Entry, KeychainState> {
        store.system.build(service, account, store.modifiers.as_ref()).map_err(|error| state(&error))
    };
    let entry = |account: &str| entry_of(&service.name, account);
    if let (Some(former), Some(account)) = (&service.former, wish.account()) {
        let former = entry_of(former, account)?;
        bring_over(&former, &entry(account)?).map_err(|error| state(&error))?;
        if matches!(wish, Wish::Remove(_)) {
            // A crash between copying and removing can leave the old entry behind; it would come back.
            remove(&former).map_err(|error| state(&error))?;
        }
    }
    let before = match wish.changes() {
        Some(account) => Some(before(entry(account)?)?),
        None => None,
    };
    // The prompt may have stayed open past the limit: a late answer must not change anything.
    if before.is_some() && is_given_up() {
        return Err(KeychainState::NotAnswering);
    }
    let done = match wish {
        Wish::Look => entry(LOOK)?.get_secret().map(|_| Reply::Done),
        Wish::Save(account, secret) => {
            entry(account)?.set_secret(secret.expose_secret().as_bytes()).map(|()| Reply::Done)
        }
        Wish::Read(account) => {
            let bytes = entry(account)?.get_secret();
            bytes.map(|bytes| String::from_utf8(bytes).map_or(Reply::NoEntry, |text| Reply::Secret(text.into())))
        }
        Wish::Remove(account) => entry(account)?.delete_credential().map(|()| Reply::Done),
    };
    match done {
        Err(Error::NoEntry) => Ok((Reply::NoEntry, None)),
        other => other.map(|reply| (reply, before)).map_err(|error| state(&error)),
    }
}

/// Moves an entry of an earlier version to today's name, unless that exists. The old entry is removed only afterwards.
fn bring_over(former: &Entry, entry: &Entry) -> keyring::Result<()> {
    match entry.get_secret() {
        Err(Error::NoEntry) => {}
        other => return other.map(|bytes| drop(Zeroizing::new(bytes))),
    }
    match former.get_secret() {
        Ok(bytes) => entry.set_secret(&Zeroizing::new(bytes))?,
        Err(Error::NoEntry) => return Ok(()),
        Err(error) => return Err(error),
    }
    remove(former)
}

/// Removes an entry; succeeds if there is none.
fn remove(entry: &Entry) -> keyring::Result<()> {
    match entry.delete_credential() {
        Err(Error::NoEntry) => Ok(()),
        other => other,
    }
}

fn before(entry: Entry) -> Result<Before, KeychainState> {
    let bytes = match entry.get_secret() {
        Ok(bytes) => Some(Zeroizing::new(bytes)),
        Err(Error::NoEntry) => None,
        Err(error) => return Err(state(&error)),
    };
    Ok(Before { entry, bytes })
}

/// The system's keychain.
struct Store {
    system: Arc<CredentialStore>,
    /// Settings of each entry.
    modifiers: Option<HashMap<&'static str, &'static str>>,
}

/// Keeps entries on this computer on Windows: by default they follow a roaming profile and would come back with it.
#[cfg(windows)]
const STAYS_HERE: (&str, &str) = ("persistence", "Local");

#[cfg(target_os = "macos")]
fn open() -> keyring::Result<Store> {
    Ok(Store { system: apple_native_keyring_store::keychain::Store::new()?, modifiers: None })
}

#[cfg(windows)]
fn open() -> keyring::Result<Store> {
    Ok(Store { system: windows_native_keyring_store::Store::new()?, modifiers: Some(HashMap::from([STAYS_HERE])) })
}

#[cfg(all(unix, not(target_os = "macos")))]
fn open() -> keyring::Result<Store> {
    Ok(Store { system: zbus_secret_service_keyring_store::Store::new()?, modifiers: None })
}

fn state(error: &Error) -> KeychainState {
    match error {
        Error::NoStorageAccess(_) => KeychainState::Locked,
        Error::PlatformFailure(_) | Error::NoDefaultStore => KeychainState::Missing,
        _ => KeychainState::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store in memory with one entry, and a view of its content.
    fn store() -> (Option<Store>, impl Fn() -> Option<Vec<u8>>) {
        let system: Arc<CredentialStore> = keyring_core::mock::Store::new().unwrap();
        let entry = system.build("service", "one", None).unwrap();
        entry.set_secret(b"first").unwrap();
        (Some(Store { system, modifiers: None }), move || entry.get_secret().ok())
    }

    fn service() -> Service {
        Service { name: "service".into(), former: None }
    }

    fn wishes() -> [Wish; 2] {
        [Wish::Save("one".into(), "second".into()), Wish::Remove("one".into())]
    }

    fn call(wish: Wish, calls: &Calls) -> (Call, oneshot::Receiver<Answer>) {
        let (answer, waiting) = oneshot::channel();
        (Call { number: wish.changes().map(|account| calls.number(account)), wish, answer }, waiting)
    }

    #[test]
    fn a_change_that_was_given_up_before_it_began_changes_nothing() {
        for wish in wishes() {
            let (mut store, kept) = store();
            let given_up = grant(&mut store, &service(), &wish, || true);
            assert!(matches!(given_up, Err(KeychainState::NotAnswering)));
            assert_eq!(kept().as_deref(), Some(&b"first"[..]));
            let calls = Calls::default();
            let (call, waiting) = call(wish, &calls);
            drop(waiting);
            serve(&mut store, &service(), call, &calls);
            assert_eq!(kept().as_deref(), Some(&b"first"[..]));
        }
    }

    #[test]
    fn a_change_that_is_done_after_it_was_given_up_is_taken_back() {
        for (wish, changed) in wishes().into_iter().zip([Some(&b"second"[..]), None]) {
            let (mut store, kept) = store();
            let (_, before) = grant(&mut store, &service(), &wish, || false).unwrap();
            assert_eq!(kept().as_deref(), changed);
            before.unwrap().put_back();
            assert_eq!(kept().as_deref(), Some(&b"first"[..]));
        }
    }

    #[test]
    fn what_was_new_and_came_too_late_is_gone_again() {
        let (mut store, _) = store();
        let wish = Wish::Save("two".into(), "second".into());
        let (_, before) = grant(&mut store, &service(), &wish, || false).unwrap();
        before.unwrap().put_back();
        let read = grant(&mut store, &service(), &Wish::Read("two".into()), || false).unwrap();
        assert!(matches!(read, (Reply::NoEntry, None)));
    }

    #[test]
    fn an_entry_of_an_earlier_version_is_read_changed_and_removed_under_the_name_of_today() {
        let renamed = Service { name: "renamed".into(), former: Some("service".into()) };
        let cases = [
            (Wish::Read("one".into()), Some(&b"first"[..])),
            (Wish::Save("one".into(), "second".into()), Some(&b"second"[..])),
            (Wish::Remove("one".into()), None),
        ];
        for (wish, expected) in cases {
            let (mut store, kept) = store();
            grant(&mut store, &renamed, &wish, || false).unwrap();
            assert_eq!(kept(), None, "under the former name");
            let now = store.as_ref().unwrap().system.build("renamed", "one", None).unwrap();
            assert_eq!(now.get_secret().ok().as_deref(), expected);
        }
    }

    #[test]
    fn what_was_left_under_the_former_name_does_not_come_back() {
        let renamed = Service { name: "renamed".into(), former: Some("service".into()) };
        let (mut store, kept) = store();
        store.as_ref().unwrap().system.build("renamed", "one", None).unwrap().set_secret(b"newer").unwrap();
        let read = grant(&mut store, &renamed, &Wish::Read("one".into()), || false).unwrap();
        assert!(matches!(read, (Reply::Secret(secret), _) if secret.expose_secret() == "newer"));
        grant(&mut store, &renamed, &Wish::Remove("one".into()), || false).unwrap();
        assert_eq!(kept(), None);
        let read = grant(&mut store, &renamed, &Wish::Read("one".into()), || false).unwrap();
        assert!(matches!(read, (Reply::NoEntry, None)));
    }

    #[test]
    fn of_two_changes_only_the_newer_one_may_be_taken_back() {
        let calls = Calls::default();
        let numbers = [calls.number("one"), calls.number("one"), calls.number("two")];
        assert_eq!(numbers.map(|number| calls.is_newest("one", number)), [false, true, false]);
    }

    /// The Credential Manager alone takes this setting, so nothing but its own store shows that it is taken.
    #[cfg(windows)]
    #[test]
    fn an_entry_stays_on_its_computer() {
        let mut store = Some(open().unwrap());
        let service = Service { name: "proxytill-test".into(), former: None };
        grant(&mut store, &service, &Wish::Save("persistence".into(), "x".into()), || false).unwrap();
        // Asked for without the setting, it tells its own.
        let entry = store.unwrap().system.build("proxytill-test", "persistence", None).unwrap();
        assert_eq!(entry.get_attributes().unwrap().get(STAYS_HERE.0).map(String::as_str), Some(STAYS_HERE.1));
        entry.delete_credential().unwrap();
    }
}
