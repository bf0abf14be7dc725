use alloc::{vec, vec::Vec};

use super::Point;

/// The points of the longest path: a chain jumps each of the enemy's 98 stones at most once.
///
/// ```
/// use rules::jiu::{PATH_POINTS_MAX, Path, Point};
///
/// let path = |points| Path::new(Point::all().take(points).collect());
/// assert!(path(PATH_POINTS_MAX).is_some() && path(PATH_POINTS_MAX + 1).is_none());
/// ```
pub const PATH_POINTS_MAX: usize = 99;

/// The most stones a turn may move: three, in a songran.
///
/// ```
/// use rules::jiu::{Move, PATHS_MAX, Point};
///
/// let step = (Point::G7, Point::H8);
/// assert_eq!(Move::together(&[step; PATHS_MAX]).unwrap().paths().len(), PATHS_MAX);
/// assert!(Move::together(&[step; PATHS_MAX + 1]).is_none());
/// ```
pub const PATHS_MAX: usize = 3;

/// The most stones a turn may name as removed: the enemy's 98. The rules never owe more than twelve.
///
/// ```
/// use rules::jiu::{NAMED_MAX, Turn, TurnError};
///
/// let naming = |stones| format!("A1→A2 FC-{}", vec!["B1"; stones].join(",")).parse::<Turn>();
/// assert!(naming(NAMED_MAX).is_ok());
/// assert_eq!(naming(NAMED_MAX + 1), Err(TurnError::BadList("FC")));
/// ```
pub const NAMED_MAX: usize = 98;

/// A turn as a player writes it: well formed, but legal only where a [`super::Position`] says so.
///
/// Its text is that of the printed source; `->` and lower case are read too, and so is a turn without its
/// `TC`, the jumped stones, which follow from the path.
///
/// ```
/// use rules::jiu::Turn;
///
/// let turn: Turn = "c6->e6->e4->g4 FC-L1 TC-D6, E5, F4".parse()?;
/// assert_eq!(turn.to_string(), "C6→E6→E4→G4 TC-D6,E5,F4 FC-L1");
/// # Ok::<(), rules::jiu::TurnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One point: the placement of a stone on it, or the lifting of the centre stone from it.
    Point(Point),
    /// One stone that steps, jumps or flies, or several that move together.
    Move(Move),
}

/// The movement of one stone, or of two or three together, and the stones it removes.
///
/// ```
/// use rules::jiu::{Point, Turn};
///
/// let Turn::Move(it) = "C6→E6 TC-D6 FC-L1".parse()? else { panic!("no movement") };
/// assert_eq!(it.paths()[0].end(), "E6".parse::<Point>()?);
/// assert_eq!((it.jumped(), it.removed()), (Some(&["D6".parse()?][..]), &["L1".parse()?][..]));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) paths: Vec<Path>,
    pub(super) jumped: Option<Vec<Point>>,
    pub(super) removed: Vec<Point>,
}

/// The points a stone touches, in order: at least two, at most [`PATH_POINTS_MAX`].
///
/// ```
/// use rules::jiu::{Move, Path, Point};
///
/// let path = Path::new(vec![Point::G7, Point::H8]).unwrap();
/// assert_eq!(Move::along(path).to_string(), "G7→H8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path(Vec<Point>);

impl Turn {
    /// The same turn with these stones removed by choice; a turn of one point stays as it is.
    ///
    /// ```
    /// use rules::jiu::{Point, Turn};
    ///
    /// let turn: Turn = "C7→B7 FC-A1".parse()?;
    /// assert_eq!(turn.removing([Point::G7, Point::H8]).to_string(), "C7→B7 FC-G7,H8");
    /// # Ok::<(), rules::jiu::TurnError>(())
    /// ```
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
    ///
    /// ```
    /// use rules::jiu::{Move, Path, Turn};
    ///
    /// let points = ["C6", "E6", "E4"].map(|at| at.parse().unwrap());
    /// let turn = Turn::from(Move::along(Path::new(points.to_vec()).unwrap()));
    /// assert_eq!("C6→E6→E4".parse(), Ok(turn));
    /// ```
    pub fn along(path: Path) -> Move {
        Move { paths: vec![path], jumped: None, removed: Vec::new() }
    }

    /// Two or three stones that move together, each from the first point to the second.
    ///
    /// `None` when there are fewer or more.
    ///
    /// ```
    /// use rules::jiu::{Move, Turn};
    ///
    /// let [a, b, c, d] = ["A7", "B7", "D8", "C8"].map(|at| at.parse().unwrap());
    /// let turn = Turn::from(Move::together(&[(a, b), (c, d)]).unwrap());
    /// assert_eq!("A7→B7+D8→C8".parse(), Ok(turn));
    /// assert_eq!(Move::together(&[(a, b)]), None);
    /// ```
    pub fn together(steps: &[(Point, Point)]) -> Option<Move> {
        if !(2..=PATHS_MAX).contains(&steps.len()) {
            return None;
        }
        let paths = steps.iter().map(|(from, to)| Path(vec![*from, *to])).collect();
        Some(Move { paths, jumped: None, removed: Vec::new() })
    }

    /// The paths, one for every stone moved.
    ///
    /// ```
    /// use rules::jiu::Turn;
    ///
    /// let Turn::Move(it) = "A7→B7+D8→C8".parse()? else { panic!("no movement") };
    /// assert!(it.paths().iter().map(|path| path.end().to_string()).eq(["B7", "C8"]));
    /// # Ok::<(), rules::jiu::TurnError>(())
    /// ```
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The stones the turn says it jumps (`TC`, 跳吃); `None` when it says nothing, and an empty list (`TC-none`)
    /// when it says that it jumps nothing, which tells a flight over a stone from a jump.
    ///
    /// ```
    /// use rules::jiu::Turn;
    ///
    /// let said = |text: &str| match text.parse() {
    ///     Ok(Turn::Move(it)) => it.jumped().map(<[_]>::len),
    ///     other => panic!("no movement: {other:?}"),
    /// };
    /// assert_eq!(said("A1→A3 TC-A2"), Some(1));
    /// assert_eq!((said("A1→A3 TC-none"), said("A1→A3")), (Some(0), None));
    /// ```
    pub fn jumped(&self) -> Option<&[Point]> {
        self.jumped.as_deref()
    }

    /// The stones removed by choice (`FC`, 成方吃).
    ///
    /// ```
    /// use rules::jiu::{Point, Turn};
    ///
    /// let Turn::Move(it) = "C7→B7 FC-H8,G7".parse()? else { panic!("no movement") };
    /// assert_eq!(it.removed(), [Point::H8, Point::G7]);
    /// # Ok::<(), rules::jiu::TurnError>(())
    /// ```
    pub fn removed(&self) -> &[Point] {
        &self.removed
    }

    /// The same move with this said about jumped stones.
    ///
    /// ```
    /// use rules::jiu::{Move, Path};
    ///
    /// let path = Path::new(["A1", "A3"].map(|at| at.parse().unwrap()).to_vec()).unwrap();
    /// assert_eq!(Move::along(path.clone()).jumping(Some(vec![])).to_string(), "A1→A3 TC-none");
    /// let over = path.start().between(path.end()).unwrap();
    /// assert_eq!(Move::along(path).jumping(Some(vec![over])).to_string(), "A1→A3 TC-A2");
    /// ```
    #[must_use]
    pub fn jumping(self, jumped: Option<Vec<Point>>) -> Move {
        Move { jumped, ..self }
    }
}

impl Path {
    /// A path of these points; `None` when there are fewer than two or more than [`PATH_POINTS_MAX`].
    ///
    /// ```
    /// use rules::jiu::{Path, Point};
    ///
    /// assert!(Path::new(vec![Point::G7]).is_none());
    /// assert!(Path::new(vec![Point::G7, Point::H8]).is_some());
    /// ```
    pub fn new(points: Vec<Point>) -> Option<Path> {
        (2..=PATH_POINTS_MAX).contains(&points.len()).then_some(Path(points))
    }

    /// The points in order.
    ///
    /// ```
    /// use rules::jiu::{Path, Point};
    ///
    /// let points: Vec<Point> = ["C6", "E6", "E4"].map(|at| at.parse().unwrap()).into();
    /// assert_eq!(Path::new(points.clone()).unwrap().points(), points);
    /// ```
    pub fn points(&self) -> &[Point] {
        &self.0
    }

    /// Where the stone stood.
    ///
    /// ```
    /// use rules::jiu::{Path, Point};
    ///
    /// assert_eq!(Path::new(vec![Point::G7, Point::H8]).unwrap().start(), Point::G7);
    /// ```
    pub fn start(&self) -> Point {
        self.0[0]
    }

    /// Where the stone comes to rest.
    ///
    /// ```
    /// use rules::jiu::{Path, Point};
    ///
    /// assert_eq!(Path::new(vec![Point::G7, Point::H8]).unwrap().end(), Point::H8);
    /// ```
    pub fn end(&self) -> Point {
        self.0[self.0.len() - 1]
    }

    /// Its legs, each from one point to the next.
    ///
    /// ```
    /// use rules::jiu::Path;
    ///
    /// let path = Path::new(["C6", "E6", "E4"].map(|at| at.parse().unwrap()).into()).unwrap();
    /// let jumped = path.legs().map(|(from, to)| from.between(to).unwrap().to_string());
    /// assert!(jumped.eq(["D6", "E5"]));
    /// ```
    pub fn legs(&self) -> impl ExactSizeIterator<Item = (Point, Point)> {
        self.0.windows(2).map(|leg| (leg[0], leg[1]))
    }
}

impl From<Move> for Turn {
    fn from(it: Move) -> Self {
        Turn::Move(it)
    }
}
