//! Why a round was not paired.

use crate::Number;

/// Why there is no legal pairing: these players have too few whom they may still meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// Players each of whom is left over in some largest pairing.
    pub players: Vec<Number>,
    /// Everybody else whom any of them may meet: there are too few of these.
    pub partners: Vec<Number>,
    /// How many stay without an opponent in the best case.
    pub left_over: u32,
}

/// Why a round was not paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    /// Rounds are counted from 1 to the number declared.
    #[error("round {round} is not among the {rounds} rounds of the event")]
    NoSuchRound {
        /// What was asked for.
        round: u16,
        /// How many there are.
        rounds: u16,
    },
    /// More than [`super::PLAYERS_MAX`].
    #[error("{0} players are too many to be paired")]
    TooManyPlayers(usize),
    /// Numbers are not in rising order, or one occurs twice.
    #[error("the players are not in the order of their numbers at {0}")]
    Unordered(Number),
    /// A history is out of order, reaches into the round to be paired, or names an opponent whose own history does not
    /// have the game.
    #[error("the history of player {number} makes no sense in round {round}")]
    History {
        /// Whose.
        number: Number,
        /// Where.
        round: u16,
    },
    /// Nobody, or one player alone, is there to be paired.
    #[error("fewer than two are there to be paired: {0}")]
    TooFewPlayers(usize),
    /// Every pairing breaks H1 to H4. The Chief Arbiter may lift some of them (1.3).
    #[error("no legal pairing: {} players have only {} others whom they may meet", .0.players.len(), .0.partners.len())]
    NoLegalPairing(Blocking),
    /// Nobody who may still have the pairing bye leaves the others a legal pairing.
    #[error("nobody may have the bye without whom the others can be paired")]
    NoBye(Blocking),
    /// Points with which a player begins, or those of the pairing bye, are beyond [`super::START_MAX`] or a win.
    #[error("the points of {0} are out of range")]
    Points(Number),
    /// What the pairs of a pool may cost in all does not fit into one number: scores are too far apart for so many players.
    #[error("the scores are too far apart to be weighed")]
    TooWide,
    /// Whoever watched has stopped it.
    #[error("stopped")]
    Stopped,
    /// The machine had no thread for it.
    #[error("the matching could not be run")]
    Thread,
}

impl PairingError {
    /// The stable name of what is wrong.
    pub const fn reason(&self) -> &'static str {
        match self {
            PairingError::NoSuchRound { .. } => "no_such_round",
            PairingError::TooManyPlayers(_) => "too_many_players",
            PairingError::Unordered(_) => "unordered",
            PairingError::History { .. } => "history",
            PairingError::TooFewPlayers(_) => "too_few_players",
            PairingError::NoLegalPairing(_) => "no_legal_pairing",
            PairingError::NoBye(_) => "no_bye",
            PairingError::Points(_) => "points",
            PairingError::TooWide => "too_wide",
            PairingError::Stopped => "stopped",
            PairingError::Thread => "thread",
        }
    }
}
