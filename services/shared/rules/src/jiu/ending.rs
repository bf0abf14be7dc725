//! How a game ends by its rules (Articles 3.3.10 and 4, and the two draws).

use super::{FLYING_STONES, Options, Position};
use crate::{Outcome, Reason, Side, Verdict};

/// With fewer stones a side has lost.
const STONES_MIN: u8 = 1;

/// With fewer stones a side has lost under the competitive additions: it can close no square any more.
const STONES_MIN_COMPETITIVE: u8 = 4;

impl Options {
    /// The fewest stones a side may have.
    pub(super) const fn stones_min(self) -> u8 {
        if self.competitive { STONES_MIN_COMPETITIVE } else { STONES_MIN }
    }
}

impl Position {
    /// The outcome after a turn of `mover` in the movement, before which the other side had
    /// `enemies_before` stones.
    ///
    /// Losses go before draws: a win on the hundredth quiet turn is a win.
    pub(super) fn adjudicate(&self, mover: Side, enemies_before: u8) -> Option<Outcome> {
        self.too_few(mover)
            .or_else(|| self.fourteen(mover, enemies_before))
            .or_else(|| self.separate_dalians(mover))
            .or_else(|| self.stuck())
            .or_else(|| self.drawn())
    }

    /// Zeng'er (增尔, Article 3.3.10): the side to move has no legal turn and loses.
    pub(super) fn stuck(&self) -> Option<Outcome> {
        (!self.has_turn()).then(|| won(self.to_move.other(), Reason::NoMoves))
    }

    fn too_few(&self, mover: Side) -> Option<Outcome> {
        let too_few = self.board.count(mover.other()) < self.options.stones_min();
        too_few.then(|| won(mover, Reason::TooFewStones))
    }

    /// The verdict at fourteen (Article 4) on the side that has just been moved against: in full when it has
    /// just fallen to fourteen stones, and for its loss only after every later turn of the mover. Each side is
    /// judged on its own fall, whatever the other has left.
    fn fourteen(&self, mover: Side, enemies_before: u8) -> Option<Outcome> {
        let weak = mover.other();
        if self.board.count(weak) > FLYING_STONES {
            return None;
        }
        let just_fell = enemies_before > FLYING_STONES;
        match (self.board.has_dalian(mover), self.board.has_gate(weak)) {
            (true, false) => Some(won(mover, Reason::Fourteen)),
            (false, true) if just_fell => Some(won(weak, Reason::Fourteen)),
            _ => None,
        }
    }

    /// Competitive: two separate dalians of one side against none of the other. The mover may also have broken
    /// his last one and so have lost.
    fn separate_dalians(&self, mover: Side) -> Option<Outcome> {
        if !self.options.competitive {
            return None;
        }
        [mover, mover.other()]
            .into_iter()
            .find(|side| !self.board.has_dalian(side.other()) && self.board.has_separate_dalians(*side))
            .map(|side| won(side, Reason::Formation))
    }

    fn drawn(&self) -> Option<Outcome> {
        let drawn =
            |drawn: bool, reason| drawn.then_some(Outcome { verdict: Verdict::Draw, reason, score: None });
        drawn(self.occurrences() >= usize::from(self.options.draw_repetitions), Reason::Repetition)
            .or_else(|| drawn(self.quiet >= self.options.draw_quiet_plies, Reason::Quiet))
    }
}

fn won(winner: Side, reason: Reason) -> Outcome {
    Outcome { verdict: Verdict::Win(winner), reason, score: None }
}
