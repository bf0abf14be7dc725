use alloc::{format, string::String, vec::Vec};

use super::{Illegal, MAX_PROPOSALS, settlement::sorted};
use crate::{
    Side,
    go::{Colour, Point, Setup, Size, act::write_points},
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Design {
    pub(super) standing: Option<(Side, Layout)>,
    pub(super) proposals: u16,
}

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
    /// The proposal that stands, and whose it is.
    pub fn standing(&self) -> Option<(Side, &Layout)> {
        self.standing.as_ref().map(|(side, layout)| (*side, layout))
    }

    /// Who is to answer: the opponent of who proposed last, at first the first side.
    pub fn on_turn(&self) -> Side {
        self.standing.as_ref().map_or(Side::First, |(side, _)| side.other())
    }

    /// A proposal replaces the one that stood. Proposing what the opponent has proposed accepts it; then the
    /// position is returned.
    pub(super) fn propose(
        &mut self,
        by: Side,
        layout: &Layout,
        size: Size,
    ) -> Result<(Layout, Option<Setup>), Illegal> {
        let (layout, setup) = layout.canonical(size)?;
        if self.standing.as_ref().is_some_and(|(other, standing)| *other != by && *standing == layout) {
            return Ok((layout, Some(setup)));
        }
        if self.proposals >= MAX_PROPOSALS {
            return Err(Illegal::TooManyProposals);
        }
        self.proposals += 1;
        self.standing = Some((by, layout.clone()));
        Ok((layout, None))
    }

    /// Accepts the opponent's proposal, and only the named one if one is.
    pub(super) fn accept(
        &self,
        by: Side,
        named: Option<&Layout>,
        size: Size,
    ) -> Result<(Layout, Setup), Illegal> {
        let standing = self.standing.as_ref().filter(|(other, _)| *other != by);
        let (_, standing) = standing.ok_or(Illegal::NoProposal)?;
        let (layout, setup) = standing.canonical(size)?;
        match named.map(|named| named.canonical(size)) {
            Some(other) if other.as_ref().map(|(named, _)| named) != Ok(&layout) => {
                Err(Illegal::ProposalChanged)
            }
            _ => Ok((layout, setup)),
        }
    }
}
