//! A moderator, whom the operator makes, by the command: he has an account pause, annuls a game and reads what was done.

use std::process::Output;

use api::{
    clock::v1::SpeedClass,
    rating::v1::{GetRatingRequest, rating_service_client::RatingServiceClient},
};
use serde_json::{Value, json};
use tests::{
    Bot, Platform, RETRY, bot, call, command, game_settings,
    held::{Person, until},
    opposite_shapes, pair_up,
};

/// How many games of 9x9 somebody's rating rests on.
async fn games(player: &Bot) -> u32 {
    let client = RatingServiceClient::new(player.transport());
    let request = GetRatingRequest {
        account_id: player.account().id.clone(),
        variant: "go-9".to_owned(),
        speed_class: SpeedClass::Rapid.into(),
        without_standing: true,
    };
    call!(client, get_rating, request).expect("a rating").rating.expect("present").games
}

fn printed(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

fn refusal(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moderator_pauses_and_annuls_and_everything_is_written_down() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let judge = Person::new(&transport).await;
        let players = vec![bot(&transport).await.expect("in"), bot(&transport).await.expect("in")];
        let pairing =
            pair_up(players, &game_settings("go", &[("size", "9")], "10m", true)).await.expect("matched");
        let [loser, winner] = &pairing[0].players[..] else { panic!("two players") };
        let id = &pairing[0].game_id;
        for (ply, act) in ["C3", "G7", "G3", "C7"].into_iter().enumerate() {
            let ply = u32::try_from(ply).expect("few");
            let player = if ply % 2 == 0 { loser } else { winner };
            player.play(id, act, ply, RETRY).await.expect("played");
        }
        loser.resign(id, RETRY).await.expect("resigned");
        until("the game is rated", async || (games(loser).await == 1).then_some(())).await;

        // He is nobody yet.
        let annul = ["moderate", "annul", id, "--because", "given away", "--json"];
        assert!(refusal(&judge.runs(&platform, &annul).await).contains("only moderators"));
        let is_of_data = |option: &String| !option.starts_with("--live");
        let place: Vec<String> = platform.place().into_iter().filter(is_of_data).collect();
        let name = judge.player.account().name.clone();
        let words = ["roles", "grant", &name, "moderator", "--platform"].map(str::to_owned);
        let granted = command(words.iter().chain(&place)).await.expect("it runs");
        assert!(String::from_utf8_lossy(&granted.stdout).contains("moderator@platform"), "{granted:?}");

        // He signs in with each command.
        assert_eq!(printed(&judge.runs(&platform, &annul).await), json!({"annulled": 1}));
        assert_eq!((games(loser).await, games(winner).await), (0, 0), "{shape:?} {store:?}");
        assert_eq!(printed(&judge.runs(&platform, &annul).await), json!({"annulled": 0}));
        let reinstate = ["moderate", "reinstate", id, "--because", "it was not", "--json"];
        assert_eq!(printed(&judge.runs(&platform, &reinstate).await), json!({"reinstated": 1}));
        assert_eq!((games(loser).await, games(winner).await), (1, 1), "{shape:?} {store:?}");
        let reports = judge.runs(&platform, &["moderate", "reports", "--json"]).await;
        assert_eq!(printed(&reports), json!([]), "one game says nothing");

        let loser_name = loser.account().name.clone();
        let pause =
            ["moderate", "pause", &loser_name, "--days", "3", "--because", "he sells games", "--json"];
        let paused = printed(&judge.runs(&platform, &pause).await);
        assert_eq!((&paused["because"], &paused["reason"]), (&json!("moderated"), &json!("he sells games")));
        let settings = game_settings("go", &[("size", "9")], "10m", true);
        let refused = loser.find_game(settings, |_| ()).await.expect_err("he pauses");
        assert_eq!(api::error::reason(&refused), "QUEUE_PAUSED", "{refused}");
        assert!(refused.message().contains("he sells games"), "{refused}");
        let resume = ["moderate", "resume", &loser_name, "--because", "he does not", "--json"];
        let resumed = printed(&judge.runs(&platform, &resume).await);
        assert_eq!(resumed["ended"], json!(1));
        let listed = judge.runs(&platform, &["moderate", "pauses", &loser_name, "--json"]).await;
        assert_eq!(printed(&listed)[0]["reason"], json!("he sells games"));

        let log = printed(&judge.runs(&platform, &["moderate", "log", "--json"]).await);
        let acts: Vec<(&str, &str)> = log
            .as_array()
            .expect("a list")
            .iter()
            .map(|act| (act["did"].as_str().expect("text"), act["because"].as_str().expect("text")))
            .collect();
        assert_eq!(
            acts,
            [
                ("pauses_ended", "he does not"),
                ("account_paused", "he sells games"),
                ("game_reinstated", "it was not"),
                ("game_annulled", "given away"),
            ]
        );
        assert!(log.as_array().expect("a list").iter().all(|act| act["moderator"] == json!(name)));
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}
