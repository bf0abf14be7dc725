//! Players of a team that change while its event runs: who comes, who leaves, and who may.
//!
//! A change holds from the first round whose boards are not laid. Boards that are laid stay what they are, and so does what
//! came of them: who has left plays on what he has begun, and nothing of a table is reckoned anew.

use std::collections::{BTreeMap, BTreeSet};

use chassis::id::{MemberId, TeamId};
use pairing::{Number, ResultCode, Status, lineup::LineupError};

use super::{EnteredTeam, TeamEntrant, TeamFact, TeamSettings, decide::is_same};
use crate::core::event::{
    BadSettings, Event, Fact, Format, NotAllowed, Participant, Refusal, Stage,
    decide::has_left,
    fact::{Entrant, Sealed},
    round::{BoardState, Round},
    settings::{ENTRIES_MAX, ROUNDS_MAX, ensure},
};

/// How often a captain may change the players of his team: once every few rounds of the longest league.
pub(crate) const CHANGES_MAX: u32 = 20;
/// How often the players of a team change at all, those changes with it that officials make: each is kept for ever.
pub(crate) const ALL_CHANGES_MAX: usize = 50;

/// How the players of a team may change while the event runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RosterSettings {
    /// The last round before which a captain can change them; 0 for any.
    pub until_round: u16,
    /// How often a captain can.
    pub changes_max: u32,
    /// How many games somebody may have played for a team who then plays for another.
    pub transfer_games_max: u32,
}

/// The players that a team is to have. Whoever is in it already keeps his number; the others are given theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRoster {
    /// Which team.
    pub team: Number,
    /// Its players, board 1 first.
    pub players: Vec<Entrant>,
    /// Its reserves, in the order of their strength.
    pub reserves: Vec<Entrant>,
    /// The version of the supplement that is accepted for whoever is new.
    pub accepts: u32,
    /// Whether an official makes the change: it is bound to no round, and is none of those that the captain may make.
    pub by_official: bool,
    /// Why, beside the log.
    pub reason: Option<Sealed>,
}

/// A team has other players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterChange {
    /// Which team.
    pub team: Number,
    /// Who is new, in the order of their numbers.
    pub entrants: Vec<Entrant>,
    /// Who has left it before and is back.
    pub returned: Vec<Number>,
    /// Who leaves, after the round before the one from which this holds.
    pub left: Vec<Number>,
    /// Its players from now on, board 1 first.
    pub players: Vec<Number>,
    /// Its reserves from now on.
    pub reserves: Vec<Number>,
    /// The first round for which it holds: the first whose boards are not laid.
    pub from_round: u16,
    /// Whether an official made it.
    pub by_official: bool,
    /// Why, beside the log; none where nothing was said.
    pub reason: Option<Sealed>,
}

/// What is remembered of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The first round for which it holds.
    pub from_round: u16,
    /// Whether an official made it.
    pub by_official: bool,
    /// Who came in.
    came: Vec<Number>,
    /// Who left.
    left: Vec<Number>,
}

/// Why the players of a team do not change so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRoster {
    /// The event has no such changes.
    #[error("the players of a team stand in this event")]
    Fixed,
    /// It is too late.
    #[error("captains change the players of their teams before round {0} at the latest")]
    Late(u16),
    /// It was done too often.
    #[error("the players of the team were changed {0} times, as often as they may be")]
    TooOften(usize),
    /// A line-up is sealed, or public, for boards that are not laid.
    #[error("a line-up of the team is handed in: nobody leaves it before its boards are laid")]
    Sealed,
    /// Somebody is in it who has left the event.
    #[error("{0} has left the event")]
    Left(Number),
    /// Somebody has played for another team.
    #[error("{number} has played {games} games for another team, and may have played {most}")]
    Played {
        /// Under which number.
        number: Number,
        /// How many.
        games: u32,
        /// How many he may.
        most: u32,
    },
    /// Somebody has a board to finish for another team.
    #[error("{0} has a board to finish for another team")]
    Unfinished(Number),
    /// What an official changes he changes with a reason.
    #[error("an official changes the players of a team with a reason")]
    NoReason,
    /// The squads of a league change through it.
    #[error("the event is of a league, through which its squads change")]
    OfLeague,
}

/// What somebody has played for other teams than one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// The last number that he had there.
    pub number: Option<Number>,
    /// Games in which both sat down.
    pub games: u32,
    /// Whether he is in such a team now, or was sent away from the event.
    pub is_bound: bool,
    /// Whether one of his boards awaits its end.
    pub is_open: bool,
}

impl RosterSettings {
    /// Makes sure that they make sense with how players come to their boards.
    pub(super) fn check(self, teams: &TeamSettings, format: &Format) -> Result<(), BadSettings> {
        let changes = teams.changes() && *format != Format::Arena;
        ensure(changes, "teams.roster", || {
            "players change where boards are not fixed, and in no arena".to_owned()
        })?;
        ensure((1..=CHANGES_MAX).contains(&self.changes_max), "teams.roster.changes_max", || {
            format!("1 to {CHANGES_MAX}")
        })?;
        ensure(self.until_round <= ROUNDS_MAX, "teams.roster.until_round", || format!("at most {ROUNDS_MAX}"))
    }
}

impl RosterChange {
    /// Its team with these players.
    fn on(&self, before: &TeamEntrant) -> TeamEntrant {
        TeamEntrant { players: self.players.clone(), reserves: self.reserves.clone(), ..before.clone() }
    }
}

impl Event {
    /// The first round whose boards are not laid.
    pub fn round_not_laid(&self) -> u16 {
        let laid = self.rounds.iter().filter(|round| round.started.is_some());
        laid.map(|round| round.published.round).max().unwrap_or(0) + 1
    }

    /// Everybody who is or was in a team.
    pub fn everybody_of(&self, team: Number) -> impl Iterator<Item = Number> {
        self.participants.iter().filter(move |it| it.team == Some(team)).map(Participant::number)
    }

    /// Whether somebody has left his team for good, and not the event by himself.
    pub(in crate::core::event) fn is_out_of_team(&self, number: Number) -> bool {
        let team =
            self.team_of(number).filter(|_| self.meetings().is_some()).and_then(|team| self.team(team));
        team.is_some_and(|team| team.entrant.members().all(|it| it != number))
    }

    /// Who is or was in a team under one of these ids, as he entered it.
    pub fn in_team(&self, team: Number, ids: &BTreeSet<MemberId>) -> Option<&Entrant> {
        let own = self.participants.iter().rev().filter(|it| it.team == Some(team));
        own.map(|it| &it.entrant).find(|it| ids.contains(&it.member))
    }

    /// By which of his ids the event knows somebody, if it does.
    pub fn known_by(&self, ids: &BTreeSet<MemberId>) -> Option<MemberId> {
        self.participants.iter().rev().map(|it| it.entrant.member).find(|it| ids.contains(it))
    }

    /// Gives a team other players.
    ///
    /// # Errors
    /// Why it cannot have them.
    pub fn change_roster(&self, new: &NewRoster) -> Result<Vec<Fact>, Refusal> {
        let entered = self.team(new.team).ok_or(Refusal::UnknownNumber(new.team))?;
        if new.accepts != self.version {
            return Err(Refusal::OldSupplement(self.version));
        }
        if new.by_official && new.reason.is_none() {
            return Err(BadRoster::NoReason.into());
        }
        let change = self.numbered(entered, new)?;
        if (&change.players, &change.reserves) == (&entered.entrant.players, &entered.entrant.reserves) {
            return Ok(Vec::new());
        }
        self.check_roster(&change)?;
        Ok(vec![Fact::Team(TeamFact::RosterChanged(Box::new(change)))])
    }

    /// A change with the numbers of those who have one, and of those who are given one.
    fn numbered(&self, entered: &EnteredTeam, new: &NewRoster) -> Result<RosterChange, Refusal> {
        let mut change = RosterChange {
            team: new.team,
            entrants: Vec::new(),
            returned: Vec::new(),
            left: Vec::new(),
            players: Vec::new(),
            reserves: Vec::new(),
            from_round: self.round_not_laid(),
            by_official: new.by_official,
            reason: new.reason,
        };
        let own = |it: &Entrant| {
            let of_team = |known: &&Participant| known.team == Some(new.team) && is_same(&known.entrant, it);
            self.participants.iter().rev().find(of_team).map(Participant::number)
        };
        let mut next = self.next_number();
        let mut numbers = Vec::new();
        for entrant in new.players.iter().chain(&new.reserves) {
            if change.entrants.iter().any(|it| is_same(it, entrant)) {
                return Err(LineupError::Twice(next).into());
            }
            let number = own(entrant).unwrap_or(next);
            if number == next {
                let (from_round, accepts) = (change.from_round, new.accepts);
                change.entrants.push(Entrant { number, accepts, from_round, ..entrant.clone() });
                next.0 += 1;
            } else if entered.entrant.members().all(|it| it != number) {
                change.returned.push(number);
            }
            numbers.push(number);
        }
        change.left = entered.entrant.members().filter(|it| !numbers.contains(it)).collect();
        change.reserves = numbers.split_off(new.players.len());
        change.players = numbers;
        Ok(change)
    }

    /// Whether a team may change so: what is decided by, and what a log is held to.
    pub(super) fn check_roster(&self, change: &RosterChange) -> Result<(), Refusal> {
        let teams = self.meetings().ok_or(Refusal::OfTeams)?;
        let settings = teams.roster.ok_or(BadRoster::Fixed)?;
        let entered = self.team(change.team).ok_or(Refusal::UnknownNumber(change.team))?;
        if has_left(&entered.statuses) {
            return Err(Refusal::Status("the team has left"));
        }
        if !matches!(self.stage, Stage::Registration | Stage::Running) {
            return Err(NotAllowed::Stage(self.stage).into());
        }
        self.in_time(settings, entered, change)?;
        if change.players.len() != teams.boards as usize {
            return Err(LineupError::Boards { boards: teams.boards as usize }.into());
        }
        if change.reserves.len() > teams.reserves_max as usize {
            return Err(LineupError::Reserves.into());
        }
        let next = change.on(&entered.entrant).roster()?;
        entered.entrant.roster()?.may_become(teams.line_up, &next)?;
        self.parts_well(entered, change)?;
        if self.participants.len() + change.entrants.len() > ENTRIES_MAX as usize {
            return Err(Refusal::Full);
        }
        // Who comes back may have been in another team meanwhile.
        let back = change.returned.iter().filter_map(|it| self.participant(*it)).map(|it| &it.entrant);
        change.entrants.iter().chain(back).try_for_each(|it| self.may_join(settings, entered, it))
    }

    /// That it is the time for a change, and not one too many.
    fn in_time(
        &self,
        settings: RosterSettings,
        entered: &EnteredTeam,
        change: &RosterChange,
    ) -> Result<(), Refusal> {
        if entered.changes.len() >= ALL_CHANGES_MAX {
            return Err(BadRoster::TooOften(ALL_CHANGES_MAX).into());
        }
        let from_round = self.round_not_laid();
        if change.from_round != from_round {
            return Err(Refusal::Round(
                "a change of players holds from the first round whose boards are not laid",
            ));
        }
        if change.by_official {
            return Ok(());
        }
        if settings.until_round != 0 && from_round > settings.until_round {
            return Err(BadRoster::Late(settings.until_round).into());
        }
        let most = settings.changes_max as usize;
        if entered.own_changes() >= most { Err(BadRoster::TooOften(most).into()) } else { Ok(()) }
    }

    /// That nobody leaves whose line-up is sealed, and nobody stays or comes back who has left the event.
    fn parts_well(&self, entered: &EnteredTeam, change: &RosterChange) -> Result<(), Refusal> {
        // Who of a team leaves while its line-up is sealed would tell whether he is in it; and once it is public the other
        // team has answered it.
        let is_handed_in =
            |round: &Round| round.line_ups.get(&entered.number()).is_some_and(|it| it.handed_in);
        let mut open = self.rounds.iter().filter(|round| round.started.is_none());
        if !change.left.is_empty() && open.any(is_handed_in) {
            return Err(BadRoster::Sealed.into());
        }
        let mut kept =
            change.players.iter().chain(&change.reserves).filter(|it| !change.returned.contains(it));
        let away = |number: &&Number| self.participant(**number).is_some_and(|it| has_left(&it.statuses));
        if let Some(gone) = kept.find(away) {
            return Err(BadRoster::Left(*gone).into());
        }
        let sent = |number: &&Number| self.participant(**number).is_none_or(|it| was_sent_away(&it.statuses));
        let sent = change.returned.iter().find(sent);
        sent.map_or(Ok(()), |gone| Err(BadRoster::Left(*gone).into()))
    }

    /// That somebody who is new in a team may play for it.
    fn may_join(
        &self,
        settings: RosterSettings,
        entered: &EnteredTeam,
        entrant: &Entrant,
    ) -> Result<(), Refusal> {
        let leads = entrant.account.and_then(|account| self.captained_by(account)).map(EnteredTeam::number);
        if leads.is_some_and(|led| led != entered.number()) {
            return Err(Refusal::Captain("one of its players is captain of another team of the event"));
        }
        let elsewhere = self.played_elsewhere(entered.entrant.team, |it| is_same(it, entrant));
        let Some(number) = elsewhere.number else { return Ok(()) };
        let (games, most) = (elsewhere.games, settings.transfer_games_max);
        match () {
            () if elsewhere.is_bound => Err(Refusal::Entered(number)),
            () if elsewhere.is_open => Err(BadRoster::Unfinished(number).into()),
            () if games > most => Err(BadRoster::Played { number, games, most }.into()),
            () => Ok(()),
        }
    }

    /// What somebody has played for other teams than this.
    pub fn played_elsewhere(&self, team: TeamId, is_he: impl Fn(&Entrant) -> bool) -> Elsewhere {
        let of_other = |it: &&Participant| {
            let other = it.team.and_then(|number| self.team(number));
            other.is_some_and(|other| other.entrant.team != team)
        };
        let (games, mut found) = (self.games(), Elsewhere::default());
        for it in self.participants.iter().filter(of_other).filter(|it| is_he(&it.entrant)) {
            found.number = Some(it.number());
            found.is_bound |= !self.is_out_of_team(it.number()) || was_sent_away(&it.statuses);
            found.games += games.get(&it.number()).copied().unwrap_or(0);
            found.is_open |= self.boards_of_player(it.number()).any(BoardState::awaits_its_end);
        }
        found
    }

    /// How many games everybody has played: who wins without one has not.
    pub fn games(&self) -> BTreeMap<Number, u32> {
        let mut games = BTreeMap::new();
        for (_, board, state) in self.all_boards() {
            let Some(result) = state.result.as_ref().filter(|result| result.is_settled()) else { continue };
            for (number, code) in board.players.into_iter().zip(result.codes) {
                *games.entry(number).or_insert(0) += u32::from(is_played(code));
            }
        }
        games
    }

    fn boards_of_player(&self, number: Number) -> impl Iterator<Item = &BoardState> {
        let own = self.all_boards().filter(move |(_, seat, _)| seat.players.contains(&number));
        own.map(|(.., state)| state)
    }

    /// Takes over that a team has other players.
    pub(super) fn take_roster(&mut self, change: &RosterChange) -> Result<(), &'static str> {
        for entrant in &change.entrants {
            self.add_member(change.team, entrant)?;
        }
        for number in &change.returned {
            let from_round = change.from_round;
            self.participant_mut(*number)?.statuses.push(Status::Active { from_round });
        }
        for number in &change.left {
            let statuses = &mut self.participant_mut(*number)?.statuses;
            if !has_left(statuses) {
                statuses.push(Status::Withdrawn { after_round: change.from_round.saturating_sub(1) });
            }
        }
        let members = change.players.iter().chain(&change.reserves);
        if members.into_iter().any(|member| self.team_of(*member) != Some(change.team)) {
            return Err("a team has its own players");
        }
        let came =
            change.entrants.iter().map(|it| it.number).chain(change.returned.iter().copied()).collect();
        let (from_round, by_official, left) = (change.from_round, change.by_official, change.left.clone());
        let team = self.team_mut(change.team)?;
        team.entrant = change.on(&team.entrant);
        team.changes.push(Changed { from_round, by_official, came, left });
        Ok(())
    }

    /// A round is taken back whose boards were laid: what changed since holds for it when they are laid anew.
    pub(in crate::core::event) fn rosters_hold_from(&mut self, round: u16) {
        let mut moved: Vec<(Number, Status, Status)> = Vec::new();
        for change in self.teams.iter_mut().flat_map(|team| &mut team.changes) {
            if change.from_round != round + 1 {
                continue;
            }
            change.from_round = round;
            let active = |from_round| Status::Active { from_round };
            let gone = |after_round| Status::Withdrawn { after_round };
            moved.extend(change.came.iter().map(|it| (*it, active(round + 1), active(round))));
            moved.extend(change.left.iter().map(|it| (*it, gone(round), gone(round.saturating_sub(1)))));
        }
        for (number, was, is) in moved {
            let Ok(participant) = self.participant_mut(number) else { continue };
            if let Some(status) = participant.statuses.iter_mut().rev().find(|it| **it == was) {
                *status = is;
            }
        }
    }
}

impl EnteredTeam {
    /// How often its captain has changed its players.
    pub fn own_changes(&self) -> usize {
        self.changes.iter().filter(|it| !it.by_official).count()
    }

    /// Who has left it by a change of its players, and is not back.
    pub fn former(&self) -> BTreeSet<Number> {
        let left = self.changes.iter().flat_map(|it| &it.left).copied();
        left.filter(|number| self.entrant.members().all(|it| it != *number)).collect()
    }
}

/// Whether the two have sat down.
const fn is_played(code: ResultCode) -> bool {
    matches!(code, ResultCode::Win | ResultCode::Loss | ResultCode::Draw)
}

/// Whether somebody does not come back: expelled, or annulled.
fn was_sent_away(statuses: &[Status]) -> bool {
    let leaving = |it: &&Status| matches!(it, Status::Withdrawn { .. } | Status::Expelled { .. });
    let last = statuses.iter().rev().find(leaving);
    statuses.contains(&Status::Annulled)
        || matches!(last, Some(Status::Expelled { .. })) && has_left(statuses)
}
