use core::{fmt, hash::Hash};

use super::{Orientation, Point};

/// The most jumps of a chain: a stone moves by two, so it touches at most 25 points with 40 stones between
/// neighbouring ones, and takes each once.
///
/// ```
/// use rules::jirige::{JUMPS_MAX, Path, Point};
///
/// let to_and_fro = (0..).map(|n| Point::new(n % 2 * 2, 0).unwrap());
/// assert_eq!(Path::new(to_and_fro.clone().take(41)).map(|path| path.jumps()), Some(JUMPS_MAX));
/// assert_eq!(Path::new(to_and_fro.take(42)), None);
/// ```
pub const JUMPS_MAX: u8 = 40;

/// The most points of a path.
const PATH_POINTS_MAX: usize = JUMPS_MAX as usize + 1;

/// The smallest thing a player decides. A turn is one placement, or one displacement and the removals it
/// earns, or the removals of one side in the opening.
///
/// ```
/// use rules::jirige::{Action, Options, Position};
///
/// let actions = Position::new(Options::default()).actions();
/// let points = actions.into_iter().map(|action| match action {
///     Action::Place { at, .. } => at.to_string(),
///     Action::Move { .. } | Action::Remove(_) => unreachable!("the board is empty"),
/// });
/// assert_eq!(points.collect::<Vec<_>>(), ["D4", "E4", "F4", "D5", "F5", "D6", "E6", "F6"]);
/// ```
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
///
/// ```
/// use rules::jirige::{Turn, Way};
///
/// let Turn::Move { way, .. } = "E4xE6xG6*A1".parse()? else { panic!("a chain is a displacement") };
/// assert!(matches!(way, Way::Jump(path) if path.jumps() == 2));
/// assert_eq!(way.to_string(), "E4xE6xG6");
/// # Ok::<(), rules::jirige::TurnError>(())
/// ```
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
///
/// ```
/// use rules::jirige::Path;
///
/// let path = Path::new(["E4", "E6", "G6"].map(|name| name.parse().unwrap())).unwrap();
/// assert_eq!((path.jumps(), path.end()), (2, "G6".parse()?));
/// # Ok::<(), rules::jirige::PointError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path {
    /// Those beyond the length are A1, so that equal paths are equal.
    points: [Point; PATH_POINTS_MAX],
    length: u8,
}

impl Way {
    /// Where the stone stands.
    ///
    /// ```
    /// use rules::jirige::{Path, Way};
    ///
    /// let [e4, e5, e6] = ["E4", "E5", "E6"].map(|name| name.parse().unwrap());
    /// assert_eq!(Way::Walk { from: e4, to: e5 }.from(), e4);
    /// assert_eq!(Path::new([e6, e4]).map(|path| Way::Jump(path).from()), Some(e6));
    /// ```
    pub fn from(&self) -> Point {
        match self {
            Way::Walk { from, .. } => *from,
            Way::Jump(path) => path.points()[0],
        }
    }

    /// Where it comes to rest.
    ///
    /// ```
    /// use rules::jirige::{Path, Way};
    ///
    /// let [e4, e5, e6] = ["E4", "E5", "E6"].map(|name| name.parse().unwrap());
    /// assert_eq!(Way::Walk { from: e4, to: e5 }.to(), e5);
    /// assert_eq!(Path::new([e6, e4, e6]).map(|path| Way::Jump(path).to()), Some(e6));
    /// ```
    pub fn to(&self) -> Point {
        match self {
            Way::Walk { to, .. } => *to,
            Way::Jump(path) => path.end(),
        }
    }
}

impl Path {
    /// A path of these points; `None` when there are fewer than two or more than [`JUMPS_MAX`] and one.
    ///
    /// ```
    /// use rules::jirige::Path;
    ///
    /// let [e4, e6] = ["E4", "E6"].map(|name| name.parse().unwrap());
    /// assert_eq!(Path::new([e4]), None);
    /// assert_eq!(Path::new([e4, e6]).map(|path| path.jumps()), Some(1));
    /// ```
    pub fn new(points: impl IntoIterator<Item = Point>) -> Option<Path> {
        let mut points = points.into_iter();
        let mut path = Path::starting(points.next()?);
        points.all(|at| path.push(at)).then_some(path).filter(|path| path.length > 1)
    }

    /// The points in order.
    ///
    /// ```
    /// use rules::jirige::Path;
    ///
    /// let points = ["E4", "E6", "G6"].map(|name| name.parse().unwrap());
    /// assert_eq!(Path::new(points).unwrap().points(), points);
    /// ```
    pub fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.length)]
    }

    /// Where the stone comes to rest.
    ///
    /// ```
    /// use rules::jirige::Path;
    ///
    /// let [e4, e6, g6] = ["E4", "E6", "G6"].map(|name| name.parse().unwrap());
    /// assert_eq!(Path::new([e4, e6, g6]).unwrap().end(), g6);
    /// ```
    pub fn end(&self) -> Point {
        self.points[usize::from(self.length) - 1]
    }

    /// How many jumps it makes.
    ///
    /// ```
    /// use rules::jirige::Path;
    ///
    /// let path = Path::new(["E4", "E6", "G6"].map(|name| name.parse().unwrap())).unwrap();
    /// assert_eq!(path.jumps(), 2);
    /// ```
    pub fn jumps(&self) -> u8 {
        self.length - 1
    }

    /// Its legs, each from one point to the next.
    ///
    /// ```
    /// use rules::jirige::Path;
    ///
    /// let [e4, e6, g6] = ["E4", "E6", "G6"].map(|name| name.parse().unwrap());
    /// assert!(Path::new([e4, e6, g6]).unwrap().legs().eq([(e4, e6), (e6, g6)]));
    /// ```
    pub fn legs(&self) -> impl ExactSizeIterator<Item = (Point, Point)> {
        self.points().windows(2).map(|leg| (leg[0], leg[1]))
    }

    /// The points passed over, in order; none for a leg that is no jump.
    ///
    /// ```
    /// use rules::jirige::Path;
    ///
    /// let path = Path::new(["E4", "E6", "G6"].map(|name| name.parse().unwrap())).unwrap();
    /// assert_eq!(path.jumped().map(|at| at.to_string()).collect::<Vec<_>>(), ["E5", "F6"]);
    /// ```
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
