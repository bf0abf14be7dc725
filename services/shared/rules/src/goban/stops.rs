//! What happens when both have confirmed the end: dead stones, disputes and the count.

use super::{Act, Agreement, Colour, Count, Ending, Illegal, Phase, Position, agreement::lift};

impl<T: Count> Position<T> {
    /// The talk about dead stones, while there is one.
    pub const fn agreement(&self) -> Option<&Agreement<T>> {
        match &self.phase {
            Phase::Agreement(agreement) => Some(agreement),
            _ => None,
        }
    }

    /// Both have confirmed. After the last dispute there is nothing more to agree on: every stone that the
    /// play has not removed is alive.
    pub(super) fn stop(&mut self) {
        self.phase = Phase::Agreement(Agreement::default());
        if self.disputes >= self.rules.disputes {
            self.finish(&T::default());
        }
    }

    pub(super) fn act_in_agreement(&mut self, colour: Colour, act: &Act<T>) -> Result<Act<T>, T::Illegal> {
        let Phase::Agreement(agreement) = &mut self.phase else {
            return Err(Illegal::NotInAgreement.into());
        };
        match act {
            Act::Propose(named) => {
                let terms = named.canonical(&self.board)?;
                if agreement.propose(colour, &terms)? {
                    self.finish(&terms);
                }
                Ok(Act::Propose(terms))
            }
            Act::Accept(named) => {
                let named = named.as_ref().map(|named| named.canonical(&self.board));
                let terms = agreement.accept(colour, named)?;
                self.finish(&terms);
                Ok(Act::Accept(Some(terms)))
            }
            Act::Reject => Ok(self.dispute()),
            Act::Play(_) | Act::Pass | Act::Void(_) | Act::Claim => Err(Illegal::InAgreement.into()),
        }
    }

    /// Article 21.3: a dispute is settled by playing on, and the player who confirmed first has the turn.
    fn dispute(&mut self) -> Act<T> {
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

    fn finish(&mut self, terms: &T) {
        self.removed = lift(&mut self.board, terms.dead());
        self.phase = Phase::Ended(Ending::Scored(terms.count(&self.board, &self.rules)));
    }
}
