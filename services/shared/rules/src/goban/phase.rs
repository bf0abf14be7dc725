use super::{Agreement, Count, act::AGREEMENT};

/// How far a game has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase<T: Count> {
    /// Black places handicap stones.
    Handicap {
        /// How many are still to be placed.
        left: u8,
    },
    /// The players take turns.
    Play,
    /// Both have confirmed the end and are to agree on the dead stones (articles 8 and 21.3).
    Agreement(Agreement<T>),
    /// They did not agree and play on, no board being allowed twice (articles 20.2 and 21.3).
    Resolution,
    /// The game is over.
    Ended(Ending<T::Score>),
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending<S> {
    /// By the count.
    Scored(S),
    /// By a long cycle, as a draw.
    CycleDraw,
    /// By a long cycle, to be played again.
    CycleReplay,
}

/// The last move brought back a board in a long cycle (article 20.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How many times the board has been there since the last pass; 2 for the first recurrence.
    pub occurrence: u32,
    /// Whether an arbiter has been asked.
    pub arbiter_asked: bool,
}

impl<T: Count> Phase<T> {
    /// The name: `handicap`, `play`, `agreement`, `resolution` or `ended`.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Phase::Handicap { .. } => "handicap",
            Phase::Play => "play",
            Phase::Agreement(_) => AGREEMENT.phase,
            Phase::Resolution => "resolution",
            Phase::Ended(_) => "ended",
        }
    }
}
