//! Has correspondence games rest while a player of them is on leave. What a game is told is how it is when it is told, and it
//! is asked again afterwards: so leave that begins and ends while a game could not be reached comes to the same.

use std::sync::Arc;

use api::{federation::v1::LeaveToHandOn, game::v1::ChangeLeaveRequest};
use chassis::{
    id::{EventId, GameId, of_digest},
    outbox::Delivery,
};
use prost::Message as _;
use sha2::{Digest as _, Sha256};
use tonic::Code;
use uuid::Uuid;

use super::{Events, delivery::complain};
use crate::{
    core::event::{BoardId, game_id},
    error::Result,
};

/// Has a game rest, or go on.
pub(super) async fn hand_on(events: Arc<Events>, payload: Vec<u8>) -> Delivery {
    let Ok(owed) = LeaveToHandOn::decode(&*payload) else {
        return Delivery::Never("nothing about leave".to_owned());
    };
    let event = EventId::parse(&owed.event_id, "event_id");
    let (Ok(event), Ok(round)) = (event, u16::try_from(owed.round)) else {
        return Delivery::Never("it names no game".to_owned());
    };
    match events.have_rest(event, BoardId { round, table: owed.table }, owed.attempt).await {
        Ok(delivery) => delivery,
        Err(error) => {
            complain(&error.into());
            Delivery::Later
        }
    }
}

impl Events {
    /// Has the game of a board rest, or go on, as leave has it now, until that does not change any more.
    pub(super) async fn have_rest(&self, id: EventId, board: BoardId, attempt: u32) -> Result<Delivery> {
        let game = game_id(id, board, attempt);
        loop {
            let event = self.current(id).await?.event;
            let Some((on_leave, since)) = event.rests(board).filter(|_| event.is_by_correspondence(board))
            else {
                return Ok(Delivery::Done);
            };
            let request = ChangeLeaveRequest {
                game_id: game.to_string(),
                event_id: id.to_string(),
                on_leave,
                event_sequence: since,
                request_id: request_of(game, on_leave, since).to_string(),
            };
            match self.games.clone().change_leave(request).await {
                Ok(_) => {}
                // There is no game: it is not made yet, and is told when it is; or it is none of this event's any more.
                Err(status) if matches!(status.code(), Code::NotFound | Code::FailedPrecondition) => {
                    return Ok(Delivery::Done);
                }
                Err(status) if matches!(status.code(), Code::InvalidArgument | Code::Aborted) => {
                    return Ok(Delivery::Never(status.message().to_owned()));
                }
                Err(status) => {
                    complain(&status);
                    return Ok(Delivery::Later);
                }
            }
            let after = self.current(id).await?.event;
            if after.rests(board) == Some((on_leave, since)) {
                return Ok(Delivery::Done);
            }
        }
    }
}

/// The request by which a game rests, or goes on, since an entry: always the same, however often that is tried.
fn request_of(game: GameId, on_leave: bool, since: u64) -> Uuid {
    let mut hash = Sha256::new_with_prefix(b"shoutan/event-leave\0");
    hash.update(game.uuid().as_bytes());
    hash.update([u8::from(on_leave)]);
    hash.update(since.to_be_bytes());
    of_digest(hash.finalize().into())
}
