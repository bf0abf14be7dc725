//! Teams in an event: who they are, how their players come to their boards, and what follows for their matches.
//!
//! Players of teams are participants as in any event, with numbers, boards and games of their own; teams are numbered
//! apart. A round of teams is published as matches; its boards are laid when it begins, from line-ups that nobody has seen
//! before both of a match were in.

mod ahead;
mod arena;
mod boards;
mod decide;
mod fold;
mod line_up;
mod roster;
mod score;
mod table;
pub(super) mod verify;

use std::time::Duration;

use chassis::id::{AccountId, TeamId};
use pairing::{
    Number, Status,
    lineup::{LineupError, LineupLaw, Roster},
};

use super::{
    BadSettings, Event, Format,
    decide::has_left,
    fact::{Board, Digest, Entrant, Sealed},
    settings::{ENTRIES_MAX, ROBIN_MAX, ROUNDS_MAX, ensure},
};

pub use ahead::BoardAhead;
pub use decide::{NewTeam, TeamStatusChange};
pub use line_up::{DECLARED_MAX, OfRound};
pub use roster::{BadRoster, Changed, Elsewhere, NewRoster, RosterChange, RosterSettings};
pub use score::{Match, MatchBoard};

/// The most boards of a match: more than any league has, and few enough for all of them to be one page.
pub const BOARDS_MAX: u32 = 20;
/// The longest time before a round for which its line-ups are closed.
pub const LOCK_MAX: Duration = Duration::from_hours(24);

/// What an event asks of its teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamSettings {
    /// Boards of a match: the players of a team besides its reserves.
    pub boards: u32,
    /// How players come to their boards.
    pub line_up: LineupLaw,
    /// How many reserves a team can have.
    pub reserves_max: u32,
    /// How long before a round that has a time its line-ups are closed.
    pub lock: Duration,
    /// How many members count where a team is the sum of its members; 0 for all.
    pub best: u32,
    /// How its players may change while the event runs; none where they stand.
    pub roster: Option<RosterSettings>,
}

/// A team as it has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamEntrant {
    /// Its number in the event, from 1, apart from those of players.
    pub number: Number,
    /// The team of the federation.
    pub team: TeamId,
    /// Who declares its line-ups and leaves for it now.
    pub captain: AccountId,
    /// Its players, board 1 first.
    pub players: Vec<Number>,
    /// Its reserves, in the order of their strength.
    pub reserves: Vec<Number>,
    /// What it shares with others: those who share one are kept apart (S3).
    pub affiliations: Vec<u32>,
    /// The version of the supplement that its captain accepts for all of it.
    pub accepts: u32,
    /// The first round it can be paired in.
    pub from_round: u16,
}

/// A team in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredTeam {
    /// As it entered.
    pub entrant: TeamEntrant,
    /// The version of the supplement that was accepted last.
    pub accepts: u32,
    /// What it is to the event, in the order in which it was written.
    pub statuses: Vec<Status>,
    /// How its players have changed since, in the order in which it was written.
    pub changes: Vec<Changed>,
}

/// The line-up of a team for a round, as far as the log knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUp {
    /// By what it was declared.
    pub commitment: Digest,
    /// How often one was declared.
    pub declared: u32,
    /// Whether it was handed in.
    pub handed_in: bool,
    /// Who sits where, once that is public.
    pub revealed: Option<Vec<Number>>,
}

/// What opens a line-up that was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The salt, without which the few orders of a team could be tried out.
    pub salt: [u8; 32],
    /// Who sits where, board 1 first.
    pub players: Vec<Number>,
}

/// What happened to the teams of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TeamFact {
    /// A team has entered, with its players.
    Entered {
        /// The team.
        team: TeamEntrant,
        /// Its players and reserves, in the order of their numbers.
        entrants: Vec<Entrant>,
    },
    /// One more row of what a team is to the event.
    StatusAdded {
        /// Which team.
        team: Number,
        /// The row.
        status: Status,
        /// Why, beside the log; none where nothing was said.
        reason: Option<Sealed>,
    },
    /// A team has another captain.
    CaptainChanged {
        /// Which team.
        team: Number,
        /// The account of its captain from now on.
        captain: AccountId,
        /// Why, beside the log; none where nothing was said.
        reason: Option<Sealed>,
    },
    /// A team has other players.
    RosterChanged(Box<RosterChange>),
    /// A captain accepts a version of the supplement, for all of his team.
    Accepted {
        /// Which team.
        team: Number,
        /// Which version.
        version: u32,
    },
    /// A captain has declared a line-up.
    Declared {
        /// For which round.
        round: u16,
        /// Of which team.
        team: Number,
        /// SHA-256 of its salt and its numbers.
        commitment: Digest,
    },
    /// A captain has handed in what he declared; it stands beside the log.
    HandedIn {
        /// For which round.
        round: u16,
        /// Of which team.
        team: Number,
    },
    /// A line-up is public.
    Revealed {
        /// For which round.
        round: u16,
        /// Of which team.
        team: Number,
        /// What was declared.
        opening: Opening,
    },
    /// The boards of a round are laid.
    BoardsLaid {
        /// Which round.
        round: u16,
        /// Its boards, table 1 first.
        boards: Vec<Board>,
    },
}

impl TeamSettings {
    /// Makes sure that they make sense with a format and with how many teams can enter.
    pub(super) fn check(&self, format: &Format, entries_max: u32) -> Result<(), BadSettings> {
        let boards = (1..=BOARDS_MAX).contains(&self.boards);
        ensure(boards, "teams.boards", || format!("1 to {BOARDS_MAX} boards"))?;
        ensure(self.lock <= LOCK_MAX, "teams.line_up_lock_duration", || "at most 24 h".to_owned())?;
        ensure(self.best <= self.boards, "teams.best", || "no more than there are boards".to_owned())?;
        let most = if self.changes() { pairing::lineup::RESERVES_MAX } else { 0 };
        let reserves = self.reserves_max as usize <= most;
        ensure(reserves, "teams.reserves_max", || format!("at most {most} with these line-ups"))?;
        if let Some(roster) = &self.roster {
            roster.check(self, format)?;
        }
        let fits = match format {
            Format::Swiss { .. } => self.line_up != LineupLaw::WholeTeam,
            Format::RoundRobin { .. } => true,
            Format::Arena => matches!(self.line_up, LineupLaw::FixedBoards | LineupLaw::DeclaredBoards),
            _ => false,
        };
        ensure(fits, "teams.line_up", || "there is no such event of teams in this format".to_owned())?;
        let players = entries_max.saturating_mul(self.boards + self.reserves_max);
        let all_meet = self.line_up == LineupLaw::SumOfMembers && matches!(format, Format::RoundRobin { .. });
        let most = if all_meet { ROBIN_MAX } else { ENTRIES_MAX };
        ensure(players <= most, "entries_max", || format!("their players are more than {most}"))?;
        let rounds = self.rounds_of_match().saturating_mul(format.rounds_at_most(entries_max));
        ensure(rounds <= u32::from(ROUNDS_MAX), "entries_max", || {
            format!("they would meet in {rounds} rounds, more than {ROUNDS_MAX}")
        })
    }

    /// Whether line-ups are declared.
    pub const fn changes(&self) -> bool {
        matches!(self.line_up, LineupLaw::FixedBoardsSubs | LineupLaw::DeclaredBoards)
    }

    /// Whether teams meet teams; else their players play an event of their own.
    pub fn meet(&self) -> bool {
        self.line_up != LineupLaw::SumOfMembers
    }

    /// Over how many rounds a match goes.
    pub fn rounds_of_match(&self) -> u32 {
        if self.line_up == LineupLaw::WholeTeam { self.boards } else { 1 }
    }
}

impl TeamEntrant {
    /// Its players and reserves as the laws of line-ups want them.
    ///
    /// # Errors
    /// When there are none, too many reserves, or somebody is there twice.
    pub fn roster(&self) -> Result<Roster, LineupError> {
        Roster::new(self.players.clone(), self.reserves.clone())
    }

    /// Everybody in it, board 1 first and reserves last.
    pub fn members(&self) -> impl Iterator<Item = Number> {
        self.players.iter().chain(&self.reserves).copied()
    }
}

impl EnteredTeam {
    /// Its number.
    pub const fn number(&self) -> Number {
        self.entrant.number
    }
}

impl Event {
    /// What the event asks of teams, where teams meet teams.
    pub fn meetings(&self) -> Option<&TeamSettings> {
        self.settings.teams.as_ref().filter(|teams| teams.meet())
    }

    /// A team of this number.
    pub fn team(&self, number: Number) -> Option<&EnteredTeam> {
        self.teams.get((number.0 as usize).wrapping_sub(1))
    }

    /// Whether a contestant has left, or was expelled or annulled.
    pub fn has_departed(&self, number: Number) -> bool {
        self.contestants().iter().any(|(it, statuses)| *it == number && has_left(statuses))
    }

    /// The team whose captain has this account.
    pub fn captained_by(&self, account: AccountId) -> Option<&EnteredTeam> {
        self.teams.iter().find(|team| team.entrant.captain == account)
    }

    /// The number of the team that enters next.
    pub fn next_team(&self) -> Number {
        Number(u32::try_from(self.teams.len()).unwrap_or(u32::MAX).saturating_add(1))
    }

    /// Who is paired: the numbers of teams where teams meet, else those of players, with what each is to the event.
    pub fn contestants(&self) -> Vec<(Number, &[Status])> {
        match self.meetings() {
            Some(_) => self.teams.iter().map(|team| (team.number(), &*team.statuses)).collect(),
            None => self.participants.iter().map(|it| (it.number(), &*it.statuses)).collect(),
        }
    }
}
