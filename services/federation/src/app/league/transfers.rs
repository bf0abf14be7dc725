//! Squads that change while their season runs: the squad and the event of its division go on together.

use std::collections::BTreeSet;

use chassis::id::MemberId;

use super::{
    Leagues,
    advance::division_events,
    entries::joining,
    note,
    squads::{changed, members, spoken_for},
};
use crate::{
    app::{
        Change, Desk,
        desk::Made,
        event::Current,
        turn::{Turn, next, standings},
    },
    core::{
        event::{self, Actor, Entrant, NewRoster, Role},
        league::{Refusal, Rules, Season, Squad, State, What, division_event, request::Register},
        official,
        permit::{Act, Standing},
        team::Part,
    },
    error::Result,
    store::{self, event::note::Note},
    wire::attempt::Attempt,
};

impl Leagues {
    /// Registers a squad, or changes one of a season that runs. Whoever follows the event of its division is told.
    pub(crate) async fn register(&self, attempt: &Attempt, asked: Register) -> Result<Squad> {
        let squad = self.desk.carry_out(attempt, &Registering { leagues: self, asked }).await?;
        if !attempt.validate_only {
            self.events.follow_on(division_event(squad.season, squad.division)).await;
        }
        Ok(squad)
    }
}

/// A squad that is to be registered.
struct Registering<'a> {
    leagues: &'a Leagues,
    asked: Register,
}

impl Change for Registering<'_> {
    type Told = Squad;

    /// Has the events of a season that runs be in memory: a transaction does not wait for their logs.
    async fn prepare(&self, desk: &Desk, _caller: &chassis::auth::Caller) -> Result<()> {
        let season = store::league::season::find(desk.database.read(), self.asked.season).await?;
        let season = season.filter(|season| season.state == State::Running);
        for event in season.iter().flat_map(division_events) {
            self.leagues.events.current(event).await?;
        }
        Ok(())
    }

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let asked = &self.asked;
        let (season, rules, squad) = spoken_for(turn, asked.season, asked.entrant).await?;
        if season.state != State::Running || !rules.of_teams() {
            return asked.make(turn).await;
        }
        Transfer { leagues: self.leagues, season: &season, rules: &rules, before: &squad }
            .make(turn, asked)
            .await?;
        Ok(asked.entrant.0.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Squad> {
        self.asked.tell(turn, made).await
    }
}

/// A squad that changes in a season that runs.
struct Transfer<'a> {
    leagues: &'a Leagues,
    season: &'a Season,
    rules: &'a Rules,
    before: &'a Squad,
}

impl Transfer<'_> {
    async fn make(&self, turn: &Turn<'_>, asked: &Register) -> Result<()> {
        let Transfer { season, rules, before, .. } = self;
        if !before.registered {
            return Err(Refusal::Squad("it plays in no division of this season").into());
        }
        let role = self.role(turn, &asked.reason).await?;
        let revision = next(asked.revision, before.revision)?;
        let members = members(turn, rules, asked).await?;
        if members == before.members {
            return Ok(());
        }
        let revision = changed(before, revision)?;
        let after = Squad { members, updated: turn.now(), revision, ..(*before).clone() };
        after.check(rules)?;
        self.carry_on(turn, (&after, role), &asked.reason).await?;
        store::league::squad::update(turn.on, &after).await?;
        let what = What::SquadChanged(after.entrant, after.members);
        note(turn, season.id, what, &asked.reason).await
    }

    /// As what somebody changes the squad: as its captain in a transfer window, else as an official who says why.
    async fn role(&self, turn: &Turn<'_>, reason: &str) -> Result<Role> {
        let open = self.season.transfers_open(turn.now());
        if super::squads::leads(turn, self.season, self.before.entrant).await? && open.is_ok() {
            return Ok(Role::Captain);
        }
        if turn.require(self.season.federation, Act::KeepLeagues).await.is_err() || reason.is_empty() {
            open?;
        }
        turn.require(self.season.federation, Act::KeepLeagues).await?;
        if reason.is_empty() {
            return Err(event::Refusal::from(event::BadRoster::NoReason).into());
        }
        let administrator = Standing::Official(official::Role::Administrator);
        let own = standings(turn.on, self.season.federation, turn.caller.id).await?;
        Ok(if own.contains(&administrator) { Role::Administrator } else { Role::Committee })
    }

    /// Has the event of the division go on with the squad as it is from now on.
    async fn carry_on(&self, turn: &Turn<'_>, (after, role): (&Squad, Role), reason: &str) -> Result<()> {
        let events = &self.leagues.events;
        let current = events.current(division_event(self.season.id, after.division)).await?;
        let event = &current.event;
        let by_official = role != Role::Captain;
        let number = event.teams.iter().find(|it| it.entrant.team == after.entrant.team());
        let number = number.map(event::EnteredTeam::number).ok_or(Refusal::UnknownSquad)?;
        if by_official {
            let official = events.official(event, turn.caller.id).await?;
            event.not_own_entry(&event.everybody_of(number).collect::<Vec<_>>(), &official)?;
        }
        let note = (!reason.is_empty()).then(|| Note::new(reason.to_owned(), turn.desk.env.bytes()));
        let (mut players, mut reserves) = (Vec::new(), Vec::new());
        for (member, part) in &after.members {
            let entrant = self.entrant(turn, (&current, number), after, *member).await?;
            if *part == Part::Player { players.push(entrant) } else { reserves.push(entrant) }
        }
        let facts = event.change_roster(&NewRoster {
            team: number,
            players,
            reserves,
            accepts: event.version,
            by_official,
            reason: note.as_ref().map(Note::sealed),
        })?;
        if facts.is_empty() {
            return Ok(());
        }
        let actor = Actor::Person { account: turn.caller.id, role, on_behalf_of: None };
        let tellings = events.write_within(turn.on, &current, actor, (facts, note)).await?;
        turn.tell_also(tellings);
        Ok(())
    }

    /// Somebody of the squad as its event knows him, or as he enters it, if he may.
    async fn entrant(
        &self,
        turn: &Turn<'_>,
        (current, team): (&Current, pairing::Number),
        after: &Squad,
        member: MemberId,
    ) -> Result<Entrant> {
        let event = &current.event;
        let known = self.leagues.events.known_in(event, member).await?;
        let own = event.in_team(team, &known);
        let stays = self.before.members.iter().any(|(it, _)| *it == member);
        if let Some(own) = own.filter(|_| stays) {
            return Ok(own.clone());
        }
        let new = joining(turn, self.season, self.rules, (after, member)).await?;
        self.has_played_little(after, member, &known).await?;
        if let Some(own) = own {
            return Ok(own.clone());
        }
        Ok(Entrant { member: event.known_by(&known).unwrap_or(new.member), ..new })
    }

    /// That somebody has played for no other team of the season, or no more than the rules allow.
    async fn has_played_little(
        &self,
        after: &Squad,
        member: MemberId,
        known: &BTreeSet<MemberId>,
    ) -> Result<()> {
        let roster = self.rules.event.teams.and_then(|teams| teams.roster);
        let most = roster.map_or(0, |roster| roster.transfer_games_max);
        let mut games = 0;
        for event in division_events(self.season) {
            let event = self.leagues.events.current(event).await?.event;
            let there = event.played_elsewhere(after.entrant.team(), |it| known.contains(&it.member));
            games += there.games;
            if there.is_bound || there.is_open || games > most {
                return Err(Refusal::PlayedElsewhere { member, games }.into());
            }
        }
        Ok(())
    }
}
