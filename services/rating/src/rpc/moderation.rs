//! `ModerationService`: reports, and what moderators do about them.

use api::rating::v1::{
    AnnulGamesRequest, AnnulGamesResponse, GetReportRequest, GetReportResponse, ListActsRequest,
    ListActsResponse, ListReportsRequest, ListReportsResponse, ReinstateGamesRequest, ReinstateGamesResponse,
    SettleReportRequest, SettleReportResponse, moderation_service_server::ModerationService,
};
use chassis::{
    auth::{self, Scope, require_moderator},
    page::Page,
};
use tonic::{Request, Response, Status};

use crate::{
    app::Moderation,
    wire::moderation::{Reports, act, event, for_report, games, moderator, report, report_id, why},
};

/// What moderators call, and arbiters.
#[derive(Clone, Debug)]
pub(crate) struct ModerationApi(pub Moderation);

#[tonic::async_trait]
impl ModerationService for ModerationApi {
    async fn list_reports(
        &self,
        request: Request<ListReportsRequest>,
    ) -> Result<Response<ListReportsResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let Reports { filter, page } = request.into_inner().try_into()?;
        self.0.ensure_may_read(&caller, filter.event).await?;
        let (reports, next_page_token) = self.0.reports(filter, &page).await?;
        let reports = reports.iter().map(|it| report(it, &[], caller.is_moderator())).collect();
        Ok(Response::new(ListReportsResponse { reports, next_page_token }))
    }

    async fn get_report(
        &self,
        request: Request<GetReportRequest>,
    ) -> Result<Response<GetReportResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let GetReportRequest { report_id: id, event_id } = request.into_inner();
        let (id, event) = (report_id(&id)?, event(&event_id)?);
        self.0.ensure_may_read(&caller, event).await?;
        let (found, evidence) = self.0.report(id, event).await?;
        let report = report(&found, &evidence, caller.is_moderator());
        Ok(Response::new(GetReportResponse { report: Some(report) }))
    }

    async fn settle_report(
        &self,
        request: Request<SettleReportRequest>,
    ) -> Result<Response<SettleReportResponse>, Status> {
        let by = moderator(require_moderator(&request)?);
        let SettleReportRequest { report_id: id, upheld, reason } = request.into_inner();
        let settled = self.0.settle(&by, report_id(&id)?, upheld, &why(reason)?).await?;
        Ok(Response::new(SettleReportResponse { report: Some(report(&settled, &[], true)) }))
    }

    async fn annul_games(
        &self,
        request: Request<AnnulGamesRequest>,
    ) -> Result<Response<AnnulGamesResponse>, Status> {
        let by = moderator(require_moderator(&request)?);
        let AnnulGamesRequest { game_ids, report_id, reason } = request.into_inner();
        let (games, report) = (games(&game_ids)?, for_report(&report_id)?);
        let changed = self.0.annul(&by, &games, report, &why(reason)?).await?;
        Ok(Response::new(AnnulGamesResponse { changed }))
    }

    async fn reinstate_games(
        &self,
        request: Request<ReinstateGamesRequest>,
    ) -> Result<Response<ReinstateGamesResponse>, Status> {
        let by = moderator(require_moderator(&request)?);
        let ReinstateGamesRequest { game_ids, reason } = request.into_inner();
        let changed = self.0.reinstate(&by, &games(&game_ids)?, &why(reason)?).await?;
        Ok(Response::new(ReinstateGamesResponse { changed }))
    }

    async fn list_acts(
        &self,
        request: Request<ListActsRequest>,
    ) -> Result<Response<ListActsResponse>, Status> {
        require_moderator(&request)?;
        let ListActsRequest { page_size, page_token } = request.into_inner();
        let (acts, next_page_token) = self.0.acts(&Page::of("acts", page_size, &page_token)?).await?;
        Ok(Response::new(ListActsResponse { acts: acts.iter().map(act).collect(), next_page_token }))
    }
}
