//! A rated game, as far as it says how honestly it was played.

/// A player, as a number.
pub type Player = u32;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// By the rules, or by agreement.
    Played,
    /// Somebody gave it up.
    Resigned,
    /// Somebody's time was over, or he left.
    Left,
}

/// A rated game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game {
    /// When it ended, in seconds from any moment.
    pub ended: i64,
    /// Who was first, and who second.
    pub players: [Player; 2],
    /// Which of the two has won: 0 or 1; nobody if it was drawn.
    pub winner: Option<usize>,
    /// What the first was expected to score by both ratings before the game: within 0 and 1.
    pub expected: f64,
    /// How many acts there were.
    pub acts: u32,
    /// How it ended.
    pub ending: Ending,
}

impl Game {
    /// What the player of a place has scored: 1, 1/2 or 0.
    pub fn score(&self, place: usize) -> f64 {
        self.winner.map_or(0.5, |winner| if winner == place { 1.0 } else { 0.0 })
    }

    /// What he was expected to score.
    pub fn expected(&self, place: usize) -> f64 {
        if place == 0 { self.expected } else { 1.0 - self.expected }
    }

    /// Whether he has lost.
    pub fn is_lost(&self, place: usize) -> bool {
        self.winner.is_some_and(|winner| winner != place)
    }
}
