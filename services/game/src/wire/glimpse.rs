//! How a game stands, for whoever looks after many.

use api::{ProtoEnum as _, game::v1 as pb, time::timestamp};
use chassis::id::GameId;
use rules::Side;
use time::OffsetDateTime;

use crate::core::{ClaimState, GameState};

/// A game after its event of this number, which happened then.
pub(crate) fn seen(game: GameId, sequence: u64, time: OffsetDateTime, state: &GameState) -> pb::SeenGame {
    pb::SeenGame { game_id: game.to_string(), glimpse: Some(glimpse(sequence, time, state)) }
}

fn glimpse(sequence: u64, time: OffsetDateTime, state: &GameState) -> pb::GameGlimpse {
    let progress = &state.progress;
    let sides = |is_meant: &dyn Fn(Side) -> bool| -> Vec<i32> {
        Side::BOTH.into_iter().filter(|side| is_meant(*side)).map(Side::number).collect()
    };
    let arbitration = &progress.arbitration;
    let is_open = |state: ClaimState| matches!(state, ClaimState::Open | ClaimState::Appealed);
    let open_claims = arbitration.claims.iter().filter(|claim| is_open(claim.state)).count();
    pb::GameGlimpse {
        sequence,
        time: Some(timestamp(time)),
        ply: state.ply,
        position_hash: state.position_hash,
        stage: progress.stage.number(),
        actors: sides(&|side| state.actors.include(side)),
        clock: state.clock.as_ref().map(Into::into),
        gone: sides(&|side| progress.presence.absence(side).is_some()),
        callers: arbitration.calls.iter().map(|call| call.side.number()).collect(),
        open_claims: u32::try_from(open_claims).unwrap_or(u32::MAX),
        incidents: arbitration.incidents,
        paused: !progress.pauses.is_empty(),
        verdict: state.outcome.as_ref().map(|outcome| outcome.verdict).number(),
    }
}
