//! The service for clients.

use std::pin::Pin;

use api::clock::v1::{
    DescribeTimeControlRequest, DescribeTimeControlResponse, GetRemainingTimeRequest,
    GetRemainingTimeResponse, GetTimeRequest, GetTimeResponse, ListTimeControlsRequest,
    ListTimeControlsResponse, WatchAnnouncementsRequest, WatchAnnouncementsResponse,
    clock_service_server::ClockService,
};
use chassis::{auth, id::GameId};
use futures::{Stream, TryStreamExt as _};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::{
    app::{Clocks, Follower},
    core::offers,
    error::Error,
    wire,
};

/// Tells clients the time, what a time control means, and what is announced.
#[derive(Debug)]
pub(crate) struct PublicApi {
    /// The clocks.
    pub clocks: Clocks,
    /// Ends the streams.
    pub stop: CancellationToken,
}

#[tonic::async_trait]
impl ClockService for PublicApi {
    async fn get_time(&self, _request: Request<GetTimeRequest>) -> Result<Response<GetTimeResponse>, Status> {
        let now = self.clocks.now();
        let maintenance = self.clocks.maintenance.next();
        Ok(Response::new(GetTimeResponse { server_time: Some(now.into()), maintenance }))
    }

    async fn list_time_controls(
        &self,
        request: Request<ListTimeControlsRequest>,
    ) -> Result<Response<ListTimeControlsResponse>, Status> {
        let variant = wire::variant(&request.get_ref().variant)?;
        let time_controls = offers(variant).into_iter().map(wire::named_time_control).collect();
        Ok(Response::new(ListTimeControlsResponse { time_controls }))
    }

    async fn get_remaining_time(
        &self,
        request: Request<GetRemainingTimeRequest>,
    ) -> Result<Response<GetRemainingTimeResponse>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let game = GameId::parse(&request.get_ref().game_id, "game_id")?;
        let remaining = self.clocks.remaining(game, caller.as_ref()).await?;
        Ok(Response::new((&remaining).into()))
    }

    type WatchAnnouncementsStream =
        Pin<Box<dyn Stream<Item = Result<WatchAnnouncementsResponse, Status>> + Send>>;

    async fn watch_announcements(
        &self,
        request: Request<WatchAnnouncementsRequest>,
    ) -> Result<Response<Self::WatchAnnouncementsStream>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let game = GameId::parse(&request.get_ref().game_id, "game_id")?;
        let follower = Follower::new(self.clocks.clone(), game, caller, self.stop.clone()).await?;
        let told = follower.into_stream().map_err(Status::from);
        Ok(Response::new(self.clocks.maintenance.said_on(told, ())))
    }

    async fn describe_time_control(
        &self,
        request: Request<DescribeTimeControlRequest>,
    ) -> Result<Response<DescribeTimeControlResponse>, Status> {
        let control = wire::described_time_control(request.get_ref()).map_err(Error::from)?;
        Ok(Response::new(wire::description(control)))
    }
}
