//! How a game ends, in the order of the rules page: stones, blocked, repetition, quiet; and claims.

use super::{Blocked, Illegal, Phase, Position};
use crate::{Outcome, Reason, Side, Verdict};

impl Position {
    /// The outcome after a turn of `mover` in the moving phase.
    pub(super) fn adjudicate(&self, mover: Side) -> Option<Outcome> {
        let options = self.options;
        let drawn =
            |drawn: bool, reason| drawn.then_some(Outcome { verdict: Verdict::Draw, reason, score: None });
        self.too_few(mover)
            .or_else(|| self.stuck())
            .or_else(|| drawn(self.occurrences() >= usize::from(options.repetition_auto), Reason::Repetition))
            .or_else(|| drawn(self.state.quiet >= options.quiet_auto, Reason::Quiet))
    }

    /// COUNT: the enemy of the mover is down to the losing count.
    pub(super) fn too_few(&self, mover: Side) -> Option<Outcome> {
        let few = self.state.board.count(mover.other()) <= self.options.lose_at;
        few.then_some(Outcome { verdict: Verdict::Win(mover), reason: Reason::TooFewStones, score: None })
    }

    /// BLOCKED: the side to move has no legal displacement.
    pub(super) fn stuck(&self) -> Option<Outcome> {
        if self.has_displacement() {
            return None;
        }
        let verdict = match self.options.blocked {
            Blocked::Loss => Verdict::Win(self.state.to_move.other()),
            Blocked::Draw => Verdict::Draw,
        };
        Some(Outcome { verdict, reason: Reason::NoMoves, score: None })
    }

    /// The draw that the side to move may claim now.
    ///
    /// # Errors
    /// The game has ended, or there is none.
    pub fn claimable(&self) -> Result<Reason, Illegal> {
        if self.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        if self.state.phase != Phase::Move || self.state.pending > 0 {
            return Err(Illegal::NotClaimable);
        }
        if self.occurrences() >= usize::from(self.options.repetition_claim) {
            Ok(Reason::Repetition)
        } else if self.state.quiet >= self.options.quiet_claim {
            Ok(Reason::Quiet)
        } else {
            Err(Illegal::NotClaimable)
        }
    }

    /// Ends the game by an act that changes nothing on the board.
    pub(super) fn end(&mut self, verdict: Verdict, reason: Reason) {
        self.state.ply += 1;
        self.outcome = Some(Outcome { verdict, reason, score: None });
    }
}
