//! Games that people ask each other for, from the terminal: through the real processes, whatever dies meanwhile.

use api::{
    client::with_retry,
    error::reason,
    game::v1::{GetGameRequest, game_service_client::GameServiceClient},
};
use serde_json::{Value, json};
use tests::{Platform, RETRY, Shape, held::Person, shapes};

#[tokio::test(flavor = "multi_thread")]
async fn a_link_becomes_a_game_though_everything_dies_and_blocks_hold() {
    for (shape, store) in shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let [one, other, third] =
            [Person::new(&transport).await, Person::new(&transport).await, Person::new(&transport).await];
        let game = ["--variant", "jiu", "--control", "20m", "--side", "second", "--json"];
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
        let games = GameServiceClient::new(other.player.transport());
        let found = async {
            loop {
                let request = GetGameRequest { game_id: game_id.clone() };
                match with_retry(RETRY, || async { games.clone().get_game(request.clone()).await }).await {
                    Ok(found) => return found.game.and_then(|game| game.info).expect("its settings"),
                    Err(status) => assert_eq!(reason(&status), "UNKNOWN_GAME", "{status}"),
                }
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        let info = tokio::time::timeout(std::time::Duration::from_secs(30), found).await;
        let info = info.unwrap_or_else(|_| panic!("{shape:?} {store:?}: no game\n{}", platform.logs()));
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
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
    }
}

/// What a command prints that a person runs.
async fn run(platform: &Platform, person: &Person, words: &[&str]) -> Value {
    let done = person.runs(platform, words).await;
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).expect("it is JSON")
}

/// Whoever follows the open challenges in a terminal sees them come and go.
async fn sees_what_comes_and_goes(platform: &Platform, who: &Person, other: &Person, game: &[&str]) {
    let following = who.runs(platform, &["challenge", "seeks", "--follow", "--count", "2", "--json"]);
    let open = [&["challenge", "open"][..], game].concat();
    let opening = async {
        let opened = run(platform, other, &open).await;
        let id = opened["challenge"].as_str().expect("an id").to_owned();
        // What is over before anybody was told of it is told as over only.
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        run(platform, other, &["challenge", "withdraw", &id, "--json"]).await;
        id
    };
    let (shown, id) = tokio::join!(following, opening);
    let told = String::from_utf8_lossy(&shown.stdout).into_owned();
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let changes: Vec<_> = told.iter().map(|it| (&it["change"], &it["challenge"])).collect();
    assert_eq!(changes, [(&json!("opened"), &json!(id)), (&json!("closed"), &json!(id))], "{shown:?}");
}
