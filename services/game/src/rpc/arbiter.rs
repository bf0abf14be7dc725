//! The public service of officials and of those who call on them.

use std::sync::Arc;

use api::game::v1::{self as pb, arbiter_service_server::ArbiterService};
use chassis::{
    auth::{self, Scope},
    id::{GameId, RequestId},
};
use tonic::{Request, Response, Status};

use crate::{
    app::{App, availability::Ingress, commands::PlayerCommand, rulings::OfficialCommand},
    core::{Command, CommandError, RulingError},
    error::{DecodeError, Result},
    wire::{allowed_to_pb, is_evidence, petition_from_pb, ruling_from_pb},
};

/// The public arbiter service.
pub(crate) struct ArbiterApi(pub Arc<App>);

#[tonic::async_trait]
impl ArbiterService for ArbiterApi {
    async fn rule(&self, request: Request<pb::RuleRequest>) -> Result<Response<pb::RuleResponse>, Status> {
        let received = self.0.registry.env.now();
        let official = auth::require(&request, Scope::Arbitrate)?.clone();
        let pb::RuleRequest { game_id, ruling, request_id } = request.get_ref();
        let command = OfficialCommand {
            game: GameId::parse(game_id, "game_id")?,
            official,
            ruling: readable(ruling.as_ref().map(ruling_from_pb), RulingError::BadRuling)?,
            request: RequestId::parse(request_id, "request_id")?,
            received,
            ingress: Ingress::of(request.extensions()),
        };
        let event = self.0.rule(command).await?;
        Ok(Response::new(pb::RuleResponse { event: Some(event) }))
    }

    async fn petition(
        &self,
        request: Request<pb::PetitionRequest>,
    ) -> Result<Response<pb::PetitionResponse>, Status> {
        let received = self.0.registry.env.now();
        let caller = auth::require(&request, Scope::Play)?;
        let pb::PetitionRequest { game_id, petition, request_id } = request.get_ref();
        let petition = readable(petition.as_ref().map(petition_from_pb), RulingError::BadPetition)?;
        let command = PlayerCommand {
            game: GameId::parse(game_id, "game_id")?,
            account: caller.id,
            command: Command::Petition(petition),
            request: RequestId::parse(request_id, "request_id")?,
            arrival: received.into(),
            ingress: Ingress::of(request.extensions()),
        };
        let event = self.0.command(command).await?;
        Ok(Response::new(pb::PetitionResponse { event: Some(event) }))
    }

    async fn list_incidents(
        &self,
        request: Request<pb::ListIncidentsRequest>,
    ) -> Result<Response<pb::ListIncidentsResponse>, Status> {
        let variant = rules::variant(&request.get_ref().variant)
            .ok_or_else(|| api::Error::unknown_variant("variant"))?;
        Ok(Response::new(pb::ListIncidentsResponse {
            decisions: variant.conduct.decisions.iter().map(allowed_to_pb).collect(),
            penalties_max: variant.conduct.penalties_max.get().into(),
        }))
    }
}

/// What was sent, or what is wrong with it.
fn readable<T>(sent: Option<Result<T, DecodeError>>, error: RulingError) -> Result<T> {
    match sent {
        Some(Ok(sent)) => Ok(sent),
        Some(Err(malformed)) if is_evidence(&malformed) => {
            Err(CommandError::from(RulingError::BadEvidence).into())
        }
        Some(Err(_)) | None => Err(CommandError::from(error).into()),
    }
}
