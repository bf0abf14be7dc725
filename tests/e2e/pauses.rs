//! Who spoils a game that the queue has made does not queue for a while: through the real processes, whatever dies meanwhile.

use std::time::Duration;

use api::{
    client::{RetryPolicy, with_retry},
    error::reason,
    game::v1::AbortRequest,
    matchmaking::v1::{
        Conduct, ListPausesRequest, Pause, matchmaking_service_client::MatchmakingServiceClient,
    },
};
use serde_json::{Value, json};
use tests::{Bot, Platform, RETRY, Shape, bot, game_settings, held::Person, opposite_shapes, pair_up};
use time::Duration as Span;

/// How long the end of a game may take to be known to the queue.
const SOON: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn who_aborts_does_not_queue_for_a_while_though_everything_dies() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let person = Person::new(&transport).await;
        let [harmed, other] = [bot(&transport).await.expect("in"), bot(&transport).await.expect("in")];
        let spoiler = person.player.clone();
        let settings = game_settings("go", &[("size", "9")], "10m", true);
        let both = vec![harmed.clone(), spoiler.clone()];
        let id = pair_up(both, &settings).await.expect("both are matched").remove(0).game_id;
        let request = AbortRequest { game_id: id.clone(), request_id: spoiler.new_id() };
        let abort = || async { spoiler.games().abort(request.clone()).await };
        with_retry(RETRY, abort).await.expect("nobody has moved yet");
        // It is acknowledged, and nothing of it has to be known anywhere else.
        for service in if shape == Shape::One { vec!["platform"] } else { vec!["game", "matchmaking"] } {
            platform.kill(service).await.expect("it can be killed");
            platform.restart(service).await.expect("it comes up again");
        }
        let paused = async {
            loop {
                match pauses(&spoiler).await.pop() {
                    Some(pause) => return pause,
                    None => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        };
        let pause = tokio::time::timeout(SOON, paused).await;
        let pause = pause.unwrap_or_else(|_| panic!("{shape:?} {store:?}: no pause\n{}", platform.logs()));
        assert_eq!((&pause.game_id, pause.conduct()), (&id, Conduct::Aborted));
        let moment = |time: Option<_>| api::time::moment(time.as_ref().expect("a time")).expect("a moment");
        assert_eq!(moment(pause.end_time) - moment(pause.begin_time), Span::minutes(10));
        let refused = spoiler.find_game(settings.clone(), |_| ()).await.expect_err("he does not queue now");
        assert_eq!(reason(&refused), "QUEUE_PAUSED", "{refused}");
        assert!(refused.message().contains("you aborted it"), "{refused}");
        assert_eq!(pauses(&spoiler).await.len(), 1, "that was all");
        let listed = person.runs(&platform, &["account", "pauses", "--json"]).await;
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        let listed: Value = serde_json::from_slice(&listed.stdout).expect("it is JSON");
        assert_eq!(
            (&listed[0]["because"], &listed[0]["game"], &listed[1]),
            (&json!("aborted"), &json!(id), &json!(null))
        );
        // Whoever was harmed goes on.
        assert_eq!(pauses(&harmed).await, []);
        pair_up(vec![harmed, other], &settings).await.expect("they are matched");
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}

async fn pauses(player: &Bot) -> Vec<Pause> {
    let queue = MatchmakingServiceClient::new(player.transport());
    let call = || async { queue.clone().list_pauses(ListPausesRequest::default()).await };
    with_retry(RetryPolicy(SOON), call).await.expect("they are listed").pauses
}
