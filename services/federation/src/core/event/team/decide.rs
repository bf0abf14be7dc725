//! What teams and their captains may do: enter, accept, leave.

use std::collections::BTreeSet;

use chassis::id::{AccountId, MemberId, TeamId};
use pairing::{Number, Status, lineup::LineupError};
use time::OffsetDateTime;

use super::{EnteredTeam, TeamEntrant, TeamFact};
use crate::core::event::{
    Event, Fact, Refusal,
    fact::{Entrant, Sealed},
};

/// A team that is to be entered. Numbers are given when it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTeam {
    /// The team of the federation.
    pub team: TeamId,
    /// Its captain.
    pub captain: AccountId,
    /// Its players, board 1 first.
    pub players: Vec<Entrant>,
    /// Its reserves.
    pub reserves: Vec<Entrant>,
    /// What it shares with others.
    pub affiliations: Vec<u32>,
    /// The version of the supplement that its captain accepts.
    pub accepts: u32,
}

/// What a team is said to be from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamStatusChange {
    /// Which team.
    pub team: Number,
    /// The row.
    pub status: Status,
    /// Why, beside the log.
    pub reason: Option<Sealed>,
}

impl Event {
    /// Enters a team with its players. All teams have as many boards (Art. 26.2).
    ///
    /// # Errors
    /// Why it cannot.
    pub fn enter_team(&self, new: &NewTeam, now: OffsetDateTime) -> Result<Vec<Fact>, Refusal> {
        let settings = self.settings.teams.as_ref().ok_or(Refusal::OfTeams)?;
        if let Some(before) = self.teams.iter().find(|it| it.entrant.team == new.team) {
            return Err(Refusal::Entered(before.number()));
        }
        if new.accepts != self.version {
            return Err(Refusal::OldSupplement(self.version));
        }
        let from_round = self.entry_round(self.teams.len(), now)?;
        if new.players.len() != settings.boards as usize {
            return Err(LineupError::Boards { boards: settings.boards as usize }.into());
        }
        if new.reserves.len() > settings.reserves_max as usize {
            return Err(LineupError::Reserves.into());
        }
        self.can_lead(None, new.captain)?;
        let mut number = self.next_number();
        let mut entrants = Vec::new();
        for entrant in new.players.iter().chain(&new.reserves) {
            self.not_entered(entrant)?;
            if entrant.account.is_some_and(|account| self.captained_by(account).is_some()) {
                return Err(Refusal::Captain("one of its players is captain of another team of the event"));
            }
            if entrants.iter().any(|it| is_same(it, entrant)) {
                return Err(LineupError::Twice(number).into());
            }
            entrants.push(Entrant { number, from_round, accepts: new.accepts, ..entrant.clone() });
            number.0 += 1;
        }
        let numbers: Vec<Number> = entrants.iter().map(|it| it.number).collect();
        let (players, reserves) = numbers.split_at(new.players.len());
        let team = TeamEntrant {
            number: self.next_team(),
            team: new.team,
            captain: new.captain,
            players: players.to_vec(),
            reserves: reserves.to_vec(),
            affiliations: new.affiliations.clone(),
            accepts: new.accepts,
            from_round,
        };
        team.roster()?;
        Ok(vec![Fact::Team(TeamFact::Entered { team, entrants })])
    }

    /// That somebody has not entered yet, by himself or in another team.
    pub(in crate::core::event) fn not_entered(&self, entrant: &Entrant) -> Result<(), Refusal> {
        let before = self.participants.iter().find(|it| is_same(&it.entrant, entrant));
        before.map_or(Ok(()), |before| Err(Refusal::Entered(before.number())))
    }

    /// Makes sure that somebody has not entered under any of the ids of members that are his.
    ///
    /// # Errors
    /// When he has.
    pub fn none_entered(&self, members: &BTreeSet<MemberId>) -> Result<(), Refusal> {
        let before = members.iter().find_map(|member| self.of_member(*member));
        before.map_or(Ok(()), |before| Err(Refusal::Entered(before.number())))
    }

    /// Whether somebody can lead a team, or one that enters: he learns nothing by it that another team keeps to itself.
    fn can_lead(&self, team: Option<Number>, captain: AccountId) -> Result<(), Refusal> {
        let is_other = |of: Option<Number>| of.is_some() && of != team;
        if is_other(self.captained_by(captain).map(EnteredTeam::number)) {
            return Err(Refusal::Captain("he is captain of another team of the event"));
        }
        if is_other(self.of_account(captain).and_then(|player| player.team)) {
            return Err(Refusal::Captain("he plays for another team of the event"));
        }
        Ok(())
    }

    /// Has a captain accept the supplement as it stands, for all of his team.
    ///
    /// # Errors
    /// When it is another version.
    pub fn accept_of_team(&self, team: Number, version: u32) -> Result<Vec<Fact>, Refusal> {
        let entered = self.team(team).ok_or(Refusal::UnknownNumber(team))?;
        if version != self.version {
            return Err(Refusal::OldSupplement(self.version));
        }
        let is_new = entered.accepts != version;
        let fact = is_new.then_some(Fact::Team(TeamFact::Accepted { team, version }));
        Ok(fact.into_iter().collect())
    }

    /// Gives a team another captain, by his account; none for somebody who has none.
    ///
    /// # Errors
    /// When he cannot be its captain, or would read a line-up that another has sealed.
    pub fn change_captain(
        &self,
        team: Number,
        captain: Option<AccountId>,
        reason: Option<Sealed>,
    ) -> Result<Vec<Fact>, Refusal> {
        let entered = self.team(team).ok_or(Refusal::UnknownNumber(team))?;
        let captain = captain.ok_or(Refusal::Captain("who has no account leads no team"))?;
        if entered.entrant.captain == captain {
            return Ok(Vec::new());
        }
        self.can_lead(Some(team), captain)?;
        if self.rounds.iter().any(|it| self.awaited_openings(it.published.round).contains(&team)) {
            return Err(Refusal::Captain("the line-up of the team is handed in, and not public yet"));
        }
        Ok(vec![Fact::Team(TeamFact::CaptainChanged { team, captain, reason })])
    }

    /// Writes one more row of what a team is. One that leaves or is annulled in the middle of a round loses what it has not
    /// finished.
    ///
    /// # Errors
    /// When it does not fit what is written.
    pub fn change_team_status(&self, change: TeamStatusChange) -> Result<Vec<Fact>, Refusal> {
        let TeamStatusChange { team, status, reason } = change;
        let entered = self.team(team).ok_or(Refusal::UnknownNumber(team))?;
        self.fits(&entered.statuses, status)?;
        self.fits_what_was_played(&self.everybody_of(team).collect::<Vec<_>>(), status)?;
        let mut facts = vec![Fact::Team(TeamFact::StatusAdded { team, status, reason })];
        if self.meetings().is_none() {
            // Where members play for themselves, they are what their team is.
            let members = entered.entrant.members().filter_map(|number| self.participant(number));
            let along = members.filter(|member| self.fits(&member.statuses, status).is_ok());
            facts.extend(along.map(|member| Fact::StatusAdded { number: member.number(), status, reason }));
        }
        if matches!(status, Status::Withdrawn { .. } | Status::Expelled { .. } | Status::Annulled) {
            // Also of who has left the team, and had a board to finish for it.
            facts.extend(self.everybody_of(team).flat_map(|member| self.forfeits_of(member)));
        }
        Ok(facts)
    }
}

pub(super) fn is_same(one: &Entrant, other: &Entrant) -> bool {
    one.member == other.member || (one.account.is_some() && one.account == other.account)
}
