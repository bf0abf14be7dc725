//! Why a league does not do what it is asked for.

use chassis::id::{EventId, MemberId};
use time::OffsetDateTime;

use super::{EntrantId, State};

/// Why something is refused. Nothing is changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such league, or no such version of its rules.
    #[error("there is no such league, or its rules have no such version")]
    UnknownLeague,
    /// There is no such season.
    #[error("there is no such season")]
    UnknownSeason,
    /// Somebody is placed in no division.
    #[error("it is in no division of the season")]
    UnknownSquad,
    /// Rules that make no sense.
    #[error("{detail}")]
    Rules {
        /// The field at fault.
        field: String,
        /// One sentence for a person.
        detail: String,
    },
    /// A season that cannot be.
    #[error("{0}")]
    Season(&'static str),
    /// The season is in another state.
    #[error("not while the season is in the state {}", .0.name())]
    State(State),
    /// A division has too few squads.
    #[error("division {division} has {registered} registered squads, and begins with {needed}")]
    TooSmall {
        /// Which, from 1.
        division: u32,
        /// How many there are.
        registered: u32,
        /// How many it takes.
        needed: u32,
    },
    /// A division has as many squads as it may.
    #[error("division {0} has as many as it may")]
    DivisionFull(u32),
    /// A squad that cannot be.
    #[error("{0}")]
    Squad(&'static str),
    /// Somebody may not play.
    #[error("a member may not play in this season: {1}")]
    NotEligible(MemberId, &'static str),
    /// Somebody is in another squad.
    #[error("the member {member} is in the squad of {other}, and would be in that of {squad}")]
    TwoSquads {
        /// Who.
        member: MemberId,
        /// Where he is.
        other: EntrantId,
        /// Where he would be.
        squad: EntrantId,
    },
    /// Today squads do not change.
    #[error("squads do not change today")]
    Closed,
    /// Squads of a season that runs do not change now; when they do next.
    #[error("no transfer window of the season is open, and an official has given no reason")]
    TransfersClosed(Option<OffsetDateTime>),
    /// Somebody has played for another team of the season.
    #[error("a member has played {games} games for others of the season, or has a board to finish for them")]
    PlayedElsewhere {
        /// Who.
        member: MemberId,
        /// How many.
        games: u32,
    },
    /// The rules name no chief arbiter.
    #[error("the rules of the league name no chief arbiter")]
    NoChief,
    /// An event is not final.
    #[error("the event {0} is not final")]
    Unfinished(EventId),
}
