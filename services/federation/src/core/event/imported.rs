//! Events that were held elsewhere: from a file to a log like any other.
//!
//! Everything that is asked of an event (its tables, its rounds, its reports) is asked of its log, so an event from elsewhere
//! is one, too: written at once, from its creation to its end. Nobody has paired it here, so nothing of that is verified;
//! who vouches for it stands in the log.

use std::sync::Arc;

use chassis::id::{AccountId, FederationId, TeamId};
use pairing::{Number, Reason, Relaxed, ResultCode};
use time::Date;

use super::{
    Event, Refusal, Role, Settings, Stage, TeamSettings,
    fact::{Board, BoardId, BoardResult, Digest, Entrant, Fact, PublishedRound, ResultSource},
    result::check_codes,
    team::{TeamEntrant, TeamFact},
};
use crate::core::name::Name;

/// Where an event comes from that was held elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the format of the file.
    pub format: String,
    /// SHA-256 of the file.
    pub file: Digest,
    /// The first day and the last, where they are known.
    pub days: [Option<Date>; 2],
    /// Where it was held.
    pub place: String,
    /// How whoever vouches for it comes to do so.
    pub statement: String,
}

/// What was held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Who played, in the order of their numbers, from 1.
    pub entrants: Vec<Entrant>,
    /// The rounds, in their order.
    pub rounds: Vec<HeldRound>,
    /// Its teams, in the order of their numbers; none in an event of players.
    pub teams: Vec<HeldTeam>,
}

/// A team that played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldTeam {
    /// The team of the federation.
    pub team: TeamId,
    /// Its players, board 1 first. Those of all teams together are numbered as they stand here.
    pub players: Vec<Number>,
    /// Its reserves.
    pub reserves: Vec<Number>,
}

/// Two teams that met; the first has the first seat of board 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldMeeting(pub [Number; 2]);

/// A round that was held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldRound {
    /// The boards, table 1 first, with what came of each for either side, and why.
    pub boards: Vec<(Board, [ResultCode; 2], Reason)>,
    /// Who had no game, and what he got; teams where teams met.
    pub out: Vec<(Number, ResultCode)>,
    /// Where teams met, their matches: the boards are those of the first, then those of the second, as many of each.
    pub meetings: Vec<HeldMeeting>,
}

/// The log of an event that was held elsewhere. Whoever brings it vouches for it, and is its committee.
///
/// # Errors
/// When the settings make no sense, or somebody would be twice in a round, or a result is none.
pub fn imported(
    (federation, name): (FederationId, Name),
    settings: Settings,
    (by, origin): (AccountId, Origin),
    held: Held,
) -> Result<Vec<Fact>, Refusal> {
    if settings.play_off.is_some() || settings.teams.is_some() == held.teams.is_empty() {
        return Err(Refusal::Held(
            "events are taken over with their teams, and without play-offs".to_owned(),
        ));
    }
    let meet = settings.teams.as_ref().is_some_and(TeamSettings::meet);
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let those = Those { players: count(held.entrants.len()), teams: meet.then_some(count(held.teams.len())) };
    let mut facts = vec![
        Fact::Created { federation, name, settings: Box::new(settings) },
        Fact::Imported(Box::new(origin)),
        Fact::Appointed { account: by, role: Role::Committee },
    ];
    let numbered = (1..).zip(held.entrants);
    let mut entrants = numbered.map(|(number, entrant)| Entrant { number: Number(number), ..entrant });
    for (number, team) in (1..).zip(held.teams) {
        let members = team.players.len() + team.reserves.len();
        facts.push(team.fact(Number(number), by, entrants.by_ref().take(members).collect()));
    }
    facts.extend(entrants.map(Fact::Entered));
    for (number, round) in (1..).zip(held.rounds) {
        facts.extend(round.facts(number, &those, by)?);
    }
    facts.push(Fact::Advanced { to: Stage::Final });
    Ok(facts)
}

/// Who there is to be in a round.
struct Those {
    players: u32,
    /// How many teams, where they meet.
    teams: Option<u32>,
}

/// Who has been found in a round.
struct There {
    round: u16,
    of: &'static str,
    found: Vec<bool>,
}

impl There {
    fn new(round: u16, of: &'static str, count: u32) -> There {
        There { round, of, found: vec![false; count as usize] }
    }

    /// Notes somebody, who is in a round once.
    fn sit(&mut self, number: Number) -> Result<(), Refusal> {
        let There { round, of, found } = self;
        match found.get_mut((number.0 as usize).wrapping_sub(1)) {
            Some(place) if !*place => {
                *place = true;
                Ok(())
            }
            Some(_) => Err(Refusal::Held(format!("round {round}: {of} {} is in it twice", number.0))),
            None => Err(Refusal::Held(format!("round {round}: there is no {of} {}", number.0))),
        }
    }

    /// Whoever was not found.
    fn away(&self) -> impl Iterator<Item = Number> {
        (1..).map(Number).zip(&self.found).filter(|(_, there)| !**there).map(|(number, _)| number)
    }
}

impl HeldTeam {
    /// Its entry, with its players. Whoever brings the event speaks for it: it has no captain here.
    fn fact(self, number: Number, by: AccountId, entrants: Vec<Entrant>) -> Fact {
        let team = TeamEntrant {
            number,
            team: self.team,
            captain: by,
            players: self.players,
            reserves: self.reserves,
            affiliations: Vec::new(),
            accepts: 1,
            from_round: 1,
        };
        Fact::Team(TeamFact::Entered { team, entrants })
    }
}

impl HeldRound {
    /// The entries of a log that it becomes. Who is not in it was away.
    fn facts(self, round: u16, those: &Those, by: AccountId) -> Result<Vec<Fact>, Refusal> {
        let mut players = There::new(round, "number", those.players);
        let mut teams = those.teams.map(|count| There::new(round, "team", count));
        let (mut boards, mut results) = (Vec::new(), Vec::new());
        for (table, (board, codes, reason)) in (1..).zip(self.boards) {
            board.players.into_iter().try_for_each(|player| players.sit(player))?;
            let source = ResultSource::OverTheBoard { confirmed_by: Some(by) };
            let result = BoardResult { source, ..BoardResult::decided(codes, reason) };
            check_codes(&result)
                .map_err(|why| Refusal::Held(format!("round {round}, table {table}: {why}")))?;
            if !result.is_settled() {
                return Err(Refusal::Held(format!("round {round}, table {table}: it has no result yet")));
            }
            boards.push(Board { table, ..board });
            results.push(Fact::Result { board: BoardId { round, table }, result });
        }
        let there = teams.as_mut().unwrap_or(&mut players);
        for number in self.meetings.iter().flat_map(|meeting| meeting.0) {
            there.sit(number)?;
        }
        let mut out = self.out;
        out.iter().try_for_each(|(number, _)| there.sit(*number))?;
        out.extend(there.away().map(|number| (number, ResultCode::ByeZero)));
        out.sort_by_key(|(number, _)| *number);
        let meeting = |(table, HeldMeeting(players))| Board {
            table,
            players,
            coloured: false,
            place: None,
            reasons: Vec::new(),
            handicap: 0,
        };
        let matches = (1..).zip(self.meetings).map(meeting).collect();
        // Where teams meet, boards are laid when a round begins.
        let laid =
            teams.map(|_| Fact::Team(TeamFact::BoardsLaid { round, boards: std::mem::take(&mut boards) }));
        let published = PublishedRound {
            round,
            play_off: false,
            boards,
            matches,
            out,
            seed: [0; 32],
            input: [0; 32],
            relaxed: Relaxed::Nothing,
            tiers: Vec::new(),
            edits: Vec::new(),
            start: None,
        };
        let mut facts = vec![Fact::RoundPublished(Box::new(published))];
        facts.extend(laid);
        facts.push(Fact::RoundStarted { round });
        facts.extend(results);
        Ok(facts)
    }
}

impl Event {
    /// Takes over where the event comes from: before anything else of it is known.
    pub(super) fn take_origin(&mut self, origin: &Origin) -> Result<(), &'static str> {
        if self.sequence != 2 {
            return Err("where an event comes from is said with its creation");
        }
        self.origin = Some(Arc::new(origin.clone()));
        Ok(())
    }
}
