//! Looks at leagues.

use chassis::{
    auth::Caller,
    id::{EventId, FederationId, LeagueId, SeasonId},
};
use pairing::standings::Line;
use uuid::Uuid;

use super::Leagues;
use crate::{
    app::event::AsOf,
    core::{
        event::fact::Digest,
        league::{
            EntrantId, Entry, League, Outcome, Refusal, Rules, Season, Squad, State, division_event,
            entrant_of,
            honours::{AllTime, all_time},
            limits::SEASONS_MAX,
        },
    },
    error::Result,
    store::league,
    wire::league::request::List,
};

/// What was found, and the token of the next page.
type Listed<T> = Result<(Vec<T>, String)>;

/// A season, and how it ended where it is closed.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub season: Season,
    pub outcome: Option<(Outcome, Digest)>,
}

/// The table of a division as somebody may see it.
#[derive(Clone, Debug)]
pub(crate) struct TableOf {
    pub event: EventId,
    pub lines: Vec<(EntrantId, Line)>,
    pub round: u16,
    pub sequence: u64,
    pub delayed: bool,
}

impl Leagues {
    /// A league, with a version of its rules; the latest for 0.
    pub(crate) async fn league(&self, id: LeagueId, version: u32) -> Result<(League, u32, Rules)> {
        let on = self.desk.database.read();
        let found = league::league::find(on, id).await?.ok_or(Refusal::UnknownLeague)?;
        let version = if version == 0 { found.version } else { version };
        let rules = league::rules::find(on, id, version).await?;
        Ok((found, version, rules.ok_or(Refusal::UnknownLeague)?))
    }

    pub(crate) async fn leagues(&self, list: &List<FederationId, Uuid>) -> Listed<League> {
        self.desk.federation(list.of).await?;
        let (on, page) = (self.desk.database.read(), &list.page);
        let found = league::league::list(on, list.of, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.id.uuid()))
    }

    pub(crate) async fn season(&self, id: SeasonId) -> Result<Ended> {
        let on = self.desk.database.read();
        let season = league::season::find(on, id).await?.ok_or(Refusal::UnknownSeason)?;
        let outcome = match season.state {
            State::Closed => league::season::outcome(on, id).await?,
            _ => None,
        };
        Ok(Ended { season, outcome })
    }

    pub(crate) async fn seasons(&self, list: &List<LeagueId, u32>) -> Listed<Season> {
        self.known(list.of).await?;
        let (on, page) = (self.desk.database.read(), &list.page);
        let found = league::season::list(on, list.of, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.number))
    }

    pub(crate) async fn squads(&self, list: &List<SeasonId, (u32, u32, Uuid)>) -> Listed<Squad> {
        let (on, page) = (self.desk.database.read(), &list.page);
        league::season::find(on, list.of).await?.ok_or(Refusal::UnknownSeason)?;
        let found = league::squad::list(on, list.of, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| (last.division, last.seed, last.entrant.0)))
    }

    pub(crate) async fn acts(&self, list: &List<SeasonId, u64>) -> Listed<Entry> {
        let (on, page) = (self.desk.database.read(), &list.page);
        league::season::find(on, list.of).await?.ok_or(Refusal::UnknownSeason)?;
        let found = league::act::list(on, list.of, page.after, page.fetch()).await?;
        Ok(page.cut(found, |last| last.sequence))
    }

    pub(crate) async fn honours(&self, list: &List<LeagueId, u32>) -> Listed<(Season, Outcome)> {
        self.known(list.of).await?;
        let (on, page) = (self.desk.database.read(), &list.page);
        let found = league::season::closed(on, list.of, page.after, page.fetch()).await?;
        Ok(page.cut(found, |(season, _)| season.number))
    }

    /// The table of all closed seasons. It is worked out anew: a league has few seasons.
    pub(crate) async fn all_time(&self, list: &List<LeagueId, u32>) -> Listed<AllTime> {
        self.known(list.of).await?;
        let seasons = league::season::closed(self.desk.database.read(), list.of, None, SEASONS_MAX).await?;
        let lines = all_time(seasons.iter().map(|(_, outcome)| outcome));
        let found = list.page.numbered(lines, |_| true).collect();
        Ok(list.page.cut(found, |last| last.rank))
    }

    /// The table of a division as it is now, as far as the caller may see it.
    pub(crate) async fn table(
        &self,
        caller: Option<&Caller>,
        id: SeasonId,
        division: u32,
    ) -> Result<TableOf> {
        let season = league::season::find(self.desk.database.read(), id).await?;
        let season = season.ok_or(Refusal::UnknownSeason)?;
        if season.divisions.is_empty() {
            return Err(Refusal::State(season.state).into());
        }
        if !(1..=season.divisions.len()).contains(&(division as usize)) {
            return Err(Refusal::Season("there is no such division").into());
        }
        let event = division_event(id, division);
        let sight = self.events.look(caller, event, AsOf::Now).await?;
        let seen = sight.event.clone();
        let (sequence, delayed) = (seen.sequence, sight.delayed);
        let table = self.events.table(sight, 0, std::collections::BTreeMap::new()).await?;
        let lines = table.lines.into_iter();
        let lines = lines.filter_map(|line| Some((entrant_of(&seen, line.number)?, line))).collect();
        Ok(TableOf { event, lines, round: table.round, sequence, delayed })
    }

    async fn known(&self, id: LeagueId) -> Result<()> {
        league::league::find(self.desk.database.read(), id).await?.ok_or(Refusal::UnknownLeague)?;
        Ok(())
    }
}
