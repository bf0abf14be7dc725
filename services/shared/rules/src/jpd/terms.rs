use super::Illegal;
use crate::{
    goban::{
        self, Area, Board, Colour, Point,
        agreement::{canonical_chains, sorted, without},
    },
    prelude::*,
};

/// What the players are to agree on after a stop (articles 28 and 29): which chains are dead, and whose an
/// empty point is where that does not follow from what encloses it, such as a neutral point that one side
/// alone can fill, or the mouth of a ko that need not be filled (articles 33 and 41).
///
/// As text: `dead D4,Q16`, or `dead -`, and then as needed `black …`, `white …` and `shared …`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Dead chains, each by one of its stones; in canonical form by the first in reading order.
    pub dead: Vec<Point>,
    /// Empty points that are Black's.
    pub black: Vec<Point>,
    /// Empty points that are White's.
    pub white: Vec<Point>,
    /// Empty points that are shared.
    pub shared: Vec<Point>,
}

impl goban::Terms for Terms {
    type Illegal = Illegal;
    const WORDS: &'static [&'static str] = &["black", "white", "shared"];

    fn lists(&self) -> Vec<&[Point]> {
        Vec::from([&*self.dead, &self.black, &self.white, &self.shared])
    }

    fn of_lists(mut lists: impl Iterator<Item = Vec<Point>>) -> Terms {
        let mut next = || lists.next().unwrap_or_default();
        Terms { dead: next(), black: next(), white: next(), shared: next() }
    }

    /// The same terms in the one form in which they are compared: chains by their first stone, points in
    /// reading order, and only those that are not held so anyway.
    ///
    /// # Errors
    /// A dead point without a stone, a point given to somebody with a living stone on it, a point given to
    /// two.
    fn canonical(&self, board: &Board) -> Result<Terms, Illegal> {
        let dead = canonical_chains(board, &self.dead)?;
        let board = without(board, &dead);
        let area = Area::of(&board);
        let mut given: Vec<Point> = Vec::new();
        let mut list = |points: &[Point], owner: Option<Colour>| {
            let mut points = sorted(points.to_vec());
            for at in &points {
                if !board.contains(*at) {
                    return Err(goban::Illegal::OffBoard.into());
                } else if board.stone(*at).is_some() {
                    return Err(Illegal::StoneThere);
                } else if given.contains(at) {
                    return Err(Illegal::NamedTwice);
                }
            }
            given.extend(&points);
            points.retain(|at| area.owner(*at) != owner);
            Ok(points)
        };
        let black = list(&self.black, Some(Colour::Black))?;
        let white = list(&self.white, Some(Colour::White))?;
        Ok(Terms { dead, black, white, shared: list(&self.shared, None)? })
    }
}

impl Terms {
    /// Whose an empty point is by these terms, if `enclosed` by this colour alone or by none.
    pub(super) fn holder(&self, at: Point, enclosed: Option<Colour>) -> Option<Colour> {
        let lists =
            [(&self.black, Some(Colour::Black)), (&self.white, Some(Colour::White)), (&self.shared, None)];
        lists.into_iter().find(|(list, _)| list.contains(&at)).map_or(enclosed, |(_, holder)| holder)
    }
}
