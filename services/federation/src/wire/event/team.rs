//! Teams of events: their settings, what the log says of them, what captains ask, and matches as they are told.

use api::{
    DecodeError,
    federation::v1::{self as pb, event_log_body::Fact as Wire, line_up::State},
    reason,
    time::duration,
};
use chassis::id::{MemberId, TeamId};
use pairing::{Number, ResultCode};
use time::OffsetDateTime;

use super::{enums, log, request, settings, view};
use crate::core::event::{
    BadSettings, BoardId, Event, Match, Opening, Round, TeamEntrant, TeamFact, TeamSettings, Whose,
    fact::Digest,
    team::{BOARDS_MAX, EnteredTeam, RosterChange, RosterSettings},
};

impl TryFrom<pb::TeamSettings> for TeamSettings {
    type Error = BadSettings;

    fn try_from(it: pb::TeamSettings) -> Result<TeamSettings, BadSettings> {
        let law = enums::law(it.line_up);
        let lock = it.line_up_lock_duration;
        Ok(TeamSettings {
            boards: it.boards,
            line_up: law.ok_or_else(|| settings::bad("teams.line_up", "there is no such line-up"))?,
            reserves_max: it.reserves_max,
            lock: settings::time_span("teams.line_up_lock_duration", lock, std::time::Duration::ZERO)?,
            best: it.best,
            roster: it.roster.map(TryInto::try_into).transpose()?,
        })
    }
}

impl TryFrom<pb::TeamRosterSettings> for RosterSettings {
    type Error = BadSettings;

    fn try_from(it: pb::TeamRosterSettings) -> Result<RosterSettings, BadSettings> {
        let until_round = u16::try_from(it.until_round);
        Ok(RosterSettings {
            until_round: until_round.map_err(|_| settings::bad("teams.roster.until_round", "a round"))?,
            changes_max: it.changes_max,
            transfer_games_max: it.transfer_games_max,
        })
    }
}

impl From<&TeamSettings> for pb::TeamSettings {
    fn from(it: &TeamSettings) -> pb::TeamSettings {
        pb::TeamSettings {
            boards: it.boards,
            line_up: enums::law_number(it.line_up),
            reserves_max: it.reserves_max,
            line_up_lock_duration: Some(duration(it.lock)),
            best: it.best,
            roster: it.roster.map(|roster| pb::TeamRosterSettings {
                until_round: roster.until_round.into(),
                changes_max: roster.changes_max,
                transfer_games_max: roster.transfer_games_max,
            }),
        }
    }
}

fn numbers(of: &[Number]) -> Vec<u32> {
    of.iter().map(|number| number.0).collect()
}

fn named(of: Vec<u32>) -> Vec<Number> {
    of.into_iter().map(Number).collect()
}

impl From<&TeamFact> for Wire {
    fn from(fact: &TeamFact) -> Wire {
        match fact {
            TeamFact::Entered { team, entrants } => Wire::TeamEntered(pb::TeamEntered {
                team: Some(told(team, team.accepts)),
                entrants: entrants.iter().map(|it| view::entrant(it, it.accepts, &[])).collect(),
            }),
            TeamFact::StatusAdded { team, status, reason } => Wire::TeamStatusAdded(pb::TeamStatusAdded {
                team: team.0,
                status: Some(enums::status_to_wire(*status)),
                reason_hash: reason.map(|sealed| sealed.0.to_vec()).unwrap_or_default(),
            }),
            TeamFact::Accepted { team, version } => {
                Wire::TeamAccepted(pb::TeamAccepted { team: team.0, version: *version })
            }
            TeamFact::Declared { round, team, commitment } => Wire::LineUpDeclared(pb::LineUpDeclared {
                round: (*round).into(),
                team: team.0,
                commitment: commitment.to_vec(),
            }),
            TeamFact::HandedIn { round, team } => {
                Wire::LineUpHandedIn(pb::LineUpHandedIn { round: (*round).into(), team: team.0 })
            }
            TeamFact::Revealed { round, team, opening } => Wire::LineUpRevealed(pb::LineUpRevealed {
                round: (*round).into(),
                team: team.0,
                salt: opening.salt.to_vec(),
                players: numbers(&opening.players),
            }),
            TeamFact::CaptainChanged { team, captain, reason } => Wire::CaptainChanged(pb::CaptainChanged {
                team: team.0,
                captain_account_id: captain.to_string(),
                reason_hash: reason.map(|sealed| sealed.0.to_vec()).unwrap_or_default(),
            }),
            TeamFact::RosterChanged(change) => Wire::RosterChanged((&**change).into()),
            TeamFact::BoardsLaid { round, boards } => Wire::BoardsLaid(pb::BoardsLaid {
                round: (*round).into(),
                boards: boards.iter().map(Into::into).collect(),
            }),
        }
    }
}

impl TryFrom<Wire> for TeamFact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<TeamFact, DecodeError> {
        Ok(match fact {
            Wire::TeamEntered(it) => {
                let team = it.team.ok_or(DecodeError("a team"))?;
                let from_round = log::small(team.from_round)?;
                let entrants = it.entrants.into_iter().map(|it| log::entrant(it, from_round));
                let entrants = entrants.collect::<Result<_, _>>()?;
                TeamFact::Entered { team: team.try_into()?, entrants }
            }
            Wire::TeamStatusAdded(it) => TeamFact::StatusAdded {
                team: Number(it.team),
                status: log::status(it.status)?,
                reason: log::sealed(&it.reason_hash)?,
            },
            Wire::TeamAccepted(it) => TeamFact::Accepted { team: Number(it.team), version: it.version },
            Wire::LineUpDeclared(it) => TeamFact::Declared {
                round: log::small(it.round)?,
                team: Number(it.team),
                commitment: log::digest(&it.commitment)?,
            },
            Wire::LineUpHandedIn(it) => {
                TeamFact::HandedIn { round: log::small(it.round)?, team: Number(it.team) }
            }
            Wire::LineUpRevealed(it) => TeamFact::Revealed {
                round: log::small(it.round)?,
                team: Number(it.team),
                opening: Opening { salt: log::digest(&it.salt)?, players: named(it.players) },
            },
            Wire::CaptainChanged(it) => TeamFact::CaptainChanged {
                team: Number(it.team),
                captain: log::id(&it.captain_account_id)?,
                reason: log::sealed(&it.reason_hash)?,
            },
            Wire::RosterChanged(it) => TeamFact::RosterChanged(Box::new(it.try_into()?)),
            Wire::BoardsLaid(it) => TeamFact::BoardsLaid {
                round: log::small(it.round)?,
                boards: it.boards.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?,
            },
            _ => return Err(DecodeError("what an entry says")),
        })
    }
}

impl From<&RosterChange> for pb::RosterChanged {
    fn from(it: &RosterChange) -> pb::RosterChanged {
        pb::RosterChanged {
            team: it.team.0,
            entrants: it.entrants.iter().map(|it| view::entrant(it, it.accepts, &[])).collect(),
            returned: numbers(&it.returned),
            left: numbers(&it.left),
            players: numbers(&it.players),
            reserves: numbers(&it.reserves),
            from_round: it.from_round.into(),
            by_official: it.by_official,
            reason_hash: it.reason.map(|sealed| sealed.0.to_vec()).unwrap_or_default(),
        }
    }
}

impl TryFrom<pb::RosterChanged> for RosterChange {
    type Error = DecodeError;

    fn try_from(it: pb::RosterChanged) -> Result<RosterChange, DecodeError> {
        let from_round = log::small(it.from_round)?;
        let entrants = it.entrants.into_iter().map(|it| log::entrant(it, from_round));
        Ok(RosterChange {
            team: Number(it.team),
            entrants: entrants.collect::<Result<_, _>>()?,
            returned: named(it.returned),
            left: named(it.left),
            players: named(it.players),
            reserves: named(it.reserves),
            from_round,
            by_official: it.by_official,
            reason: log::sealed(&it.reason_hash)?,
        })
    }
}

/// Which team is to have whom for its captain.
pub(crate) fn captain(it: &pb::ChangeCaptainRequest) -> Result<(Number, MemberId), api::Error> {
    Ok((Number(it.team), MemberId::parse(&it.member_id, "member_id")?))
}

impl TryFrom<pb::EventTeam> for TeamEntrant {
    type Error = DecodeError;

    fn try_from(it: pb::EventTeam) -> Result<TeamEntrant, DecodeError> {
        Ok(TeamEntrant {
            number: Number(it.number),
            team: log::id(&it.team_id)?,
            captain: log::id(&it.captain_account_id)?,
            players: named(it.players),
            reserves: named(it.reserves),
            affiliations: it.affiliations,
            accepts: it.accepted_version,
            from_round: log::small(it.from_round)?,
        })
    }
}

fn told(team: &TeamEntrant, accepted: u32) -> pb::EventTeam {
    pb::EventTeam {
        number: team.number.0,
        team_id: team.team.to_string(),
        captain_account_id: team.captain.to_string(),
        players: numbers(&team.players),
        reserves: numbers(&team.reserves),
        affiliations: team.affiliations.clone(),
        accepted_version: accepted,
        from_round: team.from_round.into(),
        statuses: Vec::new(),
        on_leave_until_time: None,
        roster_changes: 0,
        former: Vec::new(),
    }
}

/// A team as an event has it now.
pub(crate) fn team_now(event: &Event, team: &EnteredTeam, now: OffsetDateTime) -> pb::EventTeam {
    let on_leave_until_time = super::leave::until(event, Whose::Team(team.number()), now);
    pb::EventTeam { on_leave_until_time, ..team.into() }
}

impl From<&EnteredTeam> for pb::EventTeam {
    fn from(team: &EnteredTeam) -> pb::EventTeam {
        let statuses = team.statuses.iter().copied().map(enums::status_to_wire).collect();
        let roster_changes = u32::try_from(team.own_changes()).unwrap_or(u32::MAX);
        let former = team.former().iter().map(|number| number.0).collect();
        pb::EventTeam { statuses, roster_changes, former, ..told(&team.entrant, team.accepts) }
    }
}

/// A match of an event that has nothing in it that may not be seen. `own` is what he has handed in himself for a line-up that is not public.
pub(crate) fn team_match(
    event: &Event,
    (round, of): (&Round, &Match),
    own: Option<&(Number, Opening)>,
) -> pb::TeamMatch {
    let code = |codes: Option<[ResultCode; 2]>, side: usize| {
        codes.map_or(0, |codes: [ResultCode; 2]| enums::code_number(codes[side]))
    };
    let board = |(number, it): (u32, &crate::core::event::MatchBoard)| {
        let id = BoardId { round: of.round, table: it.table };
        pb::MatchBoard {
            board: number,
            table: it.table,
            first: it.players[0].0,
            second: it.players[1].0,
            first_moves_first: it.first_moves_first,
            game_id: event.game(id).map(|game| game.to_string()).unwrap_or_default(),
            first_code: code(it.codes, 0),
            second_code: code(it.codes, 1),
        }
    };
    let [first_points, second_points] = of.points();
    let result = of.result().filter(|_| !event.goes_on());
    let [first, second] = of.teams;
    pb::TeamMatch {
        round: of.round.into(),
        r#match: of.number,
        first: first.0,
        second: second.0,
        first_line_up: Some(line_up(round, first, own)),
        second_line_up: Some(line_up(round, second, own)),
        boards: (1..).zip(&of.boards).map(board).collect(),
        first_points,
        second_points,
        first_result: code(result, 0),
        second_result: code(result, 1),
    }
}

fn line_up(round: &Round, team: Number, own: Option<&(Number, Opening)>) -> pb::LineUp {
    let open = pb::LineUp { team: team.0, state: State::Open.into(), ..pb::LineUp::default() };
    let Some(known) = round.line_ups.get(&team) else { return open };
    let own =
        own.filter(|(number, _)| *number == team && known.handed_in).map(|(_, opening)| &opening.players);
    let (state, players) = match &known.revealed {
        Some(players) => (State::Public, Some(players)),
        None if known.handed_in => (State::HandedIn, own),
        None => (State::Declared, None),
    };
    pb::LineUp {
        state: state.into(),
        commitment: known.commitment.to_vec(),
        players: players.map(|players| numbers(players)).unwrap_or_default(),
        ..open
    }
}

fn bad(field: &str, message: &str) -> api::Error {
    api::Error::invalid(reason::UNKNOWN_VALUE, field, message)
}

/// The team of a request.
pub(crate) fn team(id: &str) -> Result<TeamId, api::Error> {
    TeamId::parse(id, "team_id")
}

/// The members of a request.
pub(crate) fn members(field: &str, ids: &[String]) -> Result<Vec<MemberId>, api::Error> {
    if ids.len() > BOARDS_MAX as usize {
        return Err(bad(field, "at most 20"));
    }
    ids.iter().map(|id| MemberId::parse(id, field)).collect()
}

/// Whose line-up a request is about.
pub(crate) fn of_round(round: u32, team: u32) -> Result<(u16, Number), api::Error> {
    Ok((request::round("round", round)?, Number(team)))
}

/// The hash of a line-up.
pub(crate) fn commitment(bytes: &[u8]) -> Result<Digest, api::Error> {
    bytes.try_into().map_err(|_| bad("commitment", "32 bytes"))
}

/// What opens a line-up.
pub(crate) fn opening(salt: &[u8], players: Vec<u32>) -> Result<Opening, api::Error> {
    if players.len() > BOARDS_MAX as usize {
        return Err(bad("players", "at most 20"));
    }
    let salt = salt.try_into().map_err(|_| bad("salt", "32 bytes"))?;
    Ok(Opening { salt, players: named(players) })
}
