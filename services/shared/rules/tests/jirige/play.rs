//! Players that choose by a seed.

use proptest::prelude::*;
use rules::jirige::{Action, Options, Position, Turn};

use crate::dice::Dice;

impl Dice {
    /// A whole turn of the side to move; more greed prefers what takes stones.
    pub(crate) fn turn(&mut self, position: &Position, greed: usize) -> Turn {
        let actions = position.actions();
        let taking: Vec<Action> = actions
            .iter()
            .filter(|action| position.owed_after(**action) > 0 || format!("{action:?}").contains("Jump"))
            .copied()
            .collect();
        let greedy = !taking.is_empty() && self.below(100) < greed;
        let first = self.pick(if greedy { &taking } else { &actions });
        let mut after = position.clone();
        let _ = after.act(first).expect("a listed action is legal");
        let mut removed: Vec<_> = match first {
            Action::Remove(at) => vec![at],
            _ => Vec::new(),
        };
        while after.ply() == position.ply() {
            let next = self.pick(&after.actions());
            let Action::Remove(at) = next else { panic!("{next:?} within a turn") };
            let _ = after.act(next).expect("a listed action is legal");
            removed.push(at);
        }
        Turn::from(first).removing(removed)
    }

    /// A position some way into a random game, or its end.
    pub(crate) fn position(&mut self, options: Options, turns: usize) -> Position {
        let mut position = Position::new(options);
        let greed = self.below(101);
        for _ in 0..turns {
            if position.outcome().is_some() {
                break;
            }
            let turn = self.turn(&position, greed);
            position.play(&turn).expect("a listed turn is legal");
        }
        position
    }
}

pub(crate) fn dice() -> impl Strategy<Value = Dice> {
    any::<u64>().prop_map(Dice)
}
