//! The texts of messages, as the user edited them for each language; at first the program's own.

use serde::Deserialize;
use ts_rs::TS;

use crate::error::CommandError;
use crate::session::Session;
use crate::words::Words;

/// The kind of a message.
#[derive(Clone, Copy)]
pub(crate) enum Template {
    /// The token and password of a customer.
    Customer,
    /// Proxies for a buyer.
    Delivery,
}

/// A template to save.
#[derive(Debug, Deserialize, TS)]
pub struct TemplateOf {
    /// `en` or `zh-CN`.
    pub language: String,
    /// The text with its placeholders.
    pub body: String,
}

impl Template {
    fn word(self) -> &'static str {
        match self {
            Self::Customer => "customer-message",
            Self::Delivery => "delivery-message",
        }
    }

    fn name(self, language: &str) -> String {
        format!("{} {language}", self.word())
    }

    /// The text in a language.
    pub(crate) fn read(self, session: &Session, language: &str) -> Result<String, CommandError> {
        let kept = session.operations.templates().get(&self.name(language))?;
        Ok(kept.unwrap_or_else(|| Words::of(language).get(self.word())))
    }

    /// Saves the text in a language.
    pub(crate) fn save(self, session: &Session, of: &TemplateOf) -> Result<(), CommandError> {
        Ok(session.operations.templates().set(&self.name(&of.language), &of.body)?)
    }
}
