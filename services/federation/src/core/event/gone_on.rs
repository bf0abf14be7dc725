//! By what everybody has gone on in a bracket: a late decision changes tables, and pairs nothing again (1.9).
//!
//! A round that is made public, with each match that it follows from, settles who has come to its places: by what the boards
//! had come to by then. So is a place that others have walked past because it was vacant.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use pairing::{
    ResultCode,
    knockout::{Bracket, MatchId, Part, Source},
};

use super::{
    Event, Format,
    fact::{BoardId, PublishedRound},
    plan::starters,
    round::BoardState,
    settings::BRACKET_LIVES_MAX,
};

/// What the boards had come to by which somebody has gone on.
pub(super) struct GoneOn(BTreeMap<BoardId, [ResultCode; 2]>);

impl GoneOn {
    pub(super) fn of(event: &Event) -> GoneOn {
        let known = event.rounds.iter().flat_map(|round| round.follows.iter());
        GoneOn(known.map(|(id, codes)| (*id, *codes)).collect())
    }

    /// What a board counts for in the bracket.
    pub(super) fn codes(&self, id: BoardId, state: &BoardState) -> Option<[ResultCode; 2]> {
        self.0.get(&id).copied().or_else(|| state.result.as_ref().map(|it| it.codes))
    }
}

/// The bracket of so many entrants.
pub(super) fn bracket(event: &Event, lives: u8, entrants: usize) -> Bracket {
    let entrants = u32::try_from(entrants).unwrap_or(u32::MAX);
    match lives {
        1 => Bracket::single(entrants),
        _ => Bracket::double(entrants, event.settings.readings.grand_final()),
    }
}

impl Event {
    fn own_bracket(&self) -> Option<Bracket> {
        match self.settings.format {
            Format::KnockOut { lives: lives @ ..=BRACKET_LIVES_MAX, .. } => {
                Some(bracket(self, lives, starters(self).len()))
            }
            _ => None,
        }
    }

    /// The boards that a round follows from and none before it did, with what they have come to.
    pub(super) fn followed_by(&self, round: &PublishedRound) -> BTreeMap<BoardId, [ResultCode; 2]> {
        let Some(bracket) = self.own_bracket() else { return BTreeMap::new() };
        self.leading_to(&bracket, round.boards.iter().filter_map(|board| board.place).collect())
    }

    /// Takes over that no round follows any more: who has come to the last match has, be it that he walked over there.
    pub(super) fn settle_last_match(&mut self) {
        let Some(bracket) = self.own_bracket() else { return };
        let is_first = |id: &MatchId| id.part != Part::Final || id.round == 1;
        let last = bracket.matches().iter().rev().map(|it| it.id).find(is_first);
        let settled = self.leading_to(&bracket, last.into_iter().collect());
        if let Some(round) = self.rounds.last_mut() {
            Arc::make_mut(&mut round.follows).extend(settled);
        }
    }

    fn leading_to(&self, bracket: &Bracket, mut places: Vec<MatchId>) -> BTreeMap<BoardId, [ResultCode; 2]> {
        let sources: BTreeMap<MatchId, [Source; 2]> =
            bracket.matches().iter().map(|it| (it.id, it.sources)).collect();
        let mut before = BTreeSet::new();
        while let Some(place) = places.pop() {
            let led = sources.get(&place).into_iter().flatten().filter_map(|source| match source {
                Source::Winner(id) | Source::Loser(id) => Some(*id),
                Source::Seed(_) => None,
            });
            // The second final has the sides of the first, and is played because of how that ended.
            let is_second = place.part == Part::Final && place.round == 2;
            let first = is_second.then_some(MatchId { round: 1, ..place });
            places.extend(led.chain(first).filter(|id| before.insert(*id)));
        }
        let known = GoneOn::of(self);
        let boards = self.all_boards().filter(|(id, board, _)| {
            board.place.is_some_and(|place| before.contains(&place)) && !known.0.contains_key(id)
        });
        boards.filter_map(|(id, _, state)| Some((id, state.result.as_ref()?.codes))).collect()
    }
}
