//! How the boards of a round stand, from what the event and its games say.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use api::{federation::v1 as pb, game::v1::SeenGame};
use time::OffsetDateTime;

use crate::{
    core::event::{
        Event, game_id,
        overview::{Overview, Sees},
    },
    wire::event::board,
};

/// The boards of one round.
pub(super) struct Picture {
    /// The event as it was looked at last.
    pub event: Arc<Event>,
    /// The boards as everybody sees them.
    pub boards: Overview<Arc<pb::BoardGlimpse>>,
    /// Since when nothing is heard of the games.
    pub unheard_since: Option<OffsetDateTime>,
    /// Whether the games have been heard of at all.
    pub is_caught_up: bool,
    round: u16,
    seats: BTreeMap<u32, Seat>,
    tables: HashMap<String, u32>,
}

/// A board as it stands.
#[derive(Default)]
struct Seat {
    glimpse: pb::BoardGlimpse,
    game_id: String,
    /// When what the event says of it changed last.
    since: Option<OffsetDateTime>,
}

impl Picture {
    /// The boards of a round as the event says that they stand, as far as that is for everybody.
    pub(super) fn new(event: &Arc<Event>, round: u16, now: OffsetDateTime) -> Picture {
        let boards = Overview::new(event.settings.broadcast_delay);
        let mut picture = Picture {
            event: Arc::clone(event),
            boards,
            unheard_since: None,
            is_caught_up: false,
            round,
            seats: BTreeMap::new(),
            tables: HashMap::new(),
        };
        let mut seen = event.as_seen(now, None);
        if let Some(since) = event.unseen_since(now) {
            seen.incidents.retain(|incident| incident.reported <= since);
        }
        picture.take_event(Arc::new(seen), OffsetDateTime::UNIX_EPOCH);
        picture.boards.ripen(event.updated);
        picture
    }

    /// Takes over what the event says since then; whether its boards have other games now.
    pub(super) fn take_event(&mut self, event: Arc<Event>, since: OffsetDateTime) -> bool {
        let mut has_other_games = false;
        if let Some(round) = event.round(self.round) {
            for (id, _, state) in round.laid() {
                let open = event.open_incidents_of(id);
                let seat = self.seats.entry(id.table).or_default();
                let game = seat.glimpse.game.take().filter(|_| seat.glimpse.attempt == state.attempt);
                let shown = board::glimpse(id.table, state, open);
                if seat.glimpse != shown {
                    seat.since = Some(since);
                }
                if seat.glimpse.attempt != state.attempt {
                    self.tables.remove(&seat.game_id);
                    has_other_games = true;
                    seat.game_id = game_id(event.id, id, state.attempt).to_string();
                    self.tables.insert(seat.game_id.clone(), id.table);
                }
                seat.glimpse = pb::BoardGlimpse { game, ..shown };
                self.boards.set(id.table, &Arc::new(seat.glimpse.clone()), seat.since.unwrap_or(since));
            }
        }
        self.event = event;
        has_other_games
    }

    /// Takes over what a game says. What is known already, and games of others, change nothing.
    pub(super) fn take_game(&mut self, seen: SeenGame) {
        let Some((game, table)) = seen.glimpse.zip(self.tables.get(&seen.game_id)) else { return };
        let Some(seat) = self.seats.get_mut(table) else { return };
        let is_known = |known: &api::game::v1::GameGlimpse| known.sequence >= game.sequence;
        if seat.glimpse.game.as_ref().is_some_and(is_known) {
            return;
        }
        let happened = game.time.as_ref().and_then(api::time::moment);
        let at = [happened, seat.since].into_iter().flatten().max().unwrap_or(OffsetDateTime::UNIX_EPOCH);
        seat.glimpse.game = Some(game);
        self.boards.set(*table, &Arc::new(seat.glimpse.clone()), at);
    }

    /// The games of its boards.
    pub(super) fn games(&self) -> Vec<String> {
        self.seats.values().map(|seat| seat.game_id.clone()).collect()
    }

    /// Whether nothing more is to come of its boards.
    pub(super) fn is_over(&self) -> bool {
        let Some(round) = self.event.round(self.round) else { return true };
        (round.is_complete() || self.event.stage.is_over())
            && (self.is_caught_up || self.unheard_since.is_some())
    }

    /// Whether there is nothing more to come that somebody could see.
    pub(super) fn is_over_for(&self, sees: Sees) -> bool {
        self.is_over() && (sees == Sees::AtOnce || self.boards.ripens().is_none())
    }
}
