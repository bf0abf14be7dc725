use super::{Bid, Method, Quadrants};
use crate::{
    RuleSet,
    goban::{self, IllegalMove, LongCycle, QuarterZi, Repetition, Size},
};

/// Every choice the text leaves to an event or leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The side of the board; the text has 19 (article 一.1).
    pub size: Size,
    /// How the stones of the placement are found.
    pub method: Method,
    /// How many are drawn: 4, or 8 (article 一.6a). A design has as many as its makers like.
    pub stones: u8,
    /// Where the quadrants lie (T6).
    pub quadrants: Quadrants,
    /// Which repetitions are forbidden: "the current Chinese rules" (article 四), which of them being open
    /// (T15). The position after the placement is the first of the game.
    pub repetition: Repetition,
    /// What becomes of a long cycle that nobody leaves.
    pub long_cycle: LongCycle,
    /// What becomes of a forbidden move.
    pub illegal_move: IllegalMove,
    /// How often a dispute about the end is played out.
    pub disputes: u8,
    /// Where in an event the game is played.
    pub stage: Stage,
    /// Whether a draw is a win for White in the final alone, as the text says, or in every game of a
    /// knockout, which all need a winner (T13).
    pub final_only: bool,
}

named! {
    /// What kind of game it is, which matters for draws (article 三.4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Stage {
        /// A game of a round robin, a Swiss or none: a draw is a draw.
        League => "league",
        /// A game of a knockout before the final.
        Knockout => "knockout",
        /// The final of a knockout.
        Final => "final",
    }
}

impl Rules {
    /// Whether a drawn game is won by White, who moved first and paid for it.
    pub const fn white_wins_draws(&self) -> bool {
        match self.stage {
            Stage::League => false,
            Stage::Knockout => !self.final_only,
            Stage::Final => true,
        }
    }

    /// The rules of the play that follows the placement, in which White pays this.
    pub(super) fn play(&self, komi: Bid) -> goban::Rules {
        goban::Rules {
            komi: QuarterZi(-komi.quarters().0),
            repetition: self.repetition,
            long_cycle: self.long_cycle,
            illegal_move: self.illegal_move,
            disputes: self.disputes,
            ..goban::Rules::CN1988
        }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::read(&RuleSet::named("")).expect("a variant takes its own defaults")
    }
}
