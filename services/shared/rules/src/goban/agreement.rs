//! How two players come to say the same: proposals, each its maker's consent, and their acceptance.

use core::fmt::Debug;

use super::{
    Board, Colour, Illegal, MAX_PROPOSALS, NotationError, Point, Size, Stone,
    act::{read_points, sections, write_points},
};
use crate::{
    prelude::*,
    zobrist::{self, mix},
};

/// What the players of a game agree on before the count: lists of points, the first of which names dead chains.
///
/// As text: `dead D4,Q16 seki A1`, the lists after the first only where they name something.
pub trait Terms: Clone + Debug + Default + PartialEq + Eq {
    /// Why terms are refused.
    type Illegal: From<Illegal>;

    /// The words before the lists that come after the dead chains.
    const WORDS: &'static [&'static str];

    /// The lists in the order of their words.
    fn lists(&self) -> Vec<&[Point]>;

    /// The terms with these lists; those that are missing name nothing.
    fn of_lists(lists: impl Iterator<Item = Vec<Point>>) -> Self;

    /// The same terms in the one form in which they are compared.
    ///
    /// # Errors
    /// What cannot be agreed on.
    fn canonical(&self, board: &Board) -> Result<Self, Self::Illegal>;

    /// The dead chains, each by one of its stones; in canonical form by the first in reading order.
    fn dead(&self) -> &[Point] {
        self.lists()[0]
    }

    /// Reads what [`Terms::write`] writes after the word `dead`.
    ///
    /// # Errors
    /// The text is no terms, or names a point that the board does not have.
    fn read(text: &str, width: Size, height: Size) -> Result<Self, NotationError> {
        Self::of_sections(sections(text, Self::WORDS)?, width, height)
    }

    /// Reads what [`Terms::write`] writes, its lists in any order.
    ///
    /// # Errors
    /// As [`Terms::read`].
    fn read_named(text: &str, width: Size, height: Size) -> Result<Self, NotationError> {
        let mut lists = sections(text, &[&["dead"], Self::WORDS].concat())?;
        let before = lists.remove(0);
        if before.is_some() { Err(NotationError::Syntax) } else { Self::of_sections(lists, width, height) }
    }

    /// Terms of lists of which only the first, of the dead, must be there.
    ///
    /// # Errors
    /// As [`Terms::read`].
    fn of_sections(lists: Vec<Option<String>>, width: Size, height: Size) -> Result<Self, NotationError> {
        lists[0].as_ref().ok_or(NotationError::Syntax)?;
        let points = |list: &Option<String>| read_points(list.as_deref().unwrap_or("-"), width, height);
        let lists: Vec<_> = lists.iter().map(points).collect::<Result<_, _>>()?;
        Ok(Self::of_lists(lists.into_iter()))
    }

    /// The terms as text, on a board this high.
    fn write(&self, height: Size) -> String {
        format!("dead {}", self.write_bare(height))
    }

    /// The terms as text without the word `dead`.
    fn write_bare(&self, height: Size) -> String {
        let lists = self.lists();
        let named = Self::WORDS.iter().zip(&lists[1..]).filter(|(_, points)| !points.is_empty());
        named.fold(write_points(lists[0], height), |text, (word, points)| {
            format!("{text} {word} {}", write_points(points, height))
        })
    }
}

/// The state of the talk about terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement<T, P = Colour> {
    /// The proposal that stands, if any.
    pub proposal: Option<Proposal<T, P>>,
    /// How many proposals have been made in this phase.
    pub proposals: u16,
}

/// Proposed terms, to which their proposer has agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal<T, P = Colour> {
    /// Who made it.
    pub by: P,
    /// What it says, in canonical form.
    pub terms: T,
}

impl<T, P> Default for Agreement<T, P> {
    fn default() -> Self {
        Agreement { proposal: None, proposals: 0 }
    }
}

impl<T: Clone + PartialEq, P: Copy + PartialEq> Agreement<T, P> {
    /// What stands proposed by the other player.
    pub(crate) fn offered_to(&self, player: P) -> Option<&T> {
        let theirs = self.proposal.as_ref().filter(|proposal| proposal.by != player);
        theirs.map(|proposal| &proposal.terms)
    }

    /// A proposal is its maker's consent and replaces the one that stood, with the consent to it. If it is the
    /// other player's own, both have now consented to the same, and it is `true`.
    pub(crate) fn propose(&mut self, by: P, terms: &T) -> Result<bool, Illegal> {
        if self.offered_to(by) == Some(terms) {
            return Ok(true);
        }
        if self.proposals >= MAX_PROPOSALS {
            return Err(Illegal::TooManyProposals);
        }
        self.proposals += 1;
        self.proposal = Some(Proposal { by, terms: terms.clone() });
        Ok(false)
    }

    /// What a player accepts: what stands proposed by the other, and only if it is what he names, if he does.
    pub(crate) fn accept<E>(&self, by: P, named: Option<Result<T, E>>) -> Result<T, Illegal> {
        let terms = self.offered_to(by).ok_or(Illegal::NoProposal)?;
        match named {
            Some(named) if named.as_ref().ok() != Some(terms) => Err(Illegal::ProposalChanged),
            _ => Ok(terms.clone()),
        }
    }
}

impl<T: Terms> Agreement<T> {
    /// Who is to answer: the opponent of the proposal's maker, or else who confirmed the end first.
    pub(crate) fn awaited(&self, first: Colour) -> Colour {
        self.proposal.as_ref().map_or(first, |proposal| proposal.by.other())
    }

    /// Every stone of the chains proposed as dead, on the board the proposal is about.
    pub(crate) fn dead_stones<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Point> + 'a {
        self.proposal.iter().flat_map(|proposal| proposal.terms.dead()).flat_map(|at| board.chain(*at))
    }

    /// A number that depends on all that was said and still counts.
    pub(crate) fn digest(&self) -> u64 {
        let start = u64::from(self.proposals);
        let Some(Proposal { by, terms }) = &self.proposal else { return start };
        terms.lists().into_iter().fold(mix(start), |hash, list| {
            list.iter().fold(mix(hash), |hash, at| mix(hash ^ zobrist::stone(by.index(), at.index())))
        })
    }
}

/// The first stone in reading order of each of the chains named by these points, in reading order.
///
/// # Errors
/// [`Illegal::NoStone`] or [`Illegal::OffBoard`] if a point names no chain.
pub fn canonical_chains(board: &Board, named: &[Point]) -> Result<Vec<Point>, Illegal> {
    // A chain is walked once, however often it is named.
    let mut heads: Vec<Point> = Vec::with_capacity(named.len());
    for at in named {
        let missing = if board.contains(*at) { Illegal::NoStone } else { Illegal::OffBoard };
        heads.push(board.chain_head(*at).ok_or(missing)?);
    }
    Ok(sorted(sorted(heads).into_iter().filter_map(|head| board.chain(head).min()).collect()))
}

/// Takes dead chains off a board and returns their stones in reading order.
pub(crate) fn lift(board: &mut Board, chains: &[Point]) -> Vec<Stone> {
    let mut dead = Vec::new();
    for at in chains {
        board.lift_chain(*at, |at, colour| dead.push(Stone { at, colour }));
    }
    dead.sort_unstable_by_key(|stone| stone.at);
    dead
}

/// The board when these chains have been taken off.
pub(crate) fn without(board: &Board, chains: &[Point]) -> Board {
    let mut board = board.clone();
    lift(&mut board, chains);
    board
}

/// The points in reading order, each once.
pub(crate) fn sorted(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    points
}
