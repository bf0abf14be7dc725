//! The public service of officials and of those who call on them.

use std::sync::Arc;

use api::game::v1::{self as pb, arbiter_service_server::ArbiterService};
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use super::command_calls;
use crate::{
    app::{App, availability::Ingress, rulings::OfficialCommand},
    wire::{RulingRequest, variant},
};

/// The public arbiter service.
pub(crate) struct ArbiterApi(pub Arc<App>);

#[tonic::async_trait]
impl ArbiterService for ArbiterApi {
    command_calls! {
        petition: PetitionRequest => PetitionResponse;
    }

    async fn rule(&self, request: Request<pb::RuleRequest>) -> Result<Response<pb::RuleResponse>, Status> {
        let received = self.0.registry.env.now();
        let official = auth::require(&request, Scope::Arbitrate)?;
        let ingress = Ingress::of(request.extensions());
        let RulingRequest { game, request, ruling } = request.into_inner().try_into()?;
        let command = OfficialCommand { game, official, ruling, request, received, ingress };
        let event = self.0.rule(command).await?;
        Ok(Response::new(pb::RuleResponse { event: Some(event) }))
    }

    async fn list_incidents(
        &self,
        request: Request<pb::ListIncidentsRequest>,
    ) -> Result<Response<pb::ListIncidentsResponse>, Status> {
        let conduct = variant(&request.get_ref().variant)?.conduct;
        Ok(Response::new(pb::ListIncidentsResponse {
            decisions: conduct.decisions.iter().map(Into::into).collect(),
            penalties_max: conduct.penalties_max.get().into(),
        }))
    }
}
