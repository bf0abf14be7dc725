//! Doubles of the clock, the rating, the federation and the matchmaking service.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use api::{
    board::v1::Side,
    clock::v1::{
        ClockReading, PingRequest, PingResponse, RepeatAnnouncementRequest, RepeatAnnouncementResponse,
        SideTime, StepRequest, StepResponse,
        clock_internal_service_client::ClockInternalServiceClient,
        clock_internal_service_server::{ClockInternalService, ClockInternalServiceServer},
        step_request::Event,
    },
    federation::v1::{
        ListComingGamesRequest, ListComingGamesResponse, ListEventTimesRequest, ListEventTimesResponse,
        NoteGameRequest, NoteGameResponse, PutNoticesRequest, PutNoticesResponse, RecordGameRequest,
        RecordGameResponse,
        federation_internal_service_server::{FederationInternalService, FederationInternalServiceServer},
    },
    matchmaking::v1::{
        self as matchmaking,
        matchmaking_internal_service_server::{MatchmakingInternalService, MatchmakingInternalServiceServer},
    },
    rating::v1::{
        ApplyResultRequest, ApplyResultResponse, ApplyResultsRequest, ApplyResultsResponse,
        LookUpRatingsRequest, LookUpRatingsResponse, ResultRefusal,
        rating_internal_service_server::{RatingInternalService, RatingInternalServiceServer},
    },
    transport::{Transport, over},
};
use chassis::MockClock;
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

/// A clock that charges nobody: it keeps who runs, since when, and how often it changed. Or the real one.
#[derive(Clone, Default)]
pub(crate) struct FakeClock {
    down: Arc<AtomicBool>,
    stuck: Arc<AtomicBool>,
    deaf: Arc<AtomicBool>,
    slow: Arc<Mutex<Option<(MockClock, Duration)>>>,
    ping_slow: Arc<Mutex<Option<(MockClock, Duration)>>>,
    held_step: Arc<Mutex<Option<Gate>>>,
    held_ping: Arc<Mutex<Option<Gate>>>,
    pings: Arc<AtomicU32>,
    fallen: Arc<AtomicBool>,
    /// How often calls were ordered again.
    pub repeated: Arc<AtomicU32>,
    measured: Arc<Mutex<Option<Duration>>>,
    real: Arc<Mutex<Option<ClockInternalServiceClient<Transport>>>>,
}

/// Where a call waits until it is let go on.
#[derive(Clone, Default)]
pub(crate) struct Gate {
    came: Arc<Notify>,
    opened: Arc<Notify>,
}

impl Gate {
    /// Ends when the call waits here.
    pub(crate) async fn came(&self) {
        self.came.notified().await;
    }

    pub(crate) fn open(&self) {
        self.opened.notify_one();
    }

    async fn pass(&self) {
        self.came.notify_one();
        self.opened.notified().await;
    }
}

/// Holds the next call of a kind.
fn hold(next: &Mutex<Option<Gate>>) -> Gate {
    let gate = Gate::default();
    *next.lock().unwrap_or_else(PoisonError::into_inner) = Some(gate.clone());
    gate
}

/// Waits if it is this call that is held.
async fn pass(next: &Mutex<Option<Gate>>) {
    let gate = next.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(gate) = gate {
        gate.pass().await;
    }
}

impl FakeClock {
    /// Whether it refuses every call.
    pub(crate) fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }

    /// Whether it refuses every step, and nothing else.
    pub(crate) fn set_stuck(&self, stuck: bool) {
        self.stuck.store(stuck, Ordering::SeqCst);
    }

    /// Whether it refuses every ping, and nothing else.
    pub(crate) fn set_deaf(&self, deaf: bool) {
        self.deaf.store(deaf, Ordering::SeqCst);
    }

    /// How long every step takes.
    pub(crate) fn set_slow(&self, slow: Option<(MockClock, Duration)>) {
        *self.slow.lock().unwrap_or_else(PoisonError::into_inner) = slow;
    }

    /// How long every ping takes.
    pub(crate) fn set_ping_slow(&self, slow: Option<(MockClock, Duration)>) {
        *self.ping_slow.lock().unwrap_or_else(PoisonError::into_inner) = slow;
    }

    /// Holds the next step.
    pub(crate) fn hold_step(&self) -> Gate {
        hold(&self.held_step)
    }

    /// Holds the next ping.
    pub(crate) fn hold_ping(&self) -> Gate {
        hold(&self.held_ping)
    }

    /// How often it was pinged.
    pub(crate) fn pings(&self) -> u32 {
        self.pings.load(Ordering::SeqCst)
    }

    /// From now on the running side's flag has fallen.
    pub(crate) fn drop_flag(&self) {
        self.fallen.store(true, Ordering::SeqCst);
    }

    /// The measured lag of the last act.
    pub(crate) fn measured(&self) -> Option<Duration> {
        *self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on every step is taken by these clocks.
    pub(crate) fn ask(&self, clocks: Transport) {
        *self.real() = Some(ClockInternalServiceClient::new(clocks));
    }

    fn real(&self) -> MutexGuard<'_, Option<ClockInternalServiceClient<Transport>>> {
        self.real.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn transport(&self) -> Transport {
        over(ClockInternalServiceServer::new(self.clone()))
    }

    fn check(&self) -> Result<(), Status> {
        if self.down.load(Ordering::SeqCst) { Err(Status::unavailable("down")) } else { Ok(()) }
    }
}

#[tonic::async_trait]
impl ClockInternalService for FakeClock {
    async fn step(&self, request: Request<StepRequest>) -> Result<Response<StepResponse>, Status> {
        self.check()?;
        if self.stuck.load(Ordering::SeqCst) {
            return Err(Status::unavailable("stuck"));
        }
        pass(&self.held_step).await;
        let slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((time, takes)) = slow {
            time.advance(takes);
        }
        let request = request.into_inner();
        let real = self.real().clone();
        if let Some(mut clocks) = real {
            return clocks.step(request).await;
        }
        let main_duration = Some(prost_types::Duration { seconds: 60, nanos: 0 });
        let time = SideTime { main_duration, ..SideTime::default() };
        let full = ClockReading { first: Some(time), second: Some(time), ..ClockReading::default() };
        let before = request.before.unwrap_or(full);
        let mut after = before.clone();
        let mut flagged = Side::Unspecified as i32;
        let run = |side: i32, after: &mut ClockReading| {
            after.running = side;
            let runs = side != Side::Unspecified as i32;
            after.running_since_time = request.event_time.filter(|_| runs);
            after.flag_time = after.running_since_time.map(|mut time| {
                time.seconds += 60;
                time
            });
        };
        if let Some(Event::Press(press)) = &request.event {
            *self.measured.lock().unwrap_or_else(PoisonError::into_inner) =
                press.measured_lag_duration.as_ref().and_then(api::time::span);
        }
        match request.event.expect("a step has an event") {
            Event::Watch(_) | Event::Pause(_) | Event::Resume(_) | Event::Adjust(_) => {
                let compensated_duration = None;
                return Ok(Response::new(StepResponse { after: Some(after), flagged, compensated_duration }));
            }
            Event::Press(_) | Event::Stop(_) | Event::Credit(_) if self.fallen.load(Ordering::SeqCst) => {
                flagged = before.running;
                run(Side::Unspecified as i32, &mut after);
            }
            Event::Start(start) => run(start.running, &mut after),
            Event::Press(press) => run(press.next, &mut after),
            Event::Stop(_) => run(Side::Unspecified as i32, &mut after),
            Event::Credit(_) => run(before.running, &mut after),
        }
        after.revision += 1;
        Ok(Response::new(StepResponse { after: Some(after), flagged, compensated_duration: None }))
    }

    async fn repeat_announcement(
        &self,
        request: Request<RepeatAnnouncementRequest>,
    ) -> Result<Response<RepeatAnnouncementResponse>, Status> {
        self.check()?;
        // Nothing has been called since any time that is named.
        if request.into_inner().from_time.is_some() {
            return Err(Status::failed_precondition("nothing called"));
        }
        self.repeated.fetch_add(1, Ordering::SeqCst);
        Ok(Response::new(RepeatAnnouncementResponse { announcements: Vec::new() }))
    }

    async fn ping(&self, _request: Request<PingRequest>) -> Result<Response<PingResponse>, Status> {
        self.check()?;
        self.pings.fetch_add(1, Ordering::SeqCst);
        if self.deaf.load(Ordering::SeqCst) {
            return Err(Status::unavailable("deaf"));
        }
        pass(&self.held_ping).await;
        let slow = self.ping_slow.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((time, takes)) = slow {
            // Others come meanwhile.
            tokio::time::sleep(Duration::from_millis(20)).await;
            time.advance(takes);
        }
        Ok(Response::new(PingResponse {}))
    }
}

/// A rating service that refuses the first calls and remembers the rest.
#[derive(Clone, Default)]
pub(crate) struct FakeRating {
    pub refusals_left: Arc<AtomicU32>,
    applied: Arc<Mutex<Vec<ApplyResultRequest>>>,
    unwanted: Arc<Mutex<Vec<String>>>,
}

impl FakeRating {
    /// The games whose results it refuses for ever.
    pub(crate) fn unwanted(&self) -> MutexGuard<'_, Vec<String>> {
        self.unwanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refuse(&self) -> Result<(), Status> {
        let refuse =
            self.refusals_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if refuse.is_ok() { Err(Status::unavailable("not yet")) } else { Ok(()) }
    }

    pub(crate) fn applied(&self) -> MutexGuard<'_, Vec<ApplyResultRequest>> {
        self.applied.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn transport(&self) -> Transport {
        over(RatingInternalServiceServer::new(self.clone()))
    }
}

#[tonic::async_trait]
impl RatingInternalService for FakeRating {
    async fn apply_result(
        &self,
        request: Request<ApplyResultRequest>,
    ) -> Result<Response<ApplyResultResponse>, Status> {
        self.refuse()?;
        self.applied().push(request.into_inner());
        Ok(Response::new(ApplyResultResponse { first: None, second: None }))
    }

    async fn apply_results(
        &self,
        request: Request<ApplyResultsRequest>,
    ) -> Result<Response<ApplyResultsResponse>, Status> {
        self.refuse()?;
        let mut refusals = Vec::new();
        for (index, result) in (0..).zip(request.into_inner().results) {
            if self.unwanted().contains(&result.game_id) {
                let (reason, message) = ("BAD_RESULT".to_owned(), "nobody wants it".to_owned());
                refusals.push(ResultRefusal { index, reason, message });
            } else {
                self.applied().push(result);
            }
        }
        Ok(Response::new(ApplyResultsResponse { refusals }))
    }

    async fn look_up_ratings(
        &self,
        _request: Request<LookUpRatingsRequest>,
    ) -> Result<Response<LookUpRatingsResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }
}

/// A federation service that refuses the first calls and remembers the rest.
#[derive(Clone, Default)]
pub(crate) struct FakeFederation {
    pub refusals_left: Arc<AtomicU32>,
    recorded: Arc<Mutex<Vec<RecordGameRequest>>>,
    noted: Arc<Mutex<Vec<NoteGameRequest>>>,
}

impl FakeFederation {
    /// What it was told of a game, in order.
    pub(crate) fn recorded(&self, game: &str) -> Vec<RecordGameRequest> {
        let recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.iter().filter(|report| report.game_id == game).cloned().collect()
    }

    /// What it was told of a game beside its result, in the order of the game's log.
    pub(crate) fn noted(&self, game: &str) -> Vec<NoteGameRequest> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut noted: Vec<_> = noted.iter().filter(|notice| notice.game_id == game).cloned().collect();
        noted.sort_by_key(|notice| notice.sequence);
        noted
    }

    pub(crate) fn transport(&self) -> Transport {
        over(FederationInternalServiceServer::new(self.clone()))
    }
}

#[tonic::async_trait]
impl FederationInternalService for FakeFederation {
    type FollowNoticesStream =
        futures::stream::BoxStream<'static, Result<api::federation::v1::FollowNoticesResponse, Status>>;
    type ListMemberAccountsStream =
        futures::stream::Empty<Result<api::federation::v1::ListMemberAccountsResponse, Status>>;

    async fn record_game(
        &self,
        request: Request<RecordGameRequest>,
    ) -> Result<Response<RecordGameResponse>, Status> {
        let refuse =
            self.refusals_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if refuse.is_ok() {
            return Err(Status::unavailable("not yet"));
        }
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner).push(request.into_inner());
        Ok(Response::new(RecordGameResponse { sequence: 1 }))
    }

    async fn follow_notices(
        &self,
        _request: Request<api::federation::v1::FollowNoticesRequest>,
    ) -> Result<Response<Self::FollowNoticesStream>, Status> {
        Err(Status::unimplemented("games follow nobody"))
    }

    async fn note_game(
        &self,
        request: Request<NoteGameRequest>,
    ) -> Result<Response<NoteGameResponse>, Status> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).push(request.into_inner());
        Ok(Response::new(NoteGameResponse { sequence: 1 }))
    }

    async fn list_coming_games(
        &self,
        _: Request<ListComingGamesRequest>,
    ) -> Result<Response<ListComingGamesResponse>, Status> {
        Err(Status::unimplemented("games are not asked for"))
    }

    async fn list_event_times(
        &self,
        _: Request<ListEventTimesRequest>,
    ) -> Result<Response<ListEventTimesResponse>, Status> {
        Err(Status::unimplemented("games are not asked for"))
    }

    async fn list_member_accounts(
        &self,
        _: Request<api::federation::v1::ListMemberAccountsRequest>,
    ) -> Result<Response<Self::ListMemberAccountsStream>, Status> {
        Err(Status::unimplemented("games rank nobody"))
    }

    async fn put_notices(
        &self,
        _: Request<PutNoticesRequest>,
    ) -> Result<Response<PutNoticesResponse>, Status> {
        Err(Status::unimplemented("games bring no notices"))
    }
}

/// Matchmaking: remembers what it was told.
#[derive(Clone, Default)]
pub(crate) struct FakeMatchmaking(Arc<Mutex<Vec<matchmaking::NoteGameRequest>>>);

impl FakeMatchmaking {
    pub(crate) fn transport(&self) -> Transport {
        over(MatchmakingInternalServiceServer::new(self.clone()))
    }

    /// What it was told of a game; none while it has not been.
    pub(crate) fn told_of(&self, game_id: &str) -> Option<matchmaking::NoteGameRequest> {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.iter().find(|request| request.game_id == game_id).cloned()
    }
}

#[tonic::async_trait]
impl MatchmakingInternalService for FakeMatchmaking {
    async fn note_game(
        &self,
        request: Request<matchmaking::NoteGameRequest>,
    ) -> Result<Response<matchmaking::NoteGameResponse>, Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request.into_inner());
        Ok(Response::new(matchmaking::NoteGameResponse {}))
    }
}
