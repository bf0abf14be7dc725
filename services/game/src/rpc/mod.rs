//! The API of the game service: protos in, protos out, nothing decided.

mod arbiter;
mod chat;
mod event_games;
mod internal;
mod public;

pub(crate) use arbiter::ArbiterApi;
pub(crate) use chat::ChatApi;
pub(crate) use event_games::EventGamesApi;
pub(crate) use internal::InternalApi;
pub(crate) use public::PublicApi;

use std::{pin::Pin, sync::Arc};

use api::game::v1::GameEvent;
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use crate::{
    app::{
        App,
        arrival::{Arrival, Lag},
        availability::Ingress,
        commands::PlayerCommand,
    },
    error::Error,
    wire::CommandRequest,
};

/// What a call is answered, as `async_trait` has it.
type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<Response<T>, Status>> + Send + 'a>>;

/// Calls that are commands of a player, one a line.
macro_rules! command_calls {
    ($($call:ident: $request:ident => $response:ident;)+) => {
        $(fn $call<'a, 'b>(&'a self, request: Request<pb::$request>) -> $crate::rpc::Answer<'b, pb::$response>
        where
            'a: 'b,
            Self: 'b,
        {
            Box::pin(async move {
                let event = Some($crate::rpc::command(&self.0, request).await?);
                Ok(Response::new(pb::$response { event }))
            })
        })+
    };
}
use command_calls;

/// Carries a command of a player out.
async fn command<T>(app: &Arc<App>, request: Request<T>) -> Result<GameEvent, Status>
where
    CommandRequest: TryFrom<T, Error = Error>,
{
    let received = app.registry.env.now();
    let caller = auth::require(&request, Scope::Play)?;
    let ingress = Ingress::of(request.extensions());
    let CommandRequest { game, request, command, claimed_lag } = request.into_inner().try_into()?;
    let lag = Lag { claimed: claimed_lag, ..Lag::default() };
    let arrival = Arrival { received, lag };
    let command = PlayerCommand { game, account: caller.id, command, request, arrival, ingress };
    Ok(app.command(command).await?)
}
