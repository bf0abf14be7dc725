//! Playing whole turns.

use super::{Action, Illegal, Line, Phase, Point, Position, Turn, Undo, Way, legality::Advance};
use crate::{Reason, Side, Verdict, prelude::*};

/// A turn that was played, in canonical form, with all it did.
///
/// Only [`Position::legal`] and [`Position::play`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalTurn {
    turn: Turn,
    side: Side,
    squares: u8,
    spear: Option<Line>,
}

impl LegalTurn {
    /// The turn in canonical form: a choice of line only where another one would count without it.
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Who played it.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// How many squares it closed (rule 18).
    pub const fn squares(&self) -> u8 {
        self.squares
    }

    /// The spear that counted (rules 23 to 27).
    pub const fn spear(&self) -> Option<Line> {
        self.spear
    }

    /// The enemy stones it jumped, in order.
    pub fn jumped(&self) -> Vec<Point> {
        match &self.turn {
            Turn::Move { way: Way::Jump(path), .. } => path.jumped().collect(),
            _ => Vec::new(),
        }
    }

    /// Where the placed or moved stone has come to rest.
    pub fn landing(&self) -> Option<Point> {
        match &self.turn {
            Turn::Place { at, .. } => Some(*at),
            Turn::Move { way, .. } => Some(way.to()),
            Turn::Remove(_) | Turn::Claim | Turn::Resign => None,
        }
    }
}

impl Position {
    /// Plays a whole turn and says what it did.
    ///
    /// # Errors
    /// The first rule that it breaks, its parts being looked at in the order in which they stand; the position
    /// is then unchanged.
    pub fn play(&mut self, turn: &Turn) -> Result<LegalTurn, Illegal> {
        if self.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        let side = self.state.to_move;
        let ended = |turn: &Turn| LegalTurn { turn: turn.clone(), side, squares: 0, spear: None };
        match turn {
            Turn::Claim => {
                let reason = self.claimable()?;
                self.end(Verdict::Draw, reason);
                Ok(ended(turn))
            }
            Turn::Resign => {
                self.end(Verdict::Win(side.other()), Reason::Resignation);
                Ok(ended(turn))
            }
            Turn::Remove(_) if self.state.phase == Phase::Place => Err(Illegal::WrongPhase(Phase::Place)),
            Turn::Remove(_) if self.state.pending == 0 => Err(Illegal::NoRemovalDue(None)),
            Turn::Remove(removed) => {
                self.remove_all(removed, Vec::new())?;
                Ok(ended(turn))
            }
            Turn::Place { at, line } => {
                let advance = self.advance(Action::Place { at: *at, line: *line })?;
                let _ = self.accept(&advance);
                Ok(made(&advance, side, &[]))
            }
            Turn::Move { way, line, removed } => {
                let action = Action::Move { way: *way, line: *line };
                // Not `REMOVAL_PENDING` in the opening: there a displacement is in the wrong phase.
                let advance = self.advance(action)?;
                if advance.state.pending == 0 && !removed.is_empty() {
                    return Err(Illegal::TooManyRemovals);
                }
                let undo = self.accept(&advance);
                if !removed.is_empty() || advance.state.pending > 0 {
                    self.remove_all(removed, Vec::from([undo]))?;
                }
                Ok(made(&advance, side, removed))
            }
        }
    }

    /// What a turn does here.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn legal(&self, turn: &Turn) -> Result<LegalTurn, Illegal> {
        self.clone().play(turn)
    }

    /// Whether a turn may be played here.
    pub fn is_legal(&self, turn: &Turn) -> bool {
        self.legal(turn).is_ok()
    }

    /// Removes stones one after the other until the turn is complete (rules 19 to 22); if that fails, takes
    /// back all that was done.
    fn remove_all(&mut self, removed: &[Point], mut done: Vec<Undo>) -> Result<(), Illegal> {
        let ply = self.state.ply;
        let mut fault = None;
        for at in removed {
            let action = if self.state.ply == ply {
                self.act(Action::Remove(*at))
            } else {
                Err(Illegal::TooManyRemovals)
            };
            match action {
                Ok(undo) => done.push(undo),
                Err(illegal) => {
                    fault = Some(illegal);
                    break;
                }
            }
        }
        if fault.is_none() && self.state.ply == ply {
            fault = Some(Illegal::TooFewRemovals(self.state.pending));
        }
        let Some(fault) = fault else { return Ok(()) };
        while let Some(undo) = done.pop() {
            self.undo(undo);
        }
        Err(fault)
    }
}

/// The turn that begins with an action and removes these stones.
fn made(advance: &Advance, side: Side, removed: &[Point]) -> LegalTurn {
    let turn = Turn::from(advance.action).removing(removed.iter().copied());
    LegalTurn { turn, side, squares: advance.squares, spear: advance.spear }
}
