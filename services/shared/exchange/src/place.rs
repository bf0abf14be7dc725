//! Where something is, in an event.

use core::fmt;

use pairing::Number;

/// A place in an event of which something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The event as a whole.
    Event,
    /// A player.
    Player(Number),
    /// A team, by its number.
    Team(u32),
    /// A round, from 1.
    Round(u16),
    /// What a player has in a round.
    Entry {
        /// From 1.
        round: u16,
        /// Who.
        player: Number,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Event => f.write_str("the event"),
            Place::Player(number) => write!(f, "player {number}"),
            Place::Team(number) => write!(f, "team {number}"),
            Place::Round(round) => write!(f, "round {round}"),
            Place::Entry { round, player } => write!(f, "player {player} in round {round}"),
        }
    }
}
