//! What fair play asks for beside the boards: what players state, what arbiters note for themselves, and who of them sits
//! at a board that matters, such as a final.

use std::collections::BTreeSet;

use chassis::id::AccountId;
use pairing::Number;
use time::OffsetDateTime;

use super::{
    Event, Official, Refusal, Role,
    fact::{BoardId, Fact, Sealed},
};

/// Statements of one player in an event: more than he has games.
pub const STATEMENTS_OF_PLAYER_MAX: u32 = 30;
/// Notes of all officials of an event together.
pub const NOTES_OF_OFFICIALS_MAX: u32 = 2_000;
/// Arbiters who sit at one board.
pub const SEATED_MAX: usize = 4;

/// What happened for the sake of fair play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FairPlayFact {
    /// A player has made a statement, or an official a private note.
    Stated(Statement),
    /// Arbiters sit at a board from now on, and nobody else does.
    Seated {
        /// Where.
        board: BoardId,
        /// Who.
        arbiters: Vec<AccountId>,
    },
}

/// A statement of a player, or a private note of an official.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Whose; none where it is an official's.
    pub number: Option<Number>,
    /// The board that it is about.
    pub board: Option<BoardId>,
    /// The incident that it is about.
    pub incident: Option<u32>,
    /// What it says, beside the log.
    pub text: Sealed,
}

impl Event {
    /// Files a statement or a note.
    ///
    /// # Errors
    /// When there is no such board or incident, a player may not know of it yet, or too many were filed.
    pub fn file_statement(&self, statement: Statement, now: OffsetDateTime) -> Result<Vec<Fact>, Refusal> {
        if let Some(board) = statement.board {
            self.find_board(board)?;
        }
        if let Some(number) = statement.incident {
            let own = statement.number;
            let seen = self.incident(number).filter(|it| own.is_none() || self.sees_incident(it, own, now));
            seen.ok_or(Refusal::UnknownIncident)?;
        }
        let most = if statement.number.is_some() { STATEMENTS_OF_PLAYER_MAX } else { NOTES_OF_OFFICIALS_MAX };
        if self.statements.get(&statement.number).is_some_and(|filed| *filed >= most) {
            return Err(Refusal::TooManyStatements);
        }
        Ok(vec![Fact::FairPlay(FairPlayFact::Stated(statement))])
    }

    /// Has arbiters sit at a board.
    ///
    /// # Errors
    /// When there is no such board, or one of them is no arbiter of the event, or has a part in its game.
    pub fn seat_arbiters(&self, board: BoardId, arbiters: &[Official]) -> Result<Vec<Fact>, Refusal> {
        const ARBITERS: [Role; 3] = [Role::ChiefArbiter, Role::Deputy, Role::Arbiter];
        let (_, seat, _) = self.find_board(board)?;
        if arbiters.len() > SEATED_MAX {
            return Err(Refusal::Office("at most four arbiters sit at a board"));
        }
        let accounts: Vec<AccountId> = arbiters.iter().map(|it| it.account).collect();
        if accounts.iter().collect::<BTreeSet<_>>().len() < accounts.len() {
            return Err(Refusal::Office("somebody is named twice"));
        }
        for arbiter in arbiters {
            let roles = self.officials.get(&arbiter.account);
            if !roles.is_some_and(|roles| ARBITERS.iter().any(|role| roles.contains(role))) {
                return Err(Refusal::Office("only arbiters of the event sit at its boards"));
            }
            self.not_own_game(seat, arbiter)?;
        }
        Ok(vec![Fact::FairPlay(FairPlayFact::Seated { board, arbiters: accounts })])
    }

    /// Takes over what happened.
    pub(super) fn take_fair_play(&mut self, fact: &FairPlayFact) -> Result<(), &'static str> {
        match fact {
            FairPlayFact::Stated(statement) => *self.statements.entry(statement.number).or_default() += 1,
            FairPlayFact::Seated { board, arbiters } => {
                self.board_mut(*board)?.arbiters.clone_from(arbiters);
            }
        }
        Ok(())
    }
}
