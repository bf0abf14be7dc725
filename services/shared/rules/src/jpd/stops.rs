//! What happens when both have passed: terms, disputes, demands and the count.

use alloc::vec::Vec;

use super::{
    Act, Agreement, Ending, Illegal, Layout, NaturalEnd, Phase, Position, Proposal, Settlement, Terms,
};
use crate::{
    go::{
        self, Area, Board, Colour, Point, Stone,
        consent::{Offer, accepted, offer},
    },
    zobrist::{self, mix},
};

impl Position {
    /// The talk about the end, while there is one.
    pub const fn agreement(&self) -> Option<&Agreement> {
        match &self.phase {
            Phase::Agreement(agreement) => Some(agreement),
            _ => None,
        }
    }

    /// What is counted: the end as it was settled or, while a proposal stands, as it would be. `None` while
    /// there is neither.
    pub fn settlement(&self) -> Option<Settlement> {
        match &self.phase {
            Phase::Ended(ending) => Some(self.settle(&self.board, &self.removed, ending.terms.as_ref())),
            Phase::Agreement(Agreement { proposal: Some(proposal), .. }) => {
                let mut board = self.board.clone();
                let dead = lift(&mut board, &proposal.terms.dead);
                Some(self.settle(&board, &dead, Some(&proposal.terms)))
            }
            _ => None,
        }
    }

    /// Both have passed. After the last dispute there is nothing more to agree on: every stone that play
    /// has not removed is alive (articles 4 and 30.2).
    pub(super) fn stop(&mut self) {
        self.phase = Phase::Agreement(Agreement::default());
        if self.disputes >= self.rules.disputes {
            self.finish(None);
        }
    }

    pub(super) fn act_in_agreement(&mut self, colour: Colour, act: &Act) -> Result<Act, Illegal> {
        match act {
            Act::Propose(terms) => self.propose(colour, terms),
            Act::Accept(named) => self.accept(colour, named.as_ref()),
            Act::Reject => {
                self.disputes += 1;
                self.resume(Phase::Resolution);
                Ok(Act::Reject)
            }
            Act::Fill => self.demand(colour),
            Act::Play(_) | Act::Virtual | Act::Pass => Err(go::Illegal::InAgreement.into()),
        }
    }

    fn propose(&mut self, by: Colour, terms: &Terms) -> Result<Act, Illegal> {
        let terms = terms.canonical(&self.board)?;
        let Phase::Agreement(agreement) = &mut self.phase else {
            return Err(go::Illegal::NotInAgreement.into());
        };
        match offer(agreement.standing(), agreement.proposals, by, &terms)? {
            Offer::Agreed => self.finish(Some(&terms)),
            Offer::Stands => {
                agreement.proposals += 1;
                agreement.proposal = Some(Proposal { by, terms: terms.clone() });
            }
        }
        Ok(Act::Propose(terms))
    }

    fn accept(&mut self, by: Colour, named: Option<&Terms>) -> Result<Act, Illegal> {
        let standing = self.agreement().and_then(Agreement::standing);
        let named = named.map(|terms| terms.canonical(&self.board));
        let terms = accepted(standing, by, named.as_ref())?.clone();
        self.finish(Some(&terms));
        Ok(Act::Accept(Some(terms)))
    }

    /// Article 39: where one side demands it, the neutral points are filled. Each side may demand it as
    /// often as it may dispute, so that a game ends.
    fn demand(&mut self, by: Colour) -> Result<Act, Illegal> {
        let shared = match self.settlement() {
            Some(settlement) => settlement.layout.ledger().shared > 0,
            None => Area::of(&self.board).shared() > 0,
        };
        if !shared {
            return Err(Illegal::NothingToFill);
        }
        if self.demands[by.index()] >= self.rules.disputes {
            return Err(Illegal::TooManyDemands);
        }
        self.demands[by.index()] += 1;
        self.resume(Phase::Filling);
        Ok(Act::Fill)
    }

    fn finish(&mut self, terms: Option<&Terms>) {
        let dead = terms.map_or(&[][..], |terms| &terms.dead);
        self.removed = lift(&mut self.board, dead);
        let score = self.settle(&self.board, &self.removed, terms).score();
        self.phase = Phase::Ended(Ending { score, terms: terms.cloned() });
    }

    /// The settlement on a board from which the dead stones have been taken.
    fn settle(&self, board: &Board, dead: &[Stone], terms: Option<&Terms>) -> Settlement {
        let layout = match (terms, self.rules.natural_end) {
            (Some(terms), _) => Layout::agreed(board, terms),
            (None, NaturalEnd::Area) => Layout::agreed(board, &Terms::default()),
            (None, NaturalEnd::Adjacent) => Layout::adjacent(board),
        };
        let beside = |colour| {
            i32::try_from(self.prisoners(colour) + self.virtuals(colour)).expect("as few as there were turns")
        };
        Settlement {
            layout,
            dead: dead.to_vec(),
            beside: Colour::BOTH.map(beside),
            extra: self.extra(),
            komi: self.rules.komi,
        }
    }
}

impl Agreement {
    /// Every stone of the chains proposed as dead, on the board the proposal is about.
    pub(super) fn dead_stones<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Point> + 'a {
        self.proposal.iter().flat_map(|proposal| &proposal.terms.dead).flat_map(|at| board.chain(*at))
    }

    pub(super) fn digest(&self) -> u64 {
        let start = u64::from(self.proposals);
        let Some(Proposal { by, terms }) = &self.proposal else { return start };
        let lists = [&terms.dead, &terms.black, &terms.white, &terms.shared];
        lists.into_iter().fold(mix(start), |hash, list| {
            list.iter().fold(mix(hash), |hash, at| mix(hash ^ zobrist::stone(by.index(), at.index())))
        })
    }

    /// Who has proposed what.
    fn standing(&self) -> Option<(Colour, &Terms)> {
        self.proposal.as_ref().map(|proposal| (proposal.by, &proposal.terms))
    }
}

/// Takes dead chains off a board and returns their stones in reading order.
fn lift(board: &mut Board, chains: &[Point]) -> Vec<Stone> {
    let mut dead = Vec::new();
    for at in chains {
        board.lift_chain(*at, |at, colour| dead.push(Stone { at, colour }));
    }
    dead.sort_unstable_by_key(|stone| stone.at);
    dead
}
