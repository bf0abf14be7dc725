use super::{Act, Illegal, MAX_PROPOSALS, Offer, Rules, Score, Settlement, Tally, Terms, digest::Digest};
use crate::{
    Side,
    go::{self, Colour, Phase, Setup},
};

/// The game from the first move on: Go with its own agreement and its own count.
#[derive(Clone, Debug)]
pub struct Play {
    position: go::Position,
    terms: Terms,
    standing: Option<(Colour, Settlement)>,
    proposals: u16,
    ending: Option<Ending>,
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the count.
    Scored(Score),
    /// By a long cycle, as a draw.
    CycleDraw,
    /// By a long cycle, to be played again.
    CycleReplay,
}

impl Play {
    /// Begins the play from the placed stones: the first position of its history (T15).
    pub(super) fn new(setup: &Setup, rules: &Rules, terms: Terms) -> Play {
        let position = go::Position::from_setup(setup, rules.play());
        Play { position, terms, standing: None, proposals: 0, ending: None }
    }

    /// The position, with the exact types of Go.
    pub const fn position(&self) -> &go::Position {
        &self.position
    }

    /// Who plays which colour, and what White pays.
    pub const fn terms(&self) -> Terms {
        self.terms
    }

    /// The settlement that stands proposed, and by whom.
    pub fn standing(&self) -> Option<(Colour, &Settlement)> {
        self.standing.as_ref().map(|(colour, settlement)| (*colour, settlement))
    }

    /// How the game ended, once it has.
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether the end is being agreed on.
    pub const fn is_in_agreement(&self) -> bool {
        matches!(self.position.phase(), Phase::Agreement(_))
    }

    /// What the house proposes, with the chains that stand proposed as dead.
    pub fn proposal(&self) -> Settlement {
        let dead = self.standing.as_ref().map_or(&[][..], |(_, settlement)| &settlement.dead);
        Settlement::proposed(self.position.board(), dead)
    }

    /// Whose clock runs.
    pub fn on_clock(&self) -> Option<Side> {
        let colour = match (self.position.phase(), &self.standing) {
            (Phase::Ended(_), _) => return None,
            (Phase::Agreement(_), Some((by, _))) => by.other(),
            _ => self.position.to_move(),
        };
        Some(self.terms.seats.side(colour))
    }

    /// Does what a player asks for and returns it in canonical form.
    pub(super) fn act(&mut self, side: Side, act: &Act) -> Result<Act, Illegal> {
        let colour = self.terms.seats.colour(side);
        match act {
            _ if self.ending.is_some() => Err(go::Illegal::GameOver.into()),
            Act::Turn(turn) => self.turn(colour, turn),
            Act::Settle(_) | Act::Accept(_) | Act::Reject if !self.is_in_agreement() => {
                Err(go::Illegal::NotInAgreement.into())
            }
            Act::Settle(settlement) => self.propose(colour, settlement),
            Act::Accept(None) => self.accept(colour, None),
            Act::Accept(Some(Offer::Settlement(named))) => self.accept(colour, Some(named)),
            Act::Reject => {
                self.position.act(colour, &go::Act::Reject)?;
                (self.standing, self.proposals) = (None, 0);
                Ok(Act::Reject)
            }
            _ => Err(Illegal::NotNow),
        }
    }

    /// Gives the turn to a side out of turn; an agreement is then disputed first.
    pub(super) fn give_turn(&mut self, side: Side) -> bool {
        let given = self.ending.is_none() && self.position.give_turn(self.terms.seats.colour(side));
        if given {
            (self.standing, self.proposals) = (None, 0);
        }
        given
    }

    /// Adds everything to a hash.
    pub(super) fn digest(&self, start: Digest) -> Digest {
        let digest = start.add(self.position.hash()).add(u64::from(self.proposals));
        match &self.standing {
            None => digest,
            Some((by, settlement)) => [&settlement.dead, &settlement.seki, &settlement.fill]
                .into_iter()
                .fold(digest.add(by.index() as u64), |digest, points| digest.points(points)),
        }
    }

    fn turn(&mut self, colour: Colour, turn: &go::Act) -> Result<Act, Illegal> {
        let done = self.position.act(colour, turn)?;
        // After the last dispute the position counts at once: with nothing agreed on, every stone is alive
        // and no block is in seki.
        self.conclude(&Settlement::default());
        Ok(Act::Turn(done))
    }

    /// A proposal is its maker's consent and replaces the one that stood. If it is the opponent's own, both
    /// have now consented to the same.
    fn propose(&mut self, by: Colour, settlement: &Settlement) -> Result<Act, Illegal> {
        let settlement = settlement.canonical(&self.position)?;
        if self.standing.as_ref().is_some_and(|(other, standing)| *other != by && *standing == settlement) {
            self.finish(by, &settlement)?;
        } else if self.proposals >= MAX_PROPOSALS {
            return Err(go::Illegal::TooManyProposals.into());
        } else {
            self.proposals += 1;
            self.standing = Some((by, settlement.clone()));
        }
        Ok(Act::Settle(settlement))
    }

    fn accept(&mut self, by: Colour, named: Option<&Settlement>) -> Result<Act, Illegal> {
        let settlement = match &self.standing {
            Some((other, settlement)) if *other != by => settlement.clone(),
            _ => return Err(go::Illegal::NoProposal.into()),
        };
        if named.is_some_and(|named| named.canonical(&self.position).as_ref() != Ok(&settlement)) {
            return Err(go::Illegal::ProposalChanged.into());
        }
        self.finish(by, &settlement)?;
        Ok(Act::Accept(Some(Offer::Settlement(settlement))))
    }

    /// Both have agreed: the dead stones leave the board as in Go, and the rest is counted.
    fn finish(&mut self, by: Colour, settlement: &Settlement) -> Result<(), Illegal> {
        self.position.act(by.other(), &go::Act::Dead(settlement.dead.clone()))?;
        self.position.act(by, &go::Act::Accept(None))?;
        self.standing = None;
        self.conclude(settlement);
        Ok(())
    }

    fn conclude(&mut self, settlement: &Settlement) {
        self.ending = self.position.ending().map(|ending| match ending {
            go::Ending::CycleDraw => Ending::CycleDraw,
            go::Ending::CycleReplay => Ending::CycleReplay,
            go::Ending::Scored(_) => {
                Ending::Scored(Score::of(Tally::of(self.position.board(), settlement), self.terms.komi))
            }
        });
    }
}
