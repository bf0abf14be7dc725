//! The matchmaking of the world: nobody queues, so that the ends of games are taken note of and nothing follows.

use api::{
    matchmaking::v1::{
        NoteGameRequest, NoteGameResponse,
        matchmaking_internal_service_server::{MatchmakingInternalService, MatchmakingInternalServiceServer},
    },
    transport::{Transport, over},
};
use tonic::{Request, Response, Status};

/// Takes note of whatever it is told.
struct Nobody;

/// The way to it.
pub(crate) fn transport() -> Transport {
    over(MatchmakingInternalServiceServer::new(Nobody))
}

#[tonic::async_trait]
impl MatchmakingInternalService for Nobody {
    async fn note_game(&self, _: Request<NoteGameRequest>) -> Result<Response<NoteGameResponse>, Status> {
        Ok(Response::new(NoteGameResponse {}))
    }
}
