//! A double of the game service: it makes games, and remembers them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use api::{
    clock::v1::Maintenance,
    game::v1::{
        self as pb,
        event_games_internal_service_server::{EventGamesInternalService, EventGamesInternalServiceServer},
        game_internal_service_server::{GameInternalService, GameInternalServiceServer},
    },
    transport::{Transport, over},
};
use chassis::MockClock;
use futures::{StreamExt as _, stream, stream::BoxStream};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tonic::{Request, Response, Status, service::Routes};

/// The games that were made, by id.
#[derive(Clone, Default)]
pub(crate) struct Games {
    made: Arc<Mutex<BTreeMap<String, pb::CreateGameRequest>>>,
    /// How many calls are refused before one is answered.
    pub refusals_left: Arc<AtomicU32>,
    /// How many moves each game has, by id; none where nobody says.
    plies: Arc<Mutex<BTreeMap<String, u32>>>,
    /// How games stand, by id, and who wants to know.
    glimpses: Arc<Mutex<BTreeMap<String, pb::SeenGame>>>,
    listeners: Arc<Mutex<Vec<mpsc::UnboundedSender<Vec<pb::SeenGame>>>>>,
    is_deaf: Arc<AtomicBool>,
    /// Games that everybody still sees running.
    unfinished: Arc<Mutex<BTreeSet<String>>>,
    /// What games were ruled on.
    ruled: Arc<Mutex<Vec<pb::RuleOnGameRequest>>>,
    /// What games were told of leave, and whether they can be told.
    on_leave: Arc<Mutex<Vec<pb::ChangeLeaveRequest>>>,
    refuses_leave: Arc<AtomicBool>,
    leave_refused: Arc<AtomicU32>,
    /// When the platform is worked on.
    pub maintenance: Arc<Mutex<Option<Maintenance>>>,
}

impl Games {
    pub(crate) fn transport(&self) -> Transport {
        over(
            Routes::new(GameInternalServiceServer::new(self.clone()))
                .add_service(EventGamesInternalServiceServer::new(self.clone())),
        )
    }

    /// Somebody has moved in a game.
    pub(crate) fn moved(&self, game: &str) {
        self.plies.lock().insert(game.to_owned(), 1);
    }

    /// A game stands so.
    pub(crate) fn stand(&self, game_id: &str, glimpse: pb::GameGlimpse) {
        let seen = pb::SeenGame { game_id: game_id.to_owned(), glimpse: Some(glimpse) };
        self.glimpses.lock().insert(game_id.to_owned(), seen.clone());
        self.listeners.lock().retain(|listener| listener.send(vec![seen.clone()]).is_ok());
    }

    /// Everybody still sees a game running, or sees that it is over.
    pub(crate) fn show_running(&self, game: &str, is_running: bool) {
        let mut unfinished = self.unfinished.lock();
        if is_running {
            unfinished.insert(game.to_owned())
        } else {
            unfinished.remove(game)
        };
    }

    /// Nobody hears of games any more, or does again.
    pub(crate) fn be_deaf(&self, is_deaf: bool) {
        self.is_deaf.store(is_deaf, Ordering::SeqCst);
        self.listeners.lock().clear();
    }

    /// Streams of games that are listened to.
    pub(crate) fn listeners(&self) -> usize {
        let mut listeners = self.listeners.lock();
        listeners.retain(|listener| !listener.is_closed());
        listeners.len()
    }

    /// Whether no game can be told of leave.
    pub(crate) fn refuse_leave(&self, refuses: bool) {
        self.refuses_leave.store(refuses, Ordering::SeqCst);
    }

    /// What games were told of leave.
    pub(crate) fn told_of_leave(&self) -> Vec<pb::ChangeLeaveRequest> {
        self.on_leave.lock().clone()
    }

    /// Waits until a game could not be told of leave.
    pub(crate) async fn wait_for_leave_refused(&self, time: &MockClock) {
        for _ in 0..1000 {
            if self.leave_refused.load(Ordering::SeqCst) > 0 {
                return;
            }
            time.advance(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("nobody tells a game of leave")
    }

    /// Waits until a game was last told this, and answers with all that was told.
    pub(crate) async fn wait_for_leave(
        &self,
        game: &str,
        on_leave: bool,
        time: &MockClock,
    ) -> Vec<pb::ChangeLeaveRequest> {
        for _ in 0..1000 {
            let told = self.told_of_leave();
            let last = told.iter().rev().find(|it| it.game_id == game);
            if last.is_some_and(|it| it.on_leave == on_leave) {
                return told;
            }
            time.advance(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{game} was told {:?}", self.told_of_leave())
    }

    /// Waits until so many games were ruled on.
    pub(crate) async fn wait_for_rulings(
        &self,
        count: usize,
        time: &MockClock,
    ) -> Vec<pb::RuleOnGameRequest> {
        for _ in 0..1000 {
            let ruled = self.ruled.lock().clone();
            if ruled.len() >= count {
                assert_eq!(ruled.len(), count);
                return ruled;
            }
            time.advance(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{count} games were not ruled on, but {}", self.ruled.lock().len())
    }

    /// Waits until so many games are made; what is refused is tried again as time goes by.
    pub(crate) async fn wait_for(&self, count: usize, time: &MockClock) -> Vec<pb::CreateGameRequest> {
        for _ in 0..1000 {
            let made: Vec<_> = self.made.lock().values().cloned().collect();
            if made.len() >= count {
                assert_eq!(made.len(), count);
                return made;
            }
            time.advance(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{count} games were not made, but {}", self.made.lock().len())
    }
}

#[tonic::async_trait]
impl GameInternalService for Games {
    type FollowGamesStream = futures::stream::BoxStream<'static, Result<pb::FollowGamesResponse, Status>>;

    async fn get_maintenance(
        &self,
        _request: Request<pb::GetMaintenanceRequest>,
    ) -> Result<Response<pb::GetMaintenanceResponse>, Status> {
        Ok(Response::new(pb::GetMaintenanceResponse { maintenance: self.maintenance.lock().clone() }))
    }

    async fn create_game(
        &self,
        request: Request<pb::CreateGameRequest>,
    ) -> Result<Response<pb::CreateGameResponse>, Status> {
        let left =
            self.refusals_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_ok() {
            return Err(Status::unavailable("not yet"));
        }
        let request = request.into_inner();
        self.made.lock().insert(request.game_id.clone(), request);
        Ok(Response::new(pb::CreateGameResponse { game: None }))
    }

    async fn create_games(
        &self,
        _request: Request<pb::CreateGamesRequest>,
    ) -> Result<Response<pb::CreateGamesResponse>, Status> {
        Err(unasked())
    }

    async fn follow_games(
        &self,
        _request: Request<pb::FollowGamesRequest>,
    ) -> Result<Response<Self::FollowGamesStream>, Status> {
        Err(unasked())
    }

    async fn call_flag(
        &self,
        _request: Request<pb::CallFlagRequest>,
    ) -> Result<Response<pb::CallFlagResponse>, Status> {
        Err(unasked())
    }

    async fn list_running_clocks(
        &self,
        _request: Request<pb::ListRunningClocksRequest>,
    ) -> Result<Response<pb::ListRunningClocksResponse>, Status> {
        Err(unasked())
    }

    async fn report_gateway(
        &self,
        _request: Request<pb::ReportGatewayRequest>,
    ) -> Result<Response<pb::ReportGatewayResponse>, Status> {
        Err(unasked())
    }
}

#[tonic::async_trait]
impl EventGamesInternalService for Games {
    type WatchGlimpsesStream = BoxStream<'static, Result<pb::WatchGlimpsesResponse, Status>>;
    type ListRecordsStream = BoxStream<'static, Result<pb::ListRecordsResponse, Status>>;

    async fn list_records(
        &self,
        request: Request<pb::ListRecordsRequest>,
    ) -> Result<Response<Self::ListRecordsStream>, Status> {
        let (made, unfinished) = (self.made.lock(), self.unfinished.lock());
        let made = request.into_inner().game_ids.into_iter().filter(|id| made.contains_key(id));
        let records: Vec<_> = made
            .map(|game_id| {
                let text = format!("(;GM[1]GN[{game_id}])");
                let ended = !unfinished.contains(&game_id);
                Ok(pb::ListRecordsResponse { game_id, text, file_name: "go-1.sgf".to_owned(), ended })
            })
            .collect();
        Ok(Response::new(stream::iter(records).boxed()))
    }

    async fn watch_glimpses(
        &self,
        request: Request<pb::WatchGlimpsesRequest>,
    ) -> Result<Response<Self::WatchGlimpsesStream>, Status> {
        if self.is_deaf.load(Ordering::SeqCst) {
            return Err(Status::unavailable("not now"));
        }
        let asked = request.into_inner().game_ids;
        let games =
            self.glimpses.lock().values().filter(|seen| asked.contains(&seen.game_id)).cloned().collect();
        let (tell, heard) = mpsc::unbounded_channel();
        tell.send(games).expect("somebody listens");
        self.listeners.lock().push(tell);
        let answers = futures::stream::unfold(heard, async |mut heard| {
            let games = heard.recv().await?;
            Some((Ok(pb::WatchGlimpsesResponse { games, caught_up: true }), heard))
        });
        Ok(Response::new(answers.boxed()))
    }

    async fn rule_on_game(
        &self,
        request: Request<pb::RuleOnGameRequest>,
    ) -> Result<Response<pb::RuleOnGameResponse>, Status> {
        self.ruled.lock().push(request.into_inner());
        Ok(Response::new(pb::RuleOnGameResponse { event: None }))
    }

    async fn change_leave(
        &self,
        request: Request<pb::ChangeLeaveRequest>,
    ) -> Result<Response<pb::ChangeLeaveResponse>, Status> {
        if self.refuses_leave.load(Ordering::SeqCst) {
            self.leave_refused.fetch_add(1, Ordering::SeqCst);
            return Err(Status::unavailable("not now"));
        }
        let request = request.into_inner();
        if !self.made.lock().contains_key(&request.game_id) {
            return Err(Status::not_found("no such game"));
        }
        self.on_leave.lock().push(request);
        Ok(Response::new(pb::ChangeLeaveResponse { event: None }))
    }

    async fn list_plies(
        &self,
        request: Request<pb::ListPliesRequest>,
    ) -> Result<Response<pb::ListPliesResponse>, Status> {
        let (plies, made) = (self.plies.lock(), self.made.lock());
        let asked = request.into_inner().game_ids.into_iter().filter(|id| made.contains_key(id));
        let games = asked.map(|game_id| {
            let ply = plies.get(&game_id).copied().unwrap_or(0);
            pb::GamePly { game_id, ply, ended: false }
        });
        Ok(Response::new(pb::ListPliesResponse { games: games.collect() }))
    }
}

fn unasked() -> Status {
    Status::unimplemented("nobody asks the double for this")
}
