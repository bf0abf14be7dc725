//! Maintenance, as an operator plans it beside running processes: games rest, nobody is given another, and all goes on when it is
//! called off.

use std::time::Duration;

use api::{
    client::RetryPolicy,
    clock::v1::{GetTimeRequest, Maintenance, PauseReason, clock_service_client::ClockServiceClient},
};
use serde_json::Value;
use tests::{Platform, ask, bots, command, game_settings, pair_up, shapes};

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
    for (shape, store) in shapes() {
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
