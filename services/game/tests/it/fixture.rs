//! A game service with its doubles, and two players.

use std::{sync::Arc, time::Duration};

use api::{
    client::with_retry,
    error::reason,
    game::v1::{
        CallFlagRequest, CreateGameRequest, Game, GameEvent, GetGameRequest, PlayRequest, ProposeRequest,
        Seat, event_games_internal_service_client::EventGamesInternalServiceClient,
        game_internal_service_client::GameInternalServiceClient, game_service_client::GameServiceClient,
        proposal::Proposal,
    },
    time_control::{Control, TimeControl},
    transport::{Transport, over},
};
use chassis::{
    Env, Lifecycle, MockClock,
    auth::Caller,
    testing::{TestDatabase, as_account, as_service, player},
};
use live::{
    Live,
    testing::{InCommon, Intercept},
};
use time::OffsetDateTime;
use tonic::Status;

use super::doubles::{FakeClock, FakeFederation, FakeMatchmaking, FakeRating};

/// What outlives a replica: time, database, live state and the other services.
pub(crate) struct Fixture {
    pub env: Env,
    pub time: MockClock,
    pub database: TestDatabase,
    pub live: Arc<Intercept<InCommon>>,
    pub clock: FakeClock,
    pub rating: FakeRating,
    pub federation: FakeFederation,
    pub matchmaking: FakeMatchmaking,
    pub players: [Caller; 2],
}

/// A replica of the game service.
pub(crate) struct Replica {
    public: Transport,
    internal: Transport,
    pub lifecycle: Lifecycle,
}

impl Fixture {
    /// One world on each kind of database that is present.
    pub(crate) async fn all() -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for database in chassis::testing::databases().await {
            let start = OffsetDateTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 50);
            let (env, time) = Env::mock(start, 7);
            let live = InCommon::empty().await;
            let players = [player(&env, "first"), player(&env, "second")];
            let (clock, rating) = (FakeClock::default(), FakeRating::default());
            let federation = FakeFederation::default();
            let matchmaking = FakeMatchmaking::default();
            fixtures.push(Fixture {
                env,
                time,
                database,
                live,
                clock,
                rating,
                federation,
                matchmaking,
                players,
            });
        }
        fixtures
    }

    /// A replica of the service in this world.
    pub(crate) async fn replica(&self) -> Replica {
        self.replica_beside(&self.clock).await
    }

    /// A replica that has clocks of its own.
    pub(crate) async fn replica_beside(&self, clock: &FakeClock) -> Replica {
        self.replica_with(clock, self.live_state()).await
    }

    /// A replica of which no other hears anything: what it publishes is lost.
    pub(crate) async fn unheard_replica(&self) -> Replica {
        self.replica_with(&self.clock, InCommon::empty().await).await
    }

    async fn replica_with(&self, clock: &FakeClock, live: Arc<dyn Live>) -> Replica {
        let lifecycle = Lifecycle::new();
        let deps = game::Deps {
            env: self.env.clone(),
            database: self.database.database.clone(),
            vault: chassis::Vault::open_to_all(),
            live,
            lifecycle: lifecycle.clone(),
            clock: clock.transport(),
            rating: self.rating.transport(),
            federation: self.federation.transport(),
            matchmaking: self.matchmaking.transport(),
        };
        let routes = game::bind(deps).await.expect("the service is put together");
        Replica { public: over(routes.public), internal: as_service(over(routes.internal)), lifecycle }
    }

    /// The live state for one more replica.
    pub(crate) fn live_state(&self) -> Arc<dyn Live> {
        self.live.join();
        Arc::clone(&self.live) as Arc<dyn Live>
    }

    /// What is asked of matchmaking to make a game.
    pub(crate) fn commission(
        &self,
        variant: &str,
        options: &[(&str, &str)],
        rated: bool,
    ) -> CreateGameRequest {
        let seat = |caller: &Caller| {
            Some(Seat { account_id: caller.id.to_string(), name: caller.name.clone(), rating: 0 })
        };
        let control = TimeControl::same(Control::Absolute { main: Duration::from_mins(1) });
        CreateGameRequest {
            game_id: self.env.uuid().to_string(),
            variant: variant.to_owned(),
            rule_set: String::new(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            time_control: Some(control.into()),
            rated,
            first: seat(&self.players[0]),
            second: seat(&self.players[1]),
            regulations: None,
        }
    }

    pub(crate) fn id(&self) -> String {
        self.env.uuid().to_string()
    }
}

impl Replica {
    pub(crate) fn anybody(&self) -> GameServiceClient<Transport> {
        GameServiceClient::new(self.public.clone()).max_decoding_message_size(16 << 20)
    }

    pub(crate) fn public_transport(&self) -> Transport {
        self.public.clone()
    }

    pub(crate) fn caller(&self, caller: &Caller) -> GameServiceClient<Transport> {
        GameServiceClient::new(as_account(self.public.clone(), caller.clone()))
    }

    pub(crate) fn internal(&self) -> GameInternalServiceClient<Transport> {
        GameInternalServiceClient::new(self.internal.clone()).max_decoding_message_size(16 << 20)
    }

    /// As a federation of the platform.
    pub(crate) fn event_games(&self) -> EventGamesInternalServiceClient<Transport> {
        EventGamesInternalServiceClient::new(self.internal.clone())
    }

    /// A new 9x9 Go game of the world's players.
    pub(crate) async fn new_game(&self, fixture: &Fixture) -> String {
        let request = fixture.commission("go", &[("size", "9")], true);
        let id = request.game_id.clone();
        self.internal().create_game(request).await.expect("the game is made");
        id
    }

    /// A new 9x9 Go game, made after `change` has had its way with what is asked for.
    pub(crate) async fn new_game_with(
        &self,
        fixture: &Fixture,
        change: impl FnOnce(&mut CreateGameRequest),
    ) -> String {
        let mut request = fixture.commission("go", &[("size", "9")], false);
        change(&mut request);
        let id = request.game_id.clone();
        self.internal().create_game(request).await.expect("the game is made");
        id
    }

    /// Lets time pass in which the platform is up: it is called now and then, about another game.
    pub(crate) async fn pass_time(&self, fixture: &Fixture, time: Duration) {
        const STEP: Duration = Duration::from_millis(900);
        let other = self.new_game(fixture).await;
        let mut passed = Duration::ZERO;
        while passed < time {
            let step = STEP.min(time.saturating_sub(passed));
            fixture.time.advance(step);
            passed += step;
            assert_eq!(refused(self.play(fixture, &other, 0, "A1", 9, &fixture.id()).await), "STALE_PLY");
        }
    }

    pub(crate) async fn propose(
        &self,
        fixture: &Fixture,
        id: &str,
        who: usize,
        proposal: Proposal,
    ) -> Result<GameEvent, Status> {
        let request = ProposeRequest {
            game_id: id.to_owned(),
            proposal: Some(api::game::v1::Proposal { proposal: Some(proposal) }),
            request_id: fixture.id(),
        };
        let answer = self.caller(&fixture.players[who]).propose(request).await?.into_inner();
        Ok(answer.event.expect("the answer has the event"))
    }

    pub(crate) async fn look(&self, id: &str) -> Game {
        let request = GetGameRequest { game_id: id.to_owned() };
        self.anybody().get_game(request).await.expect("the game is there").into_inner().game.expect("a game")
    }

    /// The call of the flag that falls if nobody acts.
    pub(crate) async fn flag_fall(&self, id: &str) -> CallFlagRequest {
        let clock = self.look(id).await.state.and_then(|state| state.clock).expect("a clock");
        CallFlagRequest {
            game_id: id.to_owned(),
            revision: clock.revision,
            side: clock.running,
            fall_time: clock.flag_time,
            reading: Some(clock),
        }
    }

    /// Plays acts in turn from the beginning.
    pub(crate) async fn play_all_as_player(&self, fixture: &Fixture, id: &str, acts: &[&str]) {
        for (ply, act) in (0..).zip(acts) {
            self.play(fixture, id, ply as usize % 2, act, ply, &fixture.id())
                .await
                .expect("the act is legal");
        }
    }

    /// Plays acts in turn, the first side first.
    pub(crate) async fn play_all(&self, fixture: &Fixture, id: &str, acts: &[&str]) {
        let played = self.look(id).await.state.expect("a state").ply;
        for (ply, act) in (played..).zip(acts) {
            self.play(fixture, id, ply as usize % 2, act, ply, &fixture.id())
                .await
                .expect("the act is legal");
        }
    }

    pub(crate) async fn play(
        &self,
        fixture: &Fixture,
        id: &str,
        who: usize,
        act: &str,
        ply: u32,
        request_id: &str,
    ) -> Result<GameEvent, Status> {
        let request = PlayRequest {
            game_id: id.to_owned(),
            act: act.to_owned(),
            ply,
            request_id: request_id.to_owned(),
            lag_duration: None,
        };
        let games = self.caller(&fixture.players[who]);
        let policy = api::client::RetryPolicy(Duration::ZERO);
        let answer = with_retry(policy, || async { games.clone().play(request.clone()).await }).await?;
        Ok(answer.event.expect("the answer has the event"))
    }
}

/// The reason of a refusal.
pub(crate) fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    reason(&answer.expect_err("the call is refused"))
}
