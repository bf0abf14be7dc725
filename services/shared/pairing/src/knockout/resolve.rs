//! From what was decided to who meets whom.

use std::collections::BTreeMap;

use super::{Bracket, Match, MatchId, Part, Source};
use crate::Number;

/// How a match ended. Draws are decided before they come here (1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The first of the two goes on.
    First,
    /// The second does.
    Second,
    /// Both lose by forfeit.
    Neither,
}

/// Who is in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// It is not known yet.
    Open,
    /// Nobody: a bye, or left empty by forfeits.
    Vacant,
    /// This player.
    Taken(Number),
    /// This player, who has lost by a double forfeit among the winners, does not play there, and drops to the losers with
    /// his next match.
    Fallen(Number),
}

/// A match with who is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Which.
    pub id: MatchId,
    /// Its two sides.
    pub slots: [Slot; 2],
    /// Who goes on; [`Slot::Open`] while that is not decided. In the last match of all he is the champion, and
    /// [`Slot::Vacant`] is a title that the committee decides about.
    pub winner: Slot,
    /// Who has lost.
    pub loser: Slot,
}

impl Resolved {
    /// Whether two players are there, and nothing is decided.
    pub fn is_due(&self) -> bool {
        self.winner == Slot::Open && self.slots.iter().all(|it| matches!(it, Slot::Taken(_)))
    }
}

pub(super) fn resolve(
    bracket: &Bracket,
    seeds: &[Number],
    decided: &BTreeMap<MatchId, Decision>,
) -> Vec<Resolved> {
    let mut done: BTreeMap<MatchId, Resolved> = BTreeMap::new();
    let mut all = Vec::with_capacity(bracket.matches.len());
    for entry in &bracket.matches {
        let slots = entry.sources.map(|source| slot(source, seeds, &done));
        let decision = decided.get(&entry.id).copied();
        let resolved = match entry.id.part {
            Part::Final => last(bracket, entry, slots, decision, &done),
            part => {
                let (winner, loser) = outcome(slots, decision, part == Part::Winners && !bracket.is_single());
                Resolved { id: entry.id, slots, winner, loser }
            }
        };
        done.insert(entry.id, resolved);
        all.push(resolved);
    }
    all
}

impl Bracket {
    fn is_single(&self) -> bool {
        self.matches.last().is_none_or(|it| it.id.part == Part::Winners)
    }
}

fn slot(source: Source, seeds: &[Number], done: &BTreeMap<MatchId, Resolved>) -> Slot {
    match source {
        Source::Seed(seed) => seeds.get(seed as usize - 1).map_or(Slot::Vacant, |it| Slot::Taken(*it)),
        Source::Winner(id) => done.get(&id).map_or(Slot::Open, |it| it.winner),
        Source::Loser(id) => done.get(&id).map_or(Slot::Open, |it| it.loser),
    }
}

/// Who goes on and who has lost; `second_life` where losing is not the end.
fn outcome(slots: [Slot; 2], decision: Option<Decision>, second_life: bool) -> (Slot, Slot) {
    use Slot::{Fallen, Open, Taken, Vacant};
    match (slots, decision) {
        ([Vacant, Vacant], _) => (Vacant, Vacant),
        ([Open, _] | [_, Open], _) => (Open, Open),
        ([Vacant, other] | [other, Vacant], _) => (other, Vacant),
        // Of two who have fallen one drops, and the other with his next match.
        ([Fallen(one), Fallen(other)], _) => (Fallen(one), Taken(other)),
        ([Fallen(fallen), other] | [other, Fallen(fallen)], _) => (other, Taken(fallen)),
        ([first, second], Some(Decision::First)) => (first, second),
        ([first, second], Some(Decision::Second)) => (second, first),
        ([Taken(first), second], Some(Decision::Neither)) if second_life => (Fallen(first), second),
        (_, Some(Decision::Neither)) => (Vacant, Vacant),
        (_, None) => (Open, Open),
    }
}

/// The grand final: an unbeaten finalist has a life more (1.11, 18).
fn last(
    bracket: &Bracket,
    entry: &Match,
    slots: [Slot; 2],
    decision: Option<Decision>,
    done: &BTreeMap<MatchId, Resolved>,
) -> Resolved {
    let [first, second] = slots;
    // Who came to the final with a loss by forfeit has one life, as his opponent has.
    let (unbeaten, sides) = match first {
        Slot::Fallen(number) => (false, [Slot::Taken(number), second]),
        _ => (true, slots),
    };
    let resolved = |winner, loser| Resolved { id: entry.id, slots: sides, winner, loser };
    let before = done.get(&MatchId { round: 1, ..entry.id }).filter(|_| entry.id.round == 2);
    if let Some(before) = before.filter(|it| it.winner != Slot::Open) {
        let needed = unbeaten && before.winner == second && matches!(second, Slot::Taken(_));
        let contested = matches!(first, Slot::Taken(_));
        if !needed || !contested {
            return resolved(before.winner, before.loser);
        }
    }
    if before.is_some_and(|it| it.winner == Slot::Open) {
        return Resolved { id: entry.id, slots: [Slot::Open; 2], winner: Slot::Open, loser: Slot::Open };
    }
    let is_first = entry.id.round == 1;
    let both = sides.iter().all(|it| matches!(it, Slot::Taken(_)));
    let spared = is_first && unbeaten && both && decision == Some(Decision::Neither);
    let (winner, loser) = if spared { (first, second) } else { outcome(sides, decision, false) };
    debug_assert!(is_first || bracket.second_final == Some(entry.id));
    resolved(winner, loser)
}
