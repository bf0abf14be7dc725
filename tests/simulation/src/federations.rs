//! The federations of the world: there are none, so that they know no event of its games.

use api::{
    federation::v1::{
        ListComingGamesRequest, ListComingGamesResponse, ListEventTimesRequest, ListEventTimesResponse,
        NoteGameRequest, NoteGameResponse, PutNoticesRequest, PutNoticesResponse, RecordGameRequest,
        RecordGameResponse,
        federation_internal_service_server::{FederationInternalService, FederationInternalServiceServer},
    },
    transport::{Transport, over},
};
use tonic::{Request, Response, Status};

/// Answers whatever is told of an event that it has none.
struct NoEvents;

/// The way to them.
pub(crate) fn transport() -> Transport {
    over(FederationInternalServiceServer::new(NoEvents))
}

#[tonic::async_trait]
impl FederationInternalService for NoEvents {
    type FollowNoticesStream =
        futures::stream::BoxStream<'static, Result<api::federation::v1::FollowNoticesResponse, Status>>;
    type ListMemberAccountsStream =
        futures::stream::Empty<Result<api::federation::v1::ListMemberAccountsResponse, Status>>;

    async fn list_member_accounts(
        &self,
        _: Request<api::federation::v1::ListMemberAccountsRequest>,
    ) -> Result<Response<Self::ListMemberAccountsStream>, Status> {
        Ok(Response::new(futures::stream::empty()))
    }

    async fn record_game(
        &self,
        _request: Request<RecordGameRequest>,
    ) -> Result<Response<RecordGameResponse>, Status> {
        Err(Status::not_found("there is no such event"))
    }

    async fn follow_notices(
        &self,
        _request: Request<api::federation::v1::FollowNoticesRequest>,
    ) -> Result<Response<Self::FollowNoticesStream>, Status> {
        Err(Status::unavailable("nobody is told anything"))
    }

    async fn note_game(
        &self,
        _request: Request<NoteGameRequest>,
    ) -> Result<Response<NoteGameResponse>, Status> {
        Err(Status::not_found("there is no such event"))
    }

    async fn list_coming_games(
        &self,
        _: Request<ListComingGamesRequest>,
    ) -> Result<Response<ListComingGamesResponse>, Status> {
        Ok(Response::new(ListComingGamesResponse::default()))
    }

    async fn list_event_times(
        &self,
        _: Request<ListEventTimesRequest>,
    ) -> Result<Response<ListEventTimesResponse>, Status> {
        Ok(Response::new(ListEventTimesResponse::default()))
    }

    async fn put_notices(
        &self,
        _: Request<PutNoticesRequest>,
    ) -> Result<Response<PutNoticesResponse>, Status> {
        Ok(Response::new(PutNoticesResponse::default()))
    }
}
