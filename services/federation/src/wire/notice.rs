//! Notices between protos, rows and `core`.

use api::{
    ProtoEnum as _,
    federation::v1 as pb,
    proto_enum, reason,
    time::{moment, timestamp},
};
use chassis::{
    id::{AccountId, EventId, FederationId, GameId, MemberId, TeamId},
    page::Page,
};
use pairing::Number;
use uuid::Uuid;

use super::fields::{id, optional};
use crate::core::notice::{About, Detail, Kind, MARKED_MAX, Muted, Notice, PUT_MAX, Telling, To};

proto_enum!(
    Kind = pb::NoticeKind {
        RoundPublished,
        RoundBegun,
        RoundRetracted,
        BoardReplayed,
        BoardBegun,
        ResultEntered,
        ResultDecided,
        ResultAmended,
        PostponementAsked,
        PostponementWaits,
        BoardPostponed,
        Challenged,
        ChallengeAnswered,
        ProposalWaits,
        ProposalDeclined,
        ArrangeDue,
        ArrangeWaits,
        LeaveTaken,
        LeaveEnded,
        LineUpDue,
        LineUpPublished,
        CaptainChanged,
        RosterChanged,
        Incident,
        Ruling,
        AppealAnswered,
        AppealWaits,
        IncidentWaits,
        ArbiterCalled,
        Appointed,
        Dismissed,
        Entered,
        Withdrawn,
        Expelled,
        Annulled,
        Readmitted,
        AbsenceNoted,
        SupplementChanged,
        EventAdvanced,
        EventCancelled,
        ApplicationWaits,
        ApplicationAnswered,
        Invited,
        OfficeGranted,
        OfficeRevoked,
        TeamCaptain,
        ProxyGiven,
        TitleAwarded,
        TitleRevoked,
        TitleWaits,
        TitleRefused,
        GameArranged,
        GameCalledOff,
        GameBegun,
    }
);

/// The notices that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Only those that are not read.
    pub unread: bool,
    /// Which part.
    pub page: Page<u64>,
}

impl List {
    /// What an account asks for.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with BAD_PAGE_TOKEN.
    pub(crate) fn of(account: AccountId, request: &pb::ListNoticesRequest) -> Result<List, api::Error> {
        let pb::ListNoticesRequest { unread, page_size, page_token } = request;
        let page = Page::of(format!("notices/{account}/{unread}"), *page_size, page_token)?;
        Ok(List { unread: *unread, page })
    }
}

/// The notices that are to be marked as read.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// All up to this number.
    pub up_to: u64,
    /// These, too.
    pub numbers: Vec<u64>,
}

impl TryFrom<pb::MarkNoticesReadRequest> for Mark {
    type Error = api::Error;

    fn try_from(request: pb::MarkNoticesReadRequest) -> Result<Self, api::Error> {
        let pb::MarkNoticesReadRequest { up_to_number: up_to, numbers } = request;
        if numbers.len() > MARKED_MAX {
            return Err(too_many("numbers", MARKED_MAX));
        }
        Ok(Mark { up_to, numbers })
    }
}

fn too_many(field: &str, most: usize) -> api::Error {
    api::Error::invalid(reason::TOO_MANY_NOTICES, field, format!("at most {most}"))
}

fn unknown(field: &str) -> api::Error {
    api::Error::invalid(reason::UNKNOWN_VALUE, field, "there is no such value")
}

/// The kinds that a request names.
///
/// # Errors
/// INVALID_ARGUMENT with UNKNOWN_VALUE.
pub(crate) fn muted(kinds: &[i32]) -> Result<Muted, api::Error> {
    kinds.iter().map(|kind| Kind::of(*kind).ok_or_else(|| unknown("muted"))).collect()
}

/// Kinds as they are told.
pub(crate) fn told_kinds(muted: &Muted) -> Vec<i32> {
    muted.iter().map(|kind| kind.number()).collect()
}

/// What another service has accounts be told.
///
/// # Errors
/// INVALID_ARGUMENT with BAD_ID, UNKNOWN_VALUE or TOO_MANY_NOTICES.
pub(crate) fn tellings(request: pb::PutNoticesRequest) -> Result<Vec<Telling>, api::Error> {
    if request.notices.len() > PUT_MAX {
        return Err(too_many("notices", PUT_MAX));
    }
    let telling = |put: pb::PutNotice| {
        Ok(Telling {
            to: To::Account(AccountId::parse(&put.account_id, "notices.account_id")?),
            kind: Kind::of(put.kind).ok_or_else(|| unknown("notices.kind"))?,
            about: put.about.unwrap_or_default().try_into()?,
            source: id(&put.key, "notices.key")?,
            by: None,
        })
    };
    request.notices.into_iter().map(telling).collect()
}

impl TryFrom<pb::NoticeAbout> for About {
    type Error = api::Error;

    fn try_from(about: pb::NoticeAbout) -> Result<Self, api::Error> {
        let number = |number: u32| (number > 0).then_some(Number(number));
        Ok(About {
            federation: optional(&about.federation_id, "about.federation_id", FederationId::parse)?,
            event: optional(&about.event_id, "about.event_id", EventId::parse)?,
            sequence: about.sequence,
            round: u16::try_from(about.round).map_err(|_| unknown("about.round"))?,
            table: about.table,
            number: number(about.number),
            opponent: number(about.opponent),
            team: number(about.team),
            team_id: optional(&about.team_id, "about.team_id", TeamId::parse)?,
            member: optional(&about.member_id, "about.member_id", MemberId::parse)?,
            account: optional(&about.account_id, "about.account_id", AccountId::parse)?,
            incident: about.incident,
            version: about.version,
            league: optional(&about.league_id, "about.league_id", id)?,
            title: optional(&about.title_id, "about.title_id", id)?,
            award: optional(&about.award_id, "about.award_id", id)?,
            game: optional(&about.game_id, "about.game_id", GameId::parse)?,
            due: about
                .due_time
                .map(|due| moment(&due).ok_or_else(|| unknown("about.due_time")))
                .transpose()?,
            detail: about.detail.map(detail).transpose()?,
        })
    }
}

fn detail(detail: pb::notice_about::Detail) -> Result<Detail, api::Error> {
    use pb::notice_about::Detail as Told;
    let found = match detail {
        Told::EventRole(role) => api::ProtoEnum::of(role).map(Detail::EventRole),
        Told::Office(role) => api::ProtoEnum::of(role).map(Detail::Office),
        Told::Stage(stage) => api::ProtoEnum::of(stage).map(Detail::Stage),
        Told::ChallengeAnswer(answer) => api::ProtoEnum::of(answer).map(Detail::Challenge),
        Told::ApplicationAnswer(answer) => api::ProtoEnum::of(answer).map(Detail::Application),
    };
    found.ok_or_else(|| unknown("about.detail"))
}

impl From<Detail> for pb::notice_about::Detail {
    fn from(detail: Detail) -> Self {
        match detail {
            Detail::EventRole(role) => Self::EventRole(role.number()),
            Detail::Office(role) => Self::Office(role.number()),
            Detail::Stage(stage) => Self::Stage(stage.number()),
            Detail::Challenge(answer) => Self::ChallengeAnswer(answer.number()),
            Detail::Application(answer) => Self::ApplicationAnswer(answer.number()),
        }
    }
}

impl From<&About> for pb::NoticeAbout {
    fn from(about: &About) -> Self {
        let number = |number: Option<Number>| number.map_or(0, |number| number.0);
        pb::NoticeAbout {
            federation_id: text(about.federation.map(FederationId::uuid)),
            event_id: text(about.event.map(EventId::uuid)),
            sequence: about.sequence,
            round: about.round.into(),
            table: about.table,
            number: number(about.number),
            opponent: number(about.opponent),
            team: number(about.team),
            team_id: text(about.team_id.map(TeamId::uuid)),
            member_id: text(about.member.map(MemberId::uuid)),
            account_id: text(about.account.map(AccountId::uuid)),
            incident: about.incident,
            version: about.version,
            league_id: text(about.league),
            title_id: text(about.title),
            award_id: text(about.award),
            game_id: text(about.game.map(GameId::uuid)),
            due_time: about.due.map(timestamp),
            detail: about.detail.map(Into::into),
        }
    }
}

fn text(id: Option<Uuid>) -> String {
    id.map(|id| id.to_string()).unwrap_or_default()
}

impl From<&Notice> for pb::Notice {
    fn from(notice: &Notice) -> Self {
        pb::Notice {
            number: notice.number,
            kind: notice.kind.number(),
            time: Some(timestamp(notice.at)),
            about: Some((&notice.about).into()),
            read: notice.is_read,
        }
    }
}
