//! Logs of games that are over are packed, and say what they said.

use std::time::Duration;

use api::game::v1::{
    ExportRecordRequest, GameStatus, GetGameRequest, ListCountsRequest, ListGamesRequest, ResignRequest,
    WatchRequest, watch_response,
};
use chassis::id::GameId;
use game::audit::Audit;
use prost::Message as _;
use rules::Opening;
use sea_orm::{ConnectionTrait as _, FromQueryResult, Statement};

use super::{
    commands::random_game,
    fixture::{Fixture, Replica, refused},
};

const DAY: Duration = Duration::from_hours(24);

/// A row of a log.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
struct Row {
    sequence: i64,
    payload: Vec<u8>,
    sealed: Option<String>,
}

fn key(id: &str) -> GameId {
    GameId::parse(id, "game_id").expect("an id")
}

/// The rows of a log as the database has them.
async fn rows(fixture: &Fixture, id: &str) -> Vec<Row> {
    let on = fixture.database.database.read();
    let sql = "SELECT sequence, payload, sealed FROM events WHERE game_id = $1 ORDER BY sequence";
    let statement = Statement::from_sql_and_values(on.get_database_backend(), sql, [key(id).uuid().into()]);
    Row::find_by_statement(statement).all(on).await.expect("read")
}

/// All that anybody is told of a game, in answers and streams.
async fn everything(replica: &Replica, id: &str) -> Vec<Vec<u8>> {
    let (mut games, game_id) = (replica.anybody(), id.to_owned());
    let finished = ListGamesRequest { status: GameStatus::Finished.into(), ..Default::default() };
    let game =
        games.get_game(GetGameRequest { game_id: game_id.clone() }).await.expect("a game").into_inner();
    let record = games.export_record(ExportRecordRequest { game_id: game_id.clone() }).await;
    let counts = games.list_counts(ListCountsRequest { game_id: game_id.clone() }).await;
    let listed = games.list_games(finished).await.expect("games").into_inner();
    let mut told = vec![
        game.encode_to_vec(),
        record.expect("a record").into_inner().encode_to_vec(),
        counts.expect("counts").into_inner().encode_to_vec(),
        listed.encode_to_vec(),
    ];
    let last = game.game.and_then(|game| game.state).expect("a state").sequence;
    // From the beginning, and from the middle of what is packed.
    for after in [0, last / 2] {
        let request =
            WatchRequest { game_id: game_id.clone(), after_sequence: Some(after), after_end: false };
        let mut stream = games.watch(request).await.expect("a stream").into_inner();
        let mut number = after;
        while number < last {
            let step = stream.message().await.expect("a step").expect("a step").step.expect("a step");
            if let watch_response::Step::Event(event) = step {
                number += 1;
                assert_eq!(event.sequence, number, "each once, in order");
                told.push(event.encode_to_vec());
            }
        }
    }
    told
}

async fn resign(fixture: &Fixture, replica: &Replica, id: &str) {
    let request = ResignRequest { game_id: id.to_owned(), request_id: fixture.id() };
    // Who plays at random may have resigned.
    let _ = replica.caller(&fixture.players[0]).resign(request).await;
}

/// A game with a draw and sealed bids.
async fn bid_game(fixture: &Fixture, replica: &Replica) -> String {
    let request = fixture.commission("tianyi", &[], true);
    let id = request.game_id.clone();
    replica.internal().create_game(request).await.expect("the game is made");
    let parts = [Opening::new([1; 32], [2; 32]), Opening::new([3; 32], [4; 32])];
    let commits = parts.iter().map(|part| format!("commit {}", part.commitment()));
    let reveals = parts.iter().map(|part| format!("reveal {}", part.text()));
    let bids = ["bid 7.5", "bid -3"].map(str::to_owned);
    for (number, act) in commits.chain(reveals).chain(bids).enumerate() {
        let ply = replica.look(&id).await.state.expect("a state").ply;
        replica.play(fixture, &id, number % 2, &act, ply, &fixture.id()).await.expect("the act is legal");
    }
    id
}

/// Waits until so many games have packed logs.
async fn packed(fixture: &Fixture, count: i64) {
    let on = fixture.database.database.read();
    let sql = "SELECT COUNT(*) AS count FROM games WHERE packed = TRUE";
    let counting = async {
        loop {
            let row = on.query_one_raw(Statement::from_string(on.get_database_backend(), sql)).await;
            let found: i64 = row.expect("read").expect("a row").try_get("", "count").expect("a number");
            if found == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), counting).await.expect("they are packed");
}

#[tokio::test]
async fn a_log_that_is_packed_says_what_it_said_to_the_bit() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let mut over = Vec::new();
        for seed in 0..3 {
            let id = replica.new_game(&fixture).await;
            random_game(&fixture, &replica, &id, seed).await;
            resign(&fixture, &replica, &id).await;
            over.push(id);
        }
        let bids = bid_game(&fixture, &replica).await;
        resign(&fixture, &replica, &bids).await;
        over.push(bids.clone());
        let running = replica.new_game(&fixture).await;
        let mut told = Vec::new();
        let mut logs = Vec::new();
        for id in &over {
            told.push(everything(&replica, id).await);
            logs.push(rows(&fixture, id).await);
        }
        let before = rows(&fixture, &running).await;

        // Not before a day is over.
        fixture.time.advance(Duration::from_secs(24 * 3600 - 1));
        let replica = fixture.replica().await;
        tokio::time::sleep(Duration::from_millis(1300)).await;
        packed(&fixture, 0).await;
        fixture.time.advance(Duration::from_secs(2));
        // Two that do the same at once.
        let others = [fixture.replica().await, fixture.replica().await];
        packed(&fixture, 4).await;
        for replica in [&replica, &others[0], &fixture.replica().await] {
            for (id, told) in over.iter().zip(&told) {
                assert_eq!(&everything(replica, id).await, told, "{}", fixture.database.kind);
            }
        }
        for (id, before) in over.iter().zip(&logs) {
            let after = rows(&fixture, id).await;
            let ends = |rows: &[Row]| [rows[0].clone(), rows[rows.len() - 1].clone()].map(|row| row.sequence);
            assert_eq!(ends(&after), ends(before), "both ends are found by their numbers");
            assert_eq!(after[0], before[0], "the first stays");
            let size = |rows: &[Row]| rows.iter().map(|row| row.payload.len()).sum::<usize>();
            assert!(after.len() < before.len() && size(&after) < size(before), "{}", fixture.database.kind);
            let sealed = |rows: &[Row]| rows.iter().filter(|row| row.sealed.is_some()).cloned().collect();
            let (sealed_after, sealed_before): (Vec<Row>, Vec<Row>) = (sealed(&after), sealed(before));
            assert_eq!(sealed_after, sealed_before, "what is sealed keeps its rows");
            assert_eq!(sealed_after.is_empty(), *id != bids);
        }
        assert!(rows(&fixture, &running).await.starts_with(&before), "what is played is as it is written");

        // The audit replays what is packed.
        let audit = Audit::new(fixture.database.database.clone());
        for id in &over {
            let audited = audit.game(key(id)).await.expect("read");
            assert_eq!(audited.differences, Vec::<String>::new(), "{}", fixture.database.kind);
            assert_eq!(audited.events, logs[over.iter().position(|it| it == id).expect("it is")].len());
        }
    }
}

#[tokio::test]
async fn nobody_adds_to_a_packed_log_who_believes_its_game_to_be_running() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &id, &["C3", "D4"]).await;
        // One that hears of nothing has the game as it is now, and keeps it.
        let deaf = fixture.unheard_replica().await;
        deaf.look(&id).await;
        let stale = deaf.play(&fixture, &id, 0, "E5", 0, &fixture.id()).await;
        assert_eq!(refused(stale), "STALE_PLY", "it has the game in memory");
        replica.play_all(&fixture, &id, &["E5", "F6", "G7", "H8", "C4", "D5"]).await;
        resign(&fixture, &replica, &id).await;
        let log = rows(&fixture, &id).await;
        fixture.time.advance(DAY + Duration::from_secs(1));
        let _packs = fixture.replica().await;
        packed(&fixture, 1).await;
        let after = rows(&fixture, &id).await;
        assert!(after.len() < log.len());
        let late = deaf.play(&fixture, &id, 0, "J9", 2, &fixture.id()).await;
        assert!(["STALE_PLY", "GAME_OVER"].contains(&refused(late).as_str()), "{}", fixture.database.kind);
        assert_eq!(rows(&fixture, &id).await, after, "{}: nothing was added", fixture.database.kind);
    }
}
