//! Papers between protos and `core`.

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::timestamp};
use chassis::{
    id::{EventId, FederationId},
    page::Page,
};
use uuid::Uuid;

use super::event::request;
use super::fields::{id, optional};
use crate::core::{
    document::{Document, Format, Kind, LANGUAGES, TEXT_CHARS_MAX},
    limits::{NAME_CHARS_MAX, NOTE_CHARS_MAX},
};

proto_enum!(
    Kind = pb::DocumentKind { Pairings, Slips, Standings, Crosstable, Matches, Schedule, Roster, Notice }
);

proto_enum!(Format = pb::DocumentFormat { Html, Json });

/// Which paper of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Which {
    /// What it says.
    pub kind: Kind,
    /// Of or after which round; 0 for the last.
    pub round: u16,
    /// Its languages, as tags.
    pub languages: Vec<String>,
}

/// What is asked for without being kept.
#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    /// The event.
    pub event: EventId,
    /// Which paper.
    pub which: Which,
    /// As of which entry; 0 for now.
    pub sequence: u64,
    /// As what it is written.
    pub format: Format,
}

/// On which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An event's.
    Event(EventId),
    /// A federation's.
    Federation(FederationId),
}

/// What is to be posted.
#[derive(Clone, Debug)]
pub(crate) struct Posting {
    /// Where.
    pub place: Place,
    /// Which paper.
    pub which: Which,
    /// What it is called.
    pub title: String,
    /// What a notice says.
    pub text: String,
}

/// What is to be withdrawn.
#[derive(Clone, Debug)]
pub(crate) struct Withdrawing {
    /// The paper.
    pub id: Uuid,
    /// Why.
    pub reason: String,
}

/// The board that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Which board.
    pub place: Place,
    /// Which part.
    pub page: Page<Uuid>,
}

fn which(kind: i32, round: u32, languages: Vec<String>) -> Result<Which, api::Error> {
    if kind == 0 {
        return Err(api::Error::invalid(reason::BAD_DOCUMENT, "kind", "say which paper"));
    }
    let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "kind", "none of the kinds");
    let languages = if languages.is_empty() { LANGUAGES.map(str::to_owned).to_vec() } else { languages };
    let is_fine = languages.len() <= papers::LANGUAGES_MAX
        && languages.iter().all(|tag| tag.parse::<catalogue::Language>().is_ok());
    if !is_fine {
        let why = "one to three tags, such as zh, bo or mn-Mong";
        return Err(api::Error::invalid(reason::BAD_DOCUMENT, "languages", why));
    }
    Ok(Which { kind: Kind::of(kind).ok_or_else(unknown)?, round: request::round("round", round)?, languages })
}

fn format(format: i32) -> Result<Format, api::Error> {
    if format == 0 {
        return Ok(Format::default());
    }
    Format::of(format)
        .ok_or_else(|| api::Error::invalid(reason::UNKNOWN_VALUE, "format", "none of the formats"))
}

fn place(event: &str, federation: &str) -> Result<Place, api::Error> {
    match optional(event, "event_id", EventId::parse)? {
        Some(event) => Ok(Place::Event(event)),
        None => FederationId::parse(federation, "federation_id").map(Place::Federation),
    }
}

impl TryFrom<pb::RenderDocumentRequest> for Rendering {
    type Error = api::Error;

    fn try_from(it: pb::RenderDocumentRequest) -> Result<Self, api::Error> {
        Ok(Rendering {
            event: EventId::parse(&it.event_id, "event_id")?,
            which: which(it.kind, it.round, it.languages)?,
            sequence: it.as_of_sequence,
            format: format(it.format)?,
        })
    }
}

impl TryFrom<pb::CreateDocumentRequest> for Posting {
    type Error = api::Error;

    fn try_from(it: pb::CreateDocumentRequest) -> Result<Self, api::Error> {
        let place = place(&it.event_id, &it.federation_id)?;
        let which = which(it.kind, it.round, it.languages)?;
        let is_notice = which.kind == Kind::Notice;
        if !is_notice && matches!(place, Place::Federation(_)) {
            let why = "on the board of a federation there are notices alone";
            return Err(api::Error::invalid(reason::BAD_DOCUMENT, "kind", why));
        }
        if !is_notice && !it.text.is_empty() {
            let why = "only a notice says what an official writes";
            return Err(api::Error::invalid(reason::BAD_DOCUMENT, "text", why));
        }
        let (title, text) = if is_notice {
            let title = request::text("title", it.title, NAME_CHARS_MAX)?;
            (title, request::text("text", it.text, TEXT_CHARS_MAX)?)
        } else if it.title.is_empty() {
            (String::new(), String::new())
        } else {
            (request::text("title", it.title, NAME_CHARS_MAX)?, String::new())
        };
        Ok(Posting { place, which, title, text })
    }
}

impl TryFrom<pb::DeleteDocumentRequest> for Withdrawing {
    type Error = api::Error;

    fn try_from(it: pb::DeleteDocumentRequest) -> Result<Self, api::Error> {
        let reason = request::text("reason", it.reason, NOTE_CHARS_MAX)?;
        Ok(Withdrawing { id: id(&it.document_id, "document_id")?, reason })
    }
}

impl TryFrom<pb::ListDocumentsRequest> for List {
    type Error = api::Error;

    fn try_from(it: pb::ListDocumentsRequest) -> Result<Self, api::Error> {
        let place = place(&it.event_id, &it.federation_id)?;
        let page = Page::of(format!("documents/{place:?}"), it.page_size, &it.page_token)?;
        Ok(List { place, page })
    }
}

impl From<&Document> for pb::Document {
    fn from(it: &Document) -> pb::Document {
        let withdrawn = it.withdrawn.as_ref();
        pb::Document {
            document_id: it.id.to_string(),
            federation_id: it.board.federation.to_string(),
            event_id: it.board.event.map(|event| event.to_string()).unwrap_or_default(),
            kind: it.kind.number(),
            round: it.round.into(),
            title: it.title.clone(),
            languages: it.languages.clone(),
            posted_by: it.posted_by.to_string(),
            create_time: Some(timestamp(it.posted)),
            as_of_sequence: it.sequence,
            digest: it.digest.to_vec(),
            size: it.size,
            withdrawn_by: withdrawn.map(|it| it.by.to_string()).unwrap_or_default(),
            withdraw_time: withdrawn.map(|it| timestamp(it.at)),
            withdraw_reason: withdrawn.map(|it| it.reason.clone()).unwrap_or_default(),
            redact_time: it.redacted.map(timestamp),
        }
    }
}
