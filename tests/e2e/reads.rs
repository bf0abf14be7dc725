//! Those who only look, many and greedy, beside those who play: nobody's clock feels it, and no memory stays taken.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use api::{
    client::Patience,
    game::v1::{
        ExportRecordRequest, GetGameRequest, ImportRecordRequest, ListGamesRequest, WatchRequest,
        game_event::Event, game_service_client::GameServiceClient,
    },
    transport::Transport,
};
use futures::future::join_all;
use tests::{Pairing, Platform, Shape, Store, ask, bot, bots, game_settings, pair_up};
use tokio::time::Instant;

use crate::long::long_record;

/// Moves of the long game: as many as fit in a record of 59 kB.
const MOVES: usize = 9990;
/// Loops of reads.
const READERS: usize = 24;
/// Games that go on meanwhile.
const GAMES: usize = 8;
/// Moves of each in a run.
const ROUNDS: usize = 30;
/// Time between two of them.
const PACE: Duration = Duration::from_millis(200);
const PATIENCE: Patience = Patience(Duration::from_mins(1));
const MAIN: Duration = Duration::from_mins(10);

/// The most that a side may be charged beyond what it took, in a run of [`ROUNDS`]: what the way of a move takes on a
/// machine that has as much to do as it can.
const CHARGED_MAX: Duration = Duration::from_secs(2);

async fn long_game(platform: &Platform) -> String {
    let owner = bot(&platform.transport()).await.expect("the owner signs in");
    let request = ImportRecordRequest {
        variant: "go".to_owned(),
        text: long_record(MOVES),
        request_id: chassis::Ambient::system().uuid().to_string(),
    };
    let answer = owner.games().import_record(request).await.expect("imported").into_inner();
    answer.game.and_then(|game| game.info).expect("a game").id
}

fn games(transport: &Transport) -> GameServiceClient<Transport> {
    GameServiceClient::new(transport.clone()).max_decoding_message_size(64 << 20)
}

/// Reads what is dear, again and again; how often it was answered.
async fn read_on(
    platform: &Platform,
    id: &str,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    kind: usize,
) {
    let transport = platform.transport();
    while !stop.load(Ordering::SeqCst) {
        let game_id = id.to_owned();
        let answer = match kind % 8 {
            6 => games(&transport)
                .list_games(ListGamesRequest { page_size: 200, ..ListGamesRequest::default() })
                .await
                .map(drop),
            7 => games(&transport).export_record(ExportRecordRequest { game_id }).await.map(drop),
            _ => games(&transport).get_game(GetGameRequest { game_id }).await.map(drop),
        };
        match answer {
            Ok(()) => drop(answered.fetch_add(1, Ordering::SeqCst)),
            // Turned away: whoever insists comes again.
            Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

/// A run of moves at a pace: how long each took, and how long each side thought.
async fn play(pairing: &Pairing, from: usize) -> (Vec<Duration>, [Duration; 2]) {
    const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRST";
    let (mut took, mut thought) = (Vec::with_capacity(ROUNDS), [Duration::ZERO; 2]);
    for ply in from..from + ROUNDS {
        let thinking = Instant::now();
        tokio::time::sleep(PACE).await;
        thought[ply % 2] += thinking.elapsed();
        // Every other row is left empty, so that no stone is ever without liberty.
        let act = format!("{}{}", char::from(LETTERS[ply % 19]), 2 * (ply / 19) + 1);
        let sent = Instant::now();
        let number = u32::try_from(ply).expect("few");
        pairing.players[ply % 2].play(&pairing.game_id, &act, number, PATIENCE).await.expect("accepted");
        took.push(sent.elapsed());
    }
    (took, thought)
}

fn percentile_95(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    took[took.len() * 95 / 100]
}

/// What each side has been charged so far.
async fn charged(transport: &Transport, id: &str) -> [Duration; 2] {
    let state = ask(transport, id).await.expect("read").state.expect("a state");
    let clock = state.clock.expect("a clock");
    [clock.first, clock.second].map(|side| {
        let left = side.and_then(|side| side.main_duration).as_ref().and_then(api::time::span);
        MAIN.saturating_sub(left.expect("time is left"))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_reads_charges_nobody_and_credits_nobody() {
    let mut stores = vec![Store::Embedded];
    if std::env::var("SHOUTAN_TEST_POSTGRES").is_ok() && std::env::var("SHOUTAN_TEST_REDIS").is_ok() {
        stores.push(Store::Servers);
    }
    for store in stores {
        let platform = Platform::start(Shape::One, store).await.expect("the platform starts");
        let transport = platform.transport();
        let id = long_game(&platform).await;
        let players = bots(&transport, 2 * GAMES).await.expect("everybody signs in");
        let settings = game_settings("go", &[], "10m", false);
        let pairings = pair_up(players, &settings).await.expect("everybody is matched");

        let calm = join_all(pairings.iter().map(|pairing| play(pairing, 0))).await;
        let control = percentile_95(calm.into_iter().flat_map(|(took, _)| took).collect());
        let before = join_all(pairings.iter().map(|pairing| charged(&transport, &pairing.game_id))).await;

        let (stop, answered) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let flood = join_all(
            (0..READERS).map(|kind| read_on(&platform, &id, Arc::clone(&stop), Arc::clone(&answered), kind)),
        );
        let run = async {
            let runs = join_all(pairings.iter().map(|pairing| play(pairing, ROUNDS))).await;
            stop.store(true, Ordering::SeqCst);
            runs
        };
        let (_, runs) = tokio::join!(flood, run);
        assert!(answered.load(Ordering::SeqCst) > 0, "somebody was answered");
        let flooded = percentile_95(runs.iter().flat_map(|(took, _)| took.clone()).collect());
        assert!(
            flooded < 10 * control + Duration::from_millis(250),
            "{store:?}: a move takes {flooded:?}, and {control:?} when nobody reads"
        );
        for ((pairing, before), (_, thought)) in pairings.iter().zip(before).zip(&runs) {
            let after = charged(&transport, &pairing.game_id).await;
            for side in 0..2 {
                let extra = after[side].saturating_sub(before[side]).saturating_sub(thought[side]);
                assert!(extra < CHARGED_MAX, "{store:?}: {extra:?} more than the player took");
            }
            let request =
                WatchRequest { game_id: pairing.game_id.clone(), after_sequence: Some(0), after_end: false };
            let mut stream = games(&transport).watch(request).await.expect("watched").into_inner();
            for _ in 0..=2 * ROUNDS {
                let told = stream.message().await.expect("read").and_then(|message| message.step);
                if let Some(api::game::v1::watch_response::Step::Event(event)) = told {
                    let credited = matches!(event.event, Some(Event::OutageCredited(_)));
                    assert!(!credited, "{store:?}: an outage that was none\n{}", platform.logs());
                }
            }
        }
    }
}

/// The resident memory of a platform of one process, in bytes.
fn resident(platform: &Platform) -> u64 {
    let [id] = platform.process_ids()[..] else { panic!("one process") };
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has memory");
    let kib = line.trim().trim_end_matches("kB").trim().parse::<u64>().expect("a number");
    kib << 10
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_who_do_not_read_take_no_memory() {
    const STALLED: u64 = 60;
    /// What is on its way to each: a page, and what the network's windows hold.
    const EACH: u64 = 768 << 10;
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("the platform starts");
    let id = long_game(&platform).await;
    let transport = platform.transport();
    let before = resident(&platform);
    let mut stalled = Vec::new();
    for _ in 0..STALLED {
        let request = WatchRequest { game_id: id.clone(), after_sequence: Some(0), after_end: false };
        let mut stream = games(&transport).watch(request).await.expect("watched").into_inner();
        stream.message().await.expect("read").expect("an event");
        stalled.push(stream);
    }
    let grown = resident(&platform).saturating_sub(before);
    assert!(grown < STALLED * EACH, "{} KiB for each", (grown >> 10) / STALLED);
    // They can go on when they like.
    let mut last = stalled.pop().expect("one of them");
    let mut events = 1;
    while last.message().await.expect("read").is_some() {
        events += 1;
    }
    assert_eq!(events, MOVES + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_is_given_back_when_a_burst_is_over() {
    const BURST: usize = 96;
    /// What caches and pools may keep of it.
    const KEPT: u64 = 48 << 20;
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("the platform starts");
    let id = long_game(&platform).await;
    let transports: Vec<Transport> = (0..BURST / 4).map(|_| platform.transport()).collect();
    let get = |transport: &Transport| {
        let (mut games, game_id) = (games(transport), id.clone());
        async move { games.get_game(GetGameRequest { game_id }).await.expect("read") }
    };
    get(&transports[0]).await;
    let before = resident(&platform);
    let mut most = before;
    for _ in 0..4 {
        let burst = join_all(transports.iter().cycle().take(BURST).map(get));
        tokio::pin!(burst);
        loop {
            tokio::select! {
                biased;
                _ = &mut burst => break,
                () = tokio::time::sleep(Duration::from_millis(10)) => most = most.max(resident(&platform)),
            }
        }
    }
    drop(transports);
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut after = resident(&platform);
    while after > before + KEPT && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(500)).await;
        after = resident(&platform);
    }
    let mib = |bytes: u64| bytes >> 20;
    assert!(after <= before + KEPT, "{} MiB, at most {}, then {}", mib(before), mib(most), mib(after));
}
