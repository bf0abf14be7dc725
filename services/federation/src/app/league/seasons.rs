//! Makes seasons and changes their dates.

use chassis::id::SeasonId;

use super::{league_of, note, rules_of, season_of};
use crate::{
    app::{
        Change,
        desk::Made,
        turn::{Turn, next, room},
    },
    core::{
        event,
        league::{
            EntrantId, Refusal, Rules, Season, Squad, State, What,
            limits::{SEASONS_MAX, SEASONS_OPEN_MAX},
            request::{EditSeason, NewSeason},
        },
        permit::Act,
    },
    error::Result,
    store::league,
};

impl Change for NewSeason {
    type Told = Season;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let of = league_of(turn, self.league).await?;
        turn.require(of.federation, Act::KeepLeagues).await?;
        let (all, open) = league::season::counts(turn.on, of.id).await?;
        room(all, SEASONS_MAX, "seasons of a league")?;
        room(open, SEASONS_OPEN_MAX, "seasons of a league that are open")?;
        let season = Season {
            id: SeasonId::from(turn.desk.env.uuid()),
            league: of.id,
            federation: of.federation,
            name: self.name.clone(),
            number: u32::try_from(all + 1).unwrap_or(u32::MAX),
            state: State::Draft,
            version: of.version,
            from: self.from,
            schedule: self.schedule.clone(),
            windows: self.windows.clone(),
            transfers: self.transfers.clone(),
            eligible_since: self.eligible_since,
            made: turn.now(),
            revision: 1,
            divisions: Vec::new(),
            ties: Vec::new(),
        };
        let rules = rules_of(turn, &season).await?;
        fits(turn, &season, &rules)?;
        let squads = match self.from {
            Some(from) => inherited(turn, &season, &rules, from).await?,
            None => Vec::new(),
        };
        league::season::insert(turn.on, &season).await?;
        league::squad::insert(turn.on, &squads).await?;
        note(turn, season.id, What::Created, "").await?;
        Ok(season.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Season> {
        tell(turn, made).await
    }
}

impl Change for EditSeason {
    type Told = Season;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut season = season_of(turn, self.id).await?;
        turn.require(season.federation, Act::KeepLeagues).await?;
        season.before_start()?;
        season.revision = next(self.revision, season.revision)?;
        season.schedule = self.schedule.clone().unwrap_or(season.schedule);
        season.windows = self.windows.clone().unwrap_or(season.windows);
        season.transfers = self.transfers.clone().unwrap_or(season.transfers);
        season.eligible_since = self.eligible_since.unwrap_or(season.eligible_since);
        fits(turn, &season, &rules_of(turn, &season).await?)?;
        league::season::update(turn.on, &season).await?;
        note(turn, season.id, What::Dated, "").await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Season> {
        tell(turn, made).await
    }
}

/// That a season makes sense by itself, and that its events would.
fn fits(turn: &Turn<'_>, season: &Season, rules: &Rules) -> Result<()> {
    season.check()?;
    for division in &rules.divisions {
        season.event_name(&division.name)?;
    }
    if season.schedule.is_some() {
        let settings = rules.of_division(rules.largest(), season.schedule.as_ref());
        settings.check(turn.now()).map_err(event::Refusal::from)?;
    }
    Ok(())
}

/// Who has the right to play where, by the season before. Where the rules have fewer divisions now, the last has them all.
async fn inherited(turn: &Turn<'_>, season: &Season, rules: &Rules, from: SeasonId) -> Result<Vec<Squad>> {
    let before = league::season::find(turn.on, from).await?.filter(|it| it.league == season.league);
    let before = before.ok_or(Refusal::UnknownSeason)?;
    if before.state != State::Closed {
        return Err(Refusal::State(before.state).into());
    }
    let (outcome, _) = league::season::outcome(turn.on, from).await?.ok_or(Refusal::UnknownSeason)?;
    let last = rules.divisions.len();
    let mut divisions: Vec<Vec<EntrantId>> = vec![Vec::new(); last];
    for (at, entrants) in outcome.next.into_iter().enumerate() {
        divisions[at.min(last - 1)].extend(entrants);
    }
    let of = |(division, entrants): (u32, Vec<EntrantId>)| {
        let squad = move |(seed, entrant): (u32, EntrantId)| Squad {
            season: season.id,
            entrant,
            division,
            seed,
            registered: false,
            members: Vec::new(),
            stays_down: false,
            updated: season.made,
            revision: 1,
        };
        (1..).zip(entrants).map(squad)
    };
    Ok((1..).zip(divisions).flat_map(of).collect())
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Season> {
    Ok(league::season::find(turn.on, made.id.into()).await?.ok_or(Refusal::UnknownSeason)?)
}
