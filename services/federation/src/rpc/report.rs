//! Judging reports on the wire: protos in, protos out, nothing decided.

use std::sync::Arc;

use api::federation::v1::{self as pb, pairing_service_server::PairingService};
use tonic::{Request, Response, Status};

use crate::{app::event::Events, wire::report};

/// What everybody may have judged.
#[derive(Clone)]
pub(crate) struct PublicPairing(pub Arc<Events>);

#[tonic::async_trait]
impl PairingService for PublicPairing {
    async fn check_report(
        &self,
        request: Request<pb::CheckReportRequest>,
    ) -> Result<Response<pb::CheckReportResponse>, Status> {
        let (bytes, colours) = report::asked(request.into_inner())?;
        let verdict = self.0.check_report(bytes, colours).await?;
        Ok(Response::new(report::told(&verdict)))
    }
}
