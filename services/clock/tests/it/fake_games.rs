//! A game service that keeps nothing but clocks: its log is a map, its append a comparison of revisions.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use api::{
    clock::v1::{ClockReading, Maintenance},
    game::v1::{
        CallFlagRequest, CallFlagResponse, CreateGameRequest, CreateGameResponse, CreateGamesRequest,
        CreateGamesResponse, GetMaintenanceRequest, GetMaintenanceResponse, ListRunningClocksRequest,
        ListRunningClocksResponse, ReportGatewayRequest, ReportGatewayResponse, RunningClock,
        game_internal_service_server::{GameInternalService, GameInternalServiceServer},
    },
    reason,
    transport::{Transport, over},
};
use chassis::Env;
use tokio::sync::mpsc;
use tonic::{Code, Request, Response, Status, service::Routes};

/// How the service answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As it should.
    Well,
    /// UNAVAILABLE, to every call.
    Unavailable,
    /// Never, to every call that calls a flag.
    Silent,
}

/// A flag that was called.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// What was said.
    pub request: CallFlagRequest,
    /// How late after the fall it came, by the platform's time.
    pub late: Duration,
    /// Whether it ended the game.
    pub ended_the_game: bool,
}

/// The service, and what a test sees of it.
#[derive(Clone)]
pub(crate) struct FakeGames {
    env: Env,
    log: Arc<Mutex<Log>>,
    calls: mpsc::UnboundedSender<Called>,
}

struct Log {
    mood: Mood,
    games: BTreeMap<String, Game>,
    under_way: usize,
    most_under_way: usize,
    pages: usize,
    maintenance: Option<Maintenance>,
}

struct Game {
    clock: RunningClock,
    ended: bool,
}

impl FakeGames {
    /// A service without games, and the flags that will be called at it.
    pub(crate) fn new(env: Env) -> (Self, mpsc::UnboundedReceiver<Called>) {
        let (calls, called) = mpsc::unbounded_channel();
        let log = Log {
            mood: Mood::Well,
            games: BTreeMap::new(),
            under_way: 0,
            most_under_way: 0,
            pages: 0,
            maintenance: None,
        };
        (FakeGames { env, log: Arc::new(Mutex::new(log)), calls }, called)
    }

    /// The way to it.
    pub(crate) fn transport(&self) -> Transport {
        over(Routes::new(GameInternalServiceServer::new(self.clone())))
    }

    /// Appends a clock to the log.
    pub(crate) fn append(&self, clock: RunningClock) {
        self.log().games.insert(clock.game_id.clone(), Game { clock, ended: false });
    }

    /// Whether a game has ended.
    pub(crate) fn ended(&self, game: &str) -> bool {
        self.log().games[game].ended
    }

    /// Plans a maintenance.
    pub(crate) fn plan(&self, maintenance: Maintenance) {
        self.log().maintenance = Some(maintenance);
    }

    /// Changes how it answers.
    pub(crate) fn set_mood(&self, mood: Mood) {
        self.log().mood = mood;
    }

    /// The most calls of flags that were under way at once.
    pub(crate) fn most_under_way(&self) -> usize {
        self.log().most_under_way
    }

    /// Pages of running clocks that were asked for.
    pub(crate) fn pages(&self) -> usize {
        self.log().pages
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().expect("no test panics under the lock")
    }

    fn mood(&self) -> Result<Mood, Status> {
        match self.log().mood {
            Mood::Unavailable => Err(api::Error::unavailable(reason::STARTING, "not now").into()),
            mood => Ok(mood),
        }
    }

    /// The append: it ends the game if the clock is still the one by which the flag fell.
    fn fall(&self, request: &CallFlagRequest) -> Result<(ClockReading, bool, bool), Status> {
        let mut log = self.log();
        let Some(game) = log.games.get_mut(&request.game_id) else {
            return Err(api::Error::new(Code::NotFound, reason::UNKNOWN_GAME, "there is no such game").into());
        };
        let clock = game.clock.reading.as_mut().expect("a clock");
        let falls = !game.ended && clock.revision == request.revision && clock.flag_time == request.fall_time;
        if falls {
            game.ended = true;
            *clock = request.reading.clone().expect("the reading at the fall");
        }
        Ok((clock.clone(), game.ended, falls))
    }
}

#[tonic::async_trait]
impl GameInternalService for FakeGames {
    type FollowGamesStream =
        futures::stream::BoxStream<'static, Result<api::game::v1::FollowGamesResponse, Status>>;

    async fn get_maintenance(
        &self,
        _request: Request<GetMaintenanceRequest>,
    ) -> Result<Response<GetMaintenanceResponse>, Status> {
        let maintenance = self.log().maintenance.clone();
        Ok(Response::new(GetMaintenanceResponse { maintenance }))
    }

    async fn create_game(
        &self,
        _request: Request<CreateGameRequest>,
    ) -> Result<Response<CreateGameResponse>, Status> {
        Err(Status::unimplemented("clocks make no games"))
    }

    async fn create_games(
        &self,
        _request: Request<CreateGamesRequest>,
    ) -> Result<Response<CreateGamesResponse>, Status> {
        Err(Status::unimplemented("clocks make no games"))
    }

    async fn follow_games(
        &self,
        _request: Request<api::game::v1::FollowGamesRequest>,
    ) -> Result<Response<Self::FollowGamesStream>, Status> {
        Err(Status::unimplemented("clocks follow nobody"))
    }

    async fn call_flag(
        &self,
        request: Request<CallFlagRequest>,
    ) -> Result<Response<CallFlagResponse>, Status> {
        let request = request.into_inner();
        let fall = api::time::moment(&request.fall_time.expect("a time")).expect("a time");
        let late = Duration::try_from(self.env.now() - fall).expect("no flag is called before it falls");
        let mood = self.mood();
        let silent = mood.as_ref().is_ok_and(|mood| *mood == Mood::Silent);
        let fallen = if silent { Err(Status::unknown("")) } else { mood.and_then(|_| self.fall(&request)) };
        let ended_the_game = fallen.as_ref().is_ok_and(|(.., falls)| *falls);
        self.calls.send(Called { request, late, ended_the_game }).expect("the test listens");
        if silent {
            return std::future::pending().await;
        }
        {
            let mut log = self.log();
            log.under_way += 1;
            log.most_under_way = log.most_under_way.max(log.under_way);
        }
        // The append takes its time.
        tokio::time::sleep(Duration::from_millis(2)).await;
        self.log().under_way -= 1;
        let (clock, ended, _) = fallen?;
        Ok(Response::new(CallFlagResponse { clock: Some(clock), ended }))
    }

    async fn report_gateway(
        &self,
        _request: Request<ReportGatewayRequest>,
    ) -> Result<Response<ReportGatewayResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn list_running_clocks(
        &self,
        request: Request<ListRunningClocksRequest>,
    ) -> Result<Response<ListRunningClocksResponse>, Status> {
        self.mood()?;
        let ListRunningClocksRequest { page_size, page_token } = request.into_inner();
        // Smaller pages than asked for, so that there are several.
        let size = (page_size / 400) as usize;
        let mut log = self.log();
        log.pages += 1;
        let running = log.games.values().filter(|game| !game.ended && game.clock.game_id > page_token);
        let clocks: Vec<RunningClock> = running.take(size).map(|game| game.clock.clone()).collect();
        let last = clocks.last().filter(|_| clocks.len() == size);
        let next_page_token = last.map(|clock| clock.game_id.clone()).unwrap_or_default();
        Ok(Response::new(ListRunningClocksResponse { clocks, next_page_token }))
    }
}
