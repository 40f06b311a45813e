//! "Created account (response of addUser)": the only answer that carries secrets.

use secrecy::SecretString;
use serde::Deserialize;

use crate::envelope::{ReadError, read_agent_write};
use crate::ids::CustomerId;

/// The answer of `addUser` about a new customer. Its `Debug` output shows no secret.
#[derive(Clone, Debug, Default)]
pub struct CreatedAccount {
    /// The customer's id; `None` when it could not be read.
    pub customer_id: Option<CustomerId>,
    /// The customer's own token.
    pub token: Option<SecretString>,
    /// The random verification password of the new customer.
    pub password: Option<SecretString>,
}

impl CreatedAccount {
    /// Whether the id and both secrets were read.
    pub fn is_whole(&self) -> bool {
        self.customer_id.is_some() && self.token.is_some() && self.password.is_some()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields {
    #[serde(rename = "customerId")]
    customer_id: Option<CustomerId>,
    #[serde(rename = "Token")]
    token: Option<SecretString>,
    password: Option<SecretString>,
    data: Option<Box<Fields>>,
}

/// Reads an answer of `addUser`. The account can be complete although the answer is an error, and the other way
/// round: the secrets are read as far as possible in either case.
///
/// # Errors
/// [`ReadError`] when the answer is not a success, together with whatever could be read. `data: null` is
/// reported as a refused token, with code 200; it may be a yes without data.
pub fn read_created(status: u16, body: &[u8]) -> (Result<(), ReadError>, CreatedAccount) {
    let account = match serde_json::from_slice::<Fields>(body) {
        Ok(fields) => account(fields),
        Err(_) => rest_of(body),
    };
    let answer = read_agent_write(status, body).map(|_| ());
    let incomplete = answer.is_ok() && !account.is_whole();
    let unreadable = || ReadError::Unreadable {
        status,
        path: "customerId, Token, password".into(),
        reason: "missing field".into(),
        trace_id: None,
    };
    (if incomplete { Err(unreadable()) } else { answer }, account)
}

fn account(fields: Fields) -> CreatedAccount {
    let inner = fields.data.map(|inner| account(*inner)).unwrap_or_default();
    let id = fields.customer_id.filter(|id| !id.as_str().is_empty());
    CreatedAccount {
        customer_id: id.or(inner.customer_id),
        token: fields.token.or(inner.token),
        password: fields.password.or(inner.password),
    }
}

/// Picks the members out of a body that is not complete JSON: an answer that was cut off or sits inside a page.
pub fn rest_of(body: &[u8]) -> CreatedAccount {
    let text = String::from_utf8_lossy(body);
    CreatedAccount {
        customer_id: value(&text, "\"customerId\"").map(CustomerId::new),
        token: value(&text, "\"Token\"").map(SecretString::from),
        password: value(&text, "\"password\"").map(SecretString::from),
    }
}

/// The value of a member, only if its closing quote is there: half a secret is useless.
fn value(text: &str, name: &str) -> Option<String> {
    let behind = text.split_once(name)?.1.trim_start().strip_prefix(':')?.trim_start();
    let found = match behind.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?.0,
        None => {
            let end = behind.find(|c: char| !c.is_ascii_digit())?;
            &behind[..end]
        }
    };
    Some(found.to_owned()).filter(|found| !found.is_empty() && !found.contains('\\'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    const WHOLE: &str = r#"{"code":200,"msg":"操作成功","customerId":100061,"Token":"t-1","password":"p-1"}"#;

    fn shown(account: &CreatedAccount) -> [Option<&str>; 3] {
        let [token, password] =
            [&account.token, &account.password].map(|secret| secret.as_ref().map(|secret| secret.expose_secret()));
        [account.customer_id.as_ref().map(CustomerId::as_str), token, password]
    }

    #[test]
    fn an_account_is_read_whole_wherever_its_fields_stand() {
        for body in [
            WHOLE,
            r#"{"code":"200","data":{"customerId":"100061","Token":"t-1","password":"p-1"}}"#,
            r#"{"code":200,"other":null,"customerId":100061,"Token":"t-1","password":"p-1","x":[1]}"#,
        ] {
            let (answer, account) = read_created(200, body.as_bytes());
            assert!(answer.is_ok(), "{body}");
            assert_eq!(shown(&account), [Some("100061"), Some("t-1"), Some("p-1")], "{body}");
        }
    }

    #[test]
    fn what_could_be_read_is_kept_of_every_cut_answer() {
        let (token, password) = (WHOLE.find("t-1").unwrap(), WHOLE.find("p-1").unwrap());
        for end in 0..WHOLE.len() {
            let rest = rest_of(&WHOLE.as_bytes()[..end]);
            let [_, one, other] = shown(&rest);
            assert_eq!(one, (end >= token + 4).then_some("t-1"), "cut at {end}");
            assert_eq!(other, (end >= password + 4).then_some("p-1"), "cut at {end}");
        }
        let page = format!("<html>{WHOLE}</html>");
        assert_eq!(shown(&read_created(502, page.as_bytes()).1)[1], Some("t-1"));
    }

    #[test]
    fn a_yes_without_its_secrets_is_no_success_and_null_data_is_a_refused_token() {
        let (answer, _) = read_created(200, br#"{"code":200,"customerId":1,"Token":"t"}"#);
        assert!(matches!(answer, Err(ReadError::Unreadable { .. })), "{answer:?}");
        let (answer, _) = read_created(200, br#"{"code":200,"msg":"x","data":null}"#);
        assert!(matches!(answer, Err(ReadError::NotAuthenticated(_))), "{answer:?}");
        let (answer, _) = read_created(200, br#"{"code":202,"msg":"x"}"#);
        assert!(matches!(answer, Err(ReadError::Refused(_))), "{answer:?}");
    }

    #[test]
    fn a_printed_account_shows_no_secret() {
        let printed = format!("{:?}", read_created(200, WHOLE.as_bytes()));
        assert!(!printed.contains("t-1") && !printed.contains("p-1"), "{printed}");
    }
}
