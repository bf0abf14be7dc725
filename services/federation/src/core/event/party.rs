//! Who has a part in a game or a case himself, and so decides nothing in it.

use std::collections::BTreeSet;

use chassis::id::{AccountId, MemberId};
use pairing::Number;

use super::{
    Event, Participant, Refusal, Whose,
    fact::{Board, PublishedRound},
};

/// An official who decides something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Official {
    /// His account.
    pub account: AccountId,
    /// The members for whom he acts as a proxy, and he himself, by every id that they have or had.
    pub represents: BTreeSet<MemberId>,
}

impl Event {
    /// Whether somebody is one of these entrants, the proxy of one, or the captain of the team of one.
    pub fn has_part(&self, official: &Official, entrants: impl IntoIterator<Item = Number>) -> bool {
        let led = self.captained_by(official.account).map(super::EnteredTeam::number);
        let mut entrants = entrants.into_iter().filter_map(|number| self.participant(number));
        entrants.any(|it| {
            it.entrant.account == Some(official.account)
                || official.represents.contains(&it.entrant.member)
                || (led.is_some() && it.team == led)
        })
    }

    pub(super) fn not_own_game(&self, seat: &Board, official: &Official) -> Result<(), Refusal> {
        self.not_of(seat.players, official)
    }

    /// Makes sure that what becomes of entrants decides no game of an official: whoever is sent away loses what he has not
    /// finished, and whoever is annulled all that he has played.
    ///
    /// # Errors
    /// When he has a part in one of them, or in whom one of them has met or meets; and where all meet or may meet, because
    /// the list of the start holds, in anybody once a round is public.
    pub fn not_own_entry(&self, entrants: &[Number], official: &Official) -> Result<(), Refusal> {
        if self.has_open_list() || self.rounds.is_empty() {
            self.not_of(self.with_whom_they_meet(entrants), official)
        } else {
            self.not_of(self.participants.iter().map(Participant::number), official)
        }
    }

    /// Makes sure that an official has no part in what he decides on somebody's leave: it moves the deadlines of whoever he
    /// meets.
    ///
    /// # Errors
    /// When he is one of those, or acts for one.
    pub fn not_own_leave(&self, whose: Whose, official: &Official) -> Result<(), Refusal> {
        let entrants = self.participants.iter().map(Participant::number);
        let entrants: Vec<Number> = entrants.filter(|it| self.is_covered(whose, *it)).collect();
        self.not_of(self.with_whom_they_meet(&entrants), official)
    }

    /// Entrants with those at their boards, and, where teams meet, with everybody in their matches.
    fn with_whom_they_meet(&self, entrants: &[Number]) -> BTreeSet<Number> {
        let mut concerned: BTreeSet<Number> = entrants.iter().copied().collect();
        let seated = self.all_boards().map(|(_, seat, _)| seat.players);
        concerned.extend(seated.filter(|it| it.iter().any(|it| entrants.contains(it))).flatten());
        let teams: BTreeSet<Number> = entrants.iter().filter_map(|it| self.team_of(*it)).collect();
        let matches = self.rounds.iter().flat_map(|round| &round.published.matches);
        let theirs = matches.filter(|it| it.players.iter().any(|team| teams.contains(team)));
        concerned.extend(theirs.flat_map(|meeting| self.members_of(meeting)));
        concerned
    }

    /// Everybody who is or was in the two teams of a match.
    fn members_of(&self, meeting: &Board) -> impl Iterator<Item = Number> {
        meeting.players.into_iter().flat_map(move |team| self.everybody_of(team))
    }

    /// Makes sure that an official has changed no pair of a draft in which he has a part, as it was or as it is now.
    ///
    /// # Errors
    /// When he has.
    pub fn not_own_pairs(
        &self,
        draft: &PublishedRound,
        changed: &PublishedRound,
        official: &Official,
    ) -> Result<(), Refusal> {
        let seated = differing(&draft.boards, &changed.boards).flat_map(|board| board.players);
        self.not_of(seated, official)?;
        let matches = differing(&draft.matches, &changed.matches);
        self.not_of(matches.flat_map(|meeting| self.members_of(meeting)), official)
    }

    fn not_of(&self, entrants: impl IntoIterator<Item = Number>, official: &Official) -> Result<(), Refusal> {
        if self.has_part(official, entrants) { Err(Refusal::OwnGame) } else { Ok(()) }
    }
}

/// The boards, before and after, at which others sit now.
fn differing<'a>(before: &'a [Board], after: &'a [Board]) -> impl Iterator<Item = &'a Board> {
    let both = before.iter().zip(after).filter(|(before, after)| before.players != after.players);
    both.flat_map(|(before, after)| [before, after])
}
