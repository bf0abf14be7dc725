use super::{Board, Options, PLACEMENT_PLIES, Phase, Point, Position};
use crate::{Side, prelude::*};

/// Stones of a side at the start (Article 1.2).
const STONES: u8 = 98;

/// Why an arrangement is not a position of a game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A side has more stones than it can have in this phase.
    #[error("there are too many {} stones", colour(*.0))]
    TooManyStones(Side),
    /// A side has so few stones that it has lost.
    #[error("there are too few {} stones", colour(*.0))]
    TooFewStones(Side),
    /// The sides have not placed or lifted alternately, or the other one is to act.
    #[error("the sides have not acted alternately")]
    OutOfTurn,
    /// The centre points do not hold what the first two placements and the lifts leave there.
    #[error("the centre points do not hold one stone of each side")]
    Centre,
    /// The board is full in the placement, or not full in the lift.
    #[error("the board does not belong to this phase")]
    PhaseIsOver,
}

impl Position {
    /// A position from an arrangement: for problems, tests and broken-off games.
    ///
    /// In the movement it has no past: nothing has been repeated, no quiet turn has been played, and a side with
    /// fourteen stones or fewer has been judged already. A side to move that cannot has lost.
    ///
    /// # Errors
    /// No game can have come to this arrangement by alternate turns, as far as counting tells.
    pub fn from_setup(
        board: Board,
        phase: Phase,
        to_move: Side,
        options: Options,
    ) -> Result<Position, SetupError> {
        match phase {
            Phase::Place => check_placed(&board, to_move)?,
            Phase::Lift => check_lifted(&board, to_move)?,
            Phase::Move => {
                for side in Side::BOTH {
                    // One has been lifted.
                    if board.count(side) >= STONES {
                        return Err(SetupError::TooManyStones(side));
                    }
                    if board.count(side) < options.stones_min() {
                        return Err(SetupError::TooFewStones(side));
                    }
                }
            }
        }
        Position::as_stated(board, phase, to_move, options)
    }

    /// A position from an arrangement to which no game can have come, as far as one can be played on from it: in the
    /// movement whatever the counts are, before it whoever has placed more or stands in the centre.
    pub(super) fn as_stated(
        board: Board,
        phase: Phase,
        to_move: Side,
        options: Options,
    ) -> Result<Position, SetupError> {
        let mut position = Position { board, phase, to_move, ..Position::new(options) };
        let empty = u32::from(board.empty().len());
        match phase {
            Phase::Place if empty == 0 => return Err(SetupError::PhaseIsOver),
            Phase::Place => position.ply = PLACEMENT_PLIES - empty,
            Phase::Lift if empty > 1 => return Err(SetupError::PhaseIsOver),
            Phase::Lift => position.ply = PLACEMENT_PLIES + empty,
            Phase::Move => {
                position.ply = PLACEMENT_PLIES + 2;
                position.remember(true);
                position.outcome = position.stuck().map(Box::new);
            }
        }
        Ok(position)
    }
}

/// Whether a placement in progress can look so.
fn check_placed(board: &Board, to_move: Side) -> Result<(), SetupError> {
    let (white, black) = (board.count(Side::First), board.count(Side::Second));
    let next = if white == black { Side::First } else { Side::Second };
    if !(white == black || white == black + 1) || to_move != next {
        return Err(SetupError::OutOfTurn);
    }
    let centre = [Point::G7, Point::H8].map(|at| board.owner(at));
    let fits = match white + black {
        0 => true,
        1 => centre.contains(&Some(Side::First)),
        _ => centre.contains(&Some(Side::First)) && centre.contains(&Some(Side::Second)),
    };
    if fits { Ok(()) } else { Err(SetupError::Centre) }
}

/// Whether there have been no lifts, with Black to lift, or Black's.
fn check_lifted(board: &Board, to_move: Side) -> Result<(), SetupError> {
    let lifts = board.empty().len();
    let next = if lifts == 0 { Side::Second } else { Side::First };
    let stones = [board.count(Side::First), board.count(Side::Second) + lifts];
    if lifts > 1 {
        return Err(SetupError::PhaseIsOver);
    }
    if stones != [STONES; 2] || to_move != next {
        return Err(SetupError::OutOfTurn);
    }
    let centre = [Point::G7, Point::H8].map(|at| board.owner(at));
    let black = if lifts == 0 { Some(Side::Second) } else { None };
    let fits = centre.contains(&Some(Side::First)) && centre.contains(&black);
    if fits { Ok(()) } else { Err(SetupError::Centre) }
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "white",
        Side::Second => "black",
    }
}
