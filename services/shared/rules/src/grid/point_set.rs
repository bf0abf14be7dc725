use core::{
    fmt,
    marker::PhantomData,
    ops::{BitAnd, BitOr, Not, Sub},
};

use super::{Direction, Grid, Point};

/// A set of points as a bitboard: `WORDS` times 64 bits, the point with the index 0 the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet<G, const WORDS: usize>([u64; WORDS], PhantomData<G>);

impl<G: Grid, const WORDS: usize> PointSet<G, WORDS> {
    /// No point.
    pub const EMPTY: Self = PointSet([0; WORDS], PhantomData);
    /// Every point of the board.
    pub const FULL: Self = Self::every(0, 1, Point::<G>::COUNT);

    const FIRST_COLUMN: Self = Self::column(0);
    const LAST_COLUMN: Self = Self::column(G::SIDE - 1);

    /// The set of one point.
    pub const fn of(point: Point<G>) -> Self {
        let mut set = Self::EMPTY;
        set.insert(point);
        set
    }

    /// Every row, from that with index 0.
    pub(crate) const fn rows<const N: usize>() -> [Self; N] {
        Self::lines(G::SIDE, 1)
    }

    /// Every column from the left, of which there are `N`.
    pub(crate) const fn columns<const N: usize>() -> [Self; N] {
        Self::lines(1, G::SIDE)
    }

    /// Lines whose first points are so far apart, and the points of each so far.
    const fn lines<const N: usize>(next: u8, apart: u8) -> [Self; N] {
        let mut lines = [Self::EMPTY; N];
        let mut line = 0;
        while line < G::SIDE {
            lines[line as usize] = Self::every(line * next, apart, G::SIDE);
            line += 1;
        }
        lines
    }

    const fn column(column: u8) -> Self {
        Self::every(column, G::SIDE, G::SIDE)
    }

    /// So many points, one every `apart` indices.
    const fn every(first: u8, apart: u8, count: u8) -> Self {
        let mut set = Self::EMPTY;
        let mut n = 0;
        while n < count {
            if let Some(point) = Point::from_index(first + n * apart) {
                set.insert(point);
            }
            n += 1;
        }
        set
    }

    /// The word a point is in, and its bit there.
    const fn place(point: Point<G>) -> (usize, u64) {
        (point.index() / 64, 1 << (point.index() % 64))
    }

    /// Whether the point is a member.
    pub const fn contains(self, point: Point<G>) -> bool {
        let (word, bit) = Self::place(point);
        self.0[word] & bit != 0
    }

    /// Whether every point of `other` is a member.
    pub fn contains_all(self, other: Self) -> bool {
        (other - self).is_empty()
    }

    /// Adds the point; says whether it was new.
    pub const fn insert(&mut self, point: Point<G>) -> bool {
        let (word, bit) = Self::place(point);
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Takes the point out.
    pub const fn remove(&mut self, point: Point<G>) {
        let (word, bit) = Self::place(point);
        self.0[word] &= !bit;
    }

    /// How many points there are.
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 225")]
    pub const fn len(self) -> u8 {
        let (mut bits, mut word) = (0, 0);
        while word < WORDS {
            bits += self.0[word].count_ones();
            word += 1;
        }
        bits as u8
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0.into_iter().fold(0, |all, word| all | word) == 0
    }

    /// The points in the order of indices.
    pub fn iter(self) -> impl Iterator<Item = Point<G>> {
        self.0.into_iter().zip([0_u8, 64, 128, 192]).flat_map(|(mut word, base)| {
            core::iter::from_fn(move || {
                let bit = u8::try_from(word.trailing_zeros()).ok().filter(|bit| *bit < 64)?;
                word &= word - 1;
                Point::from_index(base + bit)
            })
        })
    }

    /// The only member, if there is exactly one.
    pub fn single(self) -> Option<Point<G>> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    /// Every member moved one step; what would leave the board is dropped.
    #[must_use]
    pub fn shifted(self, direction: Direction) -> Self {
        match direction {
            Direction::Left => (self - Self::FIRST_COLUMN).down(1),
            Direction::Right => (self - Self::LAST_COLUMN).up(1),
            Direction::Up if Point::<G>::LETTERS_DOWN => self.to_first_row(),
            Direction::Down if !Point::<G>::LETTERS_DOWN => self.to_first_row(),
            Direction::Up | Direction::Down => self.to_last_row(),
        }
    }

    /// The points whose neighbour in this direction is a member.
    #[must_use]
    pub fn seen(self, direction: Direction) -> Self {
        self.shifted(direction.opposite())
    }

    /// Every member moved one row towards the first.
    #[must_use]
    pub(super) fn to_first_row(self) -> Self {
        self.down(G::SIDE)
    }

    /// Every member moved one row towards the last.
    #[must_use]
    pub(super) fn to_last_row(self) -> Self {
        self.up(G::SIDE) & Self::FULL
    }

    /// Moved to higher indices by `bits`, from 1 to 63.
    fn up(self, bits: u8) -> Self {
        let carried = |word: usize| if word == 0 { 0 } else { self.0[word - 1] >> (64 - bits) };
        PointSet(core::array::from_fn(|word| self.0[word] << bits | carried(word)), PhantomData)
    }

    /// Moved to lower indices by `bits`, from 1 to 63.
    fn down(self, bits: u8) -> Self {
        let carried = |word: usize| self.0.get(word + 1).map_or(0, |next| next << (64 - bits));
        PointSet(core::array::from_fn(|word| self.0[word] >> bits | carried(word)), PhantomData)
    }
}

impl<G: Grid, const WORDS: usize> Default for PointSet<G, WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<G: Grid, const WORDS: usize> BitAnd for PointSet<G, WORDS> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        PointSet(core::array::from_fn(|word| self.0[word] & other.0[word]), PhantomData)
    }
}

impl<G: Grid, const WORDS: usize> BitOr for PointSet<G, WORDS> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        PointSet(core::array::from_fn(|word| self.0[word] | other.0[word]), PhantomData)
    }
}

impl<G: Grid, const WORDS: usize> Sub for PointSet<G, WORDS> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        PointSet(core::array::from_fn(|word| self.0[word] & !other.0[word]), PhantomData)
    }
}

impl<G: Grid, const WORDS: usize> Not for PointSet<G, WORDS> {
    type Output = Self;

    fn not(self) -> Self {
        Self::FULL - self
    }
}

impl<G: Grid, const WORDS: usize> FromIterator<Point<G>> for PointSet<G, WORDS> {
    fn from_iter<I: IntoIterator<Item = Point<G>>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        points.into_iter().for_each(|point| _ = set.insert(point));
        set
    }
}

impl<G: Grid, const WORDS: usize> fmt::Debug for PointSet<G, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::{jirige, jiu};

    fn sets<G: Grid, const WORDS: usize>() -> impl Strategy<Value = PointSet<G, WORDS>> {
        vec(0..Point::<G>::COUNT, 0..120)
            .prop_map(|indices| indices.into_iter().filter_map(Point::from_index).collect())
    }

    fn a_shift_moves_every_member_one_step<G: Grid, const WORDS: usize>(set: PointSet<G, WORDS>) {
        for direction in Direction::ALL {
            let expected = set.iter().filter_map(|point| point.step(direction)).collect();
            assert_eq!(set.shifted(direction), expected);
            let sees = |point: &Point<G>| point.step(direction).is_some_and(|next| set.contains(next));
            assert_eq!(set.seen(direction), Point::all().filter(sees).collect());
        }
    }

    fn the_algebra_is_that_of_sets<G: Grid, const WORDS: usize>(
        a: PointSet<G, WORDS>,
        b: PointSet<G, WORDS>,
    ) {
        for point in Point::all() {
            let (in_a, in_b) = (a.contains(point), b.contains(point));
            assert_eq!((a & b).contains(point), in_a && in_b);
            assert_eq!((a | b).contains(point), in_a || in_b);
            assert_eq!((a - b).contains(point), in_a && !in_b);
            assert_eq!((!a).contains(point), !in_a);
        }
        assert_eq!(a.iter().count(), usize::from(a.len()));
        assert_eq!(a.iter().collect::<PointSet<G, WORDS>>(), a);
        assert_eq!(a.contains_all(b), (a | b) == a);
        assert_eq!(a.single().is_some(), a.len() == 1);
    }

    fn lines_are_rows_and_columns<G: Grid, const WORDS: usize>() {
        let (rows, columns) = (PointSet::<G, WORDS>::rows::<15>(), PointSet::<G, WORDS>::columns::<15>());
        for point in Point::all() {
            for line in 0..G::SIDE {
                assert_eq!(rows[usize::from(line)].contains(point), point.row() == line);
                assert_eq!(columns[usize::from(line)].contains(point), point.column() == line);
            }
        }
    }

    #[test]
    fn lines_are_rows_and_columns_of_either_grid() {
        lines_are_rows_and_columns::<jiu::Fourteen, 4>();
        lines_are_rows_and_columns::<jirige::Nine, 2>();
    }

    proptest! {
        #[test]
        fn sets_of_jiu_are_sets(a in sets::<jiu::Fourteen, 4>(), b in sets()) {
            a_shift_moves_every_member_one_step(a);
            the_algebra_is_that_of_sets(a, b);
        }

        #[test]
        fn sets_of_jirige_are_sets(a in sets::<jirige::Nine, 2>(), b in sets()) {
            a_shift_moves_every_member_one_step(a);
            the_algebra_is_that_of_sets(a, b);
        }
    }
}
