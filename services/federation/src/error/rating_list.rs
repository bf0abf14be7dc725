//! What the refusals of rating lists are on the wire.

use api::reason;
use tonic::Code;

use crate::core::rating_list::Refusal;

/// A refusal as it is told.
pub(super) fn told(refusal: &Refusal) -> api::Error {
    let text = refusal.to_string();
    match refusal {
        Refusal::UnknownPolicy => api::Error::new(Code::NotFound, reason::UNKNOWN_RATING_POLICY, text),
        Refusal::UnknownList => api::Error::new(Code::NotFound, reason::UNKNOWN_RATING_LIST, text),
        Refusal::BadPolicy(field, detail) => {
            // What is made of a message is called as it is there.
            let field = match *field {
                "listed_from" => "listed_from_games".to_owned(),
                field if field.starts_with("elo") || field.starts_with("glicko2") => {
                    format!("system.{field}")
                }
                field => field.to_owned(),
            };
            api::Error::invalid(reason::BAD_RATING_POLICY, &format!("policy.{field}"), detail.clone())
        }
        Refusal::Exists(number, _) => api::Error::new(Code::AlreadyExists, reason::RATING_LIST_EXISTS, text)
            .with_metadata("number", number.to_string()),
        Refusal::TooFarAhead => api::Error::invalid(reason::BAD_DATE, "date", text),
        Refusal::Moved => api::Error::new(Code::Aborted, reason::RATING_LIST_MOVED, text),
        Refusal::TooLarge(..) => {
            api::Error::new(Code::ResourceExhausted, reason::RATING_LIST_TOO_LARGE, text)
        }
    }
}
