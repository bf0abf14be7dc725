//! The service for clients.

use api::{
    clock::v1::{
        DescribeTimeControlRequest, DescribeTimeControlResponse, GetRemainingTimeRequest,
        GetRemainingTimeResponse, GetTimeRequest, GetTimeResponse, ListTimeControlsRequest,
        ListTimeControlsResponse, NamedTimeControl, WatchCallsRequest, clock_service_server::ClockService,
    },
    fault::Fault,
    time_control::{BadTimeControl, TimeControl},
};
use async_trait::async_trait;
use chassis::{
    Ambient,
    auth::{self, Caller},
    id::GameId,
};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::{
    app::follow::{CallStream, Listener},
    core::{Side, offers},
    error::ClockError,
    store::{ArmedClock, Flags},
    wire::{self, platform_moment},
};

/// Tells clients the time, what a time control means, and what is to be called.
#[derive(Debug)]
pub struct Public {
    ambient: Ambient,
    flags: Flags,
    stop: CancellationToken,
}

impl Public {
    /// The service on this time, for the clocks that are watched there. Its streams end when told to stop.
    pub fn new(ambient: Ambient, flags: Flags, stop: CancellationToken) -> Self {
        Public { ambient, flags, stop }
    }

    async fn remaining(
        &self,
        game_id: &str,
        caller: Option<&Caller>,
    ) -> Result<GetRemainingTimeResponse, ClockError> {
        let game = GameId::parse(game_id, "game_id")?;
        let watched = self.flags.current(game).await?.filter(|clock| clock.is_open_to(caller));
        let watched = watched.ok_or(ClockError::UnknownClock)?;
        let ArmedClock { control, reading, .. } = watched;
        let now = platform_moment(self.ambient.now());
        let left = |side| Some(wire::remaining_proto(&reading, control, side, now));
        Ok(GetRemainingTimeResponse {
            first: left(Side::First),
            second: left(Side::Second),
            running: wire::side_proto(reading.running().map(|turn| turn.side)).into(),
            server_time: Some(wire::timestamp(now)),
            revision: reading.revision,
        })
    }
}

#[async_trait]
impl ClockService for Public {
    async fn get_time(&self, _request: Request<GetTimeRequest>) -> Result<Response<GetTimeResponse>, Status> {
        let server_time = Some(api::time::timestamp(self.ambient.now()));
        Ok(Response::new(GetTimeResponse { server_time }))
    }

    async fn list_time_controls(
        &self,
        request: Request<ListTimeControlsRequest>,
    ) -> Result<Response<ListTimeControlsResponse>, Status> {
        let time_controls = match request.get_ref().variant.as_str() {
            "" => offers(None),
            id => offers(Some(rules::variant(id).ok_or_else(|| Fault::unknown_variant("variant"))?)),
        };
        let time_controls = time_controls.into_iter().map(named).collect();
        Ok(Response::new(ListTimeControlsResponse { time_controls }))
    }

    async fn get_remaining_time(
        &self,
        request: Request<GetRemainingTimeRequest>,
    ) -> Result<Response<GetRemainingTimeResponse>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let remaining = self.remaining(&request.get_ref().game_id, caller.as_ref()).await;
        Ok(Response::new(remaining.map_err(Fault::from)?))
    }

    type WatchCallsStream = CallStream;

    async fn watch_calls(&self, request: Request<WatchCallsRequest>) -> Result<Response<CallStream>, Status> {
        let game = GameId::parse(&request.get_ref().game_id, "game_id")?;
        let caller = auth::caller(&request).ok().flatten();
        let listener =
            Listener::new(self.ambient.clone(), self.flags.clone(), game, caller, self.stop.clone());
        Ok(Response::new(listener.await.map_err(Fault::from)?.into_stream()))
    }

    async fn describe_time_control(
        &self,
        request: Request<DescribeTimeControlRequest>,
    ) -> Result<Response<DescribeTimeControlResponse>, Status> {
        let control = described(request.get_ref()).map_err(|bad| Fault::from(ClockError::from(bad)))?;
        Ok(Response::new(DescribeTimeControlResponse {
            time_control: Some(named(control)),
            expected_duration: control.expected().map(|expected| api::time::duration(expected * 2)),
        }))
    }
}

/// The control that is asked about, by exactly one of its two forms.
fn described(request: &DescribeTimeControlRequest) -> Result<TimeControl, BadTimeControl> {
    match (&request.time_control, request.text.as_str()) {
        (Some(control), "") => TimeControl::try_from(control),
        (None, text) if !text.is_empty() => text.parse(),
        _ => Err(BadTimeControl { field: "time_control", detail: "either this or the text" }),
    }
}

fn named(control: TimeControl) -> NamedTimeControl {
    NamedTimeControl {
        time_control: Some(control.into()),
        text: control.to_string(),
        speed_class: control.speed_class().into(),
    }
}
