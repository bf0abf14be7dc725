//! `ExchangeService`: files that come in and go out.

use std::sync::Arc;

use api::federation::v1::{
    self as pb, exchange_service_server::ExchangeService, import_event_response::Told as EventAnswer,
    import_roster_response::Told as RosterAnswer,
};
use chassis::{
    auth::{self, Scope},
    id::{FederationId, MemberId},
};
use futures::{StreamExt as _, stream, stream::BoxStream};
use tonic::{Request, Response, Status};

use super::{
    event::{caller_if_any, told},
    federation::roster_outcome,
};
use crate::{
    app::exchange::{Exchange, ImportedEvent, Outgoing, OutgoingGames, PART_BYTES, Told},
    core::file::Part,
    error::{Error, Result as Outcome},
    wire::{
        self,
        attempt::Mutation as _,
        exchange::{EventFile, Wanted, WantedGames},
        fields::optional,
        file::{self, Rest},
        import::RosterFile,
    },
};

/// What may be asked of exchange.
#[derive(Clone)]
pub(crate) struct ExchangeApi(pub Arc<Exchange>);

type Answers<T> = BoxStream<'static, Result<T, Status>>;

#[tonic::async_trait]
impl ExchangeService for ExchangeApi {
    type ImportRosterStream = Answers<pb::ImportRosterResponse>;
    type ExportRosterStream = Answers<pb::ExportRosterResponse>;
    type ImportEventStream = Answers<pb::ImportEventResponse>;
    type ExportEventStream = Answers<pb::ExportEventResponse>;
    type ExportPersonStream = Answers<pb::ExportPersonResponse>;
    type ExportGamesStream = Answers<pb::ExportGamesResponse>;

    async fn put_file_part(
        &self,
        request: Request<pb::PutFilePartRequest>,
    ) -> Result<Response<pb::PutFilePartResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let part = Part::try_from(request.into_inner())?;
        let received = self.0.put(&caller, &part).await?;
        Ok(Response::new(pb::PutFilePartResponse { received }))
    }

    async fn import_roster(
        &self,
        request: Request<pb::ImportRosterRequest>,
    ) -> Result<Response<Self::ImportRosterStream>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let validate_only = attempt.validate_only;
        let told = self.0.import_roster(attempt, RosterFile::try_from(request)?).await?;
        let outcome = move |counts| roster_outcome(counts, validate_only).map(RosterAnswer::Outcome);
        let answers = answers(told, RosterAnswer::Progress, outcome)
            .map(|told| told.map(|told| pb::ImportRosterResponse { told: Some(told) }));
        Ok(Response::new(answers.boxed()))
    }

    async fn export_roster(
        &self,
        request: Request<pb::ExportRosterRequest>,
    ) -> Result<Response<Self::ExportRosterStream>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let federation = FederationId::parse(&it.federation_id, "federation_id")?;
        let rest = Rest::parse(it.offset, it.sha256)?;
        let file = self.0.export_roster(&caller, federation, it.byte_order_mark, &rest).await?;
        let parts = parts(file).map(|part| Ok(pb::ExportRosterResponse { part: Some(part) }));
        Ok(Response::new(parts.boxed()))
    }

    async fn import_event(
        &self,
        request: Request<pb::ImportEventRequest>,
    ) -> Result<Response<Self::ImportEventStream>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let wanted = EventFile::try_from(request.into_inner())?;
        let is_preview = wanted.validate_only;
        let told = self.0.import_event(caller, wanted).await?;
        let outcome = move |imported| event_outcome(imported, is_preview).map(EventAnswer::Outcome);
        let answers = answers(told, EventAnswer::Progress, outcome)
            .map(|told| told.map(|told| pb::ImportEventResponse { told: Some(told) }));
        Ok(Response::new(answers.boxed()))
    }

    async fn export_event(
        &self,
        request: Request<pb::ExportEventRequest>,
    ) -> Result<Response<Self::ExportEventStream>, Status> {
        let caller = caller_if_any(&request)?;
        let it = request.into_inner();
        let wanted = Wanted::try_from(&it)?;
        let rest = Rest::parse(it.offset, it.sha256)?;
        let (file, losses) = self.0.export_event(caller.as_ref(), wanted, &rest).await?;
        let mut losses: Vec<pb::FileLoss> = losses.iter().map(wire::exchange::loss).collect();
        let parts = parts(file).map(move |part| {
            Ok(pb::ExportEventResponse { part: Some(part), losses: std::mem::take(&mut losses) })
        });
        Ok(Response::new(parts.boxed()))
    }

    async fn export_games(
        &self,
        request: Request<pb::ExportGamesRequest>,
    ) -> Result<Response<Self::ExportGamesStream>, Status> {
        let caller = caller_if_any(&request)?;
        let it = request.into_inner();
        let wanted = WantedGames::try_from(&it)?;
        let rest = Rest::parse(it.offset, it.sha256)?;
        let OutgoingGames { file, games, records } =
            self.0.export_games(caller.as_ref(), wanted, &rest).await?;
        let [games, records] = [games, records].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let parts = parts(file);
        let answers = parts.map(move |part| Ok(pb::ExportGamesResponse { part: Some(part), games, records }));
        Ok(Response::new(answers.boxed()))
    }

    async fn export_person(
        &self,
        request: Request<pb::ExportPersonRequest>,
    ) -> Result<Response<Self::ExportPersonStream>, Status> {
        let member = optional(&request.get_ref().member_id, "member_id", MemberId::parse)?;
        let as_official = member.is_some() && auth::require(&request, Scope::Arbitrate).is_ok();
        let scope = if as_official { Scope::Arbitrate } else { Scope::Account };
        let caller = auth::require(&request, scope)?;
        let it = request.into_inner();
        let file = self.0.export_person(&caller, member, &Rest::parse(it.offset, it.sha256)?).await?;
        let parts = parts(file).map(|part| Ok(pb::ExportPersonResponse { part: Some(part) }));
        Ok(Response::new(parts.boxed()))
    }
}

/// What came of an event from elsewhere, or would.
fn event_outcome(imported: Outcome<ImportedEvent>, is_preview: bool) -> Result<pb::ImportedEvent, Status> {
    let ImportedEvent { current, format, matches, teams, doubts } = imported?;
    let event = &current.event;
    Ok(wire::exchange::imported(event, told(&current), (format, &doubts), (&matches, &teams), is_preview))
}

/// What an import tells on its way, and what came of it.
fn answers<T: Send + 'static, A: Send + 'static>(
    told: Told<T>,
    progress: impl Fn(pb::ImportProgress) -> A + Send + 'static,
    outcome: impl FnOnce(Outcome<T>) -> Result<A, Status> + Send + 'static,
) -> Answers<A> {
    let on_the_way = stream::unfold(told.progress, async |mut told| Some((told.recv().await?, told)));
    let came = async move {
        // The task is gone only when the process is about to be.
        outcome(told.outcome.await.unwrap_or(Err(Error::Stopping)))
    };
    on_the_way.map(move |told| Ok(progress(told))).chain(stream::once(came)).boxed()
}

/// The parts of a file that goes out; one that is empty of an empty rest.
fn parts(file: Outgoing) -> impl futures::Stream<Item = pb::FilePart> + Send {
    let Outgoing { mut offset, mut rest, whole } = file;
    let mut is_first = true;
    stream::iter(std::iter::from_fn(move || {
        if rest.is_empty() && !is_first {
            return None;
        }
        is_first = false;
        let data = rest.split_to(rest.len().min(PART_BYTES));
        let part = file::told(whole, offset, &data);
        offset += data.len() as u64;
        Some(part)
    }))
}
