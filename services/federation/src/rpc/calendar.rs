//! Calendars: made over gRPC, and read over plain HTTP, as programs of calendars do.

use std::sync::Arc;

use api::federation::v1::{self as pb, calendar_service_server::CalendarService};
use axum::{
    extract::{Path, State},
    response::{IntoResponse as _, Response as HttpResponse},
};
use chassis::{
    auth::{self, Scope},
    server::CALENDAR_PATH,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};
use tonic::{Request, Response, Status};

use crate::{
    app::calendars::Calendars,
    core::calendar::{Create, Secret},
    wire::{attempt::Mutation as _, calendar::Delete},
};

/// How the name of every calendar ends.
const ENDING: &str = ".ics";
/// Whose reader keeps it, and for how long: a time that was agreed on is seen within minutes.
const CACHING: &str = "private, max-age=300";

/// Who makes calendars.
#[derive(Clone)]
pub(crate) struct CalendarApi(pub Arc<Calendars>);

#[tonic::async_trait]
impl CalendarService for CalendarApi {
    async fn create_calendar_feed(
        &self,
        request: Request<pb::CreateCalendarFeedRequest>,
    ) -> Result<Response<pb::CreateCalendarFeedResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let (feed, secret) = self.0.create(&attempt, Create::try_from(request)?).await?;
        let path = secret.map(|secret| format!("{CALENDAR_PATH}{}{ENDING}", secret.text()));
        let path = path.unwrap_or_default();
        Ok(Response::new(pb::CreateCalendarFeedResponse { feed: Some((&feed).into()), path }))
    }

    async fn list_calendar_feeds(
        &self,
        request: Request<pb::ListCalendarFeedsRequest>,
    ) -> Result<Response<pb::ListCalendarFeedsResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let feeds = self.0.list(&caller).await?.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListCalendarFeedsResponse { feeds }))
    }

    async fn delete_calendar_feed(
        &self,
        request: Request<pb::DeleteCalendarFeedRequest>,
    ) -> Result<Response<pb::DeleteCalendarFeedResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        self.0.delete(&attempt, Delete::try_from(request)?).await?;
        Ok(Response::new(pb::DeleteCalendarFeedResponse {}))
    }
}

/// The route by which calendars are read.
pub(crate) fn calendar_route(calendars: Arc<Calendars>) -> axum::Router {
    axum::Router::new()
        .route(CALENDAR_PATH, axum::routing::get(async || unknown()))
        .route(&format!("{CALENDAR_PATH}{{*file}}"), axum::routing::get(read))
        .with_state(calendars)
}

/// Answers with the calendar of an address. Whatever is none is answered alike, whether it ever was one.
async fn read(
    State(calendars): State<Arc<Calendars>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> HttpResponse {
    let secret = file.strip_suffix(ENDING).and_then(Secret::parse);
    let made = match secret {
        Some(secret) => calendars.read(&secret).await,
        None => Ok(None),
    };
    match made {
        Ok(Some(calendar)) => answer(calendar, &headers),
        Ok(None) => unknown(),
        Err(error) => {
            let _logged = Status::from(error);
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "60")]).into_response()
        }
    }
}

/// That an address opens nothing, which nobody keeps.
fn unknown() -> HttpResponse {
    let kept_by_nobody = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::NOT_FOUND, kept_by_nobody, "there is no such calendar\n").into_response()
}

/// The calendar, or that the reader has it already.
fn answer(calendar: Vec<u8>, asked: &HeaderMap) -> HttpResponse {
    let digest = Sha256::digest(&calendar);
    let tag = digest.iter().take(16).fold("\"".to_owned(), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let mut headers = HeaderMap::new();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHING));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let known = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(',')).map(str::trim);
    let is_known = known.any(|known| known == "*" || known.trim_start_matches("W/") == tag);
    headers.extend(HeaderValue::try_from(tag).ok().map(|tag| (header::ETAG, tag)));
    if is_known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8"));
    (headers, calendar).into_response()
}
