use alloc::{string::String, vec::Vec};

use super::Illegal;
use crate::go::{
    self, Area, Board, Colour, Point, Size,
    act::{read_points, write_points},
    point::PointError,
    stops::canonical_chains,
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

/// The words before each list, in the order in which they are written.
const WORDS: [&str; 4] = ["dead", "black", "white", "shared"];

impl Terms {
    /// As [`Terms::parse`], saying what is wrong.
    pub(super) fn read(text: &str, width: Size, height: Size) -> Result<Terms, PointError> {
        let mut lists: [Option<String>; 4] = Default::default();
        let mut open: Option<usize> = None;
        for word in text.split_whitespace() {
            match WORDS.iter().position(|known| known.eq_ignore_ascii_case(word)) {
                Some(nth) if lists[nth].is_none() => {
                    lists[nth] = Some(String::new());
                    open = Some(nth);
                }
                Some(_) => return Err(PointError::Syntax),
                None => {
                    let list = open.and_then(|nth| lists[nth].as_mut()).ok_or(PointError::Syntax)?;
                    list.push_str(word);
                }
            }
        }
        if lists[0].is_none() {
            return Err(PointError::Syntax);
        }
        let mut points = lists.iter().map(|list| match list {
            Some(list) => read_points(list, width, height),
            None => Ok(Vec::new()),
        });
        let mut next = || points.next().unwrap_or(Ok(Vec::new()));
        Ok(Terms { dead: next()?, black: next()?, white: next()?, shared: next()? })
    }

    /// Reads terms on a board of this size; `None` if they are none, or name a point the board does not have.
    pub fn parse(text: &str, width: Size, height: Size) -> Option<Terms> {
        Terms::read(text, width, height).ok()
    }

    /// The terms as text, on a board this high.
    pub fn write(&self, height: Size) -> String {
        let lists = [&self.dead, &self.black, &self.white, &self.shared];
        let written = WORDS.iter().zip(lists).filter(|(word, list)| **word == WORDS[0] || !list.is_empty());
        let parts: Vec<_> =
            written.map(|(word, list)| alloc::format!("{word} {}", write_points(list, height))).collect();
        parts.join(" ")
    }

    /// The same terms in the one form in which they are compared: chains by their first stone, points in
    /// reading order, and only those that are not held so anyway.
    ///
    /// # Errors
    /// A dead point without a stone, a point given to somebody with a living stone on it, a point given to
    /// two.
    pub fn canonical(&self, board: &Board) -> Result<Terms, Illegal> {
        let dead = canonical_chains(board, &self.dead)?;
        let mut board = board.clone();
        for at in &dead {
            board.lift_chain(*at, |_, _| ());
        }
        let area = Area::of(&board);
        let mut given: Vec<Point> = Vec::new();
        let mut list = |points: &[Point], owner: Option<Colour>| {
            let mut points = points.to_vec();
            points.sort_unstable();
            points.dedup();
            for at in &points {
                if !board.contains(*at) {
                    return Err(go::Illegal::OffBoard.into());
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

    /// Whose an empty point is by these terms, if `enclosed` by this colour alone or by none.
    pub(super) fn holder(&self, at: Point, enclosed: Option<Colour>) -> Option<Colour> {
        let lists =
            [(&self.black, Some(Colour::Black)), (&self.white, Some(Colour::White)), (&self.shared, None)];
        lists.into_iter().find(|(list, _)| list.contains(&at)).map_or(enclosed, |(_, holder)| holder)
    }
}
