//! Games that people ask each other for, from the terminal: through the real processes, whatever dies meanwhile.

use std::time::Duration;

use api::{
    client::with_retry,
    error::reason,
    game::v1::{GameInfo, GetGameRequest, game_service_client::GameServiceClient},
};
use serde_json::{Value, json};
use tests::{Platform, RETRY, Shape, held::Person, shapes};
use time::format_description::well_known::Rfc3339;
use tokio::sync::mpsc;

#[tokio::test(flavor = "multi_thread")]
async fn a_link_becomes_a_game_though_everything_dies_and_blocks_hold() {
    let shapes = shapes();
    for (number, &(shape, store)) in (1..).zip(&shapes) {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let [one, other, third] =
            [Person::new(&transport).await, Person::new(&transport).await, Person::new(&transport).await];
        let game = ["--variant", "jiu", "--control", "20m", "--side", "second", "--json"];
        // It takes more than a minute, and is seen in the largest shape alone.
        let arranged =
            if number == shapes.len() { Some(arrange(&platform, &third, &other).await) } else { None };
        let link = run(&platform, &one, &[&["challenge", "link"][..], &game].concat()).await;
        let link = link["link"].as_str().expect("a link").to_owned();
        let shown = run(&platform, &other, &["challenge", "show", &link, "--json"]).await;
        assert_eq!(
            (&shown["state"], &shown["kind"]),
            (&json!("open"), &json!("link")),
            "{shape:?} {store:?}"
        );
        let accepted = run(&platform, &other, &["challenge", "accept", &link, "--json"]).await;
        assert_eq!(accepted["side"], json!("first"), "{shape:?} {store:?}: the one has chosen");
        // It is acknowledged, and has its game whatever is left of it anywhere.
        for service in if shape == Shape::One { vec!["platform"] } else { vec!["matchmaking", "game"] } {
            platform.kill(service).await.expect("it can be killed");
            platform.restart(service).await.expect("it comes up again");
        }
        let game_id = accepted["game"].as_str().expect("a game").to_owned();
        let info = exists(&platform, &other, &game_id).await;
        let seat = |seat: Option<api::game::v1::Seat>| seat.expect("a seat").account_id;
        assert_eq!(
            [seat(info.first), seat(info.second)],
            [&other, &one].map(|it| it.player.account().id.clone())
        );
        let late = third.runs(&platform, &["challenge", "accept", &link, "--json"]).await;
        assert!(
            !late.status.success() && String::from_utf8_lossy(&late.stderr).contains("accepted"),
            "{late:?}"
        );

        run(&platform, &third, &["account", "block", &one.name, "--json"]).await;
        let to_third = [&["challenge", "send", &third.name][..], &game].concat();
        let refused = one.runs(&platform, &to_third).await;
        assert!(!refused.status.success(), "{refused:?}");
        let blocked = run(&platform, &third, &["account", "blocked", "--json"]).await;
        assert_eq!(blocked[0]["name"], json!(one.name), "{shape:?} {store:?}");
        run(&platform, &third, &["account", "unblock", &one.name, "--json"]).await;
        let asked = run(&platform, &one, &to_third).await;
        let id = asked["challenge"].as_str().expect("an id").to_owned();
        run(&platform, &third, &["challenge", "decline", &id, "--because", "later", "--json"]).await;
        let listed = run(&platform, &one, &["challenge", "list", "--all", "--json"]).await;
        assert_eq!(
            [&listed[0]["state"], &listed[0]["because"], &listed[1]["state"], &listed[2]],
            [&json!("declined"), &json!("later"), &json!("accepted"), &json!(null)],
            "{shape:?} {store:?}"
        );
        sees_what_comes_and_goes(&platform, &third, &one, &game).await;
        if let Some(arranged) = arranged {
            begins_by_itself(&platform, &third, &arranged).await;
        }
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}

/// A game, as soon as there is one.
async fn exists(platform: &Platform, who: &Person, game_id: &str) -> GameInfo {
    let games = GameServiceClient::new(who.player.transport());
    let found = async {
        loop {
            let request = GetGameRequest { game_id: game_id.to_owned() };
            match with_retry(RETRY, || async { games.clone().get_game(request.clone()).await }).await {
                Ok(found) => return found.game.and_then(|game| game.info).expect("its settings"),
                Err(status) => assert_eq!(reason(&status), "UNKNOWN_GAME", "{status}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let found = tokio::time::timeout(2 * ARRANGED, found).await;
    found.unwrap_or_else(|_| panic!("no game {game_id}\n{}", platform.logs()))
}

/// How long before it begins a game is arranged: as soon as may be, and what the calls take.
const ARRANGED: Duration = Duration::from_secs(75);

/// Arranges a game that begins soon; its id.
async fn arrange(platform: &Platform, one: &Person, other: &Person) -> String {
    let starts = (chassis::Env::system().now() + ARRANGED).format(&Rfc3339).expect("it can be written");
    let game = ["--variant", "go", "--option", "size=9", "--control", "10m", "--at", &starts, "--json"];
    let asked = run(platform, one, &[&["challenge", "send", &other.name][..], &game].concat()).await;
    let id = asked["challenge"].as_str().expect("an id");
    let accepted = run(platform, other, &["challenge", "accept", id, "--json"]).await;
    assert!(accepted["begins"].is_string(), "{accepted}");
    let coming = run(platform, one, &["challenge", "arranged", "--json"]).await;
    assert_eq!((&coming[0]["state"], &coming[0]["game"]), (&json!("coming"), &accepted["game"]));
    accepted["game"].as_str().expect("a game").to_owned()
}

/// An arranged game begins by itself, whatever has died since it was arranged, and both were told.
async fn begins_by_itself(platform: &Platform, one: &Person, game_id: &str) {
    exists(platform, one, game_id).await;
    let over = run(platform, one, &["challenge", "arranged", "--all", "--json"]).await;
    assert_eq!((&over[0]["state"], &over[0]["game"]), (&json!("begun"), &json!(game_id)));
    let late = one.runs(platform, &["challenge", "call-off", game_id]).await;
    assert!(!late.status.success(), "{late:?}");
    let told = async {
        loop {
            let told = run(platform, one, &["notices", "--json"]).await;
            let of_game = |it: &&Value| it["about"]["game"] == json!(game_id);
            let mut kinds: Vec<Value> = told
                .as_array()
                .expect("a list")
                .iter()
                .filter(of_game)
                .map(|it| it["kind"].clone())
                .collect();
            kinds.sort_by_key(Value::to_string);
            if kinds == [json!("game-arranged"), json!("game-begun")] {
                break;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), told).await.expect("he is told");
}

/// What a command prints that a person runs.
async fn run(platform: &Platform, person: &Person, words: &[&str]) -> Value {
    let done = person.runs(platform, words).await;
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).expect("it is JSON")
}

/// Whoever follows the open challenges in a terminal sees them come and go.
async fn sees_what_comes_and_goes(platform: &Platform, who: &Person, other: &Person, game: &[&str]) {
    let (told, mut lines) = mpsc::unbounded_channel();
    let follow = ["challenge", "seeks", "--follow", "--count", "2", "--json"];
    let following = who.runs_telling(platform, &follow, told);
    let open = [&["challenge", "open"][..], game].concat();
    let opening = async {
        let opened = run(platform, other, &open).await;
        let id = opened["challenge"].as_str().expect("an id").to_owned();
        // What is over before anybody was told of it is told as over only.
        lines.recv().await.expect("it is told");
        run(platform, other, &["challenge", "withdraw", &id, "--json"]).await;
        id
    };
    let (shown, id) = tokio::join!(following, opening);
    let told = String::from_utf8_lossy(&shown.stdout).into_owned();
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let changes: Vec<_> = told.iter().map(|it| (&it["change"], &it["challenge"])).collect();
    assert_eq!(changes, [(&json!("opened"), &json!(id)), (&json!("closed"), &json!(id))], "{shown:?}");
}
