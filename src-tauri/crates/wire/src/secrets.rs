//! Conceals what may be a credential in the facts of an order before they are stored or shown. A proxy's own place,
//! expiry and protocol stay as they are.

use aho_corasick::AhoCorasick;

use crate::facts::{Fact, folded};
use crate::goods::Proxy;
use crate::parts::{Part, parts};
use crate::tree::Tree;

/// Replaces a value that may be a credential.
pub const CONCEALED: &str = "••••••••";

/// A shorter text occurs in others by chance.
const SHORTEST: usize = 4;
/// Passwords from this length on are found inside of words too.
const LONG: usize = 6;

/// The users and passwords of an order, to be found in other texts.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    texts: Option<AhoCorasick>,
    /// For each text, whether it counts only as a word of its own.
    whole: Vec<bool>,
    /// Whether there are too many to be searched for: then everything is concealed.
    too_many: bool,
}

impl Secrets {
    pub(crate) fn of(proxies: &[Proxy]) -> Self {
        let mut all: Vec<(String, bool)> = Vec::new();
        for Proxy { user, password, .. } in proxies {
            // A user of letters alone is a word like others, as in "Japan".
            if user.chars().count() >= SHORTEST && !user.chars().all(char::is_alphabetic) {
                all.push((user.clone(), true));
            }
            let letters = password.chars().count();
            if letters >= SHORTEST {
                all.push((password.clone(), letters < LONG));
                // As it is written in JSON that is shown as text.
                all.push((
                    serde_json::Value::from(password.as_str()).to_string().trim_matches('"').to_owned(),
                    letters < LONG,
                ));
            }
        }
        all.sort();
        all.dedup();
        let (texts, whole): (Vec<String>, Vec<bool>) = all.into_iter().unzip();
        if texts.is_empty() {
            return Self::default();
        }
        let texts = AhoCorasick::new(texts).ok();
        Self { too_many: texts.is_none(), texts, whole }
    }

    fn stand_in(&self, text: &str) -> bool {
        let ends = |next: Option<char>| next.is_none_or(|next| !next.is_alphanumeric());
        let counts = |found: aho_corasick::Match| {
            let is_whole = || {
                ends(text.get(..found.start()).and_then(|before| before.chars().next_back()))
                    && ends(text.get(found.end()..).and_then(|after| after.chars().next()))
            };
            !self.whole.get(found.pattern().as_usize()).is_some_and(|whole| *whole) || is_whole()
        };
        self.too_many || self.texts.as_ref().is_some_and(|texts| texts.find_overlapping_iter(text).any(counts))
    }
}

/// Conceals credentials in everything else that is reported of proxies, and returns them. What is called a password in
/// one proxy may have an unknown name in another.
pub(crate) fn conceal_others(proxies: &mut [Proxy]) -> Secrets {
    let secrets = Secrets::of(proxies);
    proxies.iter_mut().flat_map(|proxy| &mut proxy.about.other).for_each(|fact| conceal(fact, &secrets));
    secrets
}

/// Conceals possible credentials, and these, in parts that hold no proxy.
pub(crate) fn concealed(of: &Tree, secrets: &Secrets) -> Vec<Part> {
    let mut read = parts(of);
    read.iter_mut().for_each(|part| conceal_in(part, secrets));
    read
}

/// Fragments of names whose values may be credentials.
const SECRET: [&str; 10] = ["pass", "pwd", "secret", "token", "auth", "credential", "user", "account", "login", "密码"];

fn may_be_secret(key: &str) -> bool {
    let key = folded(key);
    key.ends_with("key") || SECRET.iter().any(|word| key.contains(word))
}

pub(crate) fn conceal(fact: &mut Fact, secrets: &Secrets) {
    let value = fact.value.to_lowercase();
    let is_json = value.starts_with(['{', '[']);
    let holds = secrets.stand_in(&fact.value)
        || (value.contains("://") && value.contains('@'))
        || (is_json && SECRET.iter().any(|word| value.contains(word)));
    if holds || may_be_secret(&fact.key) {
        fact.value = CONCEALED.to_owned();
    }
    conceal_key(&mut fact.key, secrets);
}

/// Conceals a name that is a credential, as where a service reports by user.
fn conceal_key(key: &mut String, secrets: &Secrets) {
    if secrets.stand_in(key) {
        *key = CONCEALED.to_owned();
    }
}

pub(crate) fn conceal_in(part: &mut Part, secrets: &Secrets) {
    let of_secret = may_be_secret(&part.key);
    for name in [&mut part.name_zh, &mut part.name_en] {
        let mut own = Fact { word: None, key: part.key.clone(), value: std::mem::take(name) };
        if !own.value.is_empty() {
            conceal(&mut own, secrets);
        }
        *name = own.value;
    }
    for fact in &mut part.facts {
        conceal(fact, secrets);
        if of_secret {
            fact.value = CONCEALED.to_owned();
        }
    }
    for below in &mut part.parts {
        if of_secret && below.key.is_empty() {
            below.key = part.key.clone();
        }
        conceal_in(below, secrets);
    }
    conceal_key(&mut part.key, secrets);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goods::goods;
    use crate::orders::OrderDetail;

    fn order(json: &str) -> OrderDetail {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn nothing_that_may_be_a_credential_is_left_in_the_open() {
        let json = r#"{"login":"hunter2","accessKey":"hunter2","users":["hunter2"],"credentials":[{"a":"hunter2"}],
            "link":"http://hunter2@192.0.2.9:1","note":"use hunter2","deep":{"proxyPassword":"hunter2"},
            "ips":[{"ip":"192.0.2.1","port":1,"user":"u","password":"hunter2","url":"socks5://u:hunter2@h","authCode":"hunter2",
                "more":{"token":"hunter2"}}]}"#;
        let (proxies, left, _) = goods(&serde_json::from_str(json).unwrap());
        let open = serde_json::to_string(&(&left, &proxies[0].about)).unwrap();
        assert!(!open.contains("hunter2"), "{open}");
        assert_eq!(proxies[0].password, "hunter2");
        let refund =
            concealed(&serde_json::from_str(r#"{"amount":1,"account":"hunter2"}"#).unwrap(), &Secrets::default());
        assert!(!serde_json::to_string(&refund).unwrap().contains("hunter2"));
    }

    /// The fuzzer's seed 11258020: one proxy reported the password of another under a name that says nothing.
    #[test]
    fn the_password_of_one_proxy_is_concealed_wherever_its_order_repeats_it() {
        let order: crate::orders::OrderDetail = serde_json::from_str(
            r#"{"status":20,"hint":"all use hunter2!","refundSummary":{"hint":"hunter2"},"details":[{"hint":"hunter2","ips":[
                {"ip":"192.0.2.1","port":1,"user":"u","proxyP$":"hunter2"},
                {"ip":"192.0.2.2","port":1,"user":"u","password":"hunter2"}]}]}"#,
        )
        .unwrap();
        let kept = serde_json::to_string(&order.particulars()).unwrap();
        assert!(!kept.contains("hunter2") && kept.matches(CONCEALED).count() == 4, "{kept}");
        let passwords: Vec<String> = order.proxies().into_iter().map(|one| one.password).collect();
        assert_eq!(passwords, ["", "hunter2"]);
    }

    #[test]
    fn a_user_that_is_a_word_and_a_short_password_leave_other_texts_as_they_are() {
        let order = order(
            r#"{"status":20,"details":[{"line":"Japan premium","until":"2026-12-24","code":"x20266","by":"px1-jp","ips":[
                {"ip":"192.0.2.1","port":1,"user":"Japan","password":"2026"},
                {"ip":"192.0.2.2","port":1,"user":"px1","password":"hunter2"}]}]}"#,
        );
        let facts = &order.particulars().specification[0].facts;
        let said: Vec<&str> = facts.iter().map(|fact| fact.value.as_str()).collect();
        assert_eq!(said, ["Japan premium", CONCEALED, "x20266", "px1-jp"]);
    }

    #[test]
    fn a_password_is_found_in_json_that_is_shown_as_text_and_as_a_name() {
        let order = order(
            r#"{"status":20,"details":[{"deep":[{"a":{"b":"use hun\"ter2!"}}],"hun\"ter2":1,"ips":[
                {"ip":"192.0.2.1","port":1,"user":"u","password":"hun\"ter2"}]}]}"#,
        );
        let kept = serde_json::to_string(&order.particulars()).unwrap();
        assert!(!kept.contains("ter2"), "{kept}");
    }
}
