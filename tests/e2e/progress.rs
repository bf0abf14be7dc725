//! The progress of a game between players, through the real processes: taking back, resting, a gift of time, the
//! end, another game; and the clocks of it all, computed anew by the command.

use std::time::Duration;

use api::{
    client::{GameUpdate, RetryPolicy},
    game::v1::{
        GetGameRequest,
        game_event::Event,
        proposal::{Pause, Proposal, Rematch, Resume, Undo},
    },
};
use tests::{Bot, Pairing, Platform, ask, bots, command, game_settings, opposite_shapes, pair_up};

const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(30));

#[tokio::test(flavor = "multi_thread")]
async fn players_agree_on_what_they_like() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let players = bots(&transport, 2).await.expect("both sign in");
        let settings = game_settings("go", &[("size", "9")], "5m+3x10s", false);
        let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
        let id = pairing.game_id.clone();
        play(&pairing, 0, &["C3", "G7", "C7"]).await;
        both(&pairing, 0, Proposal::Undo(Undo { ply: 2 })).await;
        let game = ask(&transport, &id).await.expect("the game can be read");
        assert_eq!(game.board.expect("a board").stones.len(), 2);
        play(&pairing, 2, &["E5"]).await;
        both(&pairing, 1, Proposal::Pause(Pause {})).await;
        let refused = pairing.players[1].play(&id, "G3", 3, RETRY).await.expect_err("nobody plays now");
        assert_eq!(api::error::reason(&refused), "NOT_IN_PLAY");
        both(&pairing, 0, Proposal::Resume(Resume {})).await;
        pairing.players[0].give_time(&id, Duration::from_secs(15), RETRY).await.expect("a gift is taken");
        play(&pairing, 3, &["G3"]).await;
        pairing.players[0].resign(&id, RETRY).await.expect("a player may resign");
        let next = both(&pairing, 1, Proposal::Rematch(Rematch {})).await;
        let next = next.expect("the next game has an id");
        let info = made(&pairing.players[0], &next).await.info.expect("a game says what it is");
        let second = info.second.expect("a seat");
        assert_eq!(second.account_id, pairing.players[0].account().id, "the sides have changed");

        let output = command(["clocks", &id, "--server", &platform.url]).await.expect("the command runs");
        assert!(output.status.success(), "{output:?}\n{}", platform.logs());
        let told = String::from_utf8_lossy(&output.stdout);
        for word in
            ["start of the first side", "pause (PAUSE_REASON_PLAYERS)", "correction for the second side"]
        {
            assert!(told.contains(word), "{word} is missing in\n{told}");
        }
        assert!(told.contains("each follows from those before it"), "{told}");
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}

/// Both propose the same, `first` first; the next game, if they agree on one.
async fn both(pairing: &Pairing, first: usize, wish: Proposal) -> Option<String> {
    let id = &pairing.game_id;
    pairing.players[first].propose(id, wish, RETRY).await.expect("it can be proposed");
    let event = pairing.players[1 - first].propose(id, wish, RETRY).await.expect("it can be agreed to");
    assert!(matches!(event.event, Some(Event::Agreed(_))), "{event:?}");
    let progress = event.state.and_then(|state| state.progress).expect("a state has progress");
    Some(progress.rematch_id).filter(|id| !id.is_empty())
}

async fn play(pairing: &Pairing, from: u32, acts: &[&str]) {
    for (ply, act) in (from..).zip(acts) {
        let player = &pairing.players[ply as usize % 2];
        player.play(&pairing.game_id, act, ply, RETRY).await.expect("a legal act is accepted");
    }
}

/// A game that is about to be made: it is agreed on first.
async fn made(player: &Bot, id: &str) -> api::game::v1::Game {
    let asking = async {
        loop {
            let request = GetGameRequest { game_id: id.to_owned() };
            match player.games().get_game(request).await {
                Ok(answer) => break answer.into_inner().game.expect("the answer has a game"),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    };
    let game = tokio::time::timeout(Duration::from_secs(30), asking).await.expect("the game is made");
    let mut watched = player.watch(id);
    assert!(matches!(watched.next().await, Ok(Some(GameUpdate::Snapshot(_)))), "it can be watched");
    game
}
