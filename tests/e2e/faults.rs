//! Dependency × fault × status: what clients are told while a part of the platform fails.
//!
//! Nothing but UNAVAILABLE, with the time after which to try again, may come of a fault of the platform's own:
//! INTERNAL says that nobody can help it, CANCELLED that the client gave up, and neither is so.

use std::time::Duration;

use api::transport::Transport;
use api::{
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    error::reason,
    game::v1::{GetGameRequest, PlayRequest, game_service_client::GameServiceClient},
    identity::v1::{RegisterGuestRequest, identity_service_client::IdentityServiceClient},
    matchmaking::v1::{EnqueueRequest, matchmaking_service_client::MatchmakingServiceClient},
    rating::v1::{ListRatingsRequest, rating_service_client::RatingServiceClient},
};
use chassis::{Database, database::Transaction};
use futures::future::join_all;
use http_body_util::BodyExt as _;
use tests::{Bot, Ground, Pairing, Platform, Redis, Shape, Store, ask, bots, game_settings, pair_up};
use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;
use tower::ServiceExt as _;

use crate::walk::{Method, SILENCE, public_methods, request};

/// How long an answer may take: longer than every deadline on the way to it.
const ANSWER_MAX: Duration = Duration::from_secs(25);
/// How long the platform may take to be well again.
const RETRY: api::client::RetryPolicy = api::client::RetryPolicy(Duration::from_mins(1));
/// Where stones are put, each once.
const POINTS: [&str; 24] = [
    "A1", "C1", "E1", "G1", "J1", "B2", "D2", "F2", "H2", "A3", "C3", "E3", "G3", "J3", "B4", "D4", "F4",
    "H4", "A5", "C5", "E5", "G5", "J5", "B6",
];

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Redis is there and does not answer.
    RedisFrozen,
    /// Redis answers and takes no writes.
    RedisFull,
    /// The process of a service is gone.
    Gone(&'static str),
    /// Somebody else holds the database of a service.
    Locked(&'static str),
}

use Code::{Ok as Fine, Unavailable};
use Fault::{Gone, Locked, RedisFrozen, RedisFull};

/// What is said to somebody who plays, looks at a game, wants to play, comes as a guest, looks at ratings, and asks
/// for the time.
const TABLE: [(Fault, [Code; 6]); 10] = [
    (RedisFrozen, [Unavailable, Fine, Unavailable, Fine, Fine, Fine]),
    (RedisFull, [Unavailable, Fine, Unavailable, Fine, Fine, Fine]),
    (Gone("clock"), [Unavailable, Fine, Fine, Fine, Fine, Unavailable]),
    (Gone("rating"), [Fine, Fine, Unavailable, Fine, Unavailable, Fine]),
    (Gone("identity"), [Fine, Fine, Fine, Unavailable, Fine, Fine]),
    (Gone("matchmaking"), [Fine, Fine, Unavailable, Fine, Fine, Fine]),
    (Gone("game"), [Unavailable, Unavailable, Fine, Fine, Fine, Fine]),
    (Locked("identity"), [Fine, Fine, Fine, Unavailable, Fine, Fine]),
    (Locked("game"), [Unavailable, Fine, Fine, Fine, Fine, Fine]),
    (Locked("rating"), [Fine, Fine, Fine, Fine, Fine, Fine]),
];
const CALLS: [&str; 6] = ["Play", "GetGame", "Enqueue", "RegisterGuest", "ListRatings", "GetTime"];

#[tokio::test(flavor = "multi_thread")]
async fn no_fault_of_a_part_reaches_a_client_as_anything_but_unavailable() {
    let redis = Redis::start().await.expect("a Redis");
    let ground = Ground { live: Some(redis.url.clone()), ..Ground::default() };
    let mut platform = Platform::start_on(Shape::Six, Store::Embedded, ground).await.expect("it starts");
    let mut players = bots(&platform.transport(), 2 + TABLE.len()).await.expect("all sign in");
    let seekers = players.split_off(2);
    let settings = game_settings("go", &[("size", "9")], "1h", false);
    let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
    let mut points = POINTS.into_iter();
    let mut wrong = Vec::new();
    for ((fault, expected), seeker) in TABLE.into_iter().zip(&seekers) {
        // While the game service is gone nobody can ask for it.
        let (mover, number) = next(&pairing, &platform).await;
        let request = PlayRequest {
            game_id: pairing.game_id.clone(),
            act: points.next().expect("enough points").to_owned(),
            ply: number,
            request_id: mover.new_id(),
            lag_duration: None,
        };
        let lock = begin(fault, &redis, &mut platform).await;
        let asked = Box::pin(by_name(mover, request, seeker, &platform)).await;
        for ((call, status), code) in CALLS.into_iter().zip(&asked).zip(expected) {
            if status.code() != code || !may_be_told(status) {
                wrong.push(format!("{fault:?}: {call} says {}, not {code:?}", said(status)));
            }
        }
        for (method, status) in everything(&pairing).await {
            if !may_be_told(&status) {
                wrong.push(format!("{fault:?}: {method} says {}", said(&status)));
            }
        }
        end(fault, &redis, &mut platform, lock).await;
        let again = mover_after(&pairing, &platform, points.next().expect("enough points")).await;
        again.unwrap_or_else(|status| panic!("after {fault:?}: {}\n{}", said(&status), platform.logs()));
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), platform.logs());
}

/// Whoever is to play does, as soon as the platform lets him.
async fn mover_after(pairing: &Pairing, platform: &Platform, point: &str) -> Result<(), Status> {
    let (mover, number) = next(pairing, platform).await;
    mover.play(&pairing.game_id, point, number, RETRY).await.map(drop)
}

async fn begin(fault: Fault, redis: &Redis, platform: &mut Platform) -> Option<Transaction> {
    match fault {
        RedisFrozen => redis.freeze(true).await.expect("it stops"),
        RedisFull => drop(redis.say("CONFIG SET maxmemory 1").await.expect("it answers")),
        Gone(service) => platform.kill(service).await.expect("it can be killed"),
        Locked(service) => {
            let file = platform.folder().join(format!("{service}.db"));
            let database = Database::open(&format!("sqlite://{}", file.display())).await.expect("it opens");
            return Some(database.begin().await.expect("it can be held"));
        }
    }
    None
}

async fn end(fault: Fault, redis: &Redis, platform: &mut Platform, lock: Option<Transaction>) {
    match fault {
        RedisFrozen => redis.freeze(false).await.expect("it goes on"),
        RedisFull => drop(redis.say("CONFIG SET maxmemory 0").await.expect("it answers")),
        Gone(service) => platform.restart(service).await.expect("it comes up again"),
        Locked(_) => {}
    }
    if let Some(lock) = lock {
        lock.rollback().await.expect("it is let go");
    }
}

/// Who is to play, and the ply.
async fn next<'a>(pairing: &'a Pairing, platform: &Platform) -> (&'a Bot, u32) {
    let game = ask(&platform.transport(), &pairing.game_id).await.expect("the game can be read");
    let ply = game.state.expect("a state").ply;
    (&pairing.players[ply as usize % 2], ply)
}

/// What the six calls say, all at once.
async fn by_name(player: &Bot, play: PlayRequest, seeker: &Bot, platform: &Platform) -> [Status; 6] {
    let game_id = play.game_id.clone();
    let plain = platform.transport();
    let mut plays = GameServiceClient::new(player.transport());
    let mut games = GameServiceClient::new(plain.clone());
    let mut seeks = MatchmakingServiceClient::new(seeker.transport());
    let mut guests = IdentityServiceClient::new(plain.clone());
    let mut ratings = RatingServiceClient::new(plain.clone());
    let mut clocks = ClockServiceClient::new(plain);
    let enqueue = EnqueueRequest {
        ticket_id: seeker.new_id(),
        settings: Some(game_settings("jiu", &[], "10m", true)),
        ..EnqueueRequest::default()
    };
    let list = ListRatingsRequest { account_id: seeker.account().id.clone() };
    let (play, look, seek, guest, rating, time) = tokio::join!(
        outcome(plays.play(play)),
        outcome(games.get_game(GetGameRequest { game_id })),
        outcome(seeks.enqueue(enqueue)),
        outcome(guests.register_guest(RegisterGuestRequest { request_id: seeker.new_id() })),
        outcome(ratings.list_ratings(list)),
        outcome(clocks.get_time(GetTimeRequest {})),
    );
    [play, look, seek, guest, rating, time]
}

async fn outcome<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Status {
    match tokio::time::timeout(ANSWER_MAX, call).await {
        Ok(Ok(_)) => Status::ok(""),
        Ok(Err(status)) => status,
        Err(_) => Status::unknown("there is no answer at all"),
    }
}

/// What every public method says to a player. Without a request id nothing can be changed.
async fn everything(pairing: &Pairing) -> Vec<(String, Status)> {
    let player = &pairing.players[0];
    let (transport, account) = (player.transport(), player.account().id.clone());
    let values = [("game_id", pairing.game_id.as_str()), ("account_id", account.as_str()), ("variant", "go")];
    let asked = public_methods().into_iter().map(async |method| {
        let answer = tokio::time::timeout(ANSWER_MAX, status(&transport, &method, &values)).await;
        (method.path, answer.unwrap_or_else(|_| Status::unknown("there is no answer at all")))
    });
    join_all(asked).await
}

/// Whether a status may be told to a client, whatever fails.
fn may_be_told(status: &Status) -> bool {
    match status.code() {
        Code::Internal | Code::Cancelled | Code::Unknown | Code::DeadlineExceeded | Code::DataLoss => false,
        Code::Unavailable => status.get_details_retry_info().is_some() && !reason(status).is_empty(),
        _ => true,
    }
}

fn said(status: &Status) -> String {
    format!("{:?} {} ({})", status.code(), reason(status), status.message())
}

/// Calls a method with these values for the fields of these names, and answers with the status. A stream is fine when
/// it says nothing else for a while.
async fn status(transport: &Transport, method: &Method, values: &[(&str, &str)]) -> Status {
    let response = match transport.clone().oneshot(request(method, values)).await {
        Ok(response) => response,
        Err(error) => return Status::unknown(error.to_string()),
    };
    if let Some(status) = Status::from_header_map(response.headers()) {
        return status;
    }
    let mut body = response.into_body();
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(SILENCE, body.frame()).await {
        if let Ok(trailers) = frame.into_trailers() {
            return Status::from_header_map(&trailers)
                .unwrap_or_else(|| Status::unknown("trailers without a status"));
        }
    }
    Status::ok("")
}
