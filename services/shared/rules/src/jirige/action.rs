use core::{fmt, hash::Hash};

use super::{Orientation, Point};

/// The most jumps of a chain: a stone moves by two, so it touches at most 25 points with 40 stones between
/// neighbouring ones, and takes each once.
pub const JUMPS_MAX: u8 = 40;

/// The most points of a path.
const PATH_POINTS_MAX: usize = JUMPS_MAX as usize + 1;

/// The smallest thing a player decides. A turn is one placement, or one displacement and the removals it
/// earns, or the removals of one side in the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A stone is placed.
    Place {
        /// Where.
        at: Point,
        /// Which spear counts, where a row and a column fill at once (rule 27); `None` for the dearer one.
        line: Option<Orientation>,
    },
    /// A stone goes elsewhere.
    Move {
        /// How.
        way: Way,
        /// Which spear counts, as in a placement.
        line: Option<Orientation>,
    },
    /// A stone that is owed for a square, a spear or the opening leaves the board.
    Remove(Point),
}

/// How a stone goes from one point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// A step, or a flight (rules 13 and 14): nothing is taken.
    Walk {
        /// Where the stone stands.
        from: Point,
        /// Where it goes.
        to: Point,
    },
    /// One jump or a chain of them (rule 15).
    Jump(Path),
}

/// The points a jumping stone touches, in order: at least two, at most [`JUMPS_MAX`] and one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path {
    /// Those beyond the length are A1, so that equal paths are equal.
    points: [Point; PATH_POINTS_MAX],
    length: u8,
}

impl Way {
    /// Where the stone stands.
    pub fn from(&self) -> Point {
        match self {
            Way::Walk { from, .. } => *from,
            Way::Jump(path) => path.points()[0],
        }
    }

    /// Where it comes to rest.
    pub fn to(&self) -> Point {
        match self {
            Way::Walk { to, .. } => *to,
            Way::Jump(path) => path.end(),
        }
    }
}

impl Path {
    /// A path of these points; `None` when there are fewer than two or more than [`JUMPS_MAX`] and one.
    pub fn new(points: impl IntoIterator<Item = Point>) -> Option<Path> {
        let mut points = points.into_iter();
        let mut path = Path::starting(points.next()?);
        points.all(|at| path.push(at)).then_some(path).filter(|path| path.length > 1)
    }

    /// The points in order.
    pub fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.length)]
    }

    /// Where the stone comes to rest.
    pub fn end(&self) -> Point {
        self.points[usize::from(self.length) - 1]
    }

    /// How many jumps it makes.
    pub fn jumps(&self) -> u8 {
        self.length - 1
    }

    /// Its legs, each from one point to the next.
    pub fn legs(&self) -> impl ExactSizeIterator<Item = (Point, Point)> {
        self.points().windows(2).map(|leg| (leg[0], leg[1]))
    }

    /// The points passed over, in order; none for a leg that is no jump.
    pub fn jumped(&self) -> impl Iterator<Item = Point> {
        self.legs().filter_map(|(from, to)| from.between(to))
    }

    /// A path that has not left its start; not to be handed out before it has.
    pub(super) const fn starting(at: Point) -> Path {
        let mut points = [Point::A1; PATH_POINTS_MAX];
        points[0] = at;
        Path { points, length: 1 }
    }

    /// Goes on to a point; `false` where the path is as long as it can be.
    pub(super) fn push(&mut self, to: Point) -> bool {
        let Some(place) = self.points.get_mut(usize::from(self.length)) else { return false };
        *place = to;
        self.length += 1;
        true
    }

    /// Takes the last point back.
    pub(super) fn pop(&mut self) {
        self.length -= 1;
        self.points[usize::from(self.length)] = Point::A1;
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.points()).finish()
    }
}
