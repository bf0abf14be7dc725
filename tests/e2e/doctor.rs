//! `shoutan doctor`: finds a platform well that is, and what is wrong with one that is not.

use std::time::Duration;

use api::{client::RetryPolicy, game::v1::GameEvent};
use chassis::Database;
use prost::Message as _;
use sea_orm::{ConnectionTrait as _, Statement, Value};
use tests::{Platform, Redis, bots, command, game_settings, opposite_shapes, pair_up};

const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(30));

/// What the command says, and whether it ended well.
async fn doctor(arguments: &[&str]) -> (bool, String) {
    let arguments: Vec<&str> = ["doctor"].iter().chain(arguments).copied().collect();
    let output = command(&arguments).await.expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Plays some moves and ends the game.
async fn played(platform: &Platform) -> String {
    let players = bots(&platform.transport(), 2).await.expect("both sign in");
    let settings = game_settings("go", &[("size", "9")], "5m+3x10s", true);
    let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
    for (ply, text) in ["C3", "G7", "C7", "G3"].into_iter().enumerate() {
        let ply = u32::try_from(ply).expect("few plies");
        let mover = &pairing.players[ply as usize % 2];
        mover.play(&pairing.game_id, text, ply, RETRY).await.expect("accepted");
    }
    pairing.players[0].resign(&pairing.game_id, RETRY).await.expect("a player may resign");
    pairing.game_id
}

/// What the doctor says once the processes have found each other, which those that started first notice last.
async fn well(arguments: &[&str]) -> (bool, String) {
    let began = tokio::time::Instant::now();
    loop {
        let (well, said) = doctor(arguments).await;
        if well || began.elapsed() > Duration::from_secs(20) {
            return (well, said);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_a_well_platform_well_and_its_logs_right() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        played(&platform).await;
        let place = platform.place();
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        let (well, said) = well(&[&place[..], &["--server", &platform.url]].concat()).await;
        assert!(well && said.contains("is ready") && !said.contains("BAD"), "{shape:?} {store:?}\n{said}");
        assert!(said.contains("database of game: answers") && said.contains("live state: "), "{said}");
        let (right, said) = doctor(&[&["--audit"][..], &place[..]].concat()).await;
        assert!(right && said.contains("0 games differ"), "beside the running services\n{said}");
        let kept = platform.kept();
        let mut packing = vec!["pack", "--older-than", "1ms", "--json"];
        packing.extend(kept.iter().map(String::as_str));
        for games in [1, 0] {
            let packed = command(&packing).await.expect("the command runs");
            let packed: serde_json::Value = serde_json::from_slice(&packed.stdout).expect("JSON");
            assert_eq!((&packed["games"], &packed["failed"]), (&games.into(), &0.into()), "{packed}");
        }
        platform.stop().await.expect("it can be asked");
        let (right, said) = doctor(&[&["--audit"][..], &place[..]].concat()).await;
        assert!(right && said.contains("1 games, 9 events"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_finds_what_somebody_has_changed() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let game_id = played(&platform).await;
        platform.stop().await.expect("it can be asked");
        let place = platform.place();
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        let audit = async || doctor(&[&["--audit"][..], &place[..]].concat()).await;
        let database = Database::open(&platform.game_database()).await.expect("it opens");

        let finished = async |finished: bool| {
            let change = format!("UPDATE games SET finished = {finished}");
            database.write().execute_unprepared(&change).await.expect("it is written");
        };
        finished(false).await;
        let (right, said) = audit().await;
        assert!(!right && said.contains("that it is over is stored as false"), "{said}");
        finished(true).await;

        let whole = payload(&database, SECOND_ACT).await;
        for (what, change) in CHANGES {
            let mut event = GameEvent::decode(whole.as_slice()).expect("an event");
            change(&mut event);
            write(&database, SECOND_ACT, event.encode_to_vec()).await;
            let (right, said) = audit().await;
            assert!(!right && said.contains(&game_id) && said.contains("1 games differ"), "{what}\n{said}");
        }
        write(&database, SECOND_ACT, whole).await;
        let (right, said) = audit().await;
        assert!(right, "{said}");
        database.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_holds_the_ratings_to_the_results() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let game_id = played(&platform).await;
        let place = platform.place();
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        let audit = async || doctor(&[&["--audit"][..], &place[..]].concat()).await;
        let ratings = Database::open(&platform.database_of("rating")).await.expect("it opens");
        let change = async |sql: &str| {
            ratings.write().execute_unprepared(sql).await.expect("it is written");
        };
        rated(&ratings).await;
        platform.stop().await.expect("it can be asked");
        let (right, said) = audit().await;
        assert!(right && said.contains("0 games differ"), "{said}");

        change("UPDATE rating_changes SET verdict = 3").await;
        let (right, said) = audit().await;
        assert!(!right && said.contains(&game_id) && said.contains("rated otherwise than as"), "{said}");
        change("UPDATE rating_changes SET verdict = 2").await;
        assert!(audit().await.0, "the second player has won");
        change("CREATE TABLE aside AS SELECT * FROM rating_changes").await;
        change("DELETE FROM rating_changes WHERE side = 1").await;
        let (right, said) = audit().await;
        assert!(!right && said.contains("rated otherwise than as"), "half of it is not enough\n{said}");
        change("DELETE FROM rating_changes").await;
        let (right, said) = audit().await;
        assert!(
            !right && said.contains(&game_id) && said.contains("neither rated nor about to be"),
            "{said}"
        );
        change("INSERT INTO rating_changes SELECT * FROM aside").await;
        assert!(audit().await.0, "all is as before");
        change("UPDATE ratings SET games = games + 1").await;
        let (right, said) = audit().await;
        assert!(!right && said.contains("does not follow from the games"), "{said}");
        change("UPDATE ratings SET games = games - 1").await;
        assert!(audit().await.0, "all is as before");
        let strange = chassis::Env::system().uuid();
        let strange = match ratings.backend() {
            sea_orm::DbBackend::Sqlite => format!("x'{}'", strange.simple()),
            _ => format!("'{strange}'"),
        };
        change(&format!("UPDATE aside SET game_id = {strange}")).await;
        change("INSERT INTO rating_changes SELECT * FROM aside").await;
        let (right, said) = audit().await;
        assert!(!right && said.contains("1 games are rated and are not among the games"), "{said}");
        ratings.close().await;
    }
}

/// Waits until the one game that was played is rated.
async fn rated(ratings: &Database) {
    let count = "SELECT count(*) AS number FROM rating_changes";
    let arrived = async {
        loop {
            let select = Statement::from_string(ratings.backend(), count);
            let row = ratings.read().query_one_raw(select).await.expect("it answers").expect("a row");
            if row.try_get::<i64>("", "number").expect("a number") == 2 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), arrived).await.expect("it is rated");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_lists_what_can_never_be_delivered() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        platform.stop().await.expect("it can be asked");
        let place = platform.place();
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        let look = async || doctor(&[&place[..], &["--server", "http://127.0.0.1:1"]].concat()).await;
        assert!(look().await.0, "nothing is dead yet");
        for (service, kind) in [("game", "rating.apply-result"), ("federation", "game.create-of-event")] {
            let database = Database::open(&platform.database_of(service)).await.expect("it opens");
            let id = chassis::Env::system().uuid();
            let bury = Statement::from_sql_and_values(
                database.backend(),
                "INSERT INTO outbox_dead (id, kind, payload, reason, died_us) VALUES ($1, $2, $3, $4, $5)",
                [
                    Value::from(id),
                    Value::from(kind),
                    Value::from(vec![0_u8]),
                    Value::from("InvalidArgument: nobody plays against oneself"),
                    Value::from(1_800_000_000_000_000_i64),
                ],
            );
            database.write().execute_raw(bury).await.expect("it is written");
            database.close().await;
            let (well, said) = look().await;
            let owed = format!("{service} owes {kind}");
            let told = [&owed, &id.to_string(), "2027-01-15T08:00:00Z", "nobody plays", "DELETE"];
            assert!(!well && told.iter().all(|word| said.contains(word)), "{shape:?} {store:?}\n{said}");
        }
    }
}

/// The number of the event of the second act: before it the game is made, both players come, play begins, and the first
/// one acts.
const SECOND_ACT: i64 = 6;

/// A change of an event.
type Change = fn(&mut GameEvent);

/// Changes of one event of a log, each of which something else in it contradicts.
const CHANGES: [(&str, Change); 3] = [
    ("a second more on a clock", |event| {
        let clock = event.state.as_mut().and_then(|state| state.clock.as_mut()).expect("clocks");
        let first = clock.first.as_mut().and_then(|side| side.main_duration.as_mut()).expect("time");
        first.seconds += 1;
    }),
    ("another act", |event| {
        use api::game::v1::game_event::Event;
        let Some(Event::Played(played)) = &mut event.event else { panic!("an act: {event:?}") };
        "C3".clone_into(&mut played.act.as_mut().expect("an act").text);
    }),
    ("another ply", |event| event.state.as_mut().expect("a state").ply += 1),
];

async fn payload(database: &Database, sequence: i64) -> Vec<u8> {
    let select = Statement::from_string(
        database.backend(),
        format!("SELECT payload FROM events WHERE sequence = {sequence}"),
    );
    let row = database.read().query_one_raw(select).await.expect("it answers").expect("an event");
    row.try_get("", "payload").expect("bytes")
}

async fn write(database: &Database, sequence: i64, payload: Vec<u8>) {
    let update = Statement::from_sql_and_values(
        database.backend(),
        format!("UPDATE events SET payload = $1 WHERE sequence = {sequence}"),
        [Value::from(payload)],
    );
    database.write().execute_raw(update).await.expect("it is written");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().display().to_string();
    let nobody = ["--data", &data, "--server", "http://127.0.0.1:1"];
    let (well, said) = doctor(&nobody).await;
    assert!(well && said.contains("there is none yet") && said.contains("no platform answers"), "{said}");

    let (well, said) = doctor(&[&nobody[..], &["--live", "redis://127.0.0.1:1"]].concat()).await;
    assert!(!well && said.contains("BAD   live state"), "{said}");
    let redis = Redis::start().await.expect("a Redis");
    redis.say("CONFIG SET maxmemory 1").await.expect("it answers");
    let (well, said) = doctor(&[&nobody[..], &["--live", &redis.url]].concat()).await;
    assert!(
        !well && said.contains("BAD   live state") && said.contains("OOM"),
        "it answers and refuses\n{said}"
    );

    let (well, said) = doctor(&[&nobody[..], &["--cluster-secret", "short"]].concat()).await;
    assert!(!well && said.contains("32 characters"), "{said}");
    let unreachable = ["--database", "postgres://anna:sesame@127.0.0.1:1/shoutan"];
    let (well, said) = doctor(&[&nobody[..], &unreachable[..]].concat()).await;
    assert!(!well && said.contains("BAD   database of game") && !said.contains("sesame"), "{said}");
}

#[tokio::test]
async fn files_that_nothing_starts_with_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let place = ["--data", data.to_str().expect("a plain path")];
    let (well, said) = doctor(&place).await;
    assert!(well && said.contains("there is no key yet") && said.contains("without TLS"), "{said}");
    assert!(!data.exists(), "it only looks");

    let key = folder.path().join("key");
    std::fs::write(&key, "no key").expect("is written");
    let file = key.to_str().expect("a plain path");
    for (arguments, why) in [
        (&["--key-file", file][..], "can be read by others"),
        (&["--tls-cert", file], "belong together"),
        (&["--tls-cert", file, "--tls-key", "/nowhere"], "connections: "),
        (&["--services-ca", file], "belong together"),
        (&["--proxy-protocol"], "--trusted-proxy"),
    ] {
        let (well, said) = doctor(&[&place, arguments].concat()).await;
        assert!(!well && said.contains("BAD") && said.contains(why), "{arguments:?}\n{said}");
    }
}
