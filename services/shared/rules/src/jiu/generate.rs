//! The turns a position offers, without the stones of free choice.

use super::{
    Direction, Entitlement, Move, Path, Phase, Point, PointSet, Position, Turn,
    board::{COLUMNS, ROWS},
    legality::Travel,
    turn::PATH_POINTS_MAX,
};
use crate::prelude::*;

/// The most chains a listing contains. Chains branch at every landing and an arranged position has more of
/// them than can be listed; they are listed breadth first, so that every chain of one jump and the shorter of
/// the longer ones are there. Legality never depends on the listing.
pub const CHAINS_LISTED_MAX: usize = 4096;

/// A turn that is possible but for the stones the mover still has to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displacement {
    /// The turn in canonical form, with no stone removed by choice.
    pub turn: Turn,
    /// What it earns.
    pub entitlement: Entitlement,
    /// How many enemy stones have to be named with [`Turn::removing`]: any that stand on the board and are not
    /// jumped. What was earned, or all there are.
    pub choices_left: u8,
}

impl Position {
    /// Every turn that is possible now, in a fixed order; of chains at most [`CHAINS_LISTED_MAX`]. Nothing
    /// when the game has ended.
    pub fn displacements(&self) -> Vec<Displacement> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        match self.phase {
            Phase::Place => {
                let centre = PointSet::from_iter([Point::G7, Point::H8]);
                let empty = self.board.empty();
                let points = if self.ply < 2 { empty & centre } else { empty };
                points.iter().map(of_one_point).collect()
            }
            Phase::Lift => self.centre_stone(self.to_move).into_iter().map(of_one_point).collect(),
            Phase::Move => self
                .steps_and_flights()
                .into_iter()
                .chain(self.chains().into_iter().filter_map(|points| Some(Move::along(Path::new(points)?))))
                .chain(self.compounds())
                .filter_map(|it| self.travel(it.paths, it.jumped.as_deref()).ok())
                .map(|travel| self.displacement(travel))
                .collect(),
        }
    }

    /// The turn with one more of its stones of choice named, when `owed` are still to be named: each enemy stone
    /// that stands after those named already in reading order, and before the last `owed - 1`.
    ///
    /// Nothing when nothing is owed or the way of the turn is not possible.
    pub fn choices(&self, turn: &Turn, owed: u8) -> Vec<Turn> {
        let Turn::Move(it) = turn else { return Vec::new() };
        let travel = self.travel(it.paths().to_vec(), it.jumped());
        let (Ok(travel), Some(later)) = (travel, owed.checked_sub(1)) else { return Vec::new() };
        let named = it.removed();
        let stones = travel.board.stones(self.to_move.other());
        let open: Vec<Point> = stones.iter().filter(|at| named.last().is_none_or(|last| at > last)).collect();
        let count = open.len().saturating_sub(usize::from(later));
        let with = |at: &Point| turn.clone().removing(named.iter().chain([at]).copied());
        open[..count].iter().map(with).collect()
    }

    /// Whether the side to move has a turn. Lan and songran need no look: their first stone could step alone.
    pub(super) fn has_turn(&self) -> bool {
        let (own, enemies) = (self.board.stones(self.to_move), self.board.stones(self.to_move.other()));
        let empty = self.board.empty();
        if self.flies(self.to_move) {
            return !own.is_empty() && !empty.is_empty();
        }
        let one_jump = !self.one_jump_forbidden();
        Direction::ALL.into_iter().any(|direction| {
            let next = own.shifted(direction);
            let landings = (next & enemies).shifted(direction) & empty;
            !(next & empty).is_empty() || one_jump && !landings.is_empty()
        }) || !one_jump && self.chains().iter().any(|points| points.len() > 2)
    }

    fn displacement(&self, travel: Travel) -> Displacement {
        let choices_left = self.owed(&travel);
        let jumped = travel.says_jumped().then_some(travel.jumped);
        let turn = Turn::Move(Move { paths: travel.paths, jumped, removed: Vec::new() });
        Displacement { turn, entitlement: travel.entitlement, choices_left }
    }

    /// Steps, or flights when the side to move flies. A flight says that it jumps nothing, lest it be taken
    /// for a jump.
    fn steps_and_flights(&self) -> Vec<Move> {
        let empty = self.board.empty();
        let flies = self.flies(self.to_move);
        let mut moves = Vec::new();
        let near_empty = Direction::ALL.into_iter().fold(PointSet::EMPTY, |set, to| set | empty.seen(to));
        let own = self.board.stones(self.to_move);
        for from in (if flies { own } else { own & near_empty }).iter() {
            let near = Direction::ALL.into_iter().filter_map(|direction| from.step(direction)).collect();
            let landings = if flies { empty } else { empty & near };
            let paths = landings.iter().filter_map(|to| Path::new(vec![from, to]));
            moves.extend(paths.map(|path| Move::along(path).jumping(Some(Vec::new()))));
        }
        moves
    }

    /// The points of every chain, breadth first, up to the cap.
    fn chains(&self) -> Vec<Vec<Point>> {
        let (own, enemies) = (self.board.stones(self.to_move), self.board.stones(self.to_move.other()));
        let empty = self.board.empty();
        let jumpers = |to: Direction| own & (enemies & empty.seen(to)).seen(to);
        let jumpers = Direction::ALL.into_iter().fold(PointSet::EMPTY, |set, to| set | jumpers(to));
        // First the starts, then what was found, in the order in which it was: that is breadth first.
        let mut starts = jumpers.iter();
        let mut found: Vec<(Vec<Point>, PointSet)> = Vec::new();
        let mut continued = 0;
        'search: loop {
            let (points, jumped) = if let Some(start) = starts.next() {
                (vec![start], PointSet::EMPTY)
            } else if let Some((points, jumped)) = found.get(continued) {
                continued += 1;
                (points.clone(), *jumped)
            } else {
                break;
            };
            if points.len() == PATH_POINTS_MAX {
                continue;
            }
            let (start, here) = (points[0], points[points.len() - 1]);
            // No chain lands where it has jumped: landings are an even number of points apart both ways.
            let free = empty | PointSet::from_iter([start]);
            for direction in Direction::ALL {
                let Some(over) = here.step(direction).filter(|over| (enemies - jumped).contains(*over))
                else {
                    continue;
                };
                let Some(to) = over.step(direction).filter(|to| free.contains(*to)) else { continue };
                if found.len() == CHAINS_LISTED_MAX {
                    break 'search;
                }
                let longer = points.iter().copied().chain([to]).collect();
                found.push((longer, jumped | PointSet::from_iter([over])));
            }
        }
        found.into_iter().map(|(points, _)| points).collect()
    }

    /// Candidates for lan and songran: every one there is, and some that close too few squares.
    fn compounds(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let empty = self.board.empty();
        for (lines, before, after) in
            [(ROWS, Direction::Up, Direction::Down), (COLUMNS, Direction::Left, Direction::Right)]
        {
            let gaps = lines.map(|line| (line & empty).single());
            let own = self.board.stones(self.to_move);
            let step = |gap: Point, from: Direction| Some((gap.step(from)?, gap));
            for n in 0..lines.len() - 1 {
                let (Some(first), Some(second)) = (gaps[n], gaps[n + 1]) else { continue };
                let Some(into_first) = step(first, before) else { continue };
                if let Some(into_second) = step(second, after) {
                    moves.extend(Move::together(&[into_first, into_second]));
                }
                let Some(third) = gaps.get(n + 2).copied().flatten() else { continue };
                let Some(into_third) = step(third, after) else { continue };
                let sources = own - lines[n] - lines[n + 1] - lines[n + 2];
                moves.extend(
                    sources
                        .iter()
                        .filter_map(|from| Move::together(&[into_first, (from, second), into_third])),
                );
            }
        }
        moves
    }
}

fn of_one_point(at: Point) -> Displacement {
    Displacement { turn: Turn::Point(at), entitlement: Entitlement::default(), choices_left: 0 }
}
