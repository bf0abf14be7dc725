//! Events as they are told.

use api::{ProtoEnum as _, federation::v1 as pb, time::timestamp};
use pairing::{Status, standings::Line};
use time::OffsetDateTime;

use super::enums;
use crate::core::event::{
    BoardId, Entrant, Event, Missing, Participant, Round, Table, Whose, readings::Reading,
};

impl From<&Event> for pb::Event {
    fn from(event: &Event) -> pb::Event {
        let officials = event.officials.iter().flat_map(|(account, roles)| {
            roles
                .iter()
                .map(move |role| pb::EventOfficial { account_id: account.to_string(), role: role.number() })
        });
        pb::Event {
            id: event.id.to_string(),
            federation_id: event.federation.to_string(),
            name: Some((&event.name).into()),
            settings: Some((&*event.settings).into()),
            stage: event.stage.number(),
            supplement_version: event.version,
            sequence: event.sequence,
            update_time: Some(timestamp(event.updated)),
            checked: event.checked.iter().map(|item| item.number()).collect(),
            missing: Vec::new(),
            officials: officials.collect(),
            entrant_count: u32::try_from(event.participants.len()).unwrap_or(u32::MAX),
            round: u32::from(event.next_round() - 1),
            seed_head: event.seed.map(|head| head.to_vec()).unwrap_or_default(),
            team_count: u32::try_from(event.teams.len()).unwrap_or(u32::MAX),
            challenges: event.waiting_challenges().map(Into::into).collect(),
            origin: event.origin.as_deref().map(Into::into),
        }
    }
}

/// An event with what it lacks before its next stage. That follows from results, also from those that are not broadcast
/// yet, and is told to officials alone.
pub(crate) fn for_officials(event: &Event, now: OffsetDateTime) -> pb::Event {
    let missing = event.stage.next().map(|next| event.missing(next, now)).unwrap_or_default();
    let missing = missing.into_iter().map(Missing::name).map(str::to_owned).collect();
    pb::Event { missing, ..event.into() }
}

/// An entrant with the version he has accepted and what he is.
pub(super) fn entrant(entrant: &Entrant, accepted: u32, statuses: &[Status]) -> pb::Entrant {
    pb::Entrant {
        number: entrant.number.0,
        member_id: entrant.member.to_string(),
        account_id: entrant.account.map(|account| account.to_string()).unwrap_or_default(),
        affiliations: entrant.affiliations.clone(),
        rating: entrant.rating,
        grade: entrant.grade,
        accepted_version: accepted,
        statuses: statuses.iter().copied().map(enums::status_to_wire).collect(),
        team: 0,
        on_leave_until_time: None,
    }
}

/// An entrant as an event has him now.
pub(crate) fn entrant_now(event: &Event, participant: &Participant, now: OffsetDateTime) -> pb::Entrant {
    let on_leave_until_time = super::leave::until(event, Whose::Player(participant.number()), now);
    pb::Entrant { on_leave_until_time, ..participant.into() }
}

impl From<&Participant> for pb::Entrant {
    fn from(participant: &Participant) -> pb::Entrant {
        let shown = entrant(&participant.entrant, participant.accepts, &participant.statuses);
        pb::Entrant { team: participant.team.map_or(0, |team| team.0), ..shown }
    }
}

/// A public round of an event that has nothing in it that may not be seen, with its games and what came of them.
pub(crate) fn round(event: &Event, round: &Round) -> pb::Round {
    let mut shown = pb::Round::from(&*round.published);
    let number = round.published.round;
    for (pairing, state) in shown.pairings.iter_mut().zip(&round.boards) {
        let board = BoardId { round: number, table: pairing.table };
        pairing.attempt = state.attempt;
        pairing.postponed_time = state.postponed.map(timestamp);
        pairing.arrangement = super::arranging::shown(event, board, state);
        pairing.arbiter_account_ids = state.arbiters.iter().map(ToString::to_string).collect();
        pairing.game_id = crate::core::event::game_id(event.id, board, state.attempt).to_string();
        pairing.result = state.result.as_ref().map(Into::into);
    }
    let state = match round.started {
        None => pb::round::State::Published,
        Some(_) if round.is_complete() => pb::round::State::Complete,
        Some(_) => pb::round::State::Running,
    };
    shown.state = state.into();
    shown.begin_time = round.started.map(timestamp);
    shown
}

/// A table as of an entry of the log of its event.
pub(crate) fn table(table: &Table, sequence: u64, delayed: bool) -> pb::GetStandingsResponse {
    pb::GetStandingsResponse {
        lines: table.lines.iter().map(line).collect(),
        round: table.round.into(),
        sequence,
        promoted: table.promoted.iter().map(|number| number.0).collect(),
        delayed,
        players: table.players.iter().map(line).collect(),
    }
}

/// A line of a table. Numerators and denominators of tables fit 64 bits: they come from points of at most 100 rounds.
pub(crate) fn line(line: &Line) -> pb::StandingsLine {
    let narrow = |number: i128| i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX });
    let criteria = line.criteria.iter().map(|criterion| pb::Criterion {
        name: criterion.name.to_owned(),
        numerator: narrow(*criterion.value.numer()),
        denominator: narrow(*criterion.value.denom()),
        working: criterion.explain(),
    });
    pb::StandingsLine {
        number: line.number.0,
        place: line.place.unwrap_or(0),
        points: line.points,
        criteria: criteria.collect(),
        provisional: line.provisional,
    }
}

impl From<&Reading> for pb::Reading {
    fn from(reading: &Reading) -> pb::Reading {
        let outcomes = reading.example().into_iter().flat_map(|it| it.outcomes);
        let outcome = |(value, outcome): &(&str, &str)| pb::ReadingOutcome {
            value: (*value).to_owned(),
            outcome: (*outcome).to_owned(),
        };
        pb::Reading {
            name: reading.name.to_owned(),
            article: reading.article.to_owned(),
            about: reading.about.to_owned(),
            values: reading.expected(),
            default_value: reading.default_value(),
            example: reading.example().map(|it| it.event.to_owned()).unwrap_or_default(),
            outcomes: outcomes.map(outcome).collect(),
        }
    }
}
