//! What other services tell of the games of events.

use std::sync::Arc;

use api::federation::v1::{self as pb, federation_internal_service_server::FederationInternalService};
use chassis::{Database, auth, id::AccountId};
use futures::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use tonic::{Request, Response, Status};

use crate::{
    app::{
        self,
        event::Events,
        notices::{self, Notices},
    },
    wire::{
        event::{
            coming::{coming, playing_time, times_asked, until},
            notice::NoticeReport,
            report::GameReport,
        },
        member_accounts,
        notice::tellings,
    },
};

/// What other services may call.
#[derive(Clone)]
pub(crate) struct InternalEvents(pub Arc<Events>, pub Arc<Notices>, pub Database);

#[tonic::async_trait]
impl FederationInternalService for InternalEvents {
    type FollowNoticesStream = BoxStream<'static, Result<pb::FollowNoticesResponse, Status>>;
    type ListMemberAccountsStream = BoxStream<'static, Result<pb::ListMemberAccountsResponse, Status>>;

    async fn record_game(
        &self,
        request: Request<pb::RecordGameRequest>,
    ) -> Result<Response<pb::RecordGameResponse>, Status> {
        auth::require_service(&request)?;
        let report = GameReport::try_from(request.into_inner())?;
        let current = self.0.record_game(&report).await?;
        Ok(Response::new(pb::RecordGameResponse { sequence: current.event.sequence }))
    }

    async fn note_game(
        &self,
        request: Request<pb::NoteGameRequest>,
    ) -> Result<Response<pb::NoteGameResponse>, Status> {
        auth::require_service(&request)?;
        let report = NoticeReport::try_from(request.into_inner())?;
        let current = self.0.note_game(&report).await?;
        Ok(Response::new(pb::NoteGameResponse { sequence: current.event.sequence }))
    }

    async fn put_notices(
        &self,
        request: Request<pb::PutNoticesRequest>,
    ) -> Result<Response<pb::PutNoticesResponse>, Status> {
        auth::require_service(&request)?;
        let written = self.1.put(&tellings(request.into_inner())?).await?;
        Ok(Response::new(pb::PutNoticesResponse { written: u32::try_from(written).unwrap_or(u32::MAX) }))
    }

    async fn follow_notices(
        &self,
        request: Request<pb::FollowNoticesRequest>,
    ) -> Result<Response<Self::FollowNoticesStream>, Status> {
        auth::require_service(&request)?;
        let pb::FollowNoticesRequest { account_id, after_number } = request.into_inner();
        let account = AccountId::parse(&account_id, "account_id")?;
        let told = notices::watch(Arc::clone(&self.1), account, after_number, None).await?;
        let told = told.map_ok(|notice| pb::FollowNoticesResponse { notice: Some(notice) });
        Ok(Response::new(told.map_err(Status::from).boxed()))
    }

    async fn list_coming_games(
        &self,
        request: Request<pb::ListComingGamesRequest>,
    ) -> Result<Response<pb::ListComingGamesResponse>, Status> {
        auth::require_service(&request)?;
        let until = until(&request.into_inner(), self.0.now())?;
        let games = self.0.coming(until).await?.iter().map(coming).collect();
        Ok(Response::new(pb::ListComingGamesResponse { games }))
    }

    async fn list_event_times(
        &self,
        request: Request<pb::ListEventTimesRequest>,
    ) -> Result<Response<pb::ListEventTimesResponse>, Status> {
        auth::require_service(&request)?;
        let (account, within) = times_asked(request.get_ref())?;
        let times = self.0.times_of(account, within).await?.iter().map(playing_time).collect();
        Ok(Response::new(pb::ListEventTimesResponse { times }))
    }

    async fn list_member_accounts(
        &self,
        request: Request<pb::ListMemberAccountsRequest>,
    ) -> Result<Response<Self::ListMemberAccountsStream>, Status> {
        auth::require_service(&request)?;
        let (federation, day) = member_accounts::members_on(request.get_ref())?;
        let officials = match federation {
            Some(federation) => Some(app::official_accounts(&self.2, federation).await?),
            None => None,
        };
        let first = stream::iter(officials.map(|officials| Ok(member_accounts::officials(&officials))));
        let told = app::member_accounts(self.2.clone(), federation, day)
            .map_ok(|members| member_accounts::told(&members));
        Ok(Response::new(first.chain(told.map_err(Status::from)).boxed()))
    }
}
