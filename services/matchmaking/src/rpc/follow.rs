//! All that concerns an account, in one stream.

use api::matchmaking::v1::{
    FollowPart, FollowRequest, FollowResponse, MissingParts, OwnGames, follow_response::Told as PbTold,
    follow_service_server::FollowService,
};
use chassis::auth::{self, Scope};
use futures::{StreamExt as _, stream::BoxStream};
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

use crate::{
    app::{Follows, News, Part, Told},
    wire,
};

/// What every account may call for itself.
pub(crate) struct FollowApi(pub Follows);

#[tonic::async_trait]
impl FollowService for FollowApi {
    type FollowStream = BoxStream<'static, Result<FollowResponse, Status>>;

    async fn follow(&self, request: Request<FollowRequest>) -> Result<Response<Self::FollowStream>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let (number, named) = wire::follow(request.get_ref())?;
        let news = self.0.follow(caller.id, number, named).await?;
        let env = self.0.env().clone();
        let told = news.map(move |news| news.map(|news| response(news, env.now())).map_err(Status::from));
        Ok(Response::new(self.0.tickets.maintenance.said_on(told, request.into_inner().cursor)))
    }
}

fn response(News { told, number }: News, now: OffsetDateTime) -> FollowResponse {
    let told = match told {
        Told::Queue(queue) => PbTold::Queue(wire::own_queue(&queue, now)),
        Told::Games(games, caught_up) => PbTold::Games(OwnGames { games, caught_up }),
        Told::Notice(notice) => PbTold::Notice(*notice),
        Told::Rated(change) => PbTold::Rated(*change),
        Told::Missing(parts) => {
            let parts = parts.into_iter().map(|part| FollowPart::from(part).into()).collect();
            PbTold::Missing(MissingParts { parts })
        }
    };
    FollowResponse { cursor: wire::cursor(number), told: Some(told), ..FollowResponse::default() }
}

impl From<Part> for FollowPart {
    fn from(part: Part) -> Self {
        match part {
            Part::Games => FollowPart::Games,
            Part::Notices => FollowPart::Notices,
        }
    }
}
