//! Makes leagues and changes them.

use chassis::id::LeagueId;

use super::league_of;
use crate::{
    app::{
        Change,
        desk::Made,
        turn::{Turn, next, room},
    },
    core::{
        league::{
            League, Refusal, Rules,
            limits::{LEAGUES_MAX, VERSIONS_MAX},
            request::{Create, Edit},
        },
        permit::Act,
    },
    error::Result,
    store::league,
};

impl Change for Create {
    type Told = (League, Rules);

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let federation = turn.federation(self.federation).await?.id;
        turn.require(federation, Act::KeepLeagues).await?;
        room(league::league::count(turn.on, federation).await?, LEAGUES_MAX, "leagues of a federation")?;
        self.rules.check(turn.now())?;
        let id = LeagueId::from(turn.desk.env.uuid());
        let made =
            League { id, federation, name: self.name.clone(), version: 1, made: turn.now(), revision: 1 };
        league::league::insert(turn.on, &made).await?;
        league::rules::insert(turn.on, id, 1, &self.rules).await?;
        Ok(id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<(League, Rules)> {
        tell(turn, made).await
    }
}

impl Change for Edit {
    type Told = (League, Rules);

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut league = league_of(turn, self.id).await?;
        turn.require(league.federation, Act::KeepLeagues).await?;
        league.revision = next(self.revision, league.revision)?;
        league.name = self.name.clone().unwrap_or(league.name);
        if let Some(rules) = &self.rules {
            rules.check(turn.now())?;
            let versions = u64::from(VERSIONS_MAX);
            room(league.version.into(), versions, "versions of the rules of a league")?;
            league.version += 1;
            league::rules::insert(turn.on, league.id, league.version, rules).await?;
        }
        league::league::update(turn.on, &league).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<(League, Rules)> {
        tell(turn, made).await
    }
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<(League, Rules)> {
    let league = league::league::find(turn.on, made.id.into()).await?.ok_or(Refusal::UnknownLeague)?;
    let rules = league::rules::find(turn.on, league.id, league.version).await?;
    Ok((league, rules.ok_or(Refusal::UnknownLeague)?))
}
