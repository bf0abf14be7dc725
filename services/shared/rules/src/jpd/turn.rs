//! What a turn does, and which turns are forbidden.

use super::{Filling, Illegal, Memory, Move, Phase, Position, Tally, faced::Faced};
use crate::goban::{self, Colour, MAX_TURNS, Point, Stone};

impl Position {
    /// Article 32.1. Suicide is allowed; the board it leaves is judged like any other.
    pub(super) fn check_real(&self, at: Point) -> Result<(), Illegal> {
        if !self.board.contains(at) {
            return Err(goban::Illegal::OffBoard.into());
        }
        let after = self.board.consequence(at, self.to_move).ok_or(goban::Illegal::Occupied)?;
        if self.turns >= MAX_TURNS {
            return Err(goban::Illegal::TurnLimit.into());
        }
        // A board of the past is rare enough to be played out on a copy for an exact comparison.
        let changes = |change: &mut dyn FnMut(Stone)| {
            change(Stone { at, colour: self.to_move });
            self.board.clone().put(at, self.to_move, |at, colour| change(Stone { at, colour }));
        };
        match self.faced.shape_again(after.hash, self.virtuals, changes) {
            None => Ok(()),
            Some(again) if again.distance == 2 && after.captures == 1 => Err(goban::Illegal::Ko.into()),
            Some(_) => Err(Illegal::ShapeAgain),
        }
    }

    /// Article 32.2.
    pub(super) fn check_virtual(&self) -> Result<(), Illegal> {
        if self.turns >= MAX_TURNS {
            return Err(goban::Illegal::TurnLimit.into());
        }
        match self.faced.board_again(&self.board) {
            None => Ok(()),
            Some(_) => Err(Illegal::BoardAgain),
        }
    }

    /// Makes a legal move.
    pub(super) fn take_turn(&mut self, mv: Move) {
        let mover = self.to_move.index();
        let stops = mv == Move::Pass && self.passed;
        self.removed.clear();
        self.last = None;
        match mv {
            Move::Play(at) => self.put(at),
            Move::Virtual => {
                self.virtuals[mover] += 1;
                self.tally().virtuals[mover] += 1;
            }
            Move::Pass => self.tally().passes[mover] += 1,
        }
        self.turns += 1;
        self.passed = mv == Move::Pass && !stops;
        let put = match mv {
            Move::Play(at) => Some(Stone { at, colour: self.to_move }),
            Move::Virtual | Move::Pass => None,
        };
        self.faced.push(&self.board, put, &self.removed, self.virtuals);
        self.to_move = self.to_move.other();
        if stops {
            self.stop();
        }
    }

    fn put(&mut self, at: Point) {
        let mover = self.to_move;
        let Position { board, removed, prisoners, .. } = self;
        board.put(at, mover, |at, colour| {
            removed.push(Stone { at, colour });
            prisoners[colour.index()] += 1;
        });
        let stays = self.board.stone(at).is_some();
        let alone = self.removed.len() == 1;
        self.last = stays.then_some(at);
        let tally = self.tally();
        tally.real[mover.index()] += 1;
        tally.suicides[mover.index()] += u32::from(!stays && alone);
    }

    /// Where the turn now made is counted.
    fn tally(&mut self) -> &mut Tally {
        let counted = match self.phase {
            Phase::Contest => true,
            Phase::Filling => self.rules.filling == Filling::Counted,
            _ => false,
        };
        &mut self.tallies[usize::from(!counted)]
    }

    /// Gives the turn to a colour out of turn, with nothing counted for the turn left out; an agreement is then
    /// disputed first. Not once the game is over.
    pub(super) fn give_turn(&mut self, colour: Colour) -> bool {
        match self.phase {
            Phase::Ended(_) => return false,
            Phase::Agreement(_) => {
                self.disputes += 1;
                self.resume(Phase::Resolution);
            }
            Phase::Contest | Phase::Filling | Phase::Resolution => {}
        }
        if self.to_move != colour {
            self.faced.push(&self.board, None, &[], self.virtuals);
            (self.to_move, self.passed) = (colour, false);
        }
        true
    }

    /// Play goes on after a stop; who passed first has the turn already, both having passed (article 28).
    pub(super) fn resume(&mut self, phase: Phase) {
        self.phase = phase;
        self.removed.clear();
        if self.rules.memory == Memory::Reset {
            self.faced = Faced::new(&self.board, self.virtuals);
        }
    }
}
