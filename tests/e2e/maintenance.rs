//! Maintenance, as an operator plans it beside running processes: games rest, nobody is given another, and all goes on when it is
//! called off.

use std::time::Duration;

use api::{
    client::RetryPolicy,
    clock::v1::{
        GetTimeRequest, Maintenance, MaintenanceNotice, PauseReason, WatchAnnouncementsRequest,
        clock_service_client::ClockServiceClient,
    },
    federation::v1::{
        WatchBoardsRequest, WatchEventRequest, WatchNoticesRequest,
        event_format::{Format, Swiss},
        notice_service_client::NoticeServiceClient,
    },
    game::v1::{
        ChatRoom, WatchMessagesRequest, WatchOwnGamesRequest, WatchRequest,
        chat_service_client::ChatServiceClient, game_service_client::GameServiceClient,
    },
    matchmaking::v1::{
        EnqueueRequest, FollowRequest, WatchOpenChallengesRequest,
        challenge_service_client::ChallengeServiceClient, follow_service_client::FollowServiceClient,
        matchmaking_service_client::MatchmakingServiceClient,
    },
};
use futures::{StreamExt as _, stream::BoxStream};
use serde_json::Value;
use tests::{
    Platform, ask, bot, bots, call, command, game_settings,
    held::{Federation, Held, SOON, events, settings},
    opposite_shapes, pair_up,
};

const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(30));

/// What the command says, if it ends well; otherwise what it complains of.
async fn maintenance(platform: &Platform, arguments: &[&str]) -> Result<Value, String> {
    let kept = platform.kept();
    let kept = kept.iter().map(String::as_str);
    let arguments: Vec<&str> =
        ["maintenance", "--json"].into_iter().chain(arguments.iter().copied()).chain(kept).collect();
    let output = command(&arguments).await.expect("the command runs");
    if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout).expect("JSON"))
    } else {
        Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }
}

/// Waits until something is so, as it is a few seconds after somebody said so.
async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    for _ in 0..300 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what}")
}

async fn told(platform: &Platform) -> Option<Maintenance> {
    let mut clocks = ClockServiceClient::new(platform.transport());
    clocks.get_time(GetTimeRequest {}).await.expect("it is told").into_inner().maintenance
}

async fn rests(platform: &Platform, id: &str) -> bool {
    let game = ask(&platform.transport(), id).await.expect("the game can be read");
    let progress = game.state.and_then(|state| state.progress).expect("progress");
    progress.pauses().any(|reason| reason == PauseReason::Maintenance)
}

#[tokio::test(flavor = "multi_thread")]
async fn games_rest_while_the_platform_is_worked_on() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let players = bots(&transport, 2).await.expect("both sign in");
        let settings = game_settings("go", &[("size", "9")], "5m+3x10s", false);
        let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
        let id = &pairing.game_id;
        for (player, text, ply) in [(0, "C3", 0), (1, "G7", 1)] {
            pairing.players[player].play(id, text, ply, RETRY).await.expect("accepted");
        }

        assert_eq!(maintenance(&platform, &[]).await.expect("it is said")["maintenance"], "none");
        let refused = maintenance(&platform, &["--cancel"]).await.expect_err("none is planned");
        assert!(refused.contains("no maintenance is planned"), "{refused}");
        let refused = maintenance(&platform, &["--at", "now", "--for", "1s"]).await.expect_err("too short");
        assert!(refused.contains("a minute at least"), "{refused}");
        let planned = ["--at", "now", "--for", "10m", "--reason", "new disks"];
        let said = maintenance(&platform, &planned).await.expect("it can be");
        assert_eq!((&said["maintenance"], &said["reason"]), (&"under way".into(), &"new disks".into()));
        eventually("the game does not rest", async || rests(&platform, id).await).await;
        let refused = pairing.players[0].play(id, "C7", 2, RETRY).await.expect_err("nobody plays now");
        assert_eq!(api::error::reason(&refused), "NOT_IN_PLAY");
        eventually("nobody is told", async || {
            told(&platform).await.is_some_and(|maintenance| maintenance.reason == "new disks")
        })
        .await;
        eventually("games are still given", async || {
            let others = bots(&transport, 2).await.expect("both sign in");
            let refused = pair_up(others, &settings).await.err();
            refused.is_some_and(|refused| format!("{refused:?}").contains("the platform is worked on"))
        })
        .await;

        let said = maintenance(&platform, &["--cancel"]).await.expect("it can be");
        assert_eq!(said["maintenance"], "none");
        eventually("the game still rests", async || !rests(&platform, id).await).await;
        pairing.players[0].play(id, "C7", 2, RETRY).await.expect("it goes on");
        let output = command(["clocks", id, "--server", &platform.url]).await.expect("the command runs");
        let clocks = String::from_utf8_lossy(&output.stdout);
        for words in ["pause (PAUSE_REASON_MAINTENANCE)", "each follows from those before it"] {
            assert!(clocks.contains(words), "{shape:?} {store:?}: {words} is missing in\n{clocks}");
        }
        let place = platform.place();
        let audit = ["doctor", "--audit"].into_iter().chain(place.iter().map(String::as_str));
        let audited = command(audit.collect::<Vec<_>>()).await.expect("the command runs");
        let audited = String::from_utf8_lossy(&audited.stdout).into_owned();
        assert!(audited.contains("0 games differ"), "{shape:?} {store:?}: {audited}");
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}

/// A stream of which only what it says of a maintenance is heard.
type Said = (&'static str, BoxStream<'static, MaintenanceNotice>);

/// One of every stream that clients follow: opened by a call, and named after it.
macro_rules! said {
    ($client:expr, $method:ident, $request:expr) => {{
        let stream = call!($client, $method, $request).expect("a stream");
        let notices = stream.filter_map(async |told| told.expect("it goes on").maintenance_notice);
        (stringify!($method), notices.boxed())
    }};
}

/// Every stream: of the game and the event of somebody, of the lobby, and of somebody who waits in the queue.
/// His game has so many lines, which nobody else waits for.
async fn every_stream(platform: &Platform, held: &Held, game: &str, lines: &str) -> Vec<Said> {
    let waits = &bot(&platform.transport()).await.expect("an account");
    let (transport, own) = (platform.transport(), held.players[&1].transport());
    let (event_id, game_id) = (held.id.clone(), game.to_owned());
    let room = ChatRoom::Spectators.into();
    let ticket = EnqueueRequest {
        ticket_id: waits.new_id(),
        settings: Some(game_settings("go", &[("size", lines)], "5m", false)),
        ..EnqueueRequest::default()
    };
    let of_game = WatchRequest { game_id: game_id.clone(), ..WatchRequest::default() };
    let of_chat = WatchMessagesRequest { game_id: game_id.clone(), room, after_sequence: 0 };
    let of_event = WatchEventRequest { event_id: event_id.clone(), after_sequence: 0 };
    let of_boards = WatchBoardsRequest { event_id, round: 1, cursor: String::new() };
    vec![
        said!(GameServiceClient::new(transport.clone()), watch, of_game),
        said!(ChatServiceClient::new(transport.clone()), watch_messages, of_chat),
        said!(GameServiceClient::new(own.clone()), watch_own_games, WatchOwnGamesRequest::default()),
        said!(ClockServiceClient::new(transport), watch_announcements, WatchAnnouncementsRequest { game_id }),
        said!(events(waits), watch_event, of_event),
        said!(events(waits), watch_boards, of_boards),
        said!(NoticeServiceClient::new(own.clone()), watch_notices, WatchNoticesRequest::default()),
        said!(FollowServiceClient::new(own.clone()), follow, FollowRequest::default()),
        said!(ChallengeServiceClient::new(own), watch_open_challenges, WatchOpenChallengesRequest::default()),
        said!(MatchmakingServiceClient::new(waits.transport()), enqueue, ticket),
    ]
}

/// What each of the streams says next.
async fn heard(streams: &mut [Said]) -> Vec<(&'static str, Option<Maintenance>)> {
    let mut heard = Vec::new();
    for (name, stream) in streams {
        let notice = tokio::time::timeout(SOON, stream.next()).await;
        let notice = notice.unwrap_or_else(|_| panic!("{name} says nothing")).expect("it goes on");
        heard.push((*name, notice.maintenance));
    }
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_planned_is_said_on_every_stream() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let federation = Federation::new(&transport, "བོད་མིག་མངས", "Tibetan Jiu").await;
        let mut held = Held::new(&federation, settings(Format::Swiss(Swiss { rounds: 1 }), 4)).await;
        held.enter_new(&federation, bots(&transport, 2).await.expect("both sign in")).await;
        held.run().await;
        held.pair(1).await;
        held.publish(1).await;
        let round = held.begin_round(1).await;
        let [pairing] = round.pairings.as_slice() else { panic!("two players, one board") };
        held.come(pairing).await;
        let game = &pairing.game_id;

        let mut early = every_stream(&platform, &held, game, "9").await;
        let begin = (chassis::Env::system().now() + time::Duration::hours(4))
            .replace_nanosecond(0)
            .expect("a whole second");
        let at = begin.format(&time::format_description::well_known::Rfc3339).expect("a moment");
        maintenance(&platform, &["--at", &at, "--for", "1h"]).await.expect("it can be");
        let planned = Some(Maintenance {
            begin_time: Some(api::time::timestamp(begin)),
            end_time: Some(api::time::timestamp(begin + time::Duration::HOUR)),
            reason: String::new(),
        });
        let said = heard(&mut early).await;
        assert!(said.iter().all(|(_, maintenance)| *maintenance == planned), "{shape:?} {store:?}: {said:?}");
        let mut late = every_stream(&platform, &held, game, "13").await;
        let said = heard(&mut late).await;
        assert!(said.iter().all(|(_, maintenance)| *maintenance == planned), "{shape:?} {store:?}: {said:?}");
        maintenance(&platform, &["--cancel"]).await.expect("it can be");
        let said = heard(&mut late).await;
        assert!(said.iter().all(|(_, maintenance)| maintenance.is_none()), "{shape:?} {store:?}: {said:?}");
        drop((early, late));
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}
