//! JSON as this service writes it: figures keep their spelling (`1.2E7`, `5.00`), fields keep their order.

use std::fmt::Write as _;

/// A value to be written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A number by its spelling.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The text layout of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) order: crate::choices::FieldOrder,
    pub(crate) ascii_only: bool,
    pub(crate) spaced: bool,
}

/// An object of these fields.
pub(crate) fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A list of these elements.
pub(crate) fn list(elements: impl IntoIterator<Item = Json>) -> Json {
    Json::List(elements.into_iter().collect())
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Self {
        Self::Number(number.to_string())
    }
}

impl From<bool> for Json {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl Json {
    /// The same object with these fields appended; anything else stays as it is.
    pub(crate) fn with<const N: usize>(mut self, more: [(&str, Json); N]) -> Self {
        if let Self::Object(fields) = &mut self {
            fields.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
        self
    }

    /// The text of this value.
    pub(crate) fn text(&self, layout: Layout) -> String {
        let mut out = String::new();
        self.write(layout, &mut out);
        out
    }

    fn write(&self, layout: Layout, out: &mut String) {
        let (comma, colon) = if layout.spaced { (", ", ": ") } else { (",", ":") };
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Self::Number(spelling) => out.push_str(spelling),
            Self::Text(text) => quote(text, layout.ascii_only, out),
            Self::List(elements) => {
                out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    if at > 0 {
                        out.push_str(comma);
                    }
                    element.write(layout, out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (at, (name, value)) in in_order(fields, layout.order).into_iter().enumerate() {
                    if at > 0 {
                        out.push_str(comma);
                    }
                    quote(name, layout.ascii_only, out);
                    out.push_str(colon);
                    value.write(layout, out);
                }
                out.push('}');
            }
        }
    }
}

fn in_order(fields: &[(String, Json)], order: crate::choices::FieldOrder) -> Vec<(&str, &Json)> {
    let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value)).collect();
    match order {
        crate::choices::FieldOrder::AsListed => {}
        crate::choices::FieldOrder::Backwards => fields.reverse(),
        crate::choices::FieldOrder::ByName => fields.sort_by_key(|(name, _)| *name),
    }
    fields
}

fn quote(text: &str, ascii_only: bool, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if u32::from(control) < 0x20 => escape(control, out),
            foreign if ascii_only && !foreign.is_ascii() => escape(foreign, out),
            plain => out.push(plain),
        }
    }
    out.push('"');
}

fn escape(letter: char, out: &mut String) {
    for unit in letter.encode_utf16(&mut [0; 2]) {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}
