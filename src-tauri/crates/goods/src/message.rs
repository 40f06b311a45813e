//! The message that hands proxies over: an editable text with placeholders.

/// The placeholders of a template.
pub const PLACES: [&str; 5] = ["name", "proxies", "count", "expires", "order"];

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongTemplate {
    /// It does not hold the proxies.
    NoProxies,
    /// It holds a placeholder that nothing fills, with its name.
    Unknown(String),
}

/// Checks a template: a slip of the pen in a placeholder must not reach a buyer.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(template: &str) -> Result<(), WrongTemplate> {
    for (at, _) in template.match_indices('{') {
        let Some((word, _)) = template[at + 1..].split_once('}') else { break };
        let is_word = !word.is_empty() && word.chars().all(|one| one.is_alphanumeric() || one == '-' || one == '_');
        if is_word && !PLACES.contains(&word) {
            return Err(WrongTemplate::Unknown(word.to_owned()));
        }
    }
    if template.contains("{proxies}") { Ok(()) } else { Err(WrongTemplate::NoProxies) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_holds_the_proxies_and_no_placeholder_that_nothing_fills() {
        assert_eq!(check("Hi {name}, {count} until {expires}:\n{proxies}"), Ok(()));
        assert_eq!(check("{proxies} {not a place} {}"), Ok(()), "braces in a text stay");
        assert_eq!(check("Hi {name}"), Err(WrongTemplate::NoProxies));
        assert_eq!(check("{proxies} {nmae}"), Err(WrongTemplate::Unknown("nmae".into())));
        assert_eq!(check("{proxies} {姓名}"), Err(WrongTemplate::Unknown("姓名".into())));
        assert_eq!(check(""), Err(WrongTemplate::NoProxies));
    }
}
