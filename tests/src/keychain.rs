//! A person at a keychain's prompt, and entries that this program would not make.

use std::collections::HashMap;

use zbus::blocking::{Connection, Proxy, connection};
use zbus::object_server::InterfaceRef;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

/// The service name under which the tests save secrets.
pub const SERVICE: &str = "app.proxytill.tests";
/// The name of the one entry.
pub const ACCOUNT: &str = "one";

/// The person's reaction when the keychain asks for its password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// The person is away.
    Away,
    /// The person closes the prompt.
    Dismisses,
}

/// Shows the prompts of a session, as the desktop's own program does, until it is dropped.
pub struct Prompter(Connection);

struct Prompts {
    person: Person,
    asked: usize,
}

/// The interface of the desktop's prompter, without the exchange of a password: none is typed here.
#[zbus::interface(name = "org.gnome.keyring.internal.Prompter")]
impl Prompts {
    fn begin_prompting(
        &self,
        callback: ObjectPath<'_>,
        #[zbus(header)] header: zbus::message::Header<'_>,
        #[zbus(connection)] connection: &zbus::Connection,
    ) {
        answer(connection, &header, &callback, "");
    }

    fn perform_prompt(
        &mut self,
        callback: ObjectPath<'_>,
        _kind: &str,
        _properties: HashMap<String, OwnedValue>,
        _exchange: &str,
        #[zbus(header)] header: zbus::message::Header<'_>,
        #[zbus(connection)] connection: &zbus::Connection,
    ) {
        self.asked += 1;
        if self.person == Person::Dismisses {
            answer(connection, &header, &callback, "no");
        }
    }

    fn stop_prompting(&self, _callback: ObjectPath<'_>) {}
}

fn answer(connection: &zbus::Connection, header: &zbus::message::Header<'_>, callback: &ObjectPath<'_>, said: &str) {
    let to = header.sender().expect("it has a name").to_owned();
    let (callback, said, own) = (callback.to_owned(), said.to_owned(), connection.clone());
    let ready = async move {
        let interface = Some("org.gnome.keyring.internal.Prompter.Callback");
        let nothing = HashMap::<String, Value<'_>>::new();
        let body = (said, nothing, "");
        own.call_method(Some(to), callback, interface, "PromptReady", &body).await.map(|_| ())
    };
    connection.executor().spawn(ready, "a prompt is answered").detach();
}

impl Prompter {
    /// Shows the prompts of a bus to this person.
    pub fn at(address: &str, person: Person) -> Self {
        let prompts = Prompts { person, asked: 0 };
        let bus = connection::Builder::address(address).expect("an address");
        let bus = bus.name("org.gnome.keyring.SystemPrompter").expect("a name");
        let bus = bus.serve_at("/org/gnome/keyring/Prompter", prompts).expect("a path");
        Self(bus.build().expect("the bus"))
    }

    /// Returns the number of prompts so far.
    pub fn asked(&self) -> usize {
        let server = self.0.object_server();
        let prompts: InterfaceRef<Prompts> =
            zbus::block_on(server.inner().interface("/org/gnome/keyring/Prompter")).expect("it is served");
        zbus::block_on(prompts.get()).asked
    }
}

/// Makes a second entry with the name of the first, as another program might.
pub fn add_twin(address: &str) {
    let bus = connection::Builder::address(address).expect("an address").build().expect("the bus");
    let proxy = |path: &str, interface: &'static str| {
        Proxy::new(&bus, "org.freedesktop.secrets", path.to_owned(), interface).expect("the keychain")
    };
    let service = proxy("/org/freedesktop/secrets", "org.freedesktop.Secret.Service");
    let opened: (OwnedValue, OwnedObjectPath) =
        service.call("OpenSession", &("plain", Value::from(""))).expect("a session");
    let attributes = HashMap::from([("service", SERVICE), ("username", ACCOUNT)]);
    let properties = HashMap::from([
        ("org.freedesktop.Secret.Item.Label", Value::from("a twin")),
        ("org.freedesktop.Secret.Item.Attributes", Value::from(attributes)),
    ]);
    let secret = (opened.1, Vec::<u8>::new(), b"another".to_vec(), "text/plain");
    let collection = proxy("/org/freedesktop/secrets/aliases/default", "org.freedesktop.Secret.Collection");
    let made: (OwnedObjectPath, OwnedObjectPath) =
        collection.call("CreateItem", &(properties, secret, false)).expect("an entry");
    assert_ne!(made.0.as_str(), "/", "it is made without a prompt");
}
