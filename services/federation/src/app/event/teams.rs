//! Teams of events: entering, leaving, line-ups and matches.

use std::collections::BTreeSet;

use chassis::{
    auth::Caller,
    database::{Contention as _, StoreError},
    id::{AccountId, EventId, MemberId, TeamId},
};
use pairing::{Number, Status};

use super::{
    Events,
    acts::{follows_from_season, is_ones_own},
    command::{ATTEMPTS_MAX, Decided, sees_behind},
    queries::Sight,
    registry::Current,
};
use crate::{
    core::{
        event::{
            Act, Answerer, BadRoster, ChallengeAnswer, EnteredTeam, Entrant, Event, NewRoster, NewTeam,
            Opening, Participant, Refusal, Role, Round, TeamStatusChange, fact::Digest, team::OfRound,
        },
        refusal,
        team::{Part, Team},
    },
    error::{Error, Result},
    store::event::{line_up, note::Note},
    wire::event::request::Change,
};

/// A team that is to be entered.
#[derive(Clone, Debug)]
pub(crate) struct TeamEntry {
    /// Which.
    pub team: TeamId,
    /// Its players; empty for those that it has now, with its substitutes for reserves.
    pub players: Vec<MemberId>,
    /// Its reserves.
    pub reserves: Vec<MemberId>,
    /// The version of the supplement that its captain accepts.
    pub version: u32,
    /// What it shares with others.
    pub affiliations: Vec<u32>,
}

/// The players that a team is to have.
#[derive(Clone, Debug)]
pub(crate) struct RosterEntry {
    /// Its number.
    pub team: Number,
    /// Its players, board 1 first.
    pub players: Vec<MemberId>,
    /// Its reserves.
    pub reserves: Vec<MemberId>,
    /// The version of the supplement that is accepted for whoever is new.
    pub version: u32,
    /// Why; empty where nothing was said.
    pub reason: String,
}

impl Events {
    /// Enters a team: by its captain, or by an official.
    pub(crate) async fn enter_team(
        &self,
        caller: &Caller,
        change: &Change,
        entry: TeamEntry,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        let asker = self.asker(&event, caller, Act::EnterTeam, None).await?;
        let team = self.people.team(event.federation, entry.team).await?;
        let team = team.ok_or(refusal::Refusal::UnknownTeam)?;
        let of_official = !matches!(asker.role, Role::Member | Role::Captain);
        let is_captain = team.captain.is_some() && team.captain == asker.member;
        if !of_official && (!is_captain || !entry.affiliations.is_empty()) {
            return Err(Refusal::NotCaptain.into());
        }
        let new = self.new_team(&event, &team, &entry).await?;
        let members = new.players.iter().chain(&new.reserves).map(|it| it.member);
        let ids = self.people.by_every_id(event.federation, members).await?;
        self.carry_out(caller, Act::EnterTeam, change, |event, _| {
            let facts = event.enter_team(&new, self.env.now())?;
            event.none_entered(&ids)?;
            Ok(facts.into())
        })
        .await
    }

    /// Who plays for a team, as the federation knows them now.
    async fn new_team(&self, event: &Event, team: &Team, entry: &TeamEntry) -> Result<NewTeam> {
        let of_part =
            |part: Part| team.members.iter().filter(move |it| it.1 == part).map(|it| it.0).collect();
        let (players, reserves) = if entry.players.is_empty() {
            (of_part(Part::Player), of_part(Part::Substitute))
        } else {
            (entry.players.clone(), entry.reserves.clone())
        };
        let captain = self.captain(event, team).await?.ok_or(Refusal::NobodyLeads)?;
        Ok(NewTeam {
            team: team.id,
            captain,
            players: self.entrants(event, team, &players).await?,
            reserves: self.entrants(event, team, &reserves).await?,
            affiliations: entry.affiliations.clone(),
            accepts: entry.version,
        })
    }

    /// The account of a team's captain.
    async fn captain(&self, event: &Event, team: &Team) -> Result<Option<AccountId>> {
        let Some(captain) = team.captain else { return Ok(None) };
        let person = self.people.member(event.federation, captain).await?;
        Ok(person.and_then(|person| person.account))
    }

    /// Members of a team as those who enter; their numbers are given later.
    async fn entrants(&self, event: &Event, team: &Team, members: &[MemberId]) -> Result<Vec<Entrant>> {
        let mut entrants = Vec::with_capacity(members.len());
        for (place, member) in (1..).zip(members) {
            let person = self.people.member(event.federation, *member).await?;
            let of_team = person.filter(|person| team.members.iter().any(|(it, _)| *it == person.id));
            let person =
                of_team.ok_or(Refusal::from(pairing::lineup::LineupError::Stranger(Number(place))))?;
            entrants.push(Entrant {
                number: Number(0),
                member: person.id,
                account: person.account,
                affiliations: Vec::new(),
                rating: None,
                grade: None,
                accepts: event.version,
                from_round: 0,
            });
        }
        Ok(entrants)
    }

    /// Writes one more row of what a team is. Its captain leaves with it, or has it away.
    pub(crate) async fn change_team(
        &self,
        caller: &Caller,
        change: &Change,
        (team, status): (Number, Status),
        reason: String,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        let leads = event.captained_by(caller.id).is_some_and(|own| own.number() == team);
        let act = if is_ones_own(status) && leads { Act::LeadTeam } else { Act::ChangeTeam };
        let note = (!reason.is_empty()).then(|| self.note(reason));
        self.carry_out(caller, act, change, |event, asker| {
            if asker.role == Role::Captain {
                leads_team(event, asker.account, team)?;
            } else {
                event.team(team).ok_or(Refusal::UnknownNumber(team))?;
                let members: Vec<Number> = event.everybody_of(team).collect();
                event.not_own_entry(&members, &asker.official())?;
            }
            let reason = note.as_ref().map(Note::sealed);
            let facts = event.change_team_status(TeamStatusChange { team, status, reason })?;
            Ok(Decided::noted(facts, &note))
        })
        .await
    }

    /// Gives a team another captain.
    pub(crate) async fn change_captain(
        &self,
        caller: &Caller,
        change: &Change,
        (team, member): (Number, MemberId),
        reason: String,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        self.asker(&event, caller, Act::ChangeCaptain, None).await?;
        let person = self.people.member(event.federation, member).await?;
        let person = person.ok_or(refusal::Refusal::UnknownMember)?;
        let note = (!reason.is_empty()).then(|| self.note(reason));
        self.carry_out(caller, Act::ChangeCaptain, change, |event, _| {
            let reason = note.as_ref().map(Note::sealed);
            Ok(Decided::noted(event.change_captain(team, person.account, reason)?, &note))
        })
        .await
    }

    /// Gives a team other players: by its captain, or by an official with a reason.
    pub(crate) async fn change_roster(
        &self,
        caller: &Caller,
        change: &Change,
        asked: &RosterEntry,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        self.asker(&event, caller, Act::ChangeRoster, None).await?;
        if follows_from_season(event.id) {
            return Err(Refusal::from(BadRoster::OfLeague).into());
        }
        let entered = event.team(asked.team).ok_or(Refusal::UnknownNumber(asked.team))?;
        let members = self.roster_members(&event, entered, asked).await?;
        let note = (!asked.reason.is_empty()).then(|| self.note(asked.reason.clone()));
        self.carry_out(caller, Act::ChangeRoster, change, |event, asker| {
            let leads = event.captained_by(asker.account).is_some_and(|own| own.number() == asked.team);
            if asker.role == Role::Captain {
                leads_team(event, asker.account, asked.team)?;
            } else if !leads {
                event
                    .not_own_entry(&event.everybody_of(asked.team).collect::<Vec<_>>(), &asker.official())?;
            }
            let (players, reserves) = members.split_at(asked.players.len());
            let facts = event.change_roster(&NewRoster {
                team: asked.team,
                players: players.to_vec(),
                reserves: reserves.to_vec(),
                accepts: asked.version,
                by_official: !leads,
                reason: note.as_ref().map(Note::sealed),
            })?;
            let as_role = leads.then_some(Role::Captain);
            Ok(Decided { as_role, ..Decided::noted(facts, &note) })
        })
        .await
    }

    /// Whom a change names, as the event knows them already, or as they enter. Who is new is in the team of the federation.
    async fn roster_members(
        &self,
        event: &Event,
        entered: &EnteredTeam,
        asked: &RosterEntry,
    ) -> Result<Vec<Entrant>> {
        let team = self.people.team(event.federation, entered.entrant.team).await?;
        let mut members = Vec::with_capacity(asked.players.len() + asked.reserves.len());
        for member in asked.players.iter().chain(&asked.reserves) {
            let known = self.known_in(event, *member).await?;
            if let Some(own) = event.in_team(entered.number(), &known) {
                members.push(own.clone());
                continue;
            }
            let team = team.as_ref().ok_or(refusal::Refusal::UnknownTeam)?;
            let new = self.entrants(event, team, &[*member]).await?.into_iter();
            members.extend(
                new.map(|new| Entrant { member: event.known_by(&known).unwrap_or(new.member), ..new }),
            );
        }
        Ok(members)
    }

    /// Every id by which an event may know a member.
    pub(crate) async fn known_in(&self, event: &Event, member: MemberId) -> Result<BTreeSet<MemberId>> {
        let person = self.people.member(event.federation, member).await?;
        let person = person.ok_or(refusal::Refusal::UnknownMember)?;
        Ok(self.people.by_every_id(event.federation, [person.id, member]).await?)
    }

    /// Declares a line-up.
    pub(crate) async fn declare(
        &self,
        caller: &Caller,
        change: &Change,
        of: OfRound,
        commitment: Digest,
    ) -> Result<Current> {
        self.carry_out(caller, Act::DeclareLineUp, change, |event, asker| {
            leads_team(event, asker.account, of.1)?;
            Ok(event.declare_line_up(of, commitment, self.env.now())?.into())
        })
        .await
    }

    /// Hands in a line-up. Where the other team's is in, both become public.
    pub(crate) async fn reveal(
        &self,
        caller: &Caller,
        change: &Change,
        of: OfRound,
        opening: Opening,
    ) -> Result<Current> {
        for _ in 0..ATTEMPTS_MAX {
            let held = self.held(change.event, of.0).await?;
            let done = self.carry_out(caller, Act::DeclareLineUp, change, |event, asker| {
                leads_team(event, asker.account, of.1)?;
                all_held(event, of.0, &held)?;
                let facts = event.hand_in(of, &opening, &held)?;
                Ok(Decided { facts, opening: Some((of, opening.clone())), ..Decided::default() })
            });
            match done.await {
                Err(error) if error.is_contended() => {}
                done => return done,
            }
        }
        Err(StoreError::Contended.into())
    }

    /// Starts a round of teams: line-ups that were handed in become public, and the boards are laid.
    pub(super) async fn start_of_teams(
        &self,
        caller: &Caller,
        change: &Change,
        round: u16,
    ) -> Result<Current> {
        for _ in 0..ATTEMPTS_MAX {
            let held = self.held(change.event, round).await?;
            let done = self.carry_out(caller, Act::Pair, change, |event, _| {
                self.ensure_ends_before_maintenance(event)?;
                all_held(event, round, &held)?;
                Ok(event.start_round_of_teams(round, &held)?.into())
            });
            match done.await {
                Err(error) if error.is_contended() => {}
                done => return done,
            }
        }
        Err(StoreError::Contended.into())
    }

    /// What was handed in for a round of an event as it is now, and is not public.
    pub(super) async fn held(&self, event: EventId, round: u16) -> Result<Vec<(Number, Opening)>> {
        let event = self.current(event).await?.event;
        self.openings(&event, round).await
    }

    async fn openings(&self, event: &Event, round: u16) -> Result<Vec<(Number, Opening)>> {
        let awaited = event.awaited_openings(round);
        Ok(line_up::of_round(self.database.read(), &self.vault, event.id, round, &awaited).await?)
    }

    /// What somebody has handed in himself for a round, as the captain of his team.
    pub(crate) async fn own_opening(
        &self,
        caller: Option<&Caller>,
        sight: &Sight,
        round: &Round,
    ) -> Result<Option<(Number, Opening)>> {
        let own = caller.and_then(|caller| sight.event.captained_by(caller.id)).map(EnteredTeam::number);
        let round = round.published.round;
        let own = own.filter(|own| sight.event.awaited_openings(round).contains(own));
        let Some(own) = own else { return Ok(None) };
        Ok(line_up::of_round(self.database.read(), &self.vault, sight.event.id, round, &[own]).await?.pop())
    }

    /// Challenges somebody on a ladder.
    pub(crate) async fn challenge(
        &self,
        caller: &Caller,
        change: &Change,
        holder: Number,
    ) -> Result<Current> {
        self.carry_out(caller, Act::Challenge, change, |event, asker| {
            let now = self.env.now();
            // A proxy sees no more than everybody: what is told to who plays at a board is told to his account.
            let own = event.of_account(asker.account).map(Participant::number);
            let held_back = !sees_behind(&asker.roles, event) && event.holds_back(now, own);
            Ok(event.challenge(asker.number()?, holder, held_back, now)?.into())
        })
        .await
    }

    /// Answers a challenge on a ladder: by whose it is to answer, or by an arbiter for him.
    pub(crate) async fn answer_challenge(
        &self,
        caller: &Caller,
        change: &Change,
        challenger: Number,
        answer: ChallengeAnswer,
    ) -> Result<Current> {
        let event = self.current(change.event).await?.event;
        let of_player = self.asker(&event, caller, Act::Challenge, change.as_number).await;
        let player = of_player.ok().and_then(|asker| asker.player);
        let is_own = player.is_some() && player == event.who_answers(challenger, answer);
        let act = if is_own { Act::Challenge } else { Act::AnswerForOthers };
        self.carry_out(caller, act, change, |event, asker| {
            let by = if act == Act::Challenge {
                Answerer::Player(asker.number()?)
            } else {
                Answerer::Arbiter(asker.official())
            };
            Ok(event.answer_challenge(challenger, answer, &by, self.env.now())?.into())
        })
        .await
    }
}

/// Whoever acts for a team is its captain.
fn leads_team(event: &Event, account: AccountId, team: Number) -> Result<()> {
    let entered = event.team(team).ok_or(Refusal::UnknownNumber(team))?;
    if entered.entrant.captain == account { Ok(()) } else { Err(Refusal::NotCaptain.into()) }
}

/// Whether everything that was handed in has been read; else it was handed in since, and is read again.
pub(super) fn all_held(event: &Event, round: u16, held: &[(Number, Opening)]) -> Result<()> {
    let read = |team: &Number| held.iter().any(|(it, _)| it == team);
    if event.awaited_openings(round).iter().all(read) {
        Ok(())
    } else {
        Err(Error::Store(StoreError::Contended))
    }
}
