//! Results of boards on the wire: protos in, protos out, nothing decided.

use api::federation::v1 as pb;
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use super::event::told;
use crate::{
    app::event::Events,
    wire::event::request::{self, ChangeRequest as _},
};

pub(super) async fn enter_result(
    events: &Events,
    request: Request<pb::EnterResultRequest>,
) -> Result<Response<pb::EnterResultResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let result = request::result(it.result)?;
    let current = events.enter_result(&caller, &change, board, result).await?;
    Ok(Response::new(pb::EnterResultResponse { event: Some(told(&current)) }))
}

pub(super) async fn confirm_result(
    events: &Events,
    request: Request<pb::ConfirmResultRequest>,
) -> Result<Response<pb::ConfirmResultResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let current = events.confirm_result(&caller, &change, board).await?;
    Ok(Response::new(pb::ConfirmResultResponse { event: Some(told(&current)) }))
}

pub(super) async fn replay_board(
    events: &Events,
    request: Request<pb::ReplayBoardRequest>,
) -> Result<Response<pb::ReplayBoardResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, board) = (it.change()?, request::board(it.round, it.table)?);
    let current = events.play_again(&caller, &change, board).await?;
    Ok(Response::new(pb::ReplayBoardResponse { event: Some(told(&current)) }))
}

pub(super) async fn amend_event(
    events: &Events,
    request: Request<pb::AmendEventRequest>,
) -> Result<Response<pb::AmendEventResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, reason) = (it.change()?, request::why(it.reason)?);
    let results = request::amendments(it.results)?;
    let current = events.amend(&caller, &change, &results, reason).await?;
    Ok(Response::new(pb::AmendEventResponse { event: Some(told(&current)) }))
}
