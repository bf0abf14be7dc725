//! What callers ask of events.

use std::ops::RangeInclusive;

use crate::core::name::Name;
use api::{DecodeError, ProtoEnum as _, federation::v1 as pb, reason, time::moment};
use chassis::id::{AccountId, EventId, FederationId, MemberId, RequestId};
use pairing::{Number, Relaxed, ResultCode, Status};
use prost::Message;
use sha2::{Digest as _, Sha256};
use tonic::Code;

use super::{
    super::fields::{self, Mask},
    enums,
};
use crate::core::event::{
    BoardId, BoardResult, ChallengeAnswer, CheckItem, EntryUpdate, IncidentState, PairingEdit, Participant,
    ResultSource, Role, Settings, Stage, arranging, fact::Digest,
};

/// The longest reason, in characters.
const REASON_CHARS_MAX: usize = 500;
/// The longest report or assessment.
const PAPER_CHARS_MAX: usize = 20_000;
/// The longest account of an incident.
const INCIDENT_CHARS_MAX: usize = 2_000;
/// Changes of one draft that are asked for at once.
const EDITS_MAX: usize = 100;
/// What an entrant shares with others at most.
const AFFILIATIONS_MAX: usize = 8;
/// The ratings that somebody can enter with: more than any list has, from EGF's -900 to the 4,000 of this platform.
const RATINGS: RangeInclusive<i32> = -1_000..=5_000;

/// What every change says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The event.
    pub event: EventId,
    /// By which request.
    pub request: RequestId,
    /// SHA-256 of what is asked for, so that an id is not used for something else.
    pub digest: Digest,
    /// The sequence that the event is expected to be at.
    pub expected: Option<u64>,
    /// Whether it is only checked.
    pub validate_only: bool,
    /// As which entrant; `None` for himself, or for the only one for whom he is a proxy.
    pub as_number: Option<Number>,
}

/// A request that changes an event.
pub(crate) trait ChangeRequest: Message {
    /// What it says of itself.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with BAD_ID.
    fn change(&self) -> Result<Change, api::Error>;
}

/// What requests of changes have in common.
macro_rules! change_requests {
    ($as_number:expr; $($request:ident),+ $(,)?) => {$(
        impl ChangeRequest for pb::$request {
            fn change(&self) -> Result<Change, api::Error> {
                let mut digest = Sha256::new_with_prefix(stringify!($request));
                digest.update(self.encode_to_vec());
                Ok(Change {
                    event: EventId::parse(&self.event_id, "event_id")?,
                    request: RequestId::parse(&self.request_id, "request_id")?,
                    digest: digest.finalize().into(),
                    expected: (self.expected_sequence > 0).then_some(self.expected_sequence),
                    validate_only: self.validate_only,
                    as_number: $as_number(self).filter(|number| *number > 0).map(Number),
                })
            }
        }
    )+};
}

change_requests!(
    |_: &Self| None::<u32>;
    UpdateEventRequest,
    AdoptEventRequest,
    AdvanceEventRequest,
    CancelEventRequest,
    CheckOffRequest,
    AppointOfficialRequest,
    DismissOfficialRequest,
    CommitSeedRequest,
    EnterEventRequest,
    UpdateEntryRequest,
    ProhibitPairingRequest,
    EditPairingsRequest,
    PublishRoundRequest,
    RetractRoundRequest,
    StartRoundRequest,
    EnterResultRequest,
    ConfirmResultRequest,
    ReplayBoardRequest,
    FileReportRequest,
    AssessArbiterRequest,
    PairRoundRequest,
    EnterTeamRequest,
    ChangeTeamEntryRequest,
    DeclareLineUpRequest,
    RevealLineUpRequest,
    RuleOnIncidentRequest,
    RuleOnAppealRequest,
    AmendEventRequest,
    SeatArbitersRequest,
    SettleTiesRequest,
    ChangeCaptainRequest,
    ChangeRosterRequest,
);
change_requests!(
    |it: &Self| Some(it.as_number);
    AcceptSupplementRequest,
    ChangeEntryRequest,
    CheckInRequest,
    PostponeBoardRequest,
    ReportIncidentRequest,
    AppealRulingRequest,
    ProposeGameRequest,
    AcceptProposalRequest,
    DeclineProposalRequest,
    TakeLeaveRequest,
    EndLeaveRequest,
    ChallengeRequest,
    AnswerChallengeRequest,
    FileStatementRequest,
);

/// A text for people to read: not empty to the eye, not too long, nothing that does not print.
pub(crate) fn text(field: &str, text: String, chars_max: usize) -> Result<String, api::Error> {
    let chars = text.chars().count();
    let prints = text.chars().all(|c| !c.is_control() || c == '\n');
    if text.trim().is_empty() || chars > chars_max || !prints {
        let message = format!("1 to {chars_max} characters that print");
        return Err(api::Error::invalid(reason::BAD_TEXT, field, message));
    }
    Ok(text)
}

/// Why something is done.
pub(crate) fn why(reason: String) -> Result<String, api::Error> {
    text("reason", reason, REASON_CHARS_MAX)
}

/// The same where nothing need be said.
pub(crate) fn why_if_any(reason: String) -> Result<String, api::Error> {
    if reason.is_empty() { Ok(reason) } else { why(reason) }
}

/// What was reported, or why somebody appeals.
pub(crate) fn account_of_incident(account: String) -> Result<String, api::Error> {
    text("text", account, INCIDENT_CHARS_MAX)
}

/// Results that are amended.
pub(crate) fn amendments(results: Vec<pb::AmendedResult>) -> Result<Vec<(BoardId, BoardResult)>, api::Error> {
    let known = (1..=EDITS_MAX).contains(&results.len());
    if !known {
        return Err(api::Error::invalid(reason::BAD_BOARD_RESULT, "results", "1 to 100 results"));
    }
    results.into_iter().map(|it| Ok((board(it.round, it.table)?, result(it.result)?))).collect()
}

/// A moment that must be named.
pub(crate) fn moment_of(
    field: &str,
    time: Option<prost_types::Timestamp>,
) -> Result<time::OffsetDateTime, api::Error> {
    moment_if_any(field, time)?.ok_or_else(|| unknown(field, "required"))
}

/// Times that are proposed; how many an event allows, it says itself.
pub(crate) fn proposed(times: Vec<prost_types::Timestamp>) -> Result<Vec<time::OffsetDateTime>, api::Error> {
    let most = arranging::TIMES_MAX;
    if times.len() > most as usize {
        let message = format!("at most {most} times are proposed at once");
        return Err(api::Error::new(Code::ResourceExhausted, reason::TOO_MANY_TIMES, message));
    }
    times.into_iter().map(|time| moment_of("start_times", Some(time))).collect()
}

/// A report.
pub(crate) fn paper(paper: String) -> Result<String, api::Error> {
    text("text", paper, PAPER_CHARS_MAX)
}

/// The name of an event.
pub(crate) fn name(name: Option<&pb::Name>) -> Result<Name, api::Error> {
    fields::name(name, "name")
}

fn unknown(field: &str, message: &str) -> api::Error {
    api::Error::invalid(reason::UNKNOWN_VALUE, field, message)
}

/// What is answered to a challenge; that it lapses is for the server to say.
pub(crate) fn answer(number: i32) -> Result<ChallengeAnswer, api::Error> {
    let answer = ChallengeAnswer::of(number).filter(|answer| *answer != ChallengeAnswer::Lapsed);
    answer.ok_or_else(|| unknown("answer", "accepted, refused or withdrawn"))
}

/// The settings of a new event.
pub(crate) fn settings(settings: Option<pb::EventSettings>) -> Result<Settings, api::Error> {
    let settings = said(settings)?;
    Ok(Settings { format: settings.format.with_answers(None), ..settings })
}

/// The settings that a request says.
fn said(settings: Option<pb::EventSettings>) -> Result<Settings, api::Error> {
    let bad = |field: &str, text: String| api::Error::invalid(reason::BAD_EVENT_SETTINGS, field, text);
    let settings = settings.ok_or_else(|| bad("settings", "required".to_owned()))?;
    let settings = Settings::try_from(settings).map_err(|error: crate::core::event::BadSettings| {
        bad(&format!("settings.{}", error.field), error.detail)
    })?;
    Ok(settings.in_zone())
}

/// Settings of which some fields are to be others.
#[derive(Clone, Debug)]
pub(crate) struct SettingsChange {
    fields: Vec<&'static str>,
    to: pb::EventSettings,
}

macro_rules! settings_fields {
    ($($field:ident)+) => {
        const SETTINGS_FIELDS: &[&str] = &[$(stringify!($field)),+];

        impl SettingsChange {
            fn take_over(&self, settings: &mut pb::EventSettings) {
                // A field that is missing here does not compile.
                let pb::EventSettings { $($field),+ } = &self.to;
                $(if self.fields.contains(&stringify!($field)) {
                    settings.$field.clone_from($field);
                })+
            }
        }
    };
}
settings_fields! {
    game format readings entries_max entries_until_time late_until_round schedule broadcast_delay_duration
    watch_while_playing appeal_duration text teams play_off arranging leave languages
}

impl SettingsChange {
    /// The fields that a mask names; all of them where it names none.
    pub(crate) fn of(
        settings: Option<pb::EventSettings>,
        mask: Option<prost_types::FieldMask>,
    ) -> Result<SettingsChange, api::Error> {
        let required = || api::Error::invalid(reason::BAD_EVENT_SETTINGS, "settings", "required");
        let paths = mask.map(|mask| mask.paths).unwrap_or_default();
        let is_named = |field: &&str| paths.iter().any(|path| path == field);
        if let Some(path) =
            paths.iter().find(|path| *path != "*" && !SETTINGS_FIELDS.contains(&path.as_str()))
        {
            let message = format!("{path} is no field that can be changed here");
            return Err(api::Error::invalid(reason::BAD_FIELD_MASK, "update_mask", message));
        }
        let is_whole = paths.is_empty() || paths.iter().any(|path| path == "*");
        let fields = SETTINGS_FIELDS.iter().copied().filter(|field| is_whole || is_named(field)).collect();
        Ok(SettingsChange { fields, to: settings.ok_or_else(required)? })
    }

    /// What these settings are to be.
    pub(crate) fn on(&self, current: &Settings) -> Result<Settings, api::Error> {
        let mut changed = current.into();
        self.take_over(&mut changed);
        let changed = said(Some(changed))?;
        Ok(Settings { format: changed.format.with_answers(Some(&current.format)), ..changed })
    }
}

/// Whom a list of entrants is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntrantFilter {
    state: i32,
    team: Option<Number>,
    account: Option<AccountId>,
}

impl EntrantFilter {
    pub(crate) fn of(it: &pb::ListEntrantsRequest) -> Result<EntrantFilter, api::Error> {
        if pb::EntrantState::try_from(it.state).is_err() {
            return Err(unknown("state", "there is no such state"));
        }
        let team = (it.team > 0).then_some(Number(it.team));
        Ok(EntrantFilter { state: it.state, team, account: fields::account(&it.account_id, "account_id")? })
    }

    /// Whether it is about somebody.
    pub(crate) fn is_about(&self, participant: &Participant) -> bool {
        let last = participant.statuses.last().map_or(0, |status| enums::status_to_wire(*status).state);
        (self.state == 0 || last == self.state)
            && self.team.is_none_or(|team| participant.team == Some(team))
            && self.account.is_none_or(|account| participant.entrant.account == Some(account))
    }
}

/// Which incidents a list is about: those that are so far, and those of a round.
pub(crate) type IncidentFilter = (Option<IncidentState>, Option<u16>);

/// The filter of a list of incidents.
pub(crate) fn incident_filter(it: &pb::ListEventIncidentsRequest) -> Result<IncidentFilter, api::Error> {
    let state =
        (it.state != 0).then(|| IncidentState::of(it.state).ok_or_else(|| unknown("state", "there is none")));
    let number = round("round", it.round)?;
    Ok((state.transpose()?, (number > 0).then_some(number)))
}

/// The stage of a request.
pub(crate) fn stage(number: i32) -> Result<Stage, api::Error> {
    Stage::of(number).ok_or_else(|| unknown("stage", "there is no such stage"))
}

/// The stage of a filter; `None` for all.
pub(crate) fn stage_filter(number: i32) -> Result<Option<Stage>, api::Error> {
    if number == 0 { Ok(None) } else { stage(number).map(Some) }
}

/// The item of a request.
pub(crate) fn item(number: i32) -> Result<CheckItem, api::Error> {
    CheckItem::of(number).ok_or_else(|| unknown("item", "there is no such item"))
}

/// The account and office of a request.
pub(crate) fn office(account: &str, role: i32) -> Result<(AccountId, Role), api::Error> {
    let role = Role::of(role).ok_or_else(|| unknown("role", "there is no such role"))?;
    Ok((AccountId::parse(account, "account_id")?, role))
}

/// The federation of a request.
pub(crate) fn federation(id: &str) -> Result<FederationId, api::Error> {
    FederationId::parse(id, "federation_id")
}

/// A member who may be named.
pub(crate) fn member_if_any(id: &str) -> Result<Option<MemberId>, api::Error> {
    if id.is_empty() { Ok(None) } else { MemberId::parse(id, "member_id").map(Some) }
}

/// What an entrant is rated.
pub(crate) fn rating(rating: Option<i32>) -> Result<Option<i32>, api::Error> {
    match rating {
        Some(rating) if !RATINGS.contains(&rating) => Err(unknown("rating", "from -1000 to 5000")),
        rating => Ok(rating),
    }
}

/// What an entrant shares with others.
pub(crate) fn affiliations(affiliations: Vec<u32>) -> Result<Vec<u32>, api::Error> {
    if affiliations.len() > AFFILIATIONS_MAX {
        return Err(unknown("affiliations", "at most 8"));
    }
    Ok(affiliations)
}

/// What is corrected of an entry.
#[derive(Clone, Debug)]
pub(crate) struct Correction {
    /// Whose.
    pub number: Number,
    named: Mask,
    rating: Option<i32>,
    grade: Option<i32>,
    affiliations: Vec<u32>,
}

impl Correction {
    pub(crate) fn of(it: pb::UpdateEntryRequest) -> Result<Correction, api::Error> {
        let fields = [
            ("rating", it.rating.is_some()),
            ("grade", it.grade.is_some()),
            ("affiliations", !it.affiliations.is_empty()),
        ];
        Ok(Correction {
            number: Number(it.number),
            named: Mask::of(it.update_mask.as_ref(), &fields)?,
            rating: rating(it.rating)?,
            grade: it.grade,
            affiliations: affiliations(it.affiliations)?,
        })
    }

    /// An entry with what is named as it is to be.
    pub(crate) fn on(&self, before: EntryUpdate) -> EntryUpdate {
        let Correction { named, rating, grade, affiliations, .. } = self;
        EntryUpdate {
            rating: if named.has("rating") { *rating } else { before.rating },
            grade: if named.has("grade") { *grade } else { before.grade },
            affiliations: if named.has("affiliations") { affiliations.clone() } else { before.affiliations },
            ..before
        }
    }
}

/// The number of a round.
pub(crate) fn round(field: &str, round: u32) -> Result<u16, api::Error> {
    u16::try_from(round).map_err(|_| unknown(field, "there is no such round"))
}

/// A table of a round.
pub(crate) fn board(of: u32, table: u32) -> Result<BoardId, api::Error> {
    Ok(BoardId { round: round("round", of)?, table })
}

/// A row of what somebody is.
pub(crate) fn status(status: Option<pb::EntrantStatus>) -> Result<Status, api::Error> {
    let read = status.ok_or(DecodeError("required")).and_then(enums::status_from_wire);
    read.map_err(|error| unknown("status", error.0))
}

/// What of the rules is lifted.
pub(crate) fn relaxed(number: i32) -> Result<Relaxed, api::Error> {
    enums::relaxed(number).ok_or_else(|| unknown("relaxed", "there is no such rule to lift"))
}

/// Changes of a draft.
pub(crate) fn edits(edits: &[pb::PairingEdit]) -> Result<Vec<PairingEdit>, api::Error> {
    use pb::pairing_edit::Edit;
    if edits.is_empty() || edits.len() > EDITS_MAX {
        return Err(api::Error::invalid(reason::BAD_PAIRING, "edits", "1 to 100 changes"));
    }
    let edit = |edit: &pb::PairingEdit| match &edit.edit {
        Some(Edit::Swap(it)) => Ok(PairingEdit::Swap(Number(it.one), Number(it.other))),
        Some(Edit::Turn(it)) => Ok(PairingEdit::Turn(it.table)),
        None => Err(api::Error::invalid(reason::BAD_PAIRING, "edits", "what changes has to be said")),
    };
    edits.iter().map(edit).collect()
}

/// A result that an official enters: of a board in a hall, which nobody has confirmed yet, or a decision.
pub(crate) fn result(result: Option<pb::BoardResult>) -> Result<BoardResult, api::Error> {
    let bad = |message: &str| api::Error::invalid(reason::BAD_BOARD_RESULT, "result", message);
    let result = result.ok_or_else(|| bad("required"))?;
    let result = BoardResult::try_from(result).map_err(|error| bad(error.0))?;
    let source = match result.source {
        ResultSource::OverTheBoard { .. } => ResultSource::OverTheBoard { confirmed_by: None },
        ResultSource::Decision => ResultSource::Decision,
        ResultSource::Game { .. } | ResultSource::Departure | ResultSource::Unarranged => {
            return Err(bad("it is of a board in a hall, or a decision"));
        }
    };
    if result.codes.contains(&ResultCode::Adjourned) {
        return Err(bad("a game is adjourned in the game"));
    }
    Ok(BoardResult { source, ..result })
}

/// A moment that may be named.
pub(crate) fn moment_if_any(
    field: &str,
    time: Option<prost_types::Timestamp>,
) -> Result<Option<time::OffsetDateTime>, api::Error> {
    time.map(|time| moment(&time).ok_or_else(|| unknown(field, "no moment"))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_one_of_a_list() {
        for known in [None, Some(-900), Some(2_100)] {
            assert_eq!(rating(known).ok(), Some(known));
        }
        assert!([99_999, 5_001, -1_001].into_iter().all(|wrong| rating(Some(wrong)).is_err()));
    }

    /// 1.10, 32: who is dismissed is dismissed for something.
    #[test]
    fn a_reason_says_something() {
        assert_eq!(why("absent twice".to_owned()).ok().as_deref(), Some("absent twice"));
        for empty in ["", "  "] {
            assert!(why(empty.to_owned()).is_err(), "{empty:?}");
        }
        assert!(why("x".repeat(REASON_CHARS_MAX + 1)).is_err());
    }
}
