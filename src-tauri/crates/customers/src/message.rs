//! The message that gives a customer its access: an editable text with placeholders.

/// The placeholders of a template.
pub const PLACES: [&str; 4] = ["name", "token", "password", "id"];

/// Fills a template: `{name}`, `{token}`, `{password}`, `{id}`. Anything else stays as it is.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let behind = &rest[open..];
        let filled = values.iter().find_map(|(name, value)| {
            let place = behind.strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')?;
            Some((*value, place))
        });
        match filled {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('{');
                rest = &behind[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_read_as_a_place_and_braces_stay() {
        let values = [("name", "{token}"), ("token", "t-1")];
        assert_eq!(fill("Hi {name}: {token} {other} {", &values), "Hi {token}: t-1 {other} {");
    }
}
