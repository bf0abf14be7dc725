use super::{Board, Options, PLACEMENT_PLIES, Phase, Position, Spears, VARIANT, setup_text::SIDES};
use crate::{OptionError, RuleSet, Side, options::fault, prelude::*};

/// Stones of each side (rule 2).
const STONES: [u8; 2] = [41, 40];

/// An arrangement from which a game may begin: for problems, tests and broken-off games.
///
/// It has no past: no position has occurred before, whatever its quiet plies.
///
/// As text it is words: the board, the phase, the side to move, and as far as they apply `dark:` and `light:`
/// with the spears made, `quiet:` with the quiet plies, `owed:` with the removals of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The stones.
    pub board: Board,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is.
    pub to_move: Side,
    /// The spears each side has made, dark first.
    pub spears: [Spears; 2],
    /// Plies of the moving phase since the last capture; 0 in other phases.
    pub quiet: u16,
    /// In the opening, how many removals are still to be made: by light, by dark, and again by light and by
    /// dark where the opening is split. `None` before the first one: then the full board tells.
    pub owed: Option<[u8; 4]>,
}

/// Why there is no position of a game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The text is not written like an arrangement.
    #[error("nine rows joined by '/', a phase (place, open, move) and a side (dark, light) are wanted")]
    Text,
    /// A side has more stones than the set holds.
    #[error("there are too many {} stones", SIDES[.0.index()])]
    TooManyStones(Side),
    /// A side has so few stones that it has lost.
    #[error("there are too few {} stones", SIDES[.0.index()])]
    TooFewStones(Side),
    /// The board is full in the placement, or not full when the opening begins.
    #[error("the board does not belong to this phase")]
    PhaseIsOver,
    /// It is not this side that owes removals, or they are owed in another phase than the opening.
    #[error("the removals owed do not belong to this phase and side")]
    Owed,
    /// There are more quiet plies than a game may have, or some before the moving phase.
    #[error("there are more quiet plies than there can be")]
    Quiet,
}

impl Setup {
    /// The empty board, dark to place.
    pub fn empty() -> Setup {
        Setup {
            board: Board::default(),
            phase: Phase::Place,
            to_move: Side::First,
            spears: [Spears::NONE; 2],
            quiet: 0,
            owed: None,
        }
    }

    /// The arrangement that a rule set names in its option `setup`, if it does.
    ///
    /// # Errors
    /// The rule set is unknown, or the option is no arrangement.
    pub fn from_rule_set(rule_set: &RuleSet) -> Result<Option<Setup>, OptionError> {
        let values = VARIANT.resolve(rule_set)?;
        match values.get("setup").map(|text| text.trim()) {
            None | Some("") => Ok(None),
            Some(text) => {
                text.parse().map(Some).map_err(|error: SetupError| fault("setup", error.to_string()))
            }
        }
    }
}

impl Position {
    /// A position from an arrangement. Its stones need not have been placed alternately, as long as no side has
    /// more than there are. A side to move that cannot has lost.
    ///
    /// # Errors
    /// It is no position of a game in progress.
    pub fn from_setup(setup: &Setup, options: Options) -> Result<Position, SetupError> {
        for side in Side::BOTH {
            if setup.board.count(side) > STONES[side.index()] {
                return Err(SetupError::TooManyStones(side));
            }
            if setup.phase == Phase::Move && setup.board.count(side) <= options.lose_at {
                return Err(SetupError::TooFewStones(side));
            }
        }
        if setup.owed.is_some() && setup.phase != Phase::Open {
            return Err(SetupError::Owed);
        }
        let quiet_max = if setup.phase == Phase::Move { options.quiet_auto - 1 } else { 0 };
        if setup.quiet > quiet_max {
            return Err(SetupError::Quiet);
        }
        let mut position = Position::new(options);
        let state = &mut position.state;
        (state.board, state.phase) = (setup.board, setup.phase);
        (state.to_move, state.spears) = (setup.to_move, setup.spears);
        match setup.phase {
            Phase::Place => {
                state.ply = PLACEMENT_PLIES - u32::from(setup.board.empty().len());
                if setup.board.empty().is_empty() {
                    return Err(SetupError::PhaseIsOver);
                }
            }
            Phase::Open => {
                state.ply = PLACEMENT_PLIES;
                position.set_up_opening(setup)?;
            }
            Phase::Move => {
                state.ply = PLACEMENT_PLIES + 2;
                state.taking = true;
                let _ = position.remember();
                position.state.quiet = setup.quiet;
                position.outcome = position.stuck();
            }
        }
        Ok(position)
    }

    /// The arrangement that stands here; `None` when the game has ended or a turn of the moving phase is not
    /// complete.
    pub fn setup(&self) -> Option<Setup> {
        let state = &self.state;
        if self.outcome.is_some() || state.phase == Phase::Move && state.pending > 0 {
            return None;
        }
        let owed = (state.phase == Phase::Open).then(|| {
            let mut owed = state.script;
            owed[state.to_move.other().index()] = state.pending;
            owed
        });
        let (board, phase, to_move, spears) = (state.board, state.phase, state.to_move, state.spears);
        Some(Setup { board, phase, to_move, spears, quiet: state.quiet, owed })
    }

    fn set_up_opening(&mut self, setup: &Setup) -> Result<(), SetupError> {
        for side in Side::BOTH {
            if setup.board.count(side) <= self.options.lose_at {
                return Err(SetupError::TooFewStones(side));
            }
        }
        match setup.owed {
            None if setup.board.empty().is_empty() => self.open(),
            None => return Err(SetupError::PhaseIsOver),
            Some(owed) => {
                self.state.script = owed;
                if !self.next_of_script() {
                    return Err(SetupError::Owed);
                }
            }
        }
        if self.state.to_move == setup.to_move { Ok(()) } else { Err(SetupError::Owed) }
    }
}
