//! Playing one action at a time, and taking it back.

use super::{
    Action, Illegal, OpeningOrder, Phase, Position, SpearPlacement, legality::Advance, position::State,
};
use crate::{Side, prelude::*};

/// What takes an action back; see [`Position::undo`].
#[derive(Clone, Debug)]
#[must_use = "an action that is not to be taken back needs no undo; bind it to _"]
pub struct Undo {
    state: State,
    past: Past,
}

/// What an action did to the history.
#[derive(Clone, Debug)]
pub(super) enum Past {
    Same,
    Longer,
    Replaced(Vec<u64>),
}

/// Whose removals the parts of the opening script are.
const SCRIPT_SIDES: [Side; 4] = [Side::Second, Side::First, Side::Second, Side::First];

impl Position {
    /// Plays one action; a turn is complete when nothing is [`Position::pending`] any more.
    ///
    /// # Errors
    /// The rule that forbids it; the position is then unchanged.
    pub fn act(&mut self, action: Action) -> Result<Undo, Illegal> {
        let advance = self.advance(action)?;
        Ok(self.accept(&advance))
    }

    /// Takes the last action back, which must be the one that gave this `undo`; others lead to nonsense.
    pub fn undo(&mut self, undo: Undo) {
        self.state = undo.state;
        self.outcome = None;
        match undo.past {
            Past::Same => {}
            Past::Longer => {
                self.history.pop();
            }
            Past::Replaced(history) => self.history = history,
        }
    }

    /// Plays an action that is legal here.
    pub(super) fn accept(&mut self, advance: &Advance) -> Undo {
        let state = core::mem::replace(&mut self.state, advance.state);
        let past = if self.state.pending == 0 { self.complete_turn() } else { Past::Same };
        Undo { state, past }
    }

    /// Ends the turn of the side to move.
    fn complete_turn(&mut self) -> Past {
        let mover = self.state.to_move;
        self.state.ply += 1;
        match self.state.phase {
            Phase::Place => {
                self.state.to_move = mover.other();
                if self.state.board.empty().is_empty() {
                    self.open();
                }
                Past::Same
            }
            Phase::Open => {
                self.outcome = self.too_few(mover);
                if self.outcome.is_none() && !self.next_of_script() {
                    return self.begin_movement();
                }
                Past::Same
            }
            Phase::Move => {
                self.state.to_move = mover.other();
                let past = self.remember();
                self.outcome = self.adjudicate(mover);
                past
            }
        }
    }

    /// Begins the opening: what both sides may remove is fixed on the full board (rules 10 and 11).
    pub(super) fn open(&mut self) {
        self.state.phase = Phase::Open;
        let [dark, light] = Side::BOTH.map(|side| self.bonus(side));
        self.state.script = match self.options.opening_order {
            OpeningOrder::Batch => [light.saturating_add(1), dark.saturating_add(1), 0, 0],
            OpeningOrder::Split => [1, 1, light, dark],
        };
        self.next_of_script();
    }

    /// What squares and spears made while placing add to a side's opening stone.
    fn bonus(&self, side: Side) -> u8 {
        let worth = |line: super::Line| match self.options.spear_placement {
            SpearPlacement::Value => line.value(),
            SpearPlacement::One => 1,
        };
        let spears = self.spears(side).lines().map(worth).sum::<u8>();
        // At most 63 for nine spears and 64 squares.
        self.state.board.squares(side).len() + spears
    }

    /// Goes on to the next part of the opening; `false` when there is none.
    pub(super) fn next_of_script(&mut self) -> bool {
        let parts = self.state.script.iter().zip(SCRIPT_SIDES).zip(0..);
        let Some(((stones, side), part)) =
            parts.map(|((stones, side), n)| ((*stones, side), n)).find(|it| it.0.0 > 0)
        else {
            return false;
        };
        self.state.script[part] = 0;
        self.state.to_move = side;
        self.state.pending = stones.min(self.enemies_above_losing(&self.state.board));
        true
    }

    /// Begins the moving phase with light to move (rule 12).
    fn begin_movement(&mut self) -> Past {
        self.state.phase = Phase::Move;
        self.state.to_move = Side::Second;
        self.state.taking = true;
        let past = self.remember();
        self.outcome = self.stuck();
        past
    }

    /// Counts a turn for repetition and quiet; what came before a capture cannot come back.
    pub(super) fn remember(&mut self) -> Past {
        let key = self.repetition_key();
        if self.state.taking {
            self.state.taking = false;
            self.state.quiet = 0;
            Past::Replaced(core::mem::replace(&mut self.history, Vec::from([key])))
        } else {
            self.state.quiet += 1;
            self.history.push(key);
            Past::Longer
        }
    }
}
