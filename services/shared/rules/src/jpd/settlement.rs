use alloc::vec::Vec;

use super::{Counting, HalfPoints, Layout, Method, Score, methods};
use crate::go::{Colour, Stone};

/// The end of a game as it is counted: a board whose every point is held by somebody, and what lies beside
/// it.
///
/// ```
/// use rules::{RuleSet, jpd::{Act, HalfPoints, Method, Position, Start}};
/// // The author's example on 7 lines, from its board alone.
/// let board = ".X.XXO./.XXXO.O/..XOOOO/XXXXOXO/OOOXXXX/O.XOOXX/.OOOOOX";
/// let start = Start::read(&RuleSet::named("").with("size", "7").with("setup", board))?;
/// let mut position = Position::from_setup(&start.setup, start.rules);
/// for (by, act) in [("B", "pass"), ("W", "pass"), ("B", "dead C2")] {
///     let colour = if by == "B" { rules::go::Colour::Black } else { rules::go::Colour::White };
///     let size = start.setup.board().rows();
///     position.act(colour, &Act::parse(act, size, size).unwrap()).unwrap();
/// }
/// let settlement = position.settlement().unwrap();
/// let equal = settlement.count(Method::EqualSpaces);
/// assert_eq!((equal.ledger().spaces, equal.ledger().stones), ([6, 6], [18, 19]));
/// assert!(Method::ALL.into_iter().all(|method| settlement.count(method).margin == HalfPoints(-2)));
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The board without the dead stones.
    pub layout: Layout,
    /// The dead stones.
    pub dead: Vec<Stone>,
    /// How many stones of each colour lie beside the board, Black's first: prisoners, and stones that
    /// virtual moves put there. The dead ones are not among them.
    pub beside: [i32; 2],
    /// How many more moves of the contest Black pays for; White does if it is negative (article 38).
    pub extra: i32,
    /// What Black gives for the first move (article 37).
    pub komi: HalfPoints,
}

impl Settlement {
    /// The score, by plain arithmetic.
    ///
    /// ```
    /// use rules::{go::Colour, jpd::{Cell, HalfPoints, Layout, Settlement}};
    /// let layout = Layout::new(3, [Cell::Stone(Colour::Black); 3]).unwrap();
    /// let settlement = Settlement { layout, dead: vec![], beside: [0, 0], extra: 1, komi: HalfPoints(1) };
    /// assert_eq!(settlement.score().frame().printed, "B+1.5");
    /// ```
    pub fn score(&self) -> Score {
        Score::of(&self.layout.ledger(), self.extra, self.komi)
    }

    /// Counts by a method, step by step.
    ///
    /// ```
    /// use rules::{go::Colour, jpd::{Cell, HalfPoints, Layout, Method, Settlement}};
    /// let layout = Layout::new(3, [Cell::Stone(Colour::Black); 3]).unwrap();
    /// let settlement = Settlement { layout, dead: vec![], beside: [0, 0], extra: 1, komi: HalfPoints(1) };
    /// let margins = Method::ALL.map(|method| settlement.count(method).margin);
    /// assert_eq!(margins, [settlement.score().margin; 5]);
    /// ```
    pub fn count(&self, method: Method) -> Counting {
        methods::count(self, method)
    }

    /// How many stones each bowl of a set for this board has: half of the points, rounded up. So 181 on 19
    /// lines and 25 on 7, as article 42 says.
    ///
    /// ```
    /// use rules::jpd::{Cell, HalfPoints, Layout, Settlement};
    /// let layout = Layout::new(7, [Cell::Shared; 49]).unwrap();
    /// let settlement = Settlement { layout, dead: vec![], beside: [0, 0], extra: 0, komi: HalfPoints(0) };
    /// assert_eq!(settlement.stock(), 25);
    /// ```
    pub fn stock(&self) -> i32 {
        i32::try_from(self.layout.cells().len().div_ceil(2)).expect("a board has at most 65,280 points")
    }

    /// How many dead stones a colour has.
    pub(super) fn dead_of(&self, colour: Colour) -> i32 {
        let dead = self.dead.iter().filter(|stone| stone.colour == colour).count();
        i32::try_from(dead).expect("a board has at most 65,280 points")
    }
}
