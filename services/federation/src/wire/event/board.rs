//! Boards as they are told to who watches a round.

use api::{federation::v1 as pb, time::timestamp};

use crate::core::event::BoardState;

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
