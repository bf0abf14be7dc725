//! Who plays for whom, as the federation knows them now and as their event will know them.

use std::collections::BTreeMap;

use chassis::id::{AccountId, ClubId, MemberId};
use pairing::Number;

use crate::{
    app::turn::Turn,
    core::{
        event::{self, NewTeam, fact::Entrant},
        league::{EntrantId, Refusal, Rules, Season, Squad, founding::Entries, squad::eligible},
        member::Member,
        refusal,
        team::{Part, Team},
    },
    error::Result,
    store::{self, league::squad_member},
};

/// A squad as it enters its event, if everybody in it may play, for it alone, and somebody leads it.
pub(super) async fn fielded(
    turn: &Turn<'_>,
    season: &Season,
    rules: &Rules,
    squad: &Squad,
) -> Result<Entries> {
    squad.check(rules)?;
    let team = if rules.of_teams() { Some(team_of(turn, squad.entrant).await?) } else { None };
    let members = may_play(turn, season, squad, club_of(rules, team.as_ref())?).await?;
    let ids = squad.members.iter().map(|(member, _)| *member);
    if let Some((member, other)) = squad_member::elsewhere(turn.on, squad, ids).await? {
        return Err(Refusal::TwoSquads { member, other, squad: squad.entrant }.into());
    }
    let of_part = |wanted: Part| {
        let of = squad.members.iter().filter(move |(_, part)| *part == wanted);
        of.filter_map(|(member, _)| members.get(member).map(entrant)).collect::<Vec<_>>()
    };
    let Some(team) = team else { return Ok(Entries::Players(of_part(Part::Player))) };
    if squad.members.iter().any(|(member, _)| !team.members.iter().any(|(it, _)| it == member)) {
        return Err(Refusal::Squad("somebody in it is not in the team").into());
    }
    let captain = captain_of(turn, &team).await?.ok_or(event::Refusal::NobodyLeads)?;
    Ok(Entries::Teams(vec![NewTeam {
        team: team.id,
        captain,
        players: of_part(Part::Player),
        reserves: of_part(Part::Substitute),
        affiliations: Vec::new(),
        accepts: 1,
    }]))
}

/// Somebody who joins a squad while its season runs, if he may, as when it was registered.
pub(super) async fn joining(
    turn: &Turn<'_>,
    season: &Season,
    rules: &Rules,
    (squad, member): (&Squad, MemberId),
) -> Result<Entrant> {
    let team = team_of(turn, squad.entrant).await?;
    let alone = Squad { members: vec![(member, Part::Player)], ..squad.clone() };
    let members = may_play(turn, season, &alone, club_of(rules, Some(&team))?).await?;
    if let Some((member, other)) = squad_member::elsewhere(turn.on, squad, std::iter::once(member)).await? {
        return Err(Refusal::TwoSquads { member, other, squad: squad.entrant }.into());
    }
    if !team.members.iter().any(|(it, _)| *it == member) {
        return Err(Refusal::Squad("somebody in it is not in the team").into());
    }
    let joined = members.get(&member).map(entrant);
    Ok(joined.ok_or(refusal::Refusal::UnknownMember)?)
}

/// The account of the captain that somebody has now; none where players enter for themselves, or it has none.
pub(super) async fn captain_now(
    turn: &Turn<'_>,
    rules: &Rules,
    entrant: EntrantId,
) -> Result<Option<AccountId>> {
    if !rules.of_teams() {
        return Ok(None);
    }
    match store::team::find(turn.on, entrant.team()).await? {
        Some(team) => captain_of(turn, &team).await,
        None => Ok(None),
    }
}

async fn team_of(turn: &Turn<'_>, entrant: EntrantId) -> Result<Team> {
    let team = store::team::find(turn.on, entrant.team()).await?;
    Ok(team.filter(|it| it.disbanded.is_none()).ok_or(refusal::Refusal::UnknownTeam)?)
}

async fn captain_of(turn: &Turn<'_>, team: &Team) -> Result<Option<AccountId>> {
    let Some(captain) = team.captain else { return Ok(None) };
    Ok(store::member::find(turn.on, captain).await?.and_then(|captain| captain.account))
}

/// The club in which everybody must be; none where that does not matter.
fn club_of(rules: &Rules, team: Option<&Team>) -> Result<Option<ClubId>> {
    match team.filter(|_| rules.squads.of_club) {
        None => Ok(None),
        Some(team) => Ok(Some(team.club.ok_or(Refusal::Squad("the team is of no club"))?)),
    }
}

/// Everybody in a squad, if all of them may play.
async fn may_play(
    turn: &Turn<'_>,
    season: &Season,
    squad: &Squad,
    club: Option<ClubId>,
) -> Result<BTreeMap<MemberId, Member>> {
    let ids: Vec<_> = squad.members.iter().map(|(member, _)| member.uuid()).collect();
    let found = store::member::find_all(turn.on, &ids).await?;
    let of_federation = found.into_iter().filter(|it| it.federation == season.federation);
    let members: BTreeMap<MemberId, Member> = of_federation.map(|it| (it.id, it)).collect();
    for (id, _) in &squad.members {
        let member = members.get(id).ok_or(refusal::Refusal::UnknownMember)?;
        eligible(member, club, season.eligible_since, turn.today())?;
    }
    Ok(members)
}

fn entrant(member: &Member) -> Entrant {
    Entrant {
        number: Number(0),
        member: member.id,
        account: member.account,
        affiliations: Vec::new(),
        rating: None,
        grade: None,
        accepts: 1,
        from_round: 0,
    }
}
