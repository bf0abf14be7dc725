//! When boards are played, on the wire: protos in, protos out, nothing decided.

use api::federation::v1 as pb;
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use super::event::{number_if_any, told};
use crate::{
    app::event::Events,
    wire::event::request::{self, ChangeRequest as _},
};

type Answer<T> = Result<Response<T>, Status>;

pub(super) async fn check_in(
    events: &Events,
    request: Request<pb::CheckInRequest>,
) -> Answer<pb::CheckInResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, round) = (it.change()?, request::round("round", it.round)?);
    let current = events.check_in(&caller, &change, number_if_any(it.number), round).await?;
    Ok(Response::new(pb::CheckInResponse { event: Some(told(&current)) }))
}

pub(super) async fn postpone_board(
    events: &Events,
    request: Request<pb::PostponeBoardRequest>,
) -> Answer<pb::PostponeBoardResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let until = request::moment_of("start_time", it.start_time)?;
    let current = events.postpone(&caller, &change, board, until).await?;
    Ok(Response::new(pb::PostponeBoardResponse { event: Some(told(&current)) }))
}

pub(super) async fn propose_game(
    events: &Events,
    request: Request<pb::ProposeGameRequest>,
) -> Answer<pb::ProposeGameResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let times = request::proposed(it.start_times)?;
    let current = events.propose_game(&caller, &change, board, &times).await?;
    Ok(Response::new(pb::ProposeGameResponse { event: Some(told(&current)) }))
}

pub(super) async fn accept_proposal(
    events: &Events,
    request: Request<pb::AcceptProposalRequest>,
) -> Answer<pb::AcceptProposalResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let at = request::moment_of("start_time", it.start_time)?;
    let current = events.accept_proposal(&caller, &change, board, at).await?;
    Ok(Response::new(pb::AcceptProposalResponse { event: Some(told(&current)) }))
}

pub(super) async fn decline_proposal(
    events: &Events,
    request: Request<pb::DeclineProposalRequest>,
) -> Answer<pb::DeclineProposalResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let current = events.decline_proposal(&caller, &change, board).await?;
    Ok(Response::new(pb::DeclineProposalResponse { event: Some(told(&current)) }))
}
