//! What a printed record leaves out, and what of a faulty act can be played all the same.

use super::{Illegal, LegalTurn, Move, Phase, Position, Turn};
use crate::{ActError, prelude::*};

/// Plays what can be played of a refused act of the side to move, and returns what else is wrong with it; `None`
/// when nothing can be played.
pub(super) fn salvage(position: &mut Position, text: &str) -> Option<Vec<ActError>> {
    let whole = text.parse::<Turn>();
    let is_whole = whole.is_ok();
    // Of what cannot be read the first word may be a turn.
    let turn = whole.or_else(|_| text.split_whitespace().next().unwrap_or_default().parse()).ok()?;
    let (turn, _) = printed(position, turn);
    let illegal = match position.legal(&turn) {
        Ok(legal) => {
            position.accept(&legal);
            return Some(Vec::new());
        }
        Err(illegal) => illegal,
    };
    let Turn::Move(it) = turn else { return None };
    let wrong_jumps = matches!(illegal, Illegal::JumpMismatch { .. });
    // A whole act was refused for this very fault.
    let mut more: Vec<ActError> = if is_whole { Vec::new() } else { Vec::from([illegal.into()]) };
    // A wrong list of jumped stones hides what else is wrong.
    let it = if wrong_jumps { it.jumping(None) } else { it };
    let legal = match position.legal(&Turn::Move(it.clone())) {
        Ok(legal) => legal,
        Err(illegal) => {
            more.extend(wrong_jumps.then(|| illegal.into()));
            position.legal_path(&it)?
        }
    };
    position.accept(&legal);
    Some(more)
}

/// A turn as it was printed. A printed turn names what it jumps: one that names nothing is a flight where the stone
/// may fly, also over an enemy stone, and elsewhere lacks the list of what it took.
pub(super) fn printed(position: &Position, turn: Turn) -> (Turn, Option<Illegal>) {
    let Turn::Move(it) = turn else { return (turn, None) };
    if it.jumped().is_some() {
        return (Turn::Move(it), None);
    }
    let flight = it.clone().jumping(Some(Vec::new()));
    let travel = |it: &Move| position.travel(it.paths().to_vec(), it.jumped()).ok();
    match travel(&it) {
        Some(jump) if !jump.jumped.is_empty() => match travel(&flight) {
            Some(flown) if flown.jumped.is_empty() => (Turn::Move(flight), None),
            _ => (Turn::Move(it), Some(Illegal::JumpUnsaid { jumped: jump.jumped })),
        },
        _ => (Turn::Move(it), None),
    }
}

impl Position {
    /// The move with those of its stones of choice that stand there, whatever their number; `None` when its
    /// path is not possible.
    fn legal_path(&self, it: &Move) -> Option<LegalTurn> {
        if self.outcome.is_some() || self.phase != Phase::Move {
            return None;
        }
        let travel = self.travel(it.paths().to_vec(), it.jumped()).ok()?;
        let mut left = travel.board;
        let enemy = self.to_move.other();
        let possible = it.removed().iter().copied().filter(|at| {
            let stands = left.owner(*at) == Some(enemy);
            if stands {
                left.clear(*at);
            }
            stands
        });
        let possible = possible.collect();
        Some(self.finish(travel, possible))
    }
}
