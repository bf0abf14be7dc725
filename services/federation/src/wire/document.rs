//! Papers between protos and `core`.

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::timestamp};
use chassis::{
    id::{EventId, FederationId, RatingPolicyId, SeasonId},
    page::Page,
};
use uuid::Uuid;

use super::event::request;
use super::fields::{id, optional};
use crate::core::{
    document::{Document, Format, Kind, LANGUAGES_RULE, Subject, TEXT_CHARS_MAX, are_languages},
    limits::{NAME_CHARS_MAX, NOTE_CHARS_MAX},
};

proto_enum!(
    Kind = pb::DocumentKind {
        Pairings,
        Slips,
        Standings,
        Crosstable,
        Matches,
        Schedule,
        Roster,
        Notice,
        LeagueTable,
        RatingList
    }
);

proto_enum!(Format = pb::DocumentFormat { Html, Json });

/// Which paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Which {
    /// What it says.
    pub kind: Kind,
    /// What it is of.
    pub of: Of,
    /// Its languages, as tags; none for those that hold where nobody says any.
    pub languages: Vec<String>,
}

/// What a paper is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// An event, of or after a round; 0 for the last.
    Event(EventId, u16),
    /// A season.
    Season(SeasonId),
    /// A list of a policy; the last if no number is named.
    RatingList(RatingPolicyId, Option<u32>),
    /// Nothing: it is a notice.
    Nothing,
}

/// What is asked for without being kept.
#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    /// Which paper.
    pub which: Which,
    /// As of which entry of the event; 0 for now.
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

/// What requests name of what a paper is of.
struct Named<'a> {
    event: &'a str,
    round: u32,
    season: &'a str,
    policy: &'a str,
    list: u32,
}

impl Named<'_> {
    /// What a paper of a kind is of: what the kind asks for, and nothing else.
    fn of(&self, kind: Kind) -> Result<Of, api::Error> {
        let season = || SeasonId::parse(self.season, "season_id");
        let policy = || RatingPolicyId::parse(self.policy, "policy_id");
        let event = || EventId::parse(self.event, "event_id");
        let (of, others) = match kind {
            Kind::LeagueTable => (Of::Season(season()?), [("policy_id", self.policy), ("", "")]),
            Kind::RatingList => {
                let number = (self.list > 0).then_some(self.list);
                (Of::RatingList(policy()?, number), [("season_id", self.season), ("", "")])
            }
            Kind::Notice => (Of::Nothing, [("season_id", self.season), ("policy_id", self.policy)]),
            _ => {
                let of = Of::Event(event()?, request::round("round", self.round)?);
                (of, [("season_id", self.season), ("policy_id", self.policy)])
            }
        };
        match others.into_iter().find(|(_, id)| !id.is_empty()) {
            Some((field, _)) => Err(bad(field, "the paper is not of such")),
            None => Ok(of),
        }
    }
}

fn bad(field: &str, why: &str) -> api::Error {
    api::Error::invalid(reason::BAD_DOCUMENT, field, why)
}

fn which(kind: i32, named: &Named<'_>, languages: Vec<String>) -> Result<Which, api::Error> {
    if kind == 0 {
        return Err(bad("kind", "say which paper"));
    }
    let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "kind", "none of the kinds");
    let kind = Kind::of(kind).ok_or_else(unknown)?;
    if !are_languages(&languages) {
        return Err(bad("languages", LANGUAGES_RULE));
    }
    Ok(Which { kind, of: named.of(kind)?, languages })
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
        let named = Named {
            event: &it.event_id,
            round: it.round,
            season: &it.season_id,
            policy: &it.policy_id,
            list: it.list_number,
        };
        let which = which(it.kind, &named, it.languages)?;
        if which.of == Of::Nothing {
            return Err(bad("kind", "a notice says what an official writes"));
        }
        if !it.event_id.is_empty() && !matches!(which.of, Of::Event(..)) {
            return Err(bad("event_id", "the paper is of no event"));
        }
        Ok(Rendering { which, sequence: it.as_of_sequence, format: format(it.format)? })
    }
}

impl TryFrom<pb::CreateDocumentRequest> for Posting {
    type Error = api::Error;

    fn try_from(it: pb::CreateDocumentRequest) -> Result<Self, api::Error> {
        let place = place(&it.event_id, &it.federation_id)?;
        let named = Named {
            event: &it.event_id,
            round: it.round,
            season: &it.season_id,
            policy: &it.policy_id,
            list: it.list_number,
        };
        let kind = Kind::of(it.kind);
        let is_notice = kind == Some(Kind::Notice);
        let of_federation = matches!(kind, Some(Kind::LeagueTable | Kind::RatingList));
        match place {
            Place::Federation(_) if kind.is_some() && !is_notice && !of_federation => {
                let why = "on the board of a federation hang tables of seasons, rating lists and notices";
                return Err(bad("kind", why));
            }
            Place::Event(_) if of_federation => {
                return Err(bad("event_id", "the paper hangs on the board of its federation"));
            }
            _ => {}
        }
        if !is_notice && !it.text.is_empty() {
            return Err(bad("text", "only a notice says what an official writes"));
        }
        let which = which(it.kind, &named, it.languages)?;
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
        let (season_id, policy_id, list_number) = match it.subject {
            None => (String::new(), String::new(), 0),
            Some(Subject::Season(season)) => (season.to_string(), String::new(), 0),
            Some(Subject::RatingList(policy, number)) => (String::new(), policy.to_string(), number),
        };
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
            season_id,
            policy_id,
            list_number,
        }
    }
}
