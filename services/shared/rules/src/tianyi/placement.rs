use core::num::NonZeroU32;

use super::Quadrants;
use crate::{
    Lot,
    goban::{Board, Colour, Point, Size},
    prelude::*,
};

named! {
    /// How the stones of the placement are found (article 一).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Method {
        /// Three handfuls a stone, as the text describes it (article 一.3). Points on an axis through the centre
        /// come up twice as often as others, and the centre four times: the remainder 0 has both signs (T7).
        Grab => "grab",
        /// Every point but those of the first line is equally likely (article 一.6b).
        Uniform => "uniform",
        /// The players design the position themselves (article 一.6c).
        Design => "design",
    }
}

/// The three handfuls of one round: how many stones each party took, at least one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grabs {
    /// The referee's: its remainder by four is the quadrant.
    pub referee: u32,
    /// The one that gives the horizontal distance from the centre.
    pub x: u32,
    /// The one that gives the vertical distance.
    pub y: u32,
}

/// A stone that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    /// Its colour.
    pub colour: Colour,
    /// Where it fell.
    pub at: Point,
    /// Whether it stands. It is void and discarded on an occupied point (article 一.5.d), and just so where it
    /// would capture or have no liberty (T10); the bids make up for it.
    pub stands: bool,
}

impl Grabs {
    /// Where a stone falls on a board of this size, or `None` where an even size leaves it without a centre.
    ///
    /// On 19 lines the distances are the remainders by nine, so that the first line is never reached; on a
    /// board of `2m + 1` lines they are the remainders by `m`.
    pub fn point(&self, size: Size, quadrants: Quadrants) -> Option<Point> {
        let radius = radius(size)?;
        let remainder = |count: u32| i8::try_from(count % radius).ok();
        let (right, up) = quadrants.directions(self.referee);
        let centre = i8::try_from(radius).ok()?;
        let column = u8::try_from(centre + right * remainder(self.x)?).ok()?;
        let row = u8::try_from(centre - up * remainder(self.y)?).ok()?;
        Point::new(column, row)
    }

    /// The handfuls of a round, from 0: numbers `3 * round`, `+ 1` and `+ 2` of the lottery, each from 1 to
    /// `4 m`, a multiple of both divisors, so that every remainder is equally likely (T9: nobody chooses his
    /// handful, and so it does not matter whose it is, T8).
    fn drawn(lot: &Lot, round: u32, radius: u32) -> Grabs {
        let below = NonZeroU32::new(4 * radius).unwrap_or(NonZeroU32::MIN);
        let grab = |nth| 1 + lot.number(3 * round + nth, below);
        Grabs { referee: grab(0), x: grab(1), y: grab(2) }
    }
}

impl Method {
    /// Whether it can be used on a board of this size.
    pub const fn fits(self, size: Size) -> bool {
        !matches!(self, Method::Grab) || size.get() % 2 == 1
    }

    /// The point of a round: see [`Grabs`], or number `round` below `(n − 2)²`, which counts the points within
    /// the first line in reading order.
    fn point(self, lot: &Lot, round: u32, size: Size, quadrants: Quadrants) -> Option<Point> {
        match self {
            Method::Grab => Grabs::drawn(lot, round, radius(size)?).point(size, quadrants),
            Method::Uniform => {
                let inner = u32::from(size.get()) - 2;
                let nth = lot.number(round, NonZeroU32::new(inner * inner)?);
                Point::new(u8::try_from(1 + nth % inner).ok()?, u8::try_from(1 + nth / inner).ok()?)
            }
            Method::Design => None,
        }
    }
}

/// Half the lines of a board with a centre.
fn radius(size: Size) -> Option<u32> {
    (size.get() % 2 == 1).then_some(u32::from(size.get() / 2))
}

/// The stones that a finished lottery places, White's first and then in turn (article 一.5.c), and the board
/// with those that stand.
pub(super) fn place(
    lot: &Lot,
    method: Method,
    size: Size,
    quadrants: Quadrants,
    stones: u8,
) -> (Vec<Drawn>, Board) {
    let mut board = Board::new(size, size);
    let mut colour = Colour::White;
    let mut drawn = Vec::with_capacity(usize::from(stones));
    for at in (0..u32::from(stones)).filter_map(|round| method.point(lot, round, size, quadrants)) {
        let stands = stands(&board, at, colour);
        if stands {
            board.put(at, colour, |_, _| ());
        }
        drawn.push(Drawn { colour, at, stands });
        colour = colour.other();
    }
    (drawn, board)
}

/// Whether a drawn stone is not void.
fn stands(board: &Board, at: Point, colour: Colour) -> bool {
    board.consequence(at, colour).is_some_and(|after| after.captures == 0 && !after.suicide)
}

#[cfg(test)]
mod tests {
    use super::stands;
    use crate::goban::{Colour, Point, Setup, Size};

    #[test]
    fn stones_that_would_capture_or_cannot_breathe_are_void() {
        let setup: Setup = ".xo../xo.../.x.../...../.....".parse().expect("a position");
        let five = Size::new(5).expect("a size");
        let check = |name, colour, wanted| {
            let at = Point::parse(name, five).expect("a point");
            assert_eq!(stands(setup.board(), at, colour), wanted, "{name} {colour:?}");
        };
        check("C4", Colour::Black, false);
        check("A5", Colour::White, false);
        check("B4", Colour::Black, false);
        check("C4", Colour::White, true);
        check("A5", Colour::Black, true);
    }
}
