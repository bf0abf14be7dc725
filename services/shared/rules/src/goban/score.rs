//! What a count comes to, in the words in which people write it.

use core::fmt::Debug;

use super::{Board, Colour, Ending, QuarterZi, Rules, Seats, Terms};
use crate::{Outcome, Reason, Verdict, prelude::*};

/// Terms by which a board is counted.
pub trait Count: Terms {
    /// What the count comes to.
    type Score: Score;

    /// Counts a board from which the dead stones have been removed.
    fn count(&self, board: &Board, rules: &Rules) -> Self::Score;
}

/// What a count comes to.
pub trait Score: Clone + Debug + PartialEq + Eq {
    /// Who won; `None` if the count is even.
    fn winner(&self) -> Option<Colour>;

    /// The score in the forms in which people write it.
    fn frame(&self) -> crate::Score;
}

/// The outcome of a game that was counted so.
pub(crate) fn scored(score: &impl Score, seats: Seats) -> Outcome {
    let verdict = score.winner().map_or(Verdict::Draw, |colour| Verdict::Win(seats.side(colour)));
    Outcome { verdict, reason: Reason::Score, score: Some(score.frame()) }
}

impl<S: Score> Ending<S> {
    /// The outcome of a game that ended so.
    pub(crate) fn outcome(&self, seats: Seats) -> Outcome {
        match self {
            Ending::Scored(score) => scored(score, seats),
            Ending::CycleDraw => Outcome { verdict: Verdict::Draw, reason: Reason::Repetition, score: None },
            Ending::CycleReplay => Outcome { verdict: Verdict::Void, reason: Reason::Replay, score: None },
        }
    }
}

/// A margin, positive for Black, in the forms in which people write it.
pub(crate) fn written(margin: QuarterZi) -> crate::Score {
    let size = margin.abs();
    margin_text(Colour::ahead(margin.0), &format!("{size}"), " zi", "子", &size.points())
}

/// A margin in the words of a record: its size with its units in Latin letters and in Chinese, and in points.
pub(crate) fn margin_text(
    winner: Option<Colour>,
    size: &str,
    unit: &str,
    unit_zh: &str,
    points: &str,
) -> crate::Score {
    let (letter, name) = match winner {
        None => {
            return crate::Score {
                printed: "draw".to_owned(),
                printed_zh: "和棋".to_owned(),
                points: "0".to_owned(),
            };
        }
        Some(Colour::Black) => ('B', "黑"),
        Some(Colour::White) => ('W', "白"),
    };
    crate::Score {
        printed: format!("{letter}+{size}{unit}"),
        printed_zh: format!("{name}胜 {size} {unit_zh}"),
        points: format!("{letter}+{points}"),
    }
}
