//! The actions a position offers.

use core::ops::ControlFlow;

use super::{Action, Board, Direction, Path, Phase, Point, PointSet, Position, Way, action::JUMPS_MAX};
use crate::prelude::*;

/// The most chains a listing contains. Chains branch at every landing, and an arranged position has more of
/// them than can be listed; shorter ones come first. Legality never depends on the listing.
pub const CHAINS_LISTED_MAX: usize = 4096;

/// Where the search for chains stands.
struct Chain {
    path: Path,
    /// The points a jump may land on: those empty, and the one the stone started from (rule 15).
    free: PointSet,
    /// The enemy stones not taken yet.
    enemies: PointSet,
    /// The fewest and the most jumps that are of interest.
    jumps: (u8, u8),
}

impl Position {
    /// Every action that is possible now, in a fixed order; of chains at most [`CHAINS_LISTED_MAX`]. Nothing
    /// when the game has ended.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        let _ = self.for_each_simple::<()>(&mut |action| {
            actions.push(action);
            ControlFlow::Continue(())
        });
        let limit = actions.len() + CHAINS_LISTED_MAX;
        let shortest = self.shortest_chain();
        // A length at a time, so that a cut takes the longest; a length without chains is the last.
        for jumps in shortest..=JUMPS_MAX {
            let before = actions.len();
            let _ = self.for_each_chain((jumps, jumps), &mut |action| {
                if actions.len() == limit {
                    return ControlFlow::Break(());
                }
                actions.push(action);
                ControlFlow::Continue(())
            });
            if actions.len() == before || actions.len() == limit {
                break;
            }
        }
        actions
    }

    /// Visits every action that is possible now, chains of every length included, until the visitor breaks.
    /// It holds none of them in memory, but there may be very many.
    ///
    /// # Errors
    /// What the visitor broke with.
    pub fn for_each_action<B>(&self, visit: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.for_each_simple(visit)?;
        self.for_each_chain((self.shortest_chain(), JUMPS_MAX), visit)
    }

    /// Whether the side to move has a legal displacement (rules 13 to 17).
    pub(super) fn has_displacement(&self) -> bool {
        let (own, enemies) = self.stones();
        let empty = self.state.board.empty();
        if self.flies(self.state.to_move) && !own.is_empty() && !empty.is_empty() {
            return true;
        }
        let steps = Direction::ALL.into_iter().any(|to| !(own.shifted(to) & empty).is_empty());
        let jumps = |to: Direction| !((own.shifted(to) & enemies).shifted(to) & empty).is_empty();
        steps
            || Direction::ALL.into_iter().any(jumps)
                && (!self.single_jump_barred()
                    || self.for_each_chain((2, 2), &mut ControlFlow::Break).is_break())
    }

    /// Placements, removals, steps and flights.
    fn for_each_simple<B>(&self, visit: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome.is_some() {
            return ControlFlow::Continue(());
        }
        match self.state.phase {
            Phase::Place => self.placeable().iter().try_for_each(|at| {
                visit(Action::Place { at, line: None })?;
                match self.other_spear(&self.with_own(at), at) {
                    Some(line) => visit(Action::Place { at, line: Some(line) }),
                    None => ControlFlow::Continue(()),
                }
            }),
            Phase::Open | Phase::Move if self.state.pending > 0 => {
                self.removable().iter().try_for_each(|at| visit(Action::Remove(at)))
            }
            Phase::Open => ControlFlow::Continue(()),
            Phase::Move => self.for_each_walk(visit),
        }
    }

    fn for_each_walk<B>(&self, visit: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        let empty = self.state.board.empty();
        let flies = self.flies(self.state.to_move);
        for from in self.stones().0.iter() {
            let here = PointSet::of(from);
            let near = Direction::ALL.iter().fold(PointSet::EMPTY, |near, to| near | here.shifted(*to));
            let landings = if flies { empty } else { empty & near };
            for to in landings.iter() {
                self.visit_with_choice(Way::Walk { from, to }, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits a displacement, and once more where another spear can be chosen (rule 27).
    fn visit_with_choice<B>(
        &self,
        way: Way,
        visit: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit(Action::Move { way, line: None })?;
        let (from, to) = (way.from(), way.to());
        if from == to {
            return ControlFlow::Continue(());
        }
        let mut board = self.with_own(to);
        board.clear(from);
        match self.other_spear(&board, to) {
            Some(line) => visit(Action::Move { way, line: Some(line) }),
            None => ControlFlow::Continue(()),
        }
    }

    /// The fewest jumps a chain must make now.
    fn shortest_chain(&self) -> u8 {
        1 + u8::from(self.single_jump_barred())
    }

    /// Visits the chains with so many jumps, from the fewest to the most.
    fn for_each_chain<B>(
        &self,
        jumps: (u8, u8),
        visit: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.outcome.is_some() || self.state.phase != Phase::Move || self.state.pending > 0 {
            return ControlFlow::Continue(());
        }
        let (own, enemies) = self.stones();
        let empty = self.state.board.empty();
        own.iter().try_for_each(|from| {
            let free = empty | PointSet::of(from);
            let mut chain = Chain { path: Path::starting(from), free, enemies, jumps };
            self.continue_chain(&mut chain, visit)
        })
    }

    /// Every way on from where a chain stands. Where it has jumped it cannot land: landings are an even number
    /// of points apart both ways.
    fn continue_chain<B>(
        &self,
        chain: &mut Chain,
        visit: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let here = chain.path.end();
        for direction in Direction::ALL {
            let Some((over, to)) = jump(here, direction) else { continue };
            if !chain.enemies.contains(over) || !chain.free.contains(to) || !chain.path.push(to) {
                continue;
            }
            chain.enemies.remove(over);
            let jumps = chain.path.jumps();
            if jumps >= chain.jumps.0 {
                self.visit_with_choice(Way::Jump(chain.path), visit)?;
            }
            if jumps < chain.jumps.1 {
                self.continue_chain(chain, visit)?;
            }
            chain.enemies.insert(over);
            chain.path.pop();
        }
        ControlFlow::Continue(())
    }

    /// The stones of the side to move and those of the other.
    fn stones(&self) -> (PointSet, PointSet) {
        let mover = self.state.to_move;
        (self.state.board.stones(mover), self.state.board.stones(mover.other()))
    }

    /// The board with a stone of the side to move on this point.
    fn with_own(&self, at: Point) -> Board {
        let mut board = self.state.board;
        board.put(at, self.state.to_move);
        board
    }
}

/// The point passed and the point reached by a jump.
fn jump(from: Point, direction: Direction) -> Option<(Point, Point)> {
    let over = from.step(direction)?;
    Some((over, over.step(direction)?))
}
