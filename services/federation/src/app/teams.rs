//! Forms teams, changes and disbands them.

use chassis::id::TeamId;
use uuid::Uuid;

use super::{
    Change,
    desk::Made,
    turn::{Turn, next, room},
};
use crate::{
    core::{
        limits::TEAMS_MAX,
        member::State,
        notice::{About, Kind, To},
        permit::{Act, Standing},
        refusal::Refusal,
        team::{Disband, Edit, Form, Team},
    },
    error::Result,
    store,
};

impl Change for Form {
    type Told = Team;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let federation = turn.federation(self.federation).await?.id;
        turn.require(federation, Act::KeepTeams).await?;
        room(store::team::count(turn.on, federation).await?, TEAMS_MAX, "teams of a federation")?;
        let Form { name, club, captain, members, .. } = self.clone();
        let id = TeamId::from(turn.desk.env.uuid());
        let made = turn.now();
        let team = Team { id, federation, name, club, captain, members, made, disbanded: None, revision: 1 };
        check(turn, &team).await?;
        store::team::insert(turn.on, &team).await?;
        tell_captain(turn, &team);
        Ok(id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Team> {
        tell(turn, made).await
    }
}

impl Change for Edit {
    type Told = Team;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut team = turn.team(self.id).await?;
        if self.is_line_up() {
            let captain = is_captain(turn, &team).await?.then_some(Standing::Captain);
            turn.require_as(team.federation, Act::LineUp, captain).await?;
        } else {
            turn.require(team.federation, Act::KeepTeams).await?;
        }
        team.revision = next(self.revision, team.revision)?;
        team.name = self.name.clone().unwrap_or(team.name);
        team.club = self.club.unwrap_or(team.club);
        let before = team.captain;
        team.captain = self.captain.unwrap_or(team.captain);
        team.members = self.members.clone().unwrap_or(team.members);
        check(turn, &team).await?;
        store::team::update(turn.on, &team).await?;
        if team.captain != before {
            tell_captain(turn, &team);
        }
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Team> {
        tell(turn, made).await
    }
}

impl Change for Disband {
    type Told = Team;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut team = turn.team(self.id).await?;
        turn.require(team.federation, Act::KeepTeams).await?;
        team.revision = next(self.revision, team.revision)?;
        team.disbanded = Some(turn.now());
        store::team::update(turn.on, &team).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Team> {
        tell(turn, made).await
    }
}

/// Whether a team can be like this in its federation, which is locked.
async fn check(turn: &Turn<'_>, team: &Team) -> Result<()> {
    team.check()?;
    if store::team::is_named(turn.on, team.federation, team.name.key(), team.id).await? {
        return Err(Refusal::NameTaken.into());
    }
    if let Some(club) = team.club {
        turn.club_of(team.federation, club).await?;
    }
    let ids: Vec<_> = team.members.iter().map(|(member, _)| member.uuid()).collect();
    let found = store::member::find_all(turn.on, &ids).await?;
    let ours = found.iter().filter(|member| member.federation == team.federation).count();
    if ours < ids.len() {
        return Err(Refusal::UnknownMember.into());
    }
    if found.iter().any(|member| member.state != State::Active) {
        return Err(Refusal::NotActive.into());
    }
    if let Some(captain) = team.captain {
        let teams = store::team::with(turn.on, captain).await?;
        if teams.iter().any(|other| other.id != team.id && other.captain == Some(captain)) {
            return Err(Refusal::CaptainElsewhere.into());
        }
    }
    Ok(())
}

/// Tells who is captain from now on.
fn tell_captain(turn: &Turn<'_>, team: &Team) {
    let Some(captain) = team.captain else { return };
    let revision = Uuid::from_u64_pair(0, team.revision.cast_unsigned());
    let (federation, team_id, member) = (Some(team.federation), Some(team.id), Some(captain));
    let about = About { federation, team_id, member, ..About::default() };
    let ids = [team.id.uuid(), captain.uuid(), revision];
    turn.inform(To::Member(captain), Kind::TeamCaptain, about, &ids);
}

async fn is_captain(turn: &Turn<'_>, team: &Team) -> Result<bool> {
    let Some(captain) = team.captain else { return Ok(false) };
    let captain = store::member::find(turn.on, captain).await?;
    Ok(captain.is_some_and(|captain| captain.account == Some(turn.caller.id)))
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Team> {
    Ok(store::team::find(turn.on, made.id.into()).await?.ok_or(Refusal::UnknownTeam)?)
}
