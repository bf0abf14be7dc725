//! Entries that are corrected: a rating that was mistyped, an account that came later.

use chassis::id::AccountId;
use pairing::Number;

use super::{BoardState, EnteredTeam, Event, Fact, Refusal, Round, decide::has_left};

/// What is said of an entrant from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryUpdate {
    /// Who.
    pub number: Number,
    /// The account with which he plays; none where he plays in halls alone.
    pub account: Option<AccountId>,
    /// What he shares with others, such as his club.
    pub affiliations: Vec<u32>,
    /// What he is rated.
    pub rating: Option<i32>,
    /// His grade.
    pub grade: Option<i32>,
}

impl Event {
    /// What is said of an entrant now.
    ///
    /// # Errors
    /// When nobody has the number.
    pub fn entry(&self, number: Number) -> Result<EntryUpdate, Refusal> {
        let entrant = &self.participant(number).ok_or(Refusal::UnknownNumber(number))?.entrant;
        Ok(EntryUpdate {
            number,
            account: entrant.account,
            affiliations: entrant.affiliations.clone(),
            rating: entrant.rating,
            grade: entrant.grade,
        })
    }

    /// Corrects what is said of an entrant. What pairs him stays once a round was paired by it; his account may come later,
    /// and holds for games that are made from then on.
    ///
    /// # Errors
    /// When nobody has the number, he has left, a round was paired by what would change, or the account plays already or
    /// leads another team; or when his account would change while it has to stay.
    pub fn update_entry(&self, update: EntryUpdate) -> Result<Vec<Fact>, Refusal> {
        let before = self.entry(update.number)?;
        if update == before {
            return Ok(Vec::new());
        }
        if self.participant(update.number).is_some_and(|it| has_left(&it.statuses)) {
            return Err(Refusal::Status("he has left"));
        }
        let pairs_alike = EntryUpdate { account: before.account, ..update.clone() } == before;
        if !self.rounds.is_empty() && !pairs_alike {
            return Err(Refusal::Settled("what somebody is paired by", self.stage));
        }
        if update.account != before.account {
            self.account_may_change(&before)?;
        }
        let own = update.account.filter(|account| before.account != Some(*account));
        let leads = own.and_then(|account| self.captained_by(account)).map(EnteredTeam::number);
        if leads.is_some() && leads != self.team_of(update.number) {
            return Err(Refusal::Captain("he is captain of another team of the event"));
        }
        match own.and_then(|account| self.of_account(account)) {
            Some(other) => Err(Refusal::Entered(other.number())),
            None => Ok(vec![Fact::EntryUpdated(update)]),
        }
    }

    /// Makes sure that the account of an entrant is not what a game follows from that is awaited, nor by what it is known
    /// who has played.
    fn account_may_change(&self, before: &EntryUpdate) -> Result<(), Refusal> {
        // By it everybody knows him in the rounds that are public: so he decides nothing about them, and sees his own boards.
        if before.account.is_some() && !self.rounds.is_empty() {
            return Err(Refusal::Settled("the account of who is paired with it", self.stage));
        }
        // Whether a board has a game followed from the accounts of the two as it began; one that is postponed has none yet.
        let begun = self.rounds.iter().filter(|round| round.started.is_some()).flat_map(Round::laid);
        let mut own = begun.filter(|(_, seat, _)| seat.players.contains(&before.number));
        let has_game = |state: &BoardState| state.postponed.is_none() && !state.is_to_be_arranged();
        if own.any(|(.., state)| state.awaits_its_end() && has_game(state)) {
            return Err(Refusal::Settled("the account of whose board awaits its end", self.stage));
        }
        Ok(())
    }

    /// Takes over what is said of somebody.
    pub(super) fn take_entry(&mut self, update: &EntryUpdate) -> Result<(), &'static str> {
        let EntryUpdate { number, account, affiliations, rating, grade } = update;
        let entrant = &mut self.participant_mut(*number)?.entrant;
        entrant.account = *account;
        entrant.affiliations.clone_from(affiliations);
        (entrant.rating, entrant.grade) = (*rating, *grade);
        Ok(())
    }
}
