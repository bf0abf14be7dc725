//! One long game, read by strangers without end and streamed to some who do not read: whoever plays is not charged for
//! it, and memory stays where it was.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use api::{
    client::{ANSWER_BYTES_MAX, RetryPolicy, connect},
    game::v1::{
        GameEvent, GetGameRequest, ImportRecordRequest, WatchRequest, game_event::Event,
        game_service_client::GameServiceClient, watch_response::Step,
    },
};
use chassis::Env;
use tests::{
    Pairing, Platform, Shape, Store, bot, game_settings, guest, long_record, pair_up, point, time_left,
};

/// The longest record that may be imported has some more.
const MOVES: usize = 9_000;
/// Strangers who read the whole game again and again.
const READERS: usize = 16;
/// Strangers who stream it from the start and do not read.
const STALLED: usize = 60;
/// Plies that are played meanwhile.
const PLIES: usize = 16;
/// What a turn may be charged beyond its player's thought.
const CHARGED_MAX: Duration = Duration::from_secs(1);
/// What sixty streams may hold together: a log of nine thousand moves, held once a stream, is more than 300 MiB.
const STALLED_KIB_MAX: i64 = 120 * 1024;

async fn imported(platform: &Platform) -> String {
    let importer = bot(&platform.transport()).await.expect("signs in");
    let text = long_record(MOVES).expect("a record");
    let request = ImportRecordRequest { variant: "go".to_owned(), text, request_id: importer.new_id() };
    let game = importer.games().import_record(request).await.expect("imported").into_inner().game;
    game.and_then(|game| game.info).expect("a game has an id").id
}

async fn pairing(platform: &Platform) -> Pairing {
    let transport = platform.transport();
    let players = vec![guest(&transport).await.expect("in"), guest(&transport).await.expect("in")];
    pair_up(players, &game_settings("go", &[], "1h", false)).await.expect("a game").remove(0)
}

/// Reads the game until told to stop, and counts the answers.
async fn read(url: String, game_id: String, finish: Arc<AtomicBool>, answers: Arc<AtomicU32>) {
    let transport = connect(&url).expect("the address is well formed");
    let mut games = GameServiceClient::new(transport).max_decoding_message_size(ANSWER_BYTES_MAX);
    while !finish.load(Ordering::SeqCst) {
        let request = GetGameRequest { game_id: game_id.clone() };
        if games.get_game(request).await.is_ok() {
            answers.fetch_add(1, Ordering::SeqCst);
        } else {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The most that a turn was charged beyond its player's thought.
async fn play(pairing: &Pairing) -> Duration {
    let (env, mut charged) = (Env::system(), Duration::ZERO);
    let mut before: Option<(GameEvent, time::OffsetDateTime)> = None;
    for ply in 0..PLIES {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let sent = env.now();
        let number = u32::try_from(ply).expect("a few");
        let player = &pairing.players[ply % 2];
        let policy = RetryPolicy(Duration::from_secs(30));
        let event = player.play(&pairing.game_id, &point(ply), number, policy).await.expect("it is taken");
        if let Some((last, told)) = &before
            && let (Some(had), Some(has)) = (time_left(last, ply % 2), time_left(&event, ply % 2))
        {
            let thought = Duration::try_from(sent - *told).unwrap_or_default();
            charged = charged.max(had.saturating_sub(has).saturating_sub(thought));
        }
        before = Some((event, env.now()));
    }
    charged
}

/// Outages that were credited in a game.
async fn outages(platform: &Platform, game_id: &str) -> usize {
    let mut games = GameServiceClient::new(platform.transport());
    let request = GetGameRequest { game_id: game_id.to_owned() };
    let stands = games.get_game(request).await.expect("shown").into_inner().game.expect("a game");
    let last = stands.state.expect("a state").sequence;
    let request = WatchRequest { game_id: game_id.to_owned(), after_sequence: Some(0), after_end: false };
    let mut stream = games.watch(request).await.expect("watched").into_inner();
    let mut outages = 0;
    while let Some(answer) = stream.message().await.expect("the stream goes on") {
        let Some(Step::Event(event)) = answer.step else { continue };
        outages += usize::from(matches!(event.event, Some(Event::OutageCredited(_))));
        if event.sequence == last {
            break;
        }
    }
    outages
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_who_read_a_long_game_without_end_cost_no_player_his_time() {
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("it starts");
    let (long, pairing) = (imported(&platform).await, pairing(&platform).await);
    let (finish, answers) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            let (finish, answers) = (Arc::clone(&finish), Arc::clone(&answers));
            tokio::spawn(read(platform.url.clone(), long.clone(), finish, answers))
        })
        .collect();
    let charged = play(&pairing).await;
    finish.store(true, Ordering::SeqCst);
    for reader in readers {
        reader.await.expect("no reader panics");
    }
    assert!(answers.load(Ordering::SeqCst) > 0, "strangers are answered, too\n{}", platform.logs());
    assert!(charged <= CHARGED_MAX, "a turn was charged {charged:?} too much\n{}", platform.logs());
    assert_eq!(outages(&platform, &pairing.game_id).await, 0, "{}", platform.logs());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn streams_that_nobody_reads_hold_no_log_each() {
    let resident_kib = |platform: &Platform| -> i64 {
        let of = |id: &u32| {
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("it has memory");
            line.split_whitespace().nth(1).and_then(|number| number.parse::<i64>().ok()).expect("a number")
        };
        platform.process_ids().iter().map(of).sum()
    };
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("it starts");
    let long = imported(&platform).await;
    let before = resident_kib(&platform);
    let mut open = Vec::new();
    for _ in 0..STALLED {
        let transport = connect(&platform.url).expect("the address is well formed");
        let request = WatchRequest { game_id: long.clone(), after_sequence: Some(0), after_end: false };
        open.push(GameServiceClient::new(transport).watch(request).await.expect("it is watched"));
    }
    let mut most = before;
    for _ in 0..40 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        most = most.max(resident_kib(&platform));
    }
    assert!(most - before < STALLED_KIB_MAX, "{before} KiB became {most} KiB\n{}", platform.logs());
}
