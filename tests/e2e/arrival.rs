//! Matched games whose players are told late, or never: nobody's clock runs before both have come, whoever is killed
//! in between, and a game to which one never comes costs nobody anything.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    client::{GameUpdate, with_retry},
    game::v1::{
        Game, GameEvent, ListGamesRequest, Progress, Stage, game_event::Event,
        game_service_client::GameServiceClient,
    },
    matchmaking::v1::{EnqueueRequest, GameSettings, matchmaking_service_client::MatchmakingServiceClient},
    rating::v1::{ListRatingsRequest, rating_service_client::RatingServiceClient},
    transport::Transport,
};
use tests::{Bot, Ground, Platform, RETRY, Shape, ask, bots, game_settings, opposite_shapes, pair_up};

const MAIN: Duration = Duration::from_mins(10);
/// How long matchmaking is down: what a player who does not know of his game would be charged at least.
const DOWN: Duration = Duration::from_secs(3);
/// How long the players are waited for where they are waited for in vain.
const ARRIVAL: Duration = Duration::from_secs(4);
/// How long anything may take that does not wait for somebody.
const SOON: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_told_of_his_game_because_matchmaking_dies_is_charged_nothing() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let [told, untold] = two(&transport).await;
        let settings = settings();
        let ticket = enqueue_and_go(&untold, &settings).await;
        let held = tokio::spawn({
            let (told, settings) = (told.clone(), settings.clone());
            async move { told.hold_ticket(&told.ticket(settings), |_| ()).await }
        });
        let id = tokio::time::timeout(SOON, game_of(&transport, &told)).await.expect("there is a game");
        let matchmaking = if shape == Shape::One { "platform" } else { "matchmaking" };
        platform.kill(matchmaking).await.expect("it can be killed");
        tokio::time::sleep(DOWN).await;
        platform.restart(matchmaking).await.expect("it comes up again");
        let matched = held.await.expect("no player panics").expect("his ticket has found a game");
        assert_eq!(matched.game_id, id);
        told.come_to(&id).await.expect("he comes");
        tokio::time::sleep(Duration::from_secs(1)).await;
        let waiting = ask(&transport, &id).await.expect("the game can be read");
        assert_eq!(stage(&waiting), Stage::Waiting, "{shape:?} {store:?}\n{}", platform.logs());
        assert!(waiting.state.is_some_and(|state| state.clock.is_none()), "no clock runs");
        let ticket = EnqueueRequest { ticket_id: ticket, ..untold.ticket(settings) };
        let matched = untold.hold_ticket(&ticket, |_| ()).await.expect("he is told, too");
        assert_eq!(matched.game_id, id);
        let players = if matched.side() == Side::Second { [told, untold] } else { [untold, told] };
        for player in &players {
            player.come_to(&id).await.expect("both come");
        }
        players[0].play(&id, "C3", 0, RETRY).await.expect("play has begun");
        let began = first(&players[1], &id, |event| matches!(event.event, Some(Event::Started(_)))).await;
        assert_eq!(main_times(&began), [MAIN; 2], "{shape:?} {store:?}: nobody is charged");
        let clock = began.state.and_then(|state| state.clock).expect("a clock");
        assert_eq!((clock.running(), clock.running_since_time), (Side::First, began.time));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_to_which_one_never_comes_costs_nobody_anything() {
    for (shape, store) in opposite_shapes() {
        let arrival = ("SHOUTAN_ARRIVAL_WITHIN".to_owned(), format!("{}ms", ARRIVAL.as_millis()));
        let ground = Ground { environment: vec![arrival], ..Ground::default() };
        let mut platform = Platform::start_on(shape, store, ground).await.expect("the platform starts");
        let transport = platform.transport();
        let [there, away] = two(&transport).await;
        let settings = settings();
        enqueue_and_go(&away, &settings).await;
        let (id, _) = there.find_game(settings.clone(), |_| ()).await.expect("a game is found");
        let game = if shape == Shape::One { "platform" } else { "game" };
        platform.kill(game).await.expect("it can be killed between the making of a game and its beginning");
        platform.restart(game).await.expect("it comes up again");
        let ended = tokio::time::timeout(
            SOON,
            first(&there, &id, |event| event.state.as_ref().is_some_and(|state| state.outcome.is_some())),
        );
        let ended = ended.await.unwrap_or_else(|_| panic!("who came is not told\n{}", platform.logs()));
        let outcome = ended.state.and_then(|state| state.outcome).expect("an outcome");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Void, Reason::NotAppeared));
        assert!(ended.clock_entries.is_empty(), "no clock has run");
        // Whoever came finds another game, which does count.
        let other = bots(&transport, 1).await.expect("somebody else signs in").remove(0);
        let mut pairings = pair_up(vec![there.clone(), other], &settings).await.expect("they are matched");
        let next = pairings.remove(0);
        assert_ne!(next.game_id, id);
        next.players[0].play(&next.game_id, "C3", 0, RETRY).await.expect("play has begun");
        next.players[1].resign(&next.game_id, RETRY).await.expect("a player may resign");
        let rated = async {
            while rated_games(&transport, &there).await == 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(SOON, rated).await.expect("the other game is rated");
        assert_eq!(rated_games(&transport, &there).await, 1, "and it alone");
        assert_eq!(rated_games(&transport, &away).await, 0);
    }
}

async fn two(transport: &Transport) -> [Bot; 2] {
    bots(transport, 2).await.expect("both sign in").try_into().expect("two")
}

fn settings() -> GameSettings {
    game_settings("go", &[("size", "9")], "10m", true)
}

/// Puts a ticket into the queue and lets go of it, as a client does that dies; the ticket.
async fn enqueue_and_go(player: &Bot, settings: &GameSettings) -> String {
    let ticket_id = player.new_id();
    let request = EnqueueRequest {
        ticket_id: ticket_id.clone(),
        settings: Some(settings.clone()),
        max_rating_difference: 0,
        ..EnqueueRequest::default()
    };
    let queue = MatchmakingServiceClient::new(player.transport());
    let call = || async { queue.clone().enqueue(request.clone()).await };
    let mut stream = with_retry(RETRY, call).await.expect("the ticket is taken");
    stream.message().await.expect("the ticket waits");
    ticket_id
}

/// The game of a player, as soon as there is one.
async fn game_of(transport: &Transport, player: &Bot) -> String {
    let games = GameServiceClient::new(transport.clone());
    let request = ListGamesRequest { account_id: player.account().id.clone(), ..ListGamesRequest::default() };
    loop {
        let answer = with_retry(RETRY, || async { games.clone().list_games(request.clone()).await }).await;
        if let Some(info) = answer.expect("games can be listed").games.pop().and_then(|game| game.info) {
            break info.id;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// The first event of a game of which this is true, as a player sees it who watches from the beginning.
async fn first(player: &Bot, id: &str, wanted: impl Fn(&GameEvent) -> bool) -> GameEvent {
    let mut watched = player.watch(id).after(0).beyond_end();
    loop {
        match watched.next().await.expect("the game can be watched") {
            Some(GameUpdate::Event(event)) if wanted(&event) => return *event,
            Some(_) => {}
            None => panic!("the stream ended before that happened"),
        }
    }
}

fn stage(game: &Game) -> Stage {
    let progress = game.state.as_ref().and_then(|state| state.progress.as_ref());
    progress.map_or(Stage::Unspecified, Progress::stage)
}

fn main_times(event: &GameEvent) -> [Duration; 2] {
    let clock = event.state.as_ref().and_then(|state| state.clock.clone()).expect("a clock");
    [clock.first, clock.second].map(|side| {
        side.and_then(|side| side.main_duration).as_ref().and_then(api::time::span).expect("a time")
    })
}

async fn rated_games(transport: &Transport, player: &Bot) -> u32 {
    let ratings = RatingServiceClient::new(transport.clone());
    let request = ListRatingsRequest { account_id: player.account().id.clone() };
    let answer = with_retry(RETRY, || async { ratings.clone().list_ratings(request.clone()).await }).await;
    answer.expect("ratings can be read").ratings.iter().map(|rating| rating.games).sum()
}
