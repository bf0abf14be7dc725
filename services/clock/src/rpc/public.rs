//! The service for clients.

use api::{
    clock::v1::{
        DescribeTimeControlRequest, DescribeTimeControlResponse, GetTimeRequest, GetTimeResponse,
        ListTimeControlsRequest, ListTimeControlsResponse, NamedTimeControl,
        clock_service_server::ClockService,
    },
    fault::Fault,
    time_control::{BadTimeControl, TimeControl},
};
use async_trait::async_trait;
use chassis::Ambient;
use tonic::{Request, Response, Status};

use crate::{core::offers, error::ClockError};

/// Tells clients the time and what a time control means.
#[derive(Debug)]
pub struct Public {
    ambient: Ambient,
}

impl Public {
    /// The service on this time.
    pub fn new(ambient: Ambient) -> Self {
        Public { ambient }
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
        let offers = offers(&request.get_ref().variant);
        let time_controls = offers.into_iter().map(|offer| named(offer.control)).collect();
        Ok(Response::new(ListTimeControlsResponse { time_controls }))
    }

    async fn describe_time_control(
        &self,
        request: Request<DescribeTimeControlRequest>,
    ) -> Result<Response<DescribeTimeControlResponse>, Status> {
        let control = described(request.get_ref()).map_err(|bad| Fault::from(ClockError::from(bad)))?;
        Ok(Response::new(DescribeTimeControlResponse {
            time_control: Some(named(control)),
            expected_duration: Some(api::time::duration(control.expected() * 2)),
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
