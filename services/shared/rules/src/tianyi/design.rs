use super::Illegal;
use crate::{
    Side,
    goban::{Agreement, Colour, Point, Setup, Size, act::write_points, agreement::sorted},
    prelude::*,
};

/// A position that a player proposes: any stones that can stand on a board together. As text
/// `B D4,Q16 W C3`, with `-` for none of a colour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Black stones.
    pub black: Vec<Point>,
    /// White stones.
    pub white: Vec<Point>,
}

/// The talk about the position when the players make it themselves (article 一.6c): either proposes, either
/// accepts what the other has proposed (T16).
pub type Design = Agreement<Layout, Side>;

impl Layout {
    /// The same with the stones in reading order, each once, and the position they make, White to move.
    ///
    /// # Errors
    /// A point with two stones, or a chain without liberty.
    pub fn canonical(&self, size: Size) -> Result<(Layout, Setup), Illegal> {
        let layout = Layout { black: sorted(self.black.clone()), white: sorted(self.white.clone()) };
        if layout.black.iter().any(|at| layout.white.binary_search(at).is_ok()) {
            return Err(Illegal::TwoStones);
        }
        let stones = |points: &[Point], colour| {
            points.iter().map(|at| (*at, Some(colour))).collect::<Vec<_>>().into_iter()
        };
        let all = stones(&layout.black, Colour::Black).chain(stones(&layout.white, Colour::White));
        let setup = Setup::new(size, size, all, Colour::White);
        // Every stone is on the board, so that only a lack of liberties is left to be wrong.
        setup.map(|setup| (layout, setup)).map_err(|_| Illegal::NoLiberty)
    }

    /// As text, on a board this high.
    pub fn write(&self, height: Size) -> String {
        format!("B {} W {}", write_points(&self.black, height), write_points(&self.white, height))
    }
}

impl Design {
    /// Who is to answer: the opponent of who proposed last, at first the first side.
    pub fn on_turn(&self) -> Side {
        self.proposal.as_ref().map_or(Side::First, |proposal| proposal.by.other())
    }
}
