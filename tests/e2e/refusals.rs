//! Calls that must be refused: each with its own stable reason, and none of them changes anything.

use api::{
    client::{RetryPolicy, with_retry},
    error::reason,
    game::v1::{
        AbortRequest, AcceptDrawRequest, DeclineDrawRequest, PlayRequest, PlayResponse, ResignRequest,
        game_service_client::GameServiceClient,
    },
    identity::v1::{
        CreateAccessTokenRequest, ExchangeAccessTokenRequest, identity_service_client::IdentityServiceClient,
    },
    transport::{Transport, with_bearer},
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use tests::{Bot, Pairing, Platform, ask, bots, game_settings, guest, pair_up, shapes};
use tonic::{Response, Status};

/// Bad calls in a test.
const CALLS: usize = 300;

/// A running game, its players and a stranger.
struct Scene {
    plain: Transport,
    pairing: Pairing,
    stranger: Bot,
    /// A transport with a token that may not play.
    reader: Transport,
    /// Requests that were accepted, with their act and ply, in order.
    accepted: Vec<PlayRequest>,
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_calls_have_reasons_and_change_nothing() {
    for (shape, store) in shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let scene = scene(&platform).await;
        let mut rng = StdRng::seed_from_u64(2026);
        let before = ask(&scene.plain, &scene.pairing.game_id).await.expect("the game can be read");
        for number in 0..CALLS {
            let (what, expected, answer) = bad_call(&scene, &mut rng, number).await;
            let status = answer.expect_err(what);
            assert_eq!(reason(&status), expected, "{shape:?} {store:?} {what}: {status:?}");
            let after = ask(&scene.plain, &scene.pairing.game_id).await.expect("the game can be read");
            assert_eq!(before, after, "{shape:?} {store:?} {what} changed the game");
        }
        repeated_calls_get_the_same_answer(&scene).await;
        let after = ask(&scene.plain, &scene.pairing.game_id).await.expect("the game can be read");
        assert_eq!(before, after, "{shape:?} {store:?}: a repeated call changed the game");
    }
}

async fn scene(platform: &Platform) -> Scene {
    let plain = platform.transport();
    let players = bots(&plain, 2).await.expect("both sign in");
    let settings = game_settings("go", &[("size", "9")], "1h", true);
    let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
    let mut accepted = Vec::new();
    for (ply, act) in (0..).zip(["C3", "G7", "C7", "G3", "E5"]) {
        let player = &pairing.players[ply as usize % 2];
        let request = PlayRequest {
            game_id: pairing.game_id.clone(),
            act: act.to_owned(),
            ply,
            request_id: player.new_id(),
            lag_duration: None,
        };
        player.games().play(request.clone()).await.expect("a legal act is accepted");
        accepted.push(request);
    }
    let reader = token_without_play(&plain, &pairing.players[1]).await;
    Scene { stranger: guest(&plain).await.expect("a guest signs in"), plain, pairing, reader, accepted }
}

/// A transport with a token of this player that may queue but not play.
async fn token_without_play(plain: &Transport, player: &Bot) -> Transport {
    let request = CreateAccessTokenRequest {
        label: "reader".to_owned(),
        scopes: vec!["queue".to_owned()],
        lifetime_duration: None,
        request_id: player.new_id(),
    };
    // Whoever has just started may not have the keys of tokens yet, and says when to come again.
    let identity = IdentityServiceClient::new(player.transport());
    let create = || async { identity.clone().create_access_token(request.clone()).await };
    let secret = with_retry(RetryPolicy::default(), create).await.expect("a token is made").secret;
    let request = ExchangeAccessTokenRequest { secret };
    let exchange = || async { identity.clone().exchange_access_token(request.clone()).await };
    let token =
        with_retry(RetryPolicy::default(), exchange).await.expect("a token is exchanged").access_token;
    with_bearer(plain.clone(), move || Some(token.clone()))
}

/// Makes one of the calls that must be refused. It is the second side's turn, at ply 5.
async fn bad_call(
    scene: &Scene,
    rng: &mut StdRng,
    number: usize,
) -> (&'static str, &'static str, Result<(), Status>) {
    let [first, second] = &scene.pairing.players;
    let id = scene.pairing.game_id.clone();
    let taken = ["C3", "G7", "C7", "G3", "E5"][rng.random_range(0..5)];
    let free = ["A1", "B8", "J9", "D4", "pass"][rng.random_range(0..5)];
    let play = |act: &str, ply: u32| PlayRequest {
        game_id: id.clone(),
        act: act.to_owned(),
        ply,
        request_id: second.new_id(),
        lag_duration: None,
    };
    let call = async |transport: Transport, request: PlayRequest| {
        GameServiceClient::new(transport).play(request).await
    };
    match number % 16 {
        0 => ("an occupied point", "OCCUPIED", done(call(second.transport(), play(taken, 5)).await)),
        1 => ("out of turn", "NOT_YOUR_TURN", done(call(first.transport(), play(free, 5)).await)),
        2 => {
            let stale = [0, 1, 4, 6, u32::MAX][rng.random_range(0..5)];
            ("a stale ply", "STALE_PLY", done(call(second.transport(), play(free, stale)).await))
        }
        3 => {
            let long = "A1,".repeat(rng.random_range(1400..20_000));
            ("a long act", "ACT_TOO_LONG", done(call(second.transport(), play(&long, 5)).await))
        }
        4 => {
            let huge = "x".repeat(rng.random_range(1_200_000..2_000_000));
            ("a huge message", "MESSAGE_TOO_LARGE", done(call(second.transport(), play(&huge, 5)).await))
        }
        5 => ("no token", "TOKEN_MISSING", done(call(scene.plain.clone(), play(free, 5)).await)),
        6 => {
            let forged = format!("eyJhbGciOiJub25lIn0.{}.", rng.random_range(0..u32::MAX));
            let transport = with_bearer(scene.plain.clone(), move || Some(forged.clone()));
            ("a forged token", "TOKEN_INVALID", done(call(transport, play(free, 5)).await))
        }
        7 => ("no seat", "NOT_A_PLAYER", done(call(scene.stranger.transport(), play(free, 5)).await)),
        8 => {
            let request = PlayRequest { game_id: second.new_id(), ..play(free, 5) };
            ("an unknown game", "UNKNOWN_GAME", done(call(second.transport(), request).await))
        }
        9 => {
            let game_id = ["", "x", "00000000-0000-0000-0000-000000000000"][rng.random_range(0..3)];
            let request = PlayRequest { game_id: game_id.to_owned(), ..play(free, 5) };
            ("a malformed id", "BAD_ID", done(call(second.transport(), request).await))
        }
        10 => {
            let act = ["Z99", "", "♟", "A0", "I5", "resign now", "\0"][rng.random_range(0..7)];
            let answer = call(second.transport(), play(act, 5)).await;
            let reason = answer.as_ref().err().map(reason).unwrap_or_default();
            let expected = if reason == "OFF_BOARD" { "OFF_BOARD" } else { "BAD_NOTATION" };
            ("no act at all", expected, done(answer))
        }
        11 => {
            let used = &scene.accepted[rng.random_range(0..scene.accepted.len())].request_id;
            let request = PlayRequest { request_id: used.clone(), ..play(taken, 5) };
            ("another's request id", "REQUEST_ID_REUSED", done(call(second.transport(), request).await))
        }
        12 => {
            let request = AbortRequest { game_id: id, request_id: second.new_id() };
            ("a late abort", "TOO_LATE_TO_ABORT", done(second.games().abort(request).await))
        }
        13 => {
            let request = AcceptDrawRequest { game_id: id, request_id: second.new_id() };
            ("no draw to accept", "NO_OFFER", done(second.games().accept_draw(request).await))
        }
        14 => {
            let request = DeclineDrawRequest { game_id: id, request_id: first.new_id() };
            ("no draw to decline", "NO_OFFER", done(first.games().decline_draw(request).await))
        }
        _ => {
            let request = ResignRequest { game_id: id, request_id: second.new_id() };
            let answer = GameServiceClient::new(scene.reader.clone()).resign(request).await;
            ("a token without the scope", "SCOPE_MISSING", done(answer))
        }
    }
}

fn done<T>(answer: Result<Response<T>, Status>) -> Result<(), Status> {
    answer.map(drop)
}

async fn repeated_calls_get_the_same_answer(scene: &Scene) {
    for (index, request) in scene.accepted.iter().enumerate() {
        let player = &scene.pairing.players[index % 2];
        let answers: Vec<PlayResponse> = vec![
            player.games().play(request.clone()).await.expect("a repetition is answered").into_inner(),
            player.games().play(request.clone()).await.expect("a repetition is answered").into_inner(),
        ];
        assert_eq!(answers[0], answers[1]);
        let event = answers[0].event.as_ref().expect("the answer has the event");
        assert_eq!(event.state.as_ref().map(|state| state.ply), Some(request.ply + 1));
    }
    // The second side's turn has not passed: its next act is still accepted, and only once.
    let policy = RetryPolicy::default();
    let wrong_ply = scene.pairing.players[1].play(&scene.pairing.game_id, "A1", 4, policy).await;
    assert_eq!(wrong_ply.err().map(|status| reason(&status)).as_deref(), Some("STALE_PLY"));
}
