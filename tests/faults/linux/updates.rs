//! T17: everything that a feed, a file, a server or a system can do wrong. Only files that the key signed as this
//! version and this kind of package are installed.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use semver::Version;
use serde_json::{Value, json};
use tests::release::{Release, consent, deb, signed};
use tests::tls::Authority;
use tests::update_server::{Answer, UpdateServer};
use updates::{Error, Installer, Kind, Limits, Source, Updates};

const OURS: &str = "1.2.3";
const NEWER: &str = "1.3.0";

/// Stands for a server without TLS, which is otherwise a good one.
const PLAIN: &str = "http://plain";

fn rpm(version: &str) -> String {
    format!("proxytill-{version}-1.x86_64.rpm")
}

/// A case to try: a good release, and its changes.
struct Try {
    key: KeyPair,
    file: Vec<u8>,
    /// The authority that the updater trusts.
    trusted: Authority,
    feed: Value,
    answers: HashMap<String, Answer>,
    /// The feeds to ask, as paths or complete addresses.
    feeds: Vec<String>,
    /// The authority that signed the server's certificate.
    server: Authority,
    kind: Kind,
    /// Exit code of the system's dialog; `None` when there is no such dialog.
    consent: Option<i32>,
    /// Whether storing files fails.
    disk_is_full: bool,
}

/// A release without faults.
fn good() -> Try {
    let Release { key, file, feed } = Release::of(NEWER);
    let authority = Authority::new();
    Try {
        feed,
        answers: HashMap::from([("file".into(), Answer::Says(200, file.clone()))]),
        feeds: vec!["feed".into()],
        server: authority.clone(),
        trusted: authority,
        kind: Kind::Deb,
        consent: Some(0),
        disk_is_full: false,
        key,
        file,
    }
}

impl Try {
    fn entry(&mut self) -> &mut Value {
        &mut self.feed["platforms"]["linux-x86_64-deb"]
    }

    fn sign(&mut self, bytes: &[u8], trusted: &str) {
        *self.entry() = json!({ "url": "@/file", "signature": signed(&self.key, bytes, trusted) });
    }

    /// Checks, fetches, installs. Returns whether there was a newer version, and what was installed.
    async fn run(mut self) -> (Result<bool, Error>, Option<Vec<u8>>) {
        let folder = tempfile::tempdir().expect("a folder");
        // Each server names those before it, whose ports are known only now.
        let plain = UpdateServer::plain(HashMap::from([("file".into(), Answer::Says(200, self.file.clone()))]));
        let plain = format!("http://localhost:{}", plain.port);
        for answer in self.answers.values_mut() {
            if let Answer::SendsOn(to) = answer {
                *to = to.replace(PLAIN, &plain);
            }
        }
        let files = UpdateServer::start(&self.server, self.answers.clone());
        let feed = self.feed.to_string().replace("@/", &files.url("")).replace(PLAIN, &plain);
        self.answers.entry("feed".into()).or_insert(Answer::Says(200, feed.into_bytes()));
        let feeds = UpdateServer::start(&self.server, self.answers.clone());
        let plain = format!("http://localhost:{}", UpdateServer::plain(self.answers.clone()).port);
        let address = |feed: &String| match feed.contains("://") {
            true => feed.replace("PORT", &feeds.port.to_string()).replace(PLAIN, &plain),
            false => feeds.url(feed),
        };
        let source = Source {
            feeds: self.feeds.iter().map(|feed| address(feed).parse().expect("an address")).collect(),
            key: self.key.pk.to_box().expect("a key").into_string(),
            hosts: Vec::new(),
            trusted: vec![self.trusted.pem()],
            limits: Limits { silence: Duration::from_millis(400), ..limits() },
        };
        let (consent, installed) = match self.consent {
            Some(code) => consent(folder.path(), code),
            None => (folder.path().join("nothing"), folder.path().join("installed")),
        };
        let kept = folder.path().join("kept");
        if self.disk_is_full {
            std::fs::write(&kept, "").expect("a file where a folder should be");
        }
        let done = attempt(source, self.kind, &Installer { consent }, &kept).await;
        (done, std::fs::read(installed).ok())
    }
}

/// The limits of the program, with shorter times.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.feed.time = Duration::from_secs(2);
    limits.file.time = Duration::from_secs(20);
    limits
}

async fn attempt(source: Source, kind: Kind, installer: &Installer, kept: &Path) -> Result<bool, Error> {
    let updates = Updates::new(source, OURS.parse::<Version>().expect("a version"), kind);
    let Some(offer) = updates.check().await? else { return Ok(false) };
    let file = updates.fetch(&offer, kept, &|_| {}).await?;
    installer.install(kind, &file).await.map(|()| true)
}

/// Name of the fault, the change to a good release, and the outcome: `Ok(false)` means "nothing newer".
type Case = (&'static str, fn(&mut Try), Result<bool, Error>);

const SIGNATURES: &[Case] = &[
    ("no signature", |one| *one.entry() = json!({ "url": "@/file" }), Err(Error::BadFeed)),
    ("an empty signature", |one| one.entry()["signature"] = "".into(), Err(Error::NotGenuine)),
    ("no base64", |one| one.entry()["signature"] = "?!".into(), Err(Error::NotGenuine)),
    ("another key", |one| one.key = KeyPair::generate_unencrypted_keypair().expect("a key"), Err(Error::NotGenuine)),
    ("the first byte flipped", |one| flip(one, 0), Err(Error::NotGenuine)),
    ("a byte in the middle flipped", |one| flip(one, one.file.len() / 2), Err(Error::NotGenuine)),
    ("the last byte flipped", |one| flip(one, one.file.len() - 1), Err(Error::NotGenuine)),
    ("cut", |one| serve(one, |file| file.truncate(file.len() - 1)), Err(Error::NotGenuine)),
    ("something appended", |one| serve(one, |file| file.push(0)), Err(Error::NotGenuine)),
    (
        "another file's signature",
        |one| one.sign(b"another file", &format!("file:{}\tversion:{NEWER}", deb(NEWER))),
        Err(Error::NotGenuine),
    ),
    (
        "a signature whose comment was exchanged",
        |one| {
            let text = STANDARD.decode(one.entry()["signature"].as_str().expect("a text")).expect("base64");
            let text = String::from_utf8(text).expect("a text").replace(NEWER, "9.9.9");
            one.entry()["signature"] = STANDARD.encode(text).into();
            one.feed["version"] = "9.9.9".into();
        },
        Err(Error::NotGenuine),
    ),
];

fn flip(one: &mut Try, at: usize) {
    serve(one, |file| file[at] ^= 1);
}

/// Serves a file that differs from the signed one.
fn serve(one: &mut Try, change: impl Fn(&mut Vec<u8>)) {
    let mut file = one.file.clone();
    change(&mut file);
    one.answers.insert("file".into(), Answer::Says(200, file));
}

const VERSIONS: &[Case] = &[
    (
        "an old file with a high version",
        |one| {
            let file = one.file.clone();
            one.sign(&file, &format!("file:{}\tversion:1.0.0", deb("1.0.0")));
        },
        Err(Error::NotGenuine),
    ),
    (
        "no signed version",
        |one| {
            let file = one.file.clone();
            one.sign(&file, &format!("file:{}", deb(NEWER)));
        },
        Err(Error::NotGenuine),
    ),
    (
        "another kind of package, signed as such",
        |one| {
            let file = one.file.clone();
            one.sign(&file, &format!("file:{}\tversion:{NEWER}", rpm(NEWER)));
        },
        Err(Error::NotGenuine),
    ),
    ("a downgrade", |one| one.feed["version"] = "1.2.2".into(), Ok(false)),
    ("the same version", |one| one.feed["version"] = OURS.into(), Ok(false)),
    ("a version that is only being tried", |one| one.feed["version"] = "1.3.0-rc.1".into(), Ok(false)),
    ("no version", |one| one.feed["version"] = "newest".into(), Err(Error::BadFeed)),
    ("no feed", |one| say(one, 200, b"<html>"), Err(Error::BadFeed)),
    ("an empty feed", |one| say(one, 200, b""), Err(Error::BadFeed)),
    ("no package of this kind", |one| one.kind = Kind::Rpm, Err(Error::NotForThisKind)),
];

fn say(one: &mut Try, status: u16, body: &[u8]) {
    one.answers.insert("feed".into(), Answer::Says(status, body.to_vec()));
}

fn answer(one: &mut Try, path: &str, answer: Answer) {
    one.answers.insert(path.into(), answer);
}

const SERVERS: &[Case] = &[
    ("a feed without TLS", |one| one.feeds = vec!["http://plain/feed".into()], Err(Error::NoAnswer)),
    ("a file without TLS", |one| one.entry()["url"] = "http://plain/file".into(), Err(Error::NoAnswer)),
    (
        "a file sent on without TLS",
        |one| answer(one, "file", Answer::SendsOn("http://plain/file".into())),
        Err(Error::NoAnswer),
    ),
    ("a file on a foreign server", |one| one.entry()["url"] = "https://127.0.0.2/file".into(), Err(Error::ForeignHost)),
    (
        "a file that is sent on for ever",
        |one| answer(one, "file", Answer::SendsOn("/file".into())),
        Err(Error::NoAnswer),
    ),
    ("no file", |one| answer(one, "file", Answer::Says(404, Vec::new())), Err(Error::NoAnswer)),
    ("a server in trouble", |one| answer(one, "file", Answer::Says(500, Vec::new())), Err(Error::NoAnswer)),
    ("no feed at the address", |one| say(one, 404, b""), Err(Error::NoAnswer)),
    ("a feed that never comes", |one| answer(one, "feed", Answer::Hangs), Err(Error::NoAnswer)),
    ("a file that never comes", |one| answer(one, "file", Answer::Hangs), Err(Error::NoAnswer)),
    ("a feed that drips", |one| answer(one, "feed", Answer::Drips), Err(Error::NoAnswer)),
    ("300 MiB", |one| answer(one, "file", Answer::Zeros(300 << 20)), Err(Error::TooLarge)),
    ("a feed of 10 MiB", |one| answer(one, "feed", Answer::Zeros(10 << 20)), Err(Error::TooLarge)),
    ("less than promised", |one| answer(one, "file", Answer::Short(one.file.clone())), Err(Error::NoAnswer)),
    ("a certificate of nobody", |one| one.server = Authority::new(), Err(Error::NoAnswer)),
    (
        "a certificate of another name",
        |one| one.feeds = vec!["https://127.0.0.1:PORT/feed".into()],
        Err(Error::NoAnswer),
    ),
];

const SYSTEMS: &[Case] = &[
    ("a full disk", |one| one.disk_is_full = true, Err(Error::Disk)),
    ("a person who dismisses the question", |one| one.consent = Some(126), Err(Error::NotPermitted)),
    ("nobody who could be asked", |one| one.consent = Some(127), Err(Error::NoInstaller)),
    ("nothing that could ask", |one| one.consent = None, Err(Error::NoInstaller)),
    ("an installer that goes wrong", |one| one.consent = Some(100), Err(Error::Failed)),
];

/// Cases that must install the newer version and nothing else.
const GOOD: &[Case] = &[
    ("a release as it should be", |_| {}, Ok(true)),
    ("a first feed in trouble", |one| second(one, Answer::Says(500, Vec::new())), Ok(true)),
    ("a first feed that never comes", |one| second(one, Answer::Hangs), Ok(true)),
    ("a first feed that is none", |one| second(one, Answer::Says(200, b"<html>".to_vec())), Ok(true)),
    (
        "a file that is sent on over TLS",
        |one| {
            answer(one, "there", Answer::Says(200, one.file.clone()));
            answer(one, "file", Answer::SendsOn("/there".into()));
        },
        Ok(true),
    ),
];

fn second(one: &mut Try, first: Answer) {
    answer(one, "first", first);
    one.feeds.insert(0, "first".into());
}

#[tokio::test]
async fn nothing_is_installed_but_what_was_signed_as_this_version_and_this_kind() {
    let mut ran = 0;
    for (name, change, expected) in [SIGNATURES, VERSIONS, SERVERS, SYSTEMS, GOOD].into_iter().flatten() {
        let mut one = good();
        change(&mut one);
        let file = one.file.clone();
        let (done, installed) = one.run().await;
        assert_eq!(done, *expected, "{name}");
        assert_eq!(installed, (*expected == Ok(true)).then_some(file), "{name}: what was installed");
        ran += 1;
    }
    println!("{ran} cases of updates");
}

#[tokio::test]
async fn what_the_tools_of_a_release_sign_is_taken() {
    let mut one = good();
    let key = KeyPair::generate_encrypted_keypair(Some("word".into())).expect("a key");
    let secret = key.sk.to_box(None).expect("a key").into_string();
    let tools = packaging::signing::Key::read(&secret, "word", &key.pk.to_box().expect("a key").into_string());
    let signature = tools.expect("a key").sign(&one.file, &deb(NEWER), NEWER).expect("a signature");
    one.entry()["signature"] = signature.into();
    one.key = key;
    let file = one.file.clone();
    assert_eq!(one.run().await, (Ok(true), Some(file)));
}
