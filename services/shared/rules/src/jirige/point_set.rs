use core::{
    fmt,
    ops::{BitAnd, BitOr, Not, Sub},
};

use super::{Direction, POINTS, Point, SIZE};

/// A set of points as a bitboard: the lowest 81 bits of a `u128`, in the order of [`Point::index`].
///
/// ```
/// use rules::jirige::{Direction, Point, PointSet};
///
/// let cross: PointSet = Direction::ALL.into_iter().filter_map(|to| Point::CENTRE.step(to)).collect();
/// assert_eq!(cross.len(), 4);
/// assert_eq!(cross & PointSet::RING, cross);
/// assert_eq!((PointSet::RING - cross).len(), 4);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PointSet(u128);

/// The leftmost column.
const COLUMN_A: PointSet = column(0);
/// The rightmost column.
const COLUMN_I: PointSet = column(SIZE - 1);

impl PointSet {
    /// No point.
    ///
    /// ```
    /// use rules::jirige::PointSet;
    ///
    /// assert_eq!(PointSet::EMPTY.iter().next(), None);
    /// assert_eq!(!PointSet::EMPTY, PointSet::FULL);
    /// ```
    pub const EMPTY: PointSet = PointSet(0);
    /// Every point of the board.
    ///
    /// ```
    /// use rules::jirige::{Point, PointSet};
    ///
    /// assert!(Point::all().all(|at| PointSet::FULL.contains(at)));
    /// assert_eq!(PointSet::FULL.len(), 81);
    /// ```
    pub const FULL: PointSet = PointSet((1 << POINTS) - 1);

    /// The eight points round the centre, on which the first stones stand (rule 6).
    ///
    /// ```
    /// use rules::jirige::{Point, PointSet};
    ///
    /// assert_eq!(PointSet::RING.len(), 8);
    /// assert!(PointSet::RING.contains("D4".parse()?) && !PointSet::RING.contains(Point::CENTRE));
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const RING: PointSet = {
        let rank = 0b111 << (Point::CENTRE.index() - 1);
        PointSet((rank << SIZE | rank | rank >> SIZE) & !(1 << Point::CENTRE.index()))
    };

    /// The set of one point.
    ///
    /// ```
    /// use rules::jirige::{Point, PointSet};
    ///
    /// let centre = PointSet::of(Point::CENTRE);
    /// assert_eq!((PointSet::RING | centre).len(), 9);
    /// ```
    pub const fn of(point: Point) -> PointSet {
        PointSet(1 << point.index())
    }

    /// Whether the point is a member.
    ///
    /// ```
    /// use rules::jirige::{Point, PointSet};
    ///
    /// let centre = PointSet::of(Point::CENTRE);
    /// assert!(centre.contains(Point::CENTRE) && !centre.contains("E6".parse()?));
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.index() & 1 == 1
    }

    /// Whether every point of `other` is a member.
    ///
    /// ```
    /// use rules::jirige::{Line, PointSet};
    ///
    /// let line: Line = "row:5".parse()?;
    /// assert!(PointSet::FULL.contains_all(line.points()));
    /// assert!(!PointSet::RING.contains_all(line.points()));
    /// # Ok::<(), rules::jirige::LineError>(())
    /// ```
    pub const fn contains_all(self, other: PointSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Adds the point; says whether it was new.
    ///
    /// ```
    /// use rules::jirige::{Point, PointSet};
    ///
    /// let mut seen = PointSet::EMPTY;
    /// assert!(seen.insert(Point::CENTRE));
    /// assert!(!seen.insert(Point::CENTRE));
    /// assert_eq!(seen, PointSet::of(Point::CENTRE));
    /// ```
    pub const fn insert(&mut self, point: Point) -> bool {
        let new = !self.contains(point);
        self.0 |= 1 << point.index();
        new
    }

    /// Takes the point out.
    ///
    /// ```
    /// use rules::jirige::PointSet;
    ///
    /// let mut left = PointSet::RING;
    /// left.remove("D4".parse()?);
    /// left.remove("A1".parse()?);
    /// assert_eq!(left.len(), 7);
    /// # Ok::<(), rules::jirige::PointError>(())
    /// ```
    pub const fn remove(&mut self, point: Point) {
        self.0 &= !(1 << point.index());
    }

    /// How many points there are.
    ///
    /// ```
    /// use rules::jirige::Line;
    ///
    /// let [row, column] = ["row:5", "col:E"].map(|name| name.parse::<Line>().unwrap().points());
    /// assert_eq!((row | column).len(), 17);
    /// ```
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 81")]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there is none.
    ///
    /// ```
    /// use rules::jirige::Line;
    ///
    /// let [fourth, fifth] = ["row:4", "row:5"].map(|name| name.parse::<Line>().unwrap().points());
    /// assert!((fourth & fifth).is_empty() && !fourth.is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The points in the order of indices.
    ///
    /// ```
    /// use rules::jirige::PointSet;
    ///
    /// let names: Vec<_> = PointSet::RING.iter().map(|at| at.to_string()).collect();
    /// assert_eq!(names, ["D4", "E4", "F4", "D5", "F5", "D6", "E6", "F6"]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Point> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let point = Point::from_index(u8::try_from(rest.trailing_zeros()).ok()?)?;
            rest &= rest - 1;
            Some(point)
        })
    }

    /// Every member moved one step; what would leave the board is dropped.
    ///
    /// ```
    /// use rules::jirige::{Direction, Line};
    ///
    /// let [a, b, i] = ["col:A", "col:B", "col:I"].map(|name| name.parse::<Line>().unwrap().points());
    /// assert_eq!(a.shifted(Direction::Right), b);
    /// assert!(i.shifted(Direction::Right).is_empty());
    /// ```
    #[must_use]
    pub fn shifted(self, direction: Direction) -> PointSet {
        match direction {
            Direction::Up => PointSet(self.0 << SIZE) & PointSet::FULL,
            Direction::Down => PointSet(self.0 >> SIZE),
            Direction::Left => PointSet((self - COLUMN_A).0 >> 1),
            Direction::Right => PointSet((self - COLUMN_I).0 << 1),
        }
    }

    /// The nine points of a row, the rank from 0.
    pub(super) const fn row(rank: u8) -> PointSet {
        PointSet(0x1FF << (rank * SIZE))
    }

    /// The nine points of a column, from 0.
    pub(super) const fn column(index: u8) -> PointSet {
        column(index)
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;

    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(self.0 & other.0)
    }
}

impl BitOr for PointSet {
    type Output = PointSet;

    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }
}

impl Sub for PointSet {
    type Output = PointSet;

    fn sub(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }
}

impl Not for PointSet {
    type Output = PointSet;

    fn not(self) -> PointSet {
        PointSet::FULL - self
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(PointSet::EMPTY, |set, point| set | PointSet::of(point))
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

const fn column(index: u8) -> PointSet {
    let mut set = 0;
    let mut rank = 0;
    while rank < SIZE {
        set |= 1 << (rank * SIZE + index);
        rank += 1;
    }
    PointSet(set)
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec::Vec};

    use proptest::prelude::*;

    use super::*;

    fn sets() -> impl Strategy<Value = PointSet> {
        any::<u128>().prop_map(|bits| PointSet(bits) & PointSet::FULL)
    }

    #[test]
    fn the_ring_is_the_eight_points_of_rule_6() {
        let names: Vec<_> = PointSet::RING.iter().map(|point| point.to_string()).collect();
        assert_eq!(names, ["D4", "E4", "F4", "D5", "F5", "D6", "E6", "F6"]);
    }

    #[test]
    fn lines_are_rows_and_columns() {
        for point in Point::all() {
            for index in 0..SIZE {
                assert_eq!(PointSet::row(index).contains(point), point.rank() == index);
                assert_eq!(PointSet::column(index).contains(point), point.column() == index);
            }
        }
    }

    proptest! {
        #[test]
        fn a_shift_moves_every_member_one_step(set in sets()) {
            for direction in Direction::ALL {
                let expected: PointSet = set.iter().filter_map(|point| point.step(direction)).collect();
                prop_assert_eq!(set.shifted(direction), expected);
            }
        }

        #[test]
        fn the_algebra_is_that_of_sets(a in sets(), b in sets()) {
            for point in Point::all() {
                let (in_a, in_b) = (a.contains(point), b.contains(point));
                prop_assert_eq!((a & b).contains(point), in_a && in_b);
                prop_assert_eq!((a | b).contains(point), in_a || in_b);
                prop_assert_eq!((a - b).contains(point), in_a && !in_b);
                prop_assert_eq!((!a).contains(point), !in_a);
            }
            prop_assert_eq!(a.iter().count(), usize::from(a.len()));
            prop_assert_eq!(a.iter().collect::<PointSet>(), a);
            prop_assert_eq!(a.contains_all(b), (a | b) == a);
        }
    }
}
