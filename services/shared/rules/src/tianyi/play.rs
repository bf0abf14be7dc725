use super::{Act, Illegal, Rules, Score, Settlement, Terms, digest::Digest};
use crate::{
    Side,
    goban::{self, Setup},
};

/// How a game ended by its rules.
pub type Ending = goban::Ending<Score>;

/// The game from the first move on: the play of Go with an agreement and a count of its own.
#[derive(Clone, Debug)]
pub struct Play {
    position: goban::Position<Settlement>,
    terms: Terms,
}

impl Play {
    /// Begins the play from the placed stones: the first position of its history (T15).
    pub(super) fn new(setup: &Setup, rules: &Rules, terms: Terms) -> Play {
        Play { position: goban::Position::from_setup(setup, rules.play(terms.komi)), terms }
    }

    /// The position, with the exact types of the play.
    pub const fn position(&self) -> &goban::Position<Settlement> {
        &self.position
    }

    /// Who plays which colour, and what White pays.
    pub const fn terms(&self) -> Terms {
        self.terms
    }

    /// How the game ended, once it has.
    pub const fn ending(&self) -> Option<&Ending> {
        self.position.ending()
    }

    /// The settlement that stands proposed.
    pub fn standing(&self) -> Option<&Settlement> {
        self.position.agreement()?.proposal.as_ref().map(|proposal| &proposal.terms)
    }

    /// What the system proposes, with the chains that stand proposed as dead.
    pub fn proposal(&self) -> Settlement {
        let dead = self.standing().map_or(&[][..], |settlement| &settlement.dead);
        Settlement::proposed(self.position.board(), dead)
    }

    /// Whose clock runs.
    pub fn on_clock(&self) -> Option<Side> {
        self.position.awaited().map(|colour| self.terms.seats.side(colour))
    }

    /// Does what a player asks for and returns it in canonical form.
    pub(super) fn act(&mut self, side: Side, act: &Act) -> Result<Act, Illegal> {
        match act {
            Act::Turn(turn) => self.position.act(self.terms.seats.colour(side), turn).map(Act::Turn),
            _ if self.ending().is_some() => Err(goban::Illegal::GameOver.into()),
            Act::Accept(_) if self.position.agreement().is_none() => {
                Err(goban::Illegal::NotInAgreement.into())
            }
            _ => Err(Illegal::NotNow),
        }
    }

    /// Gives the turn to a side out of turn; an agreement is then disputed first.
    pub(super) fn give_turn(&mut self, side: Side) -> bool {
        self.position.give_turn(self.terms.seats.colour(side))
    }

    /// Adds everything to a hash.
    pub(super) fn digest(&self, start: Digest) -> Digest {
        start.add(self.position.hash())
    }
}
