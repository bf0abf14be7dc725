//! What happens when both have confirmed the end: dead stones, disputes and the count.

use alloc::vec::Vec;

use super::{
    Act, Agreement, Board, Colour, Ending, Illegal, Phase, Point, Position, Proposal, Score, Stone,
    consent::{Offer, accepted, offer},
};
use crate::zobrist::{self, mix};

impl Position {
    /// The count if the chains of these stones are dead and everything else is alive (article 9); points
    /// without a stone are left out.
    pub fn score(&self, dead: &[Point]) -> Score {
        let mut board = self.board.clone();
        for at in dead {
            board.lift_chain(*at, |_, _| ());
        }
        Score::of(&board, &self.rules)
    }

    /// The talk about dead stones, while there is one.
    pub const fn agreement(&self) -> Option<&Agreement> {
        match &self.phase {
            Phase::Agreement(agreement) => Some(agreement),
            _ => None,
        }
    }

    /// The first stone in reading order of each of the chains named by these points, in reading order.
    ///
    /// # Errors
    /// [`Illegal::NoStone`] or [`Illegal::OffBoard`] if a point names no chain.
    pub fn canonical_chains(&self, named: &[Point]) -> Result<Vec<Point>, Illegal> {
        canonical_chains(&self.board, named)
    }

    /// Both have confirmed. After the last dispute there is nothing more to agree on: every stone that the
    /// play has not removed is alive.
    pub(super) fn stop(&mut self) {
        self.phase = Phase::Agreement(Agreement { proposal: None, proposals: 0 });
        if self.disputes >= self.rules.disputes {
            self.finish(&[]);
        }
    }

    pub(super) fn act_in_agreement(&mut self, colour: Colour, act: &Act) -> Result<Act, Illegal> {
        match act {
            Act::Dead(named) => self.propose(colour, named),
            Act::Accept(named) => self.accept(colour, named.as_deref()),
            Act::Reject => Ok(self.dispute()),
            Act::Play(_) | Act::Pass | Act::Void(_) | Act::Claim => Err(Illegal::InAgreement),
        }
    }

    /// A proposal is its maker's consent and replaces the one that stood, with the consent to it. If it is
    /// the opponent's own standing proposal, both have now consented to the same.
    fn propose(&mut self, by: Colour, named: &[Point]) -> Result<Act, Illegal> {
        let dead = self.canonical_chains(named)?;
        let Phase::Agreement(agreement) = &mut self.phase else { return Err(Illegal::NotInAgreement) };
        match offer(agreement.standing(), agreement.proposals, by, &dead)? {
            Offer::Agreed => self.finish(&dead),
            Offer::Stands => {
                agreement.proposals += 1;
                agreement.proposal = Some(Proposal { by, dead: dead.clone() });
            }
        }
        Ok(Act::Dead(dead))
    }

    fn accept(&mut self, by: Colour, named: Option<&[Point]>) -> Result<Act, Illegal> {
        let standing = self.agreement().and_then(Agreement::standing);
        let named = named.map(|named| self.canonical_chains(named));
        let dead = accepted(standing, by, named.as_ref())?.clone();
        self.finish(&dead);
        Ok(Act::Accept(Some(dead)))
    }

    /// Article 21.3: a dispute is settled by playing on, and the player who confirmed first has the turn.
    fn dispute(&mut self) -> Act {
        self.disputes += 1;
        self.phase = Phase::Resolution;
        self.removed.clear();
        Act::Reject
    }

    /// Gives the turn to a colour out of turn, with what an imposed pass does to the history; an agreement is
    /// then disputed first. Not once the game is over, nor before the handicap stones are placed.
    pub(crate) fn give_turn(&mut self, colour: Colour) -> bool {
        match self.phase {
            Phase::Ended(_) | Phase::Handicap { .. } => return false,
            Phase::Agreement(_) => drop(self.dispute()),
            Phase::Play | Phase::Resolution => {}
        }
        if self.to_move != colour {
            self.skip_turn();
        }
        true
    }

    fn finish(&mut self, dead: &[Point]) {
        let removed = &mut self.removed;
        removed.clear();
        for at in dead {
            self.board.lift_chain(*at, |at, colour| removed.push(Stone { at, colour }));
        }
        removed.sort_unstable_by_key(|stone| stone.at);
        self.phase = Phase::Ended(Ending::Scored(Score::of(&self.board, &self.rules)));
    }
}

impl Agreement {
    /// Who has proposed what.
    fn standing(&self) -> Option<(Colour, &Vec<Point>)> {
        self.proposal.as_ref().map(|proposal| (proposal.by, &proposal.dead))
    }

    /// Every stone of the chains proposed as dead, on the board the proposal is about.
    pub(crate) fn dead_stones<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Point> + 'a {
        self.proposal.iter().flat_map(|proposal| &proposal.dead).flat_map(|at| board.chain(*at))
    }

    pub(super) fn digest(&self) -> u64 {
        let start = u64::from(self.proposals);
        self.proposal.as_ref().map_or(start, |proposal| {
            proposal
                .dead
                .iter()
                .fold(mix(start), |hash, at| mix(hash ^ zobrist::stone(proposal.by.index(), at.index())))
        })
    }
}

/// The first stone in reading order of each of the chains named by these points, in reading order.
pub(crate) fn canonical_chains(board: &Board, named: &[Point]) -> Result<Vec<Point>, Illegal> {
    // A chain is walked once, however often it is named.
    let mut heads: Vec<Point> = Vec::with_capacity(named.len());
    for at in named {
        let missing = if board.contains(*at) { Illegal::NoStone } else { Illegal::OffBoard };
        heads.push(board.chain_head(*at).ok_or(missing)?);
    }
    heads.sort_unstable();
    heads.dedup();
    let mut chains: Vec<_> = heads.into_iter().filter_map(|head| board.chain(head).min()).collect();
    chains.sort_unstable();
    Ok(chains)
}
