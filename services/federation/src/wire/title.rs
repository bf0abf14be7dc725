//! Titles between protos and `core`.

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::timestamp};
use chassis::{
    id::{EventId, FederationId, MemberId},
    page::Page,
};
use uuid::Uuid;

use super::fields::{date, id, member, name, told_name, words};
use crate::core::{
    day,
    limits::NOTE_CHARS_MAX,
    title::{Award, Create, Decide, EVENTS_MAX, Kind, Propose, Retire, State, Title, Verdict},
};

proto_enum!(Kind = pb::TitleKind { Grade, Honorary, Arbiter });
proto_enum!(State = pb::AwardState { Proposed, Awarded, Refused, Revoked });

/// The awards that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Of which federation.
    pub federation: FederationId,
    /// Of whom.
    pub member: Option<MemberId>,
    /// How far they are.
    pub state: State,
    /// Which part.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::ListAwardsRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListAwardsRequest) -> Result<Self, api::Error> {
        let federation = FederationId::parse(&request.federation_id, "federation_id")?;
        let member = member(&request.member_id, "member_id")?;
        let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "state", "there is no such state");
        let state = Option::<State>::of(request.state).ok_or_else(unknown)?.unwrap_or(State::Awarded);
        let list = format!("awards/{federation}/{member:?}/{state:?}");
        let page = Page::of(list, request.page_size, &request.page_token)?;
        Ok(List { federation, member, state, page })
    }
}

impl TryFrom<pb::CreateTitleRequest> for Create {
    type Error = api::Error;

    fn try_from(request: pb::CreateTitleRequest) -> Result<Self, api::Error> {
        let asked = request.title.unwrap_or_default();
        let unknown = || api::Error::invalid(reason::UNKNOWN_VALUE, "title.kind", "there is no such kind");
        Ok(Create {
            federation: FederationId::parse(&asked.federation_id, "title.federation_id")?,
            name: name(asked.name.as_ref(), "title.name")?,
            kind: Kind::of(asked.kind).ok_or_else(unknown)?,
            rank: asked.rank,
        })
    }
}

impl TryFrom<pb::RetireTitleRequest> for Retire {
    type Error = api::Error;

    fn try_from(request: pb::RetireTitleRequest) -> Result<Self, api::Error> {
        Ok(Retire { id: id(&request.title_id, "title_id")? })
    }
}

impl TryFrom<pb::ProposeTitleRequest> for Propose {
    type Error = api::Error;

    fn try_from(request: pb::ProposeTitleRequest) -> Result<Self, api::Error> {
        if request.event_ids.len() > EVENTS_MAX {
            let message = format!("at most {EVENTS_MAX}");
            return Err(api::Error::invalid(reason::BAD_TITLE, "event_ids", message));
        }
        let events = request.event_ids.iter().map(|event| EventId::parse(event, "event_ids"));
        Ok(Propose {
            title: id(&request.title_id, "title_id")?,
            member: MemberId::parse(&request.member_id, "member_id")?,
            reason: words(&request.reason, NOTE_CHARS_MAX, "reason")?,
            events: events.collect::<Result<_, _>>()?,
        })
    }
}

impl TryFrom<pb::AwardTitleRequest> for Decide {
    type Error = api::Error;

    fn try_from(request: pb::AwardTitleRequest) -> Result<Self, api::Error> {
        let from = date(&request.effective_date, "effective_date")?;
        Ok(Decide { id: id(&request.award_id, "award_id")?, verdict: Verdict::Award(from) })
    }
}

impl TryFrom<pb::RefuseTitleRequest> for Decide {
    type Error = api::Error;

    fn try_from(request: pb::RefuseTitleRequest) -> Result<Self, api::Error> {
        let why = words(&request.reason, NOTE_CHARS_MAX, "reason")?;
        Ok(Decide { id: id(&request.award_id, "award_id")?, verdict: Verdict::Refuse(why) })
    }
}

impl TryFrom<pb::RevokeTitleRequest> for Decide {
    type Error = api::Error;

    fn try_from(request: pb::RevokeTitleRequest) -> Result<Self, api::Error> {
        let why = words(&request.reason, NOTE_CHARS_MAX, "reason")?;
        Ok(Decide { id: id(&request.award_id, "award_id")?, verdict: Verdict::Revoke(why) })
    }
}

/// The award that is asked for.
///
/// # Errors
/// INVALID_ARGUMENT with BAD_ID.
pub(crate) fn award_id(asked: &str) -> Result<Uuid, api::Error> {
    id(asked, "award_id")
}

impl From<&Title> for pb::Title {
    fn from(title: &Title) -> Self {
        pb::Title {
            title_id: title.id.to_string(),
            federation_id: title.federation.to_string(),
            name: told_name(&title.name),
            kind: title.kind.number(),
            rank: title.rank,
            retire_time: title.retired.map(timestamp),
        }
    }
}

impl From<&Award> for pb::Award {
    fn from(award: &Award) -> Self {
        let ((decided_by, decided), (revoked_by, revoked)) = (award.decided.unzip(), award.revoked.unzip());
        pb::Award {
            award_id: award.id.to_string(),
            federation_id: award.federation.to_string(),
            title_id: award.title.to_string(),
            member_id: award.member.to_string(),
            state: award.state.number(),
            reason: award.reason.clone(),
            event_ids: award.events.iter().map(ToString::to_string).collect(),
            proposed_by: award.proposed_by.to_string(),
            propose_time: Some(timestamp(award.proposed)),
            decided_by: decided_by.map(|by| by.to_string()).unwrap_or_default(),
            decide_time: decided.map(timestamp),
            effective_date: award.effective.map(day::text).unwrap_or_default(),
            refusal: award.refusal.clone(),
            revoked_by: revoked_by.map(|by| by.to_string()).unwrap_or_default(),
            revoke_time: revoked.map(timestamp),
            revocation: award.revocation.clone(),
        }
    }
}
