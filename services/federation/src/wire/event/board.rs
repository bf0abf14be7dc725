//! Boards as they are told to who watches a round.

use api::{federation::v1 as pb, time::timestamp};

use crate::core::event::{BoardId, BoardState, Event, game_id};

/// What the event says of a board; its game is for the game service to tell.
pub(crate) fn glimpse(table: u32, state: &BoardState, open_incidents: u32) -> pb::BoardGlimpse {
    pb::BoardGlimpse {
        table,
        attempt: state.attempt,
        game: None,
        result: state.result.as_ref().map(Into::into),
        postponed_time: state.postponed.map(timestamp),
        open_incidents,
    }
}

/// The game of a board.
pub(crate) fn game_of(event: &Event, board: BoardId, state: &BoardState) -> String {
    game_id(event.id, board, state.attempt).to_string()
}
