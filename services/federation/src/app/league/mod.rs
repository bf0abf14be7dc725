//! Leagues: a file a use case. Each change of a season is one transaction, also where it makes events: a process that is killed
//! has done all of it or nothing.

mod advance;
mod entries;
mod leagues;
mod queries;
mod seasons;
mod squads;
mod transfers;

use std::sync::Arc;

use chassis::id::{LeagueId, SeasonId};

use super::{Desk, event::Events, turn::Turn};
use crate::{
    core::{
        league::{
            Entry, League, Refusal, Rules, Season, Squad, State, What,
            limits::{ACTS_MAX, SQUADS_MAX},
        },
        refusal,
    },
    error::Result,
    store::league,
};

pub(crate) use advance::Advancing;

/// The leagues of the database, and the events in which they are played.
#[derive(Clone)]
pub(crate) struct Leagues {
    pub desk: Desk,
    pub events: Arc<Events>,
}

/// A league, of a federation that is locked then.
async fn league_of(turn: &Turn<'_>, id: LeagueId) -> Result<League> {
    let found = league::league::find(turn.on, id).await?.ok_or(Refusal::UnknownLeague)?;
    turn.federation(found.federation).await?;
    // Read again: what was read before the lock may have changed.
    Ok(league::league::find(turn.on, id).await?.ok_or(Refusal::UnknownLeague)?)
}

/// A season, of a federation that is locked then.
async fn season_of(turn: &Turn<'_>, id: SeasonId) -> Result<Season> {
    let found = league::season::find(turn.on, id).await?.ok_or(Refusal::UnknownSeason)?;
    turn.federation(found.federation).await?;
    Ok(league::season::find(turn.on, id).await?.ok_or(Refusal::UnknownSeason)?)
}

/// The rules that hold in a season: before its registration is opened the latest.
async fn rules_of(turn: &Turn<'_>, season: &Season) -> Result<Rules> {
    let version = match season.state {
        State::Draft => league_of(turn, season.league).await?.version,
        _ => season.version,
    };
    let rules = league::rules::find(turn.on, season.league, version).await?;
    Ok(rules.ok_or(Refusal::UnknownLeague)?)
}

/// All squads of a season, and rights to register one.
async fn squads_of(turn: &Turn<'_>, season: SeasonId) -> Result<Vec<Squad>> {
    Ok(league::squad::list(turn.on, season, None, SQUADS_MAX.into()).await?)
}

/// Notes what is done in a season.
async fn note(turn: &Turn<'_>, season: SeasonId, what: What, reason: &str) -> Result<()> {
    let last = league::act::last(turn.on, season).await?;
    if last >= ACTS_MAX {
        return Err(refusal::Refusal::Full(ACTS_MAX, "entries of what was done in a season").into());
    }
    let (account, reason) = (turn.caller.id, reason.to_owned());
    let entry = Entry { sequence: last + 1, at: turn.now(), account, what, reason };
    Ok(league::act::insert(turn.on, season, &entry).await?)
}
