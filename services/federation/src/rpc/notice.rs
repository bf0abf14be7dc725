//! `NoticeService`: what accounts are told.

use std::sync::Arc;

use api::federation::v1::{self as pb, notice_service_server::NoticeService};
use chassis::{
    auth::{self, Scope},
    maintenance::PlannedMaintenance,
};
use futures::{StreamExt as _, stream::BoxStream};
use tonic::{Request, Response, Status};

use crate::{
    app::notices::{self, Notices},
    wire::notice::{List, Mark, muted, told_kinds},
};

/// What everybody may call about his own.
#[derive(Clone)]
pub(crate) struct PublicNotices {
    /// What accounts are told.
    pub notices: Arc<Notices>,
    /// When the platform is worked on.
    pub maintenance: PlannedMaintenance,
}

#[tonic::async_trait]
impl NoticeService for PublicNotices {
    type WatchNoticesStream = BoxStream<'static, Result<pb::WatchNoticesResponse, Status>>;

    async fn list_notices(
        &self,
        request: Request<pb::ListNoticesRequest>,
    ) -> Result<Response<pb::ListNoticesResponse>, Status> {
        let caller = auth::signed_in(&request)?;
        let list = List::of(caller.id, request.get_ref())?;
        let (found, next_page_token, unread) = self.notices.list(&caller, &list).await?;
        let notices = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListNoticesResponse { notices, next_page_token, unread_count: counted(unread) }))
    }

    async fn watch_notices(
        &self,
        request: Request<pb::WatchNoticesRequest>,
    ) -> Result<Response<Self::WatchNoticesStream>, Status> {
        let caller = auth::signed_in(&request)?;
        let after = request.into_inner().after_number;
        let place = self.notices.stream(caller.id)?;
        let told = notices::watch(Arc::clone(&self.notices), caller.id, after, Some(place)).await?;
        let answers = told.map(|notice| {
            let answer = |notice| pb::WatchNoticesResponse { notice: Some(notice), ..Default::default() };
            notice.map(answer).map_err(Status::from)
        });
        Ok(Response::new(self.maintenance.said_on(answers, ())))
    }

    async fn mark_notices_read(
        &self,
        request: Request<pb::MarkNoticesReadRequest>,
    ) -> Result<Response<pb::MarkNoticesReadResponse>, Status> {
        let caller = auth::require(&request, Scope::Account)?;
        let mark = Mark::try_from(request.into_inner())?;
        let unread_count = counted(self.notices.mark(&caller, &mark).await?);
        Ok(Response::new(pb::MarkNoticesReadResponse { unread_count }))
    }

    async fn get_notice_settings(
        &self,
        request: Request<pb::GetNoticeSettingsRequest>,
    ) -> Result<Response<pb::GetNoticeSettingsResponse>, Status> {
        let caller = auth::signed_in(&request)?;
        let muted = told_kinds(&self.notices.muted(&caller).await?);
        Ok(Response::new(pb::GetNoticeSettingsResponse { muted }))
    }

    async fn update_notice_settings(
        &self,
        request: Request<pb::UpdateNoticeSettingsRequest>,
    ) -> Result<Response<pb::UpdateNoticeSettingsResponse>, Status> {
        let caller = auth::require(&request, Scope::Account)?;
        let wanted = muted(&request.get_ref().muted)?;
        self.notices.mute(&caller, &wanted).await?;
        Ok(Response::new(pb::UpdateNoticeSettingsResponse { muted: told_kinds(&wanted) }))
    }
}

fn counted(unread: u64) -> u32 {
    u32::try_from(unread).unwrap_or(u32::MAX)
}
