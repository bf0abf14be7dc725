//! Places who plays in divisions, and registers squads.

use super::{entries::fielded, note, rules_of, season_of, squads_of};
use crate::{
    app::{
        Change,
        desk::Made,
        turn::{Turn, next, room},
    },
    core::{
        league::{
            EntrantId, Refusal, Rules, Season, Squad, State, What,
            limits::SQUAD_CHANGES_MAX,
            request::{Place, Register, StayDown, Withdraw},
        },
        member,
        permit::{Act, Standing},
        refusal,
        team::Part,
    },
    error::Result,
    store,
};

impl Change for Place {
    type Told = Squad;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let season = season_of(turn, self.season).await?;
        turn.require(season.federation, Act::KeepLeagues).await?;
        season.before_start()?;
        let found = store::league::squad::find(turn.on, season.id, self.entrant).await?;
        let Some(division) = self.division else {
            let squad = found.ok_or(Refusal::UnknownSquad)?;
            store::league::squad::delete(turn.on, &squad).await?;
            note(turn, season.id, What::Removed(self.entrant), &self.reason).await?;
            return Ok(self.entrant.0.into());
        };
        let rules = rules_of(turn, &season).await?;
        plays(turn, &season, &rules, self.entrant).await?;
        if found.as_ref().is_some_and(|it| it.division == division) {
            return Ok(self.entrant.0.into());
        }
        let seed = free_place(turn, &season, &rules, division).await?;
        if let Some(squad) = found {
            let revision = squad.revision + 1;
            let moved = Squad { division, seed, updated: turn.now(), revision, ..squad };
            store::league::squad::update(turn.on, &moved).await?;
        } else {
            let placed = Squad { division, seed, ..blank(turn, season.id, self.entrant) };
            store::league::squad::insert(turn.on, &[placed]).await?;
        }
        note(turn, season.id, What::Placed(self.entrant, division), &self.reason).await?;
        Ok(self.entrant.0.into())
    }

    async fn tell(&self, turn: &Turn<'_>, _made: &Made) -> Result<Squad> {
        let found = store::league::squad::find(turn.on, self.season, self.entrant).await?;
        Ok(found.unwrap_or_else(|| blank(turn, self.season, self.entrant)))
    }
}

impl Change for Register {
    type Told = Squad;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let (season, rules, squad) = spoken_for(turn, self.season, self.entrant).await?;
        season.squads_change(turn.today())?;
        let revision = changed(&squad, next(self.revision, squad.revision)?)?;
        let members = members(turn, &rules, self).await?;
        let registered = Squad { registered: true, members, updated: turn.now(), revision, ..squad };
        fielded(turn, &season, &rules, &registered).await?;
        store::league::squad::update(turn.on, &registered).await?;
        let what = What::Registered(self.entrant, registered.members);
        note(turn, season.id, what, "").await?;
        Ok(self.entrant.0.into())
    }

    async fn tell(&self, turn: &Turn<'_>, _made: &Made) -> Result<Squad> {
        tell(turn, self.season, self.entrant).await
    }
}

impl Change for Withdraw {
    type Told = Squad;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let (season, _, squad) = spoken_for(turn, self.season, self.entrant).await?;
        season.before_start()?;
        if squad.registered {
            let revision = changed(&squad, squad.revision + 1)?;
            let updated = turn.now();
            let left = Squad { registered: false, members: Vec::new(), updated, revision, ..squad };
            store::league::squad::update(turn.on, &left).await?;
            note(turn, season.id, What::Withdrawn(self.entrant), &self.reason).await?;
        }
        Ok(self.entrant.0.into())
    }

    async fn tell(&self, turn: &Turn<'_>, _made: &Made) -> Result<Squad> {
        tell(turn, self.season, self.entrant).await
    }
}

impl Change for StayDown {
    type Told = Squad;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let (season, _, squad) = spoken_for(turn, self.season, self.entrant).await?;
        if !season.state.is_before_start() && season.state != State::Running {
            return Err(Refusal::State(season.state).into());
        }
        if squad.stays_down != self.stays_down {
            let revision = changed(&squad, squad.revision + 1)?;
            let said = Squad { stays_down: self.stays_down, updated: turn.now(), revision, ..squad };
            store::league::squad::update(turn.on, &said).await?;
            note(turn, season.id, What::StaysDown(self.entrant, self.stays_down), "").await?;
        }
        Ok(self.entrant.0.into())
    }

    async fn tell(&self, turn: &Turn<'_>, _made: &Made) -> Result<Squad> {
        tell(turn, self.season, self.entrant).await
    }
}

/// A squad for which the caller may speak: an official, its captain, or the player himself.
pub(super) async fn spoken_for(
    turn: &Turn<'_>,
    season: chassis::id::SeasonId,
    entrant: EntrantId,
) -> Result<(Season, Rules, Squad)> {
    let season = season_of(turn, season).await?;
    let rules = rules_of(turn, &season).await?;
    let also = standing(turn, &season, &rules, entrant).await?;
    turn.require_as(season.federation, Act::RegisterSquad, also).await?;
    let squad = store::league::squad::find(turn.on, season.id, entrant).await?;
    Ok((season, rules, squad.ok_or(Refusal::UnknownSquad)?))
}

/// What the caller is to somebody who plays, beside his offices.
async fn standing(
    turn: &Turn<'_>,
    season: &Season,
    rules: &Rules,
    entrant: EntrantId,
) -> Result<Option<Standing>> {
    if !rules.of_teams() {
        let found = store::member::find(turn.on, entrant.member()).await?;
        return Ok(is_own(turn, season, found).then_some(Standing::Oneself));
    }
    Ok(leads(turn, season, entrant).await?.then_some(Standing::Captain))
}

/// Whether the caller is the captain of a team.
pub(super) async fn leads(turn: &Turn<'_>, season: &Season, entrant: EntrantId) -> Result<bool> {
    let captain = store::team::find(turn.on, entrant.team()).await?.and_then(|team| team.captain);
    let Some(captain) = captain else { return Ok(false) };
    Ok(is_own(turn, season, store::member::find(turn.on, captain).await?))
}

/// Whether a member is the caller himself.
fn is_own(turn: &Turn<'_>, season: &Season, found: Option<member::Member>) -> bool {
    found.is_some_and(|it| it.federation == season.federation && it.account == Some(turn.caller.id))
}

/// Makes sure that somebody is of the federation, and there.
async fn plays(turn: &Turn<'_>, season: &Season, rules: &Rules, entrant: EntrantId) -> Result<()> {
    if rules.of_teams() {
        let team = store::team::find(turn.on, entrant.team()).await?;
        let there = team.is_some_and(|it| it.federation == season.federation && it.disbanded.is_none());
        return if there { Ok(()) } else { Err(refusal::Refusal::UnknownTeam.into()) };
    }
    let member = store::member::find(turn.on, entrant.member()).await?;
    let there =
        member.is_some_and(|it| it.federation == season.federation && it.state == member::State::Active);
    if there { Ok(()) } else { Err(refusal::Refusal::UnknownMember.into()) }
}

/// The place at the end of a division that has room.
async fn free_place(turn: &Turn<'_>, season: &Season, rules: &Rules, division: u32) -> Result<u32> {
    let at = (division as usize).wrapping_sub(1);
    let size = rules.divisions.get(at).map(|it| it.size);
    let size = size.ok_or(Refusal::Season("there is no such division"))?;
    let squads = squads_of(turn, season.id).await?;
    let there: Vec<&Squad> = squads.iter().filter(|it| it.division == division).collect();
    if there.len() >= size as usize {
        return Err(Refusal::DivisionFull(division).into());
    }
    Ok(there.iter().map(|it| it.seed).max().unwrap_or(0) + 1)
}

/// Who is in the squad that a request asks for.
pub(super) async fn members(
    turn: &Turn<'_>,
    rules: &Rules,
    asked: &Register,
) -> Result<Vec<(chassis::id::MemberId, Part)>> {
    if !rules.of_teams() {
        let own = vec![(asked.entrant.member(), Part::Player)];
        let is_own = asked.members.is_empty() || asked.members == own;
        return if is_own { Ok(own) } else { Err(Refusal::Squad("one plays for oneself").into()) };
    }
    if !asked.members.is_empty() {
        return Ok(asked.members.clone());
    }
    let team = store::team::find(turn.on, asked.entrant.team()).await?;
    let mut members = team.ok_or(refusal::Refusal::UnknownTeam)?.members;
    members.sort_by_key(|(_, part)| *part == Part::Substitute);
    Ok(members)
}

/// The revision of a squad that is changed once more.
pub(super) fn changed(squad: &Squad, revision: i64) -> Result<i64> {
    let done = u64::try_from(squad.revision).unwrap_or(u64::MAX);
    room(done, SQUAD_CHANGES_MAX.unsigned_abs(), "changes of a squad in a season")?;
    Ok(revision)
}

/// Somebody who is placed nowhere.
fn blank(turn: &Turn<'_>, season: chassis::id::SeasonId, entrant: EntrantId) -> Squad {
    Squad {
        season,
        entrant,
        division: 0,
        seed: 0,
        registered: false,
        members: Vec::new(),
        stays_down: false,
        updated: turn.now(),
        revision: 1,
    }
}

async fn tell(turn: &Turn<'_>, season: chassis::id::SeasonId, entrant: EntrantId) -> Result<Squad> {
    Ok(store::league::squad::find(turn.on, season, entrant).await?.ok_or(Refusal::UnknownSquad)?)
}
