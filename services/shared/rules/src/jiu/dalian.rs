use super::{Board, Direction, Point, PointSet};
use crate::{Side, prelude::*};

/// A dalian (褡裢, Articles 3.3.2 and 3.3.3): a stone that closes a square where it stands and, one step
/// further, closes another one; going to and fro it captures every turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dalian {
    /// Where the shuttling stone stands.
    pub stone: Point,
    /// The empty neighbour it shuttles to.
    pub gap: Point,
    /// Whether it closes two squares at both ends.
    pub double: bool,
}

impl Board {
    /// Every dalian of a side.
    pub fn dalians(&self, side: Side) -> Vec<Dalian> {
        let mut found = Vec::new();
        for direction in Direction::ALL {
            let (single, double) = self.shuttles(side, direction);
            found.extend(single.iter().filter_map(|stone| {
                let gap = stone.step(direction)?;
                Some(Dalian { stone, gap, double: double.contains(stone) })
            }));
        }
        found
    }

    /// Whether a side has a dalian, single or double.
    pub fn has_dalian(&self, side: Side) -> bool {
        Direction::ALL.into_iter().any(|direction| !self.shuttles(side, direction).0.is_empty())
    }

    /// Whether a side has two dalians that share no point: neither stone, gap nor a stone of the squares they
    /// close, so that no single loss breaks both.
    pub fn has_separate_dalians(&self, side: Side) -> bool {
        let shapes: Vec<PointSet> =
            self.dalians(side).into_iter().flat_map(|it| self.shapes(side, it)).collect();
        shapes.iter().enumerate().any(|(n, one)| shapes[..n].iter().any(|two| (*one & *two).is_empty()))
    }

    /// The stones that make a dalian with the gap in this direction: any, and double ones.
    fn shuttles(&self, side: Side, direction: Direction) -> (PointSet, PointSet) {
        let own = self.stones(side);
        let [left, right] = direction.sideways();
        // A square on each hand: behind the stone at this end, before the gap at the other.
        let side_of = |along: Direction, hand: Direction| {
            let ahead = own.seen(along);
            ahead & own.seen(hand) & ahead.seen(hand)
        };
        let ends = |along: Direction| (side_of(along, left), side_of(along, right));
        let (back_left, back_right) = ends(direction.opposite());
        let (front_left, front_right) = ends(direction);
        let empty = self.empty();
        let single = own & (back_left | back_right) & (empty & (front_left | front_right)).seen(direction);
        let double = own & back_left & back_right & (empty & front_left & front_right).seen(direction);
        (single, double)
    }

    /// The points of a dalian, once for every choice of one square at each end.
    fn shapes(&self, side: Side, dalian: Dalian) -> Vec<PointSet> {
        let own = self.stones(side);
        let square = |at: Point, along: Direction, hand: Direction| {
            let ahead = at.step(along)?;
            let others = PointSet::from_iter([ahead, at.step(hand)?, ahead.step(hand)?]);
            own.contains_all(others).then(|| others | PointSet::from_iter([at]))
        };
        let Some(forth) = Direction::ALL.into_iter().find(|it| dalian.stone.step(*it) == Some(dalian.gap))
        else {
            return Vec::new();
        };
        let ends = |at: Point, along: Direction| {
            forth.sideways().into_iter().filter_map(move |hand| square(at, along, hand))
        };
        let backs: Vec<PointSet> = ends(dalian.stone, forth.opposite()).collect();
        let fronts: Vec<PointSet> = ends(dalian.gap, forth).collect();
        backs.iter().flat_map(|back| fronts.iter().map(move |front| *back | *front)).collect()
    }
}
