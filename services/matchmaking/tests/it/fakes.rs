//! Doubles of the services that matchmaking asks and tells.
#![expect(clippy::disallowed_types, reason = "a double of the simplest kind")]

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard},
};

use api::{
    clock::v1::Maintenance,
    federation::v1::{
        ComingGame, EventTime, FollowNoticesRequest, FollowNoticesResponse, ListComingGamesRequest,
        ListComingGamesResponse, ListEventTimesRequest, ListEventTimesResponse, NoteGameRequest,
        NoteGameResponse, NoticeKind, PutNotice, PutNoticesRequest, PutNoticesResponse, RecordGameRequest,
        RecordGameResponse,
        federation_internal_service_server::{FederationInternalService, FederationInternalServiceServer},
    },
    game::v1::{
        self as game, CreateGameRequest, CreateGameResponse,
        game_internal_service_server::{GameInternalService, GameInternalServiceServer},
    },
    rating::v1::{
        self as rating, Rating,
        rating_internal_service_server::{RatingInternalService, RatingInternalServiceServer},
        rating_service_server::RatingServiceServer,
    },
    transport::{Transport, over},
};
use chassis::{auth, id::AccountId};
use futures::{future::join_all, stream::BoxStream};
use tokio::sync::watch;
use tonic::{Code, Request, Response, Status, service::Routes};

use crate::followed::{Changes, Lines};

/// How the game service behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// It makes games.
    Well,
    /// It answers with this code and makes nothing.
    Refusing(Code),
    /// It makes nothing and never answers.
    Silent,
    /// It makes games and never says so.
    Mumbling,
    /// It makes games, one in a call.
    Old,
}

/// A game service that remembers what it was asked for.
#[derive(Clone)]
pub(crate) struct Games(
    Arc<watch::Sender<Ledger>>,
    /// Who follows games.
    pub Lines<game::FollowGamesRequest, game::FollowGamesResponse>,
);

/// What the game service was asked for and what it made.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    /// How it behaves.
    pub mood: Mood,
    /// How often it was asked.
    pub calls: usize,
    /// The games there are, by id.
    pub games: BTreeMap<String, CreateGameRequest>,
    /// When the platform is worked on.
    pub maintenance: Option<Maintenance>,
}

impl Games {
    /// Makes a game, as it is in the mood to.
    async fn make(&self, request: CreateGameRequest) -> Result<(), Status> {
        let mood = self.0.borrow().mood;
        let mut differs = false;
        self.0.send_modify(|ledger| {
            ledger.calls += 1;
            if matches!(mood, Mood::Well | Mood::Old | Mood::Mumbling) {
                let known = ledger.games.entry(request.game_id.clone()).or_insert_with(|| request.clone());
                differs = *known != request;
            }
        });
        match mood {
            _ if differs => Err(Status::already_exists("the id belongs to another game")),
            Mood::Well | Mood::Old => Ok(()),
            Mood::Refusing(code) => Err(Status::new(code, "not now")),
            Mood::Silent | Mood::Mumbling => std::future::pending().await,
        }
    }

    pub(crate) fn new() -> Self {
        let ledger = Ledger { mood: Mood::Well, calls: 0, games: BTreeMap::new(), maintenance: None };
        Games(Arc::new(watch::Sender::new(ledger)), Lines::default())
    }

    pub(crate) fn transport(&self) -> Transport {
        auth::as_service(over(Routes::new(GameInternalServiceServer::new(self.clone())).prepare()))
    }

    pub(crate) fn mood(&self, mood: Mood) {
        self.0.send_modify(|ledger| ledger.mood = mood);
    }

    pub(crate) fn plan(&self, maintenance: Option<Maintenance>) {
        self.0.send_modify(|ledger| ledger.maintenance = maintenance);
    }

    pub(crate) fn ledger(&self) -> Ledger {
        self.0.borrow().clone()
    }

    /// Waits until the ledger is as wanted.
    pub(crate) async fn until(&self, wanted: impl FnMut(&Ledger) -> bool) -> Ledger {
        let mut ledger = self.0.subscribe();
        let seen = crate::fixture::soon(ledger.wait_for(wanted)).await;
        seen.expect("the sender lives").clone()
    }
}

#[tonic::async_trait]
impl GameInternalService for Games {
    type FollowGamesStream = BoxStream<'static, Result<game::FollowGamesResponse, Status>>;

    async fn follow_games(
        &self,
        request: Request<game::FollowGamesRequest>,
    ) -> Result<Response<Self::FollowGamesStream>, Status> {
        auth::require_service(&request)?;
        self.1.open(request.into_inner()).map(Response::new)
    }

    async fn get_maintenance(
        &self,
        request: Request<game::GetMaintenanceRequest>,
    ) -> Result<Response<game::GetMaintenanceResponse>, Status> {
        auth::require_service(&request)?;
        let maintenance = self.0.borrow().maintenance.clone();
        Ok(Response::new(game::GetMaintenanceResponse { maintenance }))
    }

    async fn create_game(
        &self,
        request: Request<CreateGameRequest>,
    ) -> Result<Response<CreateGameResponse>, Status> {
        auth::require_service(&request)?;
        self.make(request.into_inner()).await?;
        Ok(Response::new(CreateGameResponse::default()))
    }

    async fn create_games(
        &self,
        request: Request<game::CreateGamesRequest>,
    ) -> Result<Response<game::CreateGamesResponse>, Status> {
        auth::require_service(&request)?;
        if self.0.borrow().mood == Mood::Old {
            return Err(Status::unimplemented("of before this was known"));
        }
        let made = join_all(request.into_inner().games.into_iter().map(|game| self.make(game))).await;
        let refusals = (0..).zip(made).filter_map(|(index, made)| {
            let status = made.err()?;
            let (code, message) = (status.code().into(), status.message().to_owned());
            Some(game::GameRefusal { index, code, reason: String::new(), message })
        });
        Ok(Response::new(game::CreateGamesResponse { refusals: refusals.collect() }))
    }

    async fn call_flag(
        &self,
        _request: Request<game::CallFlagRequest>,
    ) -> Result<Response<game::CallFlagResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn report_gateway(
        &self,
        _request: Request<game::ReportGatewayRequest>,
    ) -> Result<Response<game::ReportGatewayResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn list_running_clocks(
        &self,
        _request: Request<game::ListRunningClocksRequest>,
    ) -> Result<Response<game::ListRunningClocksResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }
}

/// A rating service; players have 1500 unless told otherwise.
#[derive(Clone, Default)]
pub(crate) struct Ratings(
    Arc<Mutex<Books>>,
    /// What games did.
    pub Changes,
);

#[derive(Default)]
pub(crate) struct Books {
    /// Whether it does not answer.
    pub closed: bool,
    /// How often it was asked.
    pub asked: usize,
    /// Ratings by account.
    pub ratings: HashMap<String, f64>,
    /// Their deviations by account.
    pub deviations: HashMap<String, f64>,
}

impl Ratings {
    pub(crate) fn transport(&self) -> Transport {
        let routes = Routes::new(RatingInternalServiceServer::new(self.clone()));
        over(routes.add_service(RatingServiceServer::new(self.1.clone())).prepare())
    }

    pub(crate) fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().expect("no test panics with the books open")
    }

    pub(crate) fn set(&self, account: AccountId, rating: f64) {
        self.books().ratings.insert(account.to_string(), rating);
    }

    pub(crate) fn deviates(&self, account: AccountId, deviation: f64) {
        self.books().deviations.insert(account.to_string(), deviation);
    }
}

#[tonic::async_trait]
impl RatingInternalService for Ratings {
    async fn look_up_ratings(
        &self,
        request: Request<rating::LookUpRatingsRequest>,
    ) -> Result<Response<rating::LookUpRatingsResponse>, Status> {
        let mut books = self.books();
        books.asked += 1;
        if books.closed {
            return Err(Status::unavailable("closed"));
        }
        let of = |rating::RatingKey { account_id, variant, speed_class }| {
            let rating = books.ratings.get(&account_id).copied().unwrap_or(1500.0);
            let deviation = books.deviations.get(&account_id).copied().unwrap_or(350.0);
            Rating { account_id, variant, speed_class, rating, deviation, ..Rating::default() }
        };
        let ratings = request.into_inner().keys.into_iter().map(of).collect();
        Ok(Response::new(rating::LookUpRatingsResponse { ratings }))
    }

    async fn apply_result(
        &self,
        _request: Request<rating::ApplyResultRequest>,
    ) -> Result<Response<rating::ApplyResultResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn apply_results(
        &self,
        _request: Request<rating::ApplyResultsRequest>,
    ) -> Result<Response<rating::ApplyResultsResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }
}

/// A federation service that keeps what accounts are told, each key once, and tells what they play in events.
#[derive(Clone, Default)]
pub(crate) struct Notices(
    Arc<Mutex<(bool, Vec<PutNotice>)>>,
    Arc<Mutex<Vec<ComingGame>>>,
    /// Who follows notices.
    pub Lines<FollowNoticesRequest, FollowNoticesResponse>,
);

/// The last notice that anybody has, if one asks.
pub(crate) const LAST_NOTICE: u64 = 1_000;

impl Notices {
    pub(crate) fn transport(&self) -> Transport {
        auth::as_service(over(Routes::new(FederationInternalServiceServer::new(self.clone())).prepare()))
    }

    /// Has it be out of order, or not.
    pub(crate) fn fail(&self, fails: bool) {
        self.lock().0 = fails;
    }

    /// Has somebody play in an event.
    pub(crate) fn plays(&self, game: ComingGame) {
        self.1.lock().expect("nobody panics").push(game);
    }

    /// What an account was told of a game.
    pub(crate) fn told(&self, account: AccountId, game: &str) -> Vec<NoticeKind> {
        let of = |it: &&PutNotice| {
            it.account_id == account.to_string()
                && it.about.as_ref().is_some_and(|about| about.game_id == game)
        };
        self.lock().1.iter().filter(of).map(PutNotice::kind).collect()
    }

    fn lock(&self) -> MutexGuard<'_, (bool, Vec<PutNotice>)> {
        self.0.lock().expect("nobody panics")
    }
}

#[tonic::async_trait]
impl FederationInternalService for Notices {
    type FollowNoticesStream = BoxStream<'static, Result<FollowNoticesResponse, Status>>;
    type ListMemberAccountsStream =
        futures::stream::Empty<Result<api::federation::v1::ListMemberAccountsResponse, Status>>;

    async fn list_member_accounts(
        &self,
        _: Request<api::federation::v1::ListMemberAccountsRequest>,
    ) -> Result<Response<Self::ListMemberAccountsStream>, Status> {
        Err(Status::unimplemented("matchmaking ranks nobody"))
    }

    async fn follow_notices(
        &self,
        request: Request<FollowNoticesRequest>,
    ) -> Result<Response<Self::FollowNoticesStream>, Status> {
        auth::require_service(&request)?;
        if request.get_ref().after_number > LAST_NOTICE {
            return Err(Status::out_of_range("after the last"));
        }
        self.2.open(request.into_inner()).map(Response::new)
    }

    async fn record_game(
        &self,
        _: Request<RecordGameRequest>,
    ) -> Result<Response<RecordGameResponse>, Status> {
        Err(Status::unimplemented("matchmaking tells of no results"))
    }

    async fn note_game(&self, _: Request<NoteGameRequest>) -> Result<Response<NoteGameResponse>, Status> {
        Err(Status::unimplemented("matchmaking tells of no games"))
    }

    async fn put_notices(
        &self,
        request: Request<PutNoticesRequest>,
    ) -> Result<Response<PutNoticesResponse>, Status> {
        let mut kept = self.lock();
        if kept.0 {
            return Err(Status::unavailable("out of order"));
        }
        let mut written = 0;
        for notice in request.into_inner().notices {
            let is_known = |it: &PutNotice| (&it.account_id, &it.key) == (&notice.account_id, &notice.key);
            if !kept.1.iter().any(is_known) {
                kept.1.push(notice);
                written += 1;
            }
        }
        Ok(Response::new(PutNoticesResponse { written }))
    }

    async fn list_event_times(
        &self,
        request: Request<ListEventTimesRequest>,
    ) -> Result<Response<ListEventTimesResponse>, Status> {
        auth::require_service(&request)?;
        if self.lock().0 {
            return Err(Status::unavailable("out of order"));
        }
        let ListEventTimesRequest { account_id, from_time, until_time } = request.into_inner();
        let [from, until] = [from_time, until_time].map(|it| nanos(it.as_ref()));
        let all = self.1.lock().expect("nobody panics").clone();
        let of_account = all.into_iter().filter(|game| game.account_id == account_id);
        let then = of_account.filter(|game| (from..until).contains(&nanos(game.start_time.as_ref())));
        let times = then.map(|game| {
            let ComingGame { event_id, round, table, start_time, .. } = game;
            EventTime { event_id, round, table, start_time }
        });
        Ok(Response::new(ListEventTimesResponse { times: times.collect() }))
    }

    async fn list_coming_games(
        &self,
        request: Request<ListComingGamesRequest>,
    ) -> Result<Response<ListComingGamesResponse>, Status> {
        if self.lock().0 {
            return Err(Status::unavailable("out of order"));
        }
        let until = request.into_inner().until_time.unwrap_or_default().seconds;
        let all = self.1.lock().expect("nobody panics").clone();
        let is_soon = |game: &ComingGame| game.start_time.unwrap_or_default().seconds <= until;
        Ok(Response::new(ListComingGamesResponse { games: all.into_iter().filter(is_soon).collect() }))
    }
}

/// A moment in nanoseconds, as the wire has it.
fn nanos(time: Option<&prost_types::Timestamp>) -> i128 {
    let time = time.copied().unwrap_or_default();
    i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanos)
}
