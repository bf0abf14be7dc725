//! Replicas of the service over one live state, a game service, and one time for all of it.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::Side,
    clock::v1::{
        ClockReading, PressClock, StartClock, StepRequest, StepResponse, StopClock, WatchFlag,
        clock_internal_service_client::ClockInternalServiceClient, clock_service_client::ClockServiceClient,
        step_request::Event,
    },
    game::v1::RunningClock,
    time_control::TimeControl,
    transport::{Transport, over},
};
use chassis::{
    Env, Lifecycle, MockClock,
    testing::{as_account, as_service, player},
};
use clock::Deps;
use time::{OffsetDateTime, macros::datetime};
use tokio::{sync::mpsc, time::Instant};
use tonic::Status;

use crate::{
    fake_games::{Called, FakeGames},
    frail_live::{FrailLine, FrailLive},
};

/// When every test begins.
pub(crate) const START: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

/// No flag of any test falls later than this after the test begins to wait for it.
const PATIENCE: Duration = Duration::from_mins(2);

/// No test has so many calls in vain.
const IN_VAIN_MAX: usize = 20;

/// What a test plays in.
pub(crate) struct Fixture {
    pub env: Env,
    pub live: Arc<FrailLive>,
    pub games: FakeGames,
    pub called: mpsc::UnboundedReceiver<Called>,
}

/// One process with the service.
pub(crate) struct Replica {
    pub lifecycle: Lifecycle,
    public: Transport,
    internal: Transport,
    env: Env,
}

impl Fixture {
    /// A fixture on paused tokio time, to which injected time is tied: when nothing is left to do both jump
    /// to the next timer, so hours pass in no time and nothing is waited for in earnest.
    pub(crate) fn new() -> Self {
        let (env, time) = Env::mock(START, 7);
        tie(time);
        let (games, called) = FakeGames::new(env.clone());
        Fixture { env, live: FrailLive::new(FrailLine::new()), games, called }
    }

    /// A fixture with one replica, and the id of a game.
    pub(crate) fn with_game() -> (Self, Replica, String) {
        let fixture = Fixture::new();
        let (replica, game) = (fixture.replica(), fixture.game());
        (fixture, replica, game)
    }

    /// Starts another replica over the same live state.
    pub(crate) fn replica(&self) -> Replica {
        let lifecycle = Lifecycle::new();
        let routes = clock::bind(Deps {
            env: self.env.clone(),
            live: self.live.clone(),
            lifecycle: lifecycle.clone(),
            game: as_service(self.games.transport()),
        });
        Replica {
            lifecycle,
            public: over(routes.public),
            internal: over(routes.internal),
            env: self.env.clone(),
        }
    }

    /// The live state loses all it has.
    pub(crate) fn wipe(&mut self) {
        self.live = FrailLive::new(FrailLine::new());
    }

    /// A new game's id.
    pub(crate) fn game(&self) -> String {
        self.env.uuid().to_string()
    }

    /// The next call of a flag.
    pub(crate) async fn call(&mut self) -> Called {
        let called = tokio::time::timeout(PATIENCE, self.called.recv()).await.expect("a flag is called");
        called.expect("the games are there")
    }

    /// The next call of a flag that ended its game, and how many before it did not.
    pub(crate) async fn fall(&mut self) -> (Called, usize) {
        for in_vain in 0..=IN_VAIN_MAX {
            let called = self.call().await;
            if called.ended_the_game {
                return (called, in_vain);
            }
        }
        panic!("no flag ends its game");
    }

    /// Lets time pass and makes sure that no flag is called in it.
    pub(crate) async fn quiet(&mut self, span: Duration) {
        let called = tokio::time::timeout(span, self.called.recv()).await;
        assert!(called.is_err(), "{called:?}");
    }
}

impl Replica {
    /// The public service, without a token.
    pub(crate) fn public(&self) -> ClockServiceClient<Transport> {
        ClockServiceClient::new(self.public.clone())
    }

    /// The public service, called by an account.
    pub(crate) fn public_by(&self, caller: &chassis::auth::Caller) -> ClockServiceClient<Transport> {
        ClockServiceClient::new(as_account(self.public.clone(), caller.clone()))
    }

    /// The internal service, called by a service.
    pub(crate) fn internal(&self) -> ClockInternalServiceClient<Transport> {
        ClockInternalServiceClient::new(as_service(self.internal.clone()))
    }

    /// The internal service, called by a player.
    pub(crate) fn internal_by_player(&self) -> ClockInternalServiceClient<Transport> {
        let player = player(&self.env, "Tenzin");
        ClockInternalServiceClient::new(as_account(self.internal.clone(), player))
    }

    /// The internal service, called by who knows whom.
    pub(crate) fn internal_by_nobody(&self) -> ClockInternalServiceClient<Transport> {
        ClockInternalServiceClient::new(self.internal.clone())
    }

    /// Takes an event now.
    pub(crate) async fn step(
        &self,
        game: &str,
        control: &str,
        before: Option<ClockReading>,
        event: Event,
    ) -> Result<StepResponse, Status> {
        let request = request(game, control, before, event, self.env.now());
        self.internal().step(request).await.map(tonic::Response::into_inner)
    }

    /// Starts a clock and appends it to the log of its game, as the game service does.
    pub(crate) async fn start(&self, fixture: &Fixture, game: &str, control: &str) -> ClockReading {
        let started = self.step(game, control, None, start()).await.expect("a start fits");
        let reading = started.after.expect("a reading");
        fixture.games.append(running(game, control, reading.clone()));
        reading
    }

    /// Takes an act and appends it to the log.
    pub(crate) async fn act(
        &self,
        fixture: &Fixture,
        game: &str,
        control: &str,
        before: ClockReading,
    ) -> ClockReading {
        let event = press(&before);
        let pressed = self.step(game, control, Some(before), event).await.expect("a press fits");
        let reading = pressed.after.expect("a reading");
        fixture.games.append(running(game, control, reading.clone()));
        reading
    }

    /// Ends the process at once, wherever it is.
    pub(crate) async fn kill(self) {
        self.lifecycle.drain(Duration::ZERO).await;
    }
}

/// A request to step.
pub(crate) fn request(
    game: &str,
    control: &str,
    before: Option<ClockReading>,
    event: Event,
    at: OffsetDateTime,
) -> StepRequest {
    StepRequest {
        game_id: game.to_owned(),
        time_control: Some(parsed(control).into()),
        before,
        event_time: Some(api::time::timestamp(at)),
        event: Some(event),
        audience: None,
    }
}

/// A clock as the log of a game holds it.
pub(crate) fn running(game: &str, control: &str, reading: ClockReading) -> RunningClock {
    let time_control = Some(parsed(control).into());
    RunningClock { game_id: game.to_owned(), time_control, reading: Some(reading), audience: None }
}

/// The first side's clock starts.
pub(crate) fn start() -> Event {
    Event::Start(StartClock { running: Side::First.into() })
}

/// The running side acts, and the other's clock runs next.
pub(crate) fn press(before: &ClockReading) -> Event {
    let (side, next) = match before.running() {
        Side::First => (Side::First, Side::Second),
        _ => (Side::Second, Side::First),
    };
    Event::Press(PressClock { side: side.into(), next: next.into(), ..PressClock::default() })
}

/// The clocks are stopped.
pub(crate) fn stop() -> Event {
    Event::Stop(StopClock {})
}

/// The flag is to be watched again.
pub(crate) fn watch() -> Event {
    Event::Watch(WatchFlag {})
}

fn parsed(control: &str) -> TimeControl {
    control.parse().expect("a control")
}

/// Moves injected time along with tokio's, in steps of a millisecond, which is a tick of tokio's timers.
fn tie(time: MockClock) {
    tokio::spawn(async move {
        let zero = Instant::now();
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
            time.set(START + zero.elapsed());
        }
    });
}
