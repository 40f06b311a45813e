//! Rows that create a customer.

use operations::{AccountChange, Intent, LeftOut, folded};

use crate::facts::Facts;
use crate::lines::{Entry, Unclear};
use crate::naming::Meant;

pub(super) fn creation(entry: &Entry, facts: &Facts<'_>) -> Result<Intent, LeftOut> {
    if entry.unclear == Some(Unclear::Formula) {
        return Err(LeftOut::Formula);
    }
    if !is_email(&entry.name) {
        return Err(LeftOut::NotAnEmail);
    }
    if matches!(facts.naming.find(&entry.name), Meant::One(at) if folded(&facts.customers[at].user_name) == folded(&entry.name))
    {
        return Err(LeftOut::Taken);
    }
    Ok(AccountChange::Create { user_name: entry.name.trim().to_owned() }.into())
}

/// Whether a name has the form of an "account name in e-mail format".
pub fn is_email(name: &str) -> bool {
    let name = name.trim();
    let Some((before, host)) = name.split_once('@') else { return false };
    let plain =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !"@,;:<>()[]\\\"".contains(c));
    let dots = host.contains('.') && !host.starts_with('.') && !host.ends_with('.') && !host.contains("..");
    plain(before) && plain(host) && dots && name.len() <= 254
}
