//! A player's own games on the wire.

use std::collections::BTreeSet;

use api::{ProtoEnum as _, game::v1 as pb, reason};
use chassis::id::GameId;
use rules::Side;

/// Games that a call may name.
const NAMED_MAX: usize = 200;

/// The games that a call names.
///
/// # Errors
/// When they are too many, or an id is none.
pub(crate) fn named_games(ids: &[String]) -> Result<BTreeSet<GameId>, api::Error> {
    if ids.len() > NAMED_MAX {
        let message = format!("at most {NAMED_MAX} games");
        return Err(api::Error::invalid(reason::BAD_BATCH, "known_game_ids", message));
    }
    ids.iter().map(|id| GameId::parse(id, "known_game_ids")).collect()
}

/// A game as it stands for who has been given this seat.
pub(crate) fn own_game(
    game: GameId,
    seat: Side,
    state: pb::GameState,
    time: Option<prost_types::Timestamp>,
) -> pb::OwnGame {
    let arbitration = state.progress.as_ref().and_then(|progress| progress.arbitration.as_ref());
    let swapped = arbitration.is_some_and(|arbitration| arbitration.seats_swapped);
    let side = if swapped { seat.other() } else { seat };
    pb::OwnGame {
        game_id: game.to_string(),
        side: side.number(),
        waits: waits(&state, side),
        info: None,
        state: Some(state),
        update_time: time,
    }
}

/// Whether a game waits for a side: to act, or to come.
fn waits(state: &pb::GameState, side: Side) -> bool {
    let progress = state.progress.as_ref();
    let comes = progress.filter(|progress| progress.stage() == pb::Stage::Waiting);
    match comes.and_then(|progress| progress.check_in.as_ref()) {
        Some(check_in) => match side {
            Side::First => check_in.first_since_time.is_none(),
            Side::Second => check_in.second_since_time.is_none(),
        },
        None => state.actors.contains(&side.number()),
    }
}
