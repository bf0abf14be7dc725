//! How an event of a season ended, as far as the season asks.

use std::collections::BTreeMap;

use chassis::id::{AccountId, EventId, MemberId};
use pairing::Number;

use super::{EntrantId, Rules, founding::Entries};
use crate::core::event::{Event, NewTeam, fact::Digest, fact::Entrant};

/// How a division ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalTable {
    /// Its event.
    pub event: EventId,
    /// Up to which entry of its log this was read.
    pub sequence: u64,
    /// The hash of that entry.
    pub hash: Digest,
    /// Who played, the first first.
    pub lines: Vec<FinalLine>,
}

/// How one ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalLine {
    /// Who.
    pub entrant: EntrantId,
    /// His place; 0 for none.
    pub place: u32,
    /// His points.
    pub points: u32,
    /// Whether he has left before the end.
    pub withdrawn: bool,
    /// How many games each member of his squad has played.
    pub games: BTreeMap<MemberId, u32>,
}

/// Who has a number in an event: the team, or the member where players enter for themselves.
pub fn entrant_of(event: &Event, number: Number) -> Option<EntrantId> {
    if event.settings.teams.is_some() {
        event.team(number).map(|team| EntrantId(team.entrant.team.uuid()))
    } else {
        event.participant(number).map(|it| EntrantId(it.entrant.member.uuid()))
    }
}

/// How a division ended. Who withdrew is last; where places are shared, who stood first when the season began is first, and
/// so is he among those without a place.
pub fn final_table(event: &Event, hash: Digest) -> FinalTable {
    let lines = event.table(event.next_round() - 1).lines;
    let games = event.games();
    let line = |number: Number| {
        let entrant = entrant_of(event, number)?;
        let own = lines.iter().find(|line| line.number == number);
        let members = members(event, number);
        Some(FinalLine {
            entrant,
            place: own.and_then(|line| line.place).unwrap_or(0),
            points: own.map_or(0, |line| line.points),
            withdrawn: event.has_departed(number),
            games: members.filter_map(|it| Some((it.member, *games.get(&it.number)?))).collect(),
        })
    };
    let mut numbers: Vec<Number> = event.contestants().into_iter().map(|(number, _)| number).collect();
    let place =
        |number: &Number| lines.iter().find(|line| line.number == *number).and_then(|line| line.place);
    numbers.sort_by_key(|number| (event.has_departed(*number), place(number).unwrap_or(u32::MAX), *number));
    let lines = numbers.into_iter().filter_map(line).collect();
    FinalTable { event: event.id, sequence: event.sequence, hash, lines }
}

/// Whether who entered a play-off first, the one from the upper division, keeps his place: unless the other stands before him,
/// or he alone has withdrawn.
pub fn upper_holds(event: &Event) -> bool {
    let (upper, lower) = (Number(1), Number(2));
    match (event.has_departed(upper), event.has_departed(lower)) {
        (true, false) => return false,
        (_, true) => return true,
        (false, false) => {}
    }
    let lines = event.table(event.next_round() - 1).lines;
    let place = |number: Number| lines.iter().find(|line| line.number == number).and_then(|line| line.place);
    match (place(upper), place(lower)) {
        (Some(upper), Some(lower)) => upper <= lower,
        (None, Some(_)) => false,
        _ => true,
    }
}

/// Who of a division plays in a play-off: those of the squad who have played often enough in it, in their order. Where these are
/// fewer than there are boards, those who have played most fill the others.
/// Its captain is the one that it has now; where that one has no account, who was it in the division.
pub fn play_off_entry(
    event: &Event,
    entrant: EntrantId,
    captain: Option<AccountId>,
    rules: &Rules,
) -> Option<Entries> {
    let contestants = event.contestants();
    let (number, _) =
        contestants.into_iter().find(|(number, _)| entrant_of(event, *number) == Some(entrant))?;
    let games = event.games();
    let played = |it: &Entrant| games.get(&it.number).copied().unwrap_or(0);
    let members: Vec<Entrant> = members(event, number).cloned().map(fresh).collect();
    let Some(team) = event.team(number).filter(|_| rules.of_teams()) else {
        return Some(Entries::Players(members));
    };
    let boards = rules.boards() as usize;
    let is_entitled = |it: &Entrant| played(it) >= rules.squads.play_off_games_min;
    let mut entitled: Vec<Entrant> = members.iter().filter(|it| is_entitled(it)).cloned().collect();
    let mut others: Vec<Entrant> = members.into_iter().filter(|it| !is_entitled(it)).collect();
    others.sort_by_key(|it| std::cmp::Reverse(played(it)));
    let missing = boards.saturating_sub(entitled.len());
    entitled.extend(others.into_iter().take(missing));
    let unnumbered = entitled.into_iter().map(|it| Entrant { number: Number(0), ..it });
    let mut players: Vec<Entrant> = unnumbered.collect();
    let reserves = players.split_off(boards.min(players.len()));
    let captain = captain.unwrap_or(team.entrant.captain);
    let team = NewTeam {
        team: team.entrant.team,
        captain,
        players,
        reserves,
        affiliations: team.entrant.affiliations.clone(),
        accepts: 1,
    };
    Some(Entries::Teams(vec![team]))
}

/// Somebody as he enters another event.
fn fresh(entrant: Entrant) -> Entrant {
    Entrant { accepts: 1, from_round: 0, ..entrant }
}

/// The players of a contestant: of a team all of it, else he himself.
fn members(event: &Event, number: Number) -> impl Iterator<Item = &Entrant> {
    let numbers: Vec<Number> = match event.team(number) {
        Some(team) => team.entrant.members().collect(),
        None => vec![number],
    };
    numbers.into_iter().filter_map(|number| event.participant(number)).map(|it| &it.entrant)
}
