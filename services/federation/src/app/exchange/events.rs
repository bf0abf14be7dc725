//! Events as files: those that were held elsewhere come in, and ours go out.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use chassis::{
    auth::Caller,
    background,
    id::{FederationId, MemberId, TeamId},
};
use exchange::{Doubt, Format, Tournament};
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{Exchange, Outgoing, Told};
use crate::{
    app::event::{AsOf, Current, FromElsewhere},
    core::{
        event::{self, Origin, Settings},
        held::{self, Match, People, TeamMatch},
        limits::MEMBERS_MAX,
        member::{Member, Person, State},
        name::Name,
        refusal::Refusal,
        team::Team,
    },
    error::{BadFile, Error, Result},
    store::{self, name::Kind},
    wire::{
        exchange::{Content, EventFile, Wanted, settings},
        file::{Listener, Rest, Step},
    },
};

/// What came of it, or would.
pub(crate) struct ImportedEvent {
    /// The event.
    pub current: Current,
    /// How its file was read.
    pub format: Format,
    /// Who of it is whom.
    pub matches: Vec<Match>,
    /// Which of its teams is which.
    pub teams: Vec<TeamMatch>,
    /// What should be looked at.
    pub doubts: Vec<Doubt>,
}

impl Exchange {
    /// Takes an event over from its file, and tells how far it is. Who does not listen any more has it done all the same.
    pub(crate) async fn import_event(
        self: &Arc<Self>,
        caller: Caller,
        wanted: EventFile,
    ) -> Result<Told<ImportedEvent>> {
        self.require(&caller, wanted.federation).await?;
        let (listener, progress) = Listener::new();
        let (tell, outcome) = oneshot::channel();
        let exchange = Arc::clone(self);
        self.lifecycle.spawn("importing an event", async move {
            let imported = exchange.take_event(&caller, wanted, &listener).await;
            drop(listener);
            let _ = tell.send(imported);
        });
        Ok(Told { progress, outcome })
    }

    async fn take_event(
        &self,
        caller: &Caller,
        wanted: EventFile,
        listener: &Listener,
    ) -> Result<ImportedEvent> {
        let _turn = self.turns.turn().await?;
        listener.tell(Step::Reading, 0, 0);
        let file = self.whole(caller, (wanted.federation, wanted.file)).await?;
        let (format, mut read, doubts) = self.read(file.clone(), wanted.format).await?;
        if wanted.without_teams {
            read = without_teams(read);
        }
        let players = read.players.len();
        listener.tell(Step::Reading, players, players);
        let known = self.people_of(wanted.federation, &read).await?;
        let matches = known.matches(&read, &wanted.said)?;
        let (members, strangers) = self.strangers(wanted.federation, &read, &matches).await?;
        let (teams, new_teams) = self.teams_of(wanted.federation, &read).await?;
        let team_ids: Vec<TeamId> = teams.iter().map(|it| it.team).collect();
        let played = held::played_by_teams(&read, wanted.line_up)?;
        let settings: Settings = settings(&read, wanted.game, wanted.played_as, played)?;
        let days = [read.header.start, read.header.end].map(|day| day.and_then(day_of));
        let origin = Origin {
            format: format.name().to_owned(),
            file: Sha256::digest(&file).into(),
            days,
            place: read.header.place.chars().take(PLACE_CHARS_MAX).collect(),
            statement: wanted.statement,
        };
        let name = match wanted.name {
            Some(name) => name,
            None => name_of(&read)?,
        };
        let held = held::held(&read, &members, (&team_ids, played.as_ref()), settings.game.variant)?;
        let matches = held::order(&read).into_iter().map(|at| matches[at].clone()).collect();
        listener.tell(Step::Writing, 0, players);
        let event = FromElsewhere {
            id: wanted.event,
            of: (wanted.federation, name),
            settings,
            origin,
            held,
            strangers,
            teams: new_teams,
        };
        let current = self.events.import(caller, event, wanted.validate_only).await?;
        listener.tell(Step::Writing, players, players);
        Ok(ImportedEvent { current, format, matches, teams, doubts })
    }

    async fn read(&self, file: Bytes, format: Option<Format>) -> Result<(Format, Tournament, Vec<Doubt>)> {
        let read = move || -> std::result::Result<_, BadFile> {
            let format = match format {
                Some(format) => format,
                None => Format::detect(&file)?,
            };
            let (read, doubts) = format.read(&file)?;
            Ok((format, read, doubts))
        };
        Ok(background::aside(&self.desk.env, read).await.map_err(|_| Error::Stopping)??)
    }

    /// Everybody of a federation of whom a file may speak.
    async fn people_of(&self, federation: FederationId, read: &Tournament) -> Result<People> {
        let on = self.desk.database.read();
        let mut ids: Vec<Uuid> = held::ids_of(read).collect();
        let holders = store::member_number::holders(on, federation, &held::numbers_of(read)).await?;
        ids.extend(holders.into_iter().map(|(_, member)| member.uuid()));
        ids.extend(
            store::name::of_natives(on, Kind::Member, federation.uuid(), &held::names_of(read)).await?,
        );
        ids.sort_unstable();
        ids.dedup();
        let mut members = store::member::find_all(on, &ids).await?;
        members.retain(|member| member.federation == federation);
        Ok(People::new(&members))
    }

    /// The members in the order of the file, with those who are written down with it because nobody knows them.
    async fn strangers(
        &self,
        federation: FederationId,
        read: &Tournament,
        matches: &[Match],
    ) -> Result<(Vec<MemberId>, Vec<Member>)> {
        let today = self.desk.env.now().date();
        let (mut members, mut strangers) = (Vec::new(), Vec::new());
        for (player, found) in read.players.iter().zip(matches) {
            let id = found.member.unwrap_or_else(|| self.desk.env.uuid().into());
            if found.member.is_none() {
                strangers.push(Member {
                    id,
                    federation,
                    person: held::person_of(player)?,
                    account: None,
                    // He never was a member: he left on the day on which he came.
                    state: State::Left(today),
                    joined: today,
                    revision: 1,
                    stays: Vec::new(),
                });
            }
            members.push(id);
        }
        let count = store::member::count(self.desk.database.read(), federation).await?;
        if count + strangers.len() as u64 > MEMBERS_MAX {
            return Err(Refusal::Full(MEMBERS_MAX, "members of a federation").into());
        }
        Ok((members, strangers))
    }

    /// Which teams of a federation the teams of a file are, by their names; with those that are written down with it because
    /// there are none such. They are disbanded: they play nowhere but in this event.
    async fn teams_of(
        &self,
        federation: FederationId,
        read: &Tournament,
    ) -> Result<(Vec<TeamMatch>, Vec<Team>)> {
        let on = self.desk.database.read();
        let names: Vec<Name> =
            read.teams.iter().map(held::team_name).collect::<std::result::Result<_, _>>()?;
        let keys: Vec<_> = names.iter().map(Name::key).collect();
        let ids = store::name::of_natives(on, Kind::Team, federation.uuid(), &keys).await?;
        let ids: Vec<TeamId> = ids.into_iter().map(TeamId::from).collect();
        let known = held::teams_by_name(store::team::find_all(on, &ids).await?);
        let now = self.desk.env.now();
        let (mut matches, mut new, mut taken) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (team, name) in read.teams.iter().zip(names) {
            if let Some(other) = taken.insert(name.key(), team.number) {
                return Err(event::Refusal::Held(format!(
                    "teams {other} and {} have one name: tell them apart in the file",
                    team.number
                ))
                .into());
            }
            let found = known.get(&name.key()).map(|team| team.id);
            let id = found.unwrap_or_else(|| self.desk.env.uuid().into());
            matches.push(TeamMatch {
                number: team.number,
                name: name.native.clone(),
                is_known: found.is_some(),
                team: id,
            });
            if found.is_none() {
                new.push(Team {
                    id,
                    federation,
                    name,
                    club: None,
                    captain: None,
                    members: Vec::new(),
                    made: now,
                    disbanded: Some(now),
                    revision: 1,
                });
            }
        }
        Ok((matches, new))
    }

    /// An event as a file, as the caller may see it, from where it is asked for on; with what the format cannot carry.
    pub(crate) async fn export_event(
        &self,
        caller: Option<&Caller>,
        wanted: Wanted,
        rest: &Rest,
    ) -> Result<(Outgoing, Vec<exchange::Loss>)> {
        let sight = self.events.look(caller, wanted.event, AsOf::Now).await?;
        let event = Arc::clone(&sight.event);
        let last = event.next_round() - 1;
        if wanted.round > last {
            return Err(Error::UnknownRound);
        }
        let up_to = if wanted.round == 0 { last } else { wanted.round };
        let _turn = self.exports.turn().await?;
        let members: Vec<Uuid> = event.participants.iter().map(|it| it.entrant.member.uuid()).collect();
        let people = self.people_by_id(event.federation, &members).await?;
        let ids: Vec<TeamId> = event.teams.iter().map(|team| team.entrant.team).collect();
        let found = store::team::find_all(self.desk.database.read(), &ids).await?;
        let teams: BTreeMap<TeamId, String> =
            found.into_iter().map(|team| (team.id, team.name.native)).collect();
        let lines = match wanted.content {
            Content::Standings => self.events.table(sight, up_to, BTreeMap::new()).await?.lines,
            _ => Vec::new(),
        };
        let write = move || -> std::result::Result<_, exchange::WriteError> {
            let written = held::tournament(&event, up_to, &people, &teams);
            Ok(match wanted.content {
                Content::Event(format) => format.write(&written)?,
                Content::Players => (exchange::csv::players(&written, wanted.mark)?, Vec::new()),
                Content::Results => (exchange::csv::results(&written, wanted.mark)?, Vec::new()),
                Content::Standings => (exchange::csv::standings(&written, &lines, wanted.mark)?, Vec::new()),
            })
        };
        let written = background::aside(&self.desk.env, write).await.map_err(|_| Error::Stopping)?;
        let (bytes, losses) = written.map_err(BadFile::from)?;
        Ok((Outgoing::new(bytes.into(), rest)?, losses))
    }

    /// What is public of people, with the names of their clubs today.
    pub(super) async fn people_by_id(
        &self,
        federation: FederationId,
        members: &[Uuid],
    ) -> Result<BTreeMap<MemberId, (Person, String)>> {
        let clubs = self.club_names(federation).await?;
        let today = self.desk.env.now().date();
        let found = store::member::find_all(self.desk.database.read(), members).await?;
        let public = |member: Member| {
            let stay = member.stays.iter().find(|stay| stay.has(today));
            let club = stay.and_then(|stay| clubs.get(&stay.club)).cloned().unwrap_or_default();
            let person = Person { born: None, note: String::new(), ..member.person };
            (member.id, (person, club))
        };
        Ok(found.into_iter().map(public).collect())
    }
}

/// The same as an event of players.
fn without_teams(mut read: Tournament) -> Tournament {
    read.teams.clear();
    read.header.white_boards.clear();
    for round in &mut read.rounds {
        round.line_ups.clear();
        round.team_byes.clear();
        round.forfeited.clear();
    }
    read
}

/// Characters of a place.
const PLACE_CHARS_MAX: usize = 80;

/// What a file calls its event.
fn name_of(read: &Tournament) -> Result<Name> {
    let exchange::Name { native, latin } = &read.header.name;
    let native = if native.is_empty() { latin } else { native };
    Name::parse(native, latin).map_err(|why| {
        let message =
            format!("the file names no event that could be called so here ({why}): say what it is called");
        crate::core::event::Refusal::Held(message).into()
    })
}

/// A day of a file.
fn day_of(day: exchange::Date) -> Option<time::Date> {
    crate::core::day::parse(&day.to_string())
}
