//! A fixture with one database, one live state and any number of replicas of the service.

use std::{future::Future, sync::Arc, time::Duration};

use api::{
    matchmaking::v1::{
        AnswerOfferRequest, EnqueueRequest, EnqueueResponse, GameSettings,
        enqueue_response::{Matched, Offered, State, Waiting},
        matchmaking_service_client::MatchmakingServiceClient,
    },
    time_control::TimeControl,
    transport::{Transport, over},
};
use chassis::{
    Database, Env, Lifecycle, MockClock,
    auth::Caller,
    id::AccountId,
    testing::{self, TestDatabase, identity::Identity},
};
use live::{Live, TicketState, TicketStore as _, testing::Intercept};
use matchmaking::{Deps, Timings};
use sea_orm::{ConnectionTrait as _, Statement};
use time::OffsetDateTime;
use tonic::{Code, Status, Streaming};
use uuid::Uuid;

use crate::{
    fakes::{Games, Notices, Ratings},
    faulty::Faulty,
};

/// Looks and rounds follow each other fast; what is counted in the mock time is as in earnest.
pub(crate) const TIMINGS: Timings = Timings {
    look: Duration::from_millis(20),
    hold: Duration::from_secs(30),
    pass: Duration::from_millis(10),
    pause: Duration::from_millis(1),
    sweep: Duration::from_millis(10),
    retry: Duration::from_millis(20),
    grace: Duration::from_secs(2),
};

/// What survives the replicas.
pub(crate) struct Fixture {
    /// Which database and live state, for messages.
    pub kind: String,
    pub env: Env,
    pub time: MockClock,
    pub games: Games,
    pub ratings: Ratings,
    pub identity: Identity,
    pub notices: Notices,
    pub live: Arc<Intercept<Faulty>>,
    database: TestDatabase,
    place: String,
}

/// A running replica.
pub(crate) struct Replica {
    pub transport: Transport,
    pub internal: Transport,
    database: Database,
    lifecycle: Lifecycle,
}

/// A player at a replica.
#[derive(Clone)]
pub(crate) struct Player {
    pub caller: Caller,
    pub client: MatchmakingServiceClient<Transport>,
}

/// An open stream.
pub(crate) struct Line(Streaming<EnqueueResponse>);

/// A fixture for each database with each live state.
pub(crate) async fn fixtures() -> Vec<Fixture> {
    let mut places = vec!["memory".to_owned()];
    match std::env::var("SHOUTAN_TEST_REDIS") {
        Ok(url) => places.push(url),
        Err(_) => assert!(std::env::var("CI").is_err(), "in CI the tests must run on Redis"),
    }
    let mut fixtures = Vec::new();
    for place in places {
        for database in testing::databases().await {
            fixtures.push(Fixture::on(database, &place).await);
        }
    }
    fixtures
}

impl Fixture {
    async fn on(database: TestDatabase, place: &str) -> Fixture {
        let start = OffsetDateTime::from_unix_timestamp(1_800_000_000).expect("in range");
        let (env, time) = Env::mock(start, 7);
        let live = Intercept::new(Faulty::new(empty_live(place).await));
        let kind = format!("{} and {}", database.kind, place.split(':').next().expect("a first part"));
        let (games, ratings, identity) = (Games::new(), Ratings::default(), Identity::default());
        let notices = Notices::default();
        Fixture {
            kind,
            env,
            time,
            games,
            ratings,
            identity,
            notices,
            live,
            database,
            place: place.to_owned(),
        }
    }

    /// Waits until a ticket is taken for a game, which nobody looks after while pending matches are hidden.
    pub(crate) async fn taken(&self, ticket: Uuid) {
        let is_matched = async || {
            let state = self.live.ticket(ticket).await.expect("live state answers");
            matches!(state, Some(TicketState::Matched { .. }))
        };
        soon(async {
            while !is_matched().await {
                self.live.failed.notified().await;
            }
        })
        .await;
    }

    /// Starts a replica with connections of its own.
    pub(crate) async fn replica(&self) -> Replica {
        self.replica_at(TIMINGS).await
    }

    pub(crate) async fn replica_at(&self, timings: Timings) -> Replica {
        let lifecycle = Lifecycle::new();
        let database = Database::open(&self.database.url).await.expect("the database opens again");
        let deps = Deps {
            env: self.env.clone(),
            database: database.clone(),
            live: Arc::clone(&self.live) as Arc<dyn Live>,
            lifecycle: lifecycle.clone(),
            game: self.games.transport(),
            rating: self.ratings.transport(),
            identity: self.identity.transport(),
            federation: self.notices.transport(),
            arrival: matchmaking::ARRIVAL,
        };
        let routes = matchmaking::bind_at(deps, timings).await.expect("the service binds");
        let internal = over(routes.internal.prepare());
        Replica { transport: over(routes.public.prepare()), internal, database, lifecycle }
    }

    /// Writes a pause of an account down that makes no sense.
    pub(crate) async fn spoil(&self, account: AccountId) {
        let on = self.database.database.write();
        let until = i64::MAX.into();
        let values = [account.uuid().into(), self.env.uuid().into(), until];
        let text = "INSERT INTO pauses (account_id, begins_us, game_id, ends_us, conduct, step) VALUES ($1, 0, $2, $3, 99, 1)";
        let statement = Statement::from_sql_and_values(on.get_database_backend(), text, values);
        on.execute_raw(statement).await.expect("written");
    }

    /// Loses the whole live state.
    pub(crate) async fn lose_live(&self) {
        self.live.forget(empty_live(&self.place).await);
    }

    pub(crate) fn caller(&self, name: &str) -> Caller {
        let caller = testing::player(&self.env, name);
        self.identity.know(&caller);
        caller
    }

    pub(crate) fn ticket(&self) -> Uuid {
        self.env.uuid()
    }
}

impl Replica {
    /// The way to it, calling as this account.
    pub(crate) fn player(&self, caller: &Caller) -> Player {
        let transport = testing::as_account(self.transport.clone(), caller.clone());
        Player { caller: caller.clone(), client: MatchmakingServiceClient::new(transport) }
    }

    pub(crate) fn anonymous(&self) -> MatchmakingServiceClient<Transport> {
        MatchmakingServiceClient::new(self.transport.clone())
    }

    /// Takes its database away.
    pub(crate) async fn lose_database(&self) {
        self.database.clone().close().await;
    }

    /// Ends it where it stands: every task is dropped at its next await.
    pub(crate) async fn crash(self) {
        self.lifecycle.drain(Duration::ZERO).await;
    }
}

impl Player {
    /// Hands a ticket in and gives the open stream.
    pub(crate) async fn enqueue(&self, ticket: Uuid, settings: GameSettings) -> Result<Line, Status> {
        self.enqueue_any(ticket, vec![settings]).await
    }

    /// Hands in a ticket for any of these, what comes first rather.
    pub(crate) async fn enqueue_any(
        &self,
        ticket: Uuid,
        settings: Vec<GameSettings>,
    ) -> Result<Line, Status> {
        let mut settings = settings.into_iter();
        self.ask(EnqueueRequest {
            ticket_id: ticket.to_string(),
            settings: settings.next(),
            max_rating_difference: 0,
            alternatives: settings.collect(),
            ..EnqueueRequest::default()
        })
        .await
    }

    pub(crate) async fn ask(&self, request: EnqueueRequest) -> Result<Line, Status> {
        let answer = soon(self.client.clone().enqueue(request)).await?;
        Ok(Line(answer.into_inner()))
    }

    /// Accepts the game that is offered to a ticket, or declines it.
    pub(crate) async fn answer(&self, ticket: Uuid, accept: bool) -> Result<(), Status> {
        let request = AnswerOfferRequest { ticket_id: ticket.to_string(), accept };
        soon(self.client.clone().answer_offer(request)).await.map(drop)
    }

    /// The match that a ticket of his has become, whose game he accepts if it is offered.
    pub(crate) async fn plays(&self, ticket: Uuid, mut line: Line) -> Matched {
        soon(async {
            loop {
                match line.next().await {
                    Ok(Some(State::Waiting(_))) => {}
                    Ok(Some(State::Offered(Offered { accepted, .. }))) => {
                        if !accepted {
                            self.answer(ticket, true).await.expect("it is offered");
                        }
                    }
                    Ok(Some(State::Matched(matched))) => break matched,
                    other => panic!("matched, not {other:?}"),
                }
            }
        })
        .await
    }

    pub(crate) async fn cancel(&self, ticket: Uuid) -> Result<(), Status> {
        let request = api::matchmaking::v1::CancelTicketRequest { ticket_id: ticket.to_string() };
        soon(self.client.clone().cancel_ticket(request)).await.map(drop)
    }
}

impl Line {
    /// The next state; `None` at the end. What maintenance is planned is said besides.
    pub(crate) async fn next(&mut self) -> Result<Option<State>, Status> {
        loop {
            match soon(self.0.message()).await? {
                Some(EnqueueResponse { state: None, maintenance_notice: Some(_) }) => {}
                Some(answer) => return Ok(Some(answer.state.expect("it has a state"))),
                None => return Ok(None),
            }
        }
    }

    /// The next message, which says that the ticket waits.
    pub(crate) async fn waiting(&mut self) -> Waiting {
        match self.next().await {
            Ok(Some(State::Waiting(waiting))) => waiting,
            other => panic!("waiting, not {other:?}"),
        }
    }

    /// Waits for a message that says that the ticket waits, in these circumstances.
    pub(crate) async fn waiting_until(&mut self, wanted: impl Fn(&Waiting) -> bool) {
        soon(async { while !wanted(&self.waiting().await) {} }).await;
    }

    /// Waits for a message that says that a game is offered, which the owner has accepted or not.
    pub(crate) async fn offered(&mut self, accepted: bool) -> Offered {
        soon(async {
            loop {
                match self.next().await {
                    Ok(Some(State::Offered(offered))) if offered.accepted == accepted => break offered,
                    Ok(Some(State::Waiting(_) | State::Offered(_))) => {}
                    other => panic!("offered, not {other:?}"),
                }
            }
        })
        .await
    }

    /// Waits for a message that says that the ticket waits, whatever was offered before.
    pub(crate) async fn waits_again(&mut self) -> Waiting {
        soon(async {
            loop {
                match self.next().await {
                    Ok(Some(State::Waiting(waiting))) => break waiting,
                    Ok(Some(State::Offered(_))) => {}
                    other => panic!("waiting, not {other:?}"),
                }
            }
        })
        .await
    }

    /// What the ticket has become in the end; then the stream is over.
    pub(crate) async fn end(mut self) -> State {
        let end = soon(async {
            loop {
                match self.next().await {
                    Ok(Some(State::Waiting(_) | State::Offered(_))) => {}
                    Ok(Some(end)) => break end,
                    other => panic!("an end, not {other:?}"),
                }
            }
        });
        let end = end.await;
        assert_eq!(self.next().await.expect("the stream ends in order"), None);
        end
    }

    /// The match that the ticket has become.
    pub(crate) async fn matched(self) -> Matched {
        match self.end().await {
            State::Matched(matched) => matched,
            other => panic!("matched, not {other:?}"),
        }
    }
}

/// Settings of a blitz game by the variant's default rules.
pub(crate) fn blitz(rated: bool) -> GameSettings {
    GameSettings { rated, ..lasting("5m+3s") }
}

/// Settings of a casual game of so much time by the variant's default rules.
pub(crate) fn lasting(control: &str) -> GameSettings {
    let control: TimeControl = control.parse().expect("a time control");
    GameSettings {
        variant: rules::VARIANTS[0].id.to_owned(),
        time_control: Some(control.into()),
        ..GameSettings::default()
    }
}

/// Waits, but not for ever.
pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(30), future).await.expect("it happens within half a minute")
}

async fn empty_live(place: &str) -> Arc<dyn Live> {
    let config = live::Config::new(place).expect("a live state");
    let prefix = format!("t{}", Env::system().uuid().simple());
    let config = config.with_prefix(&prefix).expect("letters and digits");
    live::connect(&config).await.expect("the live state answers")
}

/// Holds an answer to a refusal.
pub(crate) fn check<T>(answer: Result<T, Status>, code: Code, reason: &str) -> Status {
    let Err(status) = answer else { panic!("{reason}, not an answer") };
    assert_eq!((status.code(), api::error::reason(&status).as_str()), (code, reason), "{status}");
    status
}
