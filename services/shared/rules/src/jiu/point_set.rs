use core::{
    fmt,
    ops::{BitAnd, BitOr, Not, Sub},
};

use super::{Direction, POINTS, Point, SIZE};

/// A set of points as a bitboard: 196 bits in four words.
///
/// ```
/// use rules::jiu::{Point, PointSet};
///
/// let centre = PointSet::from_iter([Point::H8, Point::G7]);
/// assert_eq!((!centre).len(), 194);
/// assert_eq!(centre - PointSet::from_iter([Point::H8]), centre & PointSet::from_iter([Point::G7]));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PointSet([u64; 4]);

/// The rows from the top.
pub(super) const ROWS: [PointSet; SIZE as usize] = lines(SIZE, 1);
/// The columns from the left.
pub(super) const COLUMNS: [PointSet; SIZE as usize] = lines(1, SIZE);

impl PointSet {
    /// No point.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// assert!(Point::all().all(|at| !PointSet::EMPTY.contains(at)));
    /// assert_eq!(!PointSet::EMPTY, PointSet::FULL);
    /// ```
    pub const EMPTY: PointSet = PointSet([0; 4]);
    /// Every point of the board.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// assert_eq!(PointSet::FULL, Point::all().collect());
    /// ```
    pub const FULL: PointSet = PointSet([u64::MAX, u64::MAX, u64::MAX, (1 << (POINTS - 192)) - 1]);

    /// Whether the point is a member.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// let set = PointSet::from_iter([Point::G7]);
    /// assert!(set.contains(Point::G7) && !set.contains(Point::H8));
    /// ```
    pub const fn contains(self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }

    /// Whether every point of `other` is a member.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// let (one, both) = (PointSet::from_iter([Point::G7]), PointSet::from_iter([Point::G7, Point::H8]));
    /// assert!(both.contains_all(one) && both.contains_all(both));
    /// assert!(!one.contains_all(both));
    /// ```
    pub fn contains_all(self, other: PointSet) -> bool {
        (other - self).is_empty()
    }

    /// Adds the point; says whether it was new.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// let mut set = PointSet::EMPTY;
    /// assert!(set.insert(Point::G7));
    /// assert!(!set.insert(Point::G7));
    /// ```
    pub const fn insert(&mut self, point: Point) -> bool {
        let new = !self.contains(point);
        self.0[point.index() / 64] |= 1 << (point.index() % 64);
        new
    }

    /// Takes the point out.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// let mut set = PointSet::from_iter([Point::G7, Point::H8]);
    /// set.remove(Point::G7);
    /// assert_eq!(set, PointSet::from_iter([Point::H8]));
    /// ```
    pub const fn remove(&mut self, point: Point) {
        self.0[point.index() / 64] &= !(1 << (point.index() % 64));
    }

    /// How many points there are.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// assert_eq!(PointSet::from_iter([Point::G7, Point::H8, Point::G7]).len(), 2);
    /// ```
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// Whether there is none.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// let (one, other) = (PointSet::from_iter([Point::G7]), PointSet::from_iter([Point::H8]));
    /// assert!((one & other).is_empty() && !(one | other).is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The points in reading order.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// let set = PointSet::from_iter([Point::H8, Point::G7]);
    /// assert!(set.iter().eq([Point::G7, Point::H8]));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Point> {
        [0_u8, 64, 128, 192].into_iter().zip(self.0).flat_map(|(base, mut word)| {
            core::iter::from_fn(move || {
                let bit = u8::try_from(word.trailing_zeros()).ok()?;
                // The lowest bit goes; an empty word has its trailing zeros beyond the board.
                word &= word.wrapping_sub(1);
                if bit < 64 { Point::from_index(base + bit) } else { None }
            })
        })
    }

    /// The only member, if there is exactly one.
    ///
    /// ```
    /// use rules::jiu::{Point, PointSet};
    ///
    /// assert_eq!(PointSet::from_iter([Point::G7]).single(), Some(Point::G7));
    /// assert_eq!(PointSet::from_iter([Point::G7, Point::H8]).single(), None);
    /// ```
    pub fn single(self) -> Option<Point> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    /// Every member moved one step; what would leave the board is dropped.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point, PointSet};
    ///
    /// let set: PointSet = ["C10", "D14"].map(|at| at.parse::<Point>().unwrap()).into_iter().collect();
    /// assert_eq!(set.shifted(Direction::Right).single().unwrap().to_string(), "C11");
    /// ```
    #[must_use]
    pub fn shifted(self, direction: Direction) -> PointSet {
        match direction {
            Direction::Up => self.shr(u32::from(SIZE)),
            Direction::Down => self.shl(u32::from(SIZE)),
            Direction::Left => (self - COLUMNS[0]).shr(1),
            Direction::Right => (self - COLUMNS[SIZE as usize - 1]).shl(1),
        }
    }

    /// The points whose neighbour in this direction is a member.
    ///
    /// ```
    /// use rules::jiu::{Direction, Point, PointSet};
    ///
    /// let set = PointSet::from_iter([Point::G7]);
    /// assert_eq!(set.seen(Direction::Right).single().unwrap().to_string(), "G6");
    /// ```
    #[must_use]
    pub fn seen(self, direction: Direction) -> PointSet {
        self.shifted(direction.opposite())
    }

    /// Moved to higher indices by `bits`, from 1 to 63.
    fn shl(self, bits: u32) -> PointSet {
        let [a, b, c, d] = self.0;
        let back = 64 - bits;
        PointSet([a << bits, b << bits | a >> back, c << bits | b >> back, d << bits | c >> back])
            & PointSet::FULL
    }

    /// Moved to lower indices by `bits`, from 1 to 63.
    const fn shr(self, bits: u32) -> PointSet {
        let [a, b, c, d] = self.0;
        let back = 64 - bits;
        PointSet([a >> bits | b << back, b >> bits | c << back, c >> bits | d << back, d >> bits])
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;

    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(core::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for PointSet {
    type Output = PointSet;

    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(core::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl Sub for PointSet {
    type Output = PointSet;

    fn sub(self, other: PointSet) -> PointSet {
        PointSet(core::array::from_fn(|word| self.0[word] & !other.0[word]))
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
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Fourteen lines of fourteen points: line `n` starts at `n * apart` and goes on every `along` points.
const fn lines(apart: u8, along: u8) -> [PointSet; SIZE as usize] {
    let mut lines = [PointSet::EMPTY; SIZE as usize];
    let mut line = 0;
    while line < SIZE {
        let mut place = 0;
        while place < SIZE {
            if let Some(point) = Point::from_index(line * apart + place * along) {
                lines[line as usize].insert(point);
            }
            place += 1;
        }
        line += 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn sets() -> impl Strategy<Value = PointSet> {
        vec(0..POINTS, 0..120).prop_map(|indices| indices.into_iter().filter_map(Point::from_index).collect())
    }

    #[test]
    fn lines_are_rows_and_columns() {
        for point in Point::all() {
            for line in 0..SIZE {
                assert_eq!(ROWS[usize::from(line)].contains(point), point.row() == line);
                assert_eq!(COLUMNS[usize::from(line)].contains(point), point.column() == line);
            }
        }
    }

    proptest! {
        #[test]
        fn a_shift_moves_every_member_one_step(set in sets()) {
            for direction in Direction::ALL {
                let expected: PointSet = set.iter().filter_map(|point| point.step(direction)).collect();
                prop_assert_eq!(set.shifted(direction), expected);
                let seeing: PointSet =
                    Point::all().filter(|p| p.step(direction).is_some_and(|q| set.contains(q))).collect();
                prop_assert_eq!(set.seen(direction), seeing);
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
            prop_assert_eq!(a.iter().count(), a.len() as usize);
            prop_assert_eq!(a.iter().collect::<PointSet>(), a);
            prop_assert_eq!(a.contains_all(b), (a | b) == a);
            prop_assert_eq!(a.single().is_some(), a.len() == 1);
        }
    }
}
