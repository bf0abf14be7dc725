//! What happens when both have passed: terms, disputes, demands and the count.

use super::{Act, Ending, Illegal, Layout, NaturalEnd, Phase, Position, Settlement, Terms};
use crate::goban::{self, Agreement, Area, Board, Colour, Stone, Terms as _, agreement::lift};

impl Position {
    /// The talk about the end, while there is one.
    pub const fn agreement(&self) -> Option<&Agreement<Terms>> {
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
        let Phase::Agreement(agreement) = &mut self.phase else {
            return Err(goban::Illegal::NotInAgreement.into());
        };
        match act {
            Act::Propose(terms) => {
                let terms = terms.canonical(&self.board)?;
                if agreement.propose(colour, &terms)? {
                    self.finish(Some(&terms));
                }
                Ok(Act::Propose(terms))
            }
            Act::Accept(named) => {
                let named = named.as_ref().map(|named| named.canonical(&self.board));
                let terms = agreement.accept(colour, named)?;
                self.finish(Some(&terms));
                Ok(Act::Accept(Some(terms)))
            }
            Act::Reject => {
                self.disputes += 1;
                self.resume(Phase::Resolution);
                Ok(Act::Reject)
            }
            Act::Fill => self.demand(colour),
            Act::Play(_) | Act::Virtual | Act::Pass => Err(goban::Illegal::InAgreement.into()),
        }
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
