//! What went wrong, in another language.
//!
//! The sentences of errors are written in English where they are made, some hundred places. The catalogue has the same
//! sentences with names for what stands in them, and says which of them a text is; so an error is made without knowing who
//! reads it. A sentence that is not there stays English.

use api::{error::reason, reason::Reason};
use catalogue::{Area, Arg, Language};
use tonic::Status;

use super::Speech;

/// How deep a sentence may stand in the place of another one: that of a line in that of a file.
const DEPTH_MAX: usize = 3;

impl Speech {
    /// What went wrong, from the outside in; of a server's answer what its reason means.
    pub(crate) fn failure(&self, error: &anyhow::Error) -> String {
        let mut parts = Vec::new();
        for cause in error.chain() {
            if let Some(status) = cause.downcast_ref::<Status>() {
                let message = || {
                    if status.message().is_empty() {
                        status.code().to_string()
                    } else {
                        self.or_english(status.message())
                    }
                };
                parts.push(self.refusal(status).unwrap_or_else(message));
                break;
            }
            parts.push(self.or_english(&cause.to_string()));
        }
        let colon = self.word("terminal.told.colon");
        parts.join(colon.as_deref().unwrap_or(": "))
    }

    /// Why a server refused; nothing if its reason has no sentence here.
    pub(crate) fn refusal(&self, status: &Status) -> Option<String> {
        let reason = Reason::named(&reason(status))?;
        self.word(&format!("refusals.{reason}"))
    }

    /// The same in one line with the reason, for who is in the midst of a game.
    pub(crate) fn refused(&self, status: &Status) -> Option<String> {
        let places: [(&str, Arg<'_>); 2] =
            [("sentence", self.refusal(status)?.into()), ("reason", reason(status).into())];
        Some(self.catalogue.get(&self.language, "terminal.told.refused", &places)?.text)
    }

    /// A sentence of errors in this language; nothing if the catalogue does not know it.
    pub(crate) fn sentence(&self, english: &str) -> Option<String> {
        self.sentence_at(english, 1)
    }

    fn or_english(&self, english: &str) -> String {
        self.sentence(english).unwrap_or_else(|| english.to_owned())
    }

    fn sentence_at(&self, english: &str, depth: usize) -> Option<String> {
        let (key, places) = self.catalogue.recognise(Area::Terminal, english)?;
        let said = |part: &str| {
            let inner = if depth < DEPTH_MAX { self.sentence_at(part, depth + 1) } else { None };
            inner.unwrap_or_else(|| part.to_owned())
        };
        let places: Vec<(&str, Arg<'_>)> =
            places.into_iter().map(|(name, part)| (name, said(part).into())).collect();
        let said = self.catalogue.get(&self.language, key, &places)?;
        (said.language != Language::english()).then_some(said.text)
    }
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
