use super::Point;
use crate::prelude::*;

/// The points of the longest path: a chain jumps each of the enemy's 98 stones at most once.
pub const PATH_POINTS_MAX: usize = 99;

/// The most stones a turn may move: three, in a songran.
pub const PATHS_MAX: usize = 3;

/// The most stones a turn may name as removed: the enemy's 98. The rules never owe more than twelve.
pub const NAMED_MAX: usize = 98;

/// A turn as a player writes it: well formed, but legal only where a [`super::Position`] says so.
///
/// Its text is that of the printed source; `->` and lower case are read too, and so is a turn without its
/// `TC`, the jumped stones, which follow from the path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One point: the placement of a stone on it, or the lifting of the centre stone from it.
    Point(Point),
    /// One stone that steps, jumps or flies, or several that move together.
    Move(Move),
}

/// The movement of one stone, or of two or three together, and the stones it removes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) paths: Vec<Path>,
    pub(super) jumped: Option<Vec<Point>>,
    pub(super) removed: Vec<Point>,
}

/// The points a stone touches, in order: at least two, at most [`PATH_POINTS_MAX`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path(Vec<Point>);

impl Turn {
    /// The same turn with these stones removed by choice; a turn of one point stays as it is.
    #[must_use]
    pub fn removing(self, stones: impl IntoIterator<Item = Point>) -> Turn {
        match self {
            Turn::Point(at) => Turn::Point(at),
            Turn::Move(it) => Turn::Move(Move { removed: stones.into_iter().collect(), ..it }),
        }
    }
}

impl Move {
    /// One stone along a path, with nothing said about jumped stones and nothing removed.
    pub fn along(path: Path) -> Move {
        Move { paths: vec![path], jumped: None, removed: Vec::new() }
    }

    /// Two or three stones that move together, each from the first point to the second.
    ///
    /// `None` when there are fewer or more.
    pub fn together(steps: &[(Point, Point)]) -> Option<Move> {
        if !(2..=PATHS_MAX).contains(&steps.len()) {
            return None;
        }
        let paths = steps.iter().map(|(from, to)| Path(vec![*from, *to])).collect();
        Some(Move { paths, jumped: None, removed: Vec::new() })
    }

    /// The paths, one for every stone moved.
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The stones the turn says it jumps (`TC`, 跳吃); `None` when it says nothing, and an empty list (`TC-none`)
    /// when it says that it jumps nothing, which tells a flight over a stone from a jump.
    pub fn jumped(&self) -> Option<&[Point]> {
        self.jumped.as_deref()
    }

    /// The stones removed by choice (`FC`, 成方吃).
    pub fn removed(&self) -> &[Point] {
        &self.removed
    }

    /// The same move with this said about jumped stones.
    #[must_use]
    pub fn jumping(self, jumped: Option<Vec<Point>>) -> Move {
        Move { jumped, ..self }
    }
}

impl Path {
    /// A path of these points; `None` when there are fewer than two or more than [`PATH_POINTS_MAX`].
    pub fn new(points: Vec<Point>) -> Option<Path> {
        (2..=PATH_POINTS_MAX).contains(&points.len()).then_some(Path(points))
    }

    /// The points in order.
    pub fn points(&self) -> &[Point] {
        &self.0
    }

    /// Where the stone stood.
    pub fn start(&self) -> Point {
        self.0[0]
    }

    /// Where the stone comes to rest.
    pub fn end(&self) -> Point {
        self.0[self.0.len() - 1]
    }

    /// Its legs, each from one point to the next.
    pub fn legs(&self) -> impl ExactSizeIterator<Item = (Point, Point)> {
        self.0.windows(2).map(|leg| (leg[0], leg[1]))
    }
}

impl From<Move> for Turn {
    fn from(it: Move) -> Self {
        Turn::Move(it)
    }
}
