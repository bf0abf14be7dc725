//! More to do than can be done: whoever only looks is told to wait, and whoever plays is not.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use api::{
    error::reason,
    game::v1::{ListGamesRequest, game_service_client::GameServiceClient},
    transport::Transport,
};
use tests::{Platform, Shape, Store, game_settings, guest, pair_up};
use tokio::time::Instant;
use tonic::Code;
use tonic_types::StatusExt as _;

/// Strangers who ask for lists of games without end.
const STRANGERS: usize = 600;
/// Acts that are played meanwhile.
const ACTS: u32 = 40;
/// An act takes some milliseconds on an idle machine, and this one is made busy.
const ACT_WITHIN: Duration = Duration::from_secs(10);

/// What strangers were told.
#[derive(Default)]
struct Told {
    answered: AtomicU32,
    refused: AtomicU32,
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_who_look_without_end_are_refused_and_no_act_is() {
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("it starts");
    let transport = platform.transport();
    let players = vec![guest(&transport).await.expect("in"), guest(&transport).await.expect("in")];
    let settings = game_settings("go", &[("size", "9")], "1h", false);
    let pairing = pair_up(players, &settings).await.expect("a game").remove(0);
    let (told, finish) = (Arc::new(Told::default()), Arc::new(AtomicBool::new(false)));
    let crowds: Vec<Transport> = (0..8).map(|_| platform.transport()).collect();
    let strangers: Vec<_> = (0..STRANGERS)
        .map(|number| {
            let transport = crowds[number % crowds.len()].clone();
            tokio::spawn(look(transport, Arc::clone(&told), Arc::clone(&finish)))
        })
        .collect();
    // Only once the strangers have come, what is played shows anything.
    while told.answered.load(Ordering::SeqCst) + told.refused.load(Ordering::SeqCst) < 300 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut longest = Duration::ZERO;
    for ply in 0..ACTS {
        let player = &pairing.players[ply as usize % 2];
        let act = format!("{}{}", char::from(b"ABCDEFGH"[ply as usize % 8]), ply / 8 + 1);
        let request = api::game::v1::PlayRequest {
            game_id: pairing.game_id.clone(),
            act,
            ply,
            request_id: player.new_id(),
            lag_duration: None,
        };
        let began = Instant::now();
        let answer = player.games().play(request).await;
        longest = longest.max(began.elapsed());
        assert!(answer.is_ok(), "{answer:?}\n{}", platform.logs());
    }
    finish.store(true, Ordering::SeqCst);
    for stranger in strangers {
        stranger.await.expect("it is told what it may expect");
    }
    assert!(longest < ACT_WITHIN, "an act took {longest:?}");
    assert!(told.answered.load(Ordering::SeqCst) > 0, "some are answered");
    assert!(told.refused.load(Ordering::SeqCst) > 0, "others are told to wait");
    let logs = platform.logs();
    assert!(logs.contains("calls of Strangers find no place") && logs.contains("127.0.0.1"), "{logs}");
    assert!(logs.contains("a caller is limited"), "{logs}");
}

async fn look(transport: Transport, told: Arc<Told>, finish: Arc<AtomicBool>) {
    let mut games = GameServiceClient::new(transport);
    while !finish.load(Ordering::SeqCst) {
        match games.list_games(ListGamesRequest { page_size: 200, ..Default::default() }).await {
            Ok(_) => told.answered.fetch_add(1, Ordering::SeqCst),
            Err(status) => {
                assert_eq!(
                    (status.code(), reason(&status).as_str()),
                    (Code::ResourceExhausted, "OVERLOADED")
                );
                let wait = status.get_details_retry_info().and_then(|info| info.retry_delay);
                tokio::time::sleep(wait.expect("it says when to come again") / 10).await;
                told.refused.fetch_add(1, Ordering::SeqCst)
            }
        };
    }
}
